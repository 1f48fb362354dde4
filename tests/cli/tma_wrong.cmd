# wrong maps: what is broken, by how much, and what would do
f32='--dtype FLOAT32 --dims 64,64,64 --strides 256,16384'
wsim tma check $f32 --box 8,8,8 --base 8
wsim tma check --dtype FLOAT32 --dims 30,64 --strides 120 --box 8,8
wsim tma check $f32 --box 6,8,8
wsim tma check $f32 --box 64,8,8 --swizzle 128B
wsim tma check $f32 --box 8,257,8
wsim tma check $f32 --box 64,64,64
wsim tma check $f32 --box 8,8,8 --estrides 9,1,1
wsim tma check $f32 --box 8,8,8 --swizzle 128B_ATOM_32B
wsim tma check --dtype INT32 --dims 64 --box 8 --oob NAN
wsim tma check --dtype INT32 --dims 64,64 --strides 256 --box 8,8 --interleave 16B
