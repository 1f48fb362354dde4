/* cuda_runtime_calls.h - functions as the headers of CUDA have: they only call the API. One is in
 * its caller. The other is a function of its own, as all are without optimisation. */
#ifndef TESTS_RUNTIME_CUDA_RUNTIME_CALLS_H
#define TESTS_RUNTIME_CUDA_RUNTIME_CALLS_H

#include <stddef.h>

int cudaMalloc(void **, size_t);

__attribute__((always_inline)) static inline void *take(size_t bytes) {
    void *at = NULL;
    return cudaMalloc(&at, bytes) ? NULL : at;
}

#ifdef __clang__
#define AS_WRITTEN optnone
#else
#define AS_WRITTEN optimize("O0")
#endif
__attribute__((noinline, AS_WRITTEN)) static int take_to(void **at, size_t bytes) {
    return cudaMalloc(at, bytes);
}

#endif
