wsim exec ld.shared.v4.u32
