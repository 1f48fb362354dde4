# descriptors out of a tile, one for each step along k
wsim desc encode --tile b,64x128,f16 --major k --swizzle 128B --at 0x400
wsim desc encode --tile a,64x64,bf16 --major mn --swizzle 128B --at 0x2000 --format csv
wsim desc encode --tile b,256x64,e4m3 --swizzle 64B --format json
wsim desc encode --tile b,64x64,half --major mn
wsim desc encode --tile A,64x32,tf32 --swizzle none --at 0x80 | tail -5
wsim desc encode --tile b,8x512,b1 --swizzle 32B --format csv
# the first step of the first tile reads what the command says
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 4000004000000440 --row 9 --k 3
echo '{"dtype": "FLOAT16", "dims": [256, 256], "strides": [512], "box": [64, 64], "swizzle": "128B"}' >map.json
wsim desc encode --tile b --map map.json --at 0x400 --format csv
wsim desc encode --tile b --map map.json --major mn | tail -5
for tile in b b,64 b,64x c,64x64,f16 b,64x64,f32 b,64x64,u4 b,12x64,f16 b,64x8,f16 b,64x24,f16 b,0x64,f16 b,64x0,f16 b,9999x64,f16 b,64x64,f16,x
do wsim desc encode --tile $tile --swizzle 128B; done
wsim desc encode --tile b,64x64,s8 --major mn; wsim desc encode --tile b,40x64,f16 --major mn --swizzle 128B
wsim desc encode --tile b,64x64,f16 --swizzle 128B --at 8; wsim desc encode --tile b,64x64,f16 --swizzle 128B --at 0x3fff0
wsim desc encode --tile b,64x64,f16 --swizzle 128B_ATOM_32B; wsim desc encode --tile b,64x64,f16 --swizzle x --major k
wsim desc encode --tile b,64x64,f16 --major x; wsim desc encode --tile b,64x64,f16 --start 4; wsim desc encode --at 4
wsim desc encode --tile b,64x64,f16 --map map.json; wsim desc encode --tile b --map none.json; wsim desc decode --tile b 0
sed 's/128B/64B/' map.json >other.json; wsim desc encode --tile b --map other.json
# the same in words
wsim desc encode 'K-major B, 64x128 f16, 128B, at 0x400' | head -1
wsim desc encode MN-major a 64x64 bf16 64B --at 0x800 | sed -n 1,4p
wsim desc encode B 64x128; wsim desc encode B 64x128 f16 at; wsim desc encode B 64x128 f16 q8; wsim desc encode b 64x64 f16 --tile b
wsim desc encode B 64x128 f16 --at 0 at 0x400; wsim desc encode "$(printf '%0300d' 0)"; wsim desc encode B 0x0 f16
