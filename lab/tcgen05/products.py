#!/usr/bin/env python3
"""Kernels with products of tcgen05.mma whose sums are exact, so that any order of the addends gives the same words.

    products.py --wsim build/wsim                       the listed products, each run and compared
    products.py --wsim build/wsim --random 200 --seed 7 random ones
    products.py --write FOLDER [NAME...]                kernels, images, words and launch files for wsim-hw

The places of A, B, D, metadata and scale factors are formulas of the PTX ISA and CuTe's layouts, written here once more. The words
come from sums in double precision, never from wsim.
"""
import argparse, os, random, struct, subprocess, sys, tempfile
from dataclasses import dataclass

# --- numbers ---

def decode(code, exponent, mantissa, bias):
    sign = -1 if code >> (exponent + mantissa) & 1 else 1
    e, m = code >> mantissa & ((1 << exponent) - 1), code & ((1 << mantissa) - 1)
    return sign * (m * 2.0 ** (1 - bias - mantissa) if e == 0 else (1 + m / 2.0 ** mantissa) * 2.0 ** (e - bias))

def f32(value): return struct.unpack('<I', struct.pack('<f', value))[0]
def f16(value): return struct.unpack('<H', struct.pack('<e', value))[0]

BITS = {'f16': 16, 'bf16': 16, 'tf32': 32, 'e4m3': 8, 'e5m2': 8, 'e2m3': 6, 'e3m2': 6, 'e2m1': 4, 's8': 8, 'u8': 8}
TINY = {'e4m3': (4, 3, 7), 'e5m2': (5, 2, 15), 'e2m3': (2, 3, 1), 'e3m2': (3, 2, 3), 'e2m1': (2, 1, 1)}

def values_of(name):
    """Codes with their values: multiples of a quarter up to 4."""
    if name in TINY:
        all_codes = {c: decode(c, *TINY[name]) for c in range(1 << BITS[name])}
        return {c: v for c, v in all_codes.items() if abs(v) <= 4 and v * 4 == int(v * 4)}
    halves = {i / 2 for i in range(-8, 9)}
    if name in ('s8', 'u8'):
        return {i & 255: i for i in range(0 if name == 'u8' else -8, 9)}
    encode = {'f16': f16, 'bf16': lambda v: f32(v) >> 16, 'tf32': f32}[name]
    return {encode(v): v for v in halves}

VALUES = {name: values_of(name) for name in BITS}
CODE = {'f16': 0, 'bf16': 1, 'tf32': 2, 'e4m3': 0, 'e5m2': 1, 'e2m3': 3, 'e3m2': 4, 'e2m1': 5, 'u8': 0, 's8': 1}
K = {'f16': 16, 'tf32': 8, 'f8f6f4': 32, 'i8': 32, 'mxf8f6f4': 32, 'mxf4': 64, 'mxf4nvf4': 64}

# --- one case ---

@dataclass
class Case:
    name: str
    kind: str
    a: str
    b: str
    d: str
    m: int
    n: int
    group: int = 1                # cta_group
    ws: bool = False
    sparse: bool = False
    swizzle: tuple = ('none', 'none')   # of A and of B
    mn: tuple = (0, 0)            # MN-major
    negate: tuple = (0, 0)
    a_in_tensor: bool = False
    vector: str = ''              # 1X 2X 4X block16 block32: block scale
    factor: str = 'ue8m0'
    ids: tuple = (0, 0)           # first byte of the words of scale factors
    zero: int = 0                 # zero-column mask of .ws
    steps: int = 2                # products that are added
    collector: tuple = ('', '')
    seed: int = 1

    def __post_init__(self):
        self.k = K[self.kind] * (2 if self.sparse else 1)
        self.stored = K[self.kind]
        self.rows = self.m // self.group                    # of a block
        self.chunk = 8 if self.kind.startswith('mxf4') else 2 if self.kind == 'tf32' else 4
        self.kept = self.chunk // 2
        self.parts = 128 // self.m if self.ws else 2 if self.group == 2 and self.m == 128 and not self.sparse else 1
        self.spread = not self.ws and self.rows == 64 and self.parts == 1
        self.columns = self.n // self.parts
        self.factors = {'': 0, '1X': 1, '2X': 2, '4X': 4, 'block16': 4,
                        'block32': 1 if self.kind == 'mxf8f6f4' else 2}[self.vector]
        self.shift = self.zero >> 56 & 63

    def lanes(self, row):
        """Lanes of a row of a block, one a part."""
        first = row % 16 + row // 16 * 32 if self.spread else row
        return [first + part * self.rows for part in range(self.parts)]

    def idesc(self):
        word = self.sparse << 2 | self.n // 8 << 17 | self.m // 16 << 24
        word |= self.negate[0] << 13 | self.negate[1] << 14 | self.mn[0] << 15 | self.mn[1] << 16
        if self.factors:
            codes = (1, 1) if self.kind.startswith('mxf4') else (CODE[self.a], CODE[self.b])
            return word | codes[0] << 7 | codes[1] << 10 | self.ids[1] << 4 | self.ids[0] << 29 | (self.factor == 'ue8m0') << 23
        word |= {'f16': 0, 'f32': 1, 's32': 2}[self.d] << 4 | CODE[self.a] << 7 | CODE[self.b] << 10
        return word | (3 << 30 if self.shift else 0)

# --- matrices in shared memory ---

WIDTH = {'none': 16, '32': 32, '64': 64, '128': 128, 'atoms': 128}
SWIZZLE_CODE = {'none': 0, '32': 6, '64': 4, '128': 2, 'atoms': 1}

class Matrix:
    """Rows (of A) or columns (of B) by k, from `base` on."""
    def __init__(self, case, which, base):
        self.kind, self.type = case.kind, (case.a, case.b)[which]
        self.mode, self.mn, self.base = case.swizzle[which], case.mn[which], base
        self.k = case.k if which else case.stored
        self.lines = (case.n // case.group if which else case.rows) + (case.shift if which else 0)
        self.narrow = BITS[self.type] < 8 and not case.kind.startswith('mxf4')   # 16 elements in 16 bytes
        width, lines, size = WIDTH[self.mode], self.lines, BITS[self.type] // 8
        groups = lambda n, of: (n + of - 1) // of
        if self.mn and self.mode == 'none':
            self.leading, self.stride = 128, self.k // 8 * 128
            self.bytes = self.stride * groups(lines * size, 16)
        elif self.mn:
            deep = 4 if self.mode == 'atoms' else 8
            self.stride = deep * width
            self.leading = self.stride * groups(self.k, deep)
            self.bytes = self.leading * groups(lines * size, width)
        elif self.mode == 'none':
            self.stride, self.leading = 128, 128 * groups(lines, 8)
            self.bytes = self.leading * (self.k * 8 if self.narrow else self.k * BITS[self.type]) // 128 \
                if not self.narrow else self.leading * self.k // 16
        else:
            self.stride, self.leading = 8 * width, 16
            self.bytes = self.stride * groups(lines, 8)

    def address(self, line, byte, k):
        width = WIDTH[self.mode]
        if not self.mn and self.mode == 'none':
            at = line % 8 * 16 + line // 8 * self.stride + byte // 16 * self.leading + byte % 16
        elif not self.mn:
            at = line % 8 * width + line // 8 * self.stride + byte % width
        elif self.mode == 'none':
            byte = line * (BITS[self.type] // 8)
            at = byte % 16 + byte // 16 * self.stride + k % 8 * 16 + k // 8 * self.leading
        else:
            byte, deep = line * (BITS[self.type] // 8), 4 if self.mode == 'atoms' else 8
            at = byte % width + byte // width * self.leading + k % deep * width + k // deep * self.stride
        at += self.base
        return {'none': at, '32': at ^ (at >> 7 & 1) << 4, '64': at ^ (at >> 7 & 3) << 4,
                '128': at ^ (at >> 7 & 7) << 4, 'atoms': at ^ (at >> 7 & 3) << 5}[self.mode]

    def put(self, image, line, k, code):
        bits = BITS[self.type]
        if bits >= 8:
            for i in range(bits // 8):
                image[self.address(line, k * bits // 8, k) + i] = code >> 8 * i & 255
            return
        first = k // 16 * 128 + k % 16 * bits if self.narrow else k * bits
        for i in range(bits):
            image[self.address(line, (first + i) // 8, k)] |= (code >> i & 1) << (first + i) % 8

    def descriptor(self):
        return self.leading // 16 << 16 | self.stride // 16 << 32 | 1 << 46 | SWIZZLE_CODE[self.mode] << 61

# --- images and words ---

WORDS_AT = 256     # the column of tensor memory from which the image lies on

class Problem:
    def __init__(self, case):
        self.case, rnd = case, random.Random(case.seed)
        # f16 holds whole numbers up to 2048
        small = {name: [c for c, v in sorted(VALUES[name].items()) if case.d != 'f16' or v in (-2, -1, 0, 1, 2)]
                 for name in (case.a, case.b)}
        pick = lambda name, lines, k: [[[rnd.choice(small[name]) for _ in range(k)] for _ in range(lines)]
                                       for _ in range(case.steps)]
        self.a = pick(case.a, case.m, case.stored)
        self.b = pick(case.b, case.n + case.group * case.shift, case.k)
        nibbles = [4, 14] if case.chunk == 2 else [4, 8, 12, 9, 13, 14]
        self.meta = [[rnd.choice(nibbles) for _ in range(case.k // case.chunk)] for _ in range(case.m)]
        exponents = [126, 127, 128] if case.factor == 'ue8m0' else [0x30, 0x38, 0x40, 0x3c]
        draw = lambda lines: [[rnd.choice(exponents) for _ in range(case.factors)] for _ in range(lines)]
        self.factors = draw(case.m), draw(case.n)
        self.place()
        self.fill()

    def place(self):
        """Matrices in shared memory, operands in tensor memory one behind the other."""
        case, at = self.case, 0
        self.matrices = []
        for _ in range(case.steps):
            pair = []
            for which in (0, 1):
                pair.append(Matrix(case, which, at))
                if which or not case.a_in_tensor:
                    at += (pair[-1].bytes + 1023) // 1024 * 1024
            self.matrices.append(pair)
        self.shared, at = at, 0
        self.at = {}
        for name, words in (('a', 8 * case.steps * case.a_in_tensor), ('e', 4 * case.sparse),
                            ('sfa', 4 * bool(case.factors)), ('sfb', 8 * bool(case.factors))):
            self.at[name], at = at, at + words
        self.words = at

    def factor_value(self, code):
        return 2.0 ** (code - 127) if self.case.factor == 'ue8m0' else decode(code, 4, 3, 7)

    def fill(self):
        case = self.case
        self.images, self.tensor = [], []
        for block in range(case.group):
            image = bytearray(self.shared)
            tensor = [[0] * self.words for _ in range(128)]
            each = case.n // case.group
            for step, (a, b) in enumerate(self.matrices):
                for row in range(case.rows):
                    for k in range(case.stored):
                        self.put_a(image, tensor, block, step, a, row, k)
                for line in range(each + case.shift):
                    for k in range(case.k):
                        b.put(image, line, k, self.b[step][block * each + line][k])
            if case.sparse:
                self.put_metadata(tensor, block)
            if case.factors:
                self.put_factors(tensor, block)
            self.images.append(image)
            self.tensor.append(tensor)

    def put_a(self, image, tensor, block, step, matrix, row, k):
        case, code = self.case, self.a[step][block * self.case.rows + row][k]
        if not case.a_in_tensor:
            matrix.put(image, row, k, code)
            return
        bit = k * BITS[case.a]
        for lane in case.lanes(row):
            tensor[lane][self.at['a'] + 8 * step + bit // 32] |= code << bit % 32

    def put_metadata(self, tensor, block):
        case = self.case
        for row in range(case.rows):
            for chunk, nibble in enumerate(self.meta[block * case.rows + row]):
                for part in range(case.parts):
                    if case.kind in ('f16', 'tf32'):
                        lane = row % 8 + 8 * (chunk // 4) + row // 16 * (32 if case.spread else 16) + part * case.rows
                        word, bit = 0, 16 * (row // 8 % 2) + 4 * (chunk % 4)
                    else:
                        lane, word, bit = case.lanes(row)[part], chunk // 8, 4 * (chunk % 8)
                    tensor[lane][self.at['e'] + word] |= nibble << bit

    def put_factors(self, tensor, block):
        case = self.case
        for row in range(case.rows):
            for f, code in enumerate(self.factors[0][block * case.rows + row]):
                for quarter in range(4):
                    tensor[32 * quarter + row % 32][self.at['sfa'] + row // 32] |= code << 8 * ((case.ids[0] + f) % 4)
        for column in range(case.n):
            half, at = divmod(column, case.columns)
            for f, code in enumerate(self.factors[1][column]):
                for quarter in range(4) if case.parts == 1 else (2 * half, 2 * half + 1):
                    tensor[32 * quarter + at % 32][self.at['sfb'] + at // 32] |= code << 8 * ((case.ids[1] + f) % 4)

    def input(self):
        return b''.join(bytes(image) + b''.join(struct.pack('<%dI' % self.words, *lane) for lane in tensor)
                        for image, tensor in zip(self.images, self.tensor))

    def is_zeroed(self, column):
        case, (part, at) = self.case, divmod(column, self.case.columns)
        if not case.zero >> 39 & 1:
            return False
        skip, use = (case.zero >> 40 & 255) + 1, (case.zero >> 48 & 255) + 1
        at = (at + (case.zero >> 8 * part & 255)) % (skip + use)
        return at < skip if case.zero >> (32 + part) & 1 else at >= use

    def met(self, row, k):
        """The row of B that stored element k of a row of A meets."""
        case = self.case
        if not case.sparse:
            return k
        chunk, nibble = k // case.kept, self.meta[row][k // case.kept]
        if case.kept == 1:
            return 2 * chunk + (nibble == 14)
        second = k % case.kept * 2 // case.kept
        index = nibble >> 2 * second & 3
        return 4 * chunk + index if case.kept == 2 else 8 * chunk + 2 * index + k % 2

    def sum(self, row, column):
        case, total = self.case, 0.0
        if self.is_zeroed(column):
            return total
        line = column + (column // (case.n // case.group) + 1) * case.shift if case.group == 2 else column + case.shift
        for step in range(case.steps):
            for k in range(case.stored):
                at = self.met(row, k)
                term = VALUES[case.a][self.a[step][row][k]] * VALUES[case.b][self.b[step][line][at]]
                if case.factors:
                    f = at * case.factors // case.k
                    term *= self.factor_value(self.factors[0][row][f]) * self.factor_value(self.factors[1][column][f])
                total += term
        return -total if case.negate[0] != case.negate[1] else total

    def expected(self):
        """Words by block, lane and column; None: nothing is there."""
        case = self.case
        words = [[[None] * case.columns for _ in range(128)] for _ in range(case.group)]
        for row in range(case.m):
            block, inner = divmod(row, case.rows)
            for column in range(case.n):
                part, at = divmod(column, case.columns)
                value = self.sum(row, column) + 0.0
                word = int(value) & 0xffffffff if case.d == 's32' else f16(value) if case.d == 'f16' else f32(value)
                words[block][case.lanes(inner)[part]][at] = word
        return words

# --- the kernel ---

HEAD = '''// {name}: {what}
.version 8.8
.target sm_100a
.address_size 64

.visible .entry {name}(.param .u64 p_in, .param .u64 p_out)
.reqntid 128, 1, 1{cluster}
{{
  .reg .b32 %r<16>, %shared, %ta, %quarter, %thread, %block, %bar, %slot;
  .reg .b64 %rd<8>, %in, %out, %da, %db;
  .reg .b16 %both;
  .reg .pred %p<8>;
  .shared .align 1024 .b8 image[{shared}];
  .shared .align 16 .b8 control[16];
  ld.param.u64 %in, [p_in];
  ld.param.u64 %out, [p_out];
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %cluster_ctarank;
  mov.u32 %shared, image;
  mov.u32 %slot, control;
  add.u32 %bar, %slot, 8;
  shr.u32 %r0, %thread, 5;
  mul.wide.u32 %rd0, %block, {bytes_in};
  add.u64 %in, %in, %rd0;
  setp.ne.u32 %p0, %r0, 0;
  setp.ne.u32 %p1, %thread, 0;
  @%p0 bra ALLOCATED;
  tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [%slot], 512;
ALLOCATED:
  @%p1 bra FILL;
  mbarrier.init.shared::cta.b64 [%bar], 1;
  fence.mbarrier_init.release.cluster;
FILL:
  shl.b32 %r1, %thread, 2;
NEXT:
  cvt.u64.u32 %rd1, %r1;
  add.u64 %rd1, %rd1, %in;
  ld.global.b32 %r2, [%rd1];
  add.u32 %r3, %r1, %shared;
  st.shared.b32 [%r3], %r2;
  add.u32 %r1, %r1, 512;
  setp.lt.u32 %p2, %r1, {shared};
  @%p2 bra NEXT;
  fence.proxy.async.shared::cta;
  tcgen05.fence::before_thread_sync;
  {sync}
  tcgen05.fence::after_thread_sync;
  ld.shared.b32 %ta, [%slot];
  shl.b32 %quarter, %r0, 21;
  add.u32 %quarter, %quarter, %ta;
'''
TENSOR = '''  mul.wide.u32 %rd2, %thread, {bytes};
  add.u64 %rd2, %rd2, %in;
  add.u64 %rd2, %rd2, {shared};
  add.u32 %r4, %quarter, 256;
  mov.u32 %r5, 0;
WORD:
  ld.global.b32 %r6, [%rd2];
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r4], {{%r6}};
  add.u64 %rd2, %rd2, 4;
  add.u32 %r4, %r4, 1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p3, %r5, {words};
  @%p3 bra WORD;
  tcgen05.wait::st.sync.aligned;
  tcgen05.fence::before_thread_sync;
  {sync}
  tcgen05.fence::after_thread_sync;
'''
STEP = '''  add.u32 %r8, %shared, {a};
  shr.u32 %r8, %r8, 4;
  cvt.u64.u32 %da, %r8;
  or.b64 %da, %da, 0x{desc_a:016x};
  add.u32 %r8, %shared, {b};
  shr.u32 %r8, %r8, 4;
  cvt.u64.u32 %db, %r8;
  or.b64 %db, %db, 0x{desc_b:016x};
  add.u32 %r9, %ta, {ta};
  add.u32 %r10, %ta, {te};
  add.u32 %r11, %ta, {tsfa};
  add.u32 %r12, %ta, {tsfb};
  setp.ne.u32 %p5, {step}, 0;
  {operation} {operands};
'''
TAIL = '''ISSUED:
  mbarrier.try_wait.parity.shared::cta.b64 %p6, [%bar], 0;
  @!%p6 bra ISSUED;
  tcgen05.fence::after_thread_sync;
  mul.wide.u32 %rd3, %block, {block_bytes};
  add.u64 %out, %out, %rd3;
  mul.wide.u32 %rd3, %thread, {lane_bytes};
  add.u64 %out, %out, %rd3;
  and.b32 %r13, %thread, 16;
  setp.eq.u32 %p7, %r13, 0;
  mov.u32 %r4, %quarter;
  mov.u32 %r5, 0;
READ:
  tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r6}}, [%r4];
  tcgen05.wait::ld.sync.aligned;
  {keep}  {guard}st.global.b32 [%out], %r6;
  add.u64 %out, %out, 4;
  add.u32 %r4, %r4, 1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p3, %r5, {columns};
  @%p3 bra READ;
  tcgen05.fence::before_thread_sync;
  {sync}
  @%p0 bra FREED;
  tcgen05.fence::after_thread_sync;
  tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %ta, 512;
FREED:
  {sync}
  ret;
}}
'''

def kernel(problem):
    case, at = problem.case, {name: WORDS_AT + column for name, column in problem.at.items()}
    pair = case.group == 2
    sync = 'barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;' if pair else 'bar.sync 0;'
    text = HEAD.format(name=case.name, what=describe(case), group=case.group, sync=sync, shared=problem.shared,
                       cluster='\n.explicitcluster\n.reqnctapercluster 2, 1, 1' if pair else '',
                       bytes_in=problem.shared + 512 * problem.words)
    if problem.words:
        text += TENSOR.format(bytes=4 * problem.words, shared=problem.shared, words=problem.words, sync=sync)
    text += '  or.b32 %r7, %thread, %block;\n  setp.ne.u32 %p4, %r7, 0;\n  @%p4 bra ISSUED;\n'
    vector = {'': '', 'block16': '.block_scale.block16', 'block32': '.block_scale.block32'}.get(
        case.vector, '.block_scale.scale_vec::' + case.vector)
    for step, (a, b) in enumerate(problem.matrices):
        operation = 'tcgen05.mma%s%s.cta_group::%d.kind::%s%s%s' % (
            '.ws' if case.ws else '', '.sp' if case.sparse else '', case.group, case.kind, vector, case.collector[min(step, 1)])
        operands = ['[%ta]', '[%r9]' if case.a_in_tensor else '%da', '%db'] + (['[%r10]'] if case.sparse else [])
        operands += ['0x%08x' % case.idesc()] + (['[%r11]', '[%r12]'] if case.factors else []) + ['%p5']
        if case.zero:
            operands.append('0x%016x' % case.zero)
        text += STEP.format(a=a.base, b=b.base, desc_a=a.descriptor(), desc_b=b.descriptor(), ta=at['a'] + 8 * step,
                            te=at['e'], tsfa=at['sfa'], tsfb=at['sfb'], step=step, operation=operation,
                            operands=', '.join(operands))
    if pair:
        text += '  mov.b16 %both, 3;\n  tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64' \
                ' [%bar], %both;\n'
    else:
        text += '  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];\n'
    return text + TAIL.format(block_bytes=512 * case.columns, lane_bytes=4 * case.columns, columns=case.columns,
                              group=case.group, sync=sync, keep='and.b32 %r6, %r6, 0xffff;\n' if case.d == 'f16' else '',
                              guard='@%p7 ' if case.spread else '')

def describe(case):
    words = ['%s x %s to %s' % (case.a, case.b, case.d), 'M %d, N %d' % (case.m, case.n)]
    words += ['.sp'] * case.sparse + ['.ws'] * case.ws + ['a pair of blocks'] * (case.group == 2)
    words += ['A in tensor memory'] * case.a_in_tensor + ['factors %s %s' % (case.vector, case.factor)] * bool(case.factors)
    words += ['MN-major %s' % ' '.join(n for n, is_mn in zip('AB', case.mn) if is_mn)] * any(case.mn)
    words += ['a zero-column mask'] * bool(case.zero)
    return ', '.join(words)

# --- the list, and random cases ---

def listed():
    c = Case
    yield c('pair_f16_m256', 'f16', 'f16', 'f16', 'f32', 256, 32, 2, swizzle=('32', '64'))
    yield c('pair_bf16_m128', 'f16', 'bf16', 'bf16', 'f32', 128, 32, 2)
    yield c('pair_f16_m128_sw32', 'f16', 'f16', 'f16', 'f16', 128, 48, 2, swizzle=('32', '64'))
    yield c('pair_i8_m256', 'i8', 'u8', 's8', 's32', 256, 32, 2, swizzle=('64', '32'))
    yield c('pair_mn', 'f16', 'f16', 'f16', 'f32', 256, 64, 2, mn=(1, 1), swizzle=('128', '64'))
    yield c('ws_f16_m128', 'f16', 'f16', 'f16', 'f32', 128, 64, ws=True, swizzle=('64', '64'))
    yield c('ws_bf16_m64', 'f16', 'bf16', 'bf16', 'f32', 64, 128, ws=True, swizzle=('128', '32'),
            collector=('.collector::b1::fill', '.collector::b1::fill'))
    yield c('ws_tf32_m32', 'tf32', 'tf32', 'tf32', 'f32', 32, 64, ws=True, swizzle=('32', 'none'))
    yield c('ws_zero_m64', 'f16', 'f16', 'f16', 'f32', 64, 64, ws=True, zero=1 << 39 | 2 << 40 | 3 << 48 | 1 | 2 << 8 | 1 << 33)
    yield c('ws_shift_m128', 'i8', 's8', 's8', 's32', 128, 64, ws=True, zero=5 << 56)
    yield c('ws_sp_f16_m64', 'f16', 'f16', 'f16', 'f32', 64, 64, ws=True, sparse=True, swizzle=('none', '64'))
    yield c('ws_sp_e4m3_m32', 'f8f6f4', 'e4m3', 'e4m3', 'f32', 32, 64, ws=True, sparse=True)
    yield c('ws_tensor_m32', 'f16', 'f16', 'f16', 'f32', 32, 64, ws=True, a_in_tensor=True)
    yield c('sp_f16_m128', 'f16', 'f16', 'bf16', 'f32', 128, 24, sparse=True, swizzle=('32', '64'))
    yield c('sp_f16_m64', 'f16', 'f16', 'f16', 'f16', 64, 16, sparse=True)
    yield c('sp_tf32', 'tf32', 'tf32', 'tf32', 'f32', 128, 16, sparse=True, swizzle=('none', '128'))
    yield c('sp_i8', 'i8', 's8', 'u8', 's32', 128, 16, sparse=True, swizzle=('none', '64'))
    yield c('sp_e2m1', 'f8f6f4', 'e2m1', 'e3m2', 'f32', 128, 16, sparse=True)
    yield c('sp_pair_m256', 'f16', 'f16', 'f16', 'f32', 256, 32, 2, sparse=True)
    yield c('sp_pair_m128', 'f16', 'f16', 'f16', 'f32', 128, 32, 2, sparse=True)
    yield c('mx8_sp', 'mxf8f6f4', 'e4m3', 'e4m3', 'f32', 128, 16, sparse=True, vector='1X')
    yield c('mx8_ids', 'mxf8f6f4', 'e4m3', 'e5m2', 'f32', 128, 40, vector='1X', ids=(3, 1), swizzle=('128', '64'))
    yield c('mx8_pair_m128', 'mxf8f6f4', 'e4m3', 'e4m3', 'f32', 128, 64, 2, vector='1X', ids=(0, 2))
    yield c('mxf4_ids', 'mxf4', 'e2m1', 'e2m1', 'f32', 128, 48, vector='2X', ids=(2, 0), swizzle=('128', '32'))
    yield c('nvf4_pair_m256', 'mxf4nvf4', 'e2m1', 'e2m1', 'f32', 256, 32, 2, vector='4X', factor='ue4m3')
    yield c('nvf4_pair_m128', 'mxf4nvf4', 'e2m1', 'e2m1', 'f32', 128, 64, 2, vector='4X', factor='ue4m3')
    yield c('nvf4_sp', 'mxf4nvf4', 'e2m1', 'e2m1', 'f32', 128, 16, sparse=True, vector='4X', factor='ue4m3')
    yield c('tf32_mn', 'tf32', 'tf32', 'tf32', 'f32', 128, 32, mn=(1, 1), swizzle=('atoms', 'atoms'))
    yield c('e4m3_mn', 'f8f6f4', 'e5m2', 'e4m3', 'f32', 128, 32, mn=(1, 1), swizzle=('128', '32'))
    yield c('mixed', 'f8f6f4', 'e2m3', 'e3m2', 'f16', 64, 16, negate=(1, 0), swizzle=('32', 'none'))

def draw(number, seed):
    """A random case that the shapes of the ISA allow."""
    rnd = random.Random(seed * 1000003 + number)
    kind = rnd.choice(list(K))
    types = {'f16': ('f16', 'bf16'), 'tf32': ('tf32',), 'i8': ('s8', 'u8'), 'f8f6f4': tuple(TINY), 'mxf8f6f4': tuple(TINY)}
    a, b = (rnd.choice(types.get(kind, ('e2m1',))) for _ in 'ab')
    scaled = kind.startswith('mx')
    form = rnd.choice(('one', 'pair') if scaled else ('one', 'pair', 'ws'))
    sparse = rnd.random() < 0.3
    group, ws = 1 + (form == 'pair'), form == 'ws'
    m = rnd.choice({'one': (128,) if scaled else (64, 128), 'ws': (32, 64, 128),
                    'pair': (256,) if scaled and sparse else (128, 256)}[form])
    n = rnd.choice((64, 128)) if ws else rnd.choice((32, 64, 96))
    d = 's32' if kind == 'i8' else 'f16' if kind == 'f8f6f4' and rnd.random() < 0.3 else 'f32'
    if kind == 'f16' and (a, b) == ('f16', 'f16') and rnd.random() < 0.3:
        d = 'f16'
    mn, swizzle = [], []
    for i, name in enumerate((a, b)):
        can = BITS[name] >= 8 and rnd.random() < 0.3
        mn.append(int(can))
        if can and name == 'tf32':
            swizzle.append('atoms')
        else:
            swizzle.append(rnd.choice(('none', '64', '128') if i and sparse else ('none', '32', '64', '128')))
    vector = rnd.choice({'mxf8f6f4': ('1X', 'block32'), 'mxf4': ('2X', 'block32'), 'mxf4nvf4': ('2X', '4X', 'block16')}.get(kind, ('',)))
    count = {'1X': 1, '2X': 2, '4X': 4, 'block16': 4, 'block32': 1 if kind == 'mxf8f6f4' else 2}.get(vector, 0)
    ids = tuple(rnd.randrange(4) if count == 1 else rnd.choice((0, 2)) if count == 2 else 0 for _ in 'ab')
    zero = 0
    if ws and rnd.random() < 0.5:
        zero = 1 << 39 | rnd.randrange(9) << 40 | rnd.randrange(9) << 48 | rnd.getrandbits(32) & 0x0f0f0f0f | rnd.randrange(16) << 32
        zero |= rnd.randrange(33) << 56 if m > 32 else 0
    return Case('random_%d_%d' % (seed, number), kind, a, b, d, m, n, group, ws, sparse, tuple(swizzle), tuple(mn),
                (0, 0) if kind == 'i8' else (rnd.randrange(2), rnd.randrange(2)),
                BITS[a] >= 8 and not mn[0] and rnd.random() < 0.25, vector,
                'ue4m3' if kind == 'mxf4nvf4' and count == 4 and rnd.random() < 0.7 else 'ue8m0', ids, zero, rnd.choice((1, 2)),
                seed=rnd.getrandbits(32))

# --- running, writing ---

def run(case, wsim, folder):
    problem = Problem(case)
    base = os.path.join(folder, case.name)
    open(base + '.ptx', 'w').write(kernel(problem))
    open(base + '.in.bin', 'wb').write(problem.input())
    words = case.group * 128 * case.columns
    command = [wsim, 'run', base + '.ptx', '--grid', str(case.group), '--block', '128', '--arg', 'in@%s.in.bin' % base,
               '--arg', 'out[%d]=0' % (4 * words), '--out', 'out=%s.out' % base]
    if case.group == 2:
        command += ['--cluster', '2']
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return 'exit status %d: %s' % (done.returncode, (done.stdout + done.stderr)[:300])
    got = struct.unpack('<%dI' % words, open(base + '.out', 'rb').read())
    wrong = [at for at, want in enumerate(flat(problem.expected())) if got[at] != (want or 0)]
    return '%d words differ, the first in lane %d, column %d' % (
        len(wrong), wrong[0] // case.columns % 128, wrong[0] % case.columns) if wrong else ''

def flat(words):
    return [word for block in words for lane in block for word in lane]

def write(case, folder):
    problem = Problem(case)
    base = os.path.join(folder, case.name)
    words = flat(problem.expected())
    open(base + '.ptx', 'w').write(kernel(problem))
    open(base + '.in.bin', 'wb').write(problem.input())
    open(base + '.expect.bin', 'wb').write(struct.pack('<%dI' % len(words), *(word or 0 for word in words)))
    cluster = '"cluster": [2], ' if case.group == 2 else ''
    open(base + '.json', 'w').write(LAUNCH % dict(name=case.name, bytes=4 * len(words), grid=case.group, cluster=cluster))

LAUNCH = '''{ "ptx": "%(name)s.ptx",
  "arch": "sm_100a",
  "buffers": { "in": { "file": "%(name)s.in.bin" }, "out": { "bytes": %(bytes)d, "fill": 0 } },
  "launches": [ { "kernel": "%(name)s", "grid": [%(grid)d], "block": [128], %(cluster)s"args": [ { "buffer": "in" }, { "buffer": "out" } ] } ],
  "expect": { "out": { "file": "%(name)s.expect.bin" } } }
'''

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--wsim')
    parser.add_argument('--write', metavar='FOLDER')
    parser.add_argument('--random', type=int, default=0, metavar='N')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, help='products that are added in each listed kernel')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    cases = [draw(i, options.seed) for i in range(options.random)] if options.random else list(listed())
    cases = [case for case in cases if not options.names or case.name in options.names]
    for case in cases:
        case.steps = options.steps or case.steps
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            if options.write:
                write(case, options.write)
                continue
            problem = run(case, options.wsim, folder)
            if problem:
                bad += 1
                print('%s: %s\n  %s' % (case.name, describe(case), problem))
    print('%d products, %d bad' % (len(cases), bad))
    sys.exit(bad != 0)

if __name__ == '__main__':
    main()
