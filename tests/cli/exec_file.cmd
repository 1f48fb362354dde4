{ for reg in 0 1; do for lane in $(seq 32); do printf '%08x ' $((reg * 256 + lane)); done; echo; done; } >b.hex
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a iota --b @b.hex --show-inputs | sed -n '/^b in/,/^$/p'
seq 0 16 496 >addr.txt
wsim exec ldmatrix.sync.aligned.m8n8.x1.shared.b16 --addr addr.txt | sed -n 1,9p
wsim exec ldmatrix.sync.aligned.m8n8.x1.shared.b16 --addr - <addr.txt | sed -n 4p
