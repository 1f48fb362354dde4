/* planted.h - what the files of the planted program share. */
#ifndef TESTS_RUNTIME_PLANTED_H
#define TESTS_RUNTIME_PLANTED_H

#include <stddef.h>

enum { N = 256, BYTES = 4 * N };

int cudaFree(void *), cudaFreeAsync(void *, void *), cudaMallocAsync(void *, size_t, void *),
    cudaDeviceSynchronize(void), cudaMemsetAsync(void *, int, size_t, void *);
int cudaStreamSynchronize(void *), cudaStreamDestroy(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);

/* Ends the program after an error. */
void must(int error);
/* Launches a kernel of planted.c with N threads. */
void launch(const char *name, void *stream, void *out, const void *in);
/* Memory of BYTES bytes, all 0. */
void *device(void);
void *stream(void);

/* Mistakes of programmatic dependent launches: dependent.c. */
void dependent(int wrong), over(int wrong), chain(int wrong), edges(int wrong), nodes(int wrong),
    captured(int wrong);

/* Mistakes in the order of streams: orders.c. */
void given(int wrong), updated(int wrong), again(int wrong);

/* Launches with inputs that recur: recurs.c. */
void recurs(int wrong), revisits(int wrong);

#endif
