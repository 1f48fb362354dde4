wsim banks cp.async.ca.shared.global --size 4 --addr 0 --src 'lane*'
wsim banks cp.async.ca.shared.global --size 4 --addr 0 --src-size 'lane'
wsim banks cp.async.ca.shared.global --size 4 --addr 0 --src 'lane*2'
