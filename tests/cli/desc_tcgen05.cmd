# instruction descriptors from fields and back, by spelling and by atom
f=tcgen05.mma.cta_group::1.kind::f16
wsim desc encode $f M=128 N=256 A=bf16 B=bf16
wsim desc decode $f 08400490 --format json
wsim desc encode tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 N=16 sfa_id=0
wsim desc encode 'SM100_MMA_S8_SS<int8_t, uint8_t, int32_t, 64, 32, UMMA::Major::MN, UMMA::Major::K, UMMA::Saturate::True>'
wsim desc encode $f M=100
wsim desc encode $f X=3
wsim desc encode $f A=f99
wsim desc encode $f sat=1
wsim desc decode $f
wsim desc decode $f 0x12345678; echo $?
# matrix descriptors have version 1 and other swizzles
wsim desc decode 2000404000201340
wsim desc encode --start 0x400 --stride 1024 --swizzle 64B --arch b200
wsim desc encode 'MN-major B, 64x64 tf32, 128B_ATOM_32B, at 0x400' --arch b200
wsim desc encode 'MN-major B, 128x128 e4m3, 32B' --arch b200
wsim desc encode 'K-major A, 64x60 f16, 128B' --arch b200
wsim desc check $f a 4000404000010040 M=64 --row 9 --k 3
wsim desc check $f a 4000004000010040; echo $?
wsim desc check tcgen05.mma.cta_group::1.kind::f16 a 4000404000010040 --mn-major
# a tensor map puts each element where the descriptor reads it, or not
printf '{"dtype": "FLOAT16", "dims": [64, 64], "strides": [128], "box": [64, 64], "swizzle": "128B"}' >wide
wsim desc check $f a 4000404000010040 M=64 --map wide --at 0x400 | tail -n +8
wsim desc check $f a 8000404000010040 M=64 --map wide --at 0x400 | tail -n +8
# 4 and 6 bits have a byte each; two e2m1x2 share one, as mxf4 reads them
wsim desc encode 'K-major A, 128x128 e3m2, 64B, at 0x400' --arch b200 --format csv
wsim desc encode 'K-major A, 128x256 e2m1x2, 128B, at 0x400' --arch b200 --format csv
wsim desc encode 'MN-major B, 128x128 e2m1x2, 128B' --arch b200
wsim desc encode 'K-major B, 128x128 e2m1, 128B'
printf '{"dtype": "16U4_ALIGN8B", "dims": [256, 256], "strides": [128], "box": [256, 64], "swizzle": "128B"}' >packed
wsim desc encode --tile b --map packed --at 0x400 --arch b200 --format csv
