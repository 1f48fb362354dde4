/* hardware.h - the GPU side, as the rest of the program sees it. */
#ifndef HW_HARDWARE_H
#define HW_HARDWARE_H

#include <wsim/harness/stream.h>
#include <wsim/harness/stream_scalar.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One generated kernel. The list is printed by generate.c, in the order of the tables. */
struct hw_kernel {
    const char *spelling;
    unsigned selector;
    uint64_t targets; /* bit i: has code for architecture i of the table */
    const void *code;
    const char *symbol; /* where there is no code: of a kernel in one of hw_images */
};
extern const struct hw_kernel hw_kernels[];
extern const size_t hw_kernel_count;

/* Code for warpgroups, assembled apart from PTX (build.sh); the last is NULL. */
extern const void *const hw_images[];

struct hw_device {
    char gpu[128], driver[64], toolkit[32];
    unsigned capability; /* 90: compute capability 9.0                     */
    unsigned code;       /* the same of the code that runs on it           */
};

/* Opens the first GPU. NULL, or why there is none. */
const char *hw_open(struct hw_device *device);

/* Generates `cases` cases from number `first` on and runs them: out_rows * 32 words each into
 * `out`. `in` receives the inputs of the first `sampled` as the GPU made them. NULL, or the
 * error. */
const char *hw_run(const struct hw_kernel *kernel, const struct wsim_plan *plan, uint64_t seed,
                   unsigned dist, uint64_t first, uint32_t cases, uint32_t *out, uint32_t *in,
                   uint32_t sampled);

/* The same for `cases` blocks that are given. */
const char *hw_run_blocks(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                          const uint32_t *in, uint32_t cases, uint32_t *out);

/* Kernels of scalar instructions, a file each, assembled separately (build.sh) and named in the
 * order of their forms (scalar_form.h). The last is NULL, and so is a missing one. */
extern const void *const hw_scalar_images[];

enum { HW_SCALAR_WORDS = 16, HW_SCALAR_RESULTS = 4 };

/* Inputs and results of one thread. */
struct hw_scalar_plan {
    struct wsim_scalar_word word[HW_SCALAR_WORDS];
    uint8_t words, results;
    uint8_t counts; /* 1: word 0 is the number itself (wsim_scalar_count) */
};

/* Whether there is a kernel of this name in a file. */
int hw_scalar_has(unsigned part, const char *symbol);

/* Draws sources `first` to `first + n - 1` on the GPU and runs them: result r of number first + i
 * into out[r * n + i]. `in` receives word w of the i-th of the first `sampled` at
 * in[w * sampled + i], as the GPU drew it. NULL, or the error. */
const char *hw_scalar_run(const struct hw_scalar_plan *plan, unsigned part, const char *symbol,
                          uint64_t seed, uint64_t first, uint32_t n, uint64_t *out, uint64_t *in,
                          uint32_t sampled);

/* Memory that results are copied into quickly; NULL: none. */
void *hw_results_alloc(size_t bytes);
void hw_results_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
