/* test_reduce.c - reductions of copies against explicit sums. Covers every type and operation,
 * random numbers near each other, specials, and both forms of the instruction. */
#include "../run.h"
#include "number.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

enum { BYTES = 4096, ROUNDS = 12, GLOBAL_AT = 4096 };
enum nan_rule { ONE_NAN, MOVED_NAN_FIRST };

/* A type of a map: the spelling of its elements in the plain form (NULL: none) and their format
 * (NULL: an integer). Then the treatment of subnormals and NaNs in a sum, and the operations. */
struct type {
    enum wsim_tensor_type dtype;
    const char *plain, *format;
    int bytes, is_signed, flushes;
    enum nan_rule nans;
    const char *operations;
};

static const struct type types[] = {
    {WSIM_TENSOR_UINT32, "u32", NULL, 4, 0, 0, ONE_NAN, "add min max inc dec and or xor"},
    {WSIM_TENSOR_INT32, "s32", NULL, 4, 1, 0, ONE_NAN, "add min max and or xor"},
    {WSIM_TENSOR_UINT64, "u64", NULL, 8, 0, 0, ONE_NAN, "add min max and or xor"},
    {WSIM_TENSOR_INT64, "s64", NULL, 8, 1, 0, ONE_NAN, "min max"},
    {WSIM_TENSOR_FLOAT16, "f16", "f16", 2, 1, 0, ONE_NAN, "add min max"},
    {WSIM_TENSOR_BFLOAT16, "bf16", "bf16", 2, 1, 0, ONE_NAN, "add min max"},
    {WSIM_TENSOR_FLOAT32, "f32", "f32", 4, 1, 0, ONE_NAN, "add"},
    {WSIM_TENSOR_FLOAT32_FTZ, NULL, "f32", 4, 1, 1, ONE_NAN, "add"},
    {WSIM_TENSOR_TFLOAT32, NULL, "f32", 4, 1, 0, ONE_NAN, "add"},
    {WSIM_TENSOR_TFLOAT32_FTZ, NULL, "f32", 4, 1, 1, ONE_NAN, "add"},
    {WSIM_TENSOR_FLOAT64, "f64", "f64", 8, 1, 0, MOVED_NAN_FIRST, "add"},
};

static uint64_t element_mask(const struct type *t) {
    return ~0ull >> (64 - 8 * t->bytes);
}

/* --- what it should be --- */

static uint64_t flush(const struct number_format *format, uint64_t bits) {
    struct number x = number_decode(format, bits);
    if (x.kind == NUMBER_FINITE && x.sig >> format->frac == 0)
        return (uint64_t)x.negative << (format->frac + format->exp_bits);
    return bits;
}

static int is_nan(const struct type *t, uint64_t bits) {
    return t->format && number_decode(number_format(t->format), bits).kind == NUMBER_NAN;
}

static uint64_t sum_of(const struct type *t, uint64_t there, uint64_t moved) {
    const struct number_format *format = t->format ? number_format(t->format) : NULL;
    if (!format)
        return (there + moved) & element_mask(t);
    if (t->nans == MOVED_NAN_FIRST && is_nan(t, moved))
        return moved;
    if (t->nans == MOVED_NAN_FIRST && is_nan(t, there))
        return there;
    if (t->flushes) {
        there = flush(format, there);
        moved = flush(format, moved);
    }
    struct number one = {NUMBER_FINITE, 0, 0, 0, 1};
    uint64_t sum = number_fma(format, number_decode(format, there), one,
                              number_decode(format, moved), WIDE_NEAREST_EVEN);
    return t->flushes ? flush(format, sum) : sum;
}

/* Whether a comes before b: two's complement, or a sign and a magnitude. */
static int before(const struct type *t, uint64_t a, uint64_t b) {
    uint64_t top = 1ull << (8 * t->bytes - 1);
    if (!t->is_signed || (a & top) == (b & top))
        return t->format && a & top ? a > b : a < b;
    return (a & top) != 0;
}

static uint64_t ordered(const struct type *t, uint64_t there, uint64_t moved, int first) {
    if (is_nan(t, there) && is_nan(t, moved))
        return number_format(t->format)->nan;
    if (is_nan(t, there) || is_nan(t, moved))
        return is_nan(t, there) ? moved : there;
    return before(t, there, moved) == first ? there : moved;
}

static uint64_t expected(const struct type *t, const char *operation, uint64_t there,
                         uint64_t moved) {
    switch (operation[0] << 8 | operation[1]) {
    case 'a' << 8 | 'd': return sum_of(t, there, moved);
    case 'm' << 8 | 'i': return ordered(t, there, moved, 1);
    case 'm' << 8 | 'a': return ordered(t, there, moved, 0);
    case 'i' << 8 | 'n': return there < moved ? there + 1 : 0;
    case 'd' << 8 | 'e': return there != 0 && there <= moved ? there - 1 : moved;
    case 'a' << 8 | 'n': return there & moved;
    case 'o' << 8 | 'r': return there | moved;
    default: return there ^ moved;
    }
}

/* --- numbers --- */

static uint64_t state;

static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Random bits with a top that several elements share, so that they meet; kind 0: anything. */
static uint64_t number_of(const struct type *t, int kind) {
    uint64_t bits = draw() & element_mask(t);
    if (kind == 0)
        return bits;
    if (!t->format)
        return kind % 3 == 1 ? bits & 7 : kind % 3 == 2 ? ~(bits & 7) & element_mask(t) : bits & 1;
    const struct number_format *f = number_format(t->format);
    uint64_t fraction = (1ull << f->frac) - 1, top = (1ull << f->exp_bits) - 1;
    uint64_t sign = (draw() & 1) << (f->frac + f->exp_bits), exponent;
    switch (kind % 6) {
    case 1: exponent = (uint64_t)f->bias - draw() % 3; break; /* cancellation       */
    case 2: exponent = (uint64_t)f->bias - draw() % (f->bias > 15 ? 60 : 15); break;
    case 3: exponent = draw() % 3; break;                           /* subnormals         */
    case 4: exponent = top - draw() % 3; break;                     /* overflow, specials */
    case 5: exponent = draw() % 2 ? top : (uint64_t)f->bias; break; /* NaNs               */
    default: exponent = draw() % 3 * (uint64_t)f->bias; break;      /* ties               */
    }
    if (kind % 6 == 0 || draw() % 4 == 0)
        bits &= 1ull << (f->frac - 1) | 1;
    return sign | exponent << f->frac | (bits & fraction);
}

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    memcpy(&value, at, (size_t)bytes); /* little-endian */
    return value;
}

static void fill(const struct type *t, uint8_t *memory, int kind) {
    for (int i = 0; i < BYTES; i += t->bytes) {
        uint64_t value = number_of(t, kind);
        memcpy(memory + i, &value, (size_t)t->bytes);
    }
}

/* --- the instruction --- */

static uint8_t global[BYTES], shared[BYTES], was[BYTES];

static void run(const char *spelling, const struct wsim_tensor *tensor) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_memory of_global = wsim_memory_over(WSIM_GLOBAL, global, BYTES, GLOBAL_AT),
                       of_shared = wsim_memory_over(WSIM_SHARED, shared, BYTES, 0);
    struct wsim_bulk io = {0};
    struct wsim_tensor_map map;
    struct wsim_diag diag;
    struct wsim_op op;
    io.global = &of_global;
    io.shared = &of_shared;
    io.global_at = GLOBAL_AT;
    io.bytes = BYTES;
    if (tensor) {
        ck_assert_int_eq(wsim_tensor_encode(tensor, arch, &map, &diag), WSIM_OK);
        io.map = &map;
    }
    ck_assert_int_eq(wsim_op_parse(spelling, &op, &diag), WSIM_OK);
    ck_assert_msg(wsim_bulk_run(&op, arch, &io, NULL, &diag) == WSIM_OK, "%s: %s", spelling,
                  diag.text);
}

static void judge(const struct type *t, const char *operation, const char *spelling,
                  const struct wsim_tensor *tensor) {
    for (int kind = 0; kind < ROUNDS; kind++) {
        fill(t, global, kind);
        fill(t, shared, kind);
        memcpy(was, global, BYTES);
        run(spelling, tensor);
        for (int i = 0; i < BYTES; i += t->bytes) {
            uint64_t there = get(was + i, t->bytes), moved = get(shared + i, t->bytes);
            uint64_t want = expected(t, operation, there, moved), got = get(global + i, t->bytes);
            ck_assert_msg(got == want, "%s: %llx and %llx make %llx, not %llx", spelling,
                          (unsigned long long)there, (unsigned long long)moved,
                          (unsigned long long)want, (unsigned long long)got);
        }
    }
}

static void judge_tensor(const struct type *t, const char *operation) {
    char spelling[96];
    struct wsim_tensor tensor = {0};
    tensor.dtype = t->dtype;
    tensor.rank = 2;
    tensor.base = GLOBAL_AT;
    tensor.dims[0] = tensor.box[0] = (uint32_t)(64 / t->bytes);
    tensor.dims[1] = tensor.box[1] = BYTES / 64;
    tensor.strides[0] = 64;
    tensor.estrides[0] = tensor.estrides[1] = 1;
    snprintf(spelling, sizeof spelling,
             "cp.reduce.async.bulk.tensor.2d.global.shared::cta.%s.tile.bulk_group", operation);
    judge(t, operation, spelling, &tensor);
}

static void judge_plain(const struct type *t, const char *operation) {
    char spelling[96], bits[8];
    int logic = strchr("aox", operation[0]) && strcmp(operation, "add") != 0;
    int half = t->bytes == 2 && strcmp(operation, "add") == 0;
    snprintf(bits, sizeof bits, "b%d", 8 * t->bytes);
    snprintf(spelling, sizeof spelling,
             "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s%s.%s", operation,
             half ? ".noftz" : "", logic ? bits : t->plain);
    judge(t, operation, spelling, NULL);
}

START_TEST(reductions) {
    const struct type *t = &types[_i];
    char list[64];
    state = 88172645463325252ull + (uint64_t)_i;
    snprintf(list, sizeof list, "%s", t->operations);
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
        judge_tensor(t, word);
        if (t->plain)
            judge_plain(t, word);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{reductions, 0, sizeof types / sizeof *types}};
    return every_run("oracle/reduce", tests, 1);
}
