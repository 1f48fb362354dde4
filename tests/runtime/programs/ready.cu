/* clang-format off */
/* ready - an event that is not ready is an answer, not an error. Clusters that attributes of a function demand. */
#include <cstdio>
#include <cuda_runtime.h>
__global__ void spin(long long n){ long long t=clock64(); while(clock64()-t<n); }
__global__ void plain(){}
int main(){ cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t e,f; cudaEventCreate(&e); cudaEventCreate(&f); spin<<<1,1,0,s>>>(1000);cudaDeviceSynchronize();
 cudaEventRecord(f,s); spin<<<1,1,0,s>>>(400000000ll); cudaEventRecord(e,s);
 int r=cudaEventQuery(e); printf("event query %d peek %d get %d\n", r,(int)cudaPeekAtLastError(),(int)cudaGetLastError());
 r=cudaStreamQuery(s); printf("stream query %d peek %d get %d\n", r,(int)cudaPeekAtLastError(),(int)cudaGetLastError());
 float ms; r=cudaEventElapsedTime(&ms,f,e); printf("elapsed %d peek %d get %d\n", r,(int)cudaPeekAtLastError(),(int)cudaGetLastError());
 r=cudaEventQuery(e); plain<<<1,1>>>(); printf("query %d then launch: peek %d get %d\n", r,(int)cudaPeekAtLastError(),(int)cudaGetLastError());
 r=cudaEventQuery(e); r=cudaMalloc((void**)&ms,(size_t)-1); printf("malloc %d peek %d get %d\n", r,(int)cudaPeekAtLastError(),(int)cudaGetLastError());
 cudaDeviceSynchronize();
 // clusters by attributes
 cudaFuncSetAttribute((void*)plain,cudaFuncAttributeRequiredClusterWidth,2);
 for(int x=0;x<4;x++){ for(int full=0;full<2;full++){ if(full){cudaFuncSetAttribute((void*)plain,cudaFuncAttributeRequiredClusterHeight,1);cudaFuncSetAttribute((void*)plain,cudaFuncAttributeRequiredClusterDepth,1);} else {cudaFuncSetAttribute((void*)plain,cudaFuncAttributeRequiredClusterHeight,0);cudaFuncSetAttribute((void*)plain,cudaFuncAttributeRequiredClusterDepth,0);}
  cudaLaunchConfig_t c={}; c.gridDim=8; c.blockDim=32; cudaLaunchAttribute a[1]; a[0].id=cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x=x?x:1; a[0].val.clusterDim.y=1; a[0].val.clusterDim.z=1; c.attrs=a; c.numAttrs=x?1:0; int q=cudaLaunchKernelEx(&c,plain); printf("full %d attr %d: %d sync %d\n",full,x,q,(int)cudaDeviceSynchronize()); cudaGetLastError(); }} return 0;
}
