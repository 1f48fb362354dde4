/* test_umma_words.c - one element of tcgen05.mma from words. b200_words.tsv has the answers of a
 * B200, open_words.tsv the words on which published rules differ. A window that is one bit longer
 * or shorter changes the words of window_words.tsv. */
#include "../../../sim/exec/umma.h"
#include "../../every.h"

enum { MOST_LINE = 4096, MOST_K = 64, COLUMNS = 10 };

/* A kind of the files: products, the words of its name, scale factors. */
struct kind {
    const char *name;
    uint8_t products;
    uint8_t blocks;
    const char *factor;
};

static const struct kind kinds[] = {{"tf32", PRODUCTS_TENSOR_TF32, 0, NULL},
                                    {"f16", PRODUCTS_TENSOR_HALF, 0, NULL},
                                    {"f8f6f4", PRODUCTS_TENSOR_FP8, 0, NULL},
                                    {"i8", PRODUCTS_TENSOR_INT, 0, NULL},
                                    {"mxf8f6f4.1X.ue8m0", PRODUCTS_TENSOR_MX8, 1, "ue8m0"},
                                    {"mxf4.2X.ue8m0", PRODUCTS_TENSOR_MX4, 2, "ue8m0"},
                                    {"mxf4nvf4.2X.ue8m0", PRODUCTS_TENSOR_NV4, 2, "ue8m0"},
                                    {"mxf4nvf4.4X.ue8m0", PRODUCTS_TENSOR_NV4, 4, "ue8m0"},
                                    {"mxf4nvf4.4X.ue4m3", PRODUCTS_TENSOR_NV4, 4, "ue4m3"}};

static const struct kind *kind_of(const char *name) {
    for (int i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    ck_abort_msg("no kind %s", name);
    return NULL;
}

static const struct isa_accum *accum_of(unsigned products) {
    for (size_t i = 0; i < isa_accum_count; i++)
        if (isa_accums[i].generation == GENERATION_BLACKWELL && isa_accums[i].products == products)
            return &isa_accums[i];
    ck_abort_msg("products %u have no row", products);
    return NULL;
}

/* Numbers in hexadecimal; "-" is none. */
static unsigned numbers(const char *text, uint32_t *to) {
    unsigned n = 0;
    for (char *end; *text && *text != '-'; text = *end ? end + 1 : end)
        to[n++] = (uint32_t)strtoul(text, &end, 16);
    return n;
}

/* "e4m3" of both, or "u8.s8" of A and B. */
static void formats_of(const char *text, struct wsim_umma_shape *shape) {
    char a[16];
    const char *point = strchr(text, '.');
    snprintf(a, sizeof a, "%.*s", point ? (int)(point - text) : 15, text);
    shape->a = wsim_format_find(a);
    shape->b = point ? wsim_format_find(point + 1) : shape->a;
    expect(shape->a && shape->b, "no format %s", text);
}

static unsigned decode(const struct wsim_code_product *how, const char *text,
                       const struct wsim_format *format, unsigned bits, struct num_elem *to) {
    struct product_list list = {to, NULL};
    uint32_t words[MOST_K];
    unsigned n = numbers(text, words);
    unsigned shift = strcmp(format->name, "bf16") == 0 ? 16 : 0; /* the upper half of a word */
    for (unsigned i = 0; i < n; i++)
        product_decode(how, format, format, bits, 0, words[i] >> shift, &list, i);
    return n;
}

static void factors(const char *text, unsigned blocks, uint8_t *to) {
    uint32_t words[PRODUCT_MAX_BLOCKS];
    ck_assert_uint_eq(numbers(text, words), blocks);
    for (unsigned i = 0; i < blocks; i++)
        to[i] = (uint8_t)words[i];
}

/* The element of a line: name, kind, format, A, B, C, factors of A and of B. */
static uint32_t element(char *const *field) {
    const struct kind *kind = kind_of(field[1]);
    struct wsim_umma_shape shape = {
        .d = wsim_format_find(kind->products == PRODUCTS_TENSOR_INT ? "s32" : "f32"),
        .m = 128,
        .n = 8};
    const struct wsim_umma umma = {.blocks = 1, .factors = kind->blocks};
    struct num_elem a[MOST_K], b[MOST_K];
    uint8_t factors_a[PRODUCT_MAX_BLOCKS], factors_b[PRODUCT_MAX_BLOCKS];
    struct product_lists in = {.a = a, .b = b, .factors_a = factors_a, .factors_b = factors_b};
    struct wsim_code code;
    struct product p;
    uint32_t acc, words[MOST_K];
    formats_of(field[2], &shape);
    shape.k = (uint8_t)numbers(field[3], words);
    shape.saturate = strstr(field[0], "-sat") != NULL;
    if (kind->factor) {
        shape.factor = wsim_format_find(kind->factor);
        factors(field[6], kind->blocks, factors_a);
        factors(field[7], kind->blocks, factors_b);
    }
    umma_choose(&umma, &shape, accum_of(kind->products), &work_to(&code)->product);
    product_start(&p, &code);
    ck_assert_uint_eq(decode(p.how, field[3], shape.a, p.how->bits_a, a),
                      decode(p.how, field[4], shape.b, p.how->bits_b, b));
    numbers(field[5], &acc);
    return (uint32_t)product_dot(&p, &in, acc);
}

/* Calls `check` for each line of a file; returns their number. */
static int lines(const char *name, void (*check)(char *const *field)) {
    char path[512], line[MOST_LINE], *field[COLUMNS + 1];
    int count = 0;
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/unit/exec/%s", WSIM_SOURCE_DIR, name);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        int n = 0;
        if (line[0] == '#' || strncmp(line, "name", 4) == 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        for (char *at = line; at && n < COLUMNS; n++) {
            field[n] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = 0;
        }
        field[n] = NULL;
        check(field);
        count++;
    }
    fclose(file);
    return count;
}

static void check_word(char *const *field) {
    uint32_t got = element(field), want;
    numbers(field[8], &want);
    ck_assert_msg(got == want, "%s: %08x, a B200 gave %08x", field[0], (unsigned)got,
                  (unsigned)want);
}

START_TEST(b200) {
    ck_assert_int_eq(lines("b200_words.tsv", check_word), 56);
}
END_TEST

static void check_open(char *const *field) {
    uint32_t got = element(field), ours;
    numbers(field[8], &ours);
    ck_assert_msg(got == ours, "%s: %08x, the chosen rule gives %08x", field[0], (unsigned)got,
                  (unsigned)ours);
}

START_TEST(open_points) {
    ck_assert_int_eq(lines("open_words.tsv", check_open), 13);
}
END_TEST

static void check_window(char *const *field) {
    uint32_t got = element(field), want;
    numbers(field[8], &want);
    ck_assert_msg(got == want, "%s: %08x, must be %08x", field[0], (unsigned)got, (unsigned)want);
}

START_TEST(windows) {
    ck_assert_int_eq(lines("window_words.tsv", check_window), 24);
}
END_TEST

/* C * 2^-s is exact: 2^-126 * 2^-15 keeps its place below 2^-140. */
START_TEST(scaled_input) {
    struct wsim_umma_shape shape = {wsim_format_find("bf16"),
                                    wsim_format_find("bf16"),
                                    wsim_format_find("f32"),
                                    .m = 128,
                                    .n = 8,
                                    .k = 1};
    static const struct {
        uint32_t c;
        uint8_t lower;
        uint32_t want;
    } rows[] = {{0x3F800000, 0, 0x3F800000},  {0x3F800000, 2, 0x3E800000},
                {0xC0400000, 15, 0xB8C00000}, {0x00800000, 15, 0x00000100},
                {0x00000300, 8, 0x00000003},  {0x000001FF, 8, 0x00000001},
                {0x7F800000, 3, 0x7F800000},  {0x7FC00000, 3, 0x7FFFFFFF}};
    const struct wsim_umma umma = {.blocks = 1};
    struct num_elem zero = {0, 0, WSIM_ZERO};
    struct product_lists in = {.a = &zero, .b = &zero};
    struct wsim_code code;
    struct product p;
    umma_choose(&umma, &shape, accum_of(PRODUCTS_TENSOR_HALF), &work_to(&code)->product);
    product_start(&p, &code);
    for (int i = 0; i < COUNT(rows); i++) {
        p.fused.lower = rows[i].lower;
        ck_assert_uint_eq(product_dot(&p, &in, rows[i].c), rows[i].want);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {b200, 0, 1}, {open_points, 0, 1}, {windows, 0, 1}, {scaled_input, 0, 1}};
    return every_run("unit/exec/umma_words", tests, COUNT(tests));
}
