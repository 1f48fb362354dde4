wsim banks cp.async.ca.shared::cta.global --size 4 --addr 'lane*8' --src-size 'lane%2*4' --mask 0x00ff00ff --arch sm_80 --format json
