# which pixels come into which rows: from off the phase of the strides, past a border and the last batch; offsets; JSON
pixels='--dtype FLOAT16 --dims 28,7,5,2 --strides 128,896,4480 --lower -1,-1 --upper 0,-1 --channels 32 --pixels 24 --swizzle 64B'
wsim tma show $pixels --coord 0,-1,-1,0 --offsets 1,0
wsim tma show $pixels --coord 0,0,1,1 --estrides 1,2,2,1 | tail -10
wsim tma show --dtype UINT32 --dims 2,34,20,3,1 --strides 16,544,10880,32640 --lower 0,0,0 --upper 0,0,0 --channels 4 --pixels 2 --offsets 33,33,0 | tail -1
wsim tma show --dtype UINT16 --dims 5,4,2 --strides 80,320 --lower 0 --upper 0 --channels 8 --pixels 8 --interleave 16B --coord 3,2,0 | tail -3
wsim tma show $pixels --pixels 8 --coord 0,-1,-1,0 --format json | tail -32
wsim tma load $pixels --pixels 1 --coord 0,5,1,0 --format json
wsim tma load $pixels --coord 2,0,0,0
