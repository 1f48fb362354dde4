for arch in sm_80 sm_90a; do wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch $arch --a random:3 --b random:4 --c random:5 | sed -n "/^row/,\$p"; done
