wsim banks ld.global.v2.f32 --addr 'lane * 40'
