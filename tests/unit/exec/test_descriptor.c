/* test_descriptor.c - descriptors address the bytes that the manual defines. Checks its five
 * examples, explicit formulas for each mode and major, and the XOR of the swizzles on single bits.
 * Fields become bits and back. Values that do not fit are refused; probable mistakes are reported.
 */
#include "../../../sim/exec/descriptor.h"
#include "../../every.h"

#define HALF "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"

static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B, WSIM_SWIZZLE_64B,
                                          WSIM_SWIZZLE_128B};

/* --- swizzles --- */

START_TEST(a_swizzle_moves_pieces_inside_a_line) {
    static const struct {
        enum wsim_swizzle mode;
        uint32_t from, to;
    } vectors[] = {{WSIM_SWIZZLE_NONE, 0x3A8, 0x3A8},
                   {WSIM_SWIZZLE_32B, 0x080, 0x090},
                   {WSIM_SWIZZLE_32B, 0x0F8, 0x0E8},
                   {WSIM_SWIZZLE_32B, 0x100, 0x100},
                   {WSIM_SWIZZLE_64B, 0x1B8, 0x188},
                   {WSIM_SWIZZLE_64B, 0x200, 0x200},
                   {WSIM_SWIZZLE_128B, 0x0F0, 0x0E0},
                   {WSIM_SWIZZLE_128B, 0x3A8, 0x3D8},
                   {WSIM_SWIZZLE_128B, 0x400, 0x400},
                   {WSIM_SWIZZLE_128B_ATOM_32B, 0x198, 0x1F8},
                   {WSIM_SWIZZLE_128B_ATOM_32B_FLIP_8B, 0x080, 0x0A8},
                   {WSIM_SWIZZLE_128B_ATOM_32B_FLIP_8B, 0x088, 0x0A0},
                   {WSIM_SWIZZLE_128B_ATOM_64B, 0x080, 0x0C0},
                   {WSIM_SWIZZLE_128B_ATOM_64B, 0x100, 0x100}};
    uint32_t a;
    int i, mode;
    for (i = 0; i < COUNT(vectors); i++)
        ck_assert_uint_eq(wsim_swizzle_apply(vectors[i].mode, vectors[i].from), vectors[i].to);
    for (mode = 0; mode < WSIM_SWIZZLES; mode++) {
        unsigned period = wsim_swizzle_period((enum wsim_swizzle)mode);
        for (a = 0; a < 4096; a++) {
            uint32_t to = wsim_swizzle_apply((enum wsim_swizzle)mode, a);
            expect(to / 128 == a / 128 && wsim_swizzle_apply((enum wsim_swizzle)mode, to) == a &&
                       wsim_swizzle_apply((enum wsim_swizzle)mode, a + period) == to + period,
                   "mode %d, %x", mode, (unsigned)a);
        }
        ck_assert_int_eq(wsim_swizzle_find(wsim_swizzle_name((enum wsim_swizzle)mode)), mode);
    }
    ck_assert_ptr_null(wsim_swizzle_name(WSIM_SWIZZLES));
    ck_assert_int_eq(wsim_swizzle_find("96B"), WSIM_SWIZZLES);
}
END_TEST

/* --- addresses --- */

/* The layouts of the ISA's examples: a coordinate goes through sizes, each with its stride. */
struct example {
    const char *spelling;
    int mn_major;
    enum wsim_swizzle mode;
    unsigned leading, stride; /* fields of the descriptor, 16 bytes */
    int size[2][3], step[2][3];
    unsigned rows, k;
};

static uint32_t through(const int *size, const int *step, unsigned at) {
    uint32_t offset = 0;
    int i;
    for (i = 0; i < 3; at /= (unsigned)size[i++])
        offset += at % (unsigned)size[i] * (unsigned)step[i];
    return offset;
}

START_TEST(the_examples_of_the_manual) {
    static const char *const tf32 = "wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32";
    const struct example list[] = {
        {tf32,
         0,
         WSIM_SWIZZLE_NONE,
         16,
         8,
         {{8, 2, 1}, {4, 4, 1}},
         {{4, 32, 0}, {1, 64, 0}},
         16,
         8},
        {tf32, 0, WSIM_SWIZZLE_32B, 1, 16, {{8, 2, 1}, {4, 4, 1}}, {{8, 64, 0}, {1, 4, 0}}, 16, 8},
        {HALF,
         1,
         WSIM_SWIZZLE_NONE,
         16,
         8,
         {{8, 1, 2}, {8, 2, 1}},
         {{1, 8, 64}, {8, 128, 0}},
         16,
         16},
        {HALF,
         1,
         WSIM_SWIZZLE_32B,
         16,
         32,
         {{8, 2, 2}, {8, 2, 1}},
         {{1, 8, 128}, {16, 256, 0}},
         32,
         16},
        {HALF,
         1,
         WSIM_SWIZZLE_64B,
         32,
         64,
         {{8, 4, 2}, {8, 2, 1}},
         {{1, 8, 256}, {32, 512, 0}},
         64,
         16}};
    const struct example *e = &list[_i];
    struct wsim_op op = every_parse(e->spelling);
    struct wsim_descriptor d = {1024, e->leading * 16, e->stride * 16, 0, e->mode};
    struct wsim_tile tile;
    unsigned row, k;
    ck_assert_int_eq(wsim_wgmma_tile(&op, WSIM_B, e->mn_major, &tile, NULL), WSIM_OK);
    for (row = 0; row < e->rows; row++)
        for (k = 0; k < e->k; k++) {
            uint32_t at =
                1024 + (through(e->size[0], e->step[0], row) + through(e->size[1], e->step[1], k)) *
                           (tile.bits / 8u);
            expect(wsim_descriptor_address(&d, &tile, row, k) == wsim_swizzle_apply(e->mode, at),
                   "example %d, row %u, k %u", _i, row, k);
        }
}
END_TEST

/* Element (r, k) before the XOR, as the manual's table has it. */
static uint32_t plane(const struct wsim_descriptor *d, const struct wsim_tile *tile, unsigned r,
                      unsigned k) {
    unsigned w = wsim_swizzle_span(d->mode), kb = k * tile->bits / 8, mb = r * tile->bits / 8;
    if (!tile->mn_major && d->mode == WSIM_SWIZZLE_NONE)
        return r % 8 * 16 + r / 8 * d->stride + kb % 16 + kb / 16 * d->leading;
    if (!tile->mn_major)
        return r % 8 * w + r / 8 * d->stride + kb % w + kb / w * d->leading;
    if (d->mode == WSIM_SWIZZLE_NONE)
        return mb % 16 + mb / 16 * d->stride + k % 8 * 16 + k / 8 * d->leading;
    return mb % w + mb / w * d->leading + k % 8 * w + k / 8 * d->stride;
}

/* Bits 4 to 6 take bits 7 to 9, as many as the mode has, of the address less the base offset. */
static uint32_t scattered(enum wsim_swizzle mode, unsigned base_offset, uint32_t a) {
    uint32_t line = (a >> 7) - base_offset;
    int bit, bits = mode == WSIM_SWIZZLE_128B  ? 3
                    : mode == WSIM_SWIZZLE_64B ? 2
                                               : mode == WSIM_SWIZZLE_32B;
    for (bit = 0; bit < bits; bit++)
        if (line >> bit & 1)
            a ^= 1u << (4 + bit);
    return a;
}

START_TEST(every_element_of_any_descriptor) {
    struct wsim_op op;
    uint64_t seed = (uint64_t)_i;
    int round, operand, major;
    every_op(every_warp_op_count() + _i, &op);
    if (wsim_op_describe(&op).family != WSIM_WGMMA)
        return;
    for (round = 0; round < 4; round++)
        for (operand = WSIM_A; operand <= WSIM_B; operand++)
            for (major = 0; major < 2; major++) {
                struct wsim_descriptor d = {(uint32_t)every_random(&seed) % 4096 * 16,
                                            (uint32_t)every_random(&seed) % 512 * 16,
                                            (uint32_t)every_random(&seed) % 512 * 16,
                                            (uint8_t)(round < 2 ? 0 : every_random(&seed) % 8),
                                            modes[every_random(&seed) % 4]};
                struct wsim_tile tile;
                unsigned row, k;
                if (wsim_wgmma_tile(&op, (enum wsim_operand)operand, major, &tile, NULL))
                    continue;
                for (row = round & 1; row < tile.rows; row += 2)
                    for (k = 0; k < tile.k; k++)
                        expect(wsim_descriptor_address(&d, &tile, row, k) ==
                                   scattered(d.mode, d.base_offset,
                                             d.start + plane(&d, &tile, row, k)),
                               "row %u, k %u", row, k);
            }
}
END_TEST

/* A tile fits into memory that ends with the last line that it reads, and into none that ends
 * before. */
START_TEST(a_tile_ends_with_its_last_line) {
    struct wsim_op op;
    uint64_t seed = (uint64_t)_i;
    every_op(every_warp_op_count() + _i, &op);
    if (wsim_op_describe(&op).family != WSIM_WGMMA)
        return;
    for (int round = 0; round < 32; round++) {
        const struct wsim_descriptor d = {(uint32_t)every_random(&seed) % 64 * 16,
                                          (uint32_t)every_random(&seed) % 512 * 16,
                                          (uint32_t)every_random(&seed) % 512 * 16,
                                          (uint8_t)(every_random(&seed) % 8), modes[round % 4]};
        const uint64_t first = d.start / 128 * 128;
        struct wsim_memory memory = {0};
        struct wsim_tile tile;
        uint32_t row = 0, k = 0;
        uint64_t end;
        if (wsim_wgmma_tile(&op, round & 8 ? WSIM_A : WSIM_B, round >> 4 & 1, &tile, NULL))
            continue;
        for (unsigned r = 0; r < tile.rows; r++)
            row = plane(&d, &tile, r, 0) > row ? plane(&d, &tile, r, 0) : row;
        for (unsigned i = 0; i < tile.k; i++)
            k = plane(&d, &tile, 0, i) > k ? plane(&d, &tile, 0, i) : k;
        end = ((uint64_t)d.start + row + k) / 128 * 128 + 128;
        memory.size = end;
        expect(descriptor_fits(&d, &tile, &memory, end), "round %d", round);
        expect(!descriptor_fits(&d, &tile, &memory, end - 1), "round %d", round);
        memory.size = end - 1;
        expect(!descriptor_fits(&d, &tile, &memory, end), "round %d", round);
        memory.base = first + 1;
        memory.size = end;
        expect(!descriptor_fits(&d, &tile, &memory, end), "round %d", round);
    }
}
END_TEST

/* Pieces that an H200 read: one-hot A, B of 8 columns without a step, every 16 bytes their number.
 */
START_TEST(base_offsets_as_an_h200_took_them) {
    static const struct {
        struct wsim_descriptor d;
        int mn_major;
        uint32_t first, second, last;
    } seen[] = {{{0x2180, 4096, 8192, 3, WSIM_SWIZZLE_NONE}, 0, 0x2180, 0x2190, 0x31F0},
                {{0x2080, 4096, 8192, 1, WSIM_SWIZZLE_128B}, 0, 0x2080, 0x2110, 0x2460},
                {{0x2380, 4096, 8192, 7, WSIM_SWIZZLE_128B}, 0, 0x2380, 0x2410, 0x2760},
                {{0x2200, 4096, 8192, 4, WSIM_SWIZZLE_128B}, 1, 0x2200, 0x2290, 0x45F0},
                {{0x2180, 4096, 8192, 3, WSIM_SWIZZLE_64B}, 0, 0x2180, 0x21C0, 0x2360},
                {{0x2180, 4096, 8192, 3, WSIM_SWIZZLE_32B}, 0, 0x2180, 0x21A0, 0x2260},
                {{0x21C0, 4096, 8192, 1, WSIM_SWIZZLE_128B}, 0, 0x21E0, 0x2270, 0x2540},
                {{0x21C0, 4096, 8192, 4, WSIM_SWIZZLE_128B}, 0, 0x21B0, 0x2240, 0x2530},
                {{0x21C0, 4096, 8192, 7, WSIM_SWIZZLE_64B}, 0, 0x21C0, 0x2210, 0x2390},
                {{0x21C0, 4096, 8192, 4, WSIM_SWIZZLE_32B}, 0, 0x21D0, 0x21F0, 0x22A0}};
    struct wsim_op op = every_parse("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
    struct wsim_tile tile;
    int i;
    for (i = 0; i < COUNT(seen); i++) {
        int mn = seen[i].mn_major;
        ck_assert_int_eq(wsim_wgmma_tile(&op, WSIM_B, mn, &tile, NULL), WSIM_OK);
        ck_assert_uint_eq(wsim_descriptor_address(&seen[i].d, &tile, 0, 0), seen[i].first);
        ck_assert_uint_eq(wsim_descriptor_address(&seen[i].d, &tile, mn ? 0 : 1, mn ? 1 : 0),
                          seen[i].second);
        ck_assert_uint_eq(wsim_descriptor_address(&seen[i].d, &tile, mn ? 0 : 7, mn ? 15 : 8),
                          seen[i].last);
    }
}
END_TEST

START_TEST(tiles_are_those_of_the_instruction) {
    struct wsim_op sparse = every_parse("wgmma.mma_async.sp.sync.aligned.m64n24k32.f32.f16.f16");
    struct wsim_op ones =
        every_parse("wgmma.mma_async.sync.aligned.m64n256k256.s32.b1.b1.and.popc");
    struct wsim_op warp = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_tile tile = {0};
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_wgmma_tile(&sparse, WSIM_A, 0, &tile, NULL), WSIM_OK);
    ck_assert(tile.rows == 64 && tile.k == 16 && tile.bits == 16 && !tile.mn_major);
    ck_assert_int_eq(wsim_wgmma_tile(&sparse, WSIM_B, 1, &tile, NULL), WSIM_OK);
    ck_assert(tile.rows == 24 && tile.k == 32 && tile.mn_major);
    ck_assert_int_eq(wsim_wgmma_tile(&ones, WSIM_B, 0, &tile, NULL), WSIM_OK);
    ck_assert(tile.rows == 256 && tile.k == 256 && tile.bits == 1);
    ck_assert_int_eq(wsim_wgmma_tile(&ones, WSIM_B, 1, &tile, &diag), WSIM_OPERAND);
    ck_assert_ptr_nonnull(strstr(diag.text, "only elements of 16 bits"));
    ck_assert_int_eq(wsim_wgmma_tile(&ones, WSIM_C, 0, &tile, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_wgmma_tile(&warp, WSIM_A, 0, &tile, &diag), WSIM_ILLEGAL);
}
END_TEST

/* --- fields and bits --- */

START_TEST(fields_go_to_bits_and_back) {
    uint64_t seed = 1;
    int i;
    for (i = 0; i < 1000; i++) {
        uint64_t r = every_random(&seed), q = every_random(&seed), bits = 0, again;
        struct wsim_descriptor d = {(uint32_t)(r & 0x3FFF) * 16, (uint32_t)(r >> 20 & 0x3FFF) * 16,
                                    (uint32_t)(r >> 40 & 0x3FFF) * 16, q & 7, modes[q >> 8 & 3]};
        struct wsim_descriptor back;
        static const uint64_t code[] = {0, 3, 2, 1};
        ck_assert_int_eq(wsim_descriptor_encode(&d, &bits, NULL), WSIM_OK);
        again = d.start / 16 | (uint64_t)d.leading / 16 << 16 | (uint64_t)d.stride / 16 << 32 |
                (q & 7) << 49 | code[q >> 8 & 3] << 62;
        ck_assert_uint_eq(bits, again);
        ck_assert_int_eq(wsim_descriptor_decode(bits, &back, NULL), WSIM_OK);
        expect(back.start == d.start && back.leading == d.leading && back.stride == d.stride &&
                   back.base_offset == d.base_offset && back.mode == d.mode,
               "%016llx", (unsigned long long)bits);
    }
}
END_TEST

START_TEST(what_does_not_fit_is_refused) {
    const struct {
        struct wsim_descriptor d;
        enum wsim_status status;
        const char *words;
    } list[] = {{{8, 0, 0, 0, WSIM_SWIZZLE_NONE}, WSIM_ALIGN, "start address 0x8"},
                {{0, 24, 0, 0, WSIM_SWIZZLE_NONE}, WSIM_ALIGN, "leading offset 0x18"},
                {{0, 0, 1, 0, WSIM_SWIZZLE_NONE}, WSIM_ALIGN, "stride offset 0x1"},
                {{0x40000, 0, 0, 0, WSIM_SWIZZLE_NONE}, WSIM_OPERAND, "at most 0x3fff0"},
                {{0, 0x40000, 0, 0, WSIM_SWIZZLE_NONE}, WSIM_OPERAND, "leading offset 0x40000"},
                {{0, 0, 0, 8, WSIM_SWIZZLE_NONE}, WSIM_OPERAND, "base offset 8"},
                {{0, 0, 0, 0, WSIM_SWIZZLE_128B_ATOM_64B}, WSIM_OPERAND, "128B_ATOM_64B"},
                {{0, 0, 0, 0, WSIM_SWIZZLES}, WSIM_OPERAND, "of that number"}};
    struct wsim_descriptor back;
    struct wsim_diag diag;
    int i, bit;
    for (i = 0; i < COUNT(list); i++) {
        uint64_t bits = 42;
        ck_assert_int_eq(wsim_descriptor_encode(&list[i].d, &bits, &diag), list[i].status);
        ck_assert_uint_eq(bits, 42);
        expect(strstr(diag.text, list[i].words) != NULL, "%s: %s", list[i].words, diag.text);
    }
    for (bit = 0; bit < 64; bit++) {
        int means = bit % 16 < 14 && bit < 46;
        means |= (bit >= 49 && bit <= 51) || bit >= 62;
        ck_assert_int_eq(wsim_descriptor_decode(UINT64_C(1) << bit, &back, NULL),
                         means ? WSIM_OK : WSIM_OPERAND);
    }
}
END_TEST

/* --- advice --- */

/* The sentences about a descriptor, one after another. */
static void advise(const char *spelling, enum wsim_operand operand, int mn_major,
                   const struct wsim_descriptor *d, char text[2048]) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_tile tile;
    struct wsim_diag advice;
    uint32_t cursor = 0;
    ck_assert_int_eq(wsim_wgmma_tile(&op, operand, mn_major, &tile, NULL), WSIM_OK);
    text[0] = '\0';
    while (wsim_descriptor_advice(d, &tile, wsim_arch_find("sm_90a"), &cursor, &advice)) {
        ck_assert_uint_lt(strlen(text) + strlen(advice.text) + 2, 2048);
        strcat(strcat(text, advice.text), "\n");
    }
}

#define N8 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
#define N128 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"
#define SPARSE "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16"
#define BYTES "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8"

/* As CUTLASS, ThunderKittens and DeepGEMM write them, advancing along k. */
START_TEST(what_kernels_do_is_no_news) {
    static const struct {
        const char *spelling;
        enum wsim_operand operand;
        int mn_major;
        struct wsim_descriptor d;
    } list[] = {
        {HALF, WSIM_A, 0, {1024, 0, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_A, 0, {1056, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_B, 0, {1088, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_B, 0, {1120, 0, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_A, 0, {1056, 16, 512, 0, WSIM_SWIZZLE_64B}},
        {HALF, WSIM_A, 0, {1280, 16, 256, 0, WSIM_SWIZZLE_32B}},
        {HALF, WSIM_A, 0, {0, 128, 256, 0, WSIM_SWIZZLE_NONE}},
        {HALF, WSIM_A, 0, {1024, 128, 2048, 0, WSIM_SWIZZLE_NONE}},
        {HALF, WSIM_A, 1, {0, 1024, 128, 0, WSIM_SWIZZLE_NONE}},
        {HALF, WSIM_A, 1, {0, 0, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_A, 1, {2048, 8192, 1024, 0, WSIM_SWIZZLE_128B}},
        {N128, WSIM_B, 1, {2048, 8192, 1024, 0, WSIM_SWIZZLE_128B}},
        {N8, WSIM_B, 0, {1024, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {SPARSE, WSIM_B, 0, {1088, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {SPARSE, WSIM_A, 0, {1056, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {BYTES, WSIM_B, 0, {1120, 16, 1024, 0, WSIM_SWIZZLE_128B}},
        {HALF, WSIM_A, 0, {1152, 16, 1024, 1, WSIM_SWIZZLE_128B}}, /* a pattern of its own */
        {HALF, WSIM_B, 0, {0x38000 - 0x1000, 0, 1024, 0, WSIM_SWIZZLE_128B}}};
    char text[2048];
    advise(list[_i].spelling, list[_i].operand, list[_i].mn_major, &list[_i].d, text);
    expect(!*text, "%d: %s", _i, text);
}
END_TEST

START_TEST(what_is_hardly_meant_is_told) {
    static const struct {
        const char *spelling;
        int mn_major;
        struct wsim_descriptor d;
        const char *words;
    } list[] = {
        {HALF, 0, {1024, 0, 0, 0, WSIM_SWIZZLE_128B}, "stride offset is 0x0, and 64 rows take 7"},
        {HALF,
         0,
         {1024, 16, 128, 0, WSIM_SWIZZLE_NONE},
         "leading offset is 0x10, and 16 k take 1 "},
        {N128, 1, {1024, 0, 1024, 0, WSIM_SWIZZLE_128B}, "one for every 64 rows: they overlap"},
        {HALF, 0, {1024, 0, 16384, 0, WSIM_SWIZZLE_128B}, "0x4000 is 16 times the 0x400 that"},
        {HALF, 0, {1024, 0, 4096, 0, WSIM_SWIZZLE_32B}, "0x1000 is 16 times the 0x100 that"},
        {HALF, 0, {1024, 512, 1024, 0, WSIM_SWIZZLE_128B}, "leading offset 0x200 is ignored in"},
        {N8, 0, {1024, 0, 1040, 0, WSIM_SWIZZLE_128B}, "stride offset 0x410 is ignored in"},
        {HALF, 0, {1152, 0, 1024, 0, WSIM_SWIZZLE_128B}, "repeat, 1024 bytes of 128B: it is row 1"},
        {HALF,
         0,
         {1088, 0, 512, 0, WSIM_SWIZZLE_64B},
         "row 1 of the pattern, which no base offset"},
        {HALF, 0, {1280, 0, 512, 0, WSIM_SWIZZLE_64B}, "begins here needs base offset 2"},
        {HALF, 0, {1152, 0, 1024, 3, WSIM_SWIZZLE_128B}, "is row 6 of the swizzle's pattern"},
        {HALF, 0, {1024, 128, 256, 3, WSIM_SWIZZLE_NONE}, "base offset 3 is ignored"},
        {HALF, 0, {1040, 0, 1024, 0, WSIM_SWIZZLE_128B}, "is byte 16 of a line: k advances by"},
        {HALF, 0, {1136, 0, 1024, 0, WSIM_SWIZZLE_128B}, "byte 112 of a line of 128, and 32 bytes"},
        {N128, 1, {1056, 4096, 1024, 0, WSIM_SWIZZLE_128B}, "the last 32 are in the next line"},
        {HALF, 0, {0, 0, 512, 0, WSIM_SWIZZLE_128B}, "another element"},
        {HALF, 0, {0, 64, 256, 0, WSIM_SWIZZLE_NONE}, "another element"},
        {HALF, 0, {0x38000, 0, 1024, 0, WSIM_SWIZZLE_128B}, "row 32, k 0 is at 0x39000"},
        {HALF, 0, {0x3A000, 0, 1024, 0, WSIM_SWIZZLE_128B}, "with start 0x3a00 it would fit"},
        {N128, 0, {1024, 0, 0x8000, 0, WSIM_SWIZZLE_128B}, "with stride offset 0x800 it would"}};
    char text[2048];
    advise(list[_i].spelling, WSIM_B, list[_i].mn_major, &list[_i].d, text);
    expect(strstr(text, list[_i].words) != NULL, "%s: %s", list[_i].words, text);
    expect(strchr(text, '\n') == text + strlen(text) - 1, "one sentence: %s", text);
}
END_TEST

/* Any 64 bits have advice that ends, in whole sentences. */
/* The end is that of the architecture; without one no end is known. */
START_TEST(shared_memory_ends_where_the_architecture_says) {
    const struct wsim_descriptor d = {0x28800, 0, 1024, 0, WSIM_SWIZZLE_128B};
    struct wsim_op op = every_parse(HALF);
    struct wsim_tile tile;
    struct wsim_diag advice;
    uint32_t cursor = 0;
    ck_assert_int_eq(wsim_wgmma_tile(&op, WSIM_A, 0, &tile, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_descriptor_advice(&d, &tile, wsim_arch_find("sm_90a"), &cursor, &advice),
                     0);
    cursor = 0;
    ck_assert_int_eq(wsim_descriptor_advice(&d, &tile, NULL, &cursor, &advice), 0);
    cursor = 0;
    ck_assert_int_eq(wsim_descriptor_advice(&d, &tile, wsim_arch_find("sm_80"), &cursor, &advice),
                     1);
    ck_assert_ptr_nonnull(strstr(advice.text, "row 16, k 0 is at 0x29000: shared memory ends at "
                                              "0x29000 (164 KiB)"));
}
END_TEST

START_TEST(any_bits_are_advised) {
    struct wsim_op op;
    uint64_t seed = (uint64_t)_i;
    int round, operand;
    every_op(every_warp_op_count() + _i, &op);
    for (round = 0; round < 8 && wsim_op_describe(&op).family == WSIM_WGMMA; round++)
        for (operand = WSIM_A; operand <= WSIM_B; operand++) {
            struct wsim_descriptor d;
            struct wsim_tile tile;
            struct wsim_diag advice;
            uint32_t cursor = 0;
            int told = 0;
            if (wsim_wgmma_tile(&op, (enum wsim_operand)operand, round & 1, &tile, NULL))
                continue;
            wsim_descriptor_decode(every_random(&seed), &d, &advice);
            for (; wsim_descriptor_advice(&d, &tile, wsim_arch_find("sm_90a"), &cursor, &advice);
                 told++)
                expect(strlen(advice.text) > 20 && strlen(advice.text) < WSIM_DIAG_TEXT - 1, "%s",
                       advice.text);
            expect(told <= 9, "%d sentences", told);
        }
}
END_TEST

/* An empty tile has no advice; dividing by its bits raised a signal once. */
START_TEST(a_tile_of_nothing_has_no_advice) {
    const struct wsim_descriptor d = {.start = 16, .leading = 16, .stride = 16};
    const struct wsim_tile tiles[] = {
        {.rows = 0}, {.rows = 8, .bits = 16}, {.k = 8, .bits = 16}, {.rows = 8, .k = 8}};
    struct wsim_diag advice;
    for (unsigned i = 0; i < COUNT(tiles); i++)
        for (uint32_t cursor = 0; cursor < 3; cursor++)
            ck_assert_int_eq(wsim_descriptor_advice(&d, &tiles[i], wsim_arch_find("sm_90a"),
                                                    &(uint32_t){cursor}, &advice),
                             0);
}
END_TEST

START_TEST(bytes_in_a_field_are_told) {
    static const struct {
        uint64_t bits;
        const char *words;
    } list[] = {
        {0x4400, "start address 0x4400 written in bytes? It is stored in units of 16, 0x440"},
        {UINT64_C(0x80000000), "the leading offset 0x8000 written in bytes?"},
        {UINT64_C(0x0001000000000040), "the stride offset 0x10000 written in bytes?"},
        {UINT64_C(0x0010000000000000), "bits 0010000000000000 of the descriptor are unused"}};
    struct wsim_descriptor d;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_descriptor_decode(list[_i].bits, &d, &diag), WSIM_OPERAND);
    expect(strstr(diag.text, list[_i].words) != NULL, "%s: %s", list[_i].words, diag.text);
    expect((strchr(diag.text, '?') != NULL) == (_i < 3), "%s", diag.text);
}
END_TEST

/* --- against the copy that filled the tile --- */

static enum wsim_status compared(enum wsim_swizzle swizzle, uint32_t at, uint32_t width,
                                 const struct wsim_descriptor *d, int mn_major,
                                 struct wsim_descriptor_match *match, struct wsim_diag *diag) {
    const struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_BFLOAT16,
                                       .rank = 2,
                                       .dims = {64, 64},
                                       .strides = {128},
                                       .estrides = {1, 1},
                                       .box = {width, 64},
                                       .swizzle = swizzle};
    const struct wsim_op op = every_parse(HALF);
    const struct wsim_op load =
        every_parse("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes");
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_tensor_map map;
    struct wsim_tile tile;
    const struct wsim_bulk bulk = {.map = &map, .shared_at = at};
    ck_assert_int_eq(wsim_tensor_encode(&tensor, arch, &map, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_wgmma_tile(&op, WSIM_B, mn_major, &tile, NULL), WSIM_OK);
    return wsim_descriptor_compare(d, &tile, &load, arch, &bulk, match, diag);
}

static const struct {
    enum wsim_swizzle swizzle;
    uint32_t at, width;
    struct wsim_descriptor d;
    struct wsim_descriptor_match want;
    const char *because; /* "": all elements are where they are read */
} against[] = {
    {WSIM_SWIZZLE_128B,
     1024,
     64,
     {1024, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 1024, 0, 0, 0, 0, 0},
     ""},
    {WSIM_SWIZZLE_128B,
     1024,
     64,
     {1024 + 32, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 1024, 0, 0, 0, 0, 0},
     ""},
    {WSIM_SWIZZLE_128B,
     1024,
     64,
     {1024 + 96 + 8192 - 1024, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 128, 0, 0, 0, 0, 0},
     ""},
    {WSIM_SWIZZLE_64B,
     1024,
     32,
     {1024, 16, 512, 0, WSIM_SWIZZLE_64B},
     {1024, 1024, 0, 0, 0, 0, 0},
     ""},
    {WSIM_SWIZZLE_64B,
     1024,
     32,
     {1024, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 17, 1, 1, 0, 1024 + 64, 1024 + 144},
     "the map swizzles 64B, the descriptor 128B"},
    {WSIM_SWIZZLE_128B,
     1024,
     64,
     {1024, 16, 512, 0, WSIM_SWIZZLE_128B},
     {1024, 129, 1, 8, 0, 2048, 1024 + 512 + 64},
     "the stride offset is 0x200"},
    {WSIM_SWIZZLE_128B,
     1024 + 128 * 8,
     64,
     {1024 + 128 * 9, 16, 1024, 1, WSIM_SWIZZLE_128B},
     {1024, 1, 1, 0, 0, 0x890, 0x880},
     "base offset 0"},
    {WSIM_SWIZZLE_NONE,
     1024,
     16,
     {1024, 128, 256, 0, WSIM_SWIZZLE_NONE},
     {1024, 9, 1, 0, 8, 1040, 1152},
     "rows of the box are 32 bytes, lines of the descriptor 16"},
    {WSIM_SWIZZLE_128B,
     2048,
     64,
     {1024, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 0, 1, 0, 0, 0, 0},
     "start 0x400 is outside the tile of the copy, [0x800, 0x2800)"},
    {WSIM_SWIZZLE_128B,
     2048,
     64,
     {10240, 16, 1024, 0, WSIM_SWIZZLE_128B},
     {1024, 0, 1, 0, 0, 0, 0},
     "outside"},
};

START_TEST(a_copy_fills_what_a_descriptor_reads) {
    struct wsim_descriptor_match got, want = against[_i].want;
    struct wsim_diag diag = {.text = ""};
    ck_assert_int_eq(compared(against[_i].swizzle, against[_i].at, against[_i].width,
                              &against[_i].d, 0, &got, &diag),
                     WSIM_OK);
    expect(got.elements == want.elements && got.inside == want.inside &&
               got.differs == want.differs && got.row == want.row && got.k == want.k &&
               got.copied == want.copied && got.read == want.read,
           "%d: %u of %u, differs %u: (%u, %u) at 0x%x, read at 0x%x", _i, got.inside, got.elements,
           got.differs, got.row, got.k, got.copied, got.read);
    expect(strstr(diag.text, against[_i].because) && !*diag.text == !want.differs, "%d: %s", _i,
           diag.text);
    if (want.differs)
        ck_assert_str_eq(diag.rule, "advice.copy.elsewhere");
    ck_assert_int_eq(diag.status, WSIM_OK);
}
END_TEST

/* An MN-major tile has rows of B along the rows of the box; an error leaves the answer alone. */
START_TEST(a_copy_of_an_mn_major_tile) {
    const struct wsim_descriptor d = {1024, 8192, 1024, 0, WSIM_SWIZZLE_128B};
    struct wsim_descriptor_match got, before;
    struct wsim_diag diag;
    ck_assert_int_eq(compared(WSIM_SWIZZLE_128B, 1024, 64, &d, 1, &got, NULL), WSIM_OK);
    ck_assert(got.inside == 1024 && !got.differs);
    memset(&got, 0x5A, sizeof got);
    before = got;
    ck_assert_int_eq(compared(WSIM_SWIZZLE_128B, 1024 + 16, 64, &d, 1, &got, &diag), WSIM_ALIGN);
    ck_assert_mem_eq(&got, &before, sizeof got);
}
END_TEST

int main(void) {
    int group = every_op_count() - every_warp_op_count();
    const struct every_test tests[] = {{a_swizzle_moves_pieces_inside_a_line, 0, 1},
                                       {the_examples_of_the_manual, 0, 5},
                                       {every_element_of_any_descriptor, 0, group},
                                       {a_tile_ends_with_its_last_line, 0, group},
                                       {tiles_are_those_of_the_instruction, 0, 1},
                                       {fields_go_to_bits_and_back, 0, 1},
                                       {what_does_not_fit_is_refused, 0, 1},
                                       {what_is_hardly_meant_is_told, 0, 20},
                                       {what_kernels_do_is_no_news, 0, 18},
                                       {bytes_in_a_field_are_told, 0, 4},
                                       {any_bits_are_advised, 0, group},
                                       {shared_memory_ends_where_the_architecture_says, 0, 1},
                                       {a_tile_of_nothing_has_no_advice, 0, 1},
                                       {base_offsets_as_an_h200_took_them, 0, 1},
                                       {a_copy_fills_what_a_descriptor_reads, 0, COUNT(against)},
                                       {a_copy_of_an_mn_major_tile, 0, 1}};
    return every_run("unit/exec/descriptor", tests, COUNT(tests));
}
