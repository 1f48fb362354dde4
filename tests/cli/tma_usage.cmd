# what is no set of parameters at all
wsim tma
wsim tma show
wsim tma check a b
wsim tma check none.json
echo '[1]' | wsim tma check -
echo '{"dtype": "UINT8", "dims": [64], "box": [16], "boks": 1}' | wsim tma check -
echo '{"dtype": 1, "dims": [64], "box": [16]}' | wsim tma check -
echo '{"dtype": "UINT8", "dims": [64], "box": [1.5]}' | wsim tma check -
wsim tma check --dims 64 --box 16
wsim tma check --dtype UINT9 --dims 64 --box 16
wsim tma check --dtype UINT8 --box 16
wsim tma check --dtype UINT8 --dims 1,2,3,4,5,6 --box 16
wsim tma check --dtype UINT8 --dims 64,64 --box 16,16
wsim tma check --dtype UINT8 --dims 64,64 --strides 64 --box 16
wsim tma check --dtype UINT8 --dims 64, --box 16
wsim tma check --dtype UINT8 --dims 64 --box 4294967296
wsim tma check --dtype UINT8 --dims -1 --box 16
wsim tma check --dtype UINT8 --dims 64 --box 16 --l2 x
wsim tma check --dtype UINT8 --dims 64,64,64 --strides 64,64 --box 1,1,1 --lower 0 --upper 0
wsim tma check --dtype UINT8 --dims 64 --box 16 --arch sm_1
wsim tma check --dtype UINT8 --dims 64 --box 16 --format xml
wsim tma check --dtype UINT8 --dims 64,64,64 --strides 64,64 --lower 0 --upper 0 --pixels 4
wsim tma check --dtype UINT8 --dims 64,64,64 --strides 64,64 --lower 0 --upper 0 --channels 16
