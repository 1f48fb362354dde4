/* helper.h - what the tests of sim/num share: formats, policies of adders, operands from bits.
 * Formats are written out here on purpose: the room knows no table. */
#ifndef TESTS_UNIT_NUM_HELPER_H
#define TESTS_UNIT_NUM_HELPER_H

#include "../../run.h"

#include "../../../sim/num/num.h"

#define MAX_ELEMS 64
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

extern const struct wsim_format F16, BF16, TF32, F32, F64, E5M2, E4M3, E3M2, E2M3, E2M1, UE8M0,
    UE4M3, S4, U8, S32, U32, S64, B64;

/* All formats of at most 19 bits, for exhaustive loops. */
extern const struct wsim_format *const small_formats[];
extern const unsigned n_small_formats;

/* Decodes n elements. */
void elems(const struct wsim_format *format, unsigned container_bits, unsigned n,
           const uint32_t *bits, struct num_elem *out);

/* A step of `width` products that keeps `keep` bits, result in f32 truncated to result_frac bits.
 */
struct num_fused fused_f32(unsigned frac, unsigned keep, int floor, unsigned width,
                           unsigned result_frac);
/* The same with an f16 result, rounded to nearest. */
struct num_fused fused_f16(unsigned frac, unsigned keep, int floor, unsigned width);

/* One chain over n elements of `format` in `container_bits`. */
uint64_t chain(const struct num_fused *fused, const struct wsim_format *format,
               unsigned container_bits, unsigned n, const uint32_t *a, const uint32_t *b,
               uint64_t acc);

/* A reproducible 64-bit generator. */
uint64_t random_bits(uint64_t *state);

/* Not ck_assert: that writes a mark even when it holds, and exhaustive loops ask millions of times.
 */
#define ck_hex(got, want)                                                                          \
    do {                                                                                           \
        unsigned long long got_ = (got), want_ = (want);                                           \
        if (got_ != want_)                                                                         \
            ck_abort_msg(#got " is %llx, not %llx", got_, want_);                                  \
    } while (0)

#endif
