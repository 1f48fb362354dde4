# one element of a product in tensor memory
f=tcgen05.mma.cta_group::1.kind
wsim why $f::mxf4nvf4.block_scale.block16 N=8 --element 3,5 --a random:1 --b random:2 --c random:9 --sfa random:3 --sfb random:4
wsim why tcgen05.mma.sp.cta_group::1.kind::f16 M=64 N=8 --element 33,5 --a random:1 --b random:2 --e random:4
wsim why $f::f8f6f4 A=e2m3 B=e2m1 N=8 --element 3,5 --a random:1 --b random:2 --digits
wsim why $f::i8 N=8 --element 3,5 --a random:1 --b random:2 --format json | tail -c 300; echo
wsim why $f::f16 N=8 --element 128,0
wsim why $f::f16 --lane 0 --reg 0
wsim why $f::f16 --arch h100
