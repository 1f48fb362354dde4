# where the byte of an address lies, bit by bit
wsim swizzle 128B 0x1a2
wsim swizzle CU_TENSOR_MAP_SWIZZLE_64B 0x1a2 418 0x10abc
wsim swizzle 32B 0x1a2 0 --format csv
wsim swizzle 128B 0x1b2 --format json
wsim swizzle 128B 1x; wsim swizzle 128B 0x100000000; wsim swizzle 128B 1 --pitch 64; wsim swizzle 128B 1 --format svg
