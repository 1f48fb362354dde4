#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
static int bad_;
#define CK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        if (e_ != cudaSuccess) {                                                                   \
            printf("line %d: %s -> %d %s\n", __LINE__, #x, (int)e_, cudaGetErrorName(e_));         \
            bad_++;                                                                                \
        }                                                                                          \
    } while (0)
#define EXPECT(c)                                                                                  \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            printf("line %d: not %s\n", __LINE__, #c);                                             \
            bad_++;                                                                                \
        }                                                                                          \
    } while (0)
#define SHOW(x)                                                                                    \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        printf("%s -> %d %s: %s\n", #x, (int)e_, cudaGetErrorName(e_), cudaGetErrorString(e_));    \
    } while (0)
static int done() {
    printf(bad_ ? "FAIL %d\n" : "PASS\n", bad_);
    return bad_ != 0;
}
