echo '1 2 three' | wsim banks ld.shared.u32 --addr -
