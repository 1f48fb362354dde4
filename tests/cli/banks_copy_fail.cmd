wsim banks cp.async.ca.shared.global --size 4 --addr 0 --format csv --fail-on-conflicts
