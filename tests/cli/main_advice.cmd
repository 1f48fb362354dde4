# accepted, and probably not meant: rows of a tensor and lines of a descriptor that lie over each other
wsim tma check --dtype FLOAT16 --dims 64,64 --strides 64 --box 64,8
echo "exit $?"
wsim tma check --dtype FLOAT16 --dims 64,64 --strides 64 --box 64,8 --format json | tail -4
wsim tma check --dtype FLOAT16 --dims 64,64 --strides 128 --box 64,8 | tail -1
wsim tma check --dtype FLOAT16 --dims 64,1 --strides 64 --box 64,1 | tail -1
wsim desc encode --swizzle 128B | tail -2
wsim desc encode --swizzle 128B --stride 1024 | tail -1
