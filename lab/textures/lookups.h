/* lookups.h - textures, coordinates and texels of the experiments, for the GPU and for the judge */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static inline uint64_t mix(uint64_t z){ z=(z^z>>30)*0xbf58476d1ce4e5b9ull; z=(z^z>>27)*0x94d049bb133111ebull; return z^z>>31; }
enum { G1D,G2D,G3D,GA1D,GA2D,GCUBE,GACUBE,GLIN,GPITCH };
enum { TEX, LEVEL, GRAD, GATHER0,GATHER1,GATHER2,GATHER3, FETCH };
enum { F32x1,F32x2,F32x4,F16x1,F16x2,F16x4,U8x1,U8x2,U8x4,S8x1,S8x4,U16x1,U16x2,U16x4,S16x1,S16x4,U32x1,U32x4,S32x1,NFMT };
static const struct { int bits, ch, kind; /*0 f,1 u,2 s*/ } fmts[NFMT]={{32,1,0},{32,2,0},{32,4,0},{16,1,0},{16,2,0},{16,4,0},{8,1,1},{8,2,1},{8,4,1},{8,1,2},{8,4,2},{16,1,1},{16,2,1},{16,4,1},{16,1,2},{16,4,2},{32,1,1},{32,4,1},{32,1,2}};
enum { WRAP, CLAMP, MIRROR, BORDER };
enum { T_ONEHOT, T_RAMP, T_SMALL, T_WIDE, T_SPECIAL, T_BITS, T_INDEX, T_LEVEL, T_ALL };
enum { C_SWEEP, C_RANDOM, C_TIES, C_NEAR, C_SPECIAL, C_CUBE, C_CUBEEDGE, C_CUBESPECIAL, C_LOD, C_LODTIES, C_GRAD, C_LAYER, C_INT, C_GRAD1 };
struct in { float x,y,z,lod; float dx[3],dy[3]; int layer, ix; };
struct ex { const char*name; int geom,op,w,h,d,fmt,normread,filter,addr,norm,levels,mip; float bias,minl,maxl; int border,srgb,texels,coords; double a,b; int n,outs; };
static inline float f_of(uint32_t u){ float f; memcpy(&f,&u,4); return f; }
static inline uint32_t u_of(float f){ uint32_t u; memcpy(&u,&f,4); return u; }
static const uint32_t specials[]={0,0x80000000,1,0x80000001,0x007fffff,0x00800000,0x7f7fffff,0xff7fffff,0x7f800000,0xff800000,0x7fc00000,0xffc00000,0x7f800001,0x3f800000,0xbf800000,0x3f000000,0x3f7fffff,0x3effffff,0x3f000001,0x33800000,0xb3800000,0x4b000000,0x4b800000,0x4f000000,0x4effffff,0x4f800000,0xcf000000,0xcf800000,0x5f000000,0xdf000000,0x46000000,0x47000000,0x47800000,0x48000000,0xc7000000,0xc8000000,0x49742400,0xc9742400,0x4a800000,0x4b7fffff};
#define NSPEC (sizeof specials/sizeof*specials)
static inline uint64_t rnd(const struct ex*e,uint64_t i){ uint64_t h=1469598103934665603ull; for(const char*p=e->name;*p;p++) h=(h^(unsigned char)*p)*1099511628211ull; return mix(h+i*0x9E3779B97F4A7C15ull); }
static inline double unit(uint64_t r){ return (double)(r>>11)/9007199254740992.0; }
static inline uint32_t half_of(float f){ /* exact small cases only used for ramps: round to nearest */
  uint32_t u=u_of(f),s=u>>16&0x8000; int e=(int)(u>>23&255)-112; uint32_t m=u&0x7fffff; if((u&0x7fffffff)==0) return s; if(e>=31) return s|0x7c00; if(e<=0) return s; return s|(uint32_t)e<<10|m>>13; }
/* raw bits of channel c of a texel */
static uint32_t texel(const struct ex*e,int level,int z,int y,int x,int c){
  int bits=fmts[e->fmt].bits,kind=fmts[e->fmt].kind; uint64_t id=((((uint64_t)level*64+z)*65536+y)*65536+x)*4+c; uint64_t r=rnd(e,id+0x1000000000ull); uint32_t mask=bits==32?~0u:(1u<<bits)-1;
  int hy=e->h>1, hz=(e->geom==G3D);
  if(kind!=0){ switch(e->texels){
    case T_ONEHOT: return (x==1&&(!hy||y==1)&&(!hz||z==1))?(kind==1?mask:mask>>1):0;
    case T_INDEX: return (uint32_t)(x+64*y+4096*z+262144*level+c*2097152)&mask;
    case T_ALL: return (uint32_t)(x+(uint64_t)y*e->w+c*37)&mask;
    case T_LEVEL: return (uint32_t)(level*16)&mask;
    default: return (uint32_t)r&mask; } }
  float f=0; uint32_t u;
  switch(e->texels){
    case T_ONEHOT: f=(x==1&&(!hy||y==1)&&(!hz||z==1))?1.f:0.f; break;
    case T_RAMP: f=c==0?x*256.f:c==1?y*256.f:c==2?z*256.f:level*256.f; break;
    case T_INDEX: f=(float)(x+64*y+4096*z+262144*level+c*2097152); break;
    case T_LEVEL: f=level*256.f; break;
    case T_ALL: if(bits==16) return (uint32_t)(x+(uint64_t)y*e->w)&0xffff; return (uint32_t)r;
    case T_SMALL: if(bits==16) return (uint32_t)((r&0x83ff)|(13+(r>>20)%4)<<10); u=(uint32_t)(r&0x807fffff)|(uint32_t)(125+(r>>40)%4)<<23; return u;
    case T_WIDE: if(bits==16) return (uint32_t)((r&0x83ff)|((r>>20)%31)<<10); u=(uint32_t)(r&0x807fffff)|(uint32_t)(127-20+(r>>40)%40)<<23; return u;
    case T_SPECIAL: if(bits==16){ static const uint16_t hs[]={0,0x8000,1,0x8001,0x3ff,0x400,0x7bff,0xfbff,0x7c00,0xfc00,0x7e00,0x7c01,0x3c00,0xbc00,0x3555,0x5555}; return hs[(r>>20)%16]; }
       return (r>>50)%4==0?(uint32_t)r:specials[(r>>20)%20];
    case T_BITS: return bits==16?(uint32_t)r&0xffff:(uint32_t)r; }
  if(bits==16) return half_of(f); return u_of(f); }
static float ulps(float f,int n){ uint32_t u=u_of(f); if(f==0) return n<0?-f_of((uint32_t)-n):f_of((uint32_t)n); if((int32_t)u<0) n=-n; return f_of(u+(uint32_t)n); }
static struct in input(const struct ex*e,int i){ struct in v; memset(&v,0,sizeof v); uint64_t r0=rnd(e,i*8ull),r1=rnd(e,i*8ull+1),r2=rnd(e,i*8ull+2),r3=rnd(e,i*8ull+3);
  double W=e->norm?1:e->w,H=e->norm?1:e->h,D=e->norm?1:e->d; v.layer=(int)(r3%(unsigned)(e->d?e->d:1));
  v.y=(float)(H*1.5/e->h); v.z=(float)(e->d?D*1.5/e->d:0);
  switch(e->coords){
   case C_SWEEP: v.x=(float)(e->a+i*e->b); break;
   case C_RANDOM: v.x=(float)(W*(e->a+(e->b-e->a)*unit(r0))); v.y=(float)(H*(e->a+(e->b-e->a)*unit(r1))); v.z=(float)(D*(e->a+(e->b-e->a)*unit(r2))); v.lod=(float)(unit(r3)*e->levels); break;
   case C_TIES: { double t=((double)(r0%(unsigned)(e->w*512)))/512; v.x=ulps((float)(e->norm?t/e->w:t),i%7-3); break; }
   case C_NEAR: { int k=(int)(r0%(unsigned)(e->w+1)); v.x=ulps((float)(e->norm?(double)k/e->w:k),(int)((r1>>8)%9)-4); if(r1%4==0) v.x=(float)((e->norm?1.0/e->w:1.0)*(k+(unit(r2)-.5)/64)); break; }
   case C_SPECIAL: v.x=f_of(specials[i%NSPEC]); if(i>=(int)NSPEC){ v.x=(float)(ldexp(unit(r0)-.5,(int)(r1%48)-8)); } break;
   case C_CUBE: v.x=(float)(unit(r0)*2-1);v.y=(float)(unit(r1)*2-1);v.z=(float)(unit(r2)*2-1); { float s=ldexpf(1,(int)(r3>>20)%9-4); v.x*=s;v.y*=s;v.z*=s;} break;
   case C_CUBEEDGE: { float q[3]; q[0]=(r0&1)?1.f:-1.f; q[1]=(float)((r0&2)?1-unit(r1)/e->w:unit(r1)/e->w-1); q[2]=(float)((r0&4)?((r0&8)?1-unit(r2)/e->w:unit(r2)/e->w-1):unit(r2)*2-1); if(r0%5==0) q[1]=(r0&2)?1.f:-1.f; int p=(int)((r0>>8)%6); static const int pm[6][3]={{0,1,2},{0,2,1},{1,0,2},{1,2,0},{2,0,1},{2,1,0}}; float o[3]; for(int k=0;k<3;k++) o[pm[p][k]]=q[k]; v.x=o[0];v.y=o[1];v.z=o[2]; break; }
   case C_CUBESPECIAL: { static const uint32_t s[]={0,0x80000000,0x3f800000,0xbf800000,0x7f800000,0xff800000,0x7fc00000,1,0x80000001,0x7f7fffff,0x3f000000,0x00800000}; v.x=f_of(s[i%12]);v.y=f_of(s[i/12%12]);v.z=f_of(s[i/144%12]); break; }
   case C_LOD: v.x=(float)(W*.4);v.y=(float)(H*.4);v.z=(float)(D*.4);v.lod=(float)(e->a+i*e->b); break;
   case C_LODTIES: v.x=(float)(W*.4);v.y=(float)(H*.4);v.z=(float)(D*.4); v.lod=ulps((float)((double)(r0%(unsigned)(e->levels*512))/512),i%7-3); if(i<(int)NSPEC) v.lod=f_of(specials[i]); break;
   case C_GRAD: case C_GRAD1: v.x=(float)(W*.4);v.y=(float)(H*.4);v.z=(float)(D*.4); if(e->geom==GCUBE){ v.x=(float)(unit(r0)*2-1);v.y=(float)(unit(r1)*2-1);v.z=(float)(unit(r2)*2-1); }
     for(int k=0;k<3;k++){ uint64_t q=rnd(e,i*8ull+4+0x100000000ull*k),p=rnd(e,i*8ull+5+0x100000000ull*k); double s=ldexp(1,-(int)(r3%7)); v.dx[k]=(float)((unit(q)-.5)*s); v.dy[k]=e->coords==C_GRAD1?0:(float)((unit(p)-.5)*s); if(e->coords==C_GRAD1&&k) v.dx[k]=0; } break;
   case C_LAYER: { static const int l[]={0,1,2,3,4,5,6,7,8,-1,-2,-3,100,0x7fffffff,(int)0x80000000,2047,2048,65535,65536,65537,255,256}; v.x=(float)(W*(.5/e->w+(i%3)/(double)e->w)); v.y=v.x; v.z=.9f; v.layer=l[i%22]; break; }
   case C_INT: { static const int l[]={-1,-2,-100,0x7fffffff,(int)0x80000000}; v.ix=i<e->w+20?i-5:l[i%5]; break; }
  } return v; }
#define X(name,geom,op,w,h,d,fmt,nr,fi,ad,no,lev,mip,bias,mn,mx,bo,sr,t,c,a,b,n,o) {name,geom,op,w,h,d,fmt,nr,fi,ad,no,lev,mip,bias,mn,mx,bo,sr,t,c,a,b,n,o},
/* plain: no mips */
#define P(name,geom,op,w,h,d,fmt,nr,fi,ad,no,t,c,a,b,n,o) X(name,geom,op,w,h,d,fmt,nr,fi,ad,no,1,0,0,0,0,0,0,t,c,a,b,n,o)
static const struct ex exps[]={
 /* coordinate to fixed point */
 P("sweep",G1D,TEX,8,1,0,F32x1,0,1,CLAMP,0,T_RAMP,C_SWEEP,0.4,1.0/4096,4600,1)
 P("ties",G1D,TEX,8,1,0,F32x1,0,1,CLAMP,0,T_RAMP,C_TIES,0,0,1500,1)
 P("ties_big",G1D,TEX,16384,1,0,F32x1,0,1,CLAMP,0,T_RAMP,C_TIES,0,0,1500,1)
 P("ties_norm8",G1D,TEX,8,1,0,F32x1,0,1,CLAMP,1,T_RAMP,C_TIES,0,0,1000,1)
 P("ties_norm7",G1D,TEX,7,1,0,F32x1,0,1,CLAMP,1,T_RAMP,C_TIES,0,0,1000,1)
 P("ties_norm1000",G1D,TEX,1000,1,0,F32x1,0,1,CLAMP,1,T_RAMP,C_TIES,0,0,1500,1)
 P("ties_norm16383",G1D,TEX,16383,1,0,F32x1,0,1,CLAMP,1,T_RAMP,C_TIES,0,0,1500,1)
 P("ties_wrap1000",G1D,TEX,1000,1,0,F32x1,0,1,WRAP,1,T_RAMP,C_TIES,0,0,1500,1)
 P("rand_norm100",G2D,TEX,100,37,0,F32x4,0,1,CLAMP,1,T_RAMP,C_RANDOM,0,1,1000,2)
 P("rand_3d",G3D,TEX,20,37,11,F32x4,0,1,CLAMP,1,T_RAMP,C_RANDOM,0,1,800,3)
 P("point_near",G1D,TEX,8,1,0,F32x1,0,0,CLAMP,0,T_RAMP,C_NEAR,0,0,600,1)
 P("point_near7",G1D,TEX,7,1,0,F32x1,0,0,CLAMP,1,T_RAMP,C_NEAR,0,0,600,1)
 P("point_near1000",G1D,TEX,1000,1,0,F32x1,0,0,CLAMP,1,T_RAMP,C_NEAR,0,0,1200,1)
 P("point_near16384",G1D,TEX,16384,1,0,F32x1,0,0,CLAMP,0,T_RAMP,C_NEAR,0,0,600,1)
 P("point_wrap1000",G1D,TEX,1000,1,0,F32x1,0,0,WRAP,1,T_RAMP,C_NEAR,0,0,600,1)
 /* weights */
 P("hot2d",G2D,TEX,4,4,0,F32x1,0,1,CLAMP,0,T_ONEHOT,C_RANDOM,0,1,2500,1)
 P("hot3d",G3D,TEX,4,4,4,F32x1,0,1,CLAMP,0,T_ONEHOT,C_RANDOM,0.1,0.7,2500,1)
 P("hot2d_u8",G2D,TEX,4,4,0,U8x1,1,1,CLAMP,0,T_ONEHOT,C_RANDOM,0,1,1000,1)
 P("hot1d_u8",G1D,TEX,4,1,0,U8x1,1,1,CLAMP,0,T_ONEHOT,C_SWEEP,0.5,1.0/256,258,1)
 P("hot1d_s8",G1D,TEX,4,1,0,S8x1,1,1,CLAMP,0,T_ONEHOT,C_SWEEP,0.5,1.0/256,258,1)
 P("hot1d_u16",G1D,TEX,4,1,0,U16x1,1,1,CLAMP,0,T_ONEHOT,C_SWEEP,0.5,1.0/256,258,1)
 P("hot1d_s16",G1D,TEX,4,1,0,S16x1,1,1,CLAMP,0,T_ONEHOT,C_SWEEP,0.5,1.0/256,258,1)
 P("hot1d_f16",G1D,TEX,4,1,0,F16x1,0,1,CLAMP,0,T_ONEHOT,C_SWEEP,0.5,1.0/256,258,1)
 P("hot3d_u16",G3D,TEX,4,4,4,U16x1,1,1,CLAMP,0,T_ONEHOT,C_RANDOM,0.1,0.7,1000,1)
 P("hot2d_f16",G2D,TEX,4,4,0,F16x1,0,1,CLAMP,0,T_ONEHOT,C_RANDOM,0,1,1000,1)
 /* blends */
 P("b1_small",G1D,TEX,64,1,0,F32x4,0,1,CLAMP,0,T_SMALL,C_RANDOM,0,1,1000,4)
 P("b1_wide",G1D,TEX,64,1,0,F32x4,0,1,CLAMP,0,T_WIDE,C_RANDOM,0,1,1000,4)
 P("b1_special",G1D,TEX,64,1,0,F32x4,0,1,CLAMP,0,T_SPECIAL,C_RANDOM,0,1,700,4)
 P("b1_bits",G1D,TEX,64,1,0,F32x4,0,1,CLAMP,0,T_BITS,C_RANDOM,0,1,300,4)
 P("b2_small",G2D,TEX,16,16,0,F32x4,0,1,CLAMP,0,T_SMALL,C_RANDOM,0,1,1000,4)
 P("b2_wide",G2D,TEX,16,16,0,F32x4,0,1,CLAMP,0,T_WIDE,C_RANDOM,0,1,1000,4)
 P("b2_special",G2D,TEX,16,16,0,F32x4,0,1,CLAMP,0,T_SPECIAL,C_RANDOM,0,1,500,4)
 P("b3_small",G3D,TEX,8,8,8,F32x4,0,1,CLAMP,0,T_SMALL,C_RANDOM,0,1,1000,4)
 P("b3_wide",G3D,TEX,8,8,8,F32x4,0,1,CLAMP,0,T_WIDE,C_RANDOM,0,1,1000,4)
 P("b1_f16",G1D,TEX,64,1,0,F16x4,0,1,CLAMP,0,T_WIDE,C_RANDOM,0,1,600,4)
 P("b2_f16",G2D,TEX,16,16,0,F16x4,0,1,CLAMP,0,T_WIDE,C_RANDOM,0,1,600,4)
 P("b2_f16sp",G2D,TEX,16,16,0,F16x4,0,1,CLAMP,0,T_SPECIAL,C_RANDOM,0,1,400,4)
 P("b1_u8",G1D,TEX,64,1,0,U8x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b2_u8",G2D,TEX,16,16,0,U8x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,800,4)
 P("b3_u8",G3D,TEX,8,8,8,U8x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b1_s8",G1D,TEX,64,1,0,S8x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b2_s8",G2D,TEX,16,16,0,S8x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,500,4)
 P("b1_u16",G1D,TEX,64,1,0,U16x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b2_u16",G2D,TEX,16,16,0,U16x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b1_s16",G1D,TEX,64,1,0,S16x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,600,4)
 P("b2_s16",G2D,TEX,16,16,0,S16x4,1,1,CLAMP,0,T_BITS,C_RANDOM,0,1,400,4)
 /* conversions by point */
 P("all_u8",G1D,TEX,256,1,0,U8x1,1,0,CLAMP,0,T_ALL,C_SWEEP,0.5,1,256,1)
 P("all_s8",G1D,TEX,256,1,0,S8x1,1,0,CLAMP,0,T_ALL,C_SWEEP,0.5,1,256,1)
 P("all_u16",G1D,TEX,65536,1,0,U16x1,1,0,CLAMP,0,T_ALL,C_SWEEP,0.5,17,3855,1)
 P("all_s16",G1D,TEX,65536,1,0,S16x1,1,0,CLAMP,0,T_ALL,C_SWEEP,0.5,17,3855,1)
 P("all_f16",G1D,TEX,65536,1,0,F16x1,0,0,CLAMP,0,T_ALL,C_SWEEP,0.5,37,1771,1)
 P("all_f32",G1D,TEX,64,1,0,F32x1,0,0,CLAMP,0,T_SPECIAL,C_SWEEP,0.5,1,64,1)
 P("raw_u8",G1D,TEX,256,1,0,U8x4,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,64,4)
 P("raw_s8",G1D,TEX,256,1,0,S8x4,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,64,4)
 P("raw_u16",G1D,TEX,256,1,0,U16x2,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,64,4)
 P("raw_s16",G1D,TEX,256,1,0,S16x1,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,64,4)
 P("raw_u32",G1D,TEX,256,1,0,U32x1,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,16,4)
 P("raw_f32x2",G1D,TEX,256,1,0,F32x2,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,16,4)
 P("raw_f32x1",G1D,TEX,256,1,0,F32x1,0,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,16,4)
 P("raw_u8x1n",G1D,TEX,256,1,0,U8x1,1,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,16,4)
 P("raw_u8x2n",G1D,TEX,256,1,0,U8x2,1,0,CLAMP,0,T_BITS,C_SWEEP,0.5,1,16,4)
 P("raw_f16x2",G1D,TEX,256,1,0,F16x2,0,0,CLAMP,0,T_SMALL,C_SWEEP,0.5,1,16,4)
 /* addressing */
#define ADDR(m) \
 P("pt8_" #m,G1D,TEX,8,1,0,F32x1,0,0,m,1,T_RAMP,C_RANDOM,-4,4,500,1) \
 P("li8_" #m,G1D,TEX,8,1,0,F32x1,0,1,m,1,T_RAMP,C_RANDOM,-4,4,500,1) \
 P("pt7_" #m,G1D,TEX,7,1,0,F32x1,0,0,m,1,T_RAMP,C_RANDOM,-4,4,500,1) \
 P("li7_" #m,G1D,TEX,7,1,0,F32x1,0,1,m,1,T_RAMP,C_RANDOM,-4,4,500,1) \
 P("un8_" #m,G1D,TEX,8,1,0,F32x1,0,0,m,0,T_RAMP,C_RANDOM,-2,2,200,1) \
 P("ul8_" #m,G1D,TEX,8,1,0,F32x1,0,1,m,0,T_RAMP,C_RANDOM,-2,2,200,1) \
 P("ps7_" #m,G1D,TEX,7,1,0,F32x1,0,0,m,1,T_RAMP,C_SPECIAL,0,0,200,1) \
 P("ls7_" #m,G1D,TEX,7,1,0,F32x1,0,1,m,1,T_RAMP,C_SPECIAL,0,0,200,1) \
 P("us7_" #m,G1D,TEX,7,1,0,F32x1,0,0,m,0,T_RAMP,C_SPECIAL,0,0,200,1) \
 P("vs7_" #m,G1D,TEX,7,1,0,F32x1,0,1,m,0,T_RAMP,C_SPECIAL,0,0,200,1) \
 P("l2_" #m,G2D,TEX,5,3,0,F32x4,0,1,m,1,T_RAMP,C_RANDOM,-2,2,300,2)
 ADDR(WRAP) ADDR(CLAMP) ADDR(MIRROR) ADDR(BORDER)
 X("bord_f32",G2D,TEX,4,4,0,F32x4,0,1,BORDER,1,1,0,0,0,0,1,0,T_SMALL,C_RANDOM,-1,2,300,4)
 X("bord_f32p",G2D,TEX,4,4,0,F32x2,0,0,BORDER,1,1,0,0,0,0,1,0,T_SMALL,C_RANDOM,-1,2,60,4)
 X("bord_u8n",G2D,TEX,4,4,0,U8x4,1,1,BORDER,1,1,0,0,0,0,1,0,T_BITS,C_RANDOM,-1,2,300,4)
 X("bord_u8",G2D,TEX,4,4,0,U8x4,0,0,BORDER,1,1,0,0,0,0,1,0,T_BITS,C_RANDOM,-1,2,60,4)
 X("bord_s8n",G2D,TEX,4,4,0,S8x4,1,0,BORDER,1,1,0,0,0,0,1,0,T_BITS,C_RANDOM,-1,2,60,4)
 X("bord_s32",G2D,TEX,4,4,0,S32x1,0,0,BORDER,1,1,0,0,0,0,1,0,T_BITS,C_RANDOM,-1,2,60,4)
 X("bord_f16",G2D,TEX,4,4,0,F16x4,0,0,BORDER,1,1,0,0,0,0,1,0,T_SMALL,C_RANDOM,-1,2,60,4)
 /* layers */
 P("lay1",GA1D,TEX,4,1,6,F32x1,0,0,CLAMP,1,T_INDEX,C_LAYER,0,0,66,1)
 P("lay2",GA2D,TEX,4,4,6,F32x1,0,0,CLAMP,1,T_INDEX,C_LAYER,0,0,66,1)
 P("lay2b",GA2D,TEX,4,4,6,F32x1,0,0,BORDER,1,T_INDEX,C_LAYER,0,0,66,1)
 P("lay2l",GA2D,TEX,4,4,6,F32x4,0,1,WRAP,1,T_SMALL,C_RANDOM,-1,2,300,4)
 P("layc",GACUBE,TEX,4,4,12,F32x1,0,0,CLAMP,1,T_INDEX,C_LAYER,0,0,66,1)
 /* cubes */
 P("cube_pt",GCUBE,TEX,64,64,6,F32x1,0,0,CLAMP,1,T_INDEX,C_CUBE,0,0,1000,1)
 P("cube_ramp",GCUBE,TEX,64,64,6,F32x4,0,1,CLAMP,1,T_RAMP,C_CUBE,0,0,1000,3)
 P("cube_ramp7",GCUBE,TEX,7,7,6,F32x4,0,1,CLAMP,1,T_RAMP,C_CUBE,0,0,600,3)
 P("cube_edge",GCUBE,TEX,8,8,6,F32x1,0,1,CLAMP,1,T_INDEX,C_CUBEEDGE,0,0,1500,1)
 P("cube_edgew",GCUBE,TEX,8,8,6,F32x1,0,1,WRAP,1,T_INDEX,C_CUBEEDGE,0,0,300,1)
 P("cube_edgep",GCUBE,TEX,8,8,6,F32x1,0,0,CLAMP,1,T_INDEX,C_CUBEEDGE,0,0,500,1)
 P("cube_edgeb",GCUBE,TEX,8,8,6,F32x4,0,1,CLAMP,1,T_SMALL,C_CUBEEDGE,0,0,400,4)
 P("cube_spec",GCUBE,TEX,8,8,6,F32x1,0,0,CLAMP,1,T_INDEX,C_CUBESPECIAL,0,0,1728,1)
 P("acube",GACUBE,TEX,8,8,12,F32x1,0,1,CLAMP,1,T_INDEX,C_CUBE,0,0,300,1)
 /* mips */
 X("lod_pt",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,0,0,0,100,0,0,T_LEVEL,C_LOD,-1.5,1.0/512,4700,1)
 X("lod_li",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,1,0,0,100,0,0,T_LEVEL,C_LOD,-1.5,1.0/2048,5000,1)
 X("lod_ti",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,1,0,0,100,0,0,T_LEVEL,C_LODTIES,0,0,1000,1)
 X("lod_tp",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,0,0,0,100,0,0,T_LEVEL,C_LODTIES,0,0,1000,1)
 X("lod_bias",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,1,0.7131f,1.3377f,4.2219f,0,0,T_LEVEL,C_LOD,-1.5,1.0/64,600,1)
 X("lod_biasp",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,0,-0.7131f,0.3377f,4.2219f,0,0,T_LEVEL,C_LOD,-1.5,1.0/64,600,1)
 X("lod_base",G2D,TEX,64,64,0,F32x1,0,1,CLAMP,1,7,1,0.7131f,0.3377f,4.2219f,0,0,T_LEVEL,C_RANDOM,0,1,20,1)
 X("lod_base0",G2D,TEX,64,64,0,F32x1,0,1,CLAMP,1,7,1,0,0,100,0,0,T_LEVEL,C_RANDOM,0,1,20,1)
 X("lod_max0",G2D,LEVEL,64,64,0,F32x1,0,1,CLAMP,1,7,1,0,0,0,0,0,T_LEVEL,C_LOD,-1.5,1.0/4,40,1)
 X("tri",G2D,LEVEL,20,13,0,F32x4,0,1,WRAP,1,5,1,0,0,100,0,0,T_SMALL,C_RANDOM,-1,2,1000,4)
 X("tri_ramp",G2D,LEVEL,20,13,0,F32x4,0,1,CLAMP,1,5,0,0,0,100,0,0,T_RAMP,C_RANDOM,0,1,600,4)
 X("tri_u8",G2D,LEVEL,16,16,0,U8x4,1,1,WRAP,1,5,1,0,0,100,0,0,T_BITS,C_RANDOM,-1,2,600,4)
 X("tri_pt",G2D,LEVEL,16,16,0,F32x4,0,0,WRAP,1,5,1,0,0,100,0,0,T_SMALL,C_RANDOM,-1,2,400,4)
 X("tri_3d",G3D,LEVEL,16,16,16,F32x1,0,1,WRAP,1,5,1,0,0,100,0,0,T_SMALL,C_RANDOM,0,1,800,1)
 X("tri_1d",G1D,LEVEL,64,1,0,F32x4,0,1,WRAP,1,7,1,0,0,100,0,0,T_SMALL,C_RANDOM,0,1,600,4)
 X("tri_cube",GCUBE,LEVEL,16,16,6,F32x1,0,1,CLAMP,1,5,1,0,0,100,0,0,T_LEVEL,C_LOD,-1,1.0/64,400,1)
 X("tri_a2d",GA2D,LEVEL,16,16,3,F32x1,0,1,CLAMP,1,5,1,0,0,100,0,0,T_SMALL,C_RANDOM,0,1,300,1)
 /* gradients */
 X("grad1_1d",G1D,GRAD,1024,1,0,F32x1,0,1,CLAMP,1,11,1,0,0,100,0,0,T_LEVEL,C_GRAD1,0,0,1500,1)
 X("grad2_1d",G1D,GRAD,1024,1,0,F32x1,0,1,CLAMP,1,11,1,0,0,100,0,0,T_LEVEL,C_GRAD,0,0,600,1)
 X("grad1_2d",G2D,GRAD,256,256,0,F32x1,0,1,CLAMP,1,9,1,0,0,100,0,0,T_LEVEL,C_GRAD1,0,0,800,1)
 X("grad2_2d",G2D,GRAD,256,128,0,F32x1,0,1,CLAMP,1,9,1,0,0,100,0,0,T_LEVEL,C_GRAD,0,0,2000,1)
 X("grad2_3d",G3D,GRAD,64,32,16,F32x1,0,1,CLAMP,1,7,1,0,0,100,0,0,T_LEVEL,C_GRAD,0,0,1500,1)
 X("grad_cube",GCUBE,GRAD,128,128,6,F32x1,0,1,CLAMP,1,8,1,0,0,100,0,0,T_LEVEL,C_GRAD,0,0,1000,1)
 X("grad_bias",G2D,GRAD,256,128,0,F32x1,0,1,CLAMP,1,9,1,0.7131f,0,100,0,0,T_LEVEL,C_GRAD,0,0,300,1)
 /* gather */
 P("gath_sweep",G2D,GATHER0,8,8,0,F32x1,0,1,CLAMP,0,T_INDEX,C_SWEEP,0.9,1.0/4096,1000,4)
 P("gath_pt",G2D,GATHER0,8,8,0,F32x1,0,0,CLAMP,0,T_INDEX,C_SWEEP,0.9,1.0/1024,250,4)
 P("gath_ties",G2D,GATHER0,16,16,0,F32x1,0,1,CLAMP,1,T_INDEX,C_TIES,0,0,500,4)
 P("gath_wrap",G2D,GATHER1,7,5,0,F32x4,0,1,WRAP,1,T_INDEX,C_RANDOM,-2,2,300,4)
 P("gath_mirr",G2D,GATHER2,7,5,0,F32x4,0,1,MIRROR,1,T_INDEX,C_RANDOM,-2,2,300,4)
 P("gath_bord",G2D,GATHER3,7,5,0,F32x4,0,1,BORDER,1,T_INDEX,C_RANDOM,-1,2,300,4)
 P("gath_u8",G2D,GATHER1,7,5,0,U8x4,1,1,CLAMP,1,T_BITS,C_RANDOM,-1,2,100,4)
 P("gath_u8x1",G2D,GATHER1,7,5,0,U8x1,0,0,CLAMP,1,T_BITS,C_RANDOM,-1,2,20,4)
 /* srgb */
 X("srgb_all",G1D,TEX,256,1,0,U8x4,1,0,CLAMP,0,1,0,0,0,0,0,1,T_ALL,C_SWEEP,0.5,1,256,4)
 X("srgb_lin",G2D,TEX,16,16,0,U8x4,1,1,CLAMP,0,1,0,0,0,0,0,1,T_BITS,C_RANDOM,0,1,500,4)
 X("srgb_one",G1D,TEX,256,1,0,U8x1,1,0,CLAMP,0,1,0,0,0,0,0,1,T_ALL,C_SWEEP,0.5,1,16,4)
 /* linear memory */
 P("lin_f32",GLIN,FETCH,20,1,0,F32x1,0,0,CLAMP,0,T_INDEX,C_INT,0,0,60,4)
 P("lin_u8x4n",GLIN,FETCH,20,1,0,U8x4,1,0,CLAMP,0,T_BITS,C_INT,0,0,60,4)
 P("lin_s16",GLIN,FETCH,20,1,0,S16x4,0,0,CLAMP,0,T_BITS,C_INT,0,0,60,4)
 P("lin_f16x4",GLIN,FETCH,20,1,0,F16x4,0,0,CLAMP,0,T_SMALL,C_INT,0,0,60,4)
 P("pitch_pt",GPITCH,TEX,20,9,0,F32x1,0,0,CLAMP,0,T_INDEX,C_RANDOM,-1,2,200,1)
 P("pitch_li",GPITCH,TEX,20,9,0,F32x4,0,1,CLAMP,0,T_SMALL,C_RANDOM,-1,2,300,4)
 P("pitch_wrap",GPITCH,TEX,20,9,0,F32x1,0,1,WRAP,1,T_INDEX,C_RANDOM,-1,2,200,1)
 P("pitch_mirr",GPITCH,TEX,20,9,0,F32x1,0,1,MIRROR,1,T_INDEX,C_RANDOM,-1,2,200,1)
 P("arr_int",G1D,FETCH,20,1,0,F32x1,0,0,CLAMP,0,T_INDEX,C_INT,0,0,60,4)
};
#define NEX (sizeof exps/sizeof*exps)
static inline int mipdim(int w,int l){ w>>=l; return w?w:1; }
