/* The fields of a tensor map: lists, names, and the parameters. Their rules are checked
 * elsewhere. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>

static enum wsim_status no_list(struct trace_span value, size_t at, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_TRACE_LIST_SYNTAX, value.col + (uint32_t)at,
                       "not a list of decimal numbers separated by commas");
}

/* One number of a list, from *at to a comma or the end; *at moves there. */
static enum wsim_status read_entry(struct trace_span value, size_t *at, uint64_t *out,
                                   struct wsim_diag *diag) {
    size_t start = *at;
    int minus = start < value.length && value.at[start] == '-';
    uint64_t n = 0;
    start += (size_t)minus;
    for (*at = start; *at < value.length && value.at[*at] != ','; ++*at) {
        unsigned digit = (unsigned)(value.at[*at] - '0');
        if (digit > 9)
            return no_list(value, *at, diag);
        if (n > ((minus ? (uint64_t)INT64_MAX + 1 : UINT64_MAX) - digit) / 10)
            return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, value.col + (uint32_t)start,
                               "the number does not fit in 64 bits");
        n = n * 10 + digit;
    }
    *out = minus ? 0 - n : n;
    return *at == start ? no_list(value, *at, diag) : WSIM_OK;
}

enum wsim_status trace_list_read(struct trace_list *list, struct trace_span value,
                                 struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    size_t at = 0;
    list->count = 0;
    while (value.length && !status && at <= value.length) {
        if (list->count == TRACE_LIST_MAX)
            return base_refuse(diag, RULE_TRACE_LIST_COUNT, value.col + (uint32_t)at,
                               "a list has at most %d numbers", TRACE_LIST_MAX);
        status = read_entry(value, &at, &list->at[list->count++], diag);
        at++;
    }
    return status;
}

static enum wsim_tensor_list names_of(enum trace_field_id field) {
    return field == TRACE_DTYPE        ? WSIM_TENSOR_LIST_DTYPE
           : field == TRACE_INTERLEAVE ? WSIM_TENSOR_LIST_INTERLEAVE
           : field == TRACE_SWIZZLE    ? WSIM_TENSOR_LIST_SWIZZLE
                                       : WSIM_TENSOR_LIST_OOB;
}

enum wsim_status trace_name_read(uint64_t *number, enum trace_field_id field,
                                 struct trace_span value, struct wsim_diag *diag) {
    char list[WSIM_DIAG_TEXT] = "";
    struct base_text names = {list, sizeof list, 0};
    const char *name;
    for (*number = 0; (name = wsim_tensor_name(names_of(field), (unsigned)*number)); ++*number) {
        if (strlen(name) == value.length && memcmp(name, value.at, value.length) == 0)
            return WSIM_OK;
        base_put(&names, " %s", name);
    }
    return base_refuse(diag, RULE_TRACE_NAME_UNKNOWN, value.col, "'%.*s' is none of%s",
                       (int)(value.length < 40 ? value.length : 40), value.at, list);
}

/* --- parameters --- */

/* The driver takes 32 bits. */
static enum wsim_status check_width(uint64_t number, unsigned bits, enum trace_field_id field,
                                    struct trace_span line, struct wsim_diag *diag) {
    int is_signed = field == TRACE_LOWER || field == TRACE_UPPER;
    int64_t value = (int64_t)number;
    if (is_signed ? value >= INT32_MIN && value <= INT32_MAX : bits == 64 || number <= UINT32_MAX)
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, line.col,
                       "field '%s': a number does not fit in 32 bits", trace_fields[field].name);
}

/* The first `n` entries of a list; like the driver, ignores further ones. */
static enum wsim_status take(const struct trace_case *now, enum trace_field_id field, unsigned n,
                             unsigned bits, void *out, struct trace_span line,
                             struct wsim_diag *diag) {
    const struct trace_list *list = &now->list[field];
    unsigned i, count = trace_has(now, field) ? list->count : 0;
    enum wsim_status status = WSIM_OK;
    if (count < n)
        return base_refuse(diag, RULE_TRACE_LIST_COUNT, line.col,
                           "field '%s' has %u numbers, not %u", trace_fields[field].name, count, n);
    for (i = 0; i < n && !status; i++) {
        status = check_width(list->at[i], bits, field, line, diag);
        if (bits == 64)
            ((uint64_t *)out)[i] = list->at[i];
        else
            ((uint32_t *)out)[i] = (uint32_t)list->at[i];
    }
    return status;
}

static enum wsim_status take_scalar(const struct trace_case *now, enum trace_field_id field,
                                    uint32_t *out, struct trace_span line, struct wsim_diag *diag) {
    uint64_t number = trace_has(now, field) ? now->number[field] : 0;
    *out = (uint32_t)number;
    return check_width(number, 32, field, line, diag);
}

static enum wsim_status take_lists(struct trace_case *now, struct trace_span line,
                                   struct wsim_diag *diag) {
    struct wsim_tensor *t = &now->tensor;
    int im2col = t->mode == WSIM_TENSOR_IM2COL;
    unsigned rank =
        t->rank > WSIM_TENSOR_RANK ? 0 : t->rank; /* no list is read under such a rank */
    unsigned spatial = im2col && rank > 2 ? rank - 2 : 0;
    enum wsim_status status = take(now, TRACE_DIMS, rank, 64, t->dims, line, diag);
    if (!status)
        status = take(now, TRACE_STRIDES, rank ? rank - 1 : 0, 64, t->strides, line, diag);
    if (!status)
        status = take(now, TRACE_ESTRIDES, rank, 32, t->estrides, line, diag);
    if (!status)
        status = take(now, TRACE_BOX, im2col ? 0 : rank, 32, t->box, line, diag);
    if (!status)
        status = take(now, TRACE_LOWER, spatial, 32, t->lower, line, diag);
    return status ? status : take(now, TRACE_UPPER, spatial, 32, t->upper, line, diag);
}

enum wsim_status trace_map_read(struct trace_case *now, struct trace_span line,
                                struct wsim_diag *diag) {
    struct wsim_tensor *t = &now->tensor;
    enum wsim_status status;
    memset(t, 0, sizeof *t);
    t->mode = now->family == TRACE_FAMILY_IM2COL || trace_has(now, TRACE_CHANNELS)
                  ? WSIM_TENSOR_IM2COL
                  : WSIM_TENSOR_TILED;
    t->dtype = (enum wsim_tensor_type)now->number[TRACE_DTYPE];
    t->interleave = (enum wsim_tensor_interleave)now->number[TRACE_INTERLEAVE];
    t->swizzle = (enum wsim_swizzle)now->number[TRACE_SWIZZLE];
    t->oob = (enum wsim_tensor_fill)now->number[TRACE_OOB];
    t->base = now->number[TRACE_BASE];
    status = take_scalar(now, TRACE_RANK, &t->rank, line, diag);
    if (!status)
        status = take_scalar(now, TRACE_L2, &t->l2, line, diag);
    if (!status)
        status = take_scalar(now, TRACE_CHANNELS, &t->channels, line, diag);
    if (!status)
        status = take_scalar(now, TRACE_PIXELS, &t->pixels, line, diag);
    return status ? status : take_lists(now, line, diag);
}
