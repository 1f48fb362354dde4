/* Fixes of bank conflicts: each suggestion has its stated cost and moves every byte to its own
 * place. Textbook cases get the textbook answers. */
#include "../../run.h"

#include <string.h>
#include <wsim/harness/suggest.h>

#define STEPS 32

static const struct wsim_arch *arch;
static struct wsim_op ops[4];
static uint32_t addr[4][STEPS * WSIM_LANES];
static struct wsim_suggest_access access[4];
static struct wsim_suggest what;

static void start(void) {
    arch = wsim_arch_find("sm_90a");
    what = (struct wsim_suggest){.arch = arch, .access = access};
}

/* Another access; its addresses are to be filled in. */
static uint32_t *add(const char *spelling, unsigned bytes, size_t steps) {
    const size_t i = what.accesses++;
    struct wsim_diag diag;
    ck_assert_msg(wsim_op_parse(spelling, &ops[i], &diag) == WSIM_OK, "%s", diag.text);
    access[i] = (struct wsim_suggest_access){&ops[i], ~0u, bytes, addr[i], steps};
    return addr[i];
}

/* Whether an access is a copy, which counts in another way. */
static int has_copies(void) {
    for (size_t i = 0; i < what.accesses; i++)
        if (access[i].bytes)
            return 1;
    return 0;
}

/* The sum of what all accesses cost at the places that a fix gives them. */
static uint64_t recount(const struct wsim_suggestion *fix) {
    uint64_t conflicts = 0;
    for (size_t i = 0; i < what.accesses; i++)
        for (size_t step = 0; step < access[i].steps; step++) {
            uint32_t at[WSIM_LANES];
            struct wsim_banks banks;
            for (unsigned lane = 0; lane < WSIM_LANES; lane++)
                at[lane] = wsim_suggestion_apply(fix, access[i].addr[step * WSIM_LANES + lane]);
            ck_assert_int_eq(wsim_banks_count(&ops[i], arch, at, ~0u, &banks, NULL), WSIM_OK);
            conflicts += banks.conflicts;
        }
    return conflicts;
}

/* All fixes of a kind, looked at from outside. `size`: bytes of the tile. */
static size_t fixes(enum wsim_fix kind, struct wsim_suggestion out[8], uint32_t size) {
    static uint8_t taken[1 << 17];
    size_t n;
    struct wsim_diag diag;
    ck_assert_msg(wsim_suggest_fixes(&what, kind, out, 8, &n, &diag) == WSIM_OK, "%s", diag.text);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(out[i].fix, kind);
        ck_assert_uint_eq(out[i].wavefronts, out[i].ideal + out[i].conflicts);
        if (!has_copies())
            ck_assert_uint_eq(out[i].conflicts, recount(&out[i]));
        if (i)
            ck_assert(out[i - 1].conflicts <= out[i].conflicts);
        memset(taken, 0, sizeof taken);
        for (uint32_t a = 0; a < size; a++) {
            const uint32_t to = wsim_suggestion_apply(&out[i], a);
            ck_assert(to < sizeof taken && !taken[to]);
            taken[to] = 1;
            if (kind == WSIM_FIX_XOR)
                ck_assert_uint_eq(wsim_suggestion_apply(&out[i], to), a);
        }
    }
    return n;
}

/* 64 rows of 64 halves, read by ldmatrix and written 16 bytes a lane: the swizzle of tensor copies.
 */
START_TEST(rows_of_a_tile) {
    struct wsim_suggestion out[8];
    char text[64];
    start();
    uint32_t *rows = add("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 0, 4);
    for (unsigned i = 0; i < 4 * WSIM_LANES; i++)
        rows[i] = i % 32 % 16 * 128 + i % 32 / 16 * 16 + i / 32 * 32;
    uint32_t *stores = add("st.shared.v4.b32", 0, 1);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        stores[lane] = lane * 16;
    ck_assert_uint_eq(fixes(WSIM_FIX_NONE, out, 8192), 1);
    ck_assert_uint_eq(out[0].conflicts, 4 * 28);
    ck_assert_uint_ge(fixes(WSIM_FIX_XOR, out, 8192), 3);
    ck_assert_uint_eq(out[0].conflicts, 0);
    ck_assert_int_eq(out[0].swizzle, WSIM_SWIZZLE_128B);
    ck_assert_uint_eq(out[0].align, 1024);
    ck_assert_uint_eq(out[0].bytes, 0);
    ck_assert_uint_eq(wsim_suggestion_spell(&out[0], text, sizeof text), strlen(text));
    ck_assert_str_eq(text, "a ^ (a >> 3 & 0x70)");
    ck_assert_uint_eq(recount(&out[0]), 0);
    ck_assert_uint_ge(fixes(WSIM_FIX_PAD, out, 8192), 1);
    ck_assert_uint_eq(out[0].conflicts, 0);
    wsim_suggestion_spell(&out[0], text, sizeof text);
    ck_assert_str_eq(text, "a + a / 128 * 16");
    ck_assert_uint_eq(out[0].bytes, 15 * 16);
    ck_assert_uint_eq(recount(&out[0]), 0);
}
END_TEST

/* 32 x 32 floats, written by rows and read by columns: a word more a row. */
START_TEST(transposed) {
    struct wsim_suggestion out[8];
    char text[64];
    start();
    uint32_t *stores = add("st.shared.f32", 0, STEPS), *loads = add("ld.shared.f32", 0, STEPS);
    for (unsigned i = 0; i < STEPS * WSIM_LANES; i++) {
        stores[i] = i * 4;
        loads[i] = (i % 32 * 32 + i / 32) * 4;
    }
    fixes(WSIM_FIX_NONE, out, 4096);
    ck_assert_uint_eq(out[0].conflicts, 32 * 31);
    ck_assert_uint_ge(fixes(WSIM_FIX_PAD, out, 4096), 1);
    wsim_suggestion_spell(&out[0], text, sizeof text);
    ck_assert_str_eq(text, "a + a / 128 * 4");
    ck_assert_uint_eq(out[0].conflicts, 0);
    ck_assert_uint_eq(recount(&out[0]), 0);
    ck_assert_uint_ge(fixes(WSIM_FIX_XOR, out, 4096), 1);
    wsim_suggestion_spell(&out[0], text, sizeof text);
    ck_assert_str_eq(text, "a ^ (a >> 5 & 0x7c)");
    ck_assert_uint_eq(recount(&out[0]), 0);
    for (size_t i = 0; i < what.accesses; i++) {
        ck_assert_int_eq(wsim_suggest_cost(arch, &access[i], &out[0], NULL), WSIM_OK);
        ck_assert_uint_eq(out[0].wavefronts, 32);
    }
}
END_TEST

/* A store that alone is well, and a load that alone would be: together they need another place. */
START_TEST(both_sides) {
    struct wsim_suggestion one[8], both[8];
    start();
    uint32_t *loads = add("ld.shared.f32", 0, 1);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        loads[lane] = lane * 256;
    const size_t alone = fixes(WSIM_FIX_XOR, one, 8192);
    uint32_t *stores = add("st.shared.v4.f32", 0, 1);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        stores[lane] = lane * 16;
    ck_assert_uint_ge(alone, 1);
    ck_assert_uint_ge(fixes(WSIM_FIX_XOR, both, 8192), 1);
    for (unsigned i = 0; i < 1; i++) {
        ck_assert_uint_eq(one[i].mask & 0xF, one[i].mask & 0xC); /* words may part */
        ck_assert_uint_eq(both[i].mask & 0xF, 0);                /* 16 bytes stay together */
        ck_assert_uint_eq(recount(&both[i]), both[i].conflicts);
    }
    ck_assert_uint_eq(one[0].conflicts, 0);
}
END_TEST

/* Steps of a loop cost each what it costs: none, two words of each bank, all of one bank. */
START_TEST(steps) {
    struct wsim_suggestion out[8];
    start();
    uint32_t *loads = add("ld.shared.f32", 0, 3);
    for (unsigned i = 0; i < 3 * WSIM_LANES; i++)
        loads[i] = i % 32 * (i / 32 == 0 ? 4 : i / 32 == 1 ? 8 : 128);
    fixes(WSIM_FIX_NONE, out, 4096);
    ck_assert_uint_eq(out[0].conflicts, 0 + 1 + 31);
    ck_assert_uint_ge(fixes(WSIM_FIX_XOR, out, 4096), 1);
}
END_TEST

/* Inactive lanes do not count, and copies count their destination. */
START_TEST(copies) {
    struct wsim_suggestion out[8];
    start();
    uint32_t *ca = add("cp.async.ca.shared.global", 16, 1);
    uint32_t *cg = add("cp.async.cg.shared.global", 16, 1);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        ca[lane] = cg[lane] = lane * 128;
    ck_assert_uint_eq(fixes(WSIM_FIX_NONE, out, 4096), 1);
    ck_assert_uint_gt(out[0].conflicts, 0);
    ck_assert_uint_ge(fixes(WSIM_FIX_XOR, out, 4096), 1);
    ck_assert_uint_eq(out[0].conflicts, 0);
    access[0].mask = access[1].mask = 1;
    fixes(WSIM_FIX_NONE, out, 4096);
    ck_assert_uint_eq(out[0].conflicts, 0);
    ck_assert_uint_eq(fixes(WSIM_FIX_XOR, out, 4096), 0); /* nothing is better than nothing */
    ck_assert_uint_eq(fixes(WSIM_FIX_PAD, out, 4096), 0);
}
END_TEST

/* Each element of a step is read at its address: lines follow each other, blocks of lines too. */
static void check_step(const struct wsim_tile *tile, uint32_t at, enum wsim_swizzle mode,
                       uint32_t step, const struct wsim_descriptor *found) {
    const uint32_t line = wsim_swizzle_span(mode) ? wsim_swizzle_span(mode) : 16;
    struct wsim_tile one = *tile;
    one.k = (uint16_t)(256 / tile->bits);
    for (uint32_t row = 0; row < tile->rows; row++)
        for (uint32_t k = 0; k < one.k; k++) {
            const uint32_t x = tile->mn_major ? row : step * one.k + k;
            const uint32_t y = tile->mn_major ? step * one.k + k : row, byte = x * tile->bits / 8;
            const uint32_t block = (tile->mn_major ? tile->k : tile->rows) * line;
            ck_assert_uint_eq(
                wsim_descriptor_address(found, &one, row, k),
                wsim_swizzle_apply(mode, at + byte / line * block + y * line + byte % line));
        }
}

/* Descriptors that an H200 was given (docs/tutorials/wgmma.md), and every step of tiles in all
 * modes. */
START_TEST(descriptors_of_tiles) {
    static const struct {
        uint16_t rows, k;
        uint32_t at, step;
        uint8_t bits, mn_major;
        enum wsim_swizzle mode;
        uint64_t want;
    } cases[] = {
        {64, 128, 0x400, 0, 16, 0, WSIM_SWIZZLE_128B, UINT64_C(0x4000004000000040)},
        {64, 128, 0x400, 5, 16, 0, WSIM_SWIZZLE_128B, UINT64_C(0x4000004000000242)},
        {256, 64, 0, 1, 8, 0, WSIM_SWIZZLE_64B, UINT64_C(0x8000002000000002)},
        {64, 32, 0x80, 2, 32, 0, WSIM_SWIZZLE_NONE, UINT64_C(0x0000000800400108)},
        {64, 64, 0, 3, 16, 1, WSIM_SWIZZLE_NONE, UINT64_C(0x0000004000080030)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct wsim_tile tile = {.rows = cases[i].rows,
                                       .k = cases[i].k,
                                       .bits = cases[i].bits,
                                       .mn_major = cases[i].mn_major};
        struct wsim_descriptor found;
        struct wsim_diag diag = {0};
        uint64_t bits = 0;
        ck_assert_msg(wsim_suggest_descriptor(&tile, cases[i].at, cases[i].mode, cases[i].step,
                                              &found, &bits, &diag) == WSIM_OK,
                      "%zu: %s", i, diag.text);
        check_step(&tile, cases[i].at, cases[i].mode, cases[i].step, &found);
        ck_assert_msg(bits == cases[i].want, "%zu: %llx", i, (unsigned long long)bits);
        ck_assert_int_eq(
            wsim_suggest_descriptor(&tile, cases[i].at, cases[i].mode, 4096, &found, &bits, &diag),
            WSIM_ILLEGAL);
    }
}
END_TEST

START_TEST(refused) {
    struct wsim_suggestion out[8];
    struct wsim_diag diag;
    size_t n = 7;
    start();
    ck_assert_int_eq(wsim_suggest_fixes(&what, WSIM_FIX_XOR, out, 8, &n, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "suggest.access.none");
    ck_assert_uint_eq(n, 0);
    uint32_t *loads = add("ld.shared.b32", 0, 0);
    ck_assert_int_eq(wsim_suggest_fixes(&what, WSIM_FIX_XOR, out, 8, &n, &diag), WSIM_OPERAND);
    access[0].steps = 1;
    memset(loads, 0, sizeof addr[0]);
    loads[5] = 2;
    ck_assert_int_eq(wsim_suggest_fixes(&what, WSIM_FIX_PAD, out, 8, &n, &diag), WSIM_ALIGN);
    loads[5] = 0xFFFFFFFC; /* nothing wraps around */
    what.pitch = 128;
    ck_assert_int_eq(wsim_suggest_fixes(&what, WSIM_FIX_PAD, out, 8, &n, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_suggest_fixes(&what, WSIM_FIX_XOR, out, 0, &n, &diag), WSIM_OK);
    ck_assert_uint_eq(n, 0);
}
END_TEST

/* All descriptors that CUTLASS makes for tiles of SM100. */
START_TEST(tiles_of_tcgen05) {
    const char *const path = WSIM_SOURCE_DIR "/tests/data/tcgen05_matrices.tsv";
    char line[256], swizzle[16], type[8], major[4];
    FILE *file = fopen(path, "r");
    unsigned rows = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        unsigned extent, k, step, at;
        unsigned long long want;
        struct wsim_descriptor d;
        struct wsim_tile tile;
        struct wsim_diag diag;
        enum wsim_swizzle mode;
        uint64_t bits = 0;
        if (line[0] == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "%15s %7s %3s %u %u %u %x %*u %*u %*u %*u %llx", swizzle,
                                type, major, &extent, &k, &step, &at, &want),
                         8);
        mode = strcmp(swizzle, "none") == 0       ? WSIM_SWIZZLE_NONE
               : strcmp(swizzle, "32B") == 0      ? WSIM_SWIZZLE_32B
               : strcmp(swizzle, "64B") == 0      ? WSIM_SWIZZLE_64B
               : strcmp(swizzle, "128B_32B") == 0 ? WSIM_SWIZZLE_128B_ATOM_32B
                                                  : WSIM_SWIZZLE_128B;
        tile = (struct wsim_tile){.rows = (uint16_t)extent,
                                  .k = (uint16_t)k,
                                  .format = wsim_format_find(type),
                                  .mn_major = strcmp(major, "MN") == 0};
        tile.bits = (uint8_t)(tile.format->bits + tile.format->pad);
        ck_assert_msg(!wsim_suggest_umma(&tile, at, mode, step, &d, &bits, &diag), "%s: %s", line,
                      diag.text);
        ck_assert_msg(bits == want, "%016llx: %s", (unsigned long long)bits, line);
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 532);
}
END_TEST

/* Two elements that share a byte have the descriptors of one element of 8 bits. */
START_TEST(shared_bytes) {
    struct wsim_tile halves = {.rows = 64, .k = 512, .bits = 4},
                     bytes = {.rows = 64, .k = 256, .bits = 8};
    struct wsim_descriptor d;
    struct wsim_diag diag;
    uint64_t want, bits = 7;
    for (enum wsim_swizzle mode = WSIM_SWIZZLE_NONE; mode <= WSIM_SWIZZLE_128B; mode++)
        for (uint32_t step = 0; step < 8; step++) {
            ck_assert_int_eq(wsim_suggest_umma(&bytes, 1024, mode, step, &d, &want, &diag),
                             WSIM_OK);
            ck_assert_int_eq(wsim_suggest_umma(&halves, 1024, mode, step, &d, &bits, &diag),
                             WSIM_OK);
            ck_assert_uint_eq(bits, want);
        }
    ck_assert_int_ne(wsim_suggest_umma(&halves, 1024, WSIM_SWIZZLE_128B, 8, &d, &bits, &diag),
                     WSIM_OK);
    halves.mn_major = 1;
    ck_assert_int_eq(wsim_suggest_umma(&halves, 1024, WSIM_SWIZZLE_128B, 0, &d, &bits, &diag),
                     WSIM_ILLEGAL);
    ck_assert_str_eq(diag.rule, "suggest.tile.shape");
}
END_TEST

START_TEST(tiles_refused) {
    struct wsim_tile tile = {.rows = 12, .k = 64, .bits = 16};
    struct wsim_descriptor d;
    struct wsim_diag diag;
    uint64_t bits = 7;
    ck_assert_int_ne(wsim_suggest_umma(&tile, 0, WSIM_SWIZZLE_128B, 0, &d, &bits, &diag), WSIM_OK);
    tile.rows = 8;
    tile.k = 24;
    ck_assert_int_ne(wsim_suggest_umma(&tile, 0, WSIM_SWIZZLE_32B, 0, &d, &bits, &diag), WSIM_OK);
    tile.k = 64;
    ck_assert_int_ne(wsim_suggest_umma(&tile, 0, WSIM_SWIZZLE_32B, 4, &d, &bits, &diag), WSIM_OK);
    ck_assert_str_eq(diag.rule, "suggest.tile.shape");
    ck_assert_int_ne(wsim_suggest_umma(&tile, 8, WSIM_SWIZZLE_32B, 0, &d, &bits, &diag), WSIM_OK);
    ck_assert_int_ne(wsim_suggest_umma(&tile, 0, WSIM_SWIZZLE_128B_ATOM_64B, 0, &d, &bits, &diag),
                     WSIM_OK);
    ck_assert_uint_eq(bits, 7);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {rows_of_a_tile, 0, 1},
        {transposed, 0, 1},
        {both_sides, 0, 1},
        {steps, 0, 1},
        {copies, 0, 1},
        {refused, 0, 1},
        {descriptors_of_tiles, 0, 1},
        {tiles_of_tcgen05, 0, 1},
        {shared_bytes, 0, 1},
        {tiles_refused, 0, 1},
    };
    return every_run("suggest", tests, (int)(sizeof tests / sizeof tests[0]));
}
