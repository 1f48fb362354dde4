# a box of rows as wide as the swizzle; a short row; element strides, of which dimension 0 has none
f16='--dtype FLOAT16 --dims 256,512 --strides 512'
wsim tma check $f16 --box 64,8 --swizzle 128B
wsim tma check $f16 --box 24,8 --swizzle 64B --oob NAN
wsim tma check $f16 --box 64,8 --estrides 2,3 --base 0x10
