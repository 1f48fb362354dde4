wsim banks cp.async.ca.shared.global --addr 0
