/* Chooses the kernel for an arithmetic among those that this machine can run. */
#include "kernels.h"
#include "target.h"

static const struct num_kernel *table_of(enum wsim_path path) {
    switch (path) {
    case WSIM_PATH_VECTORS: return wsim_kernels_vectors;
    case WSIM_PATH_AVX2: return wsim_kernels_avx2;
    case WSIM_PATH_AVX512: return wsim_kernels_avx512;
    case WSIM_PATH_PLAIN: break;
    }
    return NULL;
}

#if KERNELS_X86
/* F16C needs no check (and has no name in clang 14): every machine with AVX2 has it. */
static int has_v3(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

static int runs(enum wsim_path path) {
    __builtin_cpu_init();
    if (path == WSIM_PATH_AVX512)
        return has_v3() && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
               __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bitalg") &&
               __builtin_cpu_supports("avx512vpopcntdq");
    return path == WSIM_PATH_VECTORS || has_v3();
}
#else
static int runs(enum wsim_path path) {
    return path == WSIM_PATH_VECTORS;
}
#endif

const char *wsim_path_name(enum wsim_path path) {
    switch (path) {
    case WSIM_PATH_PLAIN: return "plain";
#if defined(__aarch64__)
    case WSIM_PATH_VECTORS: return "neon";
#else
    case WSIM_PATH_VECTORS: return "vectors";
#endif
    case WSIM_PATH_AVX2: return "avx2";
    case WSIM_PATH_AVX512: return "avx512";
    }
    return NULL;
}

int wsim_path_available(enum wsim_path path) {
    const struct num_kernel *table = table_of(path);
    return path == WSIM_PATH_PLAIN || (table && table->run && runs(path));
}

const struct num_kernel *num_kernel_at(enum wsim_path path, unsigned number) {
    return table_of(path) + number;
}

const struct num_kernel *num_kernel_choose(const struct wsim_code_product *how, enum wsim_path most,
                                           enum wsim_path *path) {
    for (unsigned p = most; p > WSIM_PATH_PLAIN; p--) {
        const struct num_kernel *kernel = table_of((enum wsim_path)p);
        if (!wsim_path_available((enum wsim_path)p))
            continue;
        for (; kernel->run; kernel++)
            if (kernel->takes(how)) {
                *path = (enum wsim_path)p;
                return kernel;
            }
    }
    return NULL;
}
