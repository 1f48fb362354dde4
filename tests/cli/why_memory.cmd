# bytes and banks: of ldmatrix, with and without .trans, of loads, of a descriptor
f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim why $f --element 3,5 --a-addr 'lane * 144' --b-addr 'lane * 128' --swizzle 128B | tail -17
wsim why $f --element 3,5 --a-addr 'lane * 16' --b-addr 'lane * 16' --b-by ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 | tail -17
# number n lies at byte 2 n
wsim exec ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane * 16' --lane 12 | tail -8
wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane % 16 * 16' --lane 20 | tail -4
wsim why $f --element 3,5 --a-addr 'lane * 16' --a-by ld.shared.v4.u32 | tail -17
wsim why wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 --element 20,5 --a one --b one --desc-a 4000004000010000 --desc-b 4000004000010080 | tail -17
wsim why $f --element 3,5 --b-addr 'lane * 16' --b-by ldmatrix.sync.aligned.m8n8.x4.shared.b16
wsim why $f --element 3,5 --b-addr 'lane * 16' --b-by ld.shared.u8
wsim why $f --element 3,5 --b-by ld.shared.v2.u32
wsim why $f --element 3,5 --swizzle 128B
wsim why $f --element 3,5 --swizzle 9B --a-addr 0
wsim why mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 --element 3,5 --a-addr 0
wsim why wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 --element 3,5 --a-addr 0
