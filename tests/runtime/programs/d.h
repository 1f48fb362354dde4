// d.h - p.h, and the same for calls of the driver API.
#pragma once
#include "p.h"
#include <cuda.h>
#define D(x)                                                                                       \
    do {                                                                                           \
        CUresult e_ = (x);                                                                         \
        const char *n_ = 0;                                                                        \
        cuGetErrorName(e_, &n_);                                                                   \
        printf("%d: %s -> %d %s\n", __LINE__, #x, (int)e_, n_ ? n_ : "?");                         \
    } while (0)
static unsigned hash(const void *p, size_t n) {
    unsigned s = 0;
    for (size_t i = 0; i < n; i++)
        s = s * 31 + ((const unsigned char *)p)[i];
    return s;
}
