wsim banks cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes --size 16 --addr 0
