# a descriptor against the copy that fills its tile
f16=wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
printf '{"dtype": "FLOAT16", "dims": [64, 64], "strides": [128], ' >start
(cat start; echo '"box": [64, 64], "swizzle": "128B"}') >wide
(cat start; echo '"box": [32, 64], "swizzle": "64B"}') >narrow
(cat start; echo '"box": [16, 32]}') >plain
check() { wsim desc check $f16 b "$@" | tail -n +8; }
check 4000004000000042 --map wide --at 0x400
check 8000002000000040 --map narrow --at 0x400
check 4000004000000048 --map wide --at 0x480
check 4002004000000048 --map wide --at 0x480
check 4000004000000040 --map narrow --at 0x400
check 4000002000000040 --map wide --at 0x400
check 0000002000020040 --map plain --at 0x400
check 8000002000000200 --map narrow --at 0x400
check --mn-major 4000004000000040 --map wide --at 0x400
wsim desc check $f16 b 4000004000000040 --map wide --at 0x400 --format json --row 1
wsim desc check $f16 b 4000004000000040 --at 0x400
wsim desc check $f16 b 4000004000000040 --map none
wsim desc check $f16 b 4000004000000040 --map wide --at 0x440
