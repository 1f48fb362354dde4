wsim banks ld.shared.u32 --addr 'lane*4' --src 'lane*4'
