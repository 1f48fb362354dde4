/* test_umma_why.c - wsim_why of tcgen05.mma ends with the bits that wsim_run leaves, for every kind
 * and element; its places are those of wsim_umma_place_at. */
#include "../../every.h"

#include <string.h>

enum {
    SHARED = 1 << 14,
    TENSOR = 128 * 512 * 4,
    D_AT = 0,
    SFA_AT = 256,
    SFB_AT = 264,
    E_AT = 272,
    A_AT = 280
};

static uint8_t shared_bytes[2][SHARED], tensor_bytes[2][TENSOR], kept[2][TENSOR];

static const struct {
    const char *spelling;
    const char *a, *b, *d;
    uint16_t m, n;
    uint8_t a_in_tensor;
} cases[] = {
    {"tcgen05.mma.cta_group::1.kind::f16", "f16", "bf16", "f32", 64, 16, 0},
    {"tcgen05.mma.cta_group::1.kind::f16", "f16", "f16", "f16", 128, 8, 1},
    {"tcgen05.mma.cta_group::2.kind::tf32", "tf32", "tf32", "f32", 128, 32, 0},
    {"tcgen05.mma.cta_group::1.kind::f8f6f4", "e2m3", "e2m1", "f32", 128, 8, 0},
    {"tcgen05.mma.cta_group::1.kind::i8", "s8", "u8", "s32", 64, 8, 1},
    {"tcgen05.mma.ws.cta_group::1.kind::f8f6f4", "e4m3", "e5m2", "f32", 32, 64, 0},
    {"tcgen05.mma.sp.cta_group::1.kind::f16", "f16", "f16", "f32", 64, 8, 0},
    {"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32", "e4m3", "e3m2", "f32", 128, 8,
     0},
    {"tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16", "e2m1", "e2m1", "f32", 256, 32,
     0},
};

static unsigned below(uint64_t *state, unsigned n) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % n);
}

static void fill(uint8_t *bytes, size_t size, uint64_t *state) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)below(state, 256);
}

/* Metadata that tcgen05 defines: 4 in every nibble. */
static void fill_metadata(uint8_t *tensor) {
    for (unsigned lane = 0; lane < 128; lane++)
        memset(tensor + ((size_t)lane * 512 + E_AT) * 4, 0x44, 16);
}

static uint64_t bits_at(const struct wsim_code *code, enum wsim_operand operand, uint32_t at,
                        unsigned row, unsigned col) {
    struct wsim_umma_place p;
    uint32_t word;
    ck_assert(wsim_umma_place_at(code, operand, row, col, 0, &p));
    memcpy(&word, tensor_bytes[p.block] + ((size_t)p.lane * 512 + at + p.column) * 4, 4);
    return p.bits == 32 ? word : word >> p.bit & ((1u << p.bits) - 1);
}

static void check_terms(const struct wsim_code *code, const struct wsim_why *why, unsigned row,
                        unsigned col, int a_in_tensor) {
    for (unsigned t = 0; t < why->terms && a_in_tensor; t++) {
        ck_assert(why->term[t].a.in_tensor);
        ck_assert_uint_eq(why->term[t].a.bits, bits_at(code, WSIM_A, A_AT, row, t));
    }
    for (unsigned f = 0; f < why->blocks; f++) {
        ck_assert_uint_eq(why->factors[f].a.bits, bits_at(code, WSIM_SFA, SFA_AT, row, f));
        ck_assert_uint_eq(why->factors[f].b.bits, bits_at(code, WSIM_SFB, SFB_AT, f, col));
    }
}

START_TEST(ends_as_it_runs) {
    static struct wsim_why why;
    uint64_t state = (uint64_t)_i + 5;
    struct wsim_memory shared[2], tensor[2];
    struct wsim_descriptor side = {.leading = 2048, .stride = 128};
    struct wsim_io io = {.shared = &shared[0]};
    struct wsim_umma_shape shape;
    struct wsim_scalar op;
    struct wsim_umma form;
    struct wsim_code code;
    struct wsim_diag diag;
    uint32_t idesc = 0;
    static uint64_t after[37 * 22];
    unsigned n = 0;
    ck_assert_int_eq(wsim_scalar_parse(cases[_i].spelling, &op, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_umma_of(&op, &form, &diag), WSIM_OK);
    shape = (struct wsim_umma_shape){.a = wsim_format_find(cases[_i].a),
                                     .b = wsim_format_find(cases[_i].b),
                                     .d = wsim_format_find(cases[_i].d),
                                     .m = cases[_i].m,
                                     .n = cases[_i].n,
                                     .negate = {form.kind != WSIM_UMMA_I8, 0}};
    if (form.factors)
        shape.factor = wsim_format_find(form.factors == 4 ? "ue4m3" : "ue8m0");
    ck_assert_msg(!wsim_umma_encode(&form, &shape, &idesc, &diag), "%s", diag.text);
    ck_assert_msg(!wsim_umma_prepare(&form, idesc, wsim_arch_find("sm_100a"), 0, &code, &diag),
                  "%s", diag.text);
    for (int i = 0; i < 2; i++) {
        fill(shared_bytes[i], SHARED, &state);
        fill(tensor_bytes[i], TENSOR, &state);
        fill_metadata(tensor_bytes[i]);
        shared[i] = wsim_memory_over(WSIM_SHARED, shared_bytes[i], SHARED, 0);
        tensor[i] = wsim_memory_over(WSIM_TENSOR, tensor_bytes[i], TENSOR, 0);
    }
    io.umma = (struct wsim_io_umma){.tensor = &tensor[0],
                                    .odd_shared = &shared[1],
                                    .odd_tensor = &tensor[1],
                                    .d = D_AT,
                                    .a = A_AT,
                                    .e = E_AT,
                                    .sfa = SFA_AT,
                                    .sfb = SFB_AT,
                                    .adds = 1,
                                    .a_in_tensor = cases[_i].a_in_tensor};
    wsim_umma_matrix_encode(&side, &io.umma.desc_a, NULL);
    side.start = SHARED / 2;
    wsim_umma_matrix_encode(&side, &io.umma.desc_b, NULL);
    memcpy(kept, tensor_bytes, sizeof kept);
    for (unsigned row = 0; row < cases[_i].m; row += 7)
        for (unsigned col = 0; col < cases[_i].n; col += 3) {
            const struct wsim_coord at = {0, (uint16_t)row, (uint16_t)col};
            ck_assert_msg(!wsim_why(&code, &io, at, &why, &diag), "%s", diag.text);
            check_terms(&code, &why, row, col, cases[_i].a_in_tensor);
            ck_assert_uint_eq(why.c.bits, bits_at(&code, WSIM_D, D_AT, row, col));
            ck_assert_uint_eq(why.d.bits, why.step[why.steps - 1].after);
            after[n++] = why.d.bits;
        }
    expect(memcmp(tensor_bytes, kept, sizeof kept) == 0, "wsim_why writes");
    ck_assert_msg(!wsim_run(&code, &io, &diag), "%s", diag.text);
    n = 0;
    for (unsigned row = 0; row < cases[_i].m; row += 7)
        for (unsigned col = 0; col < cases[_i].n; col += 3, n++) {
            const uint64_t got = bits_at(&code, WSIM_D, D_AT, row, col);
            expect(got == after[n], "%s: row %u, column %u: why ends with %llx, wsim_run with %llx",
                   cases[_i].spelling, row, col, (unsigned long long)after[n],
                   (unsigned long long)got);
        }
    ck_assert_int_eq(wsim_why(&code, &io, (struct wsim_coord){0, cases[_i].m, 0}, &why, &diag),
                     WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "why.element.outside");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{ends_as_it_runs, 0, COUNT(cases)}};
    return every_run("umma why", tests, COUNT(tests));
}
