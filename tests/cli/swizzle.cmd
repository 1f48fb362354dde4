# a mode by its rows, rows of another pitch, the modes of larger atoms, none
wsim swizzle 128B
wsim swizzle 32B --pitch 128
wsim swizzle 128b_atom_32b_flip_8b
wsim swizzle 128B_ATOM_64B --pitch 0x40
wsim swizzle NONE
wsim swizzle 32B --format json
