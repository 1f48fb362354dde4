wsim banks cp.async.ca.shared.global --size 4 --addr 0 --lines tepid
