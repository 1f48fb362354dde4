# names with values, and sweeps: which pitch is free of conflicts, and what a loop over k costs
x4=ldmatrix.sync.aligned.m8n8.x4.shared.b16
wsim banks $x4 --addr 'lane % 16 * pitch + lane / 16 * 16' --let 'pitch=64..144:16'
wsim banks $x4 --addr 'swz128(lane % 16 * 128 + (lane / 16 + 2 * k) * 16)' --let k=0..3 --format csv
wsim banks ld.shared.b32 --addr '(tid * pitch + warp) % 4096 * 4' --let pitch=2 --let warp=3..0:-3 --format json
wsim banks ld.shared.b32 --addr 'lane * pitch' --let pitch=132 | tail -1
wsim banks cp.async.ca.shared.global --size 4 --addr 'lane * 4 * s' --src 'lane * 4' --let s=1..2 --fail-on-conflicts; echo "status $?"
wsim banks ld.shared.b32 --addr 'lane * k' --let k=4..6
for let in 'k=0..9223372036854775807' 'k=1..2:0' 'a=0..127;b=0..127;c=0..1' lane=3 swz64=1 3k=2 k k= k=lane k=1,k=2 'k=7..0:1'
do wsim banks ld.shared.b32 --addr lane*4 --let "$let"; done
wsim banks ld.shared.b32 --addr 'swz128(0 - 1)'; wsim banks ld.shared.b32 --addr 'swz99(lane)'
