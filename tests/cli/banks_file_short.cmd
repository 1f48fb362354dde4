seq 5 | wsim banks ld.shared.u32 --addr -
