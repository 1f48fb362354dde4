wsim desc decode 0x4000004000010040
wsim desc decode 80000020008002c9 --format json
