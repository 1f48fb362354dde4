wsim banks cp.async.cg.shared.global --size 16 --addr 0 --format json | grep -vE '^  +[0-9]+,?$'
