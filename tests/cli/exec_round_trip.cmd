wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 --b random:2 --format json | sed -n '/"d"/,$p' | sed -n 's/.*"hex": "\(.*\)".*/\1/p' >d.hex
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a zero --c @d.hex --format json | sed -n '/"d"/,$p' | sed -n 's/.*"hex": "\(.*\)".*/\1/p' | cmp - d.hex && echo same
