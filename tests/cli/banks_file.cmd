seq 0 4 124 | wsim banks ld.shared.u32 --addr - --format csv
{ echo '# by hand'; seq -f '0x%g,' 10 41; } >list.txt
wsim banks ld.shared.u8 --addr list.txt --format csv
wsim banks ld.shared.u8 --addr @list.txt --format csv
