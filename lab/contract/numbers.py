#!/usr/bin/env python3
"""numbers.py PTXAS NVDISASM [COUNT [SEED]] - what does the assembler compute of an approximate function of a number?

Multiplies loads by such functions, so that the machine code has their values as operands. Prints function, .ftz, number and value, and
`twice` where the value is not the f64 result rounded to f32: a step is rounded before. Needs no GPU.
"""
import math, os, random, re, struct, subprocess, sys, tempfile

TRUE = {'rsqrt': lambda x: 1 / math.sqrt(x), 'sqrt': math.sqrt, 'rcp': lambda x: 1 / x, 'lg2': math.log2, 'ex2': lambda x: 2.0 ** x,
        'sin': math.sin, 'cos': math.cos}
OUTPUT = 100000


def bits(x):
    try:
        return struct.unpack('<I', struct.pack('<f', x))[0]
    except OverflowError:
        return 0x7F800000 if x > 0 else 0xFF800000


def number(b):
    return struct.unpack('<f', struct.pack('<I', b))[0]


def values(ptxas, nvdisasm, folder, op, numbers):
    """The f32 that each function became; None where it stays."""
    ptx, cubin = os.path.join(folder, 'k.ptx'), os.path.join(folder, 'k.cubin')
    with open(ptx, 'w') as f:
        f.write('.version 8.8\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a) {\n'
                '.reg .f32 x, y, z; .reg .b64 p; ld.param.u64 p, [a];\n')
        for i, n in enumerate(numbers):
            f.write(f'ld.global.f32 x, [p+{4 * i}]; {op} z, 0f{n:08X}; mul.rn.f32 y, x, z; st.global.f32 [p+{4 * i + OUTPUT}], y;\n')
        f.write('ret; }\n')
    subprocess.run([ptxas, '-arch=sm_90a', ptx, '-o', cubin], check=True)
    product, result = {}, {}
    for line in subprocess.run([nvdisasm, '-c', cubin], capture_output=True, text=True).stdout.splitlines():
        # any other instruction that writes the register ends the product
        m = re.search(r'\*/\s+([A-Z0-9_.]+) (R\d+), (.*?) ;', line)
        if m:
            operands = m[3].split(', ')
            product[m[2]] = operands[-1] if m[1] == 'FMUL' and re.match(r'[-+]?\d', operands[-1]) else None
        m = re.search(r'STG\.E desc\[\S+\]\[R\d+\.64\+(0x[0-9a-f]+)\], (R\d+)', line)
        if m and int(m[1], 16) >= OUTPUT and product.get(m[2]):
            result[(int(m[1], 16) - OUTPUT) // 4] = bits(float(product[m[2]]))
    return [result.get(i) for i in range(len(numbers))]


def main():
    ptxas, nvdisasm = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    with tempfile.TemporaryDirectory() as folder:
        for name, true in TRUE.items():
            for ftz in ('', '.ftz'):
                numbers = [draw.randrange(1, 0x7F800000) for _ in range(count)]
                if name == 'ex2':
                    numbers = [bits(draw.uniform(-150, 128)) for _ in numbers]
                elif name in ('rcp', 'sin', 'cos'):
                    numbers = [n | draw.randrange(2) << 31 for n in numbers]
                for n, value in zip(numbers, values(ptxas, nvdisasm, folder, f'{name}.approx{ftz}.f32', numbers)):
                    twice = value is not None and bits(true(number(n))) != value
                    print(name, ftz[1:] or '-', f'{n:08X}', 'stays' if value is None else f'{value:08X}', *(['twice'] if twice else []))


main()
