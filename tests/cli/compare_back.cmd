# a tcgen05.mma first: the wgmma with the same matrices
wsim exec --compare tcgen05.mma.cta_group::1.kind::f8f6f4 M=64 N=16 --arch b200,h100 --a random:1 --b random:2 | head -30
wsim exec --compare tcgen05.mma.cta_group::1.kind::f16 M=64 N=8 --arch h100,b200 --random 20 | head -6
