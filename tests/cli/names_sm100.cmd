# atoms of CuTe for tensor memory
t='half_t, half_t, float, 128, 256, UMMA::Major::K, UMMA::Major::MN'
for a in "SM100_MMA_F16BF16_SS<$t>" "SM100_MMA_F16BF16_2x1SM_TS<$t>" "SM100_MMA_F16BF16_SS_SPARSE<$t>" \
    'SM100_MMA_TF32_SS<tfloat32_t, tfloat32_t, float, 64, 8, UMMA::Major::K, UMMA::Major::K, UMMA::ScaleIn::Neg, UMMA::ScaleIn::One>' \
    'SM100_MMA_MXF8F6F4_SS<float_e4m3_t, float_e2m1_t, float, float_ue8m0_t, 128, 16, UMMA::Major::K, UMMA::Major::K>' \
    'SM100_MMA_MXF4_SS<float_e2m1_t, float_e2m1_t, float, float_ue8m0_t, 128, 16, 32, UMMA::Major::K, UMMA::Major::K>' \
    'cute::SM100_MMA_MXF4_2x1SM_SS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 256, 16, 16, UMMA::Major::K, UMMA::Major::K>'; do
    wsim desc encode "$a" | head -2
done
wsim desc encode SM100_MMA_F16BF16_SS
wsim desc encode 'SM100_MMA_F17_SS<half_t>'
wsim desc encode 'SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, UMMA::Minor::K>'
wsim layout SM100_TMEM_LOAD_16dp256b1x_16b --lane 3 --reg 1
wsim layout SM100_UTCCP_128dp256bit_1cta --row 9 --col 1
