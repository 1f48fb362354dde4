/* wsim layout --cute: whether a layout of threads and values is that of an operand. */
#include "layout_cute.h"
#include "layout_print.h"
#include "../common/screen.h"

#include <wsim/harness/cute.h>

/* Element `number` of an operand, as cute.h counts, in words. */
struct element_text {
    char text[40];
};

static struct element_text element(const struct wsim_layout *layout, enum wsim_operand operand,
                                   uint32_t number) {
    struct element_text out;
    uint32_t rows = layout->rows, cols = layout->cols;
    if (number == WSIM_CUTE_NONE)
        snprintf(out.text, sizeof out.text, "nothing");
    else if (number >= rows * cols)
        snprintf(out.text, sizeof out.text, "element %u", number);
    else if (operand == WSIM_B)
        snprintf(out.text, sizeof out.text, "(%u,%u)", number / cols, number % cols);
    else
        snprintf(out.text, sizeof out.text, "(%u,%u)", number % rows, number / rows);
    return out;
}

static json_t *number_json(uint32_t number) {
    return number == WSIM_CUTE_NONE ? json_null() : json_integer((json_int_t)number);
}

/* --- copies --- */

static const char *const sides[] = {[WSIM_CUTE_SRC] = "SrcLayout", [WSIM_CUTE_DST] = "DstLayout"};

static struct element_text bit(uint32_t number) {
    struct element_text out = {"nothing"};
    if (number != WSIM_CUTE_NONE)
        snprintf(out.text, sizeof out.text, "bit %u", number);
    return out;
}

static int is_copy(const struct wsim_fragments *f) {
    char text[WSIM_CUTE_TEXT];
    return wsim_cute_write_copy(f->op, WSIM_CUTE_SRC, text, NULL) == WSIM_OK;
}

static int print_copy_text(const struct wsim_fragments *f, const struct wsim_cute *cute) {
    int status = TOOL_FOUND;
    for (int i = WSIM_CUTE_SRC; i <= WSIM_CUTE_DST; i++) {
        struct wsim_cute_difference at;
        if (wsim_cute_same_copy(cute, f->op, (enum wsim_cute_side)i, &at)) {
            printf("%s: the same\n", sides[i]);
            status = TOOL_FINE;
        } else {
            screen_fold(2, "%s: not the same: value %u of thread %u is %s there, and %s of %s",
                        sides[i], at.value, at.thread, bit(at.index).text, bit(at.element).text,
                        sides[i]);
        }
    }
    return status;
}

static int print_copy_json(const struct wsim_fragments *f, const struct wsim_cute *cute) {
    json_t *list = json_array();
    int status = TOOL_FOUND;
    for (int i = WSIM_CUTE_SRC; i <= WSIM_CUTE_DST; i++) {
        struct wsim_cute_difference at;
        int same = wsim_cute_same_copy(cute, f->op, (enum wsim_cute_side)i, &at);
        json_t *one = json_pack("{s:s, s:b}", "side", sides[i], "same", same);
        if (!same)
            json_object_update_new(
                one, json_pack("{s:I, s:I, s:o, s:o}", "thread", (json_int_t)at.thread, "value",
                               (json_int_t)at.value, "index", number_json(at.index), "bit",
                               number_json(at.element)));
        json_array_append_new(list, one);
        status = same ? TOOL_FINE : status;
    }
    tool_print_json(json_pack("{s:s, s:i, s:s, s:o}", "schema", "wsim.layout.cute", "version", 1,
                              "spelling", f->spelling, "sides", list));
    return status;
}

/* --- operands --- */

static int print_text(const struct wsim_fragments *f, const struct wsim_cute *cute) {
    int status = TOOL_FOUND;
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        enum wsim_operand operand = (enum wsim_operand)i;
        struct wsim_cute_difference at;
        if (!(f->has >> i & 1))
            continue;
        if (wsim_cute_same(cute, &f->layout[i], operand, &at)) {
            printf("%s: the same\n", wsim_operand_name(operand));
            status = TOOL_FINE;
        } else {
            screen_fold(2, "%s: not the same: value %u of %s %u is %s there, and %s of %s",
                        wsim_operand_name(operand), at.value, layout_holder(&f->layout[i]),
                        at.thread, element(&f->layout[i], operand, at.index).text,
                        element(&f->layout[i], operand, at.element).text,
                        wsim_operand_name(operand));
        }
    }
    return status;
}

static int print_json(const struct wsim_fragments *f, const struct wsim_cute *cute) {
    json_t *operands = json_array();
    int status = TOOL_FOUND;
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        enum wsim_operand operand = (enum wsim_operand)i;
        struct wsim_cute_difference at;
        int same;
        json_t *one;
        if (!(f->has >> i & 1))
            continue;
        same = wsim_cute_same(cute, &f->layout[i], operand, &at);
        one = json_pack("{s:s, s:b}", "operand", wsim_operand_name(operand), "same", same);
        if (!same)
            json_object_update_new(
                one, json_pack("{s:I, s:I, s:o, s:o}", "thread", (json_int_t)at.thread, "value",
                               (json_int_t)at.value, "index", number_json(at.index), "element",
                               number_json(at.element)));
        json_array_append_new(operands, one);
        status = same ? TOOL_FINE : status;
    }
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s?, s:o}", "schema", "wsim.layout.cute", "version",
                              1, "spelling", f->spelling, "arch",
                              f->arch ? wsim_arch_name(f->arch) : NULL, "operands", operands));
    return status;
}

int layout_cute(const struct wsim_fragments *f, const char *text, enum tool_format format) {
    struct wsim_cute cute;
    struct wsim_diag diag;
    if (format != TOOL_TEXT && format != TOOL_JSON)
        return tool_error("--cute is a question: its answer can be text or json");
    if (layout_is_list(&f->only))
        return tool_error("--cute is about whole operands, not about single elements");
    if (wsim_cute_read(text, &cute, &diag))
        return tool_refused("--cute", &diag);
    if (is_copy(f))
        return format == TOOL_JSON ? print_copy_json(f, &cute) : print_copy_text(f, &cute);
    return format == TOOL_JSON ? print_json(f, &cute) : print_text(f, &cute);
}
