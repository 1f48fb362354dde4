wsim banks cp.async.ca.shared.global --size 4
