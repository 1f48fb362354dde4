#!/usr/bin/env python3
"""guards.py - a guarded instruction between a product and a sum: are they fused, and without the guard?

Prints "fused" or "apart", with the guard and without it, and the instruction. Needs ptxas and nvdisasm. README.md has the rule."""
import os
import re
import subprocess
import tempfile

HEAD = '''.version 8.6
.target sm_90a
.address_size 64
.const .align 4 .b32 cc[4] = {1, 2, 3, 4};
.func (.reg .u32 o) fn(.reg .u32 a) { add.u32 o, a, 1; ret; }
'''
KERNEL = '''.visible .entry k%d(.param .u64 p, .param .u32 q) {
.reg .f32 %%f<8>, %%g<4>; .reg .b64 %%rd<3>, %%d<6>; .reg .pred %%p<3>; .reg .b32 %%r<6>; .reg .f64 %%e<5>; .reg .b16 %%h<4>;
.shared .align 8 .b8 sh[64]; .local .align 4 .b8 loc[64];
ld.param.u64 %%rd1, [p]; cvta.to.global.u64 %%rd2, %%rd1;
ld.global.f32 %%f1, [%%rd2]; ld.global.f32 %%f2, [%%rd2+4]; ld.global.f32 %%f5, [%%rd2+12]; ld.global.u32 %%r1, [%%rd2+16];
ld.global.u32 %%r2, [%%rd2+20]; ld.global.u64 %%d2, [%%rd2+24]; ld.global.u64 %%d3, [%%rd2+32]; ld.global.f64 %%e2, [%%rd2+40];
mov.u32 %%r4, 0; mov.u64 %%d4, 0; mov.f32 %%f7, 0f00000000; mov.f64 %%e3, 0d0000000000000000; mov.f32 %%g0, 0f00000000; mov.u16 %%h1, 0;
st.local.u32 [loc], %%r1; setp.gt.f32 %%p1, %%f5, 0f00000000; setp.lt.u32 %%p2, %%r1, %%r2;
mul.f32 %%f3, %%f1, %%f2;
%s
add.f32 %%f4, %%f3, %%f5;
selp.u32 %%r5, 1, 2, %%p2;
st.global.f32 [%%rd2+80], %%f4; st.global.u32 [%%rd2+84], %%r4; st.global.u64 [%%rd2+88], %%d4; st.global.f32 [%%rd2+96], %%f7;
st.global.f64 [%%rd2+104], %%e3; st.global.f32 [%%rd2+112], %%g0; st.global.u32 [%%rd2+116], %%r5; st.global.u16 [%%rd2+124], %%h1;
ret; }
'''
INSTRUCTIONS = '''
add.u32 %r4,%r1,%r2;
mul.wide.u32 %d4,%r1,%r2;
ld.global.u32 %r4,[%rd2+64];
ld.volatile.global.u32 %r4,[%rd2+64];
ld.shared.u32 %r4,[sh];
ld.volatile.shared.u32 %r4,[sh];
st.global.u32 [%rd2+64],%r2;
st.volatile.global.u32 [%rd2+64],%r2;
st.shared.u32 [sh],%r2;
red.global.add.u32 [%rd2+64],%r2;
red.shared.add.u32 [sh],%r2;
atom.global.add.u32 %r4,[%rd2+64],%r2;
ld.acquire.gpu.global.u32 %r4,[%rd2+64];
st.release.gpu.global.u32 [%rd2+64],%r2;
shfl.sync.idx.b32 %r4,%r1,0,31,-1;
bar.sync 0;
bar.warp.sync -1;
vote.sync.ballot.b32 %r4,%p2,-1;
ex2.approx.ftz.f32 %f7,%f2;
mul.rn.f32 %f7,%f2,%f1;
ld.global.nc.u32 %r4,[%rd2+64];
ld.relaxed.gpu.global.u32 %r4,[%rd2+64];
cp.async.ca.shared.global [sh],[%rd2+64],4;
prefetch.global.L2 [%rd2+64];
div.u64 %d4,%d2,%d3;
mov.u32 %r4,%clock;
nanosleep.u32 100;
exit;
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4},[sh];
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%g0,%g1,%g2,%g3},{%r1,%r2,%r1,%r2},{%r1,%r2},{%f1,%f2,%f1,%f2};
membar.cta;
popc.b32 %r4,%r1;
setp.gt.u32 %p2,%r1,%r2;
cvt.rn.f32.u32 %f7,%r2;
redux.sync.add.u32 %r4,%r1,-1;
match.any.sync.b32 %r4,%r1,-1;
activemask.b32 %r4;
elect.sync %r4|%p2,-1;
ld.param.u32 %r4,[q];
ld.const.u32 %r4,[cc];
mov.u32 %r4,%laneid;
isspacep.shared %p2,%rd1;
lop3.b32 %r4,%r1,%r2,%r1,0x96;
dp4a.s32.s32 %r4,%r1,%r2,%r1;
add.f64 %e3,%e2,%e2;
ld.const.u32 %r4,[cc+4];
call (%r4), fn, (%r1);
mov.pred %p2,%p1;
cvta.shared.u64 %d4,%d2;
fns.b32 %r4,%r1,%r2,1;
bfind.u32 %r4,%r1;
prmt.b32 %r4,%r1,%r2,0x3210;
vadd.u32.u32.u32 %r4,%r1,%r2;
selp.u32 %r4,%r1,%r2,%p2;
mov.u32 %r4,%r1;
mad.lo.u32 %r4,%r1,%r2,%r1;
rem.u32 %r4,%r1,%r2;
rem.s32 %r4,%r1,%r2;
mov.u64 %d4,%clock64;
mov.u64 %d4,%globaltimer;
fma.rn.f32 %f7,%f1,%f2,%f5;
mul.f32 %f7,%f2,%f1;
tanh.approx.f32 %f7,%f2;
cvt.rn.satfinite.e4m3x2.f32 %h1,%f1,%f2;
pmevent 1;
griddepcontrol.wait;
fence.proxy.async;
createpolicy.fractional.L2::evict_last.b64 %d4,1.0;
mapa.shared::cluster.u32 %r4,%r1,0;
getctarank.shared::cluster.u32 %r4,%r1;
szext.clamp.s32 %r4,%r1,%r2;
testp.finite.f32 %p2,%f1;
shf.l.clamp.b32 %r4,%r1,%r2,%r1;
'''.strip().split('\n')


def fused(texts):
    """For each text whether its kernel has the fused operation of %f4."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, 'k.ptx'), os.path.join(folder, 'k.cubin')
        with open(ptx, 'w', encoding='ascii') as file:
            file.write(HEAD + ''.join(KERNEL % (i, text) for i, text in enumerate(texts)))
        subprocess.run(['ptxas', '-arch=sm_90a', ptx, '-o', cubin], check=True)
        listing = subprocess.run(['nvdisasm', '-c', cubin], check=True, capture_output=True, text=True).stdout
    codes = {int(part[1]): part[2] for part in re.finditer(r'\.text\.k(\d+):(.*?)(?=\.text\.k\d+:|\Z)', listing, re.S)}
    return ['fused' if 'FFMA' in codes[i] else 'apart' for i in range(len(texts))]


for instruction, guarded, free in zip(INSTRUCTIONS, fused(['@!%p1 ' + i for i in INSTRUCTIONS]), fused(INSTRUCTIONS)):
    print(guarded, free, instruction, sep='\t')
