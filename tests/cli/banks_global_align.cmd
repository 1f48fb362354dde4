wsim banks ld.global.f32 --addr 'lane * 2'
