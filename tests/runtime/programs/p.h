// p.h - answers of calls, printed with the line of the call: what an H200 gives (driver 580,
// CUDA 13.0; equal in two runs).
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
// P prints what a call returns and forgets the error; V prints a value; K prints the error that
// stands and keeps it.
#define P(x)                                                                                       \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        cudaGetLastError();                                                                        \
        printf("%d: %s -> %d %s\n", __LINE__, #x, (int)e_, cudaGetErrorName(e_));                  \
    } while (0)
#define K(x)                                                                                       \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        printf("%d: %s -> %d %s\n", __LINE__, #x, (int)e_, cudaGetErrorName(e_));                  \
    } while (0)
#define V(x) printf("%d: %s = %lld\n", __LINE__, #x, (long long)(x))
static const int unbuffered = (setvbuf(stdout, 0, _IONBF, 0), 0);
