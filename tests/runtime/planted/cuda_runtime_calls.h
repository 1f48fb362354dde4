/* cuda_runtime_calls.h - a function as the headers of CUDA have: it only calls the API, in its
 * caller. */
#ifndef TESTS_RUNTIME_CUDA_RUNTIME_CALLS_H
#define TESTS_RUNTIME_CUDA_RUNTIME_CALLS_H

#include <stddef.h>

int cudaMalloc(void **, size_t);

__attribute__((always_inline)) static inline void *take(size_t bytes) {
    void *at = NULL;
    return cudaMalloc(&at, bytes) ? NULL : at;
}

#endif
