wsim exec mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --a random:7 --b iota --c one --show-inputs
