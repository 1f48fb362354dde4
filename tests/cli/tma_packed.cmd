# strides of a tensor without gaps, where they are left out
wsim tma check --dtype bf16 --dims 64,64,3 --box 64,8,1 --swizzle 128B
wsim tma show --dtype INT32 --dims 40,40 --box 32,8 --swizzle 128B --row 3 --col 5
wsim tma check --dtype bf16 --dims 65,64 --box 64,8; echo "status $?"
wsim tma check --dtype UINT16 --dims 14,14,4,2 --box 8,4,3,1 --interleave 16B --format json
echo '{"dtype": "FLOAT16", "dims": [64, 64], "box": [64, 64], "swizzle": "128B"}' >map.json
wsim desc encode --tile b --map map.json --at 0x400
