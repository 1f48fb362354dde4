#!/usr/bin/env python3
"""contract.py [-arch sm_90a] - finds the pairs of a multiplication and an addition that ptxas fuses.

Each case is a kernel of a few lines. Its machine code shows the number of products, sums and fused operations. Needs only
ptxas, no GPU. With cuobjdump in the path, --sass FILE also writes the listing.
"""
import argparse, os, shutil, struct, subprocess, sys, tempfile

# The low nine bits of a 128-bit instruction are the operation, and the three above the places of operands.
NAMES = {0x020: 'FMUL', 0x021: 'FADD', 0x023: 'FFMA', 0x028: 'DMUL', 0x029: 'DADD', 0x02b: 'DFMA',
         0x030: 'HADD2', 0x031: 'HFMA2', 0x032: 'HMUL2', 0x035: 'HFMA2.MMA'}
BITS = {'f32': 32, 'f64': 64, 'f16': 16, 'bf16': 16, 'f16x2': 32, 'bf16x2': 32}
ONE = {'f32': '0f3F800000', 'f64': '0d3FF0000000000000'}
TWO = {'f32': '0f40000000', 'f64': '0d4000000000000000'}

HEAD = '''.version 8.7
.target %s
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) {
.reg .b64 %%rd<4>; .reg .b32 %%n<4>; .reg .pred %%p<6>; .reg .b%d %%a, %%b, %%c, %%e, %%m, %%m2, %%q, %%d, %%d2;
ld.param.u64 %%rd1, [p]; ld.param.u32 %%n1, [n];
ld.global.b%d %%a, [%%rd1]; ld.global.b%d %%b, [%%rd1+8]; ld.global.b%d %%c, [%%rd1+16]; ld.global.b%d %%e, [%%rd1+24];
ld.global.u32 %%n2, [%%rd1+32]; ld.global.u32 %%n3, [%%rd1+36];
setp.eq.u32 %%p1, %%n2, 0; setp.eq.u32 %%p2, %%n3, 7; mov.b%d %%d, %%c; mov.b%d %%m, %%e;
'''
TAIL = '''
st.global.b%d [%%rd1+40], %%d; ret; }
'''


def cases(t):
    """(name, lines): M multiplies, A adds, S subtracts, N negates, B is bits."""
    mods = [('', '')]
    f = t.startswith('f')
    if t in ('f32', 'f16', 'f16x2'):
        mods += [('.ftz', '.ftz'), ('.ftz', ''), ('', '.ftz')]
    for m, a in mods:
        yield f'mul{m} add{a}', f'mul{m}.{t} %m, %a, %b; add{a}.{t} %d, %m, %c;'
    yield 'add c first', f'mul.{t} %m, %a, %b; add.{t} %d, %c, %m;'
    yield 'sub m-c', f'mul.{t} %m, %a, %b; sub.{t} %d, %m, %c;'
    yield 'sub c-m', f'mul.{t} %m, %a, %b; sub.{t} %d, %c, %m;'
    yield 'mul.rn add', f'mul.rn.{t} %m, %a, %b; add.{t} %d, %m, %c;'
    yield 'mul add.rn', f'mul.{t} %m, %a, %b; add.rn.{t} %d, %m, %c;'
    yield 'mul.rn add.rn', f'mul.rn.{t} %m, %a, %b; add.rn.{t} %d, %m, %c;'
    if t in ('f32', 'f64'):
        for r in ('rz', 'rm', 'rp'):
            yield f'mul.{r} add.{r}', f'mul.{r}.{t} %m, %a, %b; add.{r}.{t} %d, %m, %c;'
            yield f'mul add.{r}', f'mul.{t} %m, %a, %b; add.{r}.{t} %d, %m, %c;'
            yield f'mul.{r} add', f'mul.{r}.{t} %m, %a, %b; add.{t} %d, %m, %c;'
    if t in ('f32', 'f16', 'f16x2'):
        yield 'mul.sat add', f'mul.sat.{t} %m, %a, %b; add.{t} %d, %m, %c;'
        yield 'mul add.sat', f'mul.{t} %m, %a, %b; add.sat.{t} %d, %m, %c;'
        yield 'mul.sat add.sat', f'mul.sat.{t} %m, %a, %b; add.sat.{t} %d, %m, %c;'
        yield 'mul.ftz add.ftz.sat', f'mul.ftz.{t} %m, %a, %b; add.ftz.sat.{t} %d, %m, %c;'
    # registers that are written more than once
    add2 = f'st.global.b{BITS[t]} [%rd1+48], %m;'
    yield 'product written again', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; mov.b{BITS[t]} %m, %e; {add2}'
    yield 'sum into the product', f'mul.{t} %m, %a, %b; add.{t} %m, %m, %c; {add2}'
    yield 'second product', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; mul.rn.{t} %m, %a, %e; {add2}'
    yield 'two products in turn', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; mul.{t} %m, %b, %e; add.{t} %d, %m, %d;'
    yield 'product into a factor', f'mul.{t} %a, %a, %b; add.{t} %d, %a, %c; mov.b{BITS[t]} %a, %e; {add2}'
    yield 'written again by some', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; @%p1 mov.b{BITS[t]} %m, %e; {add2}'
    yield 'written again elsewhere', (f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; @%p1 bra L; mov.b{BITS[t]} %m, %e;'
                                      f' {add2} L:')
    yield 'written again behind a call', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; div.s32 %n2, %n2, %n3; mov.b{BITS[t]} %m, %e; {add2} st.global.u32 [%rd1+72], %n2;'
    yield 'written again on both ways', (f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; @%p1 bra L; bar.sync 1; mov.b{BITS[t]} %m, %e; bra E;'
                                         f' L: bar.sync 2; mov.b{BITS[t]} %m, %c; E: {add2}')
    yield 'written again on one way', (f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; @%p1 bra L; bar.sync 1; mov.b{BITS[t]} %m, %e; L: {add2}')
    yield 'product in a loop, behind it another', (f'L: mul.{t} %m, %a, %d; add.{t} %d, %m, %c; bar.sync 1; sub.u32 %n2, %n2, 1; setp.ne.u32 %p3, %n2, 0; @%p3 bra L;'
                                                   f' mul.{t} %m, %b, %e; add.{t} %d, %m, %d;')
    yield 'product, a loop with another', (f'mul.{t} %m, %b, %e; add.{t} %d, %m, %d; L: mul.{t} %m, %a, %d; add.{t} %d, %m, %c; bar.sync 1; sub.u32 %n2, %n2, 1;'
                                           f' setp.ne.u32 %p3, %n2, 0; @%p3 bra L;')
    yield 'product of a loop read behind it', (f'mov.b{BITS[t]} %m, %e; L: mul.{t} %m, %a, %d; add.{t} %d, %m, %c; bar.sync 1; sub.u32 %n2, %n2, 1; setp.ne.u32 %p3, %n2, 0;'
                                               f' @%p3 bra L; {add2}')
    yield 'written before and again', (f'mov.b{BITS[t]} %m, %e; {add2} mul.{t} %m, %a, %b; add.{t} %d, %m, %c;')
    yield 'neg of the product', f'mul.{t} %m, %a, %b; neg.{t} %q, %m; add.{t} %d, %q, %c;'
    yield 'neg of a factor', f'neg.{t} %q, %a; mul.{t} %m, %q, %b; add.{t} %d, %m, %c;'
    yield 'neg of the addend', f'mul.{t} %m, %a, %b; neg.{t} %q, %c; add.{t} %d, %m, %q;'
    yield 'abs of the product', f'mul.{t} %m, %a, %b; abs.{t} %q, %m; add.{t} %d, %q, %c;'
    yield 'abs of a factor', f'abs.{t} %q, %a; mul.{t} %m, %q, %b; add.{t} %d, %m, %c;'
    yield 'abs of the addend', f'mul.{t} %m, %a, %b; abs.{t} %q, %c; add.{t} %d, %m, %q;'
    yield 'product stored too', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; st.global.b{BITS[t]} [%rd1+48], %m;'
    yield 'product stored before', f'mul.{t} %m, %a, %b; st.global.b{BITS[t]} [%rd1+48], %m; add.{t} %d, %m, %c;'
    yield 'two sums of a product', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; add.{t} %d2, %m, %e; st.global.b{BITS[t]} [%rd1+48], %d2;'
    yield 'a sum and a difference', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; sub.{t} %d2, %e, %m; st.global.b{BITS[t]} [%rd1+48], %d2;'
    yield 'a sum and a product', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; mul.{t} %d2, %m, %e; st.global.b{BITS[t]} [%rd1+48], %d2;'
    yield 'a sum and a sum.rn', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; add.rn.{t} %d2, %m, %e; st.global.b{BITS[t]} [%rd1+48], %d2;'
    yield 'product plus itself', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %m;'
    yield 'product less itself', f'mul.{t} %m, %a, %b; sub.{t} %d, %m, %m;'
    yield 'product1 + product2', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; add.{t} %d, %m, %m2;'
    yield 'product2 + product1', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; add.{t} %d, %m2, %m;'
    yield 'dead use', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; fma.rn.{t} %m, %c, %e, %m; mov.b{BITS[t]} %m, %e; {add2}'
    yield 'dead uses in a row', f'mul.{t} %m, %a, %b; add.{t} %d, %m, %c; fma.rn.{t} %q, %c, %e, %m; mul.rn.{t} %q, %q, %q; mov.b{BITS[t]} %q, %e; st.global.b{BITS[t]} [%rd1+48], %q;'
    if t == 'f32':
        mma = 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32'
        yield 'written again by mma', f'mul.f32 %m, %a, %b; add.f32 %d, %m, %c; {mma} {{%m, %q, %m2, %e}}, {{%n2, %n2, %n3, %n3}}, {{%n2, %n3}}, {{%a, %b, %c, %c}}; {add2}'
        yield 'read by mma', f'mul.f32 %m, %a, %b; add.f32 %d, %m, %c; {mma} {{%m, %q, %m2, %e}}, {{%n2, %n2, %n3, %n3}}, {{%n2, %n3}}, {{%a, %m, %c, %c}}; {add2}'
        for name, between in (('div.rn', 'div.rn.f32 %q, %m, %e;'), ('sqrt.rn', 'sqrt.rn.f32 %q, %m;'), ('rcp.rn', 'rcp.rn.f32 %q, %m;'),
                              ('div.full', 'div.full.f32 %q, %m, %e;'), ('sqrt.approx', 'sqrt.approx.f32 %q, %m;'), ('cvt', 'cvt.rzi.s32.f32 %n2, %m;')):
            yield f'dead {name}', f'mul.f32 %m, %a, %b; add.f32 %d, %m, %c; {between} mov.b32 %m, %e; mov.b32 %q, %e; mov.b32 %n2, 0; {add2} st.global.b32 [%rd1+56], %q; st.global.b32 [%rd1+64], %n2;'
        yield 'dead use, product into a factor', f'mul.f32 %a, %a, %b; add.f32 %d, %a, %c; fma.rn.f32 %q, %c, %e, %a; mov.b32 %q, %e; mov.b32 %a, %e; st.global.b32 [%rd1+48], %a; st.global.b32 [%rd1+56], %q;'
        far = 'bar.sync 1; @!%p1 bra L; bar.sync 2; add.f32 %q, %a, %c; st.global.f32 [%rd1+56], %q; L:'
        yield 'constant factor, written again', f'mul.f32 %m, %a, 0f3F7FF800; {far} add.f32 %d, %m, %c; mov.b32 %m, %e; {add2}'
        yield 'constant factor, written before and again', f'{add2} mul.f32 %m, %a, 0f3F7FF800; {far} add.f32 %d, %m, %c; mov.b32 %m, %e; {add2}'
        yield 'constant factor, two products meet', f'mul.f32 %m, %a, 0f3F7FF800; bar.sync 1; @!%p1 bra L; bar.sync 2; mul.f32 %m, %b, 0f3F7FF800; L: add.f32 %d, %m, %c;'
        yield 'constant in a register, written again', f'mov.b32 %q, 0f3F7FF800; mul.f32 %m, %a, %q; mov.b32 %q, %e; bar.sync 1; @!%p1 bra L; bar.sync 2; st.global.f32 [%rd1+56], %q; L: add.f32 %d, %m, %c;'
        yield 'constant factor, other factor written', f'mul.f32 %m, %a, 0f3F7FF800; mov.b32 %a, %e; {far} add.f32 %d, %m, %c; st.global.b32 [%rd1+48], %a;'
        yield 'constant factor, other factor written on one way', f'mul.f32 %m, %a, 0f3F7FF800; bar.sync 1; @!%p1 bra L; bar.sync 2; mov.b32 %a, %e; L: add.f32 %d, %m, %c; st.global.b32 [%rd1+48], %a;'
        yield 'constant factor, a loop between', f'mul.f32 %m, %a, 0f3F7FF800; L: bar.sync 1; sub.u32 %n2, %n2, 1; setp.ne.u32 %p3, %n2, 0; @%p3 bra L; add.f32 %d, %m, %c; mov.b32 %m, %e; {add2}'
        yield 'product of what a loop keeps', f'mov.b32 %m, %e; L: bar.sync 1; mul.f32 %m, %a, %b; sub.u32 %n2, %n2, 1; setp.ne.u32 %p3, %n2, 0; @%p3 bra L; add.f32 %d, %m, %c;'
    yield 'product1 - product2', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; sub.{t} %d, %m, %m2;'
    yield 'product2 - product1', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; sub.{t} %d, %m2, %m;'
    yield 'product1 + product2.rn', f'mul.{t} %m, %a, %b; mul.rn.{t} %m2, %c, %e; add.{t} %d, %m, %m2;'
    yield 'square plus factor', f'mul.{t} %m, %a, %a; add.{t} %d, %m, %a;'
    yield 'product1 twice + product2', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; add.{t} %d, %m, %m2; st.global.b{BITS[t]} [%rd1+48], %m;'
    yield 'product1 + product2 twice', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; add.{t} %d, %m, %m2; st.global.b{BITS[t]} [%rd1+48], %m2;'
    yield 'product of a product', f'mul.{t} %m2, %a, %e; mul.{t} %m, %m2, %b; add.{t} %d, %m, %c;'
    yield 'chain of sums', f'mul.{t} %m, %a, %b; add.{t} %q, %m, %c; add.{t} %d, %q, %e;'
    yield 'sum of a fused', f'mul.{t} %m, %a, %b; add.{t} %q, %m, %c; mul.{t} %m2, %q, %e; add.{t} %d, %m2, %a;'
    fma = 'fma.rn'
    yield 'product + fma', f'mul.{t} %m, %a, %b; {fma}.{t} %q, %c, %e, %a; add.{t} %d, %m, %q;'
    yield 'product into fma', f'mul.{t} %m, %a, %b; {fma}.{t} %d, %c, %e, %m;'
    yield 'fma with 0 then add', f'{fma}.{t} %m, %a, %b, %e; add.{t} %d, %m, %c;'
    yield 'mov between', f'mul.{t} %m, %a, %b; mov.b{BITS[t]} %q, %m; add.{t} %d, %q, %c;'
    yield 'register used again', f'mul.{t} %m, %a, %b; mov.b{BITS[t]} %a, %e; add.{t} %d, %m, %c; st.global.b{BITS[t]} [%rd1+48], %a;'
    yield 'factor overwritten by the product', f'mul.{t} %a, %a, %b; add.{t} %d, %a, %c;'
    yield 'store between', f'mul.{t} %m, %a, %b; st.global.u32 [%rd1+64], %n2; add.{t} %d, %m, %c;'
    yield 'bar between', f'mul.{t} %m, %a, %b; bar.sync 0; add.{t} %d, %m, %c;'
    yield 'volatile store between', f'mul.{t} %m, %a, %b; st.volatile.global.u32 [%rd1+64], %n2; add.{t} %d, %m, %c;'
    yield 'call of nothing: membar', f'mul.{t} %m, %a, %b; membar.gl; add.{t} %d, %m, %c;'
    yield '@p add', f'mul.{t} %m, %a, %b; @%p1 add.{t} %d, %m, %c;'
    yield '@p mul', f'@%p1 mul.{t} %m, %a, %b; add.{t} %d, %m, %c;'
    yield '@p mul @p add', f'@%p1 mul.{t} %m, %a, %b; @%p1 add.{t} %d, %m, %c;'
    yield '@p mul @!p add', f'@%p1 mul.{t} %m, %a, %b; @!%p1 add.{t} %d, %m, %c;'
    yield '@p mul @q add', f'@%p1 mul.{t} %m, %a, %b; @%p2 add.{t} %d, %m, %c;'
    yield 'mul, if { add }', f'mul.{t} %m, %a, %b; @%p1 bra L; bar.sync 1; add.{t} %d, %m, %c; L:'
    yield 'if { mul } add', f'@%p1 bra L; bar.sync 1; mul.{t} %m, %a, %b; L: add.{t} %d, %m, %c;'
    yield 'if { mul add }', f'@%p1 bra L; bar.sync 1; mul.{t} %m, %a, %b; add.{t} %d, %m, %c; L:'
    yield 'mul, label, add', f'mul.{t} %m, %a, %b; bra.uni L; L: add.{t} %d, %m, %c;'
    yield 'if { add } else { add }', (f'mul.{t} %m, %a, %b; @%p1 bra L; bar.sync 1; add.{t} %d, %m, %c; bra.uni E; '
                                      f'L: bar.sync 2; add.{t} %d, %m, %e; E:')
    yield 'if { mul } else { mul } add', (f'@%p1 bra L; bar.sync 1; mul.{t} %m, %a, %b; bra.uni E; '
                                          f'L: bar.sync 2; mul.{t} %m, %a, %e; E: add.{t} %d, %m, %c;')
    yield 'mul, loop { add }', (f'mul.{t} %m, %a, %b; L: add.{t} %d, %m, %d; bar.sync 1; sub.u32 %n2, %n2, 1; '
                                f'setp.ne.u32 %p3, %n2, 0; @%p3 bra L;')
    yield 'loop { mul add }', (f'L: mul.{t} %m, %a, %d; add.{t} %d, %m, %c; bar.sync 1; sub.u32 %n2, %n2, 1; '
                               f'setp.ne.u32 %p3, %n2, 0; @%p3 bra L;')
    yield 'loop { add mul }', (f'L: add.{t} %d, %m, %c; mul.{t} %m, %a, %d; bar.sync 1; sub.u32 %n2, %n2, 1; '
                               f'setp.ne.u32 %p3, %n2, 0; @%p3 bra L;')
    yield 'selp between', f'mul.{t} %m, %a, %b; selp.b{BITS[t] if BITS[t] > 16 else 16} %q, %m, %e, %p1; add.{t} %d, %q, %c;'
    yield 'selp of addends', f'mul.{t} %m, %a, %b; selp.b{BITS[t] if BITS[t] > 16 else 16} %q, %c, %e, %p1; add.{t} %d, %m, %q;'
    yield 'selp of a sum', f'mul.{t} %m, %a, %b; add.{t} %q, %m, %c; selp.b{BITS[t] if BITS[t] > 16 else 16} %d, %q, %m, %p1;'
    yield '@p mul @p add, written nowhere else', f'@%p1 mul.{t} %m2, %a, %b; @%p1 add.{t} %d, %m2, %c;'
    yield '@p mul add, written nowhere else', f'@%p1 mul.{t} %m2, %a, %b; add.{t} %d, %m2, %c;'
    yield 'mul, @p add, @!p add', f'mul.{t} %m2, %a, %b; @%p1 add.{t} %d, %m2, %c; @!%p1 add.{t} %d, %m2, %e;'
    yield 'mul, @p add, @p store', f'mul.{t} %m2, %a, %b; @%p1 add.{t} %d, %m2, %c; @%p1 st.global.b{BITS[t]} [%rd1+48], %m2;'
    yield 'mul add, if { add }', f'mul.{t} %m2, %a, %b; add.{t} %d, %m2, %c; @%p1 bra L; bar.sync 1; add.{t} %d, %m2, %d; L:'
    yield 'mul add, if { store }', f'mul.{t} %m2, %a, %b; add.{t} %d, %m2, %c; @%p1 bra L; bar.sync 1; st.global.b{BITS[t]} [%rd1+48], %m2; L:'
    yield 'mul add, product dead in a use', f'mul.{t} %m2, %a, %b; add.{t} %d, %m2, %c; add.{t} %q, %m2, %e; mov.b{BITS[t]} %q, %a;'
    yield 'mul, branch around nothing, add', f'mul.{t} %m2, %a, %b; @%p1 bra L; L: add.{t} %d, %m2, %c;'
    yield 'mul, if-converted store, add', f'mul.{t} %m2, %a, %b; @%p1 bra L; st.global.u32 [%rd1+64], %n2; L: add.{t} %d, %m2, %c;'
    yield 'mul, short if { add }', f'mul.{t} %m2, %a, %b; @%p1 bra L; add.{t} %d, %m2, %c; L:'
    yield 'short if { mul } add', f'@%p1 bra L; mul.{t} %m, %a, %b; L: add.{t} %d, %m, %c;'
    yield 'short if { mul add }', f'@%p1 bra L; mul.{t} %m2, %a, %b; add.{t} %d, %m2, %c; L:'
    yield 'barrier.cta.red between', f'mul.{t} %m2, %a, %b; barrier.red.popc.u32 %n2, 0, %p1; add.{t} %d, %m2, %c; st.global.u32 [%rd1+64], %n2;'
    yield 'fence.acq_rel.cta between', f'mul.{t} %m2, %a, %b; fence.acq_rel.cta; add.{t} %d, %m2, %c;'
    yield 'atom between', f'mul.{t} %m2, %a, %b; atom.global.add.u32 %n2, [%rd1+64], 1; add.{t} %d, %m2, %c; st.global.u32 [%rd1+72], %n2;'
    yield 'shfl between', f'mul.{t} %m2, %a, %b; shfl.sync.idx.b32 %n2, %n2, 0, 31, -1; add.{t} %d, %m2, %c; st.global.u32 [%rd1+72], %n2;'
    yield 'bar.warp.sync between', f'mul.{t} %m2, %a, %b; bar.warp.sync -1; add.{t} %d, %m2, %c;'
    yield 'addend is made between', f'mul.{t} %m2, %a, %b; ld.global.b{BITS[t]} %q, [%rd1+80]; add.{t} %d, %m2, %q;'
    yield 'neg of the product, stored too', f'mul.{t} %m2, %a, %b; neg.{t} %q, %m2; add.{t} %d, %q, %c; st.global.b{BITS[t]} [%rd1+48], %q;'
    yield 'product, neg and plain', f'mul.{t} %m2, %a, %b; neg.{t} %q, %m2; add.{t} %d, %q, %c; add.{t} %d2, %m2, %e; st.global.b{BITS[t]} [%rd1+48], %d2;'
    yield 'three products', f'mul.{t} %m, %a, %b; mul.{t} %m2, %c, %e; mul.{t} %q, %a, %e; add.{t} %d, %m, %m2; add.{t} %d, %d, %q;'
    yield 'products first: product2 made first', f'mul.{t} %m2, %c, %e; mul.{t} %m, %a, %b; add.{t} %d, %m, %m2;'
    yield 'product minus fused', f'mul.{t} %m, %a, %b; add.{t} %q, %m, %c; mul.{t} %m2, %c, %e; sub.{t} %d, %q, %m2;'
    if t in TWO:
        yield 'times 2', f'mul.{t} %m, %a, {TWO[t]}; add.{t} %d, %m, %c;'
        yield 'times 2, .rn', f'mul.rn.{t} %m, %a, {TWO[t]}; add.rn.{t} %d, %m, %c;'
        yield 'times 1', f'mul.{t} %m, %a, {ONE[t]}; add.{t} %d, %m, %c;'
        yield 'plus constant', f'mul.{t} %m, %a, %b; add.{t} %d, %m, {TWO[t]};'
        yield 'times -1', f'mul.{t} %m, %a, {"0fBF800000" if t == "f32" else "0dBFF0000000000000"}; add.{t} %d, %m, %c;'
        half = f'{TWO[t][:2]}3F000000' if t == 'f32' else '0d3FE0000000000000'
        out = '@%p1 bra L; bar.sync 1; add.{0} %d, %m, %c; L:'.format(t)
        yield 'mul by a constant, if { add }', f'mul.{t} %m, %a, {half}; {out}'
        yield 'constant in a register, if { add }', f'mov.{t} %q, {half}; mul.{t} %m, %a, %q; {out}'
        yield 'parameter, if { add }', f'ld.param.b{BITS[t]} %q, [p]; mul.{t} %m, %a, %q; {out}'
        yield 'constant memory, if { add }', f'.const .b64 at[4]; ld.const.b{BITS[t]} %q, [at]; mul.{t} %m, %a, %q; {out}'
        yield 'constant memory by index, if { add }', (f'.const .b64 at[4]; mov.u64 %rd2, at; cvt.u64.u32 %rd3, %n2; add.u64 %rd2, %rd2, %rd3; '
                                                       f'ld.const.b{BITS[t]} %q, [%rd2]; mul.{t} %m, %a, %q; {out}')
        yield 'converted parameter, if { add }', f'cvt.rn.{t}.u32 %q, %n1; mul.{t} %m, %a, %q; {out}'
        yield 'mul by a constant, if { add }, store', f'mul.{t} %m, %a, {half}; {out} st.global.b{BITS[t]} [%rd1+48], %m;'
        yield 'mul by a constant, fence', f'mul.{t} %m, %a, {half}; membar.gl; add.{t} %d, %m, %c;'
        yield 'mul by a constant, factor written, if { add }', (f'mul.{t} %m, %a, {half}; @%p1 bra L; bar.sync 1; add.{t} %a, %a, %e; '
                                                                f'add.{t} %d, %m, %c; L: st.global.b{BITS[t]} [%rd1+48], %a;')
        for name, between in (
                ('div.rn', f'div.rn.{t} %q, %e, %c; st.global.b{BITS[t]} [%rd1+48], %q;'),
                ('rcp.rn', f'rcp.rn.{t} %q, %e; st.global.b{BITS[t]} [%rd1+48], %q;'),
                ('rsqrt.approx', f'rsqrt.approx.{t} %q, %e; st.global.b{BITS[t]} [%rd1+48], %q;'),
                ('div.u32', 'div.u32 %n2, %n2, %n3; st.global.u32 [%rd1+72], %n2;'),
                ('rem.u32', 'rem.u32 %n2, %n2, 7; st.global.u32 [%rd1+72], %n2;'),
                ('div.s32', 'div.s32 %n2, %n2, %n3; st.global.u32 [%rd1+72], %n2;'),
                ('rem.s32', 'rem.s32 %n2, %n2, 8; st.global.u32 [%rd1+72], %n2;'),
                ('div.u64', 'div.u64 %rd3, %rd1, 10; st.global.u64 [%rd1+72], %rd3;'),
                ('rem.s64', 'rem.s64 %rd3, %rd1, 8; st.global.u64 [%rd1+72], %rd3;'),
                ('div.u16', '.reg .b16 %h; cvt.u16.u32 %h, %n2; div.u16 %h, %h, 7; st.global.u16 [%rd1+72], %h;'),
                ('bfind.u64', 'bfind.u64 %n2, %rd1; st.global.u32 [%rd1+72], %n2;'),
                ('bfind.u32', 'bfind.u32 %n2, %n2; st.global.u32 [%rd1+72], %n2;'),
                ('brkpt', 'brkpt;'), ('pmevent', 'pmevent 1;')):
            yield f'{name} between', f'mul.{t} %m, %a, %b; {between} add.{t} %d, %m, %c;'
        yield 'a + a', f'add.{t} %m, %a, %a; add.{t} %d, %m, %c;'
    if t == 'f32':
        yield 'mad.rn', f'mad.rn.{t} %d, %a, %b, %c;'
        yield 'div.full then add', f'div.full.{t} %m, %a, %b; add.{t} %d, %m, %c;'
        for kind in ('div.full', 'div.approx.ftz'):
            add = 'add.ftz.f32' if 'ftz' in kind else 'add.f32'
            yield f'{kind}, if {{ add }}', f'{kind}.f32 %m, %a, %b; @%p1 bra L; bar.sync 1; {add} %d, %m, %c; L:'
            yield f'{kind} of a number, if {{ add }}', f'{kind}.f32 %m, 0f42040000, %b; @%p1 bra L; bar.sync 1; {add} %d, %m, %c; L:'
            yield f'{kind} by a number, if {{ add }}', f'{kind}.f32 %m, %a, 0f42040000; @%p1 bra L; bar.sync 1; {add} %d, %m, %c; L:'
            yield f'{kind} by a mov of a number', f'mov.b32 %q, 0x42040000; {kind}.f32 %d, %a, %q;'
            yield f'{kind} by a parameter, if {{ add }}', f'ld.param.f32 %q, [p]; {kind}.f32 %m, %a, %q; @%p1 bra L; bar.sync 1; {add} %d, %m, %c; L:'
            yield f'{kind} then sub c-m', f'{kind}.f32 %m, %a, %b; {add.replace("add", "sub")} %d, %c, %m;'
            yield f'{kind} then add.rn', f'{kind}.f32 %m, %a, %b; {add.replace("add", "add.rn")} %d, %m, %c;'
            yield f'{kind} then add, stored too', f'{kind}.f32 %m, %a, %b; {add} %d, %m, %c; st.global.f32 [%rd1+48], %m;'
            yield f'{kind} then add, @p', f'@%p1 {kind}.f32 %m, %a, %b; {add} %d, %m, %c;'
            yield f'{kind} and a product', f'mul{".ftz" if "ftz" in kind else ""}.f32 %m2, %c, %e; {kind}.f32 %m, %a, %b; {add} %d, %m2, %m;'
        yield 'rcp.approx then add', 'rcp.approx.f32 %m, %a; add.f32 %d, %m, %c;'
        yield 'rsqrt.approx then add', 'rsqrt.approx.f32 %m, %a; add.f32 %d, %m, %c;'
        yield 'sqrt.approx then add', 'sqrt.approx.f32 %m, %a; add.f32 %d, %m, %c;'
        yield 'div.approx then add', f'div.approx.{t} %m, %a, %b; add.{t} %d, %m, %c;'
        yield 'sqrt.approx then mul add', f'sqrt.approx.{t} %q, %a; mul.{t} %m, %q, %b; add.{t} %d, %m, %c;'
        yield 'mul.ftz add.ftz c first', f'mul.ftz.{t} %m, %a, %b; add.ftz.{t} %d, %c, %m;'
        yield 'mul.ftz, neg.ftz, add.ftz', f'mul.ftz.{t} %m, %a, %b; neg.ftz.{t} %q, %m; add.ftz.{t} %d, %q, %c;'
        yield 'mul.ftz, neg, add.ftz', f'mul.ftz.{t} %m, %a, %b; neg.{t} %q, %m; add.ftz.{t} %d, %q, %c;'
        yield 'mul, neg.ftz, add', f'mul.{t} %m, %a, %b; neg.ftz.{t} %q, %m; add.{t} %d, %q, %c;'


def opcodes(cubin):
    data = open(cubin, 'rb').read()
    shoff, = struct.unpack_from('<Q', data, 40)
    entry, count, names = struct.unpack_from('<HHH', data, 58)
    def section(i):
        return struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * entry)
    strings = section(names)[4]
    for i in range(count):
        s = section(i)
        end = data.index(b'\0', strings + s[0])
        if data[strings + s[0]:end].startswith(b'.text.'):
            return [struct.unpack_from('<QQ', data, s[4] + at) for at in range(0, s[5], 16)]
    return []


def dataflow(code):
    """The arithmetic, in order, registers as they are."""
    said = []
    for low, high in code:
        op = low & 0x1ff
        if op in NAMES:
            name = NAMES[op]
            d, a, b, c = low >> 16 & 255, low >> 24 & 255, low >> 32 & 255, high & 255
            r = lambda n: 'Z' if n == 255 else f'{n}'
            said.append(f'{name} {r(d)}={r(a)},{r(b)},{r(c)}')
        elif op == 0x181:
            said.append(f'LDG {low >> 16 & 255}=[{low >> 40 & 0xffffff}]')
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('-arch', default='sm_90a')
    parser.add_argument('--flow', action='store_true', help='registers of the arithmetic too')
    parser.add_argument('--type', default='')
    parser.add_argument('--sass', help='listings of cuobjdump into this file')
    o = parser.parse_args()
    ptxas = shutil.which('ptxas') or '/usr/local/cuda/bin/ptxas'
    work = tempfile.mkdtemp()
    sass = open(o.sass, 'w') if o.sass else None
    print('type\tcase\tproducts\tsums\tfused\tcode')
    for t in ('f32', 'f64', 'f16', 'f16x2', 'bf16', 'bf16x2'):
        if o.type and o.type != t:
            continue
        b = BITS[t]
        for name, text in cases(t):
            path = os.path.join(work, 'k.ptx')
            with open(path, 'w') as file:
                file.write(HEAD % (o.arch, b, b, b, b, b, b, b) + text + TAIL % b)
            cubin = os.path.join(work, 'k.cubin')
            done = subprocess.run([ptxas, '-arch=' + o.arch, path, '-o', cubin], capture_output=True, text=True)
            if done.returncode:
                line = (done.stderr.strip().splitlines() or ['?'])[0]
                print(f'{t}\t{name}\t-\t-\t-\trefused: {line.split(";")[-1].strip()}')
                continue
            code = opcodes(cubin)
            ops = [NAMES[low & 0x1ff] for low, high in code if low & 0x1ff in NAMES]
            count = lambda *kinds: sum(k in kinds for k in ops)
            print(f"{t}\t{name}\t{count('FMUL', 'DMUL', 'HMUL2')}\t{count('FADD', 'DADD', 'HADD2')}\t"
                  f"{count('FFMA', 'DFMA', 'HFMA2', 'HFMA2.MMA')}\t{' '.join(dataflow(code) if o.flow else ops)}")
            if sass:
                sass.write(f'== {t} {name}: {text}\n' + subprocess.run(
                    ['cuobjdump', '-sass', cubin], capture_output=True, text=True).stdout)
    shutil.rmtree(work)


main()
