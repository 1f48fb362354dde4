wsim banks ld.shared.f32 --addr 'lane * 132' --fail-on-conflicts --format csv
