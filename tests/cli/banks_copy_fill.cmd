wsim banks cp.async.cg.shared.global.L2::128B --size 16 --addr 'lane*128' --src-size 'lane<3?0:16'
