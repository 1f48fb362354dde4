wsim banks ld.shared.u32
