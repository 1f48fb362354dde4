/* Mistakes of launches that may begin before the kernel before them ends. */
#include "planted.h"

#include <stddef.h>

/* Launches that may begin before the kernel before them ends. `early` reads what that one writes
 * and waits behind it; `late` reads other bytes before. `over` writes and does not wait, `waits`
 * writes behind its wait, `idle` does nothing. */
struct attribute {
    int id, pad, value, rest[15];
};
struct configuration {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct attribute *attributes;
    unsigned n;
};
int cuLaunchKernelEx(const struct configuration *, void *, void **, void **);

static void launch_early(const char *name, void *stream, void *out, const void *in, int allowed) {
    static const char other[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry early(.param .u64 out, .param .u64 in) {\n"
        ".reg .u64 %a<3>; .reg .u32 %r; ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in];\n"
        "ld.global.u32 %r, [%a1+40];\ngriddepcontrol.wait;\nst.global.u32 [%a0], %r; ret; }\n"
        ".visible .entry late(.param .u64 out, .param .u64 in) {\n"
        ".reg .u64 %a<3>; .reg .u32 %r, %s; ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in];\n"
        "ld.global.u32 %s, [%a0];\ngriddepcontrol.wait;\nld.global.u32 %r, [%a1+40];\n"
        "add.u32 %r, %r, %s; st.global.u32 [%a0], %r; ret; }\n"
        ".visible .entry over(.param .u64 out, .param .u64 in) {\n"
        ".reg .u64 %a0; ld.param.u64 %a0, [out]; red.global.add.u32 [%a0+8], 1; ret; }\n"
        ".visible .entry waits(.param .u64 out, .param .u64 in) {\n"
        ".reg .u64 %a0; ld.param.u64 %a0, [out];\n"
        "griddepcontrol.wait;\nred.global.add.u32 [%a0+8], 1; ret; }\n"
        ".visible .entry idle(.param .u64 out, .param .u64 in) { ret; }\n";
    static void *module;
    struct attribute attribute = {.id = 6, .value = allowed};
    const struct configuration how = {{1, 1, 1}, {1, 1, 1}, 0, stream, &attribute, 1};
    void *function, *params[] = {&out, &in};
    if (!module)
        must(cuModuleLoadData(&module, other));
    must(cuModuleGetFunction(&function, module, name));
    must(cuLaunchKernelEx(&how, function, params, NULL));
}

void dependent(int wrong) {
    void *a = device(), *b = device(), *c = device(), *one = stream();
    for (int i = 0; i < 3; i++) {
        launch("add", one, a, b);
        launch_early(wrong ? "early" : "late", one, c, a, 1);
    }
    launch("add", one, a, b); /* the fill waits for the kernel */
    must(cudaMemsetAsync(b, 0, BYTES, one));
    launch_early("early", one, c, a, 1);
    launch("add", one, a, b);
    must(cudaStreamSynchronize(one));
    launch_early("early", one, c, a, 1);
    launch("add", one, a, b);
    launch_early("early", one, c, a, 0);
    launch_early("early", one, c, a, 1); /* that before it writes other bytes */
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFree(c));
}

/* A kernel writes what the kernel before it reads. */
void over(int wrong) {
    void *a = device(), *b = device(), *one = stream();
    for (int i = 0; i < 2; i++) {
        launch("add", one, a, b);
        launch_early(wrong ? "over" : "waits", one, b, a, 1);
    }
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
}

/* The kernel between does not wait for the first one, so the wait of the third one does not. */
void chain(int wrong) {
    void *a = device(), *b = device(), *c = device(), *one = stream();
    launch("add", one, a, b);
    launch_early(wrong ? "idle" : "waits", one, c, a, 1);
    launch_early(wrong ? "idle" : "waits", one, c, a, 1);
    launch_early("late", one, b, a, 1);
    launch("add", one, a, b); /* it waits for all */
    launch_early("waits", one, c, a, 1);
    launch_early("late", one, b, a, 1);
    launch_early("idle", one, c, a, 1);
    must(cudaStreamSynchronize(one)); /* so does the host */
    launch_early("waits", one, a, b, 1);
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFree(c));
}

int cudaStreamBeginCapture(void *, int), cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *), cudaGraphDestroy(void *), cudaGraphExecDestroy(void *);
int cudaGraphGetNodes(void *, void **, size_t *);
int cudaGraphRemoveDependencies_v2(void *, void **, void **, const void *, size_t);
int cudaGraphAddDependencies_v2(void *, void **, void **, const void *, size_t);

/* The same in a graph: the launch was captured so, or its edge says so. */
static void edges_of(int wrong, int captured) {
    void *a = device(), *b = device(), *c = device(), *one = stream(), *graph, *exec;
    launch_early("idle", one, a, b, 0); /* its module is there before the capture */
    launch("add", one, a, b);
    must(cudaStreamSynchronize(one));
    must(cudaStreamBeginCapture(one, 0));
    launch("add", one, a, b);
    launch_early(wrong ? "early" : "late", one, c, a, captured);
    must(cudaMemsetAsync(b, 0, BYTES, one));
    launch_early("early", one, c, a, captured); /* the fill is before it */
    must(cudaStreamEndCapture(one, &graph));
    if (!captured) {
        static const unsigned char data[8] = {1, 0, 1};
        void *nodes[4];
        size_t n = 4;
        must(cudaGraphGetNodes(graph, nodes, &n));
        must(cudaGraphRemoveDependencies_v2(graph, &nodes[0], &nodes[1], NULL, 1));
        must(cudaGraphAddDependencies_v2(graph, &nodes[0], &nodes[1], data, 1));
    }
    must(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < 2; i++)
        must(cudaGraphLaunch(exec, one));
    must(cudaStreamSynchronize(one));
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFree(c));
}

/* The last node of a graph writes what the second one reads. Only the first one is before all. */
void nodes(int wrong) {
    void *a = device(), *b = device(), *c = device(), *one = stream(), *graph, *exec, *all[4];
    size_t n = 4;
    launch("add", one, a, b);
    must(cudaStreamSynchronize(one));
    must(cudaStreamBeginCapture(one, 0));
    must(cudaMemsetAsync(b, 0, BYTES, one));
    launch("add", one, a, b);
    launch("add", one, c, c);
    launch("add", one, b, a);
    must(cudaStreamEndCapture(one, &graph));
    must(cudaGraphGetNodes(graph, all, &n));
    must(cudaGraphRemoveDependencies_v2(graph, &all[1], &all[2], NULL, 2));
    must(cudaGraphAddDependencies_v2(graph, &all[0], &all[2], NULL, 1));
    must(cudaGraphAddDependencies_v2(graph, &all[wrong ? 2 : 1], &all[3], NULL, 1));
    must(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < 2; i++)
        must(cudaGraphLaunch(exec, one));
    must(cudaStreamSynchronize(one));
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFree(c));
}

void edges(int wrong) {
    edges_of(wrong, 0);
}

void captured(int wrong) {
    edges_of(wrong, 1);
}
