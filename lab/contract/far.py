#!/usr/bin/env python3
"""A sum whose result is needed far away, and a product that has another use: fused or whole?

Writes kernels for sm_90a and assembles them with ptxas. Prints a line for each: name, fused operations, products and sums in the
machine code. B: a block ends (membar). Needs ptxas and nvdisasm. README.md has the rule."""
import os
import re
import subprocess
import tempfile

HEAD = '''.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 i, .param .u64 o){
.reg .u64 %a<3>, %out, %t64; .reg .f32 %f<19>; .reg .b32 %r<9>; .reg .pred %p<3>;
ld.param.u64 %a0,[i]; ld.param.u64 %out,[o]; mov.u32 %r0,%tid.x; cvt.u64.u32 %t64,%r0;
mad.lo.u64 %a0,%t64,4096,%a0; mad.lo.u64 %out,%t64,4096,%out;
ld.global.f32 %f1,[%a0]; ld.global.f32 %f2,[%a0+4]; ld.global.f32 %f3,[%a0+8]; ld.global.u32 %r1,[%a0+12];
ld.global.u32 %r2,[%a0+16]; setp.lt.s32 %p1,%r1,%r2;
'''
B = 'membar.gl; st.volatile.global.u32 [%out+700],%r2; '
LOOP = 'L: bar.sync 0; ld.volatile.global.u32 %r1,[%out+800]; setp.gt.s32 %p2,%r1,0; @%p2 bra L; '


def store(*registers):
    return ''.join(f'st.volatile.global.f32 [%out+{4 * r}], %f{r}; ' for r in registers)


PAIR = 'mul.f32 %f4,%f1,%f2; sub.f32 %f5,%f3,%f4; '
ABC = ''.join(f'st.global.f32 [%out+{4 * r}], %f{r}; ' for r in (1, 2, 3))
CASES = [
    ('sum far, product own', PAIR + store(4) + B + B + store(5) + ABC),
    ('sum far, product near', PAIR + B + store(4) + B + store(5) + ABC),
    ('sum far, product before it', PAIR + B + B + store(4, 5) + ABC),
    ('sum far, product behind it', PAIR + B + B + store(5, 4) + ABC),
    ('sum near', PAIR + store(4) + B + store(5) + ABC),
    ('sum near and far', PAIR + store(4) + B + store(5) + B + store(5) + ABC),
    ('sum far twice', PAIR + store(4) + B + B + store(5) + B + B + store(5) + ABC),
    ('sum own, product far', PAIR + store(5) + B + B + store(4) + ABC),
    ('a, b, c dead', PAIR + store(4) + B + B + store(5)),
    ('c dead', PAIR + store(4) + B + B + store(5, 1, 2)),
    ('a, b, c used on the way', PAIR + store(4) + B + store(1, 2, 3) + B + store(5)),
    ('a loop between', PAIR + store(4) + LOOP + store(5) + ABC),
    ('a loop and a block', PAIR + store(4) + LOOP + B + store(5) + ABC),
    ('mul.rn of the sum far', PAIR + 'mul.rn.f32 %f7,%f5,%f3; ' + store(4) + B + B + store(7) + ABC),
    ('add.rn of the sum far, sum own', PAIR + 'add.rn.f32 %f7,%f5,%f3; ' + store(4, 5) + B + B + store(7) + ABC),
    ('product in the block before', 'mul.f32 %f4,%f1,%f2; ' + store(4) + B + 'sub.f32 %f5,%f3,%f4; ' + B + B + store(5) + ABC),
    ('sum in the far block', 'mul.f32 %f4,%f1,%f2; ' + store(4) + B + B + 'sub.f32 %f5,%f3,%f4; ' + store(5) + ABC),
]

with tempfile.TemporaryDirectory() as work:
    ptx, cubin = os.path.join(work, 'k.ptx'), os.path.join(work, 'k.cubin')
    print('case\tfused\tproducts\tsums')
    for name, body in CASES:
        with open(ptx, 'w') as file:
            file.write(HEAD + body + 'st.global.u32 [%out+200],%r1;\nret;}\n')
        subprocess.run(['ptxas', '-arch', 'sm_90a', ptx, '-o', cubin], check=True)
        code = subprocess.run(['nvdisasm', '-c', cubin], check=True, capture_output=True, text=True).stdout
        counts = [len(re.findall(rf'\b{op}\b', code)) for op in ('FFMA', 'FMUL', 'FADD')]
        print(name, *counts, sep='\t')
