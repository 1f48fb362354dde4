wsim layout ld.shared.v4.u32
