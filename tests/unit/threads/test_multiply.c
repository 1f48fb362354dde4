/* A product of matrices has equal bits for any number of threads. Progress ends with the whole
 * product; a refusal stops all threads. */
#include "../../every.h"

#include <wsim/harness/harness.h>

enum { M = 500, N = 300, K = 40 };

static uint16_t a[M * K], b[K * N];
static uint32_t c[M * N], alone[M * N], together[M * N];
static struct wsim_code code;
static struct wsim_gemm gemm;

static const struct wsim_gemm_from from_a = {.elements = a, .row = K, .column = 1},
                                   from_b = {.elements = b, .row = 1, .column = K},
                                   from_c = {.elements = c, .row = N, .column = 1};

/* Small whole numbers and fractions as bits of f16 and f32, all different enough. */
static void open_product(void) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_gemm_size size = {M, N, K, 0, 0};
    for (int i = 0; i < COUNT(a); i++)
        a[i] = (uint16_t)(0x3000 + wsim_hash_mix((uint64_t)i) % 0x1000);
    for (int i = 0; i < COUNT(b); i++)
        b[i] = (uint16_t)(0xB000 + wsim_hash_mix((uint64_t)i + M * K) % 0x1000);
    for (int i = 0; i < COUNT(c); i++)
        c[i] = (uint32_t)(0x3F000000 + wsim_hash_mix((uint64_t)i) % 0x2000000);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("sm_90"), 0, &code, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_gemm_prepare(&code, &size, &gemm, NULL), WSIM_OK);
    ck_assert_uint_gt(gemm.blocks, 8);
}

struct seen {
    uint64_t done, all;
    unsigned calls;
};

static void see(void *context, uint64_t done, uint64_t all) {
    struct seen *seen = context;
    ck_assert_uint_ge(done, seen->done);
    ck_assert_uint_le(done, all);
    *seen = (struct seen){done, all, seen->calls + 1};
}

static enum wsim_status multiply(unsigned jobs, uint32_t *d, struct seen *seen,
                                 struct wsim_diag *diag) {
    struct wsim_gemm_how how = {jobs, seen ? see : NULL, seen};
    struct wsim_gemm_to to = {d, N, 1};
    return wsim_gemm_multiply(&gemm, &from_a, &from_b, &from_c, &to, &how, diag);
}

START_TEST(any_number_of_threads_gives_the_same) {
    static const unsigned jobs[] = {1, 2, 3, 4, 7, 64, WSIM_GEMM_JOBS};
    struct seen seen = {0};
    open_product();
    ck_assert_int_eq(multiply(0, alone, &seen, NULL), WSIM_OK);
    ck_assert_uint_eq(seen.done, M * N);
    ck_assert_uint_eq(seen.all, M * N);
    ck_assert_uint_gt(seen.calls, gemm.blocks);
    for (int i = 0; i < COUNT(jobs); i++) {
        memset(together, 0xFF, sizeof together);
        ck_assert_int_eq(multiply(jobs[i], together, NULL, NULL), WSIM_OK);
        ck_assert(memcmp(alone, together, sizeof alone) == 0);
    }
}
END_TEST

/* The pieces with the caller's own memory give it too. */
START_TEST(the_pieces_give_the_same) {
    void *packed_a, *packed_b, *own;
    struct wsim_gemm_to to = {together, N, 1};
    open_product();
    packed_a = malloc(gemm.bytes_a);
    packed_b = malloc(gemm.bytes_b);
    own = malloc(gemm.bytes_own);
    ck_assert_int_eq(multiply(2, alone, NULL, NULL), WSIM_OK);
    for (size_t i = 0; i < gemm.parts_a; i++)
        ck_assert_int_eq(wsim_gemm_pack_a(&gemm, &from_a, i, packed_a, NULL), WSIM_OK);
    for (size_t i = 0; i < gemm.parts_b; i++)
        ck_assert_int_eq(wsim_gemm_pack_b(&gemm, &from_b, i, packed_b, NULL), WSIM_OK);
    for (size_t i = 0; i < gemm.blocks; i++)
        ck_assert_int_eq(wsim_gemm_run(&gemm, packed_a, packed_b, &from_c, &to, i, own, NULL),
                         WSIM_OK);
    ck_assert(memcmp(alone, together, sizeof alone) == 0);
    free(packed_a);
    free(packed_b);
    free(own);
}
END_TEST

START_TEST(what_one_refuses_all_refuse) {
    struct wsim_gemm_how how = {.jobs = 4};
    struct wsim_gemm_to to = {together, N - 1, 1};
    struct wsim_diag diag = {0};
    open_product();
    memset(together, 0xA5, sizeof together);
    ck_assert_int_eq(wsim_gemm_multiply(&gemm, &from_a, &from_b, NULL, &to, &how, &diag),
                     WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "gemm.result.overlaid");
    for (int i = 0; i < COUNT(together); i++)
        ck_assert_uint_eq(together[i], 0xA5A5A5A5);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {any_number_of_threads_gives_the_same, the_pieces_give_the_same,
                                  what_one_refuses_all_refuse};
    return run_tests("threads", tests, sizeof tests / sizeof *tests);
}
