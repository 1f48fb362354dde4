wsim banks cp.async.cg.shared.global.L2::cache_hint --size 16 --addr 0
