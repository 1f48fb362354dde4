/* clang-format off */
/* graph_calls [FIRST COUNT STEPS [PARALLEL]] - random sequences of driver calls about graphs, captures, pools, green contexts, batches and
 * devices, in one context. See driver_calls.cu, which draws the other calls (lab/calls/README.md). */
#include "draw.h"

#include <cuda.h>

static void say(const char *what, CUresult error) { printf("%d %s -> %d%s\n", step, what, (int)error, drawn.c_str()); drawn.clear(); }
#define DO(call) do { const CUresult e_ = (call); say(#call, e_); ok = e_ == CUDA_SUCCESS; } while (0)
static void note(const char *what, long long value) { if (draws) drawn += std::string(" ") + what + "=" + std::to_string(value); }

static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 4 .b32 table[64];\n"
    ".visible .entry add(.param .u64 p, .param .u32 v) {\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\nld.param.u64 %d1, [p];\nld.param.u32 %r1, [v];\nred.global.add.u32 [%d1], %r1;\nret;\n}\n"
    ".visible .entry twice(.param .u64 p, .param .u32 v)"
    "\n.maxntid 64, 1, 1\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\nld.param.u64 %d1, [p];\nld.param.u32 %r1, [v];\nadd.u32 %r1, %r1, %r1;\nred.global.add.u32 [%d1+4], %r1;\nret;\n}\n"
    ".visible .entry touch()\n{\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\nmov.u64 %d1, table;\natom.global.add.u32 %r1, [%d1], 1;\nret;\n}\n";

struct Buffer { CUdeviceptr at; size_t bytes; int kind; /* 0 device, 1 managed, 2 pinned, 3 pool */ };
struct Graph { CUgraph g; CUgraphNode owner; /* of a body */ int id = ids++; static int ids; };
int Graph::ids;
struct Node { CUgraphNode n; CUgraph g; int type; CUdeviceptr at; /* of an allocation */ };
struct Exec { CUgraphExec x; CUgraph g; bool allocates, again; };
static std::vector<Buffer> buffers;
static std::vector<CUstream> streams;
static std::vector<CUevent> events;
static std::vector<Graph> graphs;
static std::vector<Node> nodes;
static std::vector<Exec> execs;
static std::vector<CUmemoryPool> pools;
static std::vector<CUgreenCtx> greens;
static std::vector<CUuserObject> objects;
static CUcontext context;
static CUmodule module;
static CUfunction functions[3];
enum { HOST = 1 << 14 };
static char host[HOST];
static int called, freed;
static void CUDA_CB host_function(void *data) { ++*(int *)data; }

template <typename T, typename F> static void drop_if(std::vector<T> &list, F f) { for (size_t i = list.size(); i-- > 0;) if (f(list[i])) list.erase(list.begin() + (long)i); }
static bool capturing() { for (CUstream s : streams) { CUstreamCaptureStatus c; if (cuStreamIsCapturing(s, &c) != CUDA_SUCCESS || c != CU_STREAM_CAPTURE_STATUS_NONE) return true; } return false; }
static void settle() { bool ok; if (!capturing()) DO(cuCtxSynchronize()); }
static CUstream a_stream() { return one_in(3) || streams.empty() ? any({(CUstream)0, (CUstream)0, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) : pick(streams); }
static Buffer a_buffer() { return pick(buffers); }
static int place(CUgraphNode n) { if (!n) return -1; for (size_t i = 0; i < nodes.size(); i++) if (nodes[i].n == n) return (int)i; return -2; }
static int place(CUgraph g) { if (!g) return -1; for (Graph &x : graphs) if (x.g == g) return x.id; return -2; } // in notes alone
static void node_gone(CUgraphNode n);
static void graph_gone(CUgraph g) { std::vector<CUgraphNode> own; for (Node &x : nodes) if (x.g == g) own.push_back(x.n); for (CUgraphNode n : own) node_gone(n); drop_if(graphs, [&](Graph &x) { return x.g == g; }); }
static void node_gone(CUgraphNode n) { std::vector<CUgraph> bodies; for (Graph &x : graphs) if (x.owner == n) bodies.push_back(x.g); for (CUgraph g : bodies) graph_gone(g); drop_if(nodes, [&](Node &x) { return x.n == n; }); }
static bool allocates(CUgraph g) { for (Node &x : nodes) if (x.g == g && (x.type == 10 || x.type == 11)) return true; return false; }

/* Values that the parameters of a node point to. */
static CUdeviceptr argument; static unsigned value; static void *arguments[] = {&argument, &value, nullptr}; static CUgraph child;
static CUgraphNodeParams params_of(int type) {
    CUgraphNodeParams p{}; Buffer b = a_buffer(), c = a_buffer(); p.type = (CUgraphNodeType)type; argument = b.at; value = 1 + below(9);
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: { const int k = (int)below(3); p.kernel.func = one_in(12) ? nullptr : functions[k]; p.kernel.gridDimX = one_in(10) ? 0 : 1 + below(3); p.kernel.gridDimY = p.kernel.gridDimZ = 1; p.kernel.blockDimX = any({1u, 32u, 64u, one_in(4) ? 2000u : 8u}); p.kernel.blockDimY = p.kernel.blockDimZ = 1; p.kernel.sharedMemBytes = one_in(10) ? 60000 : 0; p.kernel.kernelParams = arguments; p.kernel.ctx = one_in(2) ? context : nullptr; } break;
    case CU_GRAPH_NODE_TYPE_MEMCPY: p.memcpy.flags = one_in(12); p.memcpy.copyCtx = one_in(4) ? nullptr : context; p.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE; p.memcpy.copyParams.srcDevice = b.at; p.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE; p.memcpy.copyParams.dstDevice = c.at + 2048; p.memcpy.copyParams.WidthInBytes = any({4u, 64u, 0u, 512u}); p.memcpy.copyParams.Height = any({1u, 1u, 0u, 2u}); p.memcpy.copyParams.Depth = 1; p.memcpy.copyParams.srcPitch = p.memcpy.copyParams.dstPitch = any({512u, 512u, 0u}); p.memcpy.copyParams.srcHeight = p.memcpy.copyParams.dstHeight = any({2u, 0u}); break;
    case CU_GRAPH_NODE_TYPE_MEMSET: p.memset.dst = b.at; p.memset.elementSize = any({1u, 2u, 4u, 3u}); p.memset.width = any({1u, 16u, 0u}); p.memset.height = any({1u, 1u, 2u, 0u}); p.memset.pitch = any({64u, 64u, 0u}); p.memset.value = below(300); p.memset.ctx = one_in(4) ? nullptr : context; break;
    case CU_GRAPH_NODE_TYPE_HOST: p.host.fn = one_in(10) ? nullptr : host_function; p.host.userData = &called; break;
    case CU_GRAPH_NODE_TYPE_GRAPH: p.graph.graph = child; p.graph.ownership = (CUgraphChildGraphNodeOwnership)(one_in(8) ? -1 : 0); break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: p.eventWait.event = one_in(12) ? nullptr : pick(events); break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: p.eventRecord.event = one_in(12) ? nullptr : pick(events); break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: { static CUmemAccessDesc a[2]; a[0] = {{CU_MEM_LOCATION_TYPE_DEVICE, one_in(6) ? 3 : 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}; p.alloc.poolProps.allocType = one_in(8) ? CU_MEM_ALLOCATION_TYPE_INVALID : CU_MEM_ALLOCATION_TYPE_PINNED; p.alloc.poolProps.location = {one_in(8) ? any({CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_INVALID}) : CU_MEM_LOCATION_TYPE_DEVICE, one_in(8) ? 2 : 0}; p.alloc.poolProps.handleTypes = one_in(10) ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE; p.alloc.bytesize = any({(size_t)4096, (size_t)100, (size_t)0}); p.alloc.accessDescs = a; p.alloc.accessDescCount = one_in(4); } break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: { CUdeviceptr at = 0; for (Node &x : nodes) if (x.at && (!at || one_in(2))) at = x.at; p.free.dptr = one_in(6) ? b.at : at; } break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: { static CUstreamBatchMemOpParams o[2]; for (int i = 0; i < 2; i++) { o[i] = {}; o[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; o[i].writeValue.address = b.at + 8 + 4u * (unsigned)i; o[i].writeValue.value = below(50); o[i].writeValue.flags = one_in(8) ? 1 : 0; } p.memOp.ctx = one_in(6) ? nullptr : context; p.memOp.count = any({1u, 2u, 0u}); p.memOp.paramArray = o; p.memOp.flags = one_in(10); } break;
    }
    if (draws) { char t[300]; const auto &q = p.memcpy.copyParams; snprintf(t, sizeof t, " PARAMS %d", type); drawn += t;
        switch (type) {
        case 0: snprintf(t, sizeof t, " func %d grid %u block %u shared %u ctx %d", p.kernel.func != nullptr, p.kernel.gridDimX, p.kernel.blockDimX, p.kernel.sharedMemBytes, p.kernel.ctx != nullptr); break;
        case 1: snprintf(t, sizeof t, " kinds %d%d flags %d ctx %d width %zu height %zu pitch %zu heights %zu", b.kind, c.kind, p.memcpy.flags, p.memcpy.copyCtx != nullptr, q.WidthInBytes, q.Height, q.srcPitch, q.srcHeight); break;
        case 2: snprintf(t, sizeof t, " kind %d size %u width %zu height %zu pitch %zu value %u ctx %d", b.kind, p.memset.elementSize, p.memset.width, p.memset.height, p.memset.pitch, p.memset.value, p.memset.ctx != nullptr); break;
        case 3: snprintf(t, sizeof t, " fn %d", p.host.fn != nullptr); break;
        case 4: { bool has = false, cond = false; for (Node &x : nodes) if (x.g == child) { has |= x.type == 10 || x.type == 11; cond |= x.type == 13; } bool body = false; for (Graph &x : graphs) if (x.g == child) body = x.owner != nullptr; snprintf(t, sizeof t, " child %d body %d memory %d cond %d ownership %d", place(child), body, has, cond, (int)p.graph.ownership); } break;
        case 10: snprintf(t, sizeof t, " alloctype %d location %d,%d handles %d bytes %zu access %zu of %d", p.alloc.poolProps.allocType, p.alloc.poolProps.location.type, p.alloc.poolProps.location.id, p.alloc.poolProps.handleTypes, p.alloc.bytesize, p.alloc.accessDescCount, p.alloc.accessDescs[0].location.id); break;
        case 11: snprintf(t, sizeof t, " at %d", p.free.dptr == b.at ? 2 : p.free.dptr != 0); break;
        case 12: snprintf(t, sizeof t, " ctx %d count %u flags %u op flags %u,%u", p.memOp.ctx != nullptr, p.memOp.count, p.memOp.flags, p.memOp.paramArray[0].writeValue.flags, p.memOp.paramArray[1].writeValue.flags); break;
        default: t[0] = 0;
        }
        drawn += t; }
    return p;
}
static void make_nodes() {
    static const int types[] = {0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 10, 10, 11, 11, 12, 13, 13};
    bool ok; Graph g = pick(graphs); Node d = pick(nodes), o = pick(nodes); CUgraphNode n = nullptr; CUgraphNode deps[2] = {d.n, o.n}; CUgraphEdgeData e[2]{}; const unsigned k = d.n && (one_in(8) || d.g == g.g) ? (o.n && o.g == g.g && one_in(2) ? 2 : 1) : 0;
    const int type = any(types); child = pick(graphs).g; if (!g.g) return;
    if (one_in(8)) { e[0].type = (unsigned char)below(3); e[0].from_port = (unsigned char)below(4); e[0].to_port = (unsigned char)one_in(4); }
    note("type", type); note("graph", place(g.g)); note("body", g.owner != nullptr); note("deps", k); note("dep", d.n ? d.type : -1); note("dep2", o.n ? o.type : -1); note("EDGE", e[0].type * 100 + e[0].from_port * 10 + e[0].to_port);
    if (k == 2 && d.n == o.n && !one_in(4)) return;
    if (type == 13) {
        CUgraphConditionalHandle h = 0; CUgraphNodeParams p{}; p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL; const int t = (int)below(one_in(8) ? 4 : 3); const unsigned v = t == CU_GRAPH_COND_TYPE_WHILE ? 0 : below(3), f = one_in(10) ? any({0u, 2u, 3u}) : 1; // no value without the flag is read
        if (f != 1 && t == CU_GRAPH_COND_TYPE_WHILE) return;
        DO(cuGraphConditionalHandleCreate(&h, g.g, one_in(6) ? nullptr : context, f == 1 ? v : 0, f)); if (!ok) return;
        p.conditional.handle = one_in(12) ? 0 : h; p.conditional.type = (CUgraphConditionalNodeType)t; p.conditional.size = one_in(8) ? any({0u, 3u, 2u}) : 1; p.conditional.ctx = one_in(6) ? nullptr : context; const unsigned size = p.conditional.size; note("cond", t); note("size", size); note("handle", p.conditional.handle != 0); note("ctx", p.conditional.ctx != nullptr);
        DO(cuGraphAddNode(&n, g.g, deps, one_in(2) ? e : nullptr, k, &p)); if (ok) { nodes.push_back({n, g.g, type, 0}); for (unsigned i = 0; i < size; i++) { give("bodies", p.conditional.phGraph_out[i] != nullptr); graphs.push_back({p.conditional.phGraph_out[i], n}); } }
        return;
    }
    CUgraphNodeParams p = params_of(type); if (one_in(30)) p.reserved0[0] = 1;
    DO(cuGraphAddNode(&n, g.g, one_in(20) ? nullptr : deps, one_in(2) ? e : nullptr, k, one_in(30) ? nullptr : &p));
    if (ok) { nodes.push_back({n, g.g, type, type == 10 ? p.alloc.dptr : 0}); if (type == 10) give("at", p.alloc.dptr != 0); }
}
static void change_nodes() {
    bool ok; Graph g = pick(graphs); Node d = pick(nodes), o = pick(nodes); Exec x = pick(execs); size_t k = 3; CUgraphNode l[4] = {}; CUgraphEdgeData e[4]{}; note("node", d.n ? d.type : -1); note("other", o.n ? o.type : -1); note("graph", place(g.g)); note("of", place(d.g)); note("exec", x.x ? place(x.g) : -1);
    if (!d.n || !g.g) return;
    switch (below(24)) {
    case 0: if (one_in(3)) { DO(cuGraphDestroyNode(d.n)); if (ok) node_gone(d.n); } break;
    case 1: case 2: { CUgraphNode y[] = {d.n}, z[] = {o.n}; if (one_in(3)) { e[0].type = (unsigned char)below(2); e[0].from_port = (unsigned char)below(3); } if (one_in(2)) DO(cuGraphAddDependencies(one_in(4) ? g.g : d.g, y, z, one_in(2) ? e : nullptr, 1)); else DO(cuGraphRemoveDependencies(one_in(4) ? g.g : d.g, y, z, one_in(2) ? e : nullptr, 1)); } break;
    case 3: k = below(4); DO(cuGraphNodeGetDependencies(d.n, l, one_in(2) ? e : nullptr, &k)); if (ok) { give("count", (long long)k); for (int i = 0; i < 4; i++) give("node", place(l[i])); } break;
    case 4: k = below(4); DO(cuGraphNodeGetDependentNodes(d.n, l, one_in(2) ? e : nullptr, &k)); if (ok) { give("count", (long long)k); for (int i = 0; i < 4; i++) give("node", place(l[i])); } break;
    case 5: k = below(4); if (one_in(2)) DO(cuGraphGetNodes(g.g, l, &k)); else DO(cuGraphGetRootNodes(g.g, l, &k)); if (ok) { give("count", (long long)k); for (int i = 0; i < 4; i++) give("node", place(l[i])); } break;
    case 6: { CUgraphNode t[4] = {}; k = below(4); DO(cuGraphGetEdges(g.g, l, t, one_in(2) ? e : nullptr, &k)); if (ok) { give("count", (long long)k); for (int i = 0; i < 4; i++) give("edge", place(l[i]) * 100 + place(t[i])); } } break;
    case 7: { CUgraphNodeType t = (CUgraphNodeType)77; DO(cuGraphNodeGetType(d.n, &t)); give("type", t); } break;
    case 8: case 9: { CUgraphNodeParams p = params_of(one_in(5) ? o.type : d.type); if (d.type != 13) DO(cuGraphNodeSetParams(d.n, &p)); } break;
    case 10: case 11: { child = pick(graphs).g; CUgraphNodeParams p = params_of(one_in(5) ? o.type : d.type); if (d.type != 13 && x.x && (x.g == d.g || one_in(8))) DO(cuGraphExecNodeSetParams(x.x, d.n, &p)); } break;
    case 12: if (x.x) { unsigned v = 7; DO(cuGraphNodeSetEnabled(x.x, d.n, below(3))); DO(cuGraphNodeGetEnabled(x.x, d.n, &v)); give("enabled", v); } break;
    case 13: { CUlaunchAttributeValue v{}; CUlaunchAttributeID id = any({CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_PRIORITY, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE}); note("id", id); if (one_in(2)) { if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) v.clusterDim = {1, 1, 1}; else if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) v.cooperative = (int)one_in(3); else v.priority = any({0, -1, 50}); DO(cuGraphKernelNodeSetAttribute(d.n, id, &v)); } memset(&v, 0, sizeof v); DO(cuGraphKernelNodeGetAttribute(d.n, id, &v)); if (ok && id != CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) give("value", v.priority); } break;
    case 14: DO(cuGraphKernelNodeCopyAttributes(d.n, o.n)); break;
    case 15: { CUgraph c = nullptr; DO(cuGraphChildGraphNodeGetGraph(d.n, &c)); if (ok) { DO(cuGraphGetNodes(c, nullptr, &k)); give("nodes", (long long)k); } } break;
    case 16: { CUevent v = nullptr; if (one_in(2)) DO(cuGraphEventRecordNodeGetEvent(d.n, &v)); else DO(cuGraphEventWaitNodeGetEvent(d.n, &v)); v = one_in(8) ? nullptr : pick(events); if (x.x && one_in(2)) { if (d.type == 7) DO(cuGraphExecEventRecordNodeSetEvent(x.x, d.n, v)); else DO(cuGraphExecEventWaitNodeSetEvent(x.x, d.n, v)); } else if (one_in(2)) DO(cuGraphEventRecordNodeSetEvent(d.n, v)); else DO(cuGraphEventWaitNodeSetEvent(d.n, v)); } break;
    case 17: { CUDA_HOST_NODE_PARAMS p{}; DO(cuGraphHostNodeGetParams(d.n, &p)); if (ok) give("fn", p.fn == host_function); p.fn = one_in(8) ? nullptr : host_function; p.userData = &called; if (x.x && one_in(2)) DO(cuGraphExecHostNodeSetParams(x.x, d.n, &p)); else DO(cuGraphHostNodeSetParams(d.n, &p)); } break;
    case 18: { CUDA_MEM_ALLOC_NODE_PARAMS p{}; DO(cuGraphMemAllocNodeGetParams(d.n, &p)); if (ok) { give("same", p.dptr == d.at); give("bytes", (long long)p.bytesize); } CUdeviceptr f = 0; DO(cuGraphMemFreeNodeGetParams(d.n, &f)); if (ok) give("set", f != 0); } break;
    case 19: { child = pick(graphs).g; note("child", place(child)); if (x.x && child) DO(cuGraphExecChildGraphNodeSetParams(x.x, d.n, child)); } break;
    case 20: DO(cuGraphDebugDotPrint(g.g, one_in(8) ? "/nonexistent/x" : "/dev/null", below(64))); break;
    case 21: { CUgraph w = nullptr; DO(cuGraphClone(&w, g.g)); if (ok) { CUgraphNode n = nullptr; DO(cuGraphNodeFindInClone(&n, d.n, w)); give("found", n != nullptr && n != d.n); if (graphs.size() < 6) { graphs.push_back({w, nullptr}); note("clone", place(w)); if (n) nodes.push_back({n, w, d.type, 0}); } else DO(cuGraphDestroy(w)); } } break;
    case 22: if (d.type == 12) { CUDA_BATCH_MEM_OP_NODE_PARAMS p{}; DO(cuGraphBatchMemOpNodeGetParams(d.n, &p)); if (ok) give("count", p.count); } break;
    case 23: { CUDA_MEMSET_NODE_PARAMS p{}; DO(cuGraphMemsetNodeGetParams(d.n, &p)); if (ok) { give("height", (long long)p.height); give("element", p.elementSize); } CUDA_KERNEL_NODE_PARAMS q{}; DO(cuGraphKernelNodeGetParams(d.n, &q)); if (ok) give("ctx", q.ctx == context); } break;
    }
}
static void whole_graphs() {
    bool ok; Graph g = pick(graphs); Exec x = pick(execs); CUstream s = a_stream(); cuuint64_t v = 7; note("graph", place(g.g)); note("body", g.owner != nullptr); note("allocates", g.g ? allocates(g.g) : 0); note("exec", x.x ? place(x.g) : -1); 
    switch (below(14)) {
    case 0: if (graphs.size() < 6) { CUgraph w = nullptr; DO(cuGraphCreate(&w, one_in(10))); if (ok) { graphs.push_back({w, nullptr}); note("made", place(w)); } } break;
    case 1: if (g.g && graphs.size() > 2 && !g.owner) { DO(cuGraphDestroy(g.g)); if (ok) graph_gone(g.g); } break;
    case 2: case 3: case 4: if (g.g && execs.size() < 6) { CUgraphExec e = nullptr; const unsigned f = one_in(3) ? any({1u, 2u, 4u, 8u, 16u, 3u}) : 0; note("flags", f); if (one_in(2)) DO(cuGraphInstantiate(&e, g.g, f)); else { CUDA_GRAPH_INSTANTIATE_PARAMS ip{}; ip.flags = f; ip.hUploadStream = s; DO(cuGraphInstantiateWithParams(&e, g.g, &ip)); give("result", ip.result_out); give("node", place(ip.hErrNode_out)); } if (ok) { execs.push_back({e, g.g, allocates(g.g), false}); DO(cuGraphExecGetFlags(e, &v)); give("flags", (long long)v); } } break;
    case 5: case 6: case 7: if (x.x) { DO(cuGraphLaunch(x.x, s)); settle(); } break;
    case 8: if (x.x) { DO(cuGraphUpload(x.x, s)); settle(); } break;
    case 9: case 10: if (x.x && g.g) { CUgraphExecUpdateResultInfo r{}; DO(cuGraphExecUpdate(x.x, g.g, &r)); give("result", r.result); give("node", place(r.errorNode)); give("from", place(r.errorFromNode)); } break;
    case 11: if (x.x && one_in(2)) { DO(cuGraphExecDestroy(x.x)); if (ok) drop_if(execs, [&](Exec &e) { return e.x == x.x; }); } break;
    case 12: { const auto a = (CUgraphMem_attribute)below(5); if (one_in(3)) { cuuint64_t w = any({0ull, 5ull}); DO(cuDeviceSetGraphMemAttribute(one_in(8) ? 3 : 0, a, &w)); } DO(cuDeviceGetGraphMemAttribute(one_in(8) ? 3 : 0, a, &v)); give("value", (long long)v); if (one_in(2)) DO(cuDeviceGraphMemTrim(one_in(8) ? 3 : 0)); } break;
    case 13: { CUuserObject u = pick(objects); const unsigned n = any({1u, 1u, 2u, 0u}); switch (below(5)) { case 0: if (objects.size() < 3) { DO(cuUserObjectCreate(&u, &freed, host_function, n, one_in(4) ? 0 : 1)); if (ok && n == 1) objects.push_back(u); } break; case 1: if (u) DO(cuUserObjectRetain(u, n)); break; case 2: if (u && g.g) DO(cuGraphRetainUserObject(g.g, u, n, below(one_in(8) ? 3 : 1))); break; case 3: if (u && g.g) DO(cuGraphReleaseUserObject(g.g, u, any({1u, 0u}))); break; case 4: if (u && one_in(2)) { DO(cuUserObjectRelease(u, n)); if (ok) drop_if(objects, [&](CUuserObject x) { return x == u; }); } break; } } break;
    }
}
static void captures() {
    bool ok; CUstream s = pick(streams), t = a_stream(); CUevent e = pick(events); Buffer b = a_buffer(), c = a_buffer(); Graph g = pick(graphs); CUstreamCaptureStatus st = (CUstreamCaptureStatus)7; cuuint64_t id = 7; CUgraph w = nullptr; const CUgraphNode *deps = nullptr; const CUgraphEdgeData *edges = nullptr; size_t k = 7;
    switch (below(12)) {
    case 0: case 1: if (s) DO(cuStreamBeginCapture(s, (CUstreamCaptureMode)below(one_in(12) ? 4 : 3))); break;
    case 2: if (s && g.g) { Node d = pick(nodes); CUgraphEdgeData q[1]{}; note("same", d.g == g.g); DO(cuStreamBeginCaptureToGraph(s, g.g, d.n ? &d.n : nullptr, one_in(2) ? q : nullptr, d.n && one_in(2), (CUstreamCaptureMode)below(3))); } break;
    case 3: case 4: if (s) { DO(cuStreamEndCapture(s, &w)); if (ok && w) { if (place(w) < 0) { graphs.push_back({w, nullptr}); note("made", place(w)); } DO(cuGraphGetNodes(w, nullptr, &k)); give("nodes", (long long)k); DO(cuGraphGetEdges(w, nullptr, nullptr, nullptr, &k)); give("edges", (long long)k); } } break;
    case 5: DO(cuStreamGetCaptureInfo(t, &st, one_in(2) ? &id : nullptr, &w, &deps, one_in(2) ? &edges : nullptr, &k)); give("status", st); if (ok && st == 1) { give("count", (long long)k); CUgraphNode n = k ? deps[0] : nullptr; if (n) { CUgraphNodeType ty = (CUgraphNodeType)77; DO(cuGraphNodeGetType(n, &ty)); give("type", ty); } } break;
    case 6: { Node d = pick(nodes); CUgraphEdgeData q[1]{}; DO(cuStreamUpdateCaptureDependencies(t, &d.n, one_in(2) ? q : nullptr, d.n ? below(2) : 0, below(3))); } break;
    case 7: if (e) { if (one_in(2)) DO(cuEventRecord(e, t)); else DO(cuStreamWaitEvent(t, e, one_in(6))); } break;
    case 8: DO(cuMemsetD32Async(b.at, 3, 4, t)); break;
    case 9: DO(cuMemcpyDtoDAsync(b.at, c.at + 1024, 64, t)); break;
    case 10: { argument = b.at; value = 2; DO(cuLaunchKernel(functions[below(3)], 1, 1, 1, 1, 1, 1, 0, t, arguments, nullptr)); } break;
    case 11: { CUdeviceptr p = 0; DO(cuMemAllocAsync(&p, 1000, t)); if (ok) DO(cuMemFreeAsync(p, t)); } break;
    }
    settle();
}
static void the_pools() {
    bool ok; CUmemoryPool p = pick(pools), q = nullptr; CUstream s = a_stream(); CUmemPoolProps r{}; CUmemLocation l = {one_in(4) ? any({CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA, CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT}) : CU_MEM_LOCATION_TYPE_DEVICE, one_in(8) ? 3 : 0}; CUmemAllocationType ty = one_in(6) ? any({CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_INVALID, (CUmemAllocationType)5}) : CU_MEM_ALLOCATION_TYPE_PINNED; cuuint64_t v = 7; Buffer b = a_buffer(); note("location", l.type); note("id", l.id); note("type", ty); note("pool", p != nullptr);
    switch (below(17)) {
    case 0: case 1: if (pools.size() < 4) { r.allocType = ty; r.location = l; r.handleTypes = one_in(4) ? any({CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32, (CUmemAllocationHandleType)64}) : CU_MEM_HANDLE_TYPE_NONE; r.maxSize = one_in(4) ? any({(size_t)1, (size_t)1 << 20, (size_t)100 << 20}) : 0; r.usage = one_in(12) ? 3 : 0; r.reserved[3] = one_in(16); note("handles", r.handleTypes); note("max", (long long)r.maxSize); DO(cuMemPoolCreate(&q, &r)); if (ok) pools.push_back(q); } break;
    case 2: if (p && one_in(2)) { DO(cuMemPoolDestroy(p)); if (ok) drop_if(pools, [&](CUmemoryPool x) { return x == p; }); } break;
    case 3: case 4: if (p) { CUdeviceptr at = 0; DO(cuMemAllocFromPoolAsync(&at, any({(size_t)4096, (size_t)1, (size_t)0, (size_t)3 << 20}), p, s)); if (ok && at) { CUmemoryPool o = nullptr; DO(cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, at)); give("same", o == p); if (one_in(2)) { CUmemPoolPtrExportData d; DO(cuMemPoolExportPointer(&d, at)); } DO(cuMemFreeAsync(at, s)); } settle(); } break;
    case 5: case 6: case 7: { const auto a = (CUmemPool_attribute)below(10); v = any({0ull, 1ull, 5ull, 1ull << 20}); note("attribute", a); if (!p) break; if (one_in(2)) DO(cuMemPoolSetAttribute(p, a, &v)); v = 7; DO(cuMemPoolGetAttribute(p, a, &v)); if (ok) give("value", a < 4 && a > 0 ? (long long)*(int *)&v : (long long)v); } break;
    case 8: case 9: if (p) { CUmemAccessDesc d = {l, any({CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_NONE, (CUmemAccess_flags)2})}; note("access", d.flags); if (one_in(2)) DO(cuMemPoolSetAccess(p, &d, below(2))); CUmemAccess_flags f = (CUmemAccess_flags)7; DO(cuMemPoolGetAccess(&f, p, &l)); give("access", f); } break;
    case 10: if (p) DO(cuMemPoolTrimTo(p, any({(size_t)0, (size_t)1 << 20}))); break;
    case 11: DO(cuDeviceGetDefaultMemPool(&q, l.id)); if (ok) { CUmemoryPool o = nullptr; DO(cuDeviceGetMemPool(&o, l.id)); give("same", o == q); } break;
    case 12: if (p) { DO(cuDeviceSetMemPool(l.id, p)); CUdeviceptr at = 0; DO(cuMemAllocAsync(&at, 4096, s)); if (ok) { CUmemoryPool o = nullptr; DO(cuPointerGetAttribute(&o, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, at)); give("same", o == p); DO(cuMemFreeAsync(at, s)); } settle(); DO(cuDeviceGetDefaultMemPool(&q, 0)); DO(cuDeviceSetMemPool(0, q)); } break;
    case 13: DO(cuMemGetDefaultMemPool(&q, &l, ty)); if (ok) { CUmemoryPool o = nullptr; DO(cuMemGetMemPool(&o, &l, ty)); give("same", o == q); } break;
    case 14: if (p) { DO(cuMemSetMemPool(&l, ty, p)); CUmemoryPool o = nullptr; DO(cuMemGetMemPool(&o, &l, ty)); give("same", o == p); if (l.type == CU_MEM_LOCATION_TYPE_DEVICE && l.id == 0 && cuDeviceGetDefaultMemPool(&q, 0) == CUDA_SUCCESS) cuDeviceSetMemPool(0, q); } break;
    case 15: if (p) { int fd = -1; DO(cuMemPoolExportToShareableHandle(&fd, p, any({CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32, CU_MEM_HANDLE_TYPE_NONE}), one_in(8))); if (ok) { give("fd", fd >= 0); DO(cuMemPoolImportFromShareableHandle(&q, (void *)(uintptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); if (ok) DO(cuMemPoolDestroy(q)); close(fd); } } break;
    case 16: { CUmemPoolPtrExportData d; DO(cuMemPoolExportPointer(&d, b.at)); CUipcMemHandle h; CUdeviceptr at = 0; DO(cuIpcGetMemHandle(&h, b.at + any({0, 16}))); if (ok) DO(cuIpcOpenMemHandle(&at, h, below(2))); CUevent e = pick(events); CUipcEventHandle i; if (e) { DO(cuIpcGetEventHandle(&i, e)); if (ok) DO(cuIpcOpenEventHandle(&e, i)); } DO(cuIpcCloseMemHandle(b.at)); } break;
    }
}
static void the_greens() {
    bool ok; CUgreenCtx g = pick(greens); CUdevResource r{}, out[9]{}, rest{}; unsigned n = any({0u, 1u, 2u, 8u, 100u}), least = any({0u, 1u, 8u, 16u, 20u, 66u, 132u, 133u}), flags = one_in(3) ? any({1u, 2u, 3u, 4u}) : 0; const auto ty = one_in(6) ? any({CU_DEV_RESOURCE_TYPE_INVALID, (CUdevResourceType)2, (CUdevResourceType)1000, (CUdevResourceType)10000}) : CU_DEV_RESOURCE_TYPE_SM; unsigned long long id = 7; note("n", n); note("least", least); note("flags", flags); note("type", ty);
    switch (below(10)) {
    case 0: DO(cuDeviceGetDevResource(one_in(8) ? 3 : 0, &r, ty)); if (ok) { give("type", r.type); give("sms", r.sm.smCount); } break;
    case 1: DO(cuCtxGetDevResource(one_in(4) ? nullptr : context, &r, ty)); if (ok && ty == 1) give("sms", r.sm.smCount); break;
    case 2: case 3: case 4: case 5: { CUdevResourceDesc d = nullptr; DO(cuDeviceGetDevResource(0, &r, CU_DEV_RESOURCE_TYPE_SM)); unsigned k = n > 8 ? 8 : n; if (one_in(12)) r.type = CU_DEV_RESOURCE_TYPE_INVALID; DO(cuDevSmResourceSplitByCount(one_in(6) ? nullptr : out, one_in(12) ? nullptr : &k, &r, one_in(3) ? nullptr : &rest, flags, least)); give("groups", k); if (ok) { give("sms", out[0].sm.smCount); give("last", k && k <= 8 ? (long long)out[k - 1].sm.smCount : -1); give("rest", rest.sm.smCount); give("kind", rest.type); }
        if (ok && out[0].type == CU_DEV_RESOURCE_TYPE_SM) { DO(cuDevResourceGenerateDesc(&d, out, any({1u, 1u, 2u, 0u}))); if (ok && greens.size() < 3) { DO(cuGreenCtxCreate(&g, d, one_in(8) ? 3 : 0, one_in(6) ? any({0u, 2u}) : 1)); if (ok) greens.push_back(g); } } } break;
    case 6: if (g) { CUcontext c = nullptr; DO(cuCtxFromGreenCtx(&c, g)); if (ok) { DO(cuCtxPushCurrent(c)); CUcontext o = nullptr; unsigned f = 7; DO(cuCtxGetFlags(&f)); give("flags", f); DO(cuMemsetD32(buffers[0].at, 1, 1)); DO(cuCtxGetDevResource(c, &r, CU_DEV_RESOURCE_TYPE_SM)); give("sms", r.sm.smCount); argument = buffers[0].at; value = 1; DO(cuLaunchKernel(functions[below(3)], 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr)); DO(cuCtxSynchronize()); DO(cuCtxPopCurrent(&o)); give("same", o == c); } } break;
    case 7: if (g) { CUstream s = nullptr; DO(cuGreenCtxStreamCreate(&s, g, any({1u, 1u, 0u, 2u}), any({0, -1, 7}))); if (ok) { CUgreenCtx o = nullptr; DO(cuStreamGetGreenCtx(s, &o)); give("same", o == g); argument = buffers[0].at; value = 1; DO(cuLaunchKernel(functions[below(3)], 1, 1, 1, 1, 1, 1, 0, s, arguments, nullptr)); DO(cuStreamSynchronize(s)); DO(cuStreamDestroy(s)); } } break;
    case 8: if (g) { CUevent e = pick(events); if (e) { DO(cuGreenCtxRecordEvent(g, e)); DO(cuGreenCtxWaitEvent(g, e)); } DO(cuGreenCtxGetDevResource(g, &r, ty)); if (ok && ty == 1) give("sms", r.sm.smCount); DO(cuGreenCtxGetId(g, &id)); settle(); } break;
    case 9: if (g && one_in(2)) { DO(cuGreenCtxDestroy(g)); if (ok) drop_if(greens, [&](CUgreenCtx x) { return x == g; }); } break;
    }
}
static void batches() {
    bool ok; CUstream s = a_stream(); Buffer b[3] = {a_buffer(), a_buffer(), a_buffer()}; CUdeviceptr d[3], f[3]; size_t z[3], at[3] = {0, one_in(6) ? 0u : 1u, 2}; const size_t n = one_in(10) ? 0 : 1 + below(3), m = one_in(10) ? 0 : 1 + below(2); CUmemcpyAttributes a[3]{}; CUmemLocation l[2]; for (int i = 0; i < 3; i++) { d[i] = b[i].at + 512u * (unsigned)i; f[i] = b[(i + 1) % 3].at + 2048; z[i] = any({(size_t)64, (size_t)4, one_in(4) ? (size_t)0 : (size_t)100}); a[i].srcAccessOrder = (CUmemcpySrcAccessOrder)(one_in(8) ? below(5) : 1 + below(3)); a[i].flags = one_in(8) ? below(3) : 0; } for (int i = 0; i < 2; i++) l[i] = {one_in(4) ? any({CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA, CU_MEM_LOCATION_TYPE_INVALID}) : CU_MEM_LOCATION_TYPE_DEVICE, one_in(8) ? 3 : 0};
    note("n", (long long)n); note("m", (long long)m); note("kinds", b[0].kind * 100 + b[1].kind * 10 + b[2].kind); note("stream", s == nullptr || s == CU_STREAM_LEGACY ? 0 : s == CU_STREAM_PER_THREAD ? 1 : 2); note("at", (long long)at[1]); note("order", a[0].srcAccessOrder * 10 + (int)a[0].flags); note("locs", l[0].type * 10 + l[0].id); for (size_t z1 : z) note("z", (long long)z1); note("at0", b[0].at == f[0] - 2048); note("same", b[0].at == b[1].at);
    switch (below(6)) {
    case 0: case 1: DO(cuMemcpyBatchAsync(d, f, z, n, a, at, m, s)); break;
    case 2: { CUDA_MEMCPY3D_BATCH_OP o[2]{}; for (int i = 0; i < 2; i++) { o[i].src.type = o[i].dst.type = one_in(12) ? (CUmemcpy3DOperandType)3 : CU_MEMCPY_OPERAND_TYPE_POINTER; o[i].src.op.ptr = {f[i], any({(size_t)0, (size_t)64, (size_t)4}), any({(size_t)0, (size_t)4}), l[0]}; o[i].dst.op.ptr = {d[i], any({(size_t)0, (size_t)64}), 0, l[1]}; o[i].extent = {any({(size_t)16, (size_t)0}), any({(size_t)1, (size_t)2}), 1}; o[i].srcAccessOrder = a[i].srcAccessOrder; o[i].flags = a[i].flags; } DO(cuMemcpy3DBatchAsync(n > 2 ? 2 : n, o, one_in(10), s)); } break;
    case 3: DO(cuMemPrefetchBatchAsync(d, z, n, l, at, m, one_in(10), s)); break;
    case 4: DO(cuMemDiscardBatchAsync(d, z, n, one_in(10), s)); if (ok) for (size_t i = 0; i < n; i++) { DO(cuMemsetD8(d[i], 0, z[i] ? z[i] : 1)); } break;
    case 5: DO(cuMemDiscardAndPrefetchBatchAsync(d, z, n, l, at, m, one_in(10), s)); if (ok) for (size_t i = 0; i < n; i++) { DO(cuMemsetD8(d[i], 0, z[i] ? z[i] : 1)); } break;
    }
    settle();
}
static void devices() {
    bool ok; const CUdevice d = one_in(8) ? any({1, -1, 3}) : 0; char t[100] = "zzz"; int v = -7; size_t z = 7; note("device", d);
    switch (below(14)) {
    case 0: { const int n = any({100, 4, 1, 0, -1}); DO(cuDeviceGetName(t, n, d)); if (n > 0) { t[n - 1] = 0; printf("  name %s\n", n < 100 ? t : "-"); } } break;
    case 1: { const int n = any({100, 13, 5, 12, 0}); DO(cuDeviceGetPCIBusId(t, n, d)); if (ok) { CUdevice o = -7; DO(cuDeviceGetByPCIBusId(&o, one_in(4) ? any({"", "zz", "9999:00:00.0"}) : t)); if (n >= 13) give("device", o); } } break;
    case 2: { CUuuid u; DO(cuDeviceGetUuid(&u, d)); DO(cuDeviceTotalMem(&z, d)); DO(cuDeviceCanAccessPeer(&v, 0, d)); give("can", v); } break;
    case 3: { v = -7; const auto a = (CUdevice_P2PAttribute)below(7); DO(cuDeviceGetP2PAttribute(&v, a, 0, d)); DO(cuCtxEnablePeerAccess(context, one_in(4))); DO(cuCtxDisablePeerAccess(context)); } break;
    case 4: { DO(cuDeviceGetExecAffinitySupport(&v, (CUexecAffinityType)below(3), d)); give("support", v); } break;
    case 5: { const auto f = any({CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_HALF, CU_AD_FORMAT_UNSIGNED_INT8, (CUarray_format)5, CU_AD_FORMAT_NV12, CU_AD_FORMAT_UNORM_INT8X1}); const unsigned c = any({1u, 2u, 4u, 3u, 0u}); note("format", f); note("channels", c); DO(cuDeviceGetTexture1DLinearMaxWidth(&z, f, c, d)); give("width", (long long)z); } break;
    case 6: { unsigned c[3] = {7, 7, 7}; const CUatomicOperation o[] = {(CUatomicOperation)below(14), (CUatomicOperation)below(14), CU_ATOMIC_OPERATION_INTEGER_ADD}; const unsigned n = below(4); note("op", o[0]); DO(cuDeviceGetHostAtomicCapabilities(c, o, n, d)); if (ok) for (unsigned i = 0; i < n; i++) give("can", c[i]); } break;
    case 7: { int a = -7, b = -7; DO(cuDeviceComputeCapability(&a, &b, d)); give("major", a); CUdevprop p{}; DO(cuDeviceGetProperties(&p, d)); give("clock", p.sharedMemPerBlock); } break;
    case 8: { const char *s = nullptr; const auto e = (CUresult)any({0, 1, 100, 218, 304, 700, 719, 910, 917, 918, 999, 1000, 5, 12, 77, 301, 236, 330}); note("error", e); DO(one_in(2) ? cuGetErrorName(e, &s) : cuGetErrorString(e, &s)); printf("  %s\n", s ? s : "-"); } break;
    case 9: { void *p = (void *)7; CUdriverProcAddressQueryResult q = (CUdriverProcAddressQueryResult)7; const char *n = any({"cuInit", "cuMemAlloc", "cuCtxCreate", "cuNothing", "", "cuMemcpyHtoD", "cuGraphAddNode", "cuStreamSynchronize", "cuEventRecord_ptsz", "cuMemAlloc_v2"}); const int ver = any({13000, 12000, 3010, 3020, 2000, 0, -1, 14000, 11040}); const auto f = any({0, 0, 1, 2, 3, 4}); note("version", ver); note("flags", f); if (draws) drawn += std::string(" ") + n; DO(cuGetProcAddress(n, one_in(12) ? nullptr : &p, ver, (cuuint64_t)f, one_in(4) ? nullptr : &q)); give("found", p == nullptr ? 0 : p == (void *)7 ? 7 : 1); give("query", q); } break;
    case 10: { int lo = 7; CUdevice c = 7; DO(cuDeviceGet(&c, any({0, 1, -1}))); give("device", c); DO(cuDeviceGetCount(&lo)); DO(cuDriverGetVersion(one_in(3) ? nullptr : &lo)); } break;
    case 11: DO(cuCtxResetPersistingL2Cache()); break;
    case 12: { CUmoduleLoadingMode m = (CUmoduleLoadingMode)7; DO(cuModuleGetLoadingMode(&m)); CUlogIterator i = 7; DO(cuLogsCurrent(&i, one_in(3))); size_t k = any({sizeof t, (size_t)0, (size_t)5}); note("k", (long long)k); DO(cuLogsDumpToMemory(one_in(2) ? &i : &i, t, &k, one_in(4))); give("bytes", (long long)k); } break;
    case 13: { Buffer b = a_buffer(); unsigned r = 7; void *data[4] = {&v, &r, &z, nullptr}; CUpointer_attribute k[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_RANGE_SIZE, (CUpointer_attribute)any({0, 30, 12})}; DO(cuPointerGetAttributes(below(4), k, data, b.at + any({0, 100}))); give("type", v); give("managed", r & 255); give("range", (long long)z); } break;
    }
}
static void finish() {
    bool ok; step = 100000;
    for (int round = 0; round < 2; round++) for (CUstream s : streams) { CUstreamCaptureStatus c; if (cuStreamIsCapturing(s, &c) == CUDA_SUCCESS && c != CU_STREAM_CAPTURE_STATUS_NONE) { CUgraph g = nullptr; DO(cuStreamEndCapture(s, &g)); } }
    DO(cuCtxSynchronize()); give("called", called); give("freed", freed);
    for (const Buffer &b : buffers) { DO(cuMemcpyDtoH(host, b.at, b.bytes)); give("sum", sum(host, b.bytes)); }
    CUdeviceptr p = 0; size_t z = 0; int v = -1; if (cuModuleGetGlobal(&p, &z, module, "table") == CUDA_SUCCESS) { DO(cuMemcpyDtoH(&v, p, 4)); give("table", v); }
}
static void sequence(long seed, int steps) {
    begin(seed);
    bool ok; static const char *const names[] = {"add", "twice", "touch"}; Buffer b{}; step = -1;
    cuInit(0); cuDevicePrimaryCtxRetain(&context, 0); cuCtxSetCurrent(context); cuModuleLoadData(&module, text);
    for (int i = 0; i < 3; i++) { cuModuleGetFunction(&functions[i], module, names[i]); CUevent e; cuEventCreate(&e, i == 2 ? CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS : 0); events.push_back(e); CUgraph g; cuGraphCreate(&g, 0); graphs.push_back({g, nullptr}); }
    for (int i = 0; i < 2; i++) { CUstream s; cuStreamCreate(&s, 1); streams.push_back(s); }
    for (int i = 0; i < 4; i++) { void *p = nullptr; b = {0, 4096, i < 2 ? 0 : i - 1}; if (b.kind == 0) cuMemAlloc(&b.at, 4096); else if (b.kind == 1) cuMemAllocManaged(&b.at, 4096, 1); else { cuMemAllocHost(&p, 4096); b.at = (CUdeviceptr)p; } DO(cuMemsetD8(b.at, 0, 4096)); buffers.push_back(b); }
    const uint32_t mix = below(5);
    for (step = 0; step < steps; step++) { const uint32_t k = below(20); if (k < 5) make_nodes(); else if (k < 9) change_nodes(); else if (k < 13) whole_graphs(); else if (k < 15) devices(); else switch (mix) { case 0: make_nodes(); break; case 1: captures(); break; case 2: the_pools(); break; case 3: the_greens(); break; case 4: batches(); break; } }
    finish(); printf("end\n"); fflush(stdout); _exit(0);
}
/* Seeds that reach the most calls with the most errors, and end on an H200. */
static const long seeds[] = {2270, 131, 281, 2044, 336, 194, 111, 2140, 426, 2352, 384, 2301, 394, 2316, 2071, 2007};
int main(int argc, char **argv) {
    if (argc == 1) {
        for (long seed : seeds) { printf("== seed %ld\n", seed); fflush(stdout); if (fork() == 0) sequence(seed, 80); int status; wait(&status); }
        return 0;
    }
    const long first = atol(argv[1]), count = argc > 2 ? atol(argv[2]) : 1; const int steps = argc > 3 ? atoi(argv[3]) : 80, parallel = argc > 4 ? atoi(argv[4]) : 1;
    int running = 0;
    for (long i = 0; i < count; i++) {
        if (running == parallel) { int status; pid_t p = wait(&status); running--; if (status) fprintf(stderr, "process %d ends with status %d\n", (int)p, status); }
        fflush(stdout);
        if (count == 1) sequence(first, steps);
        if (fork() == 0) { char name[64]; snprintf(name, sizeof name, "calls.%ld.txt", first + i); if (count > 1 && !freopen(name, "w", stdout)) _exit(9); sequence(first + i, steps); }
        running++;
    }
    while (running--) { int status; wait(&status); if (status) fprintf(stderr, "a process ends with status %d\n", status); }
}
