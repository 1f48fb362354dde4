/* test_kinds.c - pictures of accesses, swizzles, tiles, sparse matrices and lines: each cell is
 * what the library says where it is asked directly. */
#include "../../every.h"

#include <wsim/harness/picture.h>

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

static struct wsim_panel panel_of(const struct wsim_picture *picture, uint32_t number) {
    struct wsim_panel panel;
    picture->panel(picture, number, &panel);
    return panel;
}

static struct wsim_cell cell_of(struct wsim_panel *panel, uint32_t row, uint32_t col) {
    struct wsim_cell cell;
    memset(&cell, 0xA5, sizeof cell);
    panel->cell(panel, row, col, &cell);
    return cell;
}

/* --- accesses --- */

/* The passes of a row of lanes are those of wsim_cost_turns, and the row below has the ways. */
START_TEST(cards_are_turns) {
    struct wsim_op op = every_parse("ld.shared.v2.b32");
    uint32_t addr[WSIM_LANES];
    struct wsim_io io = {.move = {.addr = addr, .mask = 0x00FFFF0F}};
    struct wsim_bank_card card = {.spelling = "ld.shared.v2.b32", .arch = hopper()};
    struct wsim_cost_group group[WSIM_MAX_GROUPS];
    struct wsim_cost_access access;
    struct wsim_picture picture;
    struct wsim_code code;
    for (uint32_t l = 0; l < WSIM_LANES; l++)
        addr[l] = (l * (24 + 8 * (uint32_t)_i)) % 4096;
    ck_assert_int_eq(wsim_prepare(&op, hopper(), 0, &code, NULL), WSIM_OK);
    ck_assert_int_eq(
        wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, group, WSIM_MAX_GROUPS, &card.cost, NULL),
        WSIM_OK);
    ck_assert_int_eq(wsim_cost_access(&code, &io, 0, &access, NULL), WSIM_OK);
    card.group = group;
    card.access = &access;
    wsim_picture_banks(&card, &picture);
    ck_assert_uint_eq(picture.panels, card.cost.groups);
    for (uint32_t g = 0; g < picture.panels; g++) {
        struct wsim_panel panel = panel_of(&picture, g);
        unsigned ways = 0, row = 0;
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            if (!(group[g].lanes >> lane & 1))
                continue;
            for (unsigned bank = 0; bank < WSIM_BANKS; bank++) {
                struct wsim_cell cell = cell_of(&panel, row, bank);
                uint8_t turn[WSIM_LANES];
                wsim_cost_turns(&access, group[g].lanes, bank, turn);
                expect(cell.text[0] == ".123456789abcdefg"[turn[lane]] && !cell.text[1],
                       "lane %u bank %u: %s", lane, bank, cell.text);
                expect(((cell.flags & WSIM_CELL_MARKED) != 0) == (turn[lane] > 1),
                       "lane %u bank %u: mark", lane, bank);
            }
            row++;
        }
        ck_assert_uint_eq(panel.rows, row + 1);
        for (unsigned bank = 0; bank < WSIM_BANKS; bank++) {
            unsigned there =
                (unsigned)strcspn(".123456789abcdefg", cell_of(&panel, row, bank).text);
            ways = there > ways ? there : ways;
        }
        ck_assert_uint_eq(ways, group[g].ways);
    }
}
END_TEST

/* --- swizzles --- */

START_TEST(swizzles_are_applied) {
    struct wsim_swizzle_tile tile = {(enum wsim_swizzle)(_i % WSIM_SWIZZLES),
                                     _i < WSIM_SWIZZLES ? 128 : 64, 16, 0};
    struct wsim_picture picture;
    struct wsim_panel panel;
    wsim_picture_swizzle(&tile, &picture);
    panel = panel_of(&picture, 0);
    ck_assert_uint_eq(panel.rows * panel.cols * 16, tile.rows * tile.pitch);
    for (uint32_t row = 0; row < panel.rows; row++)
        for (uint32_t col = 0; col < panel.cols; col++) {
            uint32_t from = row * tile.pitch + col * 16, at = wsim_swizzle_apply(tile.mode, from);
            struct wsim_cell cell = cell_of(&panel, row, col);
            char want[32];
            snprintf(want, sizeof want, "%u:%u%s", (unsigned)(at / tile.pitch),
                     (unsigned)(at % tile.pitch / 16), at % 16 ? "+8" : "");
            ck_assert_str_eq(cell.text, want);
            ck_assert_int_eq(cell.value, (int)(at / 4 % 32));
            ck_assert_int_eq((cell.flags & WSIM_CELL_MOVED) != 0, at != from);
        }
}
END_TEST

/* Its words, evaluated, are the swizzle. */
START_TEST(formulas_are_swizzles) {
    char text[WSIM_SWIZZLE_FORMULA];
    wsim_swizzle_formula((enum wsim_swizzle)_i, text);
    ck_assert(text[0] == 'a');
    for (uint32_t a = 0; a < 4096; a += 8) {
        uint32_t sum = a;
        for (const char *at = text + 1; *at;) {
            unsigned shift, mask;
            int n = 0;
            expect(sscanf(at, " ^ (a >> %u & %x)%n", &shift, &mask, &n) == 2 && n, "%s", at);
            sum ^= a >> shift & mask;
            at += n;
        }
        ck_assert_uint_eq(sum, wsim_swizzle_apply((enum wsim_swizzle)_i, a));
    }
}
END_TEST

/* --- tiles --- */

/* Every byte that a copy places is counted in the piece where it lies, inside or outside. */
START_TEST(tiles_are_located) {
    struct wsim_op op = every_parse("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
                                    "::complete_tx::bytes");
    struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_INT32,
                                 .rank = 2,
                                 .dims = {38, 40},
                                 .strides = {160},
                                 .box = {32, 8},
                                 .estrides = {1, 1},
                                 .swizzle = WSIM_SWIZZLE_128B};
    struct wsim_tensor_map map;
    struct wsim_diag diag;
    struct wsim_bulk copy = {.shared_at = 1024, .map = &map, .coord = {12, 36}};
    struct wsim_tensor_tile shape;
    struct wsim_tile_piece piece[8 * 8];
    struct wsim_tile_map tile;
    struct wsim_picture picture;
    struct wsim_panel panel;
    unsigned used = 0, inside = 0;
    expect(wsim_tensor_encode(&tensor, hopper(), &map, &diag) == WSIM_OK, "%s", diag.text);
    shape = wsim_tensor_measure(&tensor);
    wsim_tile_open(&op, hopper(), &copy, &shape, &tile);
    ck_assert_uint_eq(tile.lines, 8);
    ck_assert_int_eq(wsim_tile_fill(&tile, piece, NULL), WSIM_OK);
    tile.boxes = 1;
    wsim_picture_tile(&tile, &picture);
    ck_assert_uint_eq(picture.panels, 2);
    panel = panel_of(&picture, 0);
    for (uint32_t row = 0; row < shape.rows; row++)
        for (uint32_t byte = 0; byte < shape.inner; byte++) {
            struct wsim_bulk_place place;
            struct wsim_cell cell;
            char want[32];
            ck_assert_int_eq(wsim_bulk_locate(&op, hopper(), &copy, row, byte, &place, NULL),
                             WSIM_OK);
            cell = cell_of(&panel, (place.shared - 1024) / 128, place.shared % 128 / 16);
            snprintf(want, sizeof want, "%u:%u", (unsigned)row, (unsigned)byte / 16);
            expect(strstr(cell.text, want) != NULL, "byte %u of row %u: %s", byte, row, cell.text);
            inside += place.where == WSIM_BULK_INSIDE;
            used++;
        }
    ck_assert_uint_eq(tile.outside, used - inside);
    for (unsigned i = 0; i < 64; i++)
        inside -= piece[i].inside;
    ck_assert_uint_eq(inside, 0);
    /* 38 elements from 12 on: of 32 in the box 26 are there, so of piece 6 a half */
    ck_assert_str_eq(cell_of(&panel, 0, 6).text, "0:6*");
    ck_assert(cell_of(&panel, 0, 6).flags & WSIM_CELL_MARKED);
    ck_assert_str_eq(cell_of(&panel, 0, 7).text, "(0:7)");
    ck_assert(cell_of(&panel, 4, 0).flags & WSIM_CELL_OUTSIDE);
    panel = panel_of(&picture, 1);
    ck_assert_str_eq(cell_of(&panel, 2, 1).text, "(16,38)");
    ck_assert_str_eq(cell_of(&panel, 0, 6).text, "(36,36)*");
    panel = panel_of(&picture, WSIM_PANEL_LIST);
    ck_assert_uint_eq(panel.rows, 64);
    ck_assert_str_eq(cell_of(&panel, 63, 3).text, "0");
    ck_assert_str_eq(cell_of(&panel, 6, 3).text, "8");
}
END_TEST

/* --- sparse matrices --- */

/* The stored elements, at the places in the picture, give the dense matrix. */
START_TEST(sparse_cells_hold_the_matrix) {
    static const char *const spellings[] = {
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32"};
    struct wsim_op op = every_parse(spellings[_i]);
    struct wsim_meta_pattern pattern;
    struct wsim_layout a;
    struct wsim_sparse sparse;
    struct wsim_picture picture;
    struct wsim_panel panel;
    static uint64_t dense[16 * 128];
    struct wsim_regs regs;
    uint32_t e[WSIM_LANES] = {0};
    struct wsim_diag diag;
    unsigned cols;
    ck_assert_int_eq(wsim_meta_pattern(&op, &pattern, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_A, &a, NULL), WSIM_OK);
    cols = (unsigned)pattern.groups * pattern.columns;
    memset(dense, 0, sizeof dense);
    memset(&regs, 0, sizeof regs);
    for (unsigned row = 0; row < 16; row++) /* two of four, or one of two, as the row says */
        for (unsigned g = 0; g < pattern.groups; g++)
            for (unsigned k = 0; k < pattern.kept; k++)
                dense[row * cols + g * pattern.columns + (row + g + 2 * k) % pattern.columns] =
                    1 + (row * 7 + g * 3 + k) % 100;
    expect(wsim_words_compress(&op, dense, 0, regs.r[0], e, &diag) == WSIM_OK, "%s", diag.text);
    expect(wsim_sparse_make(&op, e, 0, &sparse, &diag) == WSIM_OK, "%s", diag.text);
    wsim_picture_sparse(&sparse, &picture);
    panel = panel_of(&picture, 0);
    ck_assert_uint_eq(panel.cols, cols);
    for (unsigned row = 0; row < panel.rows; row++)
        for (unsigned col = 0; col < panel.cols; col++) {
            struct wsim_cell cell = cell_of(&panel, row, col);
            unsigned lane, reg, part = 0;
            struct wsim_place place = {0, 0, 0, 0};
            if (strcmp(cell.text, ".") == 0) {
                expect(dense[row * cols + col] == 0, "(%u,%u) is dropped", row, col);
                continue;
            }
            expect(sscanf(cell.text, "%u:%u.%u", &lane, &reg, &part) >= 2, "%s", cell.text);
            place.lane = (uint16_t)lane;
            place.reg = (uint16_t)reg;
            place.lsb = (uint16_t)(part * a.elem_bits);
            ck_assert_int_eq(cell.value, (int)lane);
            expect(wsim_regs_get(&a, &regs, place) == dense[row * cols + col],
                   "(%u,%u) is not in %s", row, col, cell.text);
        }
    panel = panel_of(&picture, 1);
    for (unsigned row = 0; row < panel.rows; row++)
        for (unsigned g = 0; g < panel.cols; g++) {
            struct wsim_meta_group group;
            char want[8];
            ck_assert_int_eq(wsim_meta_read(&op, e, 0, row, g, &group, NULL), WSIM_OK);
            snprintf(want, sizeof want, pattern.kept > 1 ? "%u,%u" : "%u", group.column[0],
                     group.column[1]);
            ck_assert_str_eq(cell_of(&panel, row, g).text, want);
            ck_assert_int_eq(cell_of(&panel, row, g).value, group.place.lane);
        }
    ck_assert_uint_eq(panel_of(&picture, WSIM_PANEL_LIST).rows, 16u * pattern.groups);
}
END_TEST

/* A nibble that no pattern defines is marked. */
START_TEST(undefined_metadata_is_marked) {
    struct wsim_op op = every_parse("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
    uint32_t e[WSIM_LANES] = {0}; /* both indices 0 */
    struct wsim_sparse sparse;
    struct wsim_picture picture;
    struct wsim_panel panel;
    ck_assert_int_eq(wsim_sparse_make(&op, e, 9, &sparse, NULL), WSIM_OPERAND);
    ck_assert_int_eq(wsim_sparse_make(&op, e, 0, &sparse, NULL), WSIM_OK);
    wsim_picture_sparse(&sparse, &picture);
    panel = panel_of(&picture, 1);
    ck_assert_str_eq(cell_of(&panel, 3, 2).text, "0,0!");
    ck_assert(cell_of(&panel, 3, 2).flags & WSIM_CELL_MARKED);
}
END_TEST

/* --- lines --- */

START_TEST(lines_are_coloured_by_excess) {
    const struct wsim_cost_line line[] = {
        {0, "k.cu:1", "a", {.executed = 5, .opcode = "add", .kernel = "k"}},
        {0,
         "k.cu:2",
         "b <&>",
         {.executed = 6,
          .opcode = "ld",
          .shared = {4, 40, 4, 36},
          .requests = 1,
          .sectors = 4,
          .sectors_ideal = 4}},
        {1, "k.cu:3", "c", {.opcode = "ld", .shared = {4, 5, 4, 1}}},
        {1, "k.cu:4", "d", {.opcode = "ld", .shared = {4, 5, 4, 1}, .uncounted = 2}}};
    const char *const launch[] = {"first", "second"};
    const struct wsim_cost_lines lines = {"k.ptx", line, COUNT(line), launch, 2};
    struct wsim_picture picture;
    struct wsim_panel panel;
    wsim_picture_lines(&lines, &picture);
    ck_assert_uint_eq(picture.panels, 2);
    panel = panel_of(&picture, 0);
    ck_assert_uint_eq(panel.rows, 2);
    ck_assert_str_eq(cell_of(&panel, 0, 2).text, "-");
    ck_assert_int_eq(cell_of(&panel, 0, 2).value, -1);
    ck_assert_str_eq(cell_of(&panel, 1, 2).text, "40");
    ck_assert(cell_of(&panel, 1, 2).flags & WSIM_CELL_MARKED);
    ck_assert_int_eq(cell_of(&panel, 1, 4).value, -1);
    panel = panel_of(&picture, 1);
    ck_assert_uint_eq(panel.rows, 2);
    ck_assert_int_eq(cell_of(&panel, 0, 2).value, 2);
    ck_assert_uint_eq(cell_of(&panel, 0, 2).flags, 0);
    ck_assert_str_eq(cell_of(&panel, 1, 2).text, "?");
    panel = panel_of(&picture, WSIM_PANEL_LIST);
    ck_assert_uint_eq(panel.rows, COUNT(line));
    ck_assert_str_eq(cell_of(&panel, 3, 0).text, "k.cu:4");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {cards_are_turns, 0, 12},
        {swizzles_are_applied, 0, 2 * WSIM_SWIZZLES},
        {formulas_are_swizzles, 0, WSIM_SWIZZLES},
        {tiles_are_located, 0, 1},
        {sparse_cells_hold_the_matrix, 0, 3},
        {undefined_metadata_is_marked, 0, 1},
        {lines_are_coloured_by_excess, 0, 1},
    };
    return every_run("unit/show/kinds", tests, COUNT(tests));
}
