// Values of launch attributes: launches, streams, kernel nodes.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>
#include <sys/wait.h>
__global__ void k(int*p){ if(p) p[threadIdx.x]++; }
__global__ void __cluster_dims__(2,1,1) kc(int*p){ if(p) p[threadIdx.x]++; }
#define P(x) printf("%s = %d\n",#x,(int)(x))
template<class F> void child(const char*n,F f){ fflush(stdout); pid_t c=fork(); if(!c){ printf("--- %s\n",n); f(); fflush(stdout); _exit(0);} int s; waitpid(c,&s,0); if(s)printf("exit %d\n",s);fflush(stdout);}
static void one(int id, cudaLaunchAttributeValue v, const char*what, void*kern){ cudaLaunchConfig_t c={}; c.gridDim=dim3(4); c.blockDim=dim3(64); cudaLaunchAttribute a[2]; memset(a,0,sizeof a); a[0].id=(cudaLaunchAttributeID)id; a[0].val=v; c.attrs=a; c.numAttrs=1; int*p=0; void*args[]={&p}; cudaStream_t s; cudaStreamCreate(&s); c.stream=s; int e=cudaLaunchKernelExC(&c,kern,args); int g=cudaGetLastError(); int d=cudaDeviceSynchronize(); printf("ex %s id %d: %d %d %d",what,id,e,g,d);
  // stream attr
  cudaLaunchAttributeValue o; memset(&o,0,sizeof o); int ss=cudaStreamSetAttribute(s,(cudaLaunchAttributeID)id,&v); int sg=cudaStreamGetAttribute(s,(cudaLaunchAttributeID)id,&o); printf(" stream %d %d",ss,sg); cudaGetLastError();
  // graph node
  cudaGraph_t gr; cudaGraphCreate(&gr,0); cudaGraphNode_t n; cudaKernelNodeParams kp={}; kp.func=kern; kp.gridDim=dim3(4); kp.blockDim=dim3(64); kp.kernelParams=args; int an=cudaGraphAddKernelNode(&n,gr,0,0,&kp); int sn=cudaGraphKernelNodeSetAttribute(n,(cudaLaunchAttributeID)id,&v); memset(&o,0,sizeof o); int gn=cudaGraphKernelNodeGetAttribute(n,(cudaLaunchAttributeID)id,&o); cudaGraphExec_t x; int in=cudaGraphInstantiate(&x,gr,0); int ln=in?-1:cudaGraphLaunch(x,s); int dn=cudaStreamSynchronize(s); printf(" node %d set %d get %d (%d %d %d) inst %d launch %d sync %d",an,sn,gn,((int*)&o)[0],((int*)&o)[1],id==13?0:((int*)&o)[2],in,ln,dn); cudaGetLastError();
  // driver
  CUlaunchConfig dc; memset(&dc,0,sizeof dc); dc.gridDimX=4;dc.gridDimY=dc.gridDimZ=1; dc.blockDimX=64;dc.blockDimY=dc.blockDimZ=1; CUlaunchAttribute da[1]; memset(da,0,sizeof da); da[0].id=(CUlaunchAttributeID)id; memcpy(&da[0].value,&v,sizeof v); dc.attrs=da; dc.numAttrs=1; cudaFunction_t fn; cudaGetFuncBySymbol(&fn,kern); typedef CUresult(*L)(const CUlaunchConfig*,CUfunction,void**,void**); static L l; if(!l){ cudaDriverEntryPointQueryResult q; cudaGetDriverEntryPointByVersion("cuLaunchKernelEx",(void**)&l,12000,cudaEnableDefault,&q);} int de=l?l(&dc,(CUfunction)fn,args,0):-1; int ds=cudaDeviceSynchronize(); printf(" driver %d %d\n",de,ds); cudaGetLastError(); }
int main(){
 for(int id=0;id<=20;id++) for(int v=0;v<5;v++) child("",[=]{ cudaLaunchAttributeValue a; memset(&a,0,sizeof a); int x[5][3]={{0,0,0},{1,1,1},{2,1,1},{4,2,1},{-1,7,0}}; memcpy(&a,x[v],12); if(id==7||id==6||id==1||id==12||id==13) { memset(&a,0,sizeof a); if(v==0&&id!=1){ } else if(v>1) return; if(id==1){a.accessPolicyWindow.hitRatio=v?0.5f:0; a.accessPolicyWindow.hitProp=cudaAccessPropertyPersisting;} if((id==7||id==12)&&v==1){cudaEvent_t e;cudaEventCreateWithFlags(&e,cudaEventDisableTiming);a.programmaticEvent.event=e;a.programmaticEvent.triggerAtBlockStart=1;} if(id==6){a.programmaticStreamSerializationAllowed=v;} if(id==13&&v==1){a.deviceUpdatableKernelNode.deviceUpdatable=1;} } char w[32]; sprintf(w,"v%d",v); one(id,a,w,(void*)k); if(id==4){sprintf(w,"kc v%d",v); one(id,a,w,(void*)kc);} });
 return 0; }
