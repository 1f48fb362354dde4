wsim banks cp.async.ca.shared.global --size 16 --addr 'lane*16' --src 'lane*128+lane%2*16' --mask 0xff
