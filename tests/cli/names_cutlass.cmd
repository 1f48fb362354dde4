# arguments of templates: majors, signs, types and scale factors; what lies in shared memory
wsim layout 'SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>' --format cute
wsim layout 'SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>' --operand b
wsim layout 'SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>' --operand b
wsim layout 'SM90_64x8x16_F32F16F16_SS<GMMA::Major::MN, GMMA::Major::MN>' --operand a --row 9 --col 3
wsim layout 'SM90_64x8x16_F32F16F16_SS<GMMA::Major::MN, GMMA::Major::MN>' --operand a --row 9 --col 3 --format json
wsim layout 'SM90_64x8x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>' --operand a --lane 5 --reg 1
wsim layout 'SM90_64x8x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>' --operand b --lane 5; echo "status $?"
wsim exec 'SM90_64x8x16_F32F16F16_SS<GMMA::Major::MN, GMMA::Major::MN, GMMA::ScaleIn::Neg>' --a '3,1=2' --b '1,5=7' --row 3 --col 5
wsim desc check 'SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>' b 0x4000004000000040 --row 1 --k 2 --format csv
wsim layout 'SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 16>' --operand sfa --lane 4
wsim layout SM80_8x8x4_C64C64C64C64_TN --operand a --lane 3
# what there is not, or not here
for name in SM100_MMA_F16BF16_SS LDTM.x32 SM90_TMA_LOAD_2D::PREFETCH SM50_Shuffle_U32_2x2Trans_XOR1 SM90_TMA_LOAD \
    'SM90_64x8x16_F32F16F16_RS<GMMA::Major::MN, GMMA::Major::K>' 'SM120_16x8x32_TN<float_e4m3_t, float_e7m0_t, float>' \
    'SM90_64x8x16_F32F16F16_SS<'; do
    wsim layout "$name"
    echo "status $?"
done
