#!/usr/bin/env python3
"""kernels.py SEED [COUNT] - prints random kernels in CUDA C++: loops, branches, and expressions that the assembler contracts.

Each kernel reads `in`, adds to `out`, and is a function of its seed alone. hunt.py runs them on a GPU and in wsim.
"""
import random
import sys

NUMBERS = ['0.5', '2', '-1.5', '0.1', '3', '1e-3', '7.25']
HALVES = ['0.5f', '2.f', '-1.5f', '0.1f', '3.f']
FUNCTIONS = ['rsqrt', 'cbrt', 'sin', 'cos', 'exp2', 'log', 'log2', 'tanh', 'atan', 'erf', 'ceil', 'rint', 'trunc', 'round']


class Kernel:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.type = self.draw.choice(['float', 'float', 'float', 'double', 'double', '__half'])
        self.names = ['a', 'b', 'c', 'd', 'e'][:self.draw.randint(2, 5)]
        body = self.statements(2, '  ')
        loads = ''.join(f'  T {x} = in[(i * {q + 1} + {q * 7}) & 1023];\n' for q, x in enumerate(self.names))
        self.text = (f'extern "C" __global__ void k(const {self.type} *in, {self.type} *out, int n) {{\n'
                     f'  typedef {self.type} T;\n  __shared__ T s[128];\n  int i = threadIdx.x + blockIdx.x * blockDim.x;\n  (void)s;\n'
                     f'{loads}{body}  out[i] += {" + ".join(self.names)};\n  out[i + 512] = {self.name()};\n}}\n')

    def name(self):
        return self.draw.choice(self.names)

    def leaf(self):
        way = self.draw.random()
        if self.type == '__half':
            return self.name() if way < 0.85 else '(T)' + self.draw.choice(HALVES)
        return self.name() if way < 0.8 else self.draw.choice(NUMBERS) if way < 0.95 else '(T)i'

    def call(self, name, *arguments):
        """A function of libm for the type."""
        suffix = '' if self.type == 'double' else 'f'
        return f'{name}{suffix}({", ".join("(T)" + a for a in arguments)})'

    def expression(self, depth):
        if depth == 0 or self.draw.random() < 0.15:
            return self.leaf()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        half = self.type == '__half'
        ways = [(30, lambda: f'({a}*{b}+{self.expression(depth - 1)})'), (14, lambda: f'({a}+{b})'), (12, lambda: f'({a} - {b})'),
                (15, lambda: f'({a}*{b})'), (5, lambda: f'({a}/{b})'), (2, lambda: f'(-{a})'),
                (3, lambda: f'({a}>{b}?{a}:{self.expression(depth - 1)})')]
        if half:
            ways += [(4, lambda: f'__habs({a})'), (3, lambda: f'__hmax({a},{b})'), (3, lambda: f'hsqrt(__habs({a}))'),
                     (2, lambda: f'hexp({a})'), (2, lambda: f'__hfma({a},{b},{self.name()})'), (2, lambda: f'__hmul_sat({a},{b})')]
        else:
            ways += [(3, lambda: f'fabs((T){a})'), (3, lambda: self.call('fmax', a, b)), (3, lambda: self.call('sqrt', f'fabs((T){a})')),
                     (2, lambda: self.call('exp', a)), (2, lambda: self.call('fma', a, b, self.name())), (1, lambda: f'(T)(int)({a})'),
                     (5, lambda: self.function(a)), (1, lambda: self.call('floor', a))]
        return self.draw.choices([way for _, way in ways], [weight for weight, _ in ways])[0]()

    def function(self, a):
        name = self.draw.choice(FUNCTIONS)
        positive = name in ('rsqrt', 'log', 'log2')
        return self.call(name, f'(fabs((T){a})+(T)0.25)' if positive else a)

    def statements(self, depth, indent):
        return ''.join(self.statement(depth, indent) for _ in range(self.draw.randint(2, 5)))

    def statement(self, depth, indent):
        way, inner = self.draw.random(), indent + '  '
        if way < 0.55 or depth == 0:
            operator = self.draw.choice(['=', '=', '+=', '-=', '*='])
            return f'{indent}{self.name()} {operator} {self.expression(self.draw.randint(1, 3))};\n'
        if way < 0.70:
            text = f'{indent}if ({self.expression(1)} > {self.expression(1)}) {{\n{self.statements(depth - 1, inner)}{indent}}}'
            return text + (f' else {{\n{self.statements(depth - 1, inner)}{indent}}}\n' if self.draw.random() < 0.5 else '\n')
        if way < 0.85:
            rounds, j = self.draw.choice(['2', '3', '4', '5', '(n&7)', 'n%5+1']), f'j{depth}{self.draw.randint(0, 99)}'
            return (f'{indent}for (int {j} = 0; {j} < {rounds}; {j}++) {{\n{self.statements(depth - 1, inner)}'
                    f'{inner}{self.name()} += in[({j}*31+i)&1023];\n{indent}}}\n')
        if depth == 2:
            return (f'{indent}s[threadIdx.x] = {self.name()}; __syncthreads(); '
                    f'{self.name()} += s[(threadIdx.x+{self.draw.randint(1, 31)})&127]; __syncthreads();\n')
        return f'{indent}out[i] += {self.name()};\n'


if __name__ == '__main__':
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2] if len(sys.argv) > 2 else 1)):
        print(Kernel(seed).text)
