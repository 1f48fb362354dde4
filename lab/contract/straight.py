#!/usr/bin/env python3
"""straight.py WSIM SEED COUNT - which products of straight programs ptxas fuses, by running its machine code.

Draws programs of f32 products and sums whose registers are written many times, without dead or repeated operations. ptxas assembles
them, nvdisasm lists them, and this script executes the list with exact fractions. wsim runs the PTX. All stored words must agree.
Needs ptxas and nvdisasm on the PATH (PyPI: nvidia-cuda-nvcc, nvidia-cuda-nvdisasm), no GPU.
"""
import random, re, struct, subprocess, sys, tempfile
from fractions import Fraction

REGISTERS = 5


def bits_of(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def fraction_of(bits):
    return Fraction(struct.unpack('<f', struct.pack('<I', bits))[0])


def rounded(value):
    """The f32 nearest to a fraction, ties to even; no subnormals, no overflow."""
    if value == 0:
        return 0
    sign, value = value < 0, abs(value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > value
    scaled = value / Fraction(2) ** (exponent - 23)
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1)
    exponent += whole == 1 << 24
    return sign << 31 | (exponent + 127) << 23 | (whole >> (whole == 1 << 24)) & 0x7fffff


def draw_lines(draw):
    any_register = lambda: '%%f%d' % draw.randrange(REGISTERS)
    three = lambda operation: '%s.f32 %s, %s, %s;' % (operation, any_register(), any_register(), any_register())
    lines = []
    for _ in range(9):
        if draw.random() < .6:
            product = any_register()
            lines.append('mul.f32 %s, %s, %s;' % (product, any_register(), any_register()))
            if draw.random() < .3:
                lines.append(three('add'))
            operands = draw.sample([product, any_register()], 2)
            lines.append('%s.f32 %s, %s, %s;' % (draw.choice(('add', 'sub')), any_register(), *operands))
            if draw.random() < .5:
                lines.append('mul.rn.f32 %s, %s, %s;' % (product, any_register(), any_register()))
        else:
            lines.append(three(draw.choices(('mul', 'add', 'sub', 'mul.rn', 'add.rn'), (38, 32, 12, 8, 10))[0]))
            if draw.random() < .12:
                lines.append('st.global.f32 [%%o+%d], %s;' % (100 + 4 * len(lines), any_register()))
    return lines


def without_dead(lines):
    live, kept = {'%%f%d' % i for i in range(REGISTERS)}, []
    for line in reversed(lines):
        names = re.findall(r'%f\d', line)
        if not line.startswith('st'):
            if names[0] not in live:
                continue
            live.discard(names.pop(0))
        live.update(names)
        kept.append(line)
    return kept[::-1]


def repeats(lines):
    """ptxas computes equal operations once."""
    value, seen = {}, set()
    for number, line in enumerate(lines, 1):
        names = re.findall(r'%f\d', line)
        if line.startswith('st'):
            continue
        key = line[:3], *sorted((name, value.get(name, 0)) for name in names[1:])
        if key in seen:
            return True
        seen.add(key)
        value[names[0]] = number
    return False


def execute(listing, words):
    """The words that machine code stores, by offset. KeyError for an instruction that it does not know."""
    register, memory = {'RZ': 0}, {}
    for line in re.findall(r'^\s+/\*[0-9a-f]{4}\*/\s+(.*?);', listing, re.M):
        name, _, rest = line.strip().partition(' ')
        operands = [part.strip().replace('.reuse', '') for part in rest.split(',')]
        offset = int((re.search(r'\+(0x[0-9a-f]+)\]', rest) or [0, '0'])[1], 16)
        if name in ('NOP', 'EXIT', 'BRA', 'LDC', 'LDC.64', 'ULDC.64', 'ULDC'):
            continue
        if name == 'LDG.E':
            register[operands[0]] = words[offset // 4]
        elif name == 'STG.E':
            memory[offset] = register[operands[1]]
        else:
            x = [(-1 if part[0] == '-' else 1) * fraction_of(register[part.lstrip('-')]) for part in operands[1:]]
            register[operands[0]] = rounded({'FMUL': lambda: x[0] * x[1], 'FADD': lambda: x[0] + x[1],
                                             'FFMA': lambda: x[0] * x[1] + x[2]}[name]())
    return memory


def main():
    wsim, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ran = different = fused = 0
    with tempfile.TemporaryDirectory() as work:
        ptx, cubin, given, result = (work + '/' + name for name in ('k.ptx', 'k.cubin', 'in.bin', 'out.bin'))
        for number in range(seed, seed + count):
            draw = random.Random(number)
            lines = without_dead(draw_lines(draw))
            if repeats(lines):
                continue
            text = '''.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
.reg .b64 %i, %o; .reg .f32 %f<8>;
ld.param.u64 %i, [a]; ld.param.u64 %o, [b];
'''
            text += ''.join('ld.global.f32 %%f%d, [%%i+%d];\n' % (i, 4 * i) for i in range(REGISTERS))
            text += '\n'.join(lines) + '\n'
            text += ''.join('st.global.f32 [%%o+%d], %%f%d;\n' % (4 * i, i) for i in range(REGISTERS)) + 'ret;\n}\n'
            words = [bits_of(draw.uniform(.5, 2) * draw.choice((1, -1))) for _ in range(REGISTERS)]
            with open(ptx, 'w') as file:
                file.write(text)
            with open(given, 'wb') as file:
                file.write(struct.pack('<5I', *words))
            subprocess.run(['ptxas', '-arch=sm_90a', ptx, '-o', cubin], check=True)
            listing = subprocess.run(['nvdisasm', '-c', cubin], capture_output=True, text=True, check=True).stdout
            memory = execute(listing, words)
            subprocess.run([wsim, 'run', ptx, '--block', '1', '--arg', 'a@' + given, '--arg', 'b[256]=0', '--out',
                            'b=' + result, '--lines', '0'], capture_output=True)
            with open(result, 'rb') as file:
                stored = file.read()
            ran += 1
            fused += listing.count('FFMA')
            wrong = [at for at in memory if (struct.unpack_from('<I', stored, at)[0] ^ memory[at]) & 0x7fffffff]
            if wrong:
                different += 1
                print('seed %d: %s' % (number, wrong), *lines, sep='\n    ')
    print('programs %d fused operations %d different %d' % (ran, fused, different))
    return different > 0


sys.exit(main())
