# are the registers of an ldmatrix an operand of an mma: yes with addresses, or no and what fits
ld=ldmatrix.sync.aligned.m8n8 st=stmatrix.sync.aligned.m8n8
mma=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 s8=mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
wsim fits $ld.x2.shared.b16 $mma --operand b --pitch 128
wsim fits $ld.x2.shared.b16 $mma --operand b --major mn; echo "status $?"
wsim fits $ld.x4.shared.b16 $mma --operand b | head -5
wsim fits $ld.x1.trans.shared.b16 $mma --operand b --major mn --format csv
wsim fits $ld.x4.shared.b16 $mma --operand a --format json | head -24
wsim fits $ld.x2.trans.shared.b16 $s8 --operand b --major mn --format json
wsim fits ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 $s8 --operand b --major mn | head -5
wsim fits ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64 mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 --operand a | head -5
wsim fits $st.x4.shared.b16 $mma; wsim fits $st.x2.shared.b16 mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 | head -4
wsim fits $ld.x4.shared.b16 mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --operand a
wsim fits $mma $mma --operand a; wsim fits $ld.x4.shared.b16 $mma; wsim fits $ld.x4.shared.b16
wsim fits $ld.x4.shared.b16 $mma --operand e; wsim fits $ld.x4.shared.b16 $mma --operand x; wsim fits $ld.x4.shared.b16 $mma --operand a --major col
wsim fits $ld.x4.shared.b16 $mma --operand d --major mn
wsim fits ldmatrix.x4 m16n8k16.f32.f16 --operand a --addr 'lane%16*32 + lane/16*16' | tail -1
wsim fits ldmatrix.x4 m16n8k16.f32.f16 --operand a --addr 'lane/2*32 + lane%2*16'; echo "status $?"
wsim fits $ld.x2.shared.b16 $mma --operand a --addr 'lane%8*32 + lane/8*256 + (lane==3)*16 + move*16'
wsim fits $ld.x4.shared.b16 $mma --operand a --addr 'lane%16*32 + lane/16*16 + (lane==9)*2' --format json | grep -e fits -e wrong
wsim fits ldmatrix.x4 m16n8k16.f32.f16 --operand a --addr 'a[lane%16][lane/16*8]' --decl 'half a[16][24]' --pitch 48 --format json | grep -e fits -e wrong
wsim fits ldmatrix.x4 m16n8k16.f32.f16 --operand a --addr 'lane*'
wsim fits $ld.x4.trans.shared.b16 $mma --operand a --format md | tail -33 | head -4
wsim fits $ld.x2.trans.shared.b16 $mma --operand b --major k --format svg | grep -o '>[0-9]*,[0-9]* not [0-9,]*<' | head -2
wsim fits $ld.x4.shared.b16 $s8 --operand a --major mn --format md | tail -32 | head -1
wsim fits $st.x4.trans.shared.b16 mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 --format md | tail -1
# names of --let
f=ldmatrix.sync.aligned.m8n8.x4.shared.b16; g=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim layout --fits $f $g --operand a --addr 'base + lane%16*32 + lane/16*16'
wsim layout --fits $f $g --operand a --addr 'base + lane%16*32 + lane/16*16' --let base=0 | head -2
wsim layout --fits $f $g --operand a --addr 'lane%16*pitch + lane/16*16' --let pitch=48 --pitch 48 | head -2
wsim layout --fits $f $g --operand a --addr 'lane%16*pitch + lane/16*16' --let pitch=48,pitch=2
wsim layout --fits $f $g --operand a --addr 'lane' --let k=0..3
