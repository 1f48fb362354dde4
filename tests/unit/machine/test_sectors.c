/* test_sectors.c - sectors and lines of accesses of global memory: patterns by hand, each with the
 * reason of its count, and random ones against sets. */
#include "../../run.h"

#include <wsim/wsim.h>

#include <string.h>

static struct wsim_sectors count(const char *text, const uint64_t addr[WSIM_LANES], uint32_t mask) {
    struct wsim_instruction access;
    struct wsim_sectors out;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_instruction_parse(text, &access, &diag), WSIM_OK);
    ck_assert_msg(wsim_sectors_count(&access, wsim_arch_find("sm_90a"), addr, mask, &out, &diag) ==
                      WSIM_OK,
                  "%s: %s", text, diag.text);
    return out;
}

static void expect_count(const char *text, const uint64_t addr[WSIM_LANES], uint32_t mask,
                         unsigned sectors, unsigned ideal, unsigned lines) {
    struct wsim_sectors got = count(text, addr, mask);
    ck_assert_msg(got.sectors == sectors && got.ideal == ideal && got.lines == lines,
                  "%s: %u sectors, ideal %u, %u lines, not %u %u %u", text, (unsigned)got.sectors,
                  (unsigned)got.ideal, (unsigned)got.lines, sectors, ideal, lines);
}

static const uint64_t *stride(uint64_t bytes, uint64_t start) {
    static uint64_t addr[WSIM_LANES];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = start + lane * bytes;
    return addr;
}

START_TEST(loads_and_stores) {
    expect_count("ld.global.f32", stride(4, 0), UINT32_MAX, 4, 4, 1);
    expect_count("st.global.f32", stride(4, 112), UINT32_MAX, 5, 4, 2); /* across a line       */
    expect_count("ld.global.f32", stride(128, 0), UINT32_MAX, 32, 4, 32);
    expect_count("ld.global.v4.f32", stride(16, 0), UINT32_MAX, 16, 16, 4);
    expect_count("ld.global.f32", stride(0, 64), UINT32_MAX, 1, 1, 1); /* a broadcast           */
    expect_count("st.global.u8", stride(1, 0), UINT32_MAX, 1, 1, 1);
    expect_count("ld.f32", stride(8, 0), 0xff, 2, 1, 1); /* generic; lanes left out             */
    expect_count("ld.global.f32", stride(4, 0), 0, 0, 0, 0);
}
END_TEST

/* Each lane at the most wanted word of a sector is a turn; sectors of a line share requests. */
START_TEST(atomics) {
    uint64_t addr[WSIM_LANES];
    expect_count("atom.global.add.u32", stride(4, 0), UINT32_MAX, 4, 4, 1);
    expect_count("red.global.add.u32", stride(0, 0), UINT32_MAX, 32, 1, 32);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = lane < 5 ? 0 : lane < 8 ? 32 : 128 + lane % 2 * 4;
    expect_count("atom.global.add.u32", addr, UINT32_MAX, 5 + 3 + 12, 1, 5 + 12);
    expect_count("atom.global.cas.b32", stride(4, 0), UINT32_MAX, 4, 4, 2); /* half a line each */
}
END_TEST

START_TEST(lines_and_lanes) {
    struct wsim_sectors got = count("atom.global.add.u32", stride(0, 416), 0x80000003);
    ck_assert_uint_eq(got.nlines, 1);
    ck_assert_uint_eq(got.line[0].address, 384);
    ck_assert_uint_eq(got.line[0].lanes[1], 0x80000003);
    ck_assert_uint_eq(got.line[0].turns[1], 3);
    ck_assert_uint_eq(got.line[0].turns[0], 0);
    got = count("ld.global.u32", stride(0 - (uint64_t)128, 1 << 20), UINT32_MAX); /* descending */
    for (unsigned i = 1; i < got.nlines; i++)
        ck_assert(got.line[i - 1].address < got.line[i].address);
    ck_assert_uint_eq(got.nlines, 32);
}
END_TEST

START_TEST(copies) {
    struct wsim_op op;
    struct wsim_sectors got;
    struct wsim_diag diag;
    uint32_t dst[WSIM_LANES], src[WSIM_LANES];
    struct wsim_copy copy = {.bytes = 16, .mask = UINT32_MAX, .dst = dst, .src = src};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        dst[lane] = lane * 16, src[lane] = 0;
    ck_assert_int_eq(wsim_op_parse("cp.async.ca.shared.global", &op, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_sectors_copy(&op, arch, &copy, &got, &diag), WSIM_OK);
    ck_assert_uint_eq(got.sectors, 1);
    ck_assert_uint_eq(got.lines, 1);
    ck_assert_int_eq(wsim_op_parse("cp.async.cg.shared.global", &op, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_sectors_copy(&op, arch, &copy, &got, &diag), WSIM_OK);
    ck_assert_uint_eq(got.sectors, 16); /* one for each sector of the destination */
    ck_assert_uint_eq(got.lines_known, 0);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        dst[lane] = 64;
    ck_assert_int_eq(wsim_sectors_copy(&op, arch, &copy, &got, &diag), WSIM_OK);
    ck_assert_uint_eq(got.sectors, 1); /* only the lowest lane counts */
}
END_TEST

START_TEST(refusals) {
    struct wsim_instruction access;
    struct wsim_sectors out;
    struct wsim_diag diag;
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    static const char *const wrong[] = {"add.f32", "ld.shared.f32", "ld.param.u32", "ld.const.f32"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(wsim_instruction_parse(wrong[i], &access, &diag), WSIM_OK);
        ck_assert_int_eq(wsim_sectors_count(&access, arch, stride(4, 0), 1, &out, &diag),
                         WSIM_ILLEGAL);
        ck_assert_str_eq(diag.rule, "op.door.wrong");
    }
    ck_assert_int_eq(wsim_instruction_parse("ld.global.v2.f32", &access, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_sectors_count(&access, arch, stride(4, 0), 3, &out, &diag), WSIM_ALIGN);
    ck_assert_str_eq(diag.text, "lane 1: address 0x4 is not a multiple of 8");
    ck_assert_int_eq(wsim_sectors_count(&access, arch, stride(4, 0), 1, &out, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_sectors_count(&access, NULL, stride(4, 0), 1, &out, &diag), WSIM_ILLEGAL);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {loads_and_stores, atomics, lines_and_lanes, copies, refusals};
    return run_tests("unit/machine/sectors", tests, sizeof tests / sizeof *tests);
}
