/* target.h - the paths that this compiler can compile for this machine. WSIM_NO_KERNELS leaves only
 * the plain path. WSIM_INTEGER_KERNELS leaves the kernels without floating point: they are slower
 * for most types, and there is none for floats of 8 bits and less. CMake: -DWSIM_KERNELS=ON,
 * INTEGER or OFF. */
#ifndef WSIM_KERNELS_TARGET_H
#define WSIM_KERNELS_TARGET_H

/* Vectors need true floats: where C computes them wider (s390x, x87), products of vectors differ.
 */
#if defined(__has_builtin) && (__FLT_EVAL_METHOD__ == 0 || defined(WSIM_INTEGER_KERNELS))
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
#define KERNELS_VECTORS 1
#endif
#endif
#if !defined(KERNELS_VECTORS) || defined(WSIM_NO_KERNELS)
#undef KERNELS_VECTORS
#define KERNELS_VECTORS 0
#endif

#if KERNELS_VECTORS && defined(__x86_64__)
#define KERNELS_X86 1
#else
#define KERNELS_X86 0
#endif

/* Features of x86-64-v3, and of v4 with the extensions that the kernels use. path.c checks that the
 * machine has them. */
#define TARGET_V3 "avx2,fma,f16c,bmi,bmi2"
#define TARGET_V4                                                                                  \
    TARGET_V3 ",avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni,avx512bitalg,"            \
              "avx512vpopcntdq"

/* Compiles all functions that follow for such a machine, up to TARGET_END (clang) or to the end of
 * the file (gcc). */
#define TARGET_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TARGET_BEGIN(features)                                                                     \
    TARGET_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define TARGET_END TARGET_PRAGMA(clang attribute pop)
#else
#define TARGET_BEGIN(features) TARGET_PRAGMA(GCC target(features))
#define TARGET_END
#endif

#endif
