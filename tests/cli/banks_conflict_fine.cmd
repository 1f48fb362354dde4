wsim banks ld.shared.f32 --addr 'lane * 8' --format csv
