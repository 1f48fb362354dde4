wsim banks ld.shared.u32 --addr '128 / (4 - lane)'
