#include "lookups.h"
#include <cuda_runtime.h>
#define CK(x) do{ cudaError_t e_=(x); if(e_){ fprintf(out,"! %s line %d: %s\n",#x,__LINE__,cudaGetErrorString(e_)); cudaGetLastError(); ok=0; } }while(0)
#define OUT "=r"(o.x),"=r"(o.y),"=r"(o.z),"=r"(o.w)
#define D4 "{%0,%1,%2,%3}"
#define BODY(FN,TY) \
__global__ void FN(cudaTextureObject_t t,const struct in*in,uint4*res,int n,int geom,int op){ int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n) return; struct in v=in[i]; uint4 o=make_uint4(0xdead,0,0,0); \
 switch(geom*16+op){ \
 case G1D*16+TEX: asm volatile("tex.1d.v4." TY ".f32 " D4 ",[%4,{%5}];":OUT:"l"(t),"f"(v.x)); break; \
 case G2D*16+TEX: case GPITCH*16+TEX: asm volatile("tex.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"f"(v.x),"f"(v.y)); break; \
 case G3D*16+TEX: asm volatile("tex.3d.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}];":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z)); break; \
 case GA1D*16+TEX: asm volatile("tex.a1d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"r"(v.layer),"f"(v.x)); break; \
 case GA2D*16+TEX: asm volatile("tex.a2d.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}];":OUT:"l"(t),"r"(v.layer),"f"(v.x),"f"(v.y)); break; \
 case GCUBE*16+TEX: asm volatile("tex.cube.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}];":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z)); break; \
 case GACUBE*16+TEX: asm volatile("tex.acube.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%8}];":OUT:"l"(t),"r"(v.layer),"f"(v.x),"f"(v.y),"f"(v.z)); break; \
 case G1D*16+LEVEL: asm volatile("tex.level.1d.v4." TY ".f32 " D4 ",[%4,{%5}],%6;":OUT:"l"(t),"f"(v.x),"f"(v.lod)); break; \
 case G2D*16+LEVEL: asm volatile("tex.level.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}],%7;":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.lod)); break; \
 case G3D*16+LEVEL: asm volatile("tex.level.3d.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}],%8;":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z),"f"(v.lod)); break; \
 case GA2D*16+LEVEL: asm volatile("tex.level.a2d.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}],%8;":OUT:"l"(t),"r"(v.layer),"f"(v.x),"f"(v.y),"f"(v.lod)); break; \
 case GCUBE*16+LEVEL: asm volatile("tex.level.cube.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}],%8;":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z),"f"(v.lod)); break; \
 case G1D*16+GRAD: asm volatile("tex.grad.1d.v4." TY ".f32 " D4 ",[%4,{%5}],{%6},{%7};":OUT:"l"(t),"f"(v.x),"f"(v.dx[0]),"f"(v.dy[0])); break; \
 case G2D*16+GRAD: asm volatile("tex.grad.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}],{%7,%8},{%9,%10};":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.dx[0]),"f"(v.dx[1]),"f"(v.dy[0]),"f"(v.dy[1])); break; \
 case G3D*16+GRAD: asm volatile("tex.grad.3d.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}],{%8,%9,%10,%10},{%11,%12,%13,%13};":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z),"f"(v.dx[0]),"f"(v.dx[1]),"f"(v.dx[2]),"f"(v.dy[0]),"f"(v.dy[1]),"f"(v.dy[2])); break; \
 case GCUBE*16+GRAD: asm volatile("tex.grad.cube.v4." TY ".f32 " D4 ",[%4,{%5,%6,%7,%7}],{%8,%9,%10,%10},{%11,%12,%13,%13};":OUT:"l"(t),"f"(v.x),"f"(v.y),"f"(v.z),"f"(v.dx[0]),"f"(v.dx[1]),"f"(v.dx[2]),"f"(v.dy[0]),"f"(v.dy[1]),"f"(v.dy[2])); break; \
 case G2D*16+GATHER0: asm volatile("tld4.r.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"f"(v.x),"f"(v.y)); break; \
 case G2D*16+GATHER1: asm volatile("tld4.g.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"f"(v.x),"f"(v.y)); break; \
 case G2D*16+GATHER2: asm volatile("tld4.b.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"f"(v.x),"f"(v.y)); break; \
 case G2D*16+GATHER3: asm volatile("tld4.a.2d.v4." TY ".f32 " D4 ",[%4,{%5,%6}];":OUT:"l"(t),"f"(v.x),"f"(v.y)); break; \
 case GLIN*16+FETCH: case G1D*16+FETCH: asm volatile("tex.1d.v4." TY ".s32 " D4 ",[%4,{%5}];":OUT:"l"(t),"r"(v.ix)); break; \
 } res[i]=o; }
BODY(fetch_f,"f32")
BODY(fetch_u,"u32")
int main(int argc,char**argv){ FILE*out=fopen(argc>1?argv[1]:"lookups.txt","w"); int ok;
 for(unsigned k=0;k<NEX;k++){ const struct ex*e=&exps[k]; ok=1; int fb=fmts[e->fmt].bits,ch=fmts[e->fmt].ch,kind=fmts[e->fmt].kind; int tb=fb/8*ch;
  cudaChannelFormatDesc cd=cudaCreateChannelDesc(fb,ch>1?fb:0,ch>2?fb:0,ch>2?fb:0,kind==0?cudaChannelFormatKindFloat:kind==1?cudaChannelFormatKindUnsigned:cudaChannelFormatKindSigned);
  cudaResourceDesc rd; memset(&rd,0,sizeof rd); cudaTextureDesc td; memset(&td,0,sizeof td); cudaArray_t arr=0; cudaMipmappedArray_t mm=0; void*lin=0;
  int cube=e->geom==GCUBE||e->geom==GACUBE, lay=e->geom==GA1D||e->geom==GA2D||e->geom==GACUBE;
  unsigned fl=(cube?cudaArrayCubemap:0)|(lay?cudaArrayLayered:0)|(e->op>=GATHER0&&e->op<=GATHER3?cudaArrayTextureGather:0);
  cudaExtent ext=make_cudaExtent(e->w,(e->geom==G1D||e->geom==GA1D)?0:e->h,(e->geom==G3D||cube||lay)?e->d:0);
  if(e->geom==GLIN||e->geom==GPITCH){ size_t pitch=e->w*tb; if(e->geom==GPITCH) CK(cudaMallocPitch(&lin,&pitch,e->w*tb,e->h)); else CK(cudaMalloc(&lin,pitch));
    for(int y=0;y<e->h;y++){ unsigned char*row=(unsigned char*)calloc(e->w,tb); for(int x=0;x<e->w;x++) for(int c=0;c<ch;c++){ uint32_t b=texel(e,0,0,y,x,c); memcpy(row+x*tb+c*fb/8,&b,fb/8);} CK(cudaMemcpy((char*)lin+y*pitch,row,e->w*tb,cudaMemcpyHostToDevice)); free(row);} 
    if(e->geom==GLIN){ rd.resType=cudaResourceTypeLinear; rd.res.linear.devPtr=lin; rd.res.linear.desc=cd; rd.res.linear.sizeInBytes=e->w*tb; }
    else { rd.resType=cudaResourceTypePitch2D; rd.res.pitch2D.devPtr=lin; rd.res.pitch2D.desc=cd; rd.res.pitch2D.width=e->w; rd.res.pitch2D.height=e->h; rd.res.pitch2D.pitchInBytes=pitch; } }
  else { if(e->levels>1) CK(cudaMallocMipmappedArray(&mm,&cd,ext,e->levels,fl)); else CK(cudaMalloc3DArray(&arr,&cd,ext,fl));
   for(int l=0;l<e->levels&&ok;l++){ cudaArray_t a=arr; if(mm) CK(cudaGetMipmappedArrayLevel(&a,mm,l)); int w=mipdim(e->w,l),h=mipdim(e->h,l),d=e->geom==G3D?mipdim(e->d,l):(e->d?e->d:1);
    unsigned char*all=(unsigned char*)calloc((size_t)w*h*d,tb); for(int z=0;z<d;z++) for(int y=0;y<h;y++) for(int x=0;x<w;x++) for(int c=0;c<ch;c++){ uint32_t b=texel(e,l,z,y,x,c); memcpy(all+(((size_t)z*h+y)*w+x)*tb+c*fb/8,&b,fb/8);} 
    cudaMemcpy3DParms p; memset(&p,0,sizeof p); p.srcPtr=make_cudaPitchedPtr(all,w*tb,w,h); p.dstArray=a; p.extent=make_cudaExtent(w,h,d); p.kind=cudaMemcpyHostToDevice; CK(cudaMemcpy3D(&p)); free(all); }
   if(mm){ rd.resType=cudaResourceTypeMipmappedArray; rd.res.mipmap.mipmap=mm; } else { rd.resType=cudaResourceTypeArray; rd.res.array.array=arr; } }
  static const cudaTextureAddressMode am[]={cudaAddressModeWrap,cudaAddressModeClamp,cudaAddressModeMirror,cudaAddressModeBorder};
  for(int q=0;q<3;q++) td.addressMode[q]=am[e->addr]; td.filterMode=e->filter?cudaFilterModeLinear:cudaFilterModePoint; td.readMode=e->normread?cudaReadModeNormalizedFloat:cudaReadModeElementType; td.normalizedCoords=e->norm; td.sRGB=e->srgb;
  if(e->border){ td.borderColor[0]=0.3f; td.borderColor[1]=-1.7f; td.borderColor[2]=1e10f; td.borderColor[3]=100.6f; }
  td.mipmapFilterMode=e->mip?cudaFilterModeLinear:cudaFilterModePoint; td.mipmapLevelBias=e->bias; td.minMipmapLevelClamp=e->minl; td.maxMipmapLevelClamp=e->maxl;
  cudaTextureObject_t t=0; if(ok) CK(cudaCreateTextureObject(&t,&rd,&td,NULL));
  fprintf(out,"E %s ok=%d handle=%llx\n",e->name,ok,(unsigned long long)t);
  if(ok){ struct in*hi=(struct in*)calloc(e->n,sizeof*hi),*di; uint4*dr,*hr=(uint4*)calloc(e->n,16); for(int i=0;i<e->n;i++) hi[i]=input(e,i);
   CK(cudaMalloc(&di,e->n*sizeof*hi)); CK(cudaMalloc(&dr,e->n*16)); CK(cudaMemcpy(di,hi,e->n*sizeof*hi,cudaMemcpyHostToDevice));
   if(kind==0||e->normread) fetch_f<<<(e->n+127)/128,128>>>(t,di,dr,e->n,e->geom,e->op); else fetch_u<<<(e->n+127)/128,128>>>(t,di,dr,e->n,e->geom,e->op);
   CK(cudaDeviceSynchronize()); CK(cudaMemcpy(hr,dr,e->n*16,cudaMemcpyDeviceToHost));
   if(ok){ int col=0; for(int i=0;i<e->n;i++) for(int c=0;c<e->outs;c++){ fprintf(out,"%x%c",((unsigned*)&hr[i])[c],++col%16?' ':'\n'); } fprintf(out,"\n"); }
   cudaFree(di);cudaFree(dr);free(hi);free(hr); }
  if(t) cudaDestroyTextureObject(t); if(arr) cudaFreeArray(arr); if(mm) cudaFreeMipmappedArray(mm); if(lin) cudaFree(lin);
 } fprintf(out,"done\n"); fclose(out); return 0; }
