# atoms of CuTe and machine code, as they stand in C++ and in a disassembly
wsim layout SM80_16x8x16_F32F16F16F32_TN --operand b --lane 5
wsim layout 'SM90::GMMA::MMA_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>' --operand d --lane 99 --reg 3
wsim layout 'Copy_Atom<SM75_U16x8_LDSM_T, half_t>' --lane 1 --reg 2
wsim layout '        /*0090*/              @!P0 HMMA.16816.F32 R4, R8, R12, R4 ;' --operand d --lane 1
wsim layout LDSM.16.M88.3; echo "status $?"
wsim exec SM50_Shuffle_U32_2x2Trans_XOR1; echo "status $?"
wsim layout SM80_16x8x16_F32F99_TN
