/* test_addresses.c - a matrix move uses only the addresses of lanes that give rows, up to
 * the last byte of the window. Before sm_80 every lane must hold a valid address. */
#include "../../every.h"

#define WINDOW 2048

struct move {
    const char *spelling, *arch;
    int rows; /* lanes that give one */
};

static const struct move moves[] = {
    {"ldmatrix.sync.aligned.m8n8.x1.b16", "sm_80", 8},
    {"ldmatrix.sync.aligned.m8n8.x2.b16", "sm_80", 16},
    {"ldmatrix.sync.aligned.m8n8.x4.b16", "sm_80", 32},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.b16", "sm_90a", 16},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.b8", "sm_100a", 16},
    {"ldmatrix.sync.aligned.m16n16.x2.trans.b8x16.b6x16_p32", "sm_120a", 32},
    {"ldmatrix.sync.aligned.m8n16.x1.b8x16.b4x16_p64", "sm_100a", 8},
    {"stmatrix.sync.aligned.m8n8.x1.b16", "sm_90", 8},
    {"stmatrix.sync.aligned.m8n8.x2.trans.b16", "sm_90", 16},
    {"stmatrix.sync.aligned.m16n8.x1.trans.b8", "sm_100a", 8},
    {"stmatrix.sync.aligned.m16n8.x4.trans.b8", "sm_120a", 32},
};

struct warp {
    struct wsim_regs d;
    uint8_t bytes[WINDOW];
    uint32_t addr[WSIM_LANES];
};

/* From the same state always, so that two runs can be compared. */
static enum wsim_status run(const struct move *move, const char *arch, struct warp *warp,
                            uint32_t size) {
    struct wsim_op op = every_parse(move->spelling);
    struct wsim_regs r;
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, warp->bytes, size, 0);
    struct wsim_operands io = {.d = &warp->d, .r = &r, .smem = &smem, .addr = warp->addr};
    uint64_t seed = 5;
    every_fill(warp->bytes, sizeof warp->bytes, &seed);
    every_fill(&warp->d, sizeof warp->d, &seed);
    every_fill(&r, sizeof r, &seed);
    return wsim_exec(&op, wsim_arch_find(arch), &io, NULL);
}

static void rows_at(uint32_t *addr, uint32_t first) {
    int l;
    for (l = 0; l < WSIM_LANES; l++)
        addr[l] = first + 16u * (uint32_t)l;
}

START_TEST(idle_lanes_may_hold_anything) {
    const struct move *move = &moves[_i];
    struct warp first, second;
    int l;
    rows_at(first.addr, 0);
    rows_at(second.addr, 0);
    for (l = move->rows; l < WSIM_LANES; l++)
        second.addr[l] = l % 2 ? 0xFFFFFFFFu : second.addr[0] + 1;
    ck_assert_int_eq(run(move, move->arch, &first, WINDOW), WSIM_OK);
    ck_assert_int_eq(run(move, move->arch, &second, WINDOW), WSIM_OK);
    ck_assert_mem_eq(&first.d, &second.d, sizeof first.d);
    ck_assert_mem_eq(first.bytes, second.bytes, sizeof first.bytes);
}
END_TEST

START_TEST(rows_may_end_with_the_window) {
    const struct move *move = &moves[_i];
    struct warp warp;
    uint32_t size = 16u * (uint32_t)move->rows + 64;
    rows_at(warp.addr, 64);
    ck_assert_int_eq(run(move, move->arch, &warp, size), WSIM_OK);
    ck_assert_int_eq(run(move, move->arch, &warp, size - 1), WSIM_BOUNDS);
    ck_assert_int_eq(run(move, move->arch, &warp, size - 16), WSIM_BOUNDS);
    warp.addr[move->rows - 1] += 16;
    ck_assert_int_eq(run(move, move->arch, &warp, size), WSIM_BOUNDS);
    warp.addr[move->rows - 1] = UINT32_MAX - 15;
    ck_assert_int_eq(run(move, move->arch, &warp, size), WSIM_BOUNDS);
}
END_TEST

/* Bytes that no row covers stay; each row that is stored is read back by the plain load. */
START_TEST(stores_write_their_rows_only) {
    const struct move *move = &moves[_i];
    struct warp warp;
    uint8_t before[WINDOW];
    uint64_t seed = 5;
    int i, row;
    if (move->spelling[0] != 's')
        return;
    for (i = 0; i < WSIM_LANES; i++)
        warp.addr[i] = 48u * (uint32_t)i + 16;
    every_fill(before, sizeof before, &seed);
    ck_assert_int_eq(run(move, move->arch, &warp, WINDOW), WSIM_OK);
    for (i = 0; i < WINDOW; i++) {
        row = i / 48;
        if (i % 48 / 16 != 1 || row >= move->rows)
            expect(warp.bytes[i] == before[i], "%s: byte %d", move->spelling, i);
    }
}
END_TEST

START_TEST(before_sm_80_every_lane_needs_an_address) {
    static const struct move old = {"ldmatrix.sync.aligned.m8n8.x1.b16", "sm_75", 8};
    struct warp warp;
    rows_at(warp.addr, 0);
    ck_assert_int_eq(run(&old, "sm_75", &warp, WINDOW), WSIM_OK);
    warp.addr[31] = 8;
    ck_assert_int_eq(run(&old, "sm_75", &warp, WINDOW), WSIM_ALIGN);
    ck_assert_int_eq(run(&old, "sm_80", &warp, WINDOW), WSIM_OK);
    warp.addr[31] = WINDOW;
    ck_assert_int_eq(run(&old, "sm_75", &warp, WINDOW), WSIM_BOUNDS);
    ck_assert_int_eq(run(&old, "sm_89", &warp, WINDOW), WSIM_OK);
}
END_TEST

/* Loads may overlap; stores that collide have no defined result. */
START_TEST(loads_may_share_rows) {
    const struct move *move = &moves[_i];
    struct warp warp;
    rows_at(warp.addr, 0);
    warp.addr[1] = warp.addr[0];
    ck_assert_int_eq(run(move, move->arch, &warp, WINDOW),
                     move->spelling[0] == 's' ? WSIM_OPERAND : WSIM_OK);
}
END_TEST

/* Shared memory holds 0, 1, 2 ...: lane t gets elements 2t and 2t + 1 of each matrix. */
START_TEST(iota_arrives_in_order) {
    struct wsim_op op = every_parse("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    uint16_t halves[256];
    uint32_t addr[WSIM_LANES];
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, halves, sizeof halves, 0);
    struct wsim_regs d;
    struct wsim_operands io = {.d = &d, .smem = &smem, .addr = addr};
    int i, j;
    for (i = 0; i < 256; i++) {
        smem.bytes[2 * i] = (uint8_t)i;
        smem.bytes[2 * i + 1] = 0;
    }
    rows_at(addr, 0);
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("sm_75"), &io, NULL), WSIM_OK);
    for (i = 0; i < WSIM_LANES; i++)
        for (j = 0; j < 4; j++) {
            unsigned first = (unsigned)(64 * j + 2 * i);
            expect(d.r[j][i] == (first | (first + 1) << 16), "lane %d register %d", i, j);
        }
}
END_TEST

int main(void) {
    int n = COUNT(moves);
    const struct every_test tests[] = {
        {idle_lanes_may_hold_anything, 0, n}, {rows_may_end_with_the_window, 0, n},
        {stores_write_their_rows_only, 0, n}, {before_sm_80_every_lane_needs_an_address, 0, 1},
        {loads_may_share_rows, 0, n},         {iota_arrives_in_order, 0, 1}};
    return every_run("unit/exec/addresses", tests, COUNT(tests));
}
