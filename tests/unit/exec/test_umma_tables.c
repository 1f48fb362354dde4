/* test_umma_tables.c - descriptors of tcgen05, and places in tensor memory, are those that CUTLASS
 * computes (tests/data/tcgen05_*.tsv): every row, both ways. */
#include "../../every.h"

#include <wsim/wsim.h>

enum { MOST_LINE = 8192, MOST_FIELDS = 64 };

/* Calls `check` with the fields of each line of a table; comments begin with #. */
static void lines(const char *name, void (*check)(char *const *field, int fields)) {
    static char line[MOST_LINE];
    char path[512], *field[MOST_FIELDS];
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/data/%s", WSIM_SOURCE_DIR, name);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof line, file)) {
        int n = 0;
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = 0;
        for (char *at = line; at && n < MOST_FIELDS; n++) {
            field[n] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = 0;
        }
        check(field, n);
    }
    fclose(file);
}

/* --- loads and stores --- */

static unsigned rows;

static struct wsim_scalar move(const char *name, const char *shape, const char *number,
                               const char *half) {
    char text[96];
    struct wsim_scalar op;
    struct wsim_diag diag = {0};
    snprintf(text, sizeof text, "tcgen05.%s.sync.aligned.%s.x%s%s.b32", name, shape, number, half);
    ck_assert_msg(wsim_scalar_parse(text, &op, &diag) == WSIM_OK, "%s", diag.text);
    return op;
}

static void expect_bit(const struct wsim_scalar *op, unsigned thread, unsigned reg, unsigned bit,
                       unsigned split, unsigned lane, unsigned column, unsigned at) {
    struct wsim_umma_place place;
    ck_assert_int_eq(wsim_tensor_place_at(op, thread, reg, bit, split, &place), 1);
    expect(place.lane == lane && place.column == column && place.bit == at,
           "thread %u, register %u, bit %u: lane %u, column %u, bit %u, must be %u, %u, %u", thread,
           reg, bit, place.lane, place.column, place.bit, lane, column, at);
    ck_assert_uint_gt(wsim_tensor_columns(op), column - (thread < 16 ? 0 : split));
}

static void check_move(char *const *field, int fields) {
    int packs = strcmp(field[2], "-") != 0;
    const struct wsim_scalar ops[] = {move("ld", field[0], field[1], packs ? ".pack::16b" : ""),
                                      move("st", field[0], field[1], packs ? ".unpack::16b" : "")};
    unsigned thread = (unsigned)atoi(field[3]), split = 0;
    if (strcmp(field[0], "16x32bx2") == 0) /* the halves are neighbours */
        split = (unsigned)atoi(field[1]) << packs;
    for (int i = 4; i < fields; i++) {
        unsigned low, high, reg, step, lane, column, along, bit, count;
        ck_assert_int_eq(sscanf(field[i], "%u-%u:%u+%u %u %u+%u %u %u", &low, &high, &reg, &step,
                                &lane, &column, &along, &bit, &count),
                         9);
        for (unsigned n = 0; n < count; n++, rows++)
            for (unsigned op = 0; op < (n ? 1u : 2u); op++) { /* a store is as its load */
                unsigned r = reg + n * step, c = column + n * along;
                expect_bit(&ops[op], thread, r, low, split, lane, c, bit);
                expect_bit(&ops[op], thread, r, high, split, lane, c, bit + high - low);
            }
    }
}

START_TEST(moves) {
    rows = 0;
    lines("tcgen05_moves.tsv", check_move);
    ck_assert_uint_eq(rows, 122016);
}
END_TEST

/* The split moves the upper half of the threads. */
START_TEST(split) {
    struct wsim_scalar op = move("ld", "16x32bx2", "4", "");
    struct wsim_umma_place place;
    ck_assert_int_eq(wsim_tensor_place_at(&op, 19, 2, 5, 8, &place), 1);
    expect(place.lane == 3 && place.column == 10 && place.bit == 5, "lane %u, column %u",
           place.lane, place.column);
    ck_assert_int_eq(wsim_tensor_place_at(&op, 0, 4, 0, 8, &place), 0);
    ck_assert_int_eq(wsim_tensor_place_at(&op, 32, 0, 0, 8, &place), 0);
    ck_assert_int_eq(wsim_scalar_parse("add.u32", &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_tensor_place_at(&op, 0, 0, 0, 0, &place), 0);
    ck_assert_uint_eq(wsim_tensor_columns(&op), 0);
}
END_TEST

/* Lanes of the first and the last row of each shape of tcgen05.cp, and how often a row is there. */
START_TEST(copies) {
    static const struct {
        const char *shape;
        unsigned rows, words, copies, row, lane[4];
    } all[] = {{"128x256b", 128, 8, 1, 127, {127}},
               {"4x256b", 4, 8, 1, 3, {96}},
               {"128x128b", 128, 4, 1, 70, {70}},
               {"64x128b.warpx2::02_13", 64, 4, 2, 40, {40, 104}},
               {"64x128b.warpx2::01_23", 64, 4, 2, 40, {72, 104}},
               {"64x128b.warpx2::01_23", 64, 4, 2, 31, {31, 63}},
               {"32x128b.warpx4", 32, 4, 4, 5, {5, 37, 69, 101}}};
    struct wsim_umma_place place;
    struct wsim_scalar op;
    for (int i = 0; i < COUNT(all); i++) {
        char name[80];
        snprintf(name, sizeof name, "tcgen05.cp.cta_group::2.%s", all[i].shape);
        ck_assert_int_eq(wsim_scalar_parse(name, &op, NULL), WSIM_OK);
        for (unsigned copy = 0; copy < all[i].copies; copy++) {
            ck_assert_int_eq(wsim_tensor_copied_at(&op, all[i].row, 3, copy, &place), 1);
            expect(place.lane == all[i].lane[copy] && place.column == 3 && place.bits == 32,
                   "%s: row %u is in lane %u, column %u", name, all[i].row, place.lane,
                   place.column);
        }
        ck_assert_int_eq(wsim_tensor_copied_at(&op, all[i].rows - 1, all[i].words - 1,
                                               all[i].copies - 1, &place),
                         1);
        ck_assert_int_eq(wsim_tensor_copied_at(&op, all[i].rows, 0, 0, &place), 0);
        ck_assert_int_eq(wsim_tensor_copied_at(&op, 0, all[i].words, 0, &place), 0);
        ck_assert_int_eq(wsim_tensor_copied_at(&op, 0, 0, all[i].copies, &place), 0);
    }
    ck_assert_int_eq(wsim_scalar_parse("tcgen05.cp.cta_group::1.4x256b.b8x16.b6x16_p32", &op, NULL),
                     WSIM_OK);
    ck_assert_int_eq(wsim_tensor_copied_at(&op, 0, 0, 0, &place), 0);
    op = move("ld", "32x32b", "1", "");
    ck_assert_int_eq(wsim_tensor_copied_at(&op, 0, 0, 0, &place), 0);
}
END_TEST

/* --- operands of products --- */

/* A box of a table: a rectangle of elements. */
struct box {
    unsigned row, rows, col, cols, lane, bit, step;
};

static struct box box_of(char *const *field) {
    struct box box;
    unsigned *to[] = {&box.row, &box.rows, &box.col, &box.cols, &box.lane, &box.bit, &box.step};
    for (int i = 0; i < COUNT(to); i++)
        *to[i] = (unsigned)atoi(field[7 + i]);
    return box;
}

static const struct wsim_format *format(const char *name) {
    return wsim_format_find(name);
}

static void prepare(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                    struct wsim_code *code) {
    struct wsim_diag diag = {0};
    uint32_t idesc = 0;
    ck_assert_msg(wsim_umma_encode(umma, shape, &idesc, &diag) == WSIM_OK, "%s", diag.text);
    ck_assert_msg(wsim_umma_prepare(umma, idesc, wsim_arch_find("sm_100a"), 0, code, &diag) ==
                      WSIM_OK,
                  "%s", diag.text);
}

/* Elements of a block of a pair are `block` times `stride` rows further. */
static void expect_box(const struct wsim_code *code, enum wsim_operand operand,
                       const struct box *box, unsigned copy, unsigned block, unsigned stride) {
    for (unsigned i = 0; i < box->rows; i++)
        for (unsigned j = 0; j < box->cols; j++, rows++) {
            struct wsim_umma_place place;
            unsigned row = box->row + i, col = box->col + j, bit = box->bit + j * box->step;
            int is_sfb = operand == WSIM_SFB;
            ck_assert_int_eq(wsim_umma_place_at(code, operand, is_sfb ? col : row + block * stride,
                                                is_sfb ? row : col, copy, &place),
                             1);
            expect(place.lane == box->lane + i && 32u * place.column + place.bit == bit &&
                       place.block == block,
                   "operand %d, row %u, column %u, copy %u: block %u, lane %u, bit %u, must be "
                   "%u, %u, %u",
                   (int)operand, row, col, copy, place.block, place.lane,
                   32u * place.column + place.bit, block, box->lane + i, bit);
        }
}

static void check_d(char *const *field) {
    struct wsim_umma umma = {.kind = WSIM_UMMA_F16,
                             .blocks = (uint8_t)atoi(field[3]),
                             .stationary = strcmp(field[4], "ws") == 0};
    struct wsim_umma_shape shape = {format("f16"), format("f16"), format("f32"),
                                    .m = (uint16_t)atoi(field[2]), .n = (uint16_t)atoi(field[6])};
    struct box box = box_of(field);
    struct wsim_code code;
    uint32_t idesc;
    if (strcmp(field[4], "cute-only") == 0) { /* the ISA has no pair with M = 64 */
        ck_assert_int_eq(wsim_umma_encode(&umma, &shape, &idesc, NULL), WSIM_OPERAND);
        rows += box.rows * box.cols;
        return;
    }
    prepare(&umma, &shape, &code);
    for (unsigned block = umma.blocks; block-- > 0;) {
        unsigned before = rows;
        expect_box(&code, WSIM_D, &box, 0, block, (unsigned)atoi(field[5]));
        rows = block ? before : rows;
    }
}

static void check_a(char *const *field) {
    const char *type = field[1];
    struct wsim_umma umma = {.kind = (uint8_t)(strcmp(type, "f16") == 0    ? WSIM_UMMA_F16
                                               : strcmp(type, "tf32") == 0 ? WSIM_UMMA_TF32
                                                                           : WSIM_UMMA_F8F6F4),
                             .blocks = (uint8_t)atoi(field[3])};
    struct wsim_umma_shape shape = {format(type), format(type), format("f32"),
                                    .m = (uint16_t)atoi(field[2]), .n = 64};
    struct box box = box_of(field), copy = box;
    struct wsim_code code;
    prepare(&umma, &shape, &code);
    expect_box(&code, WSIM_A, &box, 0, 0, 0);
    if (*field[4] == 'd') { /* duplicated: lanes 64 to 127 have the same rows */
        unsigned before = rows;
        copy.lane += 64;
        expect_box(&code, WSIM_A, &copy, 1, 0, 0);
        rows = before;
    }
}

/* The factors of a row say the kind: 4 of mxf4nvf4, 2 of mxf4, 1 of mxf8f6f4. */
static void check_factors(char *const *field, enum wsim_operand operand) {
    struct box box = box_of(field);
    struct wsim_umma umma = {.kind = (uint8_t)(box.cols == 4   ? WSIM_UMMA_MXF4NVF4
                                               : box.cols == 2 ? WSIM_UMMA_MXF4
                                                               : WSIM_UMMA_MXF8F6F4),
                             .blocks = (uint8_t)atoi(field[3]),
                             .factors = (uint8_t)box.cols};
    struct wsim_umma_shape shape = {.d = format("f32"), .m = 128, .n = 64};
    struct wsim_code code;
    shape.a = shape.b = format(box.cols == 1 ? "e4m3" : "e2m1");
    shape.factor = format(box.cols == 4 ? "ue4m3" : "ue8m0");
    if (operand == WSIM_SFB)
        shape.n = (uint16_t)atoi(field[2]);
    prepare(&umma, &shape, &code);
    expect_box(&code, operand, &box, (unsigned)atoi(field[5]), 0, 0);
}

static void check_layout(char *const *field, int fields) {
    ck_assert_int_eq(fields, 14);
    if (strcmp(field[0], "D") == 0)
        check_d(field);
    else if (strcmp(field[0], "A") == 0)
        check_a(field);
    else
        check_factors(field, field[0][2] == 'A' ? WSIM_SFA : WSIM_SFB);
}

START_TEST(layouts) {
    rows = 0;
    lines("tcgen05_layouts.tsv", check_layout);
    ck_assert_uint_eq(rows, 52224 + 22784);
}
END_TEST

/* --- instruction descriptors --- */

static const char *text_of(const char *fields, const char *name, char *to, size_t size) {
    char key[16];
    const char *at;
    snprintf(key, sizeof key, "%s=", name);
    for (at = strstr(fields, key); at && at != fields && at[-1] != ' '; at = strstr(at + 1, key))
        continue;
    snprintf(to, size, "%.*s", at ? (int)strcspn(at + strlen(key), " ") : 0,
             at ? at + strlen(key) : "");
    return to;
}

static unsigned number_of(const char *fields, const char *name) {
    char text[16];
    return (unsigned)atoi(text_of(fields, name, text, sizeof text));
}

static const struct wsim_format *format_of(const char *fields, const char *name) {
    char text[16];
    return format(text_of(fields, name, text, sizeof text));
}

/* The word of the fields, whatever the ISA says of their values. */
static uint32_t join(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                     const char *fields) {
    static const char *const keys[] = {"sel", "sparse", "sat",    NULL,       "sfb_id", NULL,
                                       NULL,  "negA",   "negB",   "tA",       "tB",     "N",
                                       NULL,  "M",      "sfa_id", "maxshift", "k96"};
    static const char *const names[] = {"the selector of metadata",
                                        "the sparsity bit",
                                        "the saturation bit",
                                        "the type of D",
                                        "the id of scale factors of B",
                                        "the type of A",
                                        "the type of B",
                                        "the sign of A",
                                        "the sign of B",
                                        "the transpose bit of A",
                                        "the transpose bit of B",
                                        "N / 8",
                                        "the type of scale factors",
                                        "M / 16",
                                        "the id of scale factors of A",
                                        "the maximum shift of columns",
                                        "the bit of K = 96"};
    struct wsim_umma_shape types = {
        .a = shape->a, .b = shape->b, .d = shape->d, .factor = shape->factor};
    struct wsim_umma plain = *umma;
    struct wsim_umma_field field;
    uint32_t cursor = 0, word = 0, legal = 0;
    /* the codes of the types come from a descriptor of an ordinary shape */
    types.m = 128;
    types.n = 128;
    plain.sparse = plain.stationary = 0;
    plain.blocks = 1;
    ck_assert_int_eq(wsim_umma_encode(&plain, &types, &legal, NULL), WSIM_OK);
    while (wsim_umma_field_next(umma, &cursor, &field)) {
        int i = 0;
        unsigned value;
        while (strcmp(names[i], field.name) != 0)
            i++;
        value =
            keys[i] ? number_of(fields, keys[i]) : legal >> field.first & ((1u << field.bits) - 1);
        if (keys[i] && (strcmp(keys[i], "N") == 0 || strcmp(keys[i], "M") == 0))
            value /= *keys[i] == 'N' ? 8 : 16;
        word |= value << field.first;
    }
    return word;
}

static unsigned legal_words;

static void check_instruction(char *const *field, int fields) {
    const char *text = field[1];
    uint32_t word = (uint32_t)strtoul(field[2], NULL, 16), made = 0;
    struct wsim_umma umma = {.blocks = number_of(text, "M") == 256 ? 2 : 1,
                             .sparse = (uint8_t)number_of(text, "sparse")};
    struct wsim_umma_shape shape = {
        .a = format_of(text, "A"),
        .b = format_of(text, "B"),
        .d = strstr(text, "D=") ? format_of(text, "D") : format("f32"),
        .factor = format_of(text, "SF"),
        .m = (uint16_t)number_of(text, "M"),
        .n = (uint16_t)number_of(text, "N"),
        .k = number_of(text, "k96") ? 96 : 0,
        .saturate = (uint8_t)number_of(text, "sat"),
        .selector = (uint8_t)number_of(text, "sel"),
        .trans = {(uint8_t)number_of(text, "tA"), (uint8_t)number_of(text, "tB")},
        .negate = {(uint8_t)number_of(text, "negA"), (uint8_t)number_of(text, "negB")},
        .factor_id = {(uint8_t)number_of(text, "sfa_id"), (uint8_t)number_of(text, "sfb_id")}};
    struct wsim_umma_shape back;
    ck_assert_int_eq(fields, 3);
    while (strcmp(wsim_umma_kind_name((enum wsim_umma_kind)umma.kind), field[0]) != 0)
        umma.kind++;
    if (shape.factor)
        umma.factors = umma.kind == WSIM_UMMA_MXF8F6F4 ? 1 : umma.kind == WSIM_UMMA_MXF4 ? 2 : 4;
    shape.most_shift =
        (uint8_t)(number_of(text, "maxshift") ? 4 << number_of(text, "maxshift") : 0);
    umma.stationary = shape.most_shift || shape.m == 32;
    if (umma.stationary)
        umma.blocks = 1;
    ck_assert_msg(join(&umma, &shape, text) == word, "%s: %08x, must be %s", text,
                  (unsigned)join(&umma, &shape, text), field[2]);
    rows++;
    if (wsim_umma_encode(&umma, &shape, &made, NULL) != WSIM_OK) {
        ck_assert_int_eq(wsim_umma_decode(&umma, word, &back, NULL), WSIM_OPERAND);
        return;
    }
    legal_words++;
    ck_assert_msg(made == word, "%s: %08x, must be %s", text, (unsigned)made, field[2]);
    ck_assert_int_eq(wsim_umma_decode(&umma, word, &back, NULL), WSIM_OK);
    shape.k = back.k;
    expect(shape.a == back.a && shape.b == back.b && shape.d == back.d &&
               shape.factor == back.factor && shape.m == back.m && shape.n == back.n &&
               shape.saturate == back.saturate && shape.selector == back.selector &&
               shape.most_shift == back.most_shift && !memcmp(shape.trans, back.trans, 2) &&
               !memcmp(shape.negate, back.negate, 2) && !memcmp(shape.factor_id, back.factor_id, 2),
           "%s comes back as something else", text);
}

START_TEST(instructions) {
    rows = legal_words = 0;
    lines("tcgen05_instructions.tsv", check_instruction);
    ck_assert_uint_eq(rows, 774);
    ck_assert_uint_gt(legal_words, 400);
}
END_TEST

/* --- matrix descriptors --- */

static void check_matrix(char *const *field, int fields) {
    char name[32];
    struct wsim_descriptor d = {0}, back;
    uint64_t word = strtoull(field[11], NULL, 16), made = 0;
    ck_assert_int_eq(fields, 12);
    snprintf(name, sizeof name, "%s",
             strcmp(field[0], "128B_32B") == 0 ? "128B_ATOM_32B" : field[0]);
    for (char *c = name; *c; c++)
        if (strcmp(field[0], "none") == 0)
            *c = (char)(*c - 'a' + 'A');
    d.mode = wsim_swizzle_find(name);
    d.start = (uint32_t)(strtoul(field[6], NULL, 16) + strtoul(field[7], NULL, 10));
    d.leading = (uint32_t)strtoul(field[8], NULL, 10);
    d.stride = (uint32_t)strtoul(field[9], NULL, 10);
    ck_assert_int_eq(wsim_umma_matrix_encode(&d, &made, NULL), WSIM_OK);
    ck_assert_msg(made == word, "%s %s: %016llx, must be %s", field[0], field[1],
                  (unsigned long long)made, field[11]);
    ck_assert_uint_eq(made >> 61, strtoul(field[10], NULL, 10));
    ck_assert_int_eq(wsim_umma_matrix_decode(word, &back, NULL), WSIM_OK);
    expect(back.start == d.start && back.leading == d.leading && back.stride == d.stride &&
               back.mode == d.mode && back.base_offset == 0,
           "%s comes back as something else", field[11]);
    rows++;
}

START_TEST(matrices) {
    rows = 0;
    lines("tcgen05_matrices.tsv", check_matrix);
    ck_assert_uint_eq(rows, 532);
}
END_TEST

/* Bits of a matrix descriptor that no field has must be 0. */
START_TEST(reserved) {
    const struct wsim_descriptor plain = {.start = 1024, .leading = 512, .stride = 256};
    const uint64_t fields = WSIM_DESCRIPTOR_FIELD | (uint64_t)WSIM_DESCRIPTOR_FIELD << 16 |
                            (uint64_t)WSIM_DESCRIPTOR_FIELD << 32 | UINT64_C(7) << 46 |
                            UINT64_C(7) << 49 | UINT64_C(1) << 52 | UINT64_C(7) << 61;
    uint64_t bits = 0;
    ck_assert_int_eq(wsim_umma_matrix_encode(&plain, &bits, NULL), WSIM_OK);
    for (unsigned bit = 0; bit < 64; bit++) {
        struct wsim_descriptor d;
        struct wsim_diag diag;
        if (fields >> bit & 1)
            continue;
        ck_assert_int_eq(wsim_umma_matrix_decode(bits | UINT64_C(1) << bit, &d, &diag),
                         WSIM_OPERAND);
        ck_assert_str_eq(diag.rule, "tcgen.mma.shared");
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{reserved, 0, 1}, {moves, 0, 1},   {split, 0, 1},
                                       {copies, 0, 1},   {layouts, 0, 1}, {instructions, 0, 1},
                                       {matrices, 0, 1}};
    return every_run("unit/exec/umma_tables", tests, COUNT(tests));
}
