for seed in x '' -1 1x 4294967296 99999999999999999999; do
    wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:$seed
done
wsim exec ldmatrix.sync.aligned.m8n8.x1.shared.b16 --smem random:x
wsim exec mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 --e random:-1
d() { wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:$1 | tail -n +5; }
[ "$(d 010)" = "$(d 10)" ] && [ "$(d 0xA)" = "$(d 10)" ] && [ "$(d 8)" != "$(d 10)" ] && echo decimal
