# a tile over the border, at an address inside of the pattern; a column of a plain and of a swizzled tile; pixels; slices
f16='--dtype FLOAT16 --dims 20,5 --strides 48 --box 16,8'
wsim tma show $f16 --swizzle 64B --coord 8,-1 --at 128
i32='--dtype INT32 --dims 32,32 --strides 128 --box 32,32'
wsim tma show $i32 | tail -3
wsim tma show $i32 --swizzle 128B | tail -3
wsim tma show --dtype FLOAT32 --dims 4,4,4,1 --strides 16,64,256 --lower -1,-1 --upper -1,-1 --channels 4 --pixels 16 --coord 0,-1,-1,0
wsim tma show --dtype UINT16 --dims 5,3,2 --strides 160,480 --box 8,1,1 --interleave 32B --swizzle 32B --coord 1,2,1
wsim tma show $f16 --format json | head -40
