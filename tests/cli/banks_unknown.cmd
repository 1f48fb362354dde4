wsim banks ld.shared.v3.u32 --addr lane
