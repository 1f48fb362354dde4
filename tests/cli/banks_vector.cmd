wsim banks ld.shared.v4.u32 --addr 'lane * 16'
