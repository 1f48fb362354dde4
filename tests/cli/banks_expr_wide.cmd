wsim banks ld.shared.u32 --addr 'lane << 30'
