#!/usr/bin/env python3
"""whole.py SEED [COUNT] - prints random kernels in CUDA C++ on integers of all widths and what converts to them.

They draw intrinsics, conversions, warp functions, atomics, shared and local arrays, switches, calls and recursion. hunt.py runs them.
All lanes recurse to one depth. Where depths differ, ptxas 13.0 gives other results than C from level 1 on.
"""
import random
import sys

TYPES = {'u': 'unsigned', 'i': 'int', 'l': 'long long', 'm': 'unsigned long long', 'c': 'signed char', 'h': 'unsigned short', 'f': 'float',
         'd': 'double', 'q': '__int128'}
UNARY = ['__popc(u)', '__clz((int)u)', '__ffs((int)u)', '__brev(u)', '(unsigned)__popcll(m)', '(unsigned)__clzll((long long)m)',
         '(unsigned)__ffsll((long long)m)', '(unsigned)(__brevll(m)>>13)', '(unsigned)abs((int)u)', '__vabs4(u)', '__vabsss2(u)', '__vneg4(u)',
         '__vnegss2(u)', '(unsigned)__float2int_rn(f)', '__float2uint_rz(f)', '(unsigned)__float2ll_ru(f)', '__float_as_uint(__uint2float_rd(u))',
         '__float_as_uint(__int2float_ru((int)u))', '(unsigned)__double2int_rd(d)', '(unsigned)__double2ull_rn(d)',
         '__float_as_uint(__ull2float_rz(m))', '(unsigned)__double_as_longlong(__ll2double_rn((long long)m))', '(unsigned)__double2hiint(d)',
         '__float_as_uint(__double2float_ru(d))', '(unsigned)__half_as_ushort(__float2half_rn(f))', '__float_as_uint(__half2float(__ushort_as_half((unsigned short)u)))',
         '(unsigned)__bfloat16_as_ushort(__float2bfloat16_rn(f))', '(unsigned)__half_as_ushort(__int2half_rz((int)u))',
         '(unsigned)__half2int_rd(__ushort_as_half((unsigned short)u))', '(unsigned)__nv_cvt_float_to_fp8(f,__NV_SATFINITE,__NV_E4M3)',
         '(unsigned)__nv_cvt_float_to_fp8(f,__NV_NOSAT,__NV_E5M2)', '(unsigned)lrintf(f)', '(unsigned)llrint(d)', '__float_as_uint(truncf(f))',
         '__float_as_uint(ldexpf(f,(int)(u&15)-7))', '(unsigned)ilogbf(f)', '(unsigned)signbit(d)', '(unsigned)isnan(f)']
BINARY = ['__mulhi((int)u,(int)v)', '__umulhi(u,v)', '(unsigned)__mul64hi((long long)m,(long long)v)', '__umul24(u,v)', '(unsigned)__mul24((int)u,(int)v)',
          '__hadd((int)u,(int)v)', '__rhadd((int)u,(int)v)', '__uhadd(u,v)', '__byte_perm(u,v,(unsigned)m)', '__byte_perm(u,v,0x5140)', '__funnelshift_l(u,v,(unsigned)m)',
          '__funnelshift_rc(u,v,(unsigned)m&63)', '__sad((int)u,(int)v,3u)', '__usad(u,v,(unsigned)m)', '__dp4a((int)u,(int)v,(int)m)', '__dp4a(u,v,(unsigned)m)',
          '__dp2a_lo((int)u,(int)v,(int)m)', '__dp2a_hi(u,v,(unsigned)m)', '__vadd4(u,v)', '__vaddss4(u,v)', '__vaddus2(u,v)', '__vavgs2(u,v)', '__vavgu4(u,v)',
          '__vcmpgts4(u,v)', '__vcmpleu2(u,v)', '__vsubss2(u,v)', '__vsub4(u,v)', '__vmaxs4(u,v)', '__vminu2(u,v)', '__vabsdiffs4(u,v)', '__vsads2(u,v)',
          '__vseteq4(u,v)', '__viaddmax_s32((int)u,(int)v,(int)m)', '__vimax3_u32(u,v,(unsigned)m)', '__vibmin_s16x2(u,v,&p0,&p1)', '__vimin_s16x2_relu(u,v)',
          'min(u,v)', 'max((int)u,(int)v)', '(unsigned)min(m,(unsigned long long)v)', '(unsigned)(m/(v|1))', '(unsigned)((long long)m%(int)(v|1))', 'u/(v|1)',
          '(unsigned)((int)u%(int)(v|3))', '(unsigned)((__int128)m*(long long)v>>37)', '(unsigned)((unsigned __int128)m*m/(v|1))', 'u<<(v&31)', '(unsigned)((int)u>>(v&31))',
          '(unsigned)(m>>(v&63))', '(unsigned)((long long)(m<<(v&63))>>7)', '__reduce_add_sync(~0u,u^v)', '(unsigned)__reduce_min_sync(~0u,(int)u)', '__reduce_xor_sync(~0u,v)',
          '__shfl_sync(~0u,u,(int)v)', '__shfl_xor_sync(~0u,v,(int)(m&31))', '__shfl_up_sync(~0u,u,(unsigned)K)', '(unsigned)__shfl_down_sync(~0u,m,(unsigned)K)',
          '(unsigned)(__shfl_sync(~0u,d,(int)u,8)>1.)', '__ballot_sync(~0u,u>v)', '(unsigned)__any_sync(~0u,u==v)', '__match_any_sync(~0u,u&3)',
          '__match_all_sync(~0u,v,&w)', 'h2u(__hadd2(u2h(u),u2h(v)))', 'h2u(__hfma2(u2h(u),u2h(v),u2h((unsigned)m)))', 'h2u(__hmul2_sat(u2h(u),u2h(v)))', 'h2u(__hmax2_nan(u2h(u),u2h(v)))',
          '__hgt2_mask(u2h(u),u2h(v))', 'b2u(__hfma2(u2b(u),u2b(v),u2b((unsigned)m)))', 'b2u(__hmin2(u2b(u),u2b(v)))', '__float_as_uint(__fmaf_rd(f,(float)v,1.5f))',
          '(unsigned)__double_as_longlong(__dmul_ru(d,(double)v))', '__float_as_uint(__fdiv_rz(f,(float)(v|1)))', '__float_as_uint(__fsqrt_ru(fabsf(f)))',
          '__float_as_uint(fmodf(f,(float)(v%97+1)))', '__float_as_uint(nextafterf(f,(float)v))', '__float_as_uint(remainderf(f,3.5f))', '__float_as_uint(copysignf(f,(float)(int)v))',
          'recurse(n%4+3,v)', 'table[u&3](v)', 'pick(u,v)', '(unsigned)atomicAdd(&s[u&127],v&7)*0u', 'swap(u,v)']
HEAD = '''#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
typedef unsigned U;
__device__ inline __half2 u2h(U x){return *(__half2*)&x;}
__device__ inline U h2u(__half2 x){U r=*(U*)&x;return __hisnan(__low2half(x))||__hisnan(__high2half(x))?7u:r;}
__device__ inline __nv_bfloat162 u2b(U x){return *(__nv_bfloat162*)&x;}
__device__ inline U b2u(__nv_bfloat162 x){U r=*(U*)&x;return __hisnan(__low2bfloat16(x))||__hisnan(__high2bfloat16(x))?7u:r;}
__device__ __noinline__ U recurse(int n,U v){return n<=0?v:recurse(n-1,v*3u+n)^(recurse(n-2,v)>>1);}
__device__ __noinline__ U t0(U v){return v*7u+1u;}
__device__ __noinline__ U t1(U v){return __brev(v);}
__device__ __noinline__ U t2(U v){return v?v/3u:9u;}
__device__ __noinline__ U t3(U v){U a[8];for(int i=0;i<8;i++)a[(i*5+v)&7]=v>>i;return a[v&7]+a[3];}
__device__ U (*const table[4])(U)={t0,t1,t2,t3};
__device__ inline U pick(U u,U v){switch(u%11u){case 0:return v+1;case 1:return v*v;case 2:return u^v;case 3:return __popc(v);case 4:return u-v;case 5:return ~v;case 7:return u/((v&15)+1);case 8:return t2(v);case 9:return v>>3;default:return u|v;}}
__device__ __noinline__ U swap(U u,U v){struct{unsigned char b[8];}x;for(int i=0;i<4;i++)x.b[i]=(unsigned char)(u>>8*i),x.b[7-i]=(unsigned char)(v>>8*i);U r=0;for(int i=0;i<8;i++)r=r*31u+x.b[(i+u)&7];return r;}
'''


class Kernel:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.type = 'unsigned'
        self.kinds = self.draw.sample(sorted(TYPES), self.draw.randint(4, 8))
        self.names = [k + str(q) for k in self.kinds for q in range(self.draw.randint(1, 2))]
        body = self.statements(2, '  ', True)
        loads = ''.join(f'  {TYPES[x[0]]} {x} = {self.load(x, q)};\n' for q, x in enumerate(self.names))
        ends = ' ^ '.join(self.word(x) for x in self.names)
        self.text = (HEAD + 'extern "C" __global__ void k(const unsigned *in, unsigned *out, int n) {\n'
                     '  __shared__ U s[128]; U local[16]; bool p0, p1; int w; U i = threadIdx.x + blockIdx.x * blockDim.x;\n'
                     '  (void)s; (void)local; (void)p0; (void)p1; (void)w; (void)table; s[threadIdx.x] = 0; for (int j = 0; j < 16; j++) local[j] = j * i; __syncthreads();\n'
                     f'{loads}{body}  __syncthreads();\n  out[i] += {ends};\n  out[i + 512] = s[threadIdx.x] + local[i & 15];\n}}\n')

    def load(self, x, q):
        at = f'in[(i * {q + 1} + {q * 7}) & 1023]'
        if x[0] in 'fd':
            return f'({TYPES[x[0]]})(int){at} / 256'
        return f'({TYPES[x[0]]})((unsigned long long){at} * 0x100000001ull)' if x[0] in 'lm' else f'({TYPES[x[0]]}){at}'

    def word(self, x):
        kind = x[0]
        if kind == 'f':
            return f'(isnan({x}) ? 5u : __float_as_uint({x}))'
        if kind == 'd':
            return f'(isnan({x}) ? 5u : (U)(__double_as_longlong({x}) >> 11))'
        return f'(U)({x} ^ {x} >> 32)' if kind in 'lm' else f'(U)({x} >> 50)' if kind == 'q' else f'(U){x}'

    def name(self):
        return self.draw.choice(self.names)

    def as_kind(self, kind):
        """A value of a kind: of that kind where there is one, or converted as C converts in range."""
        own = [x for x in self.names if x[0] == kind]
        x = self.draw.choice(own) if own and self.draw.random() < 0.6 else self.name()
        if kind == 'f':
            return x if x[0] == 'f' else f'(float){x}' if x[0] == 'd' else f'(float)(int){self.word(x)}'
        if kind == 'd':
            return x if x[0] in 'fd' else f'(double)(int){self.word(x)}'
        if kind == 'm':
            return x if x[0] in 'lm' else f'(0x9E3779B97F4A7C15ull * {self.word(x)})'
        return self.word(x)

    def term(self, depth):
        way = self.draw.random()
        if depth == 0 or way < 0.1:
            return self.as_kind('u') if way < 0.9 else str(self.draw.choice([0, 1, 7, 31, 255, 65535, 0x80000000, 0xffffffff, 12345678])) + 'u'
        if way < 0.35:
            return f'({self.term(depth - 1)} {self.draw.choice("+-*&|^")} {self.term(depth - 1)})'
        text = self.draw.choice(UNARY if way < 0.6 else BINARY)
        out = ''
        values = {'u': self.term(depth - 1), 'v': self.term(depth - 1), 'm': self.as_kind('m'), 'f': self.as_kind('f'), 'd': self.as_kind('d'),
                  'K': str(self.draw.randint(1, 31))}
        at = 0
        while at < len(text):  # single letters that stand alone are holes
            alone = text[at] in values and not (at and (text[at - 1].isalnum() or text[at - 1] in '_.')) and \
                not (at + 1 < len(text) and (text[at + 1].isalnum() or text[at + 1] == '_'))
            out += f'({values[text[at]]})' if alone else text[at]
            at += 1
        return f'({out})'

    def converge(self, text):
        return not any(word in text for word in ('_sync', 'atomicAdd', '__syncthreads'))

    def statements(self, depth, indent, together):
        return ''.join(self.statement(depth, indent, together) for _ in range(self.draw.randint(2, 4)))

    def value(self, together, depth=2):
        text = self.term(depth)
        while not together and not self.converge(text):
            text = self.term(depth)
        return text

    def assign(self, together):
        x = self.name()
        value = self.value(together)
        if x[0] in 'fd':
            return f'{x} = {x} * {self.draw.choice(["0.5f", "1.25f", "-0.75f"])} + (int)(({value}) & 1023u);'
        return f'{x} {self.draw.choice(["=", "+=", "^=", "-="])} ({TYPES[x[0]]})({value});'

    def statement(self, depth, indent, together):
        way, inner = self.draw.random(), indent + '  '
        if way < 0.5 or depth == 0:
            return f'{indent}{self.assign(together)}\n'
        if way < 0.65:
            text = f'{indent}if ({self.value(together, 1)} {self.draw.choice(["<", ">", "=="])} {self.value(together, 1)}) {{\n'
            text += f'{self.statements(depth - 1, inner, False)}{indent}}}'
            return text + (f' else {{\n{self.statements(depth - 1, inner, False)}{indent}}}\n' if self.draw.random() < 0.5 else '\n')
        if way < 0.8:
            rounds, j = self.draw.choice(['2', '3', '5', '(n&7)', 'n%5+1', '(int)(i%7)']), f'j{depth}{self.draw.randint(0, 999)}'
            same = together and 'i%' not in rounds
            return f'{indent}for (int {j} = 0; {j} < {rounds}; {j}++) {{\n{self.statements(depth - 1, inner, same)}{indent}}}\n'
        if way < 0.9:
            return f'{indent}local[{self.value(together, 1)} & 15] += {self.value(together, 1)}; ' + \
                f'{{ U t = local[{self.as_kind("u")} & 15]; local[i & 15] ^= t; }}\n'
        if together:
            return f'{indent}__syncthreads(); atomicAdd(&s[({self.value(True, 1)}) & 127], {self.as_kind("u")}); __syncthreads();\n'
        return f'{indent}out[i] += {self.as_kind("u")};\n'


if __name__ == '__main__':
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2] if len(sys.argv) > 2 else 1)):
        print(Kernel(seed).text)
