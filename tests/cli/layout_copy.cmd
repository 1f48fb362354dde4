# the two layouts of a copy atom, out and in
wsim layout SM75_U32x4_LDSM_N --format cute
wsim layout SM75_U16x8_LDSM_T --format cute
wsim layout SM90_U32x1_STSM_N --format cute
wsim layout SM75_U32x1_MOVM_T --format cute
wsim layout SM75_U16x8_LDSM_T --cute 'Layout<Shape<Shape<_4,_8>,Shape<_16,_2,_4>>,Stride<Stride<_256,_16>,Stride<_1,_128,_1024>>>'
wsim layout SM75_U32x4_LDSM_N --cute '(32,32):(32,1)'; echo "status $?"
wsim layout SM75_U32x4_LDSM_N --cute '(32,128):(128,1)' --format json
