# slices of 16 and 32 bytes: dimension 0 counts them, its stride holds, the last but one is chosen
wsim tma check --dtype UINT16 --dims 14,14,4,2 --strides 224,3136,12544 --box 8,4,3,1 \
    --estrides 2,1,1,1 --interleave 16B
wsim tma check --dtype UINT16 --dims 14,4,2 --strides 448,1792 --box 16,3,1 --interleave 32B \
    --swizzle 32B
