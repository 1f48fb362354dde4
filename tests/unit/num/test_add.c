/* Sums of f32 and f64 equal num_add. Operands: any bits, near and far
 * exponents, nearly opposite numbers, small ones, the end of the range, few digits far apart. */
#include "helper.h"

#include "../../run.h"
#include <wsim/both.h>

enum { MANY = 4096, KINDS = 6 };

/* Two numbers of a kind from 64 random bits. */
static void draw(int kind, uint64_t r, uint32_t *a, uint32_t *b) {
    uint32_t gap = (uint32_t)(wsim_hash_mix(r) % 64), near;
    *a = (uint32_t)r;
    *b = (uint32_t)(r >> 32);
    near = ((*a >> 23) - gap) % 256 << 23;
    switch (kind) {
    case 0: break;
    case 1: *b = (*b & 0x807FFFFF) | near; break;
    case 2: *b = *a ^ 0x80000000 ^ gap % 4; break;
    case 3: *a &= 0x81FFFFFF, *b &= 0x81FFFFFF; break;
    case 4: *a |= 0x7E000000, *b |= 0x7E000000; break;
    case 5: *a &= 0xFF800007, *b = (*b & 0x80000003) | near; break;
    }
}

START_TEST(many_sums_are_those_of_one) {
    static uint32_t a[MANY], b[MANY], sum[MANY];
    for (int i = 0; i < MANY; i++) {
        draw(_i % KINDS, wsim_hash_mix(((uint64_t)_i << 32) + (uint64_t)i), &a[i], &b[i]);
        sum[i] = a[i];
    }
    num_add_f32(sum, b, MANY);
    for (int i = 0; i < MANY; i++)
        if (sum[i] != num_add(&F32, a[i], b[i]))
            ck_abort_msg("%08x + %08x is %08x", (unsigned)a[i], (unsigned)b[i], (unsigned)sum[i]);
}
END_TEST

/* Operands of f64: those of f32 above, with more bits. */
START_TEST(sums_of_f64) {
    const uint64_t sign = UINT64_C(1) << 63, infinite = UINT64_C(0x7FF) << 52;
    for (int i = 0; i < MANY; i++) {
        const uint64_t r = wsim_hash_mix(((uint64_t)_i << 32) + (uint64_t)i);
        const uint64_t gap = r % 80, few = sign | infinite | 7;
        uint64_t a = wsim_hash_mix(r), b = wsim_hash_mix(a), near;
        near = ((a >> 52) - gap) % 2048 << 52;
        switch (_i % KINDS) {
        case 1: b = (b & ~infinite) | near; break;
        case 2: b = a ^ sign ^ gap % 4; break;
        case 3: a &= ~infinite | gap % 16 << 52, b &= ~infinite | 15 * (gap % 3) << 52; break;
        case 4: a |= UINT64_C(0x7FC) << 52, b |= UINT64_C(0x7E0) << 52; break;
        case 5: a &= few, b = (b & ~infinite & few) | near; break;
        }
        if ((a & infinite) == infinite || (b & infinite) == infinite)
            continue;
        near = num_add(&F64, a, b);
        if (num_add_finite_f64(a, b) != near)
            ck_abort_msg("%016llx + %016llx is %016llx, not %016llx", (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)near,
                         (unsigned long long)num_add_finite_f64(a, b));
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{many_sums_are_those_of_one, 0, 40 * KINDS},
                                       {sums_of_f64, 0, 40 * KINDS}};
    return every_run("add", tests, 2);
}
