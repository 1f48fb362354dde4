/* wsim layout --cute: whether a layout of threads and values is that of an operand. */
#include "layout.h"

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

/* The first difference between the layout and that of `name`; NULL: there is none. */
static int state_one(struct doc *doc, const char *kind, const char *name,
                     const struct wsim_cute_difference *at) {
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:s, s:b}", kind, name, "same", at == NULL);
    if (at)
        doc_pack(doc, "{s:I, s:I, s:o}", "thread", (json_int_t)at->thread, "value",
                 (json_int_t)at->value, "index", number_json(at->index));
    else
        doc_line(doc, "%s: the same", name);
    return at ? TOOL_FOUND : TOOL_FINE;
}

static int state_copy(struct doc *doc, const struct wsim_fragments *f,
                      const struct wsim_cute *cute) {
    int status = TOOL_FOUND;
    doc_list(doc, "sides");
    for (int i = WSIM_CUTE_SRC; i <= WSIM_CUTE_DST; i++) {
        struct wsim_cute_difference at;
        const int same = wsim_cute_same_copy(cute, f->op, (enum wsim_cute_side)i, &at);
        if (state_one(doc, "side", sides[i], same ? NULL : &at) == TOOL_FINE)
            status = TOOL_FINE;
        else
            doc_fact(doc, "bit", number_json(at.element),
                     "%s: not the same: value %u of thread %u is %s there, and %s of %s", sides[i],
                     at.value, at.thread, bit(at.index).text, bit(at.element).text, sides[i]);
        doc_leave(doc);
    }
    doc_leave(doc);
    return status;
}

static int state_operands(struct doc *doc, const struct wsim_fragments *f,
                          const struct wsim_cute *cute) {
    int status = TOOL_FOUND;
    doc_set(doc, "arch", f->arch ? json_string(wsim_arch_name(f->arch)) : NULL);
    doc_list(doc, "operands");
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        const enum wsim_operand operand = (enum wsim_operand)i;
        const char *name = wsim_operand_name(operand);
        const struct wsim_layout *layout = &f->layout[i];
        struct wsim_cute_difference at;
        int same;
        if (!(f->has >> i & 1))
            continue;
        same = wsim_cute_same(cute, layout, operand, &at);
        if (state_one(doc, "operand", name, same ? NULL : &at) == TOOL_FINE)
            status = TOOL_FINE;
        else
            doc_fact(doc, "element", number_json(at.element),
                     "%s: not the same: value %u of %s %u is %s there, and %s of %s", name,
                     at.value, layout_holder(layout), at.thread,
                     element(layout, operand, at.index).text,
                     element(layout, operand, at.element).text, name);
        doc_leave(doc);
    }
    doc_leave(doc);
    return status;
}

int layout_cute(struct doc *doc, const struct wsim_fragments *f, const char *text) {
    struct wsim_cute cute;
    struct wsim_diag diag;
    if (!doc_is(doc, TOOL_TEXT | TOOL_JSON))
        tool_fail("--cute is a question: its answer can be text or json");
    if (layout_is_list(&f->only))
        tool_fail("--cute is about whole operands, not about single elements");
    if (wsim_cute_read(text, &cute, &diag))
        tool_refuse("--cute", &diag);
    doc_pack(doc, "{s:s, s:s}", "schema", "wsim.layout.cute", "spelling", f->spelling);
    return is_copy(f) ? state_copy(doc, f, &cute) : state_operands(doc, f, &cute);
}
