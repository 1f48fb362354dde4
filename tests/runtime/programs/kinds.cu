/* clang-format off */ // Graphs: nodes and their parameters, user objects, attributes, wrong arguments.
#include "s.h"
__global__ void k(int *p, int v) { p[threadIdx.x] += v; }
__global__ void j(int *p, int v) { p[threadIdx.x] *= v; }
static void gone(void *p) { printf("gone %d\n", *(int *)p); } static void hf(void *p) { printf("host %d\n", *(int *)p); }
static int one = 1, two = 2;
SECTION(users) {
    cudaUserObject_t u; P(cudaUserObjectCreate(&u, &one, gone, 2, cudaUserObjectNoDestructorSync)); P(cudaUserObjectCreate(&u, &two, gone, 0, cudaUserObjectNoDestructorSync)); P(cudaUserObjectCreate(&u, &two, gone, 1, 0)); P(cudaUserObjectCreate(&u, &two, 0, 1, cudaUserObjectNoDestructorSync)); P(cudaUserObjectCreate(0, &two, gone, 1, cudaUserObjectNoDestructorSync)); P(cudaUserObjectCreate(&u, 0, gone, 1, cudaUserObjectNoDestructorSync)); P(cudaUserObjectCreate(&u, &two, gone, 1, cudaUserObjectNoDestructorSync)); cudaGraph_t g, c; cudaGraphCreate(&g, 0); P(cudaGraphRetainUserObject(g, u, 1, cudaGraphUserObjectMove)); P(cudaGraphRetainUserObject(g, u, 1, 5)); P(cudaGraphRetainUserObject(g, u, 0, 0)); P(cudaGraphRetainUserObject(0, u, 1, 0)); P(cudaGraphRetainUserObject(g, 0, 1, 0)); P(cudaUserObjectRetain(u, 0)); P(cudaUserObjectRetain(0, 1)); P(cudaUserObjectRelease(u, 0)); P(cudaUserObjectRelease(0, 1)); P(cudaGraphReleaseUserObject(g, u, 0)); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, 0, 0); cudaGraphExec_t x; P(cudaGraphInstantiate(&x, g, 0)); P(cudaGraphClone(&c, g)); P(cudaGraphDestroy(g)); puts("graph gone"); P(cudaGraphDestroy(c)); puts("clone gone"); P(cudaGraphExecDestroy(x)); P(cudaDeviceSynchronize()); usleep(100000);
}











SECTION(memory) {
    cudaGraph_t g; cudaGraphCreate(&g, 0); cudaStream_t s; cudaStreamCreate(&s); cudaGraphNode_t a, b; cudaMemAllocNodeParams m = {}; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice; m.bytesize = 4096; cudaGraphAddMemAllocNode(&a, g, 0, 0, &m); int v = 5; void *ar[] = {&m.dptr, &v}; cudaKernelNodeParams kp = {}; kp.func = (void *)k; kp.gridDim = 1; kp.blockDim = 64; kp.kernelParams = ar; cudaGraphAddKernelNode(&b, g, &a, 1, &kp); cudaGraphExec_t x; P(cudaGraphInstantiate(&x, g, 0)); P(cudaGraphLaunch(x, s)); P(cudaGraphLaunch(x, s)); P(cudaStreamSynchronize(s)); P(cudaGraphLaunch(x, s)); P(cudaFreeAsync(m.dptr, s)); P(cudaGraphLaunch(x, s)); P(cudaStreamSynchronize(s)); P(cudaFree(m.dptr)); P(cudaFree(m.dptr)); P(cudaGraphExecDestroy(x)); P(cudaGraphInstantiateWithFlags(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch)); for (int i = 0; i < 3; i++) P(cudaGraphLaunch(x, s)); P(cudaStreamSynchronize(s)); unsigned long long fl; P(cudaGraphExecGetFlags(x, &fl)); V(fl); P(cudaGraphExecDestroy(x)); int h; P(cudaMemcpy(&h, m.dptr, 4, cudaMemcpyDeviceToHost)); unsigned long long u; P(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &u)); V(u); P(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &u)); V(u); P(cudaDeviceGraphMemTrim(0)); P(cudaGraphDestroy(g));
    cudaGraph_t c; P(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed)); int *p, *q; P(cudaMallocAsync(&p, 100, s)); P(cudaMallocAsync(&q, 100, s)); P(cudaMemsetAsync(p, 0, 100, s)); P(cudaFreeAsync(p, s)); P(cudaStreamEndCapture(s, &c)); P(cudaGraphInstantiate(&x, c, 0)); P(cudaGraphLaunch(x, s)); P(cudaStreamSynchronize(s)); P(cudaMemcpy(&h, q, 4, cudaMemcpyDeviceToHost)); P(cudaFree(p)); P(cudaFree(q)); P(cudaGraphDestroy(c)); P(cudaGraphExecDestroy(x));
}
int main() { return sections_run(); }
