/* test_why.c - pictures of sums. The digits of each row are the numbers of the library, marks are
 * on lost bits, and every format can show every method. */
#include "../../every.h"

#include <wsim/harness/harness.h>
#include <wsim/harness/picture.h>

static const struct {
    const char *spelling, *arch;
} products[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_80"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90a"},
    {"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_80"},
    {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", "sm_90a"},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89"},
    {("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X"
      ".f32.e2m1.e2m1.f32.ue8m0"),
     "sm_120a"},
};

static struct wsim_case_scratch scratch;
static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_RESULTS * WSIM_LANES];
static struct wsim_why why;
static struct wsim_why_card card;

static struct wsim_picture explained(int product, unsigned dist, uint64_t number) {
    struct wsim_op op = every_parse(products[product].spelling);
    const struct wsim_arch *arch = wsim_arch_find(products[product].arch);
    struct wsim_layout layout[WSIM_OPERANDS];
    struct wsim_picture picture;
    struct wsim_plan plan;
    struct wsim_code code;
    struct wsim_case c;
    struct wsim_io io;
    struct wsim_diag diag;
    expect(!wsim_prepare(&op, arch, 0, &code, &diag), "%s", diag.text);
    expect(!wsim_plan_make(&op, 0, &plan, &diag), "%s", diag.text);
    c = wsim_case_at(&plan, 7, number, dist);
    wsim_case_fill(&plan, &c, in);
    wsim_case_bind(&plan, in, out, &scratch, &io);
    for (int i = 0; i < WSIM_OPERANDS; i++)
        wsim_op_layout(&op, arch, (enum wsim_operand)i, &layout[i], NULL);
    expect(!wsim_why(&code, &io, (struct wsim_coord){0, 3, 5}, &why, &diag), "%s", diag.text);
    card = (struct wsim_why_card){
        .spelling = products[product].spelling,
        .arch = arch,
        .why = &why,
        .a = layout[WSIM_A].format,
        .b = layout[WSIM_B].format,
        .a_bits = layout[WSIM_A].elem_bits == 1 ? 32 : layout[WSIM_A].elem_bits,
        .b_bits = layout[WSIM_B].elem_bits == 1 ? 32 : layout[WSIM_B].elem_bits};
    wsim_picture_why(&card, &picture);
    return picture;
}

/* --- digits --- */

/* The numbers that digits are, those that are kept and those that are marked, in units of the
 * lowest column; whether there is something below. */
struct read {
    uint64_t kept, lost;
    int negative, rest;
};

/* Exponent of the last digit of the panel, by a head and where it stands; the bar is no digit. */
static int lowest_of(struct wsim_panel *panel) {
    struct wsim_cell cell;
    char head[WSIM_CELL_TEXT] = "";
    uint32_t col = 1;
    int below = -1;
    for (; col < panel->cols && !strpbrk(head, "0123456789"); col++)
        panel->col_head(panel, col, head);
    for (uint32_t at = col - 1; at < panel->cols; at++) {
        panel->cell(panel, 0, at, &cell);
        panel->col_head(panel, at, cell.text + 2);
        below += cell.text[0] != '|' && strcmp(cell.text + 2, "...") != 0;
    }
    return atoi(head) - below;
}

static struct read read_row(struct wsim_panel *panel, uint32_t row) {
    struct read read = {0, 0, 0, 0};
    struct wsim_cell cell;
    char head[WSIM_CELL_TEXT];
    panel->cell(panel, row, 0, &cell);
    read.negative = cell.text[0] == '-';
    for (uint32_t col = 1; col < panel->cols; col++) {
        int marked, one;
        panel->cell(panel, row, col, &cell);
        panel->col_head(panel, col, head);
        marked = (cell.flags & WSIM_CELL_MARKED) != 0;
        one = cell.text[0] == '1';
        if (cell.text[0] == '|')
            continue;
        if (strcmp(head, "...") == 0) {
            read.rest = cell.text[0] == '+';
            continue;
        }
        expect(one || !marked, "a %c is marked", cell.text[0]);
        expect(cell.value == (one               ? 1 + marked
                              : cell.value <= 0 ? cell.value
                                                : 0),
               "colour %d", (int)cell.value);
        read.kept = read.kept << 1 | (uint64_t)(one && !marked);
        read.lost = read.lost << 1 | (uint64_t)(one && marked);
    }
    return read;
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Whether x * 2^a is y * 2^b. */
static int equal(uint64_t x, int a, uint64_t y, int b) {
    for (; x && !(x & 1); x >>= 1)
        a++;
    for (; y && !(y & 1); y >>= 1)
        b++;
    return x == y && (!x || a == b);
}

/* A result that is too large became this, or an infinity. */
static int is_largest(const struct wsim_format *format, struct wsim_value value) {
    const struct wsim_value huge = {WSIM_FINITE, value.negative, 4096, 1};
    uint64_t largest = wsim_format_encode(format, huge, WSIM_RZ);
    return value.cls != WSIM_FINITE || (value.sig == wsim_format_decode(format, largest).sig &&
                                        value.exp == wsim_format_decode(format, largest).exp);
}

static void check_aligned(struct wsim_panel *panel, const struct wsim_why_step *step,
                          unsigned first) {
    int low = lowest_of(panel);
    struct read read;
    struct wsim_value after;
    ck_assert_uint_eq(panel->rows, step->addends + 2u);
    for (unsigned i = 0; i < step->addends; i++) {
        const struct wsim_why_addend *addend = &why.addend[first + i];
        read = read_row(panel, i);
        expect(equal(read.kept, low, magnitude(addend->kept), step->unit), "row %u keeps others",
               i);
        expect(!addend->sig || read.negative == (addend->sig < 0), "row %u: the sign", i);
        if (read.rest)
            expect(!equal(read.kept | read.lost, low, magnitude(addend->sig), addend->exp),
                   "row %u has nothing below", i);
        else
            expect(equal(read.kept | read.lost, low, magnitude(addend->sig), addend->exp),
                   "row %u has other digits", i);
    }
    read = read_row(panel, step->addends);
    expect(equal(read.kept | read.lost, low, magnitude(step->sum), step->unit), "another sum");
    after = wsim_format_decode(step->format, step->after);
    if (step->rounding == WSIM_RZ && read.kept && !is_largest(step->format, after))
        expect(equal(read.kept, low, after.sig, after.exp),
               "what is not marked of the sum is not the result");
    read = read_row(panel, step->addends + 1u);
    ck_assert_uint_eq(read.lost, 0);
}

START_TEST(digits_are_what_was_told) {
    static unsigned aligned;
    struct wsim_picture picture;
    for (unsigned dist = 0; dist < WSIM_DISTS; dist++) {
        unsigned addend = 0, panels = 0;
        picture = explained(_i, dist, 3u * (unsigned)_i + dist);
        for (unsigned s = 0; s < why.steps; s++) {
            const struct wsim_why_step *step = &why.step[s];
            struct wsim_panel panel;
            if (step->kind != WSIM_WHY_ALIGNED)
                break;
            picture.panel(&picture, panels, &panel);
            check_aligned(&panel, step, addend);
            addend += step->addends;
            panels += 2;
            aligned++;
        }
    }
    expect(_i > 4 || aligned, "no step is aligned");
}
END_TEST

/* --- the rest of it --- */

struct sink {
    size_t bytes, lines, commas, line, longest;
    char first[8];
};

static int count_bytes(void *user, const char *bytes, size_t count) {
    struct sink *sink = user;
    if (!sink->bytes)
        memcpy(sink->first, bytes, count < 7 ? count : 7);
    sink->bytes += count;
    for (size_t i = 0; i < count; i++) {
        sink->lines += bytes[i] == '\n';
        sink->commas += bytes[i] == ',';
        sink->line = bytes[i] == '\n' ? 0 : sink->line + 1;
        sink->longest = sink->line > sink->longest ? sink->line : sink->longest;
    }
    return 0;
}

START_TEST(every_format_shows_it) {
    static const char *const first[] = {"mma", "step", "## mma", "<svg", "<!DOCTY"};
    struct wsim_picture picture = explained(_i, 3, 1);
    size_t terms = 0;
    for (int f = 0; f < COUNT(first); f++) {
        struct sink sink = {0, 0, 0, 0, 0, ""};
        struct wsim_diag diag;
        expect(!wsim_picture_write(&picture, (enum wsim_picture_format)f, NULL, count_bytes, &sink,
                                   &diag),
               "%s", diag.text);
        expect(strncmp(sink.first, first[f], strlen(first[f])) == 0, "format %d: %s", f,
               sink.first);
        if (f == WSIM_PICTURE_TEXT) /* a spelling stays whole */
            ck_assert_uint_le(sink.longest,
                              strlen(card.spelling) > 80 ? strlen(card.spelling) : 80);
        if (f == WSIM_PICTURE_CSV) { /* no text of it has a comma */
            ck_assert_uint_eq(sink.commas, sink.lines * 15);
            terms = sink.lines;
        }
    }
    ck_assert_uint_ge(terms, 1u + why.terms + 2u * why.steps);
    ck_assert_int_eq(
        wsim_picture_write(&picture, WSIM_PICTURE_CUTE, NULL, count_bytes, &(struct sink){0}, NULL),
        WSIM_ILLEGAL);
}
END_TEST

/* The printed product has the factors of the library. */
START_TEST(factors_are_held) {
    struct wsim_picture picture = explained(0, 3, 5);
    struct wsim_panel panel;
    struct wsim_cell cell;
    char want[64];
    picture.panel(&picture, 1, &panel);
    ck_assert_uint_eq(panel.rows, why.terms);
    for (unsigned i = 0; i < why.terms; i++) {
        const struct wsim_why_element *a = &why.term[i].a;
        snprintf(want, sizeof want, "%u: a%u[%u:%u]", a->place.lane, a->place.reg,
                 a->place.lsb + 15u, a->place.lsb);
        panel.cell(&panel, i, 2, &cell);
        ck_assert_str_eq(cell.text, want);
        snprintf(want, sizeof want, "%04x", (unsigned)a->bits);
        panel.cell(&panel, i, 1, &cell);
        ck_assert_str_eq(cell.text, want);
    }
}
END_TEST

int main(void) {
    struct every_test tests[] = {{digits_are_what_was_told, 0, COUNT(products)},
                                 {every_format_shows_it, 0, COUNT(products)},
                                 {factors_are_held, 0, 1}};
    return every_run("unit/show/why", tests, COUNT(tests));
}
