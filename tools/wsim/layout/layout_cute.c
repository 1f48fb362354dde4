/* Layouts of CuTe as they are printed, ((4,8),(2,2)):((32,1),(16,8)), or as they stand in C++,
 * Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<...>>; see layout_cute.h. Modes are threads and
 * values; an index is that of a matrix by columns, of B the one of n x k, as MMA_Traits has it. */
#include "layout_cute.h"
#include "../common/text.h"

#include <ctype.h>
#include <string.h>

enum { MODES = 2, MOST = 32, DEPTH = 16, MOST_NUMBER = 1 << 30 };

/* The numbers of a shape or of strides, mode by mode, without what nests them. */
struct tuple {
    uint32_t number[MODES][MOST];
    unsigned count[MODES];
};

struct cute {
    struct tuple shape, stride;
};

struct reader {
    const char *text, *at;
    unsigned depth;
};

static int wrong(const struct reader *r, const char *what) {
    return tool_error("--cute '%s': column %u: %s", text_cut(r->text).text,
                      (unsigned)(r->at - r->text) + 1, what);
}

/* Words of C++ mean nothing here; '_' stands in front of a number that is a type. */
static void skip(struct reader *r) {
    while (*r->at && !isdigit((unsigned char)*r->at) && !strchr("(<,>):", *r->at))
        r->at++;
    while (r->at[0] == ':' && r->at[1] == ':') {
        r->at += 2;
        while (*r->at && !isdigit((unsigned char)*r->at) && !strchr("(<,>):", *r->at))
            r->at++;
    }
}

static int accept(struct reader *r, const char *any) {
    skip(r);
    if (!*r->at || !strchr(any, *r->at))
        return 0;
    r->at++;
    return 1;
}

static int read_number(struct reader *r, uint32_t *number) {
    uint64_t value = 0;
    skip(r);
    if (!isdigit((unsigned char)*r->at))
        return wrong(r, "a number or '(' is expected");
    for (; isdigit((unsigned char)*r->at); r->at++)
        if ((value = value * 10 + (uint64_t)(*r->at - '0')) > MOST_NUMBER)
            return wrong(r, "the number is too large");
    *number = (uint32_t)value;
    return TOOL_GO;
}

/* A number, or several in brackets: all of them belong to `mode`. */
static int read_mode(struct reader *r, struct tuple *tuple, unsigned mode) {
    int status;
    if (!accept(r, "(<")) {
        if (tuple->count[mode] == MOST)
            return wrong(r, "more numbers than any layout has");
        return read_number(r, &tuple->number[mode][tuple->count[mode]++]);
    }
    if (++r->depth > DEPTH)
        return wrong(r, "nested deeper than any layout");
    do
        status = read_mode(r, tuple, mode);
    while (status == TOOL_GO && accept(r, ","));
    r->depth--;
    if (status == TOOL_GO && !accept(r, ")>"))
        return wrong(r, "')' or ',' is expected");
    return status;
}

/* "(threads,values)". */
static int read_tuple(struct reader *r, struct tuple *tuple) {
    int status = accept(r, "(<") ? TOOL_GO : wrong(r, "'(' is expected");
    for (unsigned mode = 0; mode < MODES && status == TOOL_GO; mode++) {
        if (mode && !accept(r, ","))
            return wrong(r, "',' is expected: a layout of threads and values has two modes");
        status = read_mode(r, tuple, mode);
    }
    if (status == TOOL_GO && !accept(r, ")>"))
        return wrong(r, "')' is expected: a layout of threads and values has two modes");
    return status;
}

static int read_layout(const char *text, struct cute *cute) {
    struct reader r = {text, text, 0};
    int outer, status;
    memset(cute, 0, sizeof *cute);
    skip(&r);
    outer = *r.at == '<'; /* Layout<Shape, Stride> */
    r.at += outer;
    status = read_tuple(&r, &cute->shape);
    if (status == TOOL_GO && !accept(&r, outer ? "," : ":"))
        return wrong(&r, outer ? "',' is expected" : "':' is expected");
    if (status == TOOL_GO)
        status = read_tuple(&r, &cute->stride);
    if (status == TOOL_GO && outer && !accept(&r, ">"))
        return wrong(&r, "'>' is expected");
    skip(&r);
    if (status == TOOL_GO && *r.at)
        return wrong(&r, "the layout should end here");
    for (unsigned mode = 0; mode < MODES && status == TOOL_GO; mode++)
        if (cute->shape.count[mode] != cute->stride.count[mode])
            return wrong(&r, "shape and strides have not as many numbers");
    return status;
}

static uint64_t size_of(const struct cute *cute, unsigned mode) {
    uint64_t size = 1;
    for (unsigned i = 0; i < cute->shape.count[mode] && size <= MOST_NUMBER; i++)
        size *= cute->shape.number[mode][i];
    return size;
}

/* Colexicographic: the first number goes fastest. No shape is 0 here. */
static uint64_t part(const struct cute *cute, unsigned mode, unsigned at) {
    uint64_t index = 0;
    for (unsigned i = 0; i < cute->shape.count[mode]; i++) {
        uint32_t shape = cute->shape.number[mode][i];
        index += (uint64_t)(at % shape) * cute->stride.number[mode][i];
        at /= shape;
    }
    return index;
}

/* --- the answer --- */

struct answer {
    const struct wsim_fragments *fragments;
    const struct wsim_layout *layout;
    enum wsim_operand operand;
    int same;
    unsigned lane, elem;
    struct wsim_coord holds;
    uint64_t given; /* the index that the layout has there */
};

/* Rows of the matrix whose columns CuTe counts through: of B those are n. */
static uint64_t index_of(const struct answer *a, struct wsim_coord at) {
    return a->operand == WSIM_B ? at.col + (uint64_t)at.row * a->layout->cols
                                : at.row + (uint64_t)at.col * a->layout->rows;
}

static struct wsim_coord coord_of(const struct answer *a, uint64_t index) {
    unsigned first = a->operand == WSIM_B ? a->layout->cols : a->layout->rows;
    uint16_t low = (uint16_t)(index % first), high = (uint16_t)(index / first);
    return a->operand == WSIM_B ? (struct wsim_coord){0, high, low}
                                : (struct wsim_coord){0, low, high};
}

static int is_inside(const struct answer *a) {
    return a->given < (uint64_t)a->layout->rows * a->layout->cols;
}

static void compare(const struct cute *cute, struct answer *a) {
    for (a->lane = 0; a->lane < a->layout->lanes; a->lane++)
        for (a->elem = 0; a->elem < a->layout->elems; a->elem++) {
            a->holds = wsim_layout_coord(a->layout, a->lane, a->elem);
            a->given = part(cute, 0, a->lane) + part(cute, 1, a->elem);
            if (index_of(a, a->holds) != a->given)
                return;
        }
    a->same = 1;
}

static void print_text(const struct answer *a) {
    const char *name = wsim_operand_name(a->operand);
    struct wsim_coord given = coord_of(a, a->given);
    if (a->same) {
        printf("the same: operand %s of %s\n", name, a->fragments->spelling);
        return;
    }
    printf(
        "another: operand %s of %s has row %u, column %u\n  in lane %u, value %u, and the layout ",
        name, a->fragments->spelling, a->holds.row, a->holds.col, a->lane, a->elem);
    if (is_inside(a))
        printf("row %u, column %u\n", given.row, given.col);
    else
        printf("index %llu, outside of the matrix\n", (unsigned long long)a->given);
}

static void print_json(const struct answer *a) {
    struct wsim_coord given = coord_of(a, a->given);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:b}", "schema", "wsim.layout.cute", "version",
                             1, "spelling", a->fragments->spelling, "operand",
                             wsim_operand_name(a->operand), "same", a->same);
    if (!a->same)
        json_object_update_new(root,
                               json_pack("{s:i, s:i, s:{s:i, s:i}, s:I}", "lane", (int)a->lane,
                                         "element", (int)a->elem, "holds", "row", a->holds.row,
                                         "col", a->holds.col, "index", (json_int_t)a->given));
    if (!a->same && is_inside(a))
        json_object_set_new(root, "given",
                            json_pack("{s:i, s:i}", "row", given.row, "col", given.col));
    tool_print_json(root);
}

int layout_cute(const struct wsim_fragments *fragments, const char *text, enum tool_format format) {
    struct answer a = {.fragments = fragments};
    struct cute cute;
    int status;
    while (!(fragments->has >> a.operand & 1))
        a.operand++;
    a.layout = &fragments->layout[a.operand];
    if (fragments->has >> a.operand != 1)
        return tool_error("--cute is held against one operand: --operand a, b, c or d");
    if (a.operand > WSIM_C || a.layout->batches > 1)
        return tool_error("--cute: operand %s of %s is no single matrix",
                          wsim_operand_name(a.operand), fragments->spelling);
    if (!(format & (TOOL_TEXT | TOOL_JSON)))
        return tool_error("--cute: the answer can be text or json");
    status = read_layout(text, &cute);
    if (status != TOOL_GO)
        return status;
    if (size_of(&cute, 0) != a.layout->lanes || size_of(&cute, 1) != a.layout->elems)
        return tool_error(
            "--cute: the layout has %llu threads and %llu values, operand %s of %s %u "
            "and %u",
            (unsigned long long)size_of(&cute, 0), (unsigned long long)size_of(&cute, 1),
            wsim_operand_name(a.operand), fragments->spelling, a.layout->lanes, a.layout->elems);
    compare(&cute, &a);
    (format == TOOL_JSON ? print_json : print_text)(&a);
    return a.same ? TOOL_FINE : TOOL_FOUND;
}
