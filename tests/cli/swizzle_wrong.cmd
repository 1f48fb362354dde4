# no mode, an unknown one, two, pitches that are none
wsim swizzle
wsim swizzle 256B
wsim swizzle 64B 32B
wsim swizzle 64B --pitch 24
wsim swizzle 64B --pitch 0
wsim swizzle 64B --pitch far
wsim swizzle 64B --format xml
