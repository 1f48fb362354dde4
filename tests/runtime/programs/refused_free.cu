// second instantiation after a refused free node
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <sys/wait.h>
#include <cuda.h>
static CUgraphNode empty(CUgraph g) { CUgraphNode n; cuGraphAddEmptyNode(&n, g, 0, 0); return n; }
static CUgraphNode alloc(CUgraph g, CUdeviceptr *p, CUgraphNode *dep = 0) { CUgraphNode n = 0; CUDA_MEM_ALLOC_NODE_PARAMS q = {}; q.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; q.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; q.bytesize = 4096; int e = cuGraphAddMemAllocNode(&n, g, dep, dep != 0, &q); if (e) printf("[alloc %d]", e); *p = q.dptr; return n; }
static void two(CUgraph g, CUstream s) { CUgraphExec x = 0, y = 0, z = 0; int a, b, c; a = cuGraphInstantiateWithFlags(&x, g, 0); b = cuGraphInstantiateWithFlags(&y, g, 0); printf(" inst %d %d", a, b); if (!a) printf(" launch %d", cuGraphLaunch(x, s)); if (!b) printf(" launch %d", cuGraphLaunch(y, s)); printf(" sync %d", cuStreamSynchronize(s)); if (!b) cuGraphExecDestroy(y); c = cuGraphInstantiateWithFlags(&z, g, 0); printf(" third %d", c); if (!a) cuGraphExecDestroy(x); CUgraphExec w; printf(" after destroy %d", cuGraphInstantiateWithFlags(&w, g, 0)); CUgraph q = 0; int e = cuGraphClone(&q, g); printf(" clone %d", e); CUgraphNode n; if (!e) { CUgraph h; cuGraphCreate(&h, 0); printf(" child %d\n", cuGraphAddChildGraphNode(&n, h, 0, 0, g)); } else printf("\n"); }
static void one(int i) {
    cuInit(0); CUcontext c; cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c); CUstream s; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); CUgraph g, h; cuGraphCreate(&g, 0); cuGraphCreate(&h, 0); CUdeviceptr p = 0, q = 0, d; cuMemAlloc(&d, 4096); CUgraphNode n = 0, m = 0; int e = -1; CUgraphExec x;
    switch (i) {
    case 0: empty(g); e = cuGraphAddMemFreeNode(&n, g, 0, 0, 0); break;
    case 1: empty(g); e = cuGraphAddMemFreeNode(&n, g, 0, 0, 12345); break;
    case 2: empty(g); e = cuGraphAddMemFreeNode(&n, g, 0, 0, d); break;
    case 3: empty(g); alloc(h, &p); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); break;            // memory of another graph
    case 4: empty(g); m = alloc(h, &p); cuGraphAddMemFreeNode(&n, h, &m, 1, p); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); break; // already freed there
    case 5: m = alloc(g, &p); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); break;                   // does not follow
    case 6: m = alloc(g, &p); cuGraphAddMemFreeNode(&n, g, &m, 1, p); e = cuGraphAddMemFreeNode(&n, g, &m, 1, p); break;
    case 7: m = alloc(g, &p); e = cuGraphAddMemFreeNode(&n, g, &m, 1, p + 8); break;
    case 8: empty(g); m = alloc(h, &p); e = cuGraphAddMemFreeNode(&n, g, &m, 1, p); break;        // a dependency of another graph
    case 9: { empty(g); alloc(h, &p); cuGraphAddMemFreeNode(&n, g, 0, 0, p); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); } break; // once each
    case 10: { cuMemAllocAsync(&q, 4096, s); cuStreamSynchronize(s); empty(g); e = cuGraphAddMemFreeNode(&n, g, 0, 0, q); } break;
    case 11: { cuMemAllocAsync(&q, 4096, s); cuStreamSynchronize(s); cuMemFreeAsync(q, s); cuStreamSynchronize(s); empty(g); e = cuGraphAddMemFreeNode(&n, g, 0, 0, q); } break;
    case 12: { m = empty(g); alloc(h, &p); cuGraphInstantiateWithFlags(&x, h, 0); cuGraphLaunch(x, s); cuStreamSynchronize(s); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); } break;
    case 13: { m = empty(g); alloc(h, &p); cuGraphInstantiateWithFlags(&x, h, 0); cuGraphLaunch(x, s); cuMemFreeAsync(p, s); cuStreamSynchronize(s); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); } break;
    case 14: { alloc(h, &p); cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED); e = cuMemFreeAsync(d, s); printf("[capture free %d]", e); e = cuStreamEndCapture(s, &g); } break;
    case 15: { cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED); e = cuMemFreeAsync(12345, s); printf("[capture free %d]", e); e = cuStreamEndCapture(s, &g); } break;
    case 16: { alloc(h, &p); cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED); e = cuMemFreeAsync(p, s); e = cuMemFreeAsync(p, s); printf("[capture free %d]", e); e = cuStreamEndCapture(s, &g); } break;
    case 17: { empty(g); CUdeviceptr t; CUDA_MEM_ALLOC_NODE_PARAMS r = {}; r.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; r.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; r.bytesize = 0; e = cuGraphAddMemAllocNode(&n, g, 0, 0, &r); (void)t; } break; // refused allocations
    case 18: { empty(g); CUDA_MEM_ALLOC_NODE_PARAMS r = {}; r.bytesize = 4096; e = cuGraphAddMemAllocNode(&n, g, 0, 0, &r); } break;
    case 19: { empty(g); CUDA_MEM_ALLOC_NODE_PARAMS r = {}; r.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; r.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; r.poolProps.location.id = 7; r.bytesize = 4096; e = cuGraphAddMemAllocNode(&n, g, 0, 0, &r); } break;
    case 20: { empty(g); CUDA_MEM_ALLOC_NODE_PARAMS r = {}; r.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; r.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; r.bytesize = (size_t)1 << 50; e = cuGraphAddMemAllocNode(&n, g, 0, 0, &r); } break;
    case 21: { empty(g); CUgraphNodeParams r = {}; r.type = CU_GRAPH_NODE_TYPE_MEM_FREE; r.free.dptr = d; e = cuGraphAddNode(&n, g, 0, 0, 0, &r); } break;
    case 22: { empty(g); CUgraphNodeParams r = {}; r.type = CU_GRAPH_NODE_TYPE_MEM_FREE; r.free.dptr = 0; e = cuGraphAddNode(&n, g, 0, 0, 0, &r); } break;
    case 23: { empty(g); m = alloc(h, &p); CUgraphNode k = m; e = cuGraphDestroyNode(m); printf("[destroy %d]", e); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); } break;
    case 24: { empty(g); m = alloc(g, &p); e = cuGraphDestroyNode(m); printf("[destroy %d]", e); } break; // memory that is taken out again
    case 25: { empty(g); alloc(h, &p); e = cuGraphAddMemFreeNode(&n, g, 0, 0, p); int f = cuGraphDestroyNode(n); printf("[destroy %d]", f); } break;
    case 26: { empty(g); CUgraphNode bad[1] = {(CUgraphNode)d}; e = -2; alloc(h, &p); e = cuGraphAddMemFreeNode(0, g, 0, 0, p); } break; // no place for the node
    case 27: { empty(g); alloc(h, &p); e = cuGraphAddMemFreeNode(&n, g, 0, 1, p); } break; // no list
    case 28: { m = empty(g); CUgraphNode t2[2] = {m, m}; alloc(h, &p); e = cuGraphAddMemFreeNode(&n, g, t2, 2, p); } break; // twice
    case 29: { empty(g); alloc(h, &p); cuGraphAddMemFreeNode(&n, g, 0, 0, p); CUgraph g2; cuGraphCreate(&g2, 0); empty(g2); e = cuGraphAddMemFreeNode(&n, g2, 0, 0, p); g = g2; } break; // two graphs
    }
    printf("%d: refused %d;", i, e); two(g, s);
}
int main() { setvbuf(stdout, 0, _IONBF, 0); for (int i = 0; i < 30; i++) { pid_t k = fork(); if (!k) { alarm(20); one(i); _exit(0); } int st; waitpid(k, &st, 0); if (st) printf("%d: status %x\n", i, st); } return 0; }
