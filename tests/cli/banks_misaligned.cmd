wsim banks ld.shared.v4.f32 --addr 'lane * 4'
