// random pairs of graphs: which result, which nodes
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda.h>
static unsigned long long st; static unsigned rnd(unsigned n) { st = st * 6364136223846793005ull + 1442695040888963407ull; return (unsigned)(st >> 33) % n; }
static void hf(void *) {}
struct G { std::vector<int> kind; std::vector<std::pair<int,int>> e; };
static CUdeviceptr mem; static CUevent ev; static CUcontext c; static CUfunction f1, f2;
static CUgraph build(const G &a, std::vector<CUgraphNode> &n) { CUgraph g; cuGraphCreate(&g, 0); n.resize(a.kind.size());
    for (size_t i = 0; i < a.kind.size(); i++) { std::vector<CUgraphNode> d; for (auto &p : a.e) if (p.second == (int)i) d.push_back(n[p.first]); size_t m = d.size(); CUgraphNode *q = m ? d.data() : 0; int e = 0;
        switch (a.kind[i]) { case 0: e = cuGraphAddEmptyNode(&n[i], g, q, m); break; case 1: { CUDA_MEMSET_NODE_PARAMS r = {}; r.dst = mem; r.elementSize = 4; r.width = 4; r.height = 1; e = cuGraphAddMemsetNode(&n[i], g, q, m, &r, c); } break; case 2: { CUDA_HOST_NODE_PARAMS r = {hf, 0}; e = cuGraphAddHostNode(&n[i], g, q, m, &r); } break; case 3: e = cuGraphAddEventRecordNode(&n[i], g, q, m, ev); break; default: { CUDA_KERNEL_NODE_PARAMS r = {}; r.func = a.kind[i] == 4 ? f1 : f2; r.gridDimX = r.gridDimY = r.gridDimZ = r.blockDimX = r.blockDimY = r.blockDimZ = 1; e = cuGraphAddKernelNode(&n[i], g, q, m, &r); } }
        if (e) printf("add %d\n", e); }
    return g; }
static void show(const G &a) { for (int k : a.kind) printf("%d", k); printf("["); for (auto &p : a.e) printf("%d%d ", p.first, p.second); printf("]"); }
static G draw(int n, int kinds) { G a; for (int i = 0; i < n; i++) { a.kind.push_back(kinds == 1 ? 0 : kinds == 2 ? (int)rnd(2) * 4 : (int)rnd(6)); for (int j = 0; j < i; j++) if (rnd(3) == 0) a.e.push_back({j, i}); } return a; }
static int idx(const std::vector<CUgraphNode> &v, CUgraphNode x) { if (!x) return -1; for (size_t i = 0; i < v.size(); i++) if (v[i] == x) return (int)i; return 99; }
int main() { setvbuf(stdout, 0, _IOLBF, 0); cuInit(0); cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c); cuMemAlloc(&mem, 4096); cuEventCreate(&ev, 0); CUmodule m; cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry a() { ret; }\n.visible .entry b() { ret; }\n"); cuModuleGetFunction(&f1, m, "a"); cuModuleGetFunction(&f2, m, "b");
    for (int i = 0; i < 1500; i++) { if (i == 138 || i == 467 || i == 562 || i == 906) continue; st = 77 + i; rnd(2); int n = 1 + rnd(5); G a = draw(n, 1 + rnd(3)), b = a; int how = rnd(6);
        if (how == 0) b = draw(1 + rnd(5), 3); else if (how == 1) { int k = rnd(n); b.kind[k] = rnd(6); } else if (how == 2 && !b.e.empty()) b.e.erase(b.e.begin() + rnd(b.e.size())); else if (how == 3 && n > 1) { int x = rnd(n - 1), y = x + 1 + rnd(n - 1 - x); bool has = false; for (auto &p : b.e) has |= p == std::pair<int,int>(x, y); if (!has) b.e.push_back({x, y}); } else if (how == 4) { b.kind.push_back(rnd(6)); if (rnd(2)) b.e.push_back({(int)rnd(n), n}); } else { // another order
            std::vector<int> pos(n); for (int j = 0; j < n; j++) pos[j] = j; int k = n > 1 ? rnd(n - 1) : 0; bool ed = false; for (auto &p : a.e) ed |= p.first == k && p.second == k + 1; if (n > 1 && !ed) { std::swap(b.kind[k], b.kind[k + 1]); for (auto &p : b.e) { for (int *q : {&p.first, &p.second}) *q = *q == k ? k + 1 : *q == k + 1 ? k : *q; } } }
        std::vector<CUgraphNode> na, nb; CUgraph ga = build(a, na), gb = build(b, nb); CUgraphExec x; cuGraphInstantiateWithFlags(&x, ga, 0); CUgraphExecUpdateResultInfo r; memset(&r, 0, sizeof r); int e = cuGraphExecUpdate(x, gb, &r); printf("%d h%d ", i, how); show(a); printf(" -> "); show(b); printf(": %d %d node %d from %d\n", e, r.result, idx(nb, r.errorNode), idx(nb, r.errorFromNode)); cuGraphExecDestroy(x); cuGraphDestroy(ga); cuGraphDestroy(gb); }
    return 0; }
