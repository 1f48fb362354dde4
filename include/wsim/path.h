/* path.h - by which machine code a product is computed. Results are the same bits on every path:
 * the plain one is the meaning, in integers and tables; the others are for speed.
 */
#ifndef WSIM_PATH_H
#define WSIM_PATH_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wsim_path {
    WSIM_PATH_PLAIN,      /* portable C, an element at a time                                    */
    WSIM_PATH_VECTORS,    /* vectors of the compiler, no intrinsics: any machine, NEON on arm64  */
    WSIM_PATH_VECTORS_V3, /* the same for x86-64-v3                                              */
    WSIM_PATH_AVX2,       /* x86-64-v3: AVX2, FMA, F16C                                          */
    WSIM_PATH_AVX512      /* x86-64-v4 with VBMI, VNNI, BITALG and VPOPCNTDQ (Ice Lake, Zen 4)   */
};
#define WSIM_PATHS 5

/* "plain", "vectors" (on arm64 "neon"), "vectors-v3", "avx2", "avx512"; NULL: there is no such
 * path. */
WSIM_API const char *wsim_path_name(enum wsim_path path);

/* Whether this build has kernels of the path and this machine runs them; the plain path is always
 * there. */
WSIM_API int wsim_path_available(enum wsim_path path);

#ifdef __cplusplus
}
#endif
#endif
