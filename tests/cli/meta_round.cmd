# compressing and expanding are inverse
f=mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim meta expand $f --a random:1 --e random:2 --selector 1
wsim meta compress $f --dense '0,1=3; 0,2=5; 3,*=0; 15,15=-0.5; 4,0=0x7c00' --selector 1
wsim meta expand $f --a random:1 --e random:2 --format csv >dense.csv
head -3 dense.csv
hex() { sed -n 's/.*"hex": "\(.*\)".*/hex:\1/p' compressed | sed -n "$1p"; }
wsim meta compress $f --dense dense.csv --format json --round >compressed
wsim meta expand $f --a "$(hex 1)" --e "$(hex 2)" --format csv | cmp - dense.csv && echo "expands to the same"
wsim meta compress mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --dense zero | tail -10
wsim meta expand mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --e random:2 | head -6
wsim meta expand wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 --e random:3 | tail -3
wsim meta compress $f --dense zero --format json | head -12
