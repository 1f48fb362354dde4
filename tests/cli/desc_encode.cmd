wsim desc encode --start 0x400 --stride 1024 --swizzle 128B
wsim desc encode --start 0x3fff0 --leading 262128 --stride 16 --base-offset 7 --swizzle 32B --format json
wsim desc encode
