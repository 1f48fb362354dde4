/* path.h - which machine code computes a product. Results are the same bits on every path: the
 * plain path, in integers and tables, is the definition; the others are for speed. */
#ifndef WSIM_PATH_H
#define WSIM_PATH_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wsim_path {
    WSIM_PATH_PLAIN,   /* portable C, one element at a time                                    */
    WSIM_PATH_VECTORS, /* vector types of the compiler, no intrinsics; NEON on arm64           */
    WSIM_PATH_AVX2,    /* x86-64-v3: AVX2, FMA, F16C                                           */
    WSIM_PATH_AVX512   /* x86-64-v4 with VBMI, VNNI, BITALG and VPOPCNTDQ (Ice Lake, Zen 4)    */
};
#define WSIM_PATHS 4

/* "plain", "vectors" (on arm64 "neon"), "avx2", "avx512"; NULL: no path has this number. */
WSIM_API const char *wsim_path_name(enum wsim_path path);

/* 1 if this build has kernels of the path and this machine runs them. The plain path is always
 * available. */
WSIM_API int wsim_path_available(enum wsim_path path);

#ifdef __cplusplus
}
#endif
#endif
