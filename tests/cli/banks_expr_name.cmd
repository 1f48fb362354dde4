wsim banks ld.shared.u32 --addr 'tid * 4'
