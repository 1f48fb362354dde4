wsim banks ld.global.f32 --addr 'lane * 4' --suggest
