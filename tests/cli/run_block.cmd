# a launch without a size of its blocks: that of .reqntid, or one thread, which the report says
kernel() { # NAME DIRECTIVES
cat >"$1.ptx" <<END
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) $2 {
.reg .u64 %a<4>; .reg .u32 %r<4>;
ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.y;
st.global.u32 [%a0], 7;
ret; }
END
}
kernel asked '.reqntid 32, 2'
kernel most '.maxntid 256'
wsim run asked.ptx --arg 'out[64]' --lines 0
wsim run most.ptx --arg 'out[64]' --lines 0 --grid 2
wsim run most.ptx --arg 'out[64]' --lines 0 --format json | grep 'one thread'
wsim run most.ptx --arg 'out[64]' --lines 0 --block 1 | grep thread
wsim run asked.ptx --arg 'out[64]' --lines 0 --block 16
cat >launch.json <<'END'
{"ptx": "asked.ptx", "buffers": {"out": {"bytes": 64}}, "launches": [{"args": [{"buffer": "out"}]}]}
END
wsim run --launch launch.json --lines 0 | grep grid
# wavefronts that follow a rule for ptxas, where it matters
cat >pair.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry pair() {
.reg .u32 %r<4>; .shared .align 16 .b8 box[4096];
mov.u32 %r0, %tid.x; mov.u32 %r1, box; mad.lo.u32 %r1, %r0, 8, %r1;
st.shared.u32 [%r1], %r0;
st.shared.u32 [%r1+4], %r0;
ret; }
END
wsim run pair.ptx --block 32 --lines 0 | grep wavefronts
wsim run pair.ptx --block 32 --lines 0 --as-written | grep wavefronts
