wsim banks ld.shared.v2.u32 --addr 'lane / 2 * 8'
