/* Cases of wgmma and wmma: descriptors stay inside of their part of the window and are of every
 * kind, matrices that count where an element stands lie there as descriptors say, and memory of
 * wmma holds every line. */
#include "../../every.h"
#include <wsim/harness/harness.h>

enum { WORDS = WSIM_CASE_ROWS * WSIM_LANES };

static uint32_t in[WORDS];

static const struct wsim_arch *h200(void) {
    return wsim_arch_find("sm_90a");
}

static const uint32_t *input(const struct wsim_plan *plan, enum wsim_input which) {
    return in + plan->input[which].first * WSIM_LANES;
}

static struct wsim_descriptor descriptor_of(const struct wsim_plan *plan, unsigned side) {
    const uint32_t *how = input(plan, WSIM_IN_HOW) + 2 * side;
    struct wsim_descriptor descriptor;
    struct wsim_diag diag;
    expect(!wsim_descriptor_decode(how[0] | (uint64_t)how[1] << 32, &descriptor, &diag), "%s",
           diag.text);
    ck_assert_uint_eq(descriptor.base_offset, 0);
    return descriptor;
}

static int in_registers(const struct wsim_plan *plan) {
    return input(plan, WSIM_IN_HOW)[WSIM_HOW_WORD] & WSIM_HOW_REGISTERS;
}

static struct wsim_tile tile_of(const struct wsim_op *op, const struct wsim_plan *plan,
                                unsigned side) {
    uint32_t choice = input(plan, WSIM_IN_HOW)[WSIM_HOW_WORD];
    int trans = (choice & (side ? WSIM_HOW_TRANS_B : WSIM_HOW_TRANS_A)) != 0;
    struct wsim_tile tile;
    expect(!wsim_wgmma_tile(op, side ? WSIM_B : WSIM_A, trans, &tile, NULL), "tile");
    return tile;
}

/* Bytes of the window from which the part of A or B goes on. */
static uint32_t part_of(const struct wsim_plan *plan, unsigned part) {
    unsigned rows = part > 0 ? plan->input[WSIM_IN_MATRIX_A].rows : 0u;
    return (rows + (part > 1 ? plan->input[WSIM_IN_MATRIX_B].rows : 0u)) * 128u;
}

static uint64_t element_at(const struct wsim_plan *plan, const struct wsim_tile *tile,
                           uint32_t address, unsigned k) {
    const uint32_t *window = input(plan, WSIM_IN_MATRIX_A);
    unsigned bit = address % 4 * 8 + (tile->bits < 8 ? k % 8 : 0);
    return window[address / 4] >> bit & wsim_stream_ones(tile->bits);
}

static void check_inside(const struct wsim_op *op, const struct wsim_plan *plan, unsigned side,
                         unsigned number) {
    struct wsim_descriptor descriptor = descriptor_of(plan, side);
    struct wsim_tile tile = tile_of(op, plan, side);
    for (unsigned row = 0; row < tile.rows; row++)
        for (unsigned k = 0; k < tile.k; k++) {
            uint32_t at = wsim_descriptor_address(&descriptor, &tile, row, k);
            expect(at >= part_of(plan, side) && at < part_of(plan, side + 1),
                   "case %u, side %u, row %u, k %u: 0x%x is outside", number, side, row, k,
                   (unsigned)at);
        }
}

/* Every swizzle, every choice of immediates and both of scale-d, with steps of all sizes. */
START_TEST(test_descriptors) {
    static const char *const spellings[] = {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
                                            "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16",
                                            "wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32",
                                            "wgmma.mma_async.sp.sync.aligned.m64n248k64.f16.e4m3."
                                            "e5m2",
                                            "wgmma.mma_async.sync.aligned.m64n96k256.s32.b1.b1.and."
                                            "popc"};
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct wsim_op op = every_parse(spellings[i]);
        unsigned modes = 0, variants = 0, scattered = 0;
        uint64_t seen = 0;
        struct wsim_plan plan;
        wsim_plan_make(&op, 0, &plan, NULL);
        for (unsigned number = 0; number < 260; number++) {
            struct wsim_case c = wsim_case_at(&plan, 3, number, WSIM_DISTS);
            for (unsigned lane = 0; lane < WSIM_LANES; lane++)
                in[plan.input[WSIM_IN_HOW].first * WSIM_LANES + lane] =
                    wsim_case_word(&plan, &c, plan.input[WSIM_IN_HOW].first, lane);
            for (unsigned side = 0; side < 2; side++) {
                struct wsim_descriptor d = descriptor_of(&plan, side);
                check_inside(&op, &plan, side, number);
                modes |= 1u << d.mode;
                scattered += d.stride % 128 != 0;
            }
            variants |= 1u << (input(&plan, WSIM_IN_HOW)[WSIM_HOW_WORD] & 31);
            seen |= 1ull << (input(&plan, WSIM_IN_HOW)[WSIM_HOW_WORD] >> 5);
        }
        for (unsigned v = 0; v < plan.variants; v++)
            expect(variants >> plan.variant[v] & 1, "%s: never %u", spellings[i], plan.variant[v]);
        ck_assert_uint_eq(modes, 1u << WSIM_SWIZZLE_NONE | 1u << WSIM_SWIZZLE_32B |
                                     1u << WSIM_SWIZZLE_64B | 1u << WSIM_SWIZZLE_128B);
        ck_assert_uint_eq(seen, 3);
        ck_assert_uint_gt(scattered, 50);
    }
}
END_TEST

/* One-hot: each row of A, through its descriptor, has one element that is not zero. */
static void check_one_hot(const struct wsim_op *op, const struct wsim_plan *plan, unsigned number) {
    struct wsim_descriptor descriptor = descriptor_of(plan, 0);
    struct wsim_tile tile = tile_of(op, plan, 0);
    uint64_t used = wsim_stream_ones(plan->input[WSIM_IN_MATRIX_A].bits)
                    << plan->input[WSIM_IN_MATRIX_A].pad;
    for (unsigned row = 0; row < tile.rows; row++) {
        unsigned count = 0;
        for (unsigned k = 0; k < tile.k; k++)
            count +=
                (element_at(plan, &tile, wsim_descriptor_address(&descriptor, &tile, row, k), k) &
                 used) != 0;
        expect(count <= 1, "case %u, row %u: %u elements", number, row, count);
    }
}

/* Cancelling: neighbours along k are nearly always of opposite sign. */
static unsigned count_pairs(const struct wsim_op *op, const struct wsim_plan *plan) {
    struct wsim_descriptor descriptor = descriptor_of(plan, 0);
    struct wsim_tile tile = tile_of(op, plan, 0);
    unsigned pairs = 0;
    for (unsigned row = 0; row < tile.rows; row++)
        for (unsigned k = 0; k < tile.k; k += 2) {
            uint32_t at = wsim_descriptor_address(&descriptor, &tile, row, k);
            uint32_t next = wsim_descriptor_address(&descriptor, &tile, row, k + 1);
            pairs += (element_at(plan, &tile, at, k) ^ element_at(plan, &tile, next, k + 1)) ==
                     1ull << (tile.bits - 1);
        }
    return pairs;
}

START_TEST(test_placed_matrices) {
    static const char *const spellings[] = {
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16",
        "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3"};
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct wsim_op op = every_parse(spellings[i]);
        struct wsim_plan plan;
        wsim_plan_make(&op, 0, &plan, NULL);
        for (unsigned number = 0; number < 40; number++) {
            struct wsim_case c = wsim_case_at(&plan, 5, number, WSIM_DIST_ONE_HOT);
            unsigned stored = plan.tile[0].k;
            wsim_case_fill(&plan, &c, in);
            if (!in_registers(&plan))
                check_one_hot(&op, &plan, number);
            c = wsim_case_at(&plan, 5, number, WSIM_DIST_CANCELLING);
            wsim_case_fill(&plan, &c, in);
            if (!in_registers(&plan))
                ck_assert_uint_gt(count_pairs(&op, &plan), 64 * stored / 2 * 8 / 10);
        }
    }
}
END_TEST

/* B of one-hot and of near-one as the model sees it: D is not all zero, and operands in registers
 * and in shared memory give results of one kind. */
START_TEST(test_results_are_not_empty) {
    struct wsim_op op = every_parse("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16");
    static uint32_t out[WORDS];
    struct wsim_plan plan;
    wsim_plan_make(&op, 0, &plan, NULL);
    for (unsigned number = 0; number < 26; number++) {
        struct wsim_case c = wsim_case_at(&plan, 9, number, WSIM_DIST_POSITION);
        unsigned zeros = 0;
        wsim_case_fill(&plan, &c, in);
        ck_assert_int_eq(wsim_case_run(&op, h200(), &plan, in, out, NULL), WSIM_OK);
        for (unsigned word = 0; word < plan.out_rows * 32; word++)
            zeros += out[word] == 0;
        ck_assert_uint_lt(zeros, plan.out_rows * 32 / 4);
    }
}
END_TEST

/* Every load and store of wmma has many strides and starts, and the same in every lane. */
START_TEST(test_lines) {
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        uint32_t stride[2] = {UINT32_MAX, 0}, start[2] = {UINT32_MAX, 0};
        struct wsim_plan plan;
        if (wsim_plan_make(&op, 0, &plan, NULL) || !plan.lines.along)
            continue;
        for (unsigned number = 0; number < 60; number++) {
            struct wsim_case c = wsim_case_at(&plan, 2, number, WSIM_DISTS);
            uint32_t to = wsim_stream_stride(&plan, &c), at = wsim_stream_start(&plan, &c);
            uint32_t bits = ((plan.lines.along - 1u) * to + plan.lines.across) * plan.lines.bits;
            ck_assert_uint_eq(to * plan.lines.bits % (plan.lines.align * 8u), 0);
            ck_assert_uint_ge(to, plan.lines.across);
            ck_assert_uint_le(at + bits / 8, WSIM_CASE_LINES_BYTES);
            ck_assert_uint_eq(at % plan.lines.align, 0);
            stride[0] = to < stride[0] ? to : stride[0];
            stride[1] = to > stride[1] ? to : stride[1];
            start[0] = at < start[0] ? at : start[0];
            start[1] = at > start[1] ? at : start[1];
        }
        expect(stride[0] < stride[1] && start[0] < start[1], "always one place");
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{test_descriptors, 0, 1},
                                       {test_placed_matrices, 0, 1},
                                       {test_results_are_not_empty, 0, 1},
                                       {test_lines, 0, 1}};
    return every_run("unit/cases/group", tests, COUNT(tests));
}
