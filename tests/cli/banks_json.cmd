wsim banks ld.shared.u32 --addr 'lane < 16 ? 0 : 128' --format json
