#!/usr/bin/env python3
"""matrix.py [TARGET ...] - products in C of an mma, and mma between a product and a sum: what does ptxas fuse?

Prints, for each case and target, how many products, sums and fused operations the machine code has. Needs ptxas and nvdisasm.
README.md has the rule."""
import os
import re
import subprocess
import sys
import tempfile

HEAD = '''.version 8.8
.target %s
.address_size 64
.visible .entry k(.param .u64 p, .param .f32 sc) {
.reg .b64 %%rd<4>; .reg .b32 %%r<20>; .reg .f32 %%f<40>; .reg .pred %%p<4>; .reg .b32 %%h<30>;
ld.param.u64 %%rd1,[p];
ld.global.v4.b32 {%%r0,%%r1,%%r2,%%r3},[%%rd1]; ld.global.v2.b32 {%%r4,%%r5},[%%rd1+16];
ld.global.v4.f32 {%%f0,%%f1,%%f2,%%f3},[%%rd1+32]; ld.global.f32 %%f4,[%%rd1+64];
ld.global.u32 %%r6,[%%rd1+68]; setp.eq.u32 %%p1,%%r6,3; ld.global.v4.b32 {%%h0,%%h1,%%h2,%%h3},[%%rd1+96];
mov.f32 %%f9,%%f0; mov.f32 %%f10,%%f0; mov.f32 %%f11,%%f0; mov.f32 %%f12,%%f0;
'''
TAIL = '\nst.global.v4.f32 [%rd1+128],{%f9,%f10,%f11,%f12}; st.global.f32 [%rd1+160],%f30;\nret; }\n'
TAIL_F16 = '\nst.global.v2.b32 [%rd1+128],{%h9,%h10};\nret; }\n'
MMA = ('mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f9,%f10,%f11,%f12},{%r0,%r1,%r2,%r3},{%r4,%r5},'
       '{%f5,%f6,%f7,%f8};')
SHORT = MMA.replace('k32', 'k16').replace('{%r0,%r1,%r2,%r3},{%r4,%r5}', '{%r0,%r1},{%r4}')
HALF = 'mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {%h9,%h10},{%r0,%r1,%r2,%r3},{%r4,%r5},{%h5,%h6};'
SPARSE = (MMA.replace('mma.sync', 'mma.sp::ordered_metadata.sync').replace('k32', 'k64')
          .replace('{%r4,%r5}', '{%r4,%r5,%r0,%r1}').replace(';', ',%r6,0;'))
SPARSE_HALF = SPARSE.replace('k64', 'k32').replace('e4m3', 'f16')
QUAD = ('mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f9,%f10,%f11,%f12,%f13,%f14,%f15,%f16},{%r0,%r1},{%r2,%r3},'
        '{%f5,%f6,%f7,%f8,%f0,%f1,%f2,%f3};')
WHOLE = ('mma.sync.aligned.%s.row.col.s32.%s.%s.s32%s {%%r10,%%r11,%%r12,%%r13},{%%r0,%%r1,%%r2,%%r3},{%%r4,%%r5},'
         '{%%r0,%%r1,%%r2,%%r3}; st.global.v4.b32 [%%rd1+256],{%%r10,%%r11,%%r12,%%r13};')
PLAIN = 'mov.f32 %f30,%f0;'
JUMP = '@%p1 bra L; bar.sync 1; L: '


def products(operation='mul.f32', factor='%f4'):
    return PLAIN + ''.join('%s %%f%d,%%f%d,%s;' % (operation, 5 + i, i, factor) for i in range(4))


def halves(operation):
    return PLAIN + ''.join('%s %%h%d,%%h%d,%%h2;' % (operation, 5 + i, i) for i in range(2))


def between(text):
    return 'mul.f32 %f20,%f0,%f4;' + text.replace('%f5,%f6,%f7,%f8', '%f0,%f1,%f2,%f3') + 'add.f32 %f30,%f20,%f1;'


CASES = (
    ('products', products() + MMA), ('k16', products() + SHORT), ('.ftz', products('mul.ftz.f32') + MMA),
    ('.rn', products('mul.rn.f32') + MMA), ('.rz', products('mul.rz.f32') + MMA), ('.sat', products('mul.sat.f32') + MMA),
    ('a number', products(factor='0f3F7FF800') + MMA), ('a parameter', 'ld.param.f32 %f4,[sc];' + products() + MMA),
    ('by 2', products(factor='0f40000000') + MMA),
    ('stored too', products() + MMA + 'st.global.f32 [%rd1+168],%f5;'),
    ('added too', products() + MMA + 'add.f32 %f30,%f5,%f1;'),
    ('two mma', products() + MMA + MMA.replace('%f9,', '%f20,').replace('%f10,', '%f21,').replace('{%r4,%r5}', '{%r5,%r4}')
     + 'add.rn.f32 %f30,%f20,%f21;'),
    ('one for all', PLAIN + 'mul.f32 %f5,%f0,%f4;' + MMA.replace('%f6,%f7,%f8', '%f5,%f5,%f5')),
    ('A too', PLAIN + 'mul.f32 %f5,%f0,%f4;' + MMA.replace('{%r0', '{%f5').replace('%f6,%f7,%f8', '%f1,%f2,%f3')),
    ('a sum', PLAIN + 'add.f32 %f5,%f0,%f4;' + MMA.replace('%f6,%f7,%f8', '%f1,%f2,%f3')),
    ('D times c plus c', PLAIN + MMA.replace('%f5,%f6,%f7,%f8', '%f0,%f1,%f2,%f3') + 'mul.f32 %f9,%f9,%f4; add.f32 %f9,%f9,%f0;'),
    ('neg between', products() + 'neg.f32 %f5,%f5;' + MMA), ('mov between', products() + 'mov.f32 %f5,%f5;' + MMA),
    ('guarded product', 'mov.f32 %f5,%f1; @%p1 mul.f32 %f5,%f0,%f4;' + PLAIN + MMA.replace('%f6,%f7,%f8', '%f1,%f2,%f3')),
    ('guarded mma', products() + '@%p1 ' + MMA), ('guarded mma, a number', products(factor='0f3F7FF800') + '@%p1 ' + MMA),
    ('another block', products() + JUMP + MMA), ('another block, a number', products(factor='0f3F7FF800') + JUMP + MMA),
    ('div.full', PLAIN + 'div.full.f32 %f5,%f0,%f4;' + MMA.replace('%f6,%f7,%f8', '%f1,%f2,%f3')),
    ('div.full by a number', PLAIN + 'div.full.f32 %f5,%f0,0f40400000;' + MMA.replace('%f6,%f7,%f8', '%f1,%f2,%f3')),
    ('factor written', products() + 'mov.f32 %f4,%f1;' + MMA + 'st.global.f32 [%rd1+168],%f4;'),
    ('f16', halves('mul.f16x2') + HALF), ('f16 .ftz', halves('mul.ftz.f16x2') + HALF), ('f16 .rn', halves('mul.rn.f16x2') + HALF),
    ('sparse', products() + SPARSE), ('sparse, a number', products(factor='0f3F7FF800') + SPARSE),
    ('m8n8k4', products() + QUAD), ('m8n8k4, a number', products(factor='0f3F7FF800') + QUAD),
    ('between: mma', between(MMA)), ('between: sparse', between(SPARSE)), ('between: sparse f16', between(SPARSE_HALF)),
    ('between: s4', between(WHOLE % ('m16n8k64', 's4', 's4', ''))), ('between: s8', between(WHOLE % ('m16n8k32', 's8', 's8', ''))),
    ('between: b1 xor', between(WHOLE % ('m16n8k256', 'b1', 'b1', '.xor.popc'))),
    ('between: b1 and', between(WHOLE % ('m16n8k256', 'b1', 'b1', '.and.popc'))),
    ('between: sparse f16, old metadata', between(SPARSE_HALF.replace('::ordered_metadata', ''))),
    ('between: m8n8k4', between(QUAD)), ('between: guarded mma', between('@%p1 ' + MMA)),
)


def main():
    print('target\tcase\tproducts\tsums\tfused')
    with tempfile.TemporaryDirectory() as work:
        path, cubin = os.path.join(work, 'k.ptx'), os.path.join(work, 'k.cubin')
        for target in sys.argv[1:] or ('sm_89', 'sm_90a', 'sm_100a', 'sm_120a'):
            for name, text in CASES:
                with open(path, 'w') as file:
                    file.write(HEAD % target + text + (TAIL_F16 if name.startswith('f16') else TAIL))
                done = subprocess.run(['ptxas', '-arch=' + target, path, '-o', cubin], capture_output=True, text=True)
                if done.returncode:
                    print(f'{target}\t{name}\t-\t-\t-')
                    continue
                listing = subprocess.run(['nvdisasm', '-c', cubin], capture_output=True, text=True).stdout
                code = re.findall(r'^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\d+\s+)?([A-Z0-9.]+)([^;]*);', listing, re.M)
                count = [0, 0, 0]
                for operation, operands in code:
                    kind = {'FMUL': 0, 'HMUL2': 0, 'FADD': 1, 'HADD2': 1, 'FFMA': 2, 'HFMA2': 2}.get(operation.split('.')[0])
                    if kind is not None and '.F32' not in operation and '-RZ' not in operands:
                        count[kind] += 1
                print(target, name, *count, sep='\t')


main()
