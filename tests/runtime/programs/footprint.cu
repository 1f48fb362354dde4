// Memory of graphs: what they reserve while their allocations are held, freed and trimmed.
#include "h.h"
#include <cstdint>

enum { GRAPHS = 4 };
static const size_t bytes = 64 << 20;

static void print(const char *what) {
    uint64_t used, reserved, high;
    CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &high));
    printf("%s: used %llu reserved %llu high %llu\n", what, (unsigned long long)used,
           (unsigned long long)reserved, (unsigned long long)high);
}

static cudaGraphExec_t make(void **address, int frees, size_t size) {
    cudaGraph_t graph;
    cudaGraphNode_t alloc, fill, node;
    cudaGraphExec_t exec;
    cudaMemAllocNodeParams params = {};
    cudaMemsetParams set = {};
    params.bytesize = size;
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    CK(cudaGraphCreate(&graph, 0));
    CK(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
    *address = params.dptr;
    set.dst = params.dptr, set.value = 1, set.elementSize = 1, set.width = 64, set.height = 1;
    CK(cudaGraphAddMemsetNode(&fill, graph, &alloc, 1, &set));
    if (frees)
        CK(cudaGraphAddMemFreeNode(&node, graph, &fill, 1, params.dptr));
    CK(cudaGraphInstantiate(&exec, graph, 0));
    CK(cudaGraphDestroy(graph));
    return exec;
}

int main() {
    cudaStream_t stream;
    cudaGraphExec_t exec[GRAPHS], own;
    void *address[GRAPHS], *of_own;
    CK(cudaStreamCreate(&stream));
    print("begin");
    for (int i = 0; i < GRAPHS; i++)
        exec[i] = make(&address[i], 0, bytes);
    own = make(&of_own, 1, 3 * bytes);
    print("instantiated");
    for (int i = 0; i < GRAPHS; i++) {
        CK(cudaGraphLaunch(exec[i], stream));
        CK(cudaStreamSynchronize(stream));
        print("held");
    }
    CK(cudaGraphLaunch(own, stream));
    CK(cudaStreamSynchronize(stream));
    print("frees its own");
    CK(cudaDeviceGraphMemTrim(0));
    print("trim of held");
    CK(cudaFreeAsync(address[0], stream));
    CK(cudaStreamSynchronize(stream));
    print("one freed in a stream");
    CK(cudaDeviceGraphMemTrim(0));
    print("trim");
    CK(cudaGraphLaunch(exec[0], stream));
    CK(cudaStreamSynchronize(stream));
    print("held again");
    printf("twice: %s\n", cudaGetErrorName(cudaGraphLaunch(exec[0], stream)));
    CK(cudaStreamSynchronize(stream));
    for (int i = 0; i < GRAPHS; i++)
        CK(cudaFree(address[i]));
    print("all freed");
    printf("free twice: %s\n", cudaGetErrorName(cudaFree(address[0])));
    (void)cudaGetLastError();
    CK(cudaDeviceGraphMemTrim(0));
    print("trim at the end");
    for (int i = 0; i < GRAPHS; i++)
        CK(cudaGraphExecDestroy(exec[i]));
    CK(cudaGraphExecDestroy(own));
    CK(cudaDeviceGraphMemTrim(0));
    print("destroyed");
    return 0;
}
