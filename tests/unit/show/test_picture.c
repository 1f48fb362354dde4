/* test_picture.c - pictures: cells say what layouts say, every format escapes what it has to, and
 * layouts of CuTe are those that CUTLASS has. */
#include "../../every.h"

#include <wsim/harness/cute.h>
#include <wsim/harness/picture.h>

/* --- to catch what is written --- */

struct text {
    char *at;
    size_t used, room;
};

static int catch_bytes(void *user, const char *bytes, size_t count) {
    struct text *text = user;
    if (text->used + count + 1 > text->room) {
        text->room = 2 * (text->used + count + 1);
        text->at = realloc(text->at, text->room);
        expect(text->at != NULL, "out of memory");
    }
    memcpy(text->at + text->used, bytes, count);
    text->used += count;
    text->at[text->used] = '\0';
    return 0;
}

static char *written(const struct wsim_picture *picture, enum wsim_picture_format format) {
    struct text text = {NULL, 0, 0};
    struct wsim_diag diag;
    expect(wsim_picture_write(picture, format, NULL, catch_bytes, &text, &diag) == WSIM_OK, "%s",
           diag.text);
    return text.at;
}

/* --- fragments --- */

/* Every cell of a matrix names the first place of its element. */
static void check_matrix(const struct wsim_layout *layout, struct wsim_panel *p, unsigned batch) {
    unsigned rows = layout->rows / p->rows, cols = layout->cols / p->cols;
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned col = 0; col < p->cols; col++) {
            struct wsim_coord at = {(uint16_t)batch, (uint16_t)(row * rows),
                                    (uint16_t)(col * cols)};
            struct wsim_place place = {0, 0, 0, 0};
            char want[64] = "-";
            struct wsim_cell cell;
            size_t count = wsim_layout_places(layout, at, &place, 1), n;
            unsigned per_reg = layout->elem_bits < 32 ? 32u / layout->elem_bits : 1;
            per_reg = per_reg < layout->elems ? per_reg : layout->elems;
            p->cell(p, row, col, &cell);
            if (count) {
                n = (size_t)snprintf(want, sizeof want, "%u:%u", place.lane, place.reg);
                if (per_reg > rows * cols)
                    n += (size_t)snprintf(want + n, sizeof want - n, ".%u",
                                          (unsigned)place.lsb / layout->elem_bits);
                snprintf(want + n, sizeof want - n, "%s", count > 1 ? "+" : "");
            }
            expect(strcmp(cell.text, want) == 0, "%s (%u,%u)#%u: %s, not %s", layout->name, at.row,
                   at.col, batch, cell.text, want);
            expect(cell.value == (count ? place.lane : -1), "%s: colour %d", layout->name,
                   (int)cell.value);
        }
}

static void check_operand(const struct wsim_op *op, const char *arch, enum wsim_operand operand) {
    struct wsim_fragments f;
    struct wsim_picture picture;
    struct wsim_panel panel;
    if (wsim_fragments_make(op, arch ? wsim_arch_find(arch) : NULL, 1u << operand, &f, NULL))
        return;
    if ((size_t)f.layout[operand].rows * f.layout[operand].cols * f.layout[operand].lanes > 1 << 16)
        return; /* the slow way through large ones takes minutes */
    wsim_picture_fragments(&f, &picture);
    ck_assert_uint_eq(picture.panels, 1u + f.layout[operand].batches +
                                          (wsim_op_describe(op).counting == WSIM_COUNT_ROWS));
    for (unsigned b = 0; b < f.layout[operand].batches; b++) {
        picture.panel(&picture, 1 + b, &panel);
        check_matrix(&f.layout[operand], &panel, b);
    }
}

START_TEST(cells_are_places) {
    static const char *const spellings[] = {
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16",
        "movmatrix.sync.aligned.m8n8.trans.b16",
        "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16",
        ("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X"
         ".f32.e2m1.e2m1.f32.ue8m0"),
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16"}; /* on sm_70 held twice */
    struct wsim_op op = every_parse(spellings[_i]);
    for (int o = 0; o < WSIM_OPERANDS; o++)
        check_operand(&op, _i == 11 ? "sm_70" : NULL, (enum wsim_operand)o);
}
END_TEST

/* A list row by row, in order and out of it, is all elements that are asked for. */
START_TEST(lists_are_elements) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_fragments f;
    struct wsim_picture picture;
    struct wsim_panel panel;
    struct wsim_cell first, again;
    ck_assert_int_eq(wsim_fragments_make(&op, NULL, WSIM_EVERY_OPERAND, &f, NULL), WSIM_OK);
    wsim_picture_fragments(&f, &picture);
    picture.panel(&picture, WSIM_PANEL_LIST, &panel);
    ck_assert_uint_eq(panel.rows, 32 * (4 + 8 + 4 + 4));
    f.only.row = 3;
    wsim_picture_fragments(&f, &picture);
    picture.panel(&picture, WSIM_PANEL_LIST, &panel);
    ck_assert_uint_eq(panel.rows, 8 + 16 + 8 + 8);
    panel.cell(&panel, 5, 0, &first);
    for (unsigned row = 0; row < panel.rows; row++) {
        panel.cell(&panel, row, 6, &again);
        ck_assert_str_eq(again.text, "3");
    }
    panel.cell(&panel, 5, 0, &again);
    ck_assert_str_eq(first.text, again.text);
}
END_TEST

/* --- formats --- */

static const char evil[] = "<b>&\"'|*,\033[31m\377\xE2\x80\xAE`]]>";

static void evil_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    (void)p;
    strcpy(cell->text, evil);
    cell->value = (int32_t)(row + col);
    cell->flags = row ? WSIM_CELL_MARKED : WSIM_CELL_OUTSIDE;
}

static void evil_text(struct wsim_panel *p, uint32_t at, char out[WSIM_CELL_TEXT]) {
    (void)p;
    (void)at;
    strcpy(out, evil);
}

static void evil_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)row;
    evil_text(p, col, out);
}

static void evil_panel(const struct wsim_picture *picture, uint32_t number,
                       struct wsim_panel *panel) {
    (void)picture;
    *panel = (struct wsim_panel){.rows = 2,
                                 .cols = 3,
                                 .hue = number ? WSIM_HUE_BANK : WSIM_HUE_NONE,
                                 .values = 4,
                                 .cell = evil_cell,
                                 .row_head = evil_text,
                                 .col_head = evil_text,
                                 .title = evil_title};
    strcpy(panel->heading, evil);
    strcpy(panel->caption, evil);
    strcpy(panel->note, evil);
    strcpy(panel->corner, evil);
}

static int evil_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                     uint32_t number, char out[WSIM_CAPTION]) {
    (void)picture;
    (void)where;
    strcpy(out, evil);
    return number < 2;
}

START_TEST(formats_escape) {
    struct wsim_picture picture = {.panels = 2, .panel = evil_panel, .line = evil_line};
    char *text;
    strcpy(picture.title, evil);
    text = written(&picture, (enum wsim_picture_format)_i);
    expect(!strpbrk(text, "\033\377"), "format %d has a control character", _i);
    expect(!strstr(text, "\xE2\x80\xAE"), "format %d turns the direction of writing", _i);
    if (_i == WSIM_PICTURE_SVG || _i == WSIM_PICTURE_HTML) {
        expect(!strstr(text, "<b>"), "format %d has a tag of the text", _i);
        expect(!strstr(text, "]]>"), "format %d ends a section", _i);
        expect(strstr(text, "&lt;b&gt;&amp;&quot;&#39;|*,?[31m???"), "format %d masks otherwise",
               _i);
    }
    if (_i == WSIM_PICTURE_MD)
        expect(!strstr(text, "<b>") && strstr(text, "'\\|\\*,"), "Markdown in a text");
    if (_i == WSIM_PICTURE_CSV)
        expect(strstr(text, "\"<b>&\"\"'|*,?[31m"), "CSV in a text");
    free(text);
}
END_TEST

/* A writer that stops is not called again. */
static int stop_once(void *user, const char *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return ++*(int *)user;
}

START_TEST(stops_at_once) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_fragments f;
    struct wsim_picture picture;
    int calls = 0;
    ck_assert_int_eq(wsim_fragments_make(&op, NULL, WSIM_EVERY_OPERAND, &f, NULL), WSIM_OK);
    wsim_picture_fragments(&f, &picture);
    ck_assert_int_eq(
        wsim_picture_write(&picture, (enum wsim_picture_format)_i, NULL, stop_once, &calls, NULL),
        WSIM_OPERAND);
    ck_assert_int_eq(calls, 1);
}
END_TEST

/* --- colours --- */

/* About how much light there is, 0 to 1. */
static double light(uint32_t rgb) {
    static const double weight[] = {0.0722, 0.7152, 0.2126};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weight[i] * (double)(rgb >> 8 * i & 255) * (double)(rgb >> 8 * i & 255) / 65025;
    return sum;
}

START_TEST(colours_are_read) {
    for (int hue = WSIM_HUE_LANE; hue < WSIM_HUES; hue++)
        for (int v = 0; v < 40; v++)
            expect(light(wsim_hue_colour((enum wsim_hue)hue, v)) > 0.3, "hue %d value %d is dark",
                   hue, v);
    for (int v = 0; v < 31; v++) /* neighbours differ without any hue */
        if (v % 4 != 3)
            expect(light(wsim_hue_colour(WSIM_HUE_LANE, v)) >
                       light(wsim_hue_colour(WSIM_HUE_LANE, v + 1)) + 0.05,
                   "lanes %d and %d", v, v + 1);
    for (int v = 0; v < 32; v++)
        for (int w = 0; w < v; w++)
            expect(wsim_hue_colour(WSIM_HUE_LANE, v) != wsim_hue_colour(WSIM_HUE_LANE, w),
                   "lanes %d and %d have one colour", v, w);
    ck_assert_uint_eq(wsim_hue_colour(WSIM_HUE_LANE, -1), 0xFFFFFF);
}
END_TEST

/* --- CuTe --- */

/* As mma_traits_sm80.hpp, mma_traits_sm90.hpp and mma_traits_sm90_gmma.hpp have them. */
static const struct {
    const char *spelling;
    enum wsim_operand operand;
    const char *layout;
} traits[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_A,
     "Layout<Shape<Shape<_4,_8>,Shape<_2,_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8,_128>>>"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_B,
     "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_16,_1>,Stride<_8,_64>>>"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_C,
     "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", WSIM_B,
     "Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_16,_1>,_8>>"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", WSIM_A,
     "Layout<Shape<Shape<_4,_8>,Shape<_4,_2,_2>>,Stride<Stride<_64,_1>,Stride<_16,_8,_256>>>"},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", WSIM_A,
     "Layout<Shape<Shape<_4,_8>,_1>,Stride<Stride<_8,_1>,_0>>"},
    {"wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16", WSIM_D,
     "Layout<Shape<Shape<_4,_8,_4>,Shape<_2,_2,Int<3>>>, "
     "Stride<Stride<_128,_1,_16>,Stride<_64,_8,_512>>>"},
};

START_TEST(layouts_are_those_of_cutlass) {
    struct wsim_op op = every_parse(traits[_i].spelling);
    struct wsim_cute_difference at;
    struct wsim_layout layout;
    struct wsim_cute cute;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_op_layout(&op, NULL, traits[_i].operand, &layout, NULL), WSIM_OK);
    expect(wsim_cute_read(traits[_i].layout, &cute, &diag) == WSIM_OK, "%s", diag.text);
    ck_assert_int_eq(wsim_cute_same(&cute, &layout, traits[_i].operand, &at), 1);
    cute.stride[cute.modes - 1]++;
    ck_assert_int_eq(wsim_cute_same(&cute, &layout, traits[_i].operand, &at), cute.values == 1);
}
END_TEST

/* As copy_traits_sm75.hpp, copy_traits_sm90.hpp and copy_traits_sm100.hpp have them: what is in
 * registers, and in memory. */
static const struct {
    const char *spelling, *registers, *memory;
} copies[] = {
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", "(32,32):(32,1)", "((8,4),128):((128,0),1)"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", "(32,(32,2)):(32,(1,1024))",
     "((16,2),128):((128,0),1)"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "(32,(32,4)):(32,(1,1024))", "(32,128):(128,1)"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "((4,8),(16,2,4)):((256,16),(1,128,1024))",
     "(32,128):(128,1)"},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16", "(32,(32,2)):(32,(1,1024))",
     "((16,2),128):((128,0),1)"},
    {"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "((4,8),(16,2)):((256,16),(1,128))",
     "((8,4),128):((128,0),1)"},
    {"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64", "(32,(32,2)):(32,(1,1024))",
     "((16,2),128):((128,0),1)"},
    {"stmatrix.sync.aligned.m16n8.x4.trans.shared.b8",
     "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))", "(32,128):(128,1)"},
};

START_TEST(copies_are_those_of_cutlass) {
    struct wsim_op op = every_parse(copies[_i].spelling);
    enum wsim_cute_side registers = *copies[_i].spelling == 's' ? WSIM_CUTE_SRC : WSIM_CUTE_DST;
    enum wsim_cute_side memory = *copies[_i].spelling == 's' ? WSIM_CUTE_DST : WSIM_CUTE_SRC;
    struct wsim_cute_difference at;
    struct wsim_cute cute;
    char text[WSIM_CUTE_TEXT];
    ck_assert_int_eq(wsim_cute_write_copy(&op, registers, text, NULL), WSIM_OK);
    ck_assert_str_eq(text, copies[_i].registers);
    ck_assert_int_eq(wsim_cute_read(text, &cute, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_cute_same_copy(&cute, &op, registers, &at), 1);
    ck_assert_int_eq(wsim_cute_same_copy(&cute, &op, memory, &at), 0);
    ck_assert_int_eq(wsim_cute_write_copy(&op, memory, text, NULL), WSIM_OK);
    ck_assert_str_eq(text, copies[_i].memory);
    cute.stride[0]++;
    ck_assert_int_eq(wsim_cute_same_copy(&cute, &op, registers, &at), 0);
    ck_assert_uint_eq(at.thread, 1);
}
END_TEST

/* A register that is held is the bits of memory that the layouts of the move say, of every move. */
START_TEST(copies_are_what_moves_do) {
    struct wsim_op op;
    char text[WSIM_CUTE_TEXT];
    int moves = 0;
    for (int i = 0; every_op(i, &op); i++) {
        struct wsim_op_info info = wsim_op_describe(&op);
        struct wsim_layout layout;
        struct wsim_cute cute;
        int stores = (info.does & WSIM_DOES_STORE) != 0;
        if (info.counting != WSIM_COUNT_ROWS || !info.documented)
            continue;
        moves++;
        wsim_op_layout(&op, NULL, stores ? WSIM_R : WSIM_D, &layout, NULL);
        wsim_cute_write_copy(&op, stores ? WSIM_CUTE_SRC : WSIM_CUTE_DST, text, NULL);
        ck_assert_int_eq(wsim_cute_read(text, &cute, NULL), WSIM_OK);
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned e = 0; e < layout.elems; e++) {
                struct wsim_coord c = wsim_layout_coord(&layout, lane, e);
                ck_assert_uint_eq(wsim_cute_index(&cute, lane, e * layout.elem_bits + 3),
                                  (c.batch * layout.rows + c.row) * 128u +
                                      c.col * layout.elem_bits + 3);
            }
    }
    ck_assert_int_gt(moves, 20);
}
END_TEST

/* The CuTe text of every operation reads back as an equal layout. */
START_TEST(written_and_read) {
    struct wsim_op op, next;
    ck_assert(every_op(_i, &op));
    if (every_op(_i + 1, &next) && next.form == op.form && _i % 8)
        return; /* a form has one layout, whatever its types are called; one in eight all the same
                 */
    for (int o = 0; o < WSIM_OPERANDS; o++) {
        struct wsim_cute_difference at;
        char text[WSIM_CUTE_TEXT];
        struct wsim_layout layout;
        struct wsim_cute cute;
        struct wsim_diag diag;
        if (wsim_op_layout(&op, NULL, (enum wsim_operand)o, &layout, NULL) ||
            wsim_cute_write(&layout, (enum wsim_operand)o, text, NULL))
            continue;
        expect(wsim_cute_read(text, &cute, &diag) == WSIM_OK, "%s: %s", text, diag.text);
        expect(wsim_cute_same(&cute, &layout, (enum wsim_operand)o, &at),
               "%s is not %s: thread %u value %u", text, layout.name, at.thread, at.value);
    }
}
END_TEST

START_TEST(differences_are_found) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_cute_difference at;
    struct wsim_layout layout;
    struct wsim_cute cute;
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_C, &layout, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_cute_read("((4,8),(2,2)):((32,1),(8,16))", &cute, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_cute_same(&cute, &layout, WSIM_C, &at), 0);
    ck_assert_uint_eq(at.thread, 0);
    ck_assert_uint_eq(at.value, 1);
    ck_assert_uint_eq(at.index, 8);
    ck_assert_uint_eq(at.element, 16);
    ck_assert_int_eq(wsim_cute_read("((4,8),2):((32,1),16)", &cute, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_cute_same(&cute, &layout, WSIM_C, &at), 0);
    ck_assert_uint_eq(at.value, 2);
    ck_assert_uint_eq(at.index, WSIM_CUTE_NONE);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {cells_are_places, 0, 12},
        {lists_are_elements, 0, 1},
        {formats_escape, 0, WSIM_PICTURE_CUTE},
        {stops_at_once, 0, WSIM_PICTURE_FORMATS},
        {colours_are_read, 0, 1},
        {layouts_are_those_of_cutlass, 0, COUNT(traits)},
        {copies_are_those_of_cutlass, 0, COUNT(copies)},
        {copies_are_what_moves_do, 0, 1},
        {written_and_read, 0, every_op_count()},
        {differences_are_found, 0, 1},
    };
    return every_run("unit/show/picture", tests, COUNT(tests));
}
