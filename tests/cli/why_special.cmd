# an infinity decides; its sign is that of the product
f=mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
inf=$(printf '0000fc00%.0s' $(seq 64))
wsim why $f --element 1,1 --a hex:$inf --b one | sed -n 6,24p
