# packed types and larger atoms are of later targets; earlier ones have no maps
packed='--dtype 16U4_ALIGN16B --dims 256,64 --strides 128 --box 128,8'
wsim tma check $packed --arch sm_100a --swizzle 128B
wsim tma check $packed --swizzle 128B
wsim tma check --arch a100 --dtype UINT8 --dims 64 --box 16
wsim tma check $packed --arch sm_100a --swizzle 64B
