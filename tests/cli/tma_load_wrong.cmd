# what traps, what the model refuses, and what is no request
f16='--dtype FLOAT16 --dims 20,5 --strides 48 --box 16,3'
wsim tma load $f16 --coord 3,0
wsim tma show $f16 --at 64
wsim tma show $f16 --coord 0
wsim tma show $f16 --coord 0,0,0
wsim tma show $f16 --coord 0,x
wsim tma show $f16 --coord 0,2147483648
wsim tma load $f16 --offsets 1
wsim tma load $f16 --global tests/cli/no_such_file
printf 'short' | wsim tma load $f16 --global /dev/stdin
wsim tma load --dtype FLOAT16 --dims 20,5 --strides 40 --box 16,3
wsim tma load --dtype UINT8 --dims 2147483648 --box 16
wsim tma show --dtype FLOAT32 --dims 4,4,4,1 --strides 16,64,256 --lower -1,-1 --upper -1,-1 --channels 4 --pixels 16 --coord 0,3,-1,0
wsim tma show $f16 --arch sm_80
wsim tma move $f16
wsim tma check $f16 --coord 0,0
# a map can have a tile that no memory holds
big='--dtype UINT8 --dims 16,1,1,1,1 --strides 16,16,16,16 --box 16,256,256,256,7 --estrides 1,1,1,1,8'
wsim tma show $big
wsim tma load $big
wsim tma store $big
wsim tma load $f16 --at 0x100000
wsim tma show $f16 --global tests/cli/tma_load.cmd
wsim tma store $f16 --global tests/cli/tma_load.cmd
