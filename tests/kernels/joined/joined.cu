// Kernels with neighbouring accesses of shared memory: written by lab/merge/kernels.py.
extern "C" __global__ void k0(const float*x,float*y,int n) {
  __shared__ double s0[1028];
  __shared__ double s1[2048];
  __shared__ double s2[522];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(double)x[i];
  for(int i=t;i<2048;i+=128) s1[i]=(double)x[i+1];
  for(int i=t;i<522;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 2
  for(int j=0;j<12;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  if(n>2+l) { acc+=(float)s2[l*4]; acc*=(float)s2[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k3(const float*x,float*y,int n) {
  __shared__ float s0[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s0[(row*32+col+8*j)%1031]=(float)(acc+j); s0[(row*32+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k4(const float*x,float*y,int n) {
  __shared__ int s0[2048];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<2048;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<3;j++){ s0[(row*64+col+8*j)%510]=(int)(acc+j); s0[(row*64+col+8*j)%510+1]=(int)(acc-j);} __syncthreads(); }
  for(int j=0;j<n;j++) acc+=(float)s0[l*8+j];
  for(int j=0;j<32;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<2048;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k5(const float*x,float*y,int n) {
  __shared__ int s0[520];
  __shared__ int s1[512];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  s0[t*2]=(int)(acc+1); s0[t*2+1]=(int)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+2)&255]+(float)s0[((t*2+8)&255)+1]; __syncthreads();
  for(int j=0;j<32;j++) acc+=(float)s1[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k8(const float*x,float*y,int n) {
  __shared__ int s0[520];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  s0[t*2]=(int)(acc+1); s0[t*2+1]=(int)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+4)&255]+(float)s0[((t*2+4)&255)+1]; __syncthreads();
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s0[(l*4+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k11(const float*x,float*y,int n) {
  __shared__ float s0[523];
  __shared__ float s1[520];
  __shared__ float s2[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<523;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 4
  for(int j=0;j<12;j++) { acc+=(float)s2[j*4+(l&3)]*s2[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<523;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k13(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ int s1[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  if(n>1+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  for(int j=0;j<n;j++) acc+=(float)s0[l*8+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k15(const float*x,float*y,int n) {
  __shared__ float s0[520];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  acc+=(float)(s0[2*l]*s0[2*l+1]); s0[2*l+0+64]=(float)acc; acc+=(float)s0[4*l+1]; __syncthreads();
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s0[(l*4+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k17(const float*x,float*y,int n) {
  __shared__ int s0[1028];
  __shared__ unsigned short s1[512];
  __shared__ double s2[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(unsigned short)x[i+1];
  for(int i=t;i<1032;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s2[l*1+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
#pragma unroll 4
  for(int j=0;j<12;j++) { acc+=(float)s2[j*4+(l&3)]*s1[j]; }
#pragma unroll 4
  for(int j=0;j<33;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k18(const float*x,float*y,int n) {
  __shared__ float s0[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*8+j];
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  if(n>1+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
#pragma unroll 1
  for(int j=0;j<12;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k19(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*1+j];
  if(n>1+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  if(n>1+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k20(const float*x,float*y,int n) {
  __shared__ int s0[1032];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  { int q=l*8; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k23(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  __shared__ unsigned short s1[1024];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1024;i+=128) s1[i]=(unsigned short)x[i+1];
  __syncthreads();
  float acc=0;
  { int q=l*1; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k24(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ float s1[520];
  __shared__ float s2[520];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s1[(l*8+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k25(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  __shared__ float s1[1028];
  __shared__ double s2[516];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1028;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<516;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 2
  for(int j=0;j<12;j++) { acc+=(float)s2[j*4+(l&3)]*s2[j]; }
  acc+=(float)(s2[2*l]*s2[2*l+1]); s2[2*l+1+64]=(double)acc; acc+=(float)s2[4*l+2]; __syncthreads();
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k27(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ unsigned short s1[1028];
  __shared__ double s2[1024];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<1028;i+=128) s1[i]=(unsigned short)x[i+1];
  for(int i=t;i<1024;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  { int q=l*1; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s2[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k28(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<16;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<64;j++) acc+=(float)s0[l*1+j];
  { int q=l*2; 
#pragma unroll
  for(int j=0;j<4;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k30(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ float s1[2048];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<2048;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 1
  for(int j=0;j<12;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k32(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  { int q=l*8; 
#pragma unroll
  for(int j=0;j<2;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k33(const float*x,float*y,int n) {
  __shared__ float s0[522];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<522;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
#pragma unroll 4
  for(int j=0;j<33;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<522;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k38(const float*x,float*y,int n) {
  __shared__ double s0[516];
  __shared__ double s1[512];
  __shared__ double s2[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<516;i+=128) s0[i]=(double)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(double)x[i+1];
  for(int i=t;i<1032;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s2[(l*4+j+i)];
  }
  for(int j=0;j<5;j++) acc+=(float)s2[l*4+j];
  for(int j=0;j<n;j++) acc+=(float)s1[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<516;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k39(const float*x,float*y,int n) {
  __shared__ int s0[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  if(n>2+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k40(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ int s1[1032];
  __shared__ double s2[520];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1032;i+=128) s1[i]=(int)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s2[l*8+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k41(const float*x,float*y,int n) {
  __shared__ int s0[520];
  __shared__ int s1[1028];
  __shared__ int s2[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<1028;i+=128) s1[i]=(int)x[i+1];
  for(int i=t;i<512;i+=128) s2[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k42(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  s0[t*2]=(float)(acc+1); s0[t*2+1]=(float)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+2)&255]+(float)s0[((t*2+2)&255)+1]; __syncthreads();
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k43(const float*x,float*y,int n) {
  __shared__ int s0[521];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<521;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<521;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k44(const float*x,float*y,int n) {
  __shared__ float s0[520];
  __shared__ unsigned short s1[1024];
  __shared__ float s2[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1024;i+=128) s1[i]=(unsigned short)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  s2[t*2]=(float)(acc+1); s2[t*2+1]=(float)(acc+2); __syncthreads(); acc+=(float)s2[(t*2+8)&255]+(float)s2[((t*2+8)&255)+1]; __syncthreads();
  acc+=(float)(s1[2*l]*s1[2*l+1]); s1[2*l+0+64]=(unsigned short)acc; acc+=(float)s1[4*l+1]; __syncthreads();
  if(n>0+l) { acc+=(float)s2[l*4]; acc*=(float)s2[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k46(const float*x,float*y,int n) {
  __shared__ double s0[1024];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s0[(row*32+col+8*j)%510]=(double)(acc+j); s0[(row*32+col+8*j)%510+1]=(double)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k47(const float*x,float*y,int n) {
  __shared__ float s0[523];
  __shared__ float s1[2048];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<523;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<2048;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  { int q=l*1; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<523;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k48(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ float s1[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k52(const float*x,float*y,int n) {
  __shared__ float s0[1032];
  __shared__ int s1[2048];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<2048;i+=128) s1[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<3;j++){ s0[(row*64+col+8*j)%510]=(float)(acc+j); s0[(row*64+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  for(int j=0;j<16;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  if(n>1+l) { acc+=(float)s1[l*4]; acc*=(float)s1[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k53(const float*x,float*y,int n) {
  __shared__ double s0[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k55(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  { int q=l*8; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
#pragma unroll 2
  for(int j=0;j<33;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
#pragma unroll 4
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k57(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  s0[t*2]=(int)(acc+1); s0[t*2+1]=(int)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+8)&255]+(float)s0[((t*2+2)&255)+1]; __syncthreads();
#pragma unroll 2
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k59(const float*x,float*y,int n) {
  __shared__ float s0[512];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s0[(l*4+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k60(const float*x,float*y,int n) {
  __shared__ int s0[1028];
  __shared__ double s1[1032];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<1032;i+=128) s1[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*16+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k61(const float*x,float*y,int n) {
  __shared__ float s0[1032];
  __shared__ float s1[1032];
  __shared__ double s2[1032];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1032;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<1032;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 1
  for(int j=0;j<33;j++) { acc+=(float)s2[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k62(const float*x,float*y,int n) {
  __shared__ float s0[521];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<521;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
#pragma unroll 1
  for(int j=0;j<12;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  for(int j=0;j<n;j++) acc+=(float)s0[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<521;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k63(const float*x,float*y,int n) {
  __shared__ double s0[1028];
  __shared__ float s1[516];
  __shared__ int s2[516];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(double)x[i];
  for(int i=t;i<516;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<516;i+=128) s2[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<16;j++) acc+=(float)s2[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k64(const float*x,float*y,int n) {
  __shared__ float s0[512];
  __shared__ unsigned short s1[520];
  __shared__ double s2[1024];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(unsigned short)x[i+1];
  for(int i=t;i<1024;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  { int q=l*4; 
#pragma unroll
  for(int j=0;j<2;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k65(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ double s1[2048];
  __shared__ int s2[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<2048;i+=128) s1[i]=(double)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(int)x[i+1];
  __syncthreads();
  float acc=0;
  if(n>0+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k66(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s0[(l*4+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k68(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ unsigned short s1[522];
  __shared__ float s2[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<522;i+=128) s1[i]=(unsigned short)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s2[(row*36+col+8*j)%510]=(float)(acc+j); s2[(row*36+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k69(const float*x,float*y,int n) {
  __shared__ float s0[516];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<516;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
#pragma unroll 1
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  { int q=l*2; 
#pragma unroll
  for(int j=0;j<3;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<516;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k71(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  __shared__ float s1[1028];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1028;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
#pragma unroll 4
  for(int j=0;j<33;j++) { acc+=(float)s0[j*4+(l&3)]*s1[j]; }
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s0[(l*4+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k77(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ float s1[522];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<522;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*8+j];
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s1[(row*20+col+8*j)%510]=(float)(acc+j); s1[(row*20+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k80(const float*x,float*y,int n) {
  __shared__ double s0[1032];
  __shared__ double s1[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(double)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<64;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  for(int j=0;j<32;j++) acc+=(float)s1[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k81(const float*x,float*y,int n) {
  __shared__ int s0[523];
  __shared__ int s1[520];
  __shared__ float s2[1028];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<523;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(int)x[i+1];
  for(int i=t;i<1028;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<32;j++) acc+=(float)s2[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<523;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k82(const float*x,float*y,int n) {
  __shared__ double s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s0[(row*36+col+8*j)%519]=(double)(acc+j); s0[(row*36+col+8*j)%510+1]=(double)(acc-j);} __syncthreads(); }
#pragma unroll 1
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k83(const float*x,float*y,int n) {
  __shared__ double s0[520];
  __shared__ float s1[1024];
  __shared__ float s2[2048];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(double)x[i];
  for(int i=t;i<1024;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<2048;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s2[(l*8+j+i)];
  }
  for(int j=0;j<16;j++) acc+=(float)s1[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k87(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  { int q=l*8; 
#pragma unroll
  for(int j=0;j<4;j++) acc+=(float)s0[(q&255)+j]; }
  { int q=l*4; 
#pragma unroll
  for(int j=0;j<3;j++) acc+=(float)s0[(q&255)+j]; }
  for(int j=0;j<n;j++) acc+=(float)s0[l*8+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k88(const float*x,float*y,int n) {
  __shared__ float s0[520];
  __shared__ float s1[1032];
  __shared__ float s2[1024];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1032;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<1024;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*4;j+=4) {
#pragma unroll
  for(int i=0;i<4;i++) acc=acc*1.5f+(float)s1[(l*4+j+i)];
  }
  s0[t*2]=(float)(acc+1); s0[t*2+1]=(float)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+2)&255]+(float)s0[((t*2+4)&255)+1]; __syncthreads();
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k95(const float*x,float*y,int n) {
  __shared__ double s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<100;j++) acc+=(float)s0[l*1+j];
  { int q=l*4; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k96(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ unsigned short s1[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(unsigned short)x[i+1];
  __syncthreads();
  float acc=0;
  if(n>1+l) { acc+=(float)s1[l*4]; acc*=(float)s1[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k97(const float*x,float*y,int n) {
  __shared__ double s0[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s0[(row*32+col+8*j)%511]=(double)(acc+j); s0[(row*32+col+8*j)%510+1]=(double)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k98(const float*x,float*y,int n) {
  __shared__ float s0[1032];
  __shared__ double s1[516];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1032;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<516;i+=128) s1[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s1[(row*16+col+8*j)%510]=(double)(acc+j); s1[(row*16+col+8*j)%510+1]=(double)(acc-j);} __syncthreads(); }
  if(n>0+l) { acc+=(float)s1[l*4]; acc*=(float)s1[l*4+1]; }
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s0[(l*8+j+i)];
  }
  for(int j=0;j<n;j++) acc+=(float)s1[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1032;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k100(const float*x,float*y,int n) {
  __shared__ double s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(double)x[i];
  __syncthreads();
  float acc=0;
#pragma unroll 4
  for(int j=0;j<12;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  for(int j=0;j<16;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<16;j++) acc+=(float)s0[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k101(const float*x,float*y,int n) {
  __shared__ float s0[522];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<522;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  if(n>2+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  for(int j=0;j<64;j++) acc+=(float)s0[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<522;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k102(const float*x,float*y,int n) {
  __shared__ float s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  s0[t*2]=(float)(acc+1); s0[t*2+1]=(float)(acc+2); __syncthreads(); acc+=(float)s0[(t*2+8)&255]+(float)s0[((t*2+8)&255)+1]; __syncthreads();
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<3;j++){ s0[(row*36+col+8*j)%510]=(float)(acc+j); s0[(row*36+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k103(const float*x,float*y,int n) {
  __shared__ float s0[516];
  __shared__ float s1[1032];
  __shared__ float s2[520];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<516;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<1032;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  { int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<2;j++){ s0[(row*16+col+8*j)%510]=(float)(acc+j); s0[(row*16+col+8*j)%510+1]=(float)(acc-j);} __syncthreads(); }
  y[t]=acc; __syncthreads();
  for(int i=t;i<516;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k104(const float*x,float*y,int n) {
  __shared__ float s0[2048];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<2048;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<2048;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k106(const float*x,float*y,int n) {
  __shared__ float s0[512];
  __shared__ float s1[516];
  __shared__ double s2[2048];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<516;i+=128) s1[i]=(float)x[i+1];
  for(int i=t;i<2048;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n*8;j+=8) {
#pragma unroll
  for(int i=0;i<8;i++) acc=acc*1.5f+(float)s1[(l*8+j+i)];
  }
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s2[(l*2+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k107(const float*x,float*y,int n) {
  __shared__ float s0[523];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<523;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
#pragma unroll 2
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  if(n>0+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
#pragma unroll 1
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<523;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k108(const float*x,float*y,int n) {
  __shared__ float s0[1028];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1028;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<16;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<16;j++) acc+=(float)s0[l*1+j];
#pragma unroll 1
  for(int j=0;j<33;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1028;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k7(const float*x,float*y,int n) {
  __shared__ float s0[512];
  __shared__ float s1[512];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<512;i+=128) s1[i]=(float)x[i+1];
  __syncthreads();
  float acc=0;
  { int q=l*1; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  { int q=l*1; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  for(int j=0;j<100;j++) acc+=(float)s0[l*1+j];
  if(n>0+l) { acc+=(float)s1[l*4]; acc*=(float)s1[l*4+1]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k89(const float*x,float*y,int n) {
  __shared__ float s0[520];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<32;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<100;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k136(const float*x,float*y,int n) {
  __shared__ float s0[2048];
  __shared__ int s1[520];
  __shared__ double s2[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<2048;i+=128) s0[i]=(float)x[i];
  for(int i=t;i<520;i+=128) s1[i]=(int)x[i+1];
  for(int i=t;i<520;i+=128) s2[i]=(double)x[i+1];
  __syncthreads();
  float acc=0;
  for(int j=0;j<100;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<2048;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k141(const float*x,float*y,int n) {
  __shared__ float s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
#pragma unroll 4
  for(int j=0;j<16;j++) { acc+=(float)s0[j*4+(l&3)]*s0[j]; }
  for(int j=0;j<100;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<n*2;j+=2) {
#pragma unroll
  for(int i=0;i<2;i++) acc=acc*1.5f+(float)s0[(l*2+j+i)];
  }
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k188(const float*x,float*y,int n) {
  __shared__ int s0[1024];
  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  if(n>0+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  { int q=l*4; 
#pragma unroll
  for(int j=0;j<8;j++) acc+=(float)s0[(q&255)+j]; }
  { int q=l*4; 
#pragma unroll
  for(int j=0;j<2;j++) acc+=(float)s0[(q&255)+j]; }
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k258(const float*x,float*y,int n) {
  __shared__ float s0[1024];
  __shared__ int unused[33];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<1024;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  acc+=(float)(s0[2*l]*s0[2*l+1]); s0[2*l+2+64]=(float)acc; acc+=(float)s0[4*l+1]; __syncthreads();
  for(int j=0;j<100;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<5;j++) acc+=(float)s0[l*1+j];
  for(int j=0;j<100;j++) acc+=(float)s0[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<1024;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k296(const float*x,float*y,int n) {
  __shared__ int s0[512];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<512;i+=128) s0[i]=(int)x[i];
  __syncthreads();
  float acc=0;
  for(int j=0;j<n;j++) acc+=(float)s0[l*1+j];
  if(n>2+l) { acc+=(float)s0[l*4]; acc*=(float)s0[l*4+1]; }
  for(int j=0;j<64;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*1+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<512;i+=128) y[128+i]=(float)s0[i];
}
extern "C" __global__ void k310(const float*x,float*y,int n) {
  __shared__ float s0[520];
  int t=threadIdx.x, l=t&31, w=t>>5;
  for(int i=t;i<520;i+=128) s0[i]=(float)x[i];
  __syncthreads();
  float acc=0;
  acc+=(float)(s0[2*l]*s0[2*l+1]); s0[2*l+1+64]=(float)acc; acc+=(float)s0[4*l+2]; __syncthreads();
  for(int j=0;j<100;j++) acc+=(float)s0[l*4+j];
  for(int j=0;j<n;j++) acc+=(float)s0[l*4+j];
  y[t]=acc; __syncthreads();
  for(int i=t;i<520;i+=128) y[128+i]=(float)s0[i];
}
