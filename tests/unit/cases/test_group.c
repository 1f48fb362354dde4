/* Cases of wgmma and wmma. Descriptors are of every kind and stay inside of their part of the
 * window. Matrices that number their places agree with the descriptors, and memory of wmma holds
 * every line. */
#include "../../every.h"
#include "../../../tools/lib/execute.h"
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
    return input(plan, WSIM_IN_HOW)[WSIM_CHOICE_WORD] & WSIM_CHOICE_REGISTERS;
}

static struct wsim_tile tile_of(const struct wsim_op *op, const struct wsim_plan *plan,
                                unsigned side) {
    uint32_t choice = input(plan, WSIM_IN_HOW)[WSIM_CHOICE_WORD];
    int trans = (choice & (side ? WSIM_CHOICE_TRANS_B : WSIM_CHOICE_TRANS_A)) != 0;
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
            variants |= 1u << (input(&plan, WSIM_IN_HOW)[WSIM_CHOICE_WORD] & 31);
            seen |= 1ull << (input(&plan, WSIM_IN_HOW)[WSIM_CHOICE_WORD] >> 5);
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

/* B of one-hot and of near-one: D is not all zero, and operands in registers and
 * in shared memory give similar results. */
START_TEST(test_results_are_not_empty) {
    struct wsim_op op = every_parse("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16");
    static uint32_t out[WORDS];
    struct wsim_plan plan;
    wsim_plan_make(&op, 0, &plan, NULL);
    for (unsigned number = 0; number < 26; number++) {
        struct wsim_case c = wsim_case_at(&plan, 9, number, WSIM_DIST_POSITION);
        unsigned zeros = 0;
        wsim_case_fill(&plan, &c, in);
        ck_assert_int_eq(execute_case(&op, h200(), &plan, in, out, NULL), WSIM_OK);
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

/* --- warps of a warpgroup --- */

static uint32_t *mutable(const struct wsim_plan *plan, enum wsim_input which) {
    return in + plan->input[which].first * WSIM_LANES;
}

/* The product of a faulty model that exchanges the registers of two warps. Rows
 * of a block are registers of a warp, those of the four warps one after another. */
static void exchange(const struct wsim_plan *plan, enum wsim_input which, unsigned to,
                     unsigned from, int both) {
    enum { WARPS = 4, BYTES = WSIM_LANES * sizeof(uint32_t) };
    uint32_t kept[WSIM_LANES], *first = mutable(plan, which);
    for (unsigned row = 0; row < plan->input[which].rows; row += WARPS) {
        uint32_t *a = first + (row + to) * WSIM_LANES, *b = first + (row + from) * WSIM_LANES;
        memcpy(kept, a, BYTES);
        memcpy(a, b, BYTES);
        if (both)
            memcpy(b, kept, BYTES);
    }
}

enum fault { A_OF_WARP_0, A_SWAPPED, C_OF_WARP_0, C_SWAPPED, FAULTS };

static void plant(const struct wsim_plan *plan, enum fault fault) {
    enum wsim_input which = fault == A_OF_WARP_0 || fault == A_SWAPPED ? WSIM_IN_A : WSIM_IN_C;
    if (fault == A_SWAPPED || fault == C_SWAPPED)
        exchange(plan, which, 0, 1, 1);
    else
        for (unsigned warp = 1; warp < 4; warp++)
            exchange(plan, which, warp, 0, 0);
}

/* Digest of some cases of one distribution with A in registers and C added, with a fault or without
 * (FAULTS). */
static uint64_t digest_with(const struct wsim_op *op, const struct wsim_plan *plan, unsigned dist,
                            enum fault fault) {
    static uint32_t out[WORDS];
    uint64_t sum = 0;
    unsigned found = 0;
    for (unsigned number = 0; found < 8; number++) {
        struct wsim_case c = wsim_case_at(plan, 4, number, dist);
        uint32_t choice = wsim_stream_choice(plan, &c);
        if (!(choice & WSIM_CHOICE_REGISTERS && choice & WSIM_CHOICE_SCALE_D))
            continue;
        found++;
        wsim_case_fill(plan, &c, in);
        if (fault < FAULTS)
            plant(plan, fault);
        ck_assert_int_eq(execute_case(op, h200(), plan, in, out, NULL), WSIM_OK);
        sum += wsim_case_digest(number, out, plan->out_rows * WSIM_LANES);
    }
    return sum;
}

/* Where A or C is the same everywhere, no result can tell whose it was. */
static int can_be_seen(enum fault fault, unsigned dist) {
    return fault == A_OF_WARP_0 || fault == A_SWAPPED ? dist != WSIM_DIST_C_ALONE
                                                      : dist != WSIM_DIST_POSITION;
}

/* Stream 1 gave all four warps one A and one C, in all distributions but raw: then no digest could
 * tell warps that were exchanged. */
START_TEST(test_warps_are_told_apart) {
    static const char *const spellings[] = {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
                                            "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16",
                                            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16",
                                            "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32",
                                            "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2",
                                            "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8",
                                            "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"};
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct wsim_op op = every_parse(spellings[i]);
        struct wsim_plan plan;
        wsim_plan_make(&op, 0, &plan, NULL);
        for (unsigned dist = 0; dist < WSIM_DISTS; dist++) {
            uint64_t right = digest_with(&op, &plan, dist, FAULTS);
            for (unsigned fault = 0; fault < FAULTS; fault++)
                expect(!can_be_seen((enum fault)fault, dist) ||
                           digest_with(&op, &plan, dist, (enum fault)fault) != right,
                       "%s, %s: fault %u is not seen", spellings[i], wsim_dist_name(dist), fault);
        }
    }
}
END_TEST

/* The operands that stand in a block as a layout says. */
static const struct {
    enum wsim_input input;
    enum wsim_operand operand;
} placed[] = {{WSIM_IN_A, WSIM_A}, {WSIM_IN_B, WSIM_B},     {WSIM_IN_C, WSIM_C},
              {WSIM_IN_E, WSIM_E}, {WSIM_IN_SFA, WSIM_SFA}, {WSIM_IN_SFB, WSIM_SFB},
              {WSIM_IN_R, WSIM_R}};

static void check_coordinates(const struct wsim_op *op, const struct wsim_plan_input *o,
                              enum wsim_operand operand) {
    struct wsim_layout layout;
    ck_assert_int_eq(wsim_op_layout(op, NULL, operand, &layout, NULL), WSIM_OK);
    for (unsigned lane = 0; lane < layout.lanes; lane++)
        for (unsigned elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            uint32_t packed = at.row | (uint32_t)at.col << 12 | (uint32_t)at.batch << 24;
            expect(wsim_stream_coord(o, lane, elem) == packed, "%s of %s: lane %u, element %u",
                   wsim_operand_name(operand), wsim_op_describe(op).row, lane, elem);
        }
}

START_TEST(test_coordinates_are_those_of_layouts) {
    unsigned checked = 0;
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        if (wsim_plan_make(&op, 0, &plan, NULL))
            continue;
        for (int i = 0; i < COUNT(placed); i++)
            if (plan.input[placed[i].input].rows) {
                check_coordinates(&op, &plan.input[placed[i].input], placed[i].operand);
                checked++;
            }
    }
    ck_assert_uint_gt(checked, 4800);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {test_descriptors, 0, 1},           {test_placed_matrices, 0, 1},
        {test_results_are_not_empty, 0, 1}, {test_lines, 0, 1},
        {test_warps_are_told_apart, 0, 1},  {test_coordinates_are_those_of_layouts, 0, 1}};
    return every_run("unit/cases/group", tests, COUNT(tests));
}
