# functions.py PART - prints part 0 to 3 of a CUDA program that digests every function of the math headers.
f32_1="acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif erfcf erfcinvf erfcxf erff erfinvf exp10f exp2f expf expm1f fabsf floorf j0f j1f lgammaf log10f log1pf log2f logbf logf nearbyintf normcdff normcdfinvf rcbrtf rintf roundf rsqrtf sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f cyl_bessel_i0f cyl_bessel_i1f __cosf __exp10f __expf __log10f __log2f __logf __sinf __tanf __saturatef __frcp_rd __frcp_rn __frcp_ru __frcp_rz __fsqrt_rd __fsqrt_rn __fsqrt_ru __fsqrt_rz __frsqrt_rn".split()
f32_2="atan2f copysignf fdimf fdividef fmaxf fminf fmodf hypotf nextafterf powf remainderf rhypotf __fadd_rd __fadd_rn __fadd_ru __fadd_rz __fdiv_rd __fdiv_rn __fdiv_ru __fdiv_rz __fdividef __fmul_rd __fmul_rn __fmul_ru __fmul_rz __fsub_rd __fsub_rn __fsub_ru __fsub_rz __powf".split()
f32_3="fmaf norm3df rnorm3df __fmaf_rd __fmaf_rn __fmaf_ru __fmaf_rz __fmaf_ieee_rn".split()
f32_3=[x for x in f32_3 if x!='__fmaf_ieee_rn']
d_1="acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1 cyl_bessel_i0 cyl_bessel_i1 __drcp_rd __drcp_rn __drcp_ru __drcp_rz __dsqrt_rd __dsqrt_rn __dsqrt_ru __dsqrt_rz".split()
d_2="atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot __dadd_rd __dadd_rn __dadd_ru __dadd_rz __ddiv_rd __ddiv_rn __ddiv_ru __ddiv_rz __dmul_rd __dmul_rn __dmul_ru __dmul_rz __dsub_rd __dsub_rn __dsub_ru __dsub_rz".split()
d_3="fma norm3d rnorm3d __fma_rd __fma_rn __fma_ru __fma_rz".split()
fi="__float2int_rd __float2int_rn __float2int_ru __float2int_rz __float2uint_rd __float2uint_rn __float2uint_ru __float2uint_rz __float2ll_rd __float2ll_rn __float2ll_ru __float2ll_rz __float2ull_rd __float2ull_rn __float2ull_ru __float2ull_rz __float_as_int __float_as_uint ilogbf lrintf lroundf llrintf llroundf isnan isinf isfinite signbit".split()
di="__double2int_rd __double2int_rn __double2int_ru __double2int_rz __double2uint_rd __double2uint_rn __double2uint_ru __double2uint_rz __double2ll_rd __double2ll_rn __double2ll_ru __double2ll_rz __double2ull_rd __double2ull_rn __double2ull_ru __double2ull_rz __double2hiint __double2loint ilogb lrint lround llrint llround".split()
df="__double2float_rd __double2float_rn __double2float_ru __double2float_rz".split()
i_1="__brev __clz __ffs __popc __vabs2 __vabs4 __vabsss2 __vabsss4 __vneg2 __vneg4 __vnegss2 __vnegss4 __int2float_rd __int2float_rn __int2float_ru __int2float_rz __uint2float_rd __uint2float_rn __uint2float_ru __uint2float_rz abs __int2double_rn __uint2double_rn".split()
i_2="__hadd __mul24 __mulhi __rhadd __uhadd __umul24 __umulhi __urhadd max min umax umin __vadd2 __vadd4 __vaddss2 __vaddss4 __vaddus2 __vaddus4 __vavgs2 __vavgs4 __vavgu2 __vavgu4 __vcmpeq2 __vcmpeq4 __vcmpges2 __vcmpges4 __vcmpgeu2 __vcmpgeu4 __vcmpgts2 __vcmpgts4 __vcmpgtu2 __vcmpgtu4 __vcmples2 __vcmples4 __vcmpleu2 __vcmpleu4 __vcmplts2 __vcmplts4 __vcmpltu2 __vcmpltu4 __vcmpne2 __vcmpne4 __vabsdiffs2 __vabsdiffs4 __vabsdiffu2 __vabsdiffu4 __vmaxs2 __vmaxs4 __vmaxu2 __vmaxu4 __vmins2 __vmins4 __vminu2 __vminu4 __vsads2 __vsads4 __vsadu2 __vsadu4 __vseteq2 __vseteq4 __vsetges2 __vsetges4 __vsetgeu2 __vsetgeu4 __vsetgts2 __vsetgts4 __vsetgtu2 __vsetgtu4 __vsetles2 __vsetles4 __vsetleu2 __vsetleu4 __vsetlts2 __vsetlts4 __vsetltu2 __vsetltu4 __vsetne2 __vsetne4 __vsub2 __vsub4 __vsubss2 __vsubss4 __vsubus2 __vsubus4 __vimax_s32_relu __vimin_s32_relu __vimax_s16x2_relu __vimin_s16x2_relu".split()
i_3="__sad __usad __byte_perm __dp2a_lo __dp2a_hi __dp4a __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __viaddmax_s32 __viaddmax_s32_relu __viaddmin_s32 __viaddmin_s32_relu __viaddmax_u32 __viaddmin_u32 __viaddmax_s16x2 __viaddmax_s16x2_relu __viaddmin_s16x2 __viaddmin_s16x2_relu __viaddmax_u16x2 __viaddmin_u16x2 __vimax3_s32 __vimax3_s32_relu __vimin3_s32 __vimin3_s32_relu __vimax3_u32 __vimin3_u32 __vimax3_s16x2 __vimax3_s16x2_relu __vimin3_s16x2 __vimin3_s16x2_relu __vimax3_u16x2 __vimin3_u16x2".split()
l_1="__brevll __clzll __ffsll __popcll __ll2float_rd __ll2float_rn __ll2float_ru __ll2float_rz __ull2float_rd __ull2float_rn __ull2float_ru __ull2float_rz __ll2double_rd __ll2double_rn __ll2double_ru __ll2double_rz __ull2double_rd __ull2double_rn __ull2double_ru __ull2double_rz llabs".split()
l_2="__mul64hi __umul64hi llmax llmin ullmax ullmin".split()
# half and bf16
h1="hceil hcos hexp hexp10 hexp2 hfloor hlog hlog10 hlog2 hrcp hrint hrsqrt hsin hsqrt htanh htanh_approx htrunc __habs __hneg".split()
h2="__hadd __hadd_rn __hadd_sat __hdiv __hmul __hmul_rn __hmul_sat __hsub __hsub_rn __hsub_sat __hmax __hmax_nan __hmin __hmin_nan".split()
h3="__hfma __hfma_relu __hfma_sat".split()
out=[]
def k(name,ins,expr):
    out.append((name,ins,expr))
T={'f':'float','d':'double','i':'int','l':'long long','h':'__half','b':'__nv_bfloat16','H':'__half2','B':'__nv_bfloat162'}
def fam(names,t,n,rt=None):
    for f in names: k(f,t*n,f"{f}({','.join('abc'[:n])})")
fam(f32_1,'f',1); fam(f32_2,'f',2); fam(f32_3,'f',3); fam(d_1,'d',1); fam(d_2,'d',2); fam(d_3,'d',3)
fam(fi,'f',1); fam(di,'d',1); fam(df,'d',1); fam(i_1,'i',1); fam(i_2,'i',2); fam(i_3,'i',3); fam(l_1,'l',1); fam(l_2,'l',2)
for t,T1,T2 in (('h','H','half'),('b','B','bf16')):
    for f in h1: k(f"{f}.{t}",t,f"{f}(a)")
    for f in h2: k(f"{f}.{t}",t*2,f"{f}(a,b)")
    for f in h3: k(f"{f}.{t}",t*3,f"{f}(a,b,c)")
    for f in h1:
        g=('h2'+f[1:]) if not f.startswith('__') else f+'2'
        k(f"{g}.{T1}",T1,f"{g}(a)")
    for f in h2:
        g={'__hdiv':'__h2div'}.get(f, f.replace('__h','__h',1)); 
        if f!='__hdiv':
            p=f.split('_'); # __hadd_rn -> __hadd2_rn
            g='__'+p[2]+'2'+(('_'+'_'.join(p[3:])) if len(p)>3 else '')
        k(f"{g}.{T1}",T1*2,f"{g}(a,b)")
    for g in ("__hfma2","__hfma2_relu","__hfma2_sat","__hcmadd"): k(f"{g}.{T1}",T1*3,f"{g}(a,b,c)")
    for c in "eq ne lt le gt ge equ neu ltu leu gtu geu".split():
        k(f"__h{c}.{t}",t*2,f"(int)__h{c}(a,b)"); k(f"__h{c}2.{T1}",T1*2,f"__h{c}2(a,b)"); k(f"__h{c}2_mask.{T1}",T1*2,f"__h{c}2_mask(a,b)"); k(f"__hb{c}2.{T1}",T1*2,f"(int)__hb{c}2(a,b)")
for s in "rd rn ru rz".split():
    for u in "int uint ll ull short ushort".split():
        k(f"__half2{u}_{s}",'h',f"__half2{u}_{s}(a)"); k(f"__bfloat162{u}_{s}",'b',f"__bfloat162{u}_{s}(a)")
        t='l' if 'll' in u else 'i'
        k(f"__{u}2half_{s}",t,f"__{u}2half_{s}(a)"); k(f"__{u}2bfloat16_{s}",t,f"__{u}2bfloat16_{s}(a)")
    k(f"__float2half_{s}",'f',f"__float2half_{s}(a)"); k(f"__float2bfloat16_{s}",'f',f"__float2bfloat16_{s}(a)")
k("__float22half2_rn",'ff',"__floats2half2_rn(a,b)"); k("__floats2bfloat162_rn",'ff',"__floats2bfloat162_rn(a,b)"); k("__double2half",'d',"__double2half(a)"); k("__double2bfloat16",'d',"__double2bfloat16(a)")
k("__half22float2.lo",'H',"__low2float(a)+__high2float(a)")
for fmt in "E4M3 E5M2".split():
  for sat in "SATFINITE NOSAT".split():
    k(f"f2fp8_{fmt}_{sat}",'f',f"(int)__nv_cvt_float_to_fp8(a,__NV_{sat},__NV_{fmt})"); k(f"ff2fp8x2_{fmt}_{sat}",'ff',f"(int)__nv_cvt_float2_to_fp8x2(make_float2(a,b),__NV_{sat},__NV_{fmt})")
    k(f"h2fp8_{fmt}_{sat}",'h',f"(int)__nv_cvt_halfraw_to_fp8((__half_raw)a,__NV_{sat},__NV_{fmt})"); k(f"b2fp8_{fmt}_{sat}",'b',f"(int)__nv_cvt_bfloat16raw_to_fp8((__nv_bfloat16_raw)a,__NV_{sat},__NV_{fmt})"); k(f"d2fp8_{fmt}_{sat}",'d',f"(int)__nv_cvt_double_to_fp8(a,__NV_{sat},__NV_{fmt})")
  k(f"fp82h_{fmt}",'i',f"(__half)__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a,__NV_{fmt})")
  k(f"fp8x22h2_{fmt}",'i',f"(__half2)__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)a,__NV_{fmt})")
for fmt in "E2M3 E3M2".split():
  k(f"f2fp6_{fmt}",'f',f"(int)__nv_cvt_float_to_fp6(a,__NV_{fmt},cudaRoundNearest)"); k(f"fp62h_{fmt}",'i',f"(__half)__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)a,__NV_{fmt})")
k("f2fp4",'f',"(int)__nv_cvt_float_to_fp4(a,__NV_E2M1,cudaRoundNearest)"); k("fp42h",'i',"(__half)__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)a,__NV_E2M1)")
for s,r in (("SATFINITE","Zero"),("SATFINITE","PosInf"),("NOSAT","Zero"),("NOSAT","PosInf")):
  k(f"f2e8m0_{s}_{r}",'f',f"(int)__nv_cvt_float_to_e8m0(a,__NV_{s},cudaRound{r})"); k(f"d2e8m0_{s}_{r}",'d',f"(int)__nv_cvt_double_to_e8m0(a,__NV_{s},cudaRound{r})")
k("e8m02b",'i',"(__nv_bfloat16)__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)a)")
# two results, integers
k("sincosf",'f',"({float s,c; sincosf(a,&s,&c); pack2(s,c);})"); k("sincospif",'f',"({float s,c; sincospif(a,&s,&c); pack2(s,c);})"); k("__sincosf",'f',"({float s,c; __sincosf(a,&s,&c); pack2(s,c);})")
k("sincos",'d',"({double s,c; sincos(a,&s,&c); mixd(s,c);})"); k("sincospi",'d',"({double s,c; sincospi(a,&s,&c); mixd(s,c);})")
k("frexpf",'f',"({int e; float m=frexpf(a,&e); pack2(m,__int_as_float(e));})"); k("frexp",'d',"({int e; double m=frexp(a,&e); mixd(m,(double)e);})"); k("modff",'f',"({float e; float m=modff(a,&e); pack2(m,e);})"); k("modf",'d',"({double e; double m=modf(a,&e); mixd(m,e);})")
k("remquof",'ff',"({int q; float m=remquof(a,b,&q); pack2(m,__int_as_float(q));})"); k("remquo",'dd',"({int q; double m=remquo(a,b,&q); mixd(m,(double)q);})")
k("ldexpf",'fi',"ldexpf(a,b%300)"); k("ldexp",'di',"ldexp(a,b%2000)"); k("scalbnf",'fi',"scalbnf(a,b%300)"); k("scalblnf",'fi',"scalblnf(a,b%300)"); k("powif",'fi',"powf(a,b%40)"); k("powi",'di',"pow(a,(double)(b%40))"); k("jnf",'if',"jnf(a&7,b)"); k("ynf",'if',"ynf(a&7,b)"); k("jn",'id',"jn(a&7,b)"); k("yn",'id',"yn(a&7,b)")
k("norm4df",'fff',"norm4df(a,b,c,a*0.5f)"); k("rnorm4df",'fff',"rnorm4df(a,b,c,a*0.5f)"); k("norm4d",'ddd',"norm4d(a,b,c,a*0.5)"); k("rnorm4d",'ddd',"rnorm4d(a,b,c,a*0.5)")
k("divi",'ii',"b?a/b:7"); k("modi",'ii',"b?a%b:7"); k("divu",'ii',"b?(unsigned)a/(unsigned)b:7u"); k("modu",'ii',"b?(unsigned)a%(unsigned)b:7u"); k("divl",'ll',"b?a/b:7"); k("modl",'ll',"b?a%b:7"); k("divul",'ll',"b?(unsigned long long)a/(unsigned long long)b:7ull"); k("modul",'ll',"b?(unsigned long long)a%(unsigned long long)b:7ull")
k("fdiv",'ff',"a/b"); k("ddiv",'dd',"a/b"); k("i128",'ll',"(long long)(((__int128)a*b)>>37)"); k("i128div",'ll',"b?(long long)(((__int128)a*a)/b):7"); k("l2f",'l',"(float)a"); k("ul2d",'l',"(double)(unsigned long long)a"); k("f2h2f",'f',"__half2float(__float2half(a))*1.5f")
# expressions that contract
for i,e in enumerate(["a*b+c","a*b-c","c-a*b","a*b+c*a","(a+b)*c","a*b*c+a","a/b+c","a/(b*c)","sqrtf(a*a+b*b)","1.0f/sqrtf(a)","expf(a)*logf(b)+c","a*2.0f+b*2.0f","fmaxf(a*b,c)+a","a>b?a*c+b:b*c-a","(a-b)*(a+b)","a*a-b*b","sinf(a)*cosf(b)+tanf(c)","1.0f/(1.0f+expf(-a))","tanhf(a*b)+c","a-floorf(a/b)*b","powf(a,2.0f)+powf(b,0.5f)","fabsf(a-b)/(fabsf(a)+fabsf(b))","0.5f*a*(1.0f+erff(a*0.70710678f))","a*(1.0f/b)","rsqrtf(a*a+1e-5f)*b","log1pf(expf(-fabsf(a)))+fmaxf(a,0.f)","a*b+(int)c","__int2float_rn((int)a)*b","exp2f(a*1.44269504f)","lrintf(a*b)*c","a/3.0f+b/7.0f","1.0f/a+1.0f/b"]): k(f"expr{i}",'fff',e)
for i,e in enumerate(["a*b+c","a*b-c*a","(a+b)*c","a/b+c","sqrt(a*a+b*b)","exp(a)*log(b)+c","1.0/(1.0+exp(-a))","a-floor(a/b)*b","sin(a)*cos(b)","pow(a,3.0)","1.0/sqrt(a)","a*a-b*b"]): k(f"dexpr{i}",'ddd',e)
for i,e in enumerate(["a*b+c","a*b-c","(a+b)*c","a/b+c","hexp(a)*b","a*a-b*b","__hmax(a*b,c)","hsqrt(a*a+b*b)","(__half)((float)a*(float)b+(float)c)","-a*b+c"]):
    k(f"hexpr{i}",'hhh',e); k(f"bexpr{i}",'bbb',e.replace('__half','__nv_bfloat16')); k(f"h2expr{i}",'HHH',e.replace('hexp(','h2exp(').replace('hsqrt(','h2sqrt(').replace('__hmax(','__hmax2(') if '(float)' not in e else 'a*b+c*a'); k(f"b2expr{i}",'BBB',e.replace('hexp(','h2exp(').replace('hsqrt(','h2sqrt(').replace('__hmax(','__hmax2(') if '(float)' not in e else 'a*b+c*a')
import sys
part=int(sys.argv[1]) if len(sys.argv)>1 else -1; parts=4
s='''#include <cstdio>
#include <cstdint>
#include <cstring>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
typedef unsigned long long u64;
__device__ u64 rnd(u64 x){ x+=0x9E3779B97F4A7C15ull; x=(x^x>>30)*0xBF58476D1CE4E5B9ull; x=(x^x>>27)*0x94D049BB133111EBull; return x^x>>31; }
__device__ float2 pack2(float x,float y){ return make_float2(x,y);} __device__ double2 mixd(double x,double y){ return make_double2(x,y);}
template<class T> struct In;
__device__ float infl(u64 r){ unsigned k=r>>60; unsigned u=(unsigned)r; switch(k){ case 0: return __uint_as_float(u); case 1: { const unsigned s[16]={0,0x80000000,0x7f800000,0xff800000,0x7fc00000,0x7fa12345,1,0x807fffff,0x00800000,0x7f7fffff,0x3f800000,0xbf800000,0x4b800000,0x3f000000,0xffc00001,0x41200000}; return __uint_as_float(s[u&15]);} case 2: case 3: return (float)(int)(u%2001)-1000.f; case 4: case 5: return __uint_as_float((u&0x807fffff)|(0x3f800000u)); case 6: case 7: return __uint_as_float((u&0x7fffff)|((120+(u>>23)%14)<<23)|(u&0x80000000)); case 8: case 9: return __fdiv_rn((float)(int)(u%20001)-10000.f,128.f); case 10: return __uint_as_float((u&0x7fffff)|((64+(u>>23)%126)<<23)); default: return __uint_as_float((u&0x807fffff)|((112+(u>>23&15)*2)<<23)); } }
__device__ double indb(u64 r){ unsigned k=r>>60; u64 q=rnd(r); switch(k){ case 0: return __longlong_as_double(q); case 1: { const u64 s[16]={0,1ull<<63,0x7ffull<<52,0xfffull<<52,0x7ff8ull<<48,0x7ff4123456789abcull,1,0x800fffffffffffffull,1ull<<52,0x7fefffffffffffffull,0x3ffull<<52,0xbffull<<52,0x434ull<<52,0x3feull<<52,0xfff8000000000001ull,0x4024ull<<48}; return __longlong_as_double(s[q&15]);} case 2: case 3: return (double)(int)(q%2001)-1000.; case 4: case 5: return __longlong_as_double((q&0x800fffffffffffffull)|0x3ffull<<52); case 8: case 9: return __ddiv_rn((double)(int)(q%20001)-10000.,128.); case 10: return __longlong_as_double((q&0xfffffffffffffull)|((512+(q>>52)%1020)<<52)); default: return __longlong_as_double((q&0x800fffffffffffffull)|((1008+(q>>52&15)*2)<<52)); } }
template<> struct In<float>{ __device__ static float get(u64 r){return infl(r);} };
template<> struct In<double>{ __device__ static double get(u64 r){return indb(r);} };
template<> struct In<int>{ __device__ static int get(u64 r){ unsigned k=r>>62; unsigned u=(unsigned)r; return k==0?(int)u: k==1?(int)(u%64)-32 : k==2?(int)(u>>(r>>32&31)) : (int)(u&0x80ff7f01); } };
template<> struct In<long long>{ __device__ static long long get(u64 r){ u64 q=rnd(r); unsigned k=r>>62; return k==0?q: k==1?(long long)(q%64)-32 : k==2? q>>(r&63) : (long long)(int)q; } };
template<> struct In<__half>{ __device__ static __half get(u64 r){ return __ushort_as_half((unsigned short)((r>>60)<4? r : (r&0x83ff)|((10+(r>>16)%10)<<10)));} };
template<> struct In<__nv_bfloat16>{ __device__ static __nv_bfloat16 get(u64 r){ return __ushort_as_bfloat16((unsigned short)((r>>60)<4? r : (r&0x807f)|((120+(r>>16)%14)<<7)));} };
template<> struct In<__half2>{ __device__ static __half2 get(u64 r){ return __halves2half2(In<__half>::get(r),In<__half>::get(rnd(r)));} };
template<> struct In<__nv_bfloat162>{ __device__ static __nv_bfloat162 get(u64 r){ return __halves2bfloat162(In<__nv_bfloat16>::get(r),In<__nv_bfloat16>::get(rnd(r)));} };
template<class R> __device__ void put(u64*o,int n,R v){ u64 w[2]={0,0}; memcpy(w,&v,sizeof v); o[threadIdx.x+blockIdx.x*blockDim.x]=w[0]^rnd(w[1]); }
'''
mine=[x for i,x in enumerate(out) if part<0 or i%parts==part]
for i,(n,ins,e) in enumerate(mine):
    decl=''.join(f"{T[t]} {'abc'[j]}=In<{T[t]}>::get(rnd(seed*3+{j}+i*7919ull)); " for j,t in enumerate(ins))
    s+=f"__global__ void k{i}(u64*o,u64 seed){{ u64 i=threadIdx.x+blockIdx.x*blockDim.x; {decl} put(o,0,{e}); }}\n"
s+="static const struct{const char*n; void(*f)(u64*,u64);} K[]={"+','.join(f'{{"{n}",k{i}}}' for i,(n,ins,e) in enumerate(mine))+"};\n"
s+='''int main(int c,char**v){ u64 seed=c>1?strtoull(v[1],0,0):1; int reps=c>2?atoi(v[2]):1; const char*only=c>3?v[3]:0; const int N=4096; u64*d,*h=(u64*)malloc(N*8); cudaMalloc(&d,N*8);
for(unsigned k=0;k<sizeof K/sizeof*K;k++){ if(only&&strcmp(only,K[k].n)) continue; printf("%s",K[k].n); for(int r=0;r<reps;r++){ K[k].f<<<N/128,128>>>(d,seed+r*1000003ull); if(cudaMemcpy(h,d,N*8,cudaMemcpyDeviceToHost)){ printf(" error %s\\n",cudaGetErrorString(cudaGetLastError())); return 1;} u64 f=14695981039346656037ull; for(int i=0;i<N;i++) f=(f^h[i])*1099511628211ull, f^=f>>29; if(only) for(int i=0;i<N;i++) printf("\\n%d %016llx",i,h[i]); printf(" %016llx",f);} printf("\\n"); } }
'''
print(s)

