/* Mistakes in the order of streams: memory of a pool, atomics, executable graphs. */
#include "planted.h"

int cudaStreamBeginCapture(void *, int), cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiate(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *), cudaGraphExecDestroy(void *), cudaGraphDestroy(void *);
int cudaEventCreate(void **), cudaEventRecord(void *, void *), cudaEventDestroy(void *);
int cudaStreamWaitEvent(void *, void *, unsigned);

/* The second stream uses memory that the first one gives. */
void given(int wrong) {
    void *one = stream(), *two = stream(), *event, *pool;
    must(cudaEventCreate(&event));
    must(cudaMallocAsync(&pool, BYTES, one));
    must(cudaEventRecord(event, one));
    if (!wrong)
        must(cudaStreamWaitEvent(two, event, 0));
    must(cudaMemsetAsync(pool, 0, BYTES, two));
    must(cudaEventRecord(event, two));
    must(cudaStreamWaitEvent(one, event, 0));
    must(cudaFreeAsync(pool, one));
    must(cudaDeviceSynchronize());
    must(cudaEventDestroy(event));
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
}

/* Kernels of two streams count in one word; a fill of that word has to wait. */
void updated(int wrong) {
    void *a = device(), *one = stream(), *two = stream();
    launch("count", one, a, a);
    launch("count", two, a, a);
    if (!wrong)
        must(cudaStreamSynchronize(one));
    must(cudaMemsetAsync(a, 0, 4, two));
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
    must(cudaFree(a));
}

/* A graph waits for its last launch in another stream; another graph does not. */
void again(int wrong) {
    void *a = device(), *one = stream(), *two = stream(), *graph, *first, *second;
    must(cudaStreamBeginCapture(one, 0));
    launch("add", one, a, a);
    must(cudaStreamEndCapture(one, &graph));
    must(cudaGraphInstantiate(&first, graph, 0));
    must(cudaGraphInstantiate(&second, graph, 0));
    for (int i = 0; i < 3; i++) {
        must(cudaGraphLaunch(first, i % 2 ? two : one));
        must(cudaGraphLaunch(wrong ? second : first, i % 2 ? one : two));
    }
    must(cudaDeviceSynchronize());
    must(cudaGraphExecDestroy(first));
    must(cudaGraphExecDestroy(second));
    must(cudaGraphDestroy(graph));
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
    must(cudaFree(a));
}
