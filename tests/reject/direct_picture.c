/* Refusals of pictures, CuTe layouts, address expressions, suggestions and lint. */
#include "case.h"

#include <wsim/harness/address.h>
#include <wsim/harness/cute.h>
#include <wsim/harness/suppress.h>
#include <wsim/harness/picture.h>
#include <wsim/harness/suggest.h>

static int take(void *user, const char *bytes, size_t count) {
    (void)user;
    (void)bytes;
    (void)count;
    return 0;
}

static int stop(void *user, const char *bytes, size_t count) {
    (void)user;
    (void)bytes;
    return (int)count;
}

static enum wsim_status write_layout(const char *spelling, enum wsim_picture_format format,
                                     wsim_write *write, struct wsim_diag *diag) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_fragments fragments;
    struct wsim_picture picture;
    ck_assert_int_eq(wsim_fragments_make(&op, NULL, 1u << WSIM_E | 1u << WSIM_D, &fragments, NULL),
                     WSIM_OK);
    fragments.has = fragments.has >> WSIM_E & 1 ? 1u << WSIM_E : fragments.has;
    wsim_picture_fragments(&fragments, &picture);
    return wsim_picture_write(&picture, format, NULL, write, NULL, diag);
}

static const char move[] = "movmatrix.sync.aligned.m8n8.trans.b16";
static const char sparse[] = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

static enum wsim_status no_format(struct wsim_diag *diag) {
    return write_layout(move, WSIM_PICTURE_FORMATS, take, diag);
}

static enum wsim_status no_layout(struct wsim_diag *diag) {
    return write_layout(sparse, WSIM_PICTURE_CUTE, take, diag);
}

static enum wsim_status panel_svg(struct wsim_diag *diag) {
    struct wsim_panel panel = {.rows = 0};
    return wsim_panel_write(&panel, WSIM_PICTURE_SVG, NULL, take, NULL, diag);
}

static enum wsim_status stopped(struct wsim_diag *diag) {
    return write_layout(move, WSIM_PICTURE_TEXT, stop, diag);
}

static enum wsim_status fold_stopped(struct wsim_diag *diag) {
    return wsim_text_fold("a word", 0, 80, stop, NULL, diag);
}

static enum wsim_status no_copy(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    char out[WSIM_CUTE_TEXT];
    return wsim_cute_write_copy(&op, WSIM_CUTE_SRC, out, diag);
}

static enum wsim_status several(struct wsim_diag *diag) {
    struct wsim_op op = every_parse(sparse);
    struct wsim_layout layout;
    char out[WSIM_CUTE_TEXT];
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_E, &layout, NULL), WSIM_OK);
    return wsim_cute_write(&layout, WSIM_E, out, diag);
}

/* Two lane bits on one row: no shape has that. */
static enum wsim_status not_a_sum(struct wsim_diag *diag) {
    struct wsim_op op = every_parse(move);
    struct wsim_layout layout;
    char out[WSIM_CUTE_TEXT];
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_A, &layout, NULL), WSIM_OK);
    layout.lane[0] |= layout.lane[4];
    return wsim_cute_write(&layout, WSIM_A, out, diag);
}

static enum wsim_status read_cute(const char *text, struct wsim_diag *diag) {
    struct wsim_cute cute;
    return wsim_cute_read(text, &cute, diag);
}

#define READ(name, text)                                                                           \
    static enum wsim_status name(struct wsim_diag *diag) {                                         \
        return read_cute(text, diag);                                                              \
    }
READ(nothing, "")
READ(no_strides, "((4,8),2)")
READ(open, "((4,8),2:((1,4),32)")
READ(one_part, "(32):(1)")
READ(three_parts, "(4,8,2):(1,4,32)")
READ(other_groups, "((4,8),2):((1,4),(32,1))")
READ(other_depth, "((4,8),2):((1),(4,32))")
READ(only_depth, "((4,(8)),2):((1,4),32)")
READ(no_number, "((4,x),2):((1,4),32)")
READ(more, "((4,8),2):((1,4),32) and more")
READ(unclosed, "Layout<Shape<_4,_8>,Stride<_1,Int<4>>")
READ(zero, "((4,0),2):((1,4),32)")
READ(many, "((4096,8),2):((1,4),32)")
READ(large, "((4,8),2):((1,4),99999999)")
READ(deep, "(((((((((4))))))),8),2):(1,1)")
READ(modes, "((1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1),1):(1,1)")

static enum wsim_status suggest(const struct wsim_suggest_access *access, size_t accesses,
                                struct wsim_diag *diag) {
    const struct wsim_suggest what = {wsim_arch_find("sm_90a"), access, accesses, 0};
    struct wsim_suggestion out;
    size_t found;
    return wsim_suggest_fixes(&what, WSIM_FIX_XOR, &out, 1, &found, diag);
}

static enum wsim_status no_access(struct wsim_diag *diag) {
    return suggest(NULL, 0, diag);
}

static enum wsim_status no_step(struct wsim_diag *diag) {
    const struct wsim_op op = every_parse("ld.shared.b32");
    const struct wsim_suggest_access access = {&op, 1, 0, NULL, 0};
    return suggest(&access, 1, diag);
}

static enum wsim_status lanes(const char *declarations, const char *text, struct wsim_diag *diag) {
    const struct wsim_address_scope scope = {.declarations = declarations};
    uint32_t addr[32];
    return wsim_address_lanes(&scope, text, addr, diag);
}

static enum wsim_status no_extent(struct wsim_diag *diag) {
    return lanes("float tile[32][]", "lane", diag);
}

static enum wsim_status no_name(struct wsim_diag *diag) {
    return lanes(NULL, "lane * pitch", diag);
}

static enum wsim_status below_zero(struct wsim_diag *diag) {
    return lanes(NULL, "lane - 1", diag);
}

static enum wsim_status no_element(struct wsim_diag *diag) {
    return lanes("float tile[31]", "tile[lane]", diag);
}

static enum wsim_status descriptor(uint16_t rows, uint32_t at, struct wsim_diag *diag) {
    const struct wsim_tile tile = {.rows = rows, .k = 64, .bits = 16};
    struct wsim_descriptor found;
    uint64_t bits;
    return wsim_suggest_descriptor(&tile, at, WSIM_SWIZZLE_128B, 0, &found, &bits, diag);
}

static enum wsim_status nine_rows(struct wsim_diag *diag) {
    return descriptor(9, 0, diag);
}

static enum wsim_status no_entry(struct wsim_diag *diag) {
    static const char line[] = "asm.memory src/a.cu";
    struct wsim_lint_baseline *baseline;
    return wsim_lint_baseline_read(line, sizeof line - 1, &baseline, diag);
}

static enum wsim_status no_rule(struct wsim_diag *diag) {
    static const char *const ignored[] = {"asm.memory", "asm.memori", NULL};
    const struct wsim_lint_options options = {.ignore = ignored};
    struct wsim_lint *lint;
    return wsim_lint_text("", 0, &options, &lint, diag);
}

static enum wsim_status ignore(const char *entry, struct wsim_diag *diag) {
    const char *const ignored[] = {entry, NULL};
    const struct wsim_suppress_options options = {.ignore = ignored};
    struct wsim_suppress *list;
    return wsim_suppress_make(&options, &list, diag);
}

static enum wsim_status no_place(struct wsim_diag *diag) {
    return ignore("race@", diag);
}

static enum wsim_status no_rule_there(struct wsim_diag *diag) {
    return ignore("rce@a.cu:7", diag);
}

const struct reject_direct reject_pictures[] = {
    {"address.declaration.wrong", no_extent},
    {"address.expression.wrong", no_name},
    {"address.value.range", below_zero},
    {"address.value.range", no_element},
    {"picture.format.unknown", no_format},
    {"picture.format.unfit", no_layout},
    {"picture.format.unfit", panel_svg},
    {"picture.write.stopped", stopped},
    {"picture.write.stopped", fold_stopped},
    {"cute.copy.none", no_copy},
    {"cute.layout.none", several},
    {"cute.layout.none", not_a_sum},
    {"cute.text.syntax", nothing},
    {"cute.text.syntax", no_strides},
    {"cute.text.syntax", open},
    {"cute.text.syntax", one_part},
    {"cute.text.syntax", three_parts},
    {"cute.text.syntax", other_groups},
    {"cute.text.syntax", other_depth},
    {"cute.text.syntax", no_number},
    {"cute.text.syntax", only_depth},
    {"cute.text.syntax", more},
    {"cute.text.syntax", unclosed},
    {"cute.layout.range", zero},
    {"cute.layout.range", many},
    {"cute.layout.range", large},
    {"cute.layout.range", deep},
    {"cute.layout.range", modes},
    {"suggest.access.none", no_access},
    {"suggest.access.none", no_step},
    {"suggest.tile.shape", nine_rows},
    {"lint.baseline.syntax", no_entry},
    {"lint.rule.unknown", no_rule},
    {"lint.rule.unknown", no_rule_there},
    {"lint.ignore.syntax", no_place},
};

const int reject_pictures_count = COUNT(reject_pictures);
