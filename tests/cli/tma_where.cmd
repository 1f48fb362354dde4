# where one element of a tile lies, and what lies at an address
map="--dtype FLOAT16 --dims 256,512 --strides 512 --box 64,8 --swizzle 128B"
wsim tma show $map --row 3 --col 5
wsim tma show $map --at 0x400 --coord 224,510 --row 3 --col 40
wsim tma show $map --at 0x400 --byte 0x5ba
wsim tma show $map --at 0x400 --byte 0x5ba --format json
wsim tma show $map --byte 0x19a --format csv
wsim tma show --dtype INT32 --dims 40,40,4 --strides 160,6400 --box 8,2,3 --coord 4,2,1 --row 5 --col 7
wsim tma show $map --byte 0x400; echo "status $?"
wsim tma show $map --row 8 --col 0; wsim tma show $map --row 0 --col 64; wsim tma show $map --row 0; wsim tma show $map --row 0 --byte 1
wsim tma load $map --row 0 --col 0; wsim tma check $map --byte 1; wsim tma show $map --byte 1 --format html
wsim tma show $map --byte 0x30000 --format json; echo "status $?"
