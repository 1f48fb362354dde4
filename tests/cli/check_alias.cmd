for arch in h100 A100 90a volta; do wsim check --arch $arch mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32; done
