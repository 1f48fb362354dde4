/* test_umma_paths.c - kernels give the bits of the plain path: all kinds of tcgen05.mma in all
 * forms, random bits in all memories. The whole of tensor memory is compared. */
#include "../../every.h"

#include <wsim/wsim.h>

enum { SHARED = 64 * 1024, TENSOR = 128 * 512 * 4, B_AT = 32 * 1024, FORMS = 7, ROUNDS = 2 };
enum { D_AT = 8, A_AT = 300, META_AT = 320, SFA_AT = 400, SFB_AT = 420 };

/* A kind with the types of A, B, D and of scale factors. */
static const struct kind {
    uint8_t kind, factors;
    const char *a, *b, *d, *factor;
    int trans; /* A and B can be MN-major */
} kinds[] = {
    {WSIM_UMMA_F16, 0, "f16", "f16", "f32", NULL, 1},
    {WSIM_UMMA_F16, 0, "f16", "f16", "f16", NULL, 1},
    {WSIM_UMMA_F16, 0, "bf16", "bf16", "f32", NULL, 1},
    {WSIM_UMMA_F16, 0, "f16", "bf16", "f32", NULL, 1},
    {WSIM_UMMA_TF32, 0, "tf32", "tf32", "f32", NULL, 0},
    {WSIM_UMMA_F8F6F4, 0, "e4m3", "e5m2", "f32", NULL, 1},
    {WSIM_UMMA_F8F6F4, 0, "e4m3", "e4m3", "f16", NULL, 1},
    {WSIM_UMMA_F8F6F4, 0, "e2m1", "e3m2", "f32", NULL, 0},
    {WSIM_UMMA_F8F6F4, 0, "e2m3", "e4m3", "f16", NULL, 0},
    {WSIM_UMMA_I8, 0, "s8", "u8", "s32", NULL, 1},
    {WSIM_UMMA_MXF8F6F4, 1, "e4m3", "e5m2", "f32", "ue8m0", 1},
    {WSIM_UMMA_MXF8F6F4, 1, "e2m3", "e2m1", "f32", "ue8m0", 0},
    {WSIM_UMMA_MXF4, 2, "e2m1", "e2m1", "f32", "ue8m0", 0},
    {WSIM_UMMA_MXF4NVF4, 4, "e2m1", "e2m1", "f32", "ue4m3", 0},
    {WSIM_UMMA_MXF4NVF4, 2, "e2m1", "e2m1", "f32", "ue8m0", 0},
};

static const struct {
    uint8_t blocks, stationary;
    uint16_t m;
} forms[FORMS] = {{1, 0, 128}, {1, 0, 64}, {2, 0, 256}, {2, 0, 128},
                  {1, 1, 128}, {1, 1, 64}, {1, 1, 32}};

struct memories {
    uint8_t shared[2][SHARED], tensor[2][TENSOR];
};

static unsigned below(uint64_t *state, unsigned most) {
    return (unsigned)(every_random(state) >> 33) % most;
}

/* Random bits; in some rounds exponents of a few values, so that sums cancel. */
static void fill(uint8_t *bytes, size_t size, uint64_t *state, int narrow) {
    for (size_t i = 0; i < size; i += 8) {
        uint64_t bits = every_random(state);
        if (narrow)
            bits &= UINT64_C(0xBFBFBFBFBFBFBFBF);
        memcpy(bytes + i, &bits, 8);
    }
}

static void fill_meta(uint8_t *tensor, uint64_t *state, int singles) {
    static const uint8_t pairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0x6, 0xE}, ones[] = {0x4, 0xE};
    for (unsigned lane = 0; lane < 128; lane++)
        for (unsigned byte = 0; byte < 8; byte++) {
            unsigned low = singles ? ones[below(state, 2)] : pairs[below(state, 7)];
            unsigned high = singles ? ones[below(state, 2)] : pairs[below(state, 7)];
            tensor[4 * (512 * lane + META_AT) + byte] = (uint8_t)(low | high << 4);
        }
}

static struct wsim_umma_shape shape_of(const struct kind *kind, uint16_t m, uint16_t n) {
    return (struct wsim_umma_shape){.a = wsim_format_find(kind->a),
                                    .b = wsim_format_find(kind->b),
                                    .d = wsim_format_find(kind->d),
                                    .factor = kind->factor ? wsim_format_find(kind->factor) : NULL,
                                    .m = m,
                                    .n = n};
}

/* A descriptor with offsets that keep all elements in half of the memory. */
static uint64_t matrix(unsigned at, uint64_t *state, int mn_major, int is_tf32) {
    static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B, WSIM_SWIZZLE_64B,
                                              WSIM_SWIZZLE_128B};
    struct wsim_descriptor d = {.start = at + 1024, .leading = 512, .stride = 256};
    uint64_t bits = 0;
    d.mode = modes[below(state, 4)];
    if (mn_major && is_tf32)
        d.mode = WSIM_SWIZZLE_128B_ATOM_32B;
    ck_assert_int_eq(wsim_umma_matrix_encode(&d, &bits, NULL), WSIM_OK);
    return bits;
}

static void run(const struct wsim_umma *umma, uint32_t idesc, uint32_t flags,
                const struct wsim_io_umma *operands, const struct memories *from,
                struct memories *to, const char **kernel) {
    struct wsim_memory shared[2], tensor[2];
    struct wsim_io io = {.umma = *operands};
    struct wsim_diag diag = {0};
    struct wsim_code code;
    memcpy(to, from, sizeof *to);
    for (unsigned i = 0; i < 2; i++) {
        shared[i] = wsim_memory_over(WSIM_SHARED, to->shared[i], SHARED, 0);
        tensor[i] = wsim_memory_over(WSIM_TENSOR, to->tensor[i], TENSOR, 0);
    }
    io.shared = &shared[0];
    io.umma.odd_shared = &shared[1];
    io.umma.tensor = &tensor[0];
    io.umma.odd_tensor = &tensor[1];
    ck_assert_msg(wsim_umma_prepare(umma, idesc, wsim_arch_find("sm_100a"), flags, &code, &diag) ==
                      WSIM_OK,
                  "%s", diag.text);
    ck_assert_msg(wsim_run(&code, &io, &diag) == WSIM_OK, "%s", diag.text);
    *kernel = wsim_code_kernel(&code);
}

static void expect_same(const struct memories *a, const struct memories *b, const char *kernel,
                        const struct kind *kind, const struct wsim_umma *umma, unsigned m,
                        unsigned n) {
    for (unsigned block = 0; block < 2; block++)
        for (size_t i = 0; i < TENSOR; i += 4)
            expect(memcmp(a->tensor[block] + i, b->tensor[block] + i, 4) == 0,
                   "kernel %s, %s x %s to %s, sparse %u, ws %u, M %u, N %u: block %u, lane %u, "
                   "column %u differs",
                   kernel, kind->a, kind->b, kind->d, umma->sparse, umma->stationary, m, n, block,
                   (unsigned)(i / 2048), (unsigned)(i / 4 % 512));
    ck_assert_int_eq(memcmp(a->shared, b->shared, sizeof a->shared), 0);
}

START_TEST(paths) {
    static struct memories start, plain, fast;
    const struct kind *kind = &kinds[_i % COUNT(kinds)];
    unsigned form = (unsigned)_i / COUNT(kinds) % FORMS,
             sparse = (unsigned)_i / COUNT(kinds) / FORMS % 2;
    uint64_t state = (uint64_t)_i + 1;
    struct wsim_umma umma = {.kind = kind->kind,
                             .blocks = forms[form].blocks,
                             .sparse = (uint8_t)sparse,
                             .stationary = forms[form].stationary,
                             .factors = kind->factors};
    unsigned n = umma.stationary ? 64 : 32 * (1 + below(&state, 3));
    struct wsim_umma_shape shape = shape_of(kind, forms[form].m, (uint16_t)n);
    uint32_t idesc, mask[8];
    struct wsim_io_umma operands = {
        .d = D_AT, .a = A_AT, .e = META_AT, .sfa = SFA_AT, .sfb = SFB_AT};
    const char *kernel;
    int is_tf32 = kind->kind == WSIM_UMMA_TF32;
    for (unsigned i = 0; i < 2; i++) {
        shape.trans[i] = (uint8_t)((kind->trans || is_tf32) && below(&state, 2));
        shape.negate[i] = (uint8_t)(kind->kind != WSIM_UMMA_I8 && below(&state, 3) == 0);
    }
    shape.saturate = (uint8_t)(kind->kind == WSIM_UMMA_I8 && below(&state, 2));
    if (wsim_umma_encode(&umma, &shape, &idesc, NULL))
        return; /* there is no such product */
    for (unsigned i = 0; i < 2; i++) {
        fill(start.shared[i], SHARED, &state, _i % 3 == 1);
        fill(start.tensor[i], TENSOR, &state, _i % 3 == 2);
        fill_meta(start.tensor[i], &state, is_tf32);
    }
    operands.desc_a = matrix(0, &state, shape.trans[0], is_tf32);
    operands.desc_b = matrix(B_AT, &state, shape.trans[1], is_tf32);
    operands.a_in_tensor =
        (uint8_t)(!shape.trans[0] && shape.a->bits >= 8 && below(&state, 3) == 0);
    operands.adds = (uint8_t)(below(&state, 4) != 0);
    for (unsigned i = 0; i < 8; i++)
        mask[i] = (uint32_t)every_random(&state);
    if (!umma.stationary && !umma.factors && below(&state, 4) == 0)
        operands.mask = mask;
    run(&umma, idesc, WSIM_PLAIN, &operands, &start, &plain, &kernel);
    ck_assert_ptr_null(kernel);
    for (unsigned path = WSIM_PATH_PLAIN + 1; path < WSIM_PATHS; path++) {
        run(&umma, idesc, WSIM_UP_TO(path), &operands, &start, &fast, &kernel);
        if (kernel)
            expect_same(&plain, &fast, kernel, kind, &umma, forms[form].m, n);
    }
}
END_TEST

/* The products that GEMMs use have a kernel on every machine with vectors. */
START_TEST(kernels) {
    for (int i = 0; i < COUNT(kinds); i++) {
        struct wsim_umma umma = {.kind = kinds[i].kind, .blocks = 1, .factors = kinds[i].factors};
        struct wsim_umma_shape shape = shape_of(&kinds[i], 128, 256);
        struct wsim_code code;
        uint32_t idesc;
        ck_assert_int_eq(wsim_umma_encode(&umma, &shape, &idesc, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_umma_prepare(&umma, idesc, wsim_arch_find("sm_100a"), 0, &code, NULL),
                         WSIM_OK);
        if (strcmp(kinds[i].a, "f16") == 0 && strcmp(kinds[i].b, "bf16") == 0)
            ck_assert_ptr_null(wsim_code_kernel(&code)); /* a mixture without a class */
        else if (wsim_path_available(WSIM_PATH_AVX2))
            expect(wsim_code_kernel(&code) != NULL, "%s x %s to %s has no kernel", kinds[i].a,
                   kinds[i].b, kinds[i].d);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{paths, 0, 2 * ROUNDS * FORMS * COUNT(kinds)},
                                       {kernels, 0, 1}};
    return every_run("unit/exec/umma_paths", tests, COUNT(tests));
}
