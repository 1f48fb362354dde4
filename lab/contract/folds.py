#!/usr/bin/env python3
"""folds.py PTXAS NVDISASM [WSIM] - which instructions of numbers does the assembler compute?

The result is a factor of a product, and the sum stands in another block: only a constant factor lets the two fuse. Prints type, way and
fused or apart, as machine code has it, and with WSIM each way in which wsim differs. Needs no GPU.
"""
import json, os, re, subprocess, sys, tempfile

TENTH = {'f16': '0x2E66', 'bf16': '0x3DCC', 'f16x2': '0x2E662E66', 'f32': '0f3DCCCCCD', 'f64': '0d3FB999999999999A'}
TWO = {'f16': '0x4000', 'bf16': '0x4000', 'f16x2': '0x40004000', 'f32': '0f40000000', 'f64': '0d4000000000000000'}
REGISTER = {'f16': 'h', 'bf16': 'h', 'f16x2': 'r', 'f32': 'f', 'f64': 'd'}
BITS = {'f16': 16, 'bf16': 16, 'f16x2': 32, 'f32': 32, 'f64': 64}


def ways(t):
    """(name, lines that make k)"""
    r = REGISTER[t]
    tenth, two = f'mov.b{BITS[t]} {r}0, {TENTH[t]};' , f'mov.b{BITS[t]} {r}1, {TWO[t]};'
    param = f'ld.param.b{BITS[t]} {r}0, [v];'
    yield 'number', f'mov.b{BITS[t]} k, {TENTH[t]};'
    for op in ('abs', 'neg'):
        yield op, f'{tenth} {op}.{t} k, {r}0;'
        yield op + ' of a parameter', f'{param} {op}.{t} k, {r}0;'
    for op in ('add', 'sub', 'mul', 'add.rn', 'min', 'max') + (('add.rz', 'mul.rz') if BITS[t] >= 32 and t != 'f16x2' else ()):
        yield op, f'{tenth} {two} {op}.{t} k, {r}0, {r}1;'
    yield 'fma', f'{tenth} {two} fma.rn.{t} k, {r}0, {r}1, {r}0;'
    yield 'add of a parameter', f'{param} {two} add.{t} k, {r}0, {r}1;'
    if t == 'f32':
        for op in ('add.ftz', 'mul.ftz', 'mul.sat', 'div.approx', 'div.full', 'div.approx.ftz', 'div.rn', 'copysign'):
            yield op, f'{tenth} {two} {op}.{t} k, {r}0, {r}1;'
        for op in ('sqrt', 'rsqrt', 'rcp', 'sin', 'cos', 'lg2', 'ex2'):
            for ftz in ('', '.ftz'):
                yield op + ftz, f'{tenth} {op}.approx{ftz}.f32 k, f0;'
        for op in ('sqrt.rn', 'rcp.rn', 'tanh.approx'):
            yield op, f'{tenth} {op}.f32 k, f0;'
    if t == 'f16':
        yield 'ex2', f'{tenth} ex2.approx.f16 k, h0;'
    if t == 'f16x2':
        yield 'pair of a conversion', 'cvt.rn.f16.f32 h0, 0f3DCCCCCD; mov.b32 k, {h0, h0};'
        yield 'conversion of two', 'cvt.rn.f16x2.f32 k, 0f3DCCCCCD, 0f3DCCCCCD;'
        return
    for source in ('f16', 'bf16', 'f32', 'f64', 'u16', 's32', 'u32', 's64'):
        integer = source[0] in 'us'
        if source == t:
            if t != 'bf16':
                yield 'cvt.rni', f'{tenth} cvt.rni.{t}.{t} k, {r}0;'
            continue
        if 'bf16' in (source, t) and not (source, t) in (('f32', 'bf16'), ('bf16', 'f32')):
            continue
        wide = not integer and BITS[source] < BITS[t]
        register = {'16': 'h', '32': 'r', '64': 'q'}[source[1:]] if integer else REGISTER[source]
        number = '7' if integer else TENTH[source]
        move = f'mov.b{source[1:] if integer else BITS[source]} {register}2, {number};'
        for rounding in ('',) if wide else ('.rn', '.rz'):
            yield f'cvt{rounding} {source}', f'{move} cvt{rounding}.{t}.{source} k, {register}2;'
        if wide:
            yield f'cvt of a parameter {source}', f'ld.param.b{BITS[source]} {register}2, [v]; cvt.{t}.{source} k, {register}2;'


def kernel(t, way):
    size, load = BITS[t] // 8, f'ld.global.b{BITS[t]}'
    return f'''.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n, .param .b64 v) {{
.reg .b{BITS[t]} x, y, m, s, k; .reg .f32 f<3>; .reg .b16 h<3>; .reg .b32 r<4>; .reg .f64 d<3>; .reg .b64 p, q<3>; .reg .pred c;
ld.param.u64 p, [a]; ld.param.u32 r3, [n];
{load} x, [p]; {load} y, [p+{size}];
{way}
mul.{t} m, x, k;
setp.eq.u32 c, r3, 7; @c bra L;
st.global.b{BITS[t]} [p+16], x; membar.gl; {load} y, [p+24];
L: add.{t} s, m, y;
st.global.b{BITS[t]} [p+32], s; ret; }}
'''


def main():
    ptxas, nvdisasm, wsim = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    count = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, 'k.ptx'), os.path.join(folder, 'k.cubin')
        for t in BITS:
            for name, way in ways(t):
                with open(ptx, 'w') as f:
                    f.write(kernel(t, way))
                done = subprocess.run([ptxas, '-arch=sm_90a', ptx, '-o', cubin], capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f'{t} {name}: {done.stderr}')
                code = subprocess.run([nvdisasm, '-c', cubin], capture_output=True, text=True).stdout
                # a product that stays is an FMUL, DMUL or HMUL2, or an HFMA2 that adds -0
                fused = not re.search(r'\*/\s+(@!?\S+ )?([FDH]MUL|HFMA2[^;]*, -RZ)', code)
                print(t, name, 'fused' if fused else 'apart', sep='\t')
                count += 1
                if wsim:
                    text = subprocess.run([wsim, 'ptx', '--format', 'json', ptx], capture_output=True, text=True).stdout
                    own = bool(json.loads(text)['files'][0]['kernels'][0]['contractible'])
                    if own != fused:
                        differ += 1
                        print(f'  wsim: {"fused" if own else "apart"}')
    if wsim:
        print(f'{count} ways, {differ} differ')


main()
