inf=$(printf '7c00fc00%.0s' $(seq 128))
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a $inf --b eye --format json | grep -A3 -m1 matrices
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a $inf --b zero | tail -2
wsim exec mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 --a random:1 --b zero --c hex:$(printf '7c00fc00%.0s' $(seq 64)) | tail -2
