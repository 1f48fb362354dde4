# what a store writes: rows alike in a line; padding behind a row; a reduction; pixels by strides; slices; JSON
f16='--dtype FLOAT16 --dims 20,5 --strides 48 --box 16,8'
wsim tma store $f16 --coord 8,2
wsim tma store $f16 --coord 0,0 --swizzle 32B --at 128
pixels='--dtype FLOAT16 --dims 28,7,5,2 --strides 128,896,4480 --lower 1,1 --upper -1,-1 --channels 32 --pixels 10'
wsim tma store $pixels --coord 0,3,2,1 --estrides 1,2,1,1
wsim tma store --dtype INT32 --dims 3,4 --strides 16 --box 4,4 --coord 0,1 --reduce add
wsim tma store --dtype UINT16 --dims 14,14,4,2 --strides 224,3136,12544 --box 8,4,3,1 --interleave 16B --coord 8,12,1,0
wsim tma store $f16 --coord 8,2 --format json
# what traps, what the model refuses, and what is no request
wsim tma store $f16 --coord 8,-2
wsim tma store $f16 --estrides 1,2
wsim tma store $f16 --at 64
wsim tma store $f16 --strides 16
wsim tma store $pixels --coord 0,0,2,0
wsim tma store $pixels --coord 2,3,2,0
wsim tma store $pixels --coord 0,3,2,0 --lower 1,-1
wsim tma store --dtype UINT8 --dims 64 --box 16 --reduce add
wsim tma store $f16 --reduce mul
wsim tma store $pixels --coord 0,3,2,0 --offsets 1,0
wsim tma load $f16 --reduce add
wsim tma check $f16 --reduce add
