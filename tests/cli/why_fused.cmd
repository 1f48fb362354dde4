# aligned sums: one step of 16 products on Hopper, two of 8 before
f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim why $f --element 3,5 --a random:1 --b random:2 --c random:3
wsim why $f --element 3,5 --a random:1 --b random:2 --c random:3 --arch sm_80 | tail -50
