// The barrier of a grid without a cooperative launch.
#include <cstdio>
#include <cooperative_groups.h>
#include <unistd.h>
#include <sys/wait.h>
namespace cg=cooperative_groups;
__global__ void gs(int*p){ p[threadIdx.x]=1; cg::this_grid().sync(); p[threadIdx.x]=2; }
__global__ void valid(int*q){ q[0]=cg::this_grid().is_valid(); }
#define P(x) printf("%s = %d\n",#x,(int)(x))
template<class F> void child(const char*n,F f){ fflush(stdout); pid_t c=fork(); if(!c){ printf("--- %s\n",n); f(); fflush(stdout); _exit(0);} int s; waitpid(c,&s,0); printf("exit %d\n",s);fflush(stdout);}
int main(){
 child("plain one block",[]{int*p;cudaMalloc(&p,4096); gs<<<1,32>>>(p); P(cudaGetLastError()); P(cudaDeviceSynchronize());});
 child("plain one block 256",[]{int*p;cudaMalloc(&p,4096); gs<<<1,256>>>(p); P(cudaGetLastError()); P(cudaDeviceSynchronize());});
 child("plain two blocks",[]{int*p;cudaMalloc(&p,4096); gs<<<2,32>>>(p); P(cudaGetLastError()); P(cudaDeviceSynchronize());});
 child("coop",[]{int*p;cudaMalloc(&p,4096); void*a[]={&p}; P(cudaLaunchCooperativeKernel((void*)gs,2,32,a,0,0)); P(cudaDeviceSynchronize());});
 child("valid",[]{int*q,h;cudaMalloc(&q,4096); valid<<<1,1>>>(q); cudaMemcpy(&h,q,4,cudaMemcpyDefault); P(h);});
 return 0; }
