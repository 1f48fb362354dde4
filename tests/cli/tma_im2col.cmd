# corners, pixels and channels; corners are signed
wsim tma check --dtype BFLOAT16 --dims 64,56,56,8 --strides 128,7168,401408 --lower=-1,-1 \
    --upper=-1,-1 --channels 64 --pixels 128 --swizzle 128B
wsim tma check --dtype BFLOAT16 --dims 64,56,56,8 --strides 128,7168,401408 --lower=-1,-1 \
    --upper=-1,-57 --channels 64 --pixels 128 --swizzle 128B
