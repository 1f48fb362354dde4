# every 4 bytes hold their offset; a fill of NaN; offsets of pixels; bytes of a file; JSON
f16='--dtype FLOAT16 --dims 20,5 --strides 48 --box 16,3'
wsim tma load $f16 --swizzle 32B --coord 8,3
wsim tma load $f16 --oob NAN --coord 16,-2
wsim tma load --dtype FLOAT32 --dims 4,3,3,1 --strides 16,48,144 --lower -1,-1 --upper 0,0 --channels 4 --pixels 4 --coord 0,-1,-1,0 --offsets 1,1
printf '%s' 'every byte of a tensor from a file' | wsim tma load --dtype UINT8 --dims 34 --box 32 --global /dev/stdin
wsim tma load --dtype UINT8 --dims 16 --box 16 --format json
