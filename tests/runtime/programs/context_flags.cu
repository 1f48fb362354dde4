// flags of contexts after each kind of call
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
#include <string>
#include <cuda.h>
#include <cuda_runtime.h>
static const char *ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry e0() { ret; }\n";
struct step { const char *name; std::function<int()> f; };
int main() {
    setvbuf(stdout, 0, _IONBF, 0); cuInit(0); CUdevice dv = 0;
    CUmodule m = 0; CUfunction e0 = 0; CUdeviceptr p = 0; CUstream s = 0; CUgraph g = 0; CUgraphExec x = 0;
    auto mod = [&] { int e = cuModuleLoadData(&m, ptx); cuModuleGetFunction(&e0, m, "e0"); return e; };
    std::vector<step> steps = {
        {"nothing", [&] { return 0; }},
        {"launch+sync", [&] { mod(); cuLaunchKernel(e0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0); return (int)cuCtxSynchronize(); }},
        {"graph", [&] { mod(); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_KERNEL_NODE_PARAMS q = {}; q.func = e0; q.gridDimX = q.gridDimY = q.gridDimZ = q.blockDimX = q.blockDimY = q.blockDimZ = 1; int e = cuGraphAddKernelNode(&k, g, 0, 0, &q); return e; }},
        {"instantiate", [&] { mod(); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_KERNEL_NODE_PARAMS q = {}; q.func = e0; q.gridDimX = q.gridDimY = q.gridDimZ = q.blockDimX = q.blockDimY = q.blockDimZ = 1; cuGraphAddKernelNode(&k, g, 0, 0, &q); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"instantiate empty", [&] { cuGraphCreate(&g, 0); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"instantiate memset", [&] { cuMemAlloc(&p, 4096); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_MEMSET_NODE_PARAMS q = {}; q.dst = p; q.elementSize = 4; q.width = 4; q.height = 1; CUcontext c; cuCtxGetCurrent(&c); cuGraphAddMemsetNode(&k, g, 0, 0, &q, c); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"device graph", [&] { mod(); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_KERNEL_NODE_PARAMS q = {}; q.func = e0; q.gridDimX = q.gridDimY = q.gridDimZ = q.blockDimX = q.blockDimY = q.blockDimZ = 1; cuGraphAddKernelNode(&k, g, 0, 0, &q); return (int)cuGraphInstantiateWithFlags(&x, g, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH); }},
        {"instantiate child", [&] { mod(); CUgraph h; cuGraphCreate(&g, 0); cuGraphCreate(&h, 0); CUgraphNode k; CUDA_KERNEL_NODE_PARAMS q = {}; q.func = e0; q.gridDimX = q.gridDimY = q.gridDimZ = q.blockDimX = q.blockDimY = q.blockDimZ = 1; cuGraphAddKernelNode(&k, h, 0, 0, &q); cuGraphAddChildGraphNode(&k, g, 0, 0, h); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"instantiate host", [&] { cuGraphCreate(&g, 0); CUgraphNode k; CUDA_HOST_NODE_PARAMS q = {}; q.fn = [](void *) {}; cuGraphAddHostNode(&k, g, 0, 0, &q); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"instantiate copy", [&] { cuMemAlloc(&p, 4096); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_MEMCPY3D q = {}; q.srcMemoryType = q.dstMemoryType = CU_MEMORYTYPE_DEVICE; q.srcDevice = p; q.dstDevice = p + 64; q.WidthInBytes = 16; q.Height = q.Depth = 1; CUcontext c; cuCtxGetCurrent(&c); cuGraphAddMemcpyNode(&k, g, 0, 0, &q, c); return (int)cuGraphInstantiateWithFlags(&x, g, 0); }},
        {"capture", [&] { mod(); cuStreamCreate(&s, 1); cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED); cuLaunchKernel(e0, 1, 1, 1, 1, 1, 1, 0, s, 0, 0); int e = cuStreamEndCapture(s, &g); return e ? e : 0; }},
        {"then set 0", [&] { mod(); cuGraphCreate(&g, 0); CUgraphNode k; CUDA_KERNEL_NODE_PARAMS q = {}; q.func = e0; q.gridDimX = q.gridDimY = q.gridDimZ = q.blockDimX = q.blockDimY = q.blockDimZ = 1; cuGraphAddKernelNode(&k, g, 0, 0, &q); cuGraphInstantiateWithFlags(&x, g, 0); return (int)cuCtxSetFlags(4); }},
        {"set flags 16", [&] { return (int)cuCtxSetFlags(16); }},
        {"runtime flags", [&] { unsigned q; int e = cudaGetDeviceFlags(&q); printf("[%u]", q); return e; }},
    };
    for (unsigned mode = 0; mode < 3; mode++) for (size_t i = 0; i < steps.size(); i++) {
        CUcontext c = 0; unsigned f[4] = {999, 999, 999, 999}; int e;
        if (mode == 2) { e = cuDevicePrimaryCtxRetain(&c, dv); if (!e) e = cuCtxSetCurrent(c); } else e = cuCtxCreate(&c, 0, mode ? CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SCHED_YIELD : 0, dv);
        cuCtxGetFlags(&f[0]); int r = e ? -1 : steps[i].f(); cuCtxGetFlags(&f[1]); cuCtxSynchronize(); cuCtxGetFlags(&f[2]);
        unsigned dq = 0; int ac; cuDevicePrimaryCtxGetState(0, &dq, &ac); unsigned rq = 99; if (mode == 2) cudaGetDeviceFlags(&rq); printf("state %u runtime %u ", dq, rq); printf("mode %u %s: %d %d flags %u %u %u\n", mode, steps[i].name, e, r, f[0], f[1], f[2]);
        if (mode == 2) { cuDevicePrimaryCtxRelease(dv); cuDevicePrimaryCtxReset(dv); } else cuCtxDestroy(c);
    }
    return 0;
}
