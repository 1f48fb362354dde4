# words say what is multiplied: where a descriptor lets elements lie over each other they cannot
exec='wsim exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16'
$exec --a eye --b iota --desc-b 0
$exec --desc-b 0000001000080000 --desc-a 0000001000080000 --a iota --b iota
$exec --a eye --b one --desc-b 0 | sed -n 6p
$exec --a eye --smem iota16 --desc-b 0 | sed -n 6p
