/* Reads TV layouts as CuTe prints them, and as C++ writes them; see cute.h. */
#include "../../sim/base/base.h"

#include <wsim/harness/cute.h>

#include <string.h>

enum { MOST_PLACES = 4096, MOST_STRIDE = 1 << 24, DEPTH = 6 };

struct reader {
    const char *text, *at;
    struct wsim_diag *diag;
};

static uint32_t column(const struct reader *r) {
    return (uint32_t)(r->at - r->text) + 1;
}

static void skip_blanks(struct reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static enum wsim_status expected(const struct reader *r, const char *what) {
    return base_refuse(r->diag, RULE_CUTE_TEXT_SYNTAX, column(r),
                       "%s is expected; a layout of threads and values is like "
                       "((4,8),(2,2)):((32,1),(16,8))",
                       what);
}

/* Takes a word of C++, or a character. */
static int take(struct reader *r, const char *word) {
    size_t length = strlen(word);
    skip_blanks(r);
    if (strncmp(r->at, word, length) != 0)
        return 0;
    r->at += length;
    return 1;
}

/* 4, _4, Int<4> or _4{} */
static enum wsim_status read_number(struct reader *r, uint32_t most, uint32_t *number) {
    int wrapped;
    uint32_t n = 0, from;
    while (take(r, "cute::"))
        ;
    wrapped = take(r, "Int<");
    if (!wrapped)
        take(r, "_");
    skip_blanks(r);
    from = column(r);
    if (*r->at < '0' || *r->at > '9')
        return expected(r, "a number");
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if ((n = n * 10 + (uint32_t)(*r->at - '0')) > most)
            return base_refuse(r->diag, RULE_CUTE_LAYOUT_RANGE, from, "a number here is at most %u",
                               most);
    if (wrapped && !take(r, ">"))
        return expected(r, "'>'");
    take(r, "{}");
    *number = n;
    return WSIM_OK;
}

/* The numbers of a shape or of its strides, each with its depth, so that the two can be
 * compared. */
struct list {
    uint32_t number[WSIM_CUTE_MODES];
    uint8_t depth[WSIM_CUTE_MODES], opened[WSIM_CUTE_MODES];
    uint32_t count, first_end; /* numbers of all; of the first part */
};

static const char *closing(struct reader *r) {
    static const char *const words[] = {"cute::", "Shape<", "Stride<", "Step<", "tuple<", "("};
    take(r, words[0]);
    for (size_t i = 1; i < sizeof words / sizeof *words; i++)
        if (take(r, words[i]))
            return *words[i] == '(' ? ")" : ">";
    return NULL;
}

static enum wsim_status read_part(struct reader *r, uint32_t most, unsigned depth,
                                  struct list *list) {
    const char *close = closing(r);
    unsigned part = 0;
    if (!close) {
        if (list->count == WSIM_CUTE_MODES)
            return base_refuse(r->diag, RULE_CUTE_LAYOUT_RANGE, column(r),
                               "there are more than %d modes", WSIM_CUTE_MODES);
        list->depth[list->count] = (uint8_t)depth;
        return read_number(r, most, &list->number[list->count++]);
    }
    if (depth == DEPTH)
        return base_refuse(r->diag, RULE_CUTE_LAYOUT_RANGE, column(r),
                           "modes are nested at most %d groups deep", DEPTH);
    do {
        enum wsim_status status;
        if (part++ && depth == 0)
            list->first_end = list->first_end ? list->first_end : list->count;
        status = read_part(r, most, depth + 1, list);
        if (status)
            return status;
    } while (take(r, ","));
    if (!take(r, close))
        return expected(r, *close == ')' ? "',' or ')'" : "',' or '>'");
    if (depth == 0 && part != 2)
        return base_refuse(r->diag, RULE_CUTE_TEXT_SYNTAX, 0,
                           "a layout of threads and values has two parts, this one %u", part);
    return WSIM_OK;
}

static uint64_t product(const struct list *list, uint32_t from, uint32_t end) {
    uint64_t n = 1;
    for (; from < end; from++)
        if ((n *= list->number[from]) > MOST_PLACES)
            return MOST_PLACES + 1;
    return n;
}

static enum wsim_status check(const struct reader *r, const struct list *shape,
                              const struct list *stride) {
    uint64_t threads = product(shape, 0, shape->first_end);
    uint64_t values = product(shape, shape->first_end, shape->count);
    if (shape->count != stride->count || shape->first_end != stride->first_end ||
        memcmp(shape->depth, stride->depth, shape->count) != 0)
        return base_refuse(r->diag, RULE_CUTE_TEXT_SYNTAX, 0,
                           "the shape has %u modes and there are %u strides: each mode has one, in "
                           "the same groups",
                           shape->count, stride->count);
    if (threads == 0 || threads > MOST_PLACES || values == 0 || values > MOST_PLACES)
        return base_refuse(r->diag, RULE_CUTE_LAYOUT_RANGE, 0, "threads, and values, are 1 to %d",
                           MOST_PLACES);
    return WSIM_OK;
}

static enum wsim_status read_both(struct reader *r, struct list *shape, struct list *stride) {
    int wrapped;
    enum wsim_status status;
    take(r, "cute::");
    wrapped = take(r, "Layout<");
    status = closing(&(struct reader){r->text, r->at, NULL}) ? read_part(r, MOST_PLACES, 0, shape)
                                                             : expected(r, "'('");
    if (status)
        return status;
    if (!take(r, wrapped ? "," : ":"))
        return expected(r, wrapped ? "','" : "':'");
    status = closing(&(struct reader){r->text, r->at, NULL})
                 ? read_part(r, MOST_STRIDE - 1, 0, stride)
                 : expected(r, "'('");
    if (status)
        return status;
    if (wrapped && !take(r, ">"))
        return expected(r, "'>'");
    take(r, "{}");
    take(r, ";");
    skip_blanks(r);
    return *r->at ? expected(r, "the end") : WSIM_OK;
}

enum wsim_status wsim_cute_read(const char *text, struct wsim_cute *cute, struct wsim_diag *diag) {
    struct reader reader = {text, text, diag};
    struct list shape, stride;
    enum wsim_status status;
    memset(&shape, 0, sizeof shape);
    memset(&stride, 0, sizeof stride);
    status = read_both(&reader, &shape, &stride);
    if (!status)
        status = check(&reader, &shape, &stride);
    if (status)
        return status;
    memcpy(cute->shape, shape.number, sizeof cute->shape);
    memcpy(cute->stride, stride.number, sizeof cute->stride);
    cute->modes = shape.count;
    cute->thread_modes = shape.first_end;
    cute->threads = (uint32_t)product(&shape, 0, shape.first_end);
    cute->values = (uint32_t)product(&shape, shape.first_end, shape.count);
    return WSIM_OK;
}
