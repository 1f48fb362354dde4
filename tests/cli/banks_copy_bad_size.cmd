wsim banks cp.async.cg.shared.global --size 8 --addr 0
