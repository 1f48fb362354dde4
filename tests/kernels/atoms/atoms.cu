// Atomics of one address and of several, with and without a use of the result; shuffles from lanes that do not take part;
// shared memory of the other block of a cluster. Names are those of cases that were compared with the machine code.
#define K(name) extern "C" __global__ void name(int*x,int*y,int n,unsigned*u)
#define S __shared__ int s[64]; int t=threadIdx.x; s[t&63]=0; __syncthreads();
#define E __syncthreads(); y[t]=s[t&63];
K(at_c0){S atomicAdd(&s[3],x[t]); E}
K(at_c1){S atomicAdd(&s[blockIdx.x&3],x[t]); E}
K(at_c2){S for(int k=0;k<n;k++) atomicAdd(&s[k],x[t+k]); E}
K(at_c3){S atomicAdd(&s[t>>5],x[t]); E}
K(at_c4){S y[t+99]=atomicAdd(&s[3],x[t]); E}
K(at_c5){S if(t&1) atomicAdd(&s[3],x[t]); E}
K(at_c6){S atomicAdd(&s[3],1); E}
K(at_c7){S atomicAdd(&s[3],n); E}
K(at_c8){S atomicAdd((float*)&s[3],1.f); E}
K(at_c9){S atomicAdd((unsigned long long*)&s[4],(unsigned long long)x[t]); E}
K(at_d0){S atomicExch(&s[4],x[t]); E}
K(at_d1){S atomicInc((unsigned*)&s[4],x[t]); E}
K(at_d2){S atomicAdd(&s[x[0]],x[t]); E}
K(at_d3){S atomicAdd(&s[n],x[t]); E}
K(at_d4){S atomicMin(&s[n],x[t]); E}
K(at_d5){S atomicMax((unsigned*)&s[n+1],u[t]); E}
K(at_d6){S atomicOr((unsigned*)&s[n+1],u[t]); E}
K(at_d7){S if(n>x[t]) atomicAdd(&s[3],5); E}
K(at_d8){S atomicAdd(&s[3],-x[t]); E}
K(at_d9){S for(int i=t;i<n;i+=blockDim.x){ atomicAdd(&s[7],x[i]); } E}
K(at_e0){S asm volatile("red.shared.add.u32 [%0], %1;"::"r"((unsigned)__cvta_generic_to_shared(&s[3])),"r"(x[t]):"memory"); E}
K(at_e1){S asm volatile("red.shared.add.s32 [%0], %1;"::"r"((unsigned)__cvta_generic_to_shared(&s[n])),"r"(x[t]):"memory"); E}
K(at_e2){S atomicAdd(&s[3],t); E}
K(at_e3){S atomicMax(&s[3],t*7); E}
K(at_e4){S atomicAnd(&s[threadIdx.y],x[t]); E}
K(at_e5){extern __shared__ int d[]; int t=threadIdx.x; d[t]=0; __syncthreads(); atomicAdd(&d[0],x[t]); __syncthreads(); y[t]=d[t];}
K(at_e6){S int *p=&s[3]; if(n) p=&s[4]; atomicAdd(p,x[t]); E}
K(at_e7){S atomicAdd_block(&s[3],x[t]); E}
K(at_e8){S atomicSub(&s[3],x[t]); E}
K(at_e9){S if(t==0) atomicAdd(&s[3],x[t]); E}
#define Sat2 __shared__ int s[64]; int t=threadIdx.x; s[t&63]=0; __syncthreads();
K(at2_a0){Sat2 if(t%7==0) atomicAdd(&s[3],3); E}
K(at2_a1){Sat2 if(t%7==0) atomicAdd(&s[3],x[t]); E}
K(at2_a2){Sat2 if(t<5) atomicAdd(&s[3],x[t]); E}
K(at2_a3){Sat2 if(t<5) atomicAdd(&s[3],3); E}
K(at2_a4){Sat2 if(t&1) atomicAdd(&s[3],3); E}
K(at2_a5){Sat2 if(x[t]>0) atomicAdd(&s[3],3); E}
K(at2_a6){Sat2 if(t==5) atomicAdd(&s[3],3); E}
K(at2_a7){Sat2 if((t&31)==0) atomicAdd(&s[3],x[t]); E}
K(at2_a8){Sat2 if(t>n) atomicAdd(&s[3],3); E}
K(at2_a9){Sat2 if(t<n) atomicAdd(&s[3],x[t]); E}
K(at2_b0){Sat2 int v=x[t]; if(t<n) atomicAdd(&s[3],v); E}
K(at2_b1){Sat2 int v=x[t]; if(t%7==0) atomicAdd(&s[3],v); E}
K(at2_b2){Sat2 int v=x[t]; if((t&31)==0) atomicAdd(&s[3],v); E}
K(at2_b3){Sat2 int v=x[t]; for(int d=16;d;d>>=1) v+=__shfl_down_sync(~0u,v,d); if((t&31)==0) atomicAdd(&s[3],v); E}
K(at2_b4){Sat2 if(t%7==0) atomicAdd(&s[3],3); if (t<9) atomicMax(&s[4],t); E}
K(at2_b5){Sat2 int v=x[t]; if(v>n) atomicMax(&s[3],v); E}
K(at2_b6){Sat2 for(int i=t;i<n;i+=64) { int v=x[i]; atomicMin(&s[v&31],v);} if(t%7==0) atomicAdd(&s[3],3); E}
K(at2_b7){Sat2 for(int i=t;i<n;i+=64) { int v=x[i]; if(v>3) atomicAdd(&s[3],1+v);} E}
#define Sat3 __shared__ int s[64]; int t=threadIdx.x; s[t&63]=0; __syncthreads(); int r=0;
#define Eat3 __syncthreads(); y[t]=s[t&63]; y[t+64]=r;
K(at3_a0){Sat3 r=atomicAdd(&s[3],1); Eat3}
K(at3_a1){Sat3 r=atomicAdd(&s[3],x[t]); Eat3}
K(at3_a2){Sat3 r=atomicSub(&s[3],x[t]); Eat3}
K(at3_a3){Sat3 r=atomicMax(&s[3],x[t]); Eat3}
K(at3_a4){Sat3 r=atomicOr(&s[3],x[t]); Eat3}
K(at3_a5){Sat3 r=atomicXor(&s[n],x[t]); Eat3}
K(at3_a6){Sat3 if(x[t]>3) r=atomicAdd(&s[3],1); Eat3}
K(at3_a7){Sat3 if(x[t]>3) r=atomicAdd(&s[3],x[t]); Eat3}
K(at3_a8){Sat3 r=atomicAdd(&s[n],5); Eat3}
K(at3_a9){Sat3 if(t==0) r=atomicAdd(&s[3],5); Eat3}
K(at3_b0){Sat3 if(t%7==0) r=atomicAdd(&s[3],5); Eat3}
K(at3_b1){Sat3 r=atomicExch(&s[3],5); Eat3}
K(at3_b2){Sat3 r=atomicInc((unsigned*)&s[3],5); Eat3}
K(at3_b3){Sat3 for(int i=t;i<n;i+=64) r+=atomicAdd(&s[3],x[i]); Eat3}
K(at3_b4){Sat3 if(x[t]>3) r=atomicAdd(&s[3],n); Eat3}
K(at3_b5){Sat3 r=atomicAdd(&s[3],t); Eat3}
// values of lanes that do not take part
K(shfl_exited){ int t=threadIdx.x; if ((t&31)>=20) return; y[t]=__shfl_sync(~0u, t+1000, t+13); }
K(shfl_absent){ int t=threadIdx.x; y[t]=__shfl_xor_sync(~0u, t+1000, 16); y[t+64]=__shfl_down_sync(~0u, t+2000, 5); y[t+128]=__shfl_up_sync(~0u,t+3000,3); }
K(shfl_masked){ int t=threadIdx.x, v=t+1000; if ((t&31)<12) { y[t]=__shfl_sync(0xfff, v, t+7); y[t+64]=__shfl_xor_sync(0xfff, v, 8);} else { y[t]=v*3; y[t+64]=__shfl_sync(0xfffff000u, v, t-12);} }
K(shfl_pred){ int t=threadIdx.x, v=t+1000; if (x[t]>0) v=__shfl_down_sync(__activemask(), v, 1); y[t]=v; }
extern "C" __global__ void __cluster_dims__(2) remote(int*x,int*y,int n,unsigned*u){ __shared__ int s[128]; int t=threadIdx.x; unsigned a=(unsigned)__cvta_generic_to_shared(s), r, other; asm volatile("mov.u32 %0, %%cluster_ctarank;":"=r"(r)); s[t]=t; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory");
 asm volatile("mapa.shared::cluster.u32 %0, %1, %2;":"=r"(other):"r"(a),"r"(r^1)); asm volatile("st.shared::cluster.u32 [%0], %1;"::"r"(other+4*t),"r"(t*2):"memory"); asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); y[blockIdx.x*128+t]=s[t]; }
extern "C" __global__ void __cluster_dims__(2) remote_generic(int*x,int*y,int n,unsigned*u){ __shared__ int s[128]; int t=threadIdx.x; unsigned r; unsigned long long other; asm volatile("mov.u32 %0, %%cluster_ctarank;":"=r"(r)); s[t]=t; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory");
 asm volatile("mapa.u64 %0, %1, %2;":"=l"(other):"l"((unsigned long long)s),"r"(r^1)); ((int*)other)[t*2&127]=t*2; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); y[blockIdx.x*128+t]=s[t]; asm volatile("mapa.u64 %0, %1, %2;":"=l"(other):"l"((unsigned long long)s),"r"(r)); y[512+blockIdx.x*128+t]=((volatile int*)other)[t*4&127]; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); }
extern "C" __global__ void __cluster_dims__(2) remote_atomics(int*x,int*y,int n,unsigned*u){ __shared__ int s[128]; int t=threadIdx.x; unsigned r; unsigned long long other; asm volatile("mov.u32 %0, %%cluster_ctarank;":"=r"(r)); s[t]=0; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory");
 asm volatile("mapa.u64 %0, %1, %2;":"=l"(other):"l"((unsigned long long)s),"r"(r^1)); atomicAdd((int*)other+(t>>2), t); asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); y[blockIdx.x*128+t]=s[t]; }
extern "C" __global__ void __cluster_dims__(2) own_atomics(int*x,int*y,int n,unsigned*u){ __shared__ int s[128]; int t=threadIdx.x; unsigned r; unsigned long long other; asm volatile("mov.u32 %0, %%cluster_ctarank;":"=r"(r)); s[t]=0; asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory");
 asm volatile("mapa.u64 %0, %1, %2;":"=l"(other):"l"((unsigned long long)s),"r"(r)); atomicAdd((int*)other+(t>>2), t); asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;":::"memory"); y[blockIdx.x*128+t]=s[t]; }
