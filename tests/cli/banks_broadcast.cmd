wsim banks ld.shared.u16 --addr 'lane / 2 * 2'
