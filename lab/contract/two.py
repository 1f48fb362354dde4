#!/usr/bin/env python3
"""two.py [SEED [COUNT]] - sums of two products: which of the two does ptxas fuse?

Draws programs of products and sums, in which a product may have several sums. Prints those in which ptxas fuses other products
than the rule of README.md says. Needs ptxas and nvdisasm."""
import os
import random
import re
import subprocess
import sys
import tempfile

HEAD = '''.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b) {
.reg .b64 %i, %o; .reg .f32 %x<16>, %m<9>, %s<16>;
ld.param.u64 %i, [a]; ld.param.u64 %o, [b];
''' + ''.join('ld.global.f32 %%x%d, [%%i+%d];\n' % (i, 4 * i) for i in range(12))


def draw_sums(draw):
    count, sums, seen = draw.randint(2, 5), [], set()
    for _ in range(draw.randint(2, 10)):
        first = 'm%d' % draw.randrange(count)
        second = 'm%d' % draw.randrange(count) if draw.random() < .6 else 'x%d' % draw.randint(10, 11)
        if first != second and frozenset((first, second)) not in seen: # ptxas computes equal sums once
            seen.add(frozenset((first, second)))
            sums.append((first, second) if draw.random() < .5 else (second, first))
    return sums


def fused_by_rule(products, sums):
    """The operand of each sum that is fused, 1 or 2, or -."""
    uses = {m: sum(m in pair for pair in sums) for m in products}
    addends, fused = set(), ['-'] * len(sums)
    for single in (1, 0):
        for i, pair in enumerate(sums):
            free = sorted((uses[name], place) for place, name in enumerate(pair) if name in uses and name not in addends)
            if fused[i] == '-' and free and (not single or free[0][0] == 1):
                fused[i] = '12'[free[0][1]]
                addends.add(pair[1 - free[0][1]])
    return ''.join(fused)


def fused_by_assembler(products, sums, work):
    text = HEAD + ''.join('mul.f32 %%%s, %%x%d, %%x%d;\n' % (m, 2 * int(m[1]), 2 * int(m[1]) + 1) for m in products)
    text += ''.join('add.f32 %%s%d, %%%s, %%%s;\n' % (i, *pair) for i, pair in enumerate(sums))
    text += ''.join('st.global.f32 [%%o+%d], %%s%d;\n' % (4 * i, i) for i in range(len(sums))) + 'ret; }\n'
    ptx, cubin = os.path.join(work, 'k.ptx'), os.path.join(work, 'k.cubin')
    with open(ptx, 'w') as file:
        file.write(text)
    subprocess.run(['ptxas', '-arch=sm_90a', ptx, '-o', cubin], check=True)
    listing = subprocess.run(['nvdisasm', '-c', cubin], capture_output=True, text=True, check=True).stdout
    held, fused = {}, ['?'] * len(sums)
    for name, rest in re.findall(r'^\s+/\*[0-9a-f]+\*/\s+([A-Z]\S*) (.*?);', listing, re.M):
        operands = [part.strip().replace('.reuse', '') for part in rest.split(',')]
        kind, wide = name.split('.')[0], 4 if '.128' in name else 2 if '.64' in name else 1
        offset = int((re.search(r'\+(0x[0-9a-f]+)\]', rest) or (0, '0'))[1], 16) // 4
        if kind == 'LDG':
            for i in range(wide):
                held['R%d' % (int(operands[0][1:]) + i)] = 'x%d' % (offset + i)
        elif kind in ('FMUL', 'FFMA'):
            product = 'm%d' % (int(held[operands[1]][1:]) // 2)
            held[operands[0]] = product if kind == 'FMUL' else (product,)
        elif kind == 'FADD':
            held[operands[0]] = ()
        elif kind == 'STG':
            for i in range(wide):
                value = held['R%d' % (int(operands[-1][1:]) + i)]
                fused[offset + i] = '12'[sums[offset + i].index(value[0])] if value else '-'
    return ''.join(fused)


def main():
    seed, count = (int(word) for word in (sys.argv[1:] + ['1000', '260'][len(sys.argv) - 1:]))
    different = 0
    with tempfile.TemporaryDirectory() as work:
        for number in range(seed, seed + count):
            sums = draw_sums(random.Random(number))
            products = sorted({name for pair in sums for name in pair if name[0] == 'm'})
            rule, assembler = fused_by_rule(products, sums), fused_by_assembler(products, sums, work)
            if rule != assembler:
                different += 1
                print('seed %d: %s: %s, not %s' % (number, sums, assembler, rule))
    print('programs %d different %d' % (count, different))


main()
