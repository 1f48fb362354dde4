/* Layouts in the notation of CuTe; see cute.h. A bit of a place is a mode of shape 2, and
 * neighbouring bits whose strides double are one. */
#include "../base/base.h"

#include <wsim/harness/cute.h>

static uint32_t row_of(uint32_t packed) {
    return packed & 0xFFF;
}

static uint32_t col_of(uint32_t packed) {
    return packed >> 12 & 0xFFF;
}

/* The number of an element. */
static uint32_t number_of(const struct wsim_layout *layout, enum wsim_operand operand,
                          uint32_t packed) {
    return operand == WSIM_B ? col_of(packed) + layout->cols * row_of(packed)
                             : row_of(packed) + layout->rows * col_of(packed);
}

static unsigned bits_of(unsigned count) {
    unsigned bits = 0;
    while (1u << bits < count)
        bits++;
    return bits;
}

/* Modes as they are worded: shapes in one text, strides in the other. */
struct words {
    char shape[96], stride[96];
    struct base_text shapes, strides;
    unsigned count;
};

static void add_mode(struct words *w, uint32_t shape, uint32_t stride) {
    base_put(&w->shapes, "%s%u", w->count ? "," : "", shape);
    base_put(&w->strides, "%s%u", w->count ? "," : "", stride);
    w->count++;
}

static void open_words(struct words *w) {
    w->shapes = (struct base_text){w->shape, sizeof w->shape, 0};
    w->strides = (struct base_text){w->stride, sizeof w->stride, 0};
    w->count = 0;
}

/* Words `count` threads or values whose bits flip `bit`; 0: no shape has so many. */
static int word_bits(const struct wsim_layout *layout, enum wsim_operand operand,
                     const uint32_t *bit, unsigned count, struct words *w) {
    unsigned bits = bits_of(count), first = 0;
    open_words(w);
    while (first < bits) {
        uint32_t stride = number_of(layout, operand, bit[first]);
        unsigned end = first + 1;
        while (end < bits && number_of(layout, operand, bit[end]) == stride << (end - first))
            end++;
        if (end == bits && count % (1u << first))
            return 0;
        add_mode(w, end == bits ? count >> first : 1u << (end - first), stride);
        first = end;
    }
    if (bits == 0)
        add_mode(w, 1, 0);
    return 1;
}

/* Whether no bit of a coordinate is flipped twice: then flipping is adding. */
static int is_sum(const struct wsim_layout *layout) {
    uint32_t seen = 0;
    unsigned lanes = bits_of(layout->lanes), elems = bits_of(layout->elems);
    for (unsigned i = 0; i < lanes + elems; i++) {
        uint32_t bit = i < lanes ? layout->lane[i] : layout->elem[i - lanes];
        if (seen & bit)
            return 0;
        seen |= bit;
    }
    return 1;
}

static const char *open_group(const struct words *w) {
    return w->count > 1 ? "(" : "";
}

static const char *close_group(const struct words *w) {
    return w->count > 1 ? ")" : "";
}

enum wsim_status wsim_cute_write(const struct wsim_layout *layout, enum wsim_operand operand,
                                 char out[WSIM_CUTE_TEXT], struct wsim_diag *diag) {
    struct base_text text = {out, WSIM_CUTE_TEXT, 0};
    struct words threads, values;
    if (layout->batches > 1)
        return base_refuse(diag, RULE_CUTE_LAYOUT_NONE, 0,
                           "it holds %u matrices, and a layout of CuTe is of one", layout->batches);
    if (!is_sum(layout) || !word_bits(layout, operand, layout->lane, layout->lanes, &threads) ||
        !word_bits(layout, operand, layout->elem, layout->elems, &values))
        return base_refuse(diag, RULE_CUTE_LAYOUT_NONE, 0,
                           "two bits of lane and element flip the same bit of a coordinate: no "
                           "shape with strides does that");
    base_put(&text, "(%s%s%s,%s%s%s):(%s%s%s,%s%s%s)", open_group(&threads), threads.shape,
             close_group(&threads), open_group(&values), values.shape, close_group(&values),
             open_group(&threads), threads.stride, close_group(&threads), open_group(&values),
             values.stride, close_group(&values));
    return WSIM_OK;
}

/* --- to compare --- */

uint32_t wsim_cute_index(const struct wsim_cute *cute, uint32_t thread, uint32_t value) {
    uint32_t index = 0, left = thread;
    for (uint32_t i = 0; i < cute->modes; i++) {
        if (i == cute->thread_modes)
            left = value;
        index += left % cute->shape[i] * cute->stride[i];
        left /= cute->shape[i];
    }
    return index;
}

int wsim_cute_same(const struct wsim_cute *cute, const struct wsim_layout *layout,
                   enum wsim_operand operand, struct wsim_cute_difference *difference) {
    uint32_t threads = cute->threads > layout->lanes ? cute->threads : layout->lanes;
    uint32_t values = cute->values > layout->elems ? cute->values : layout->elems;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t v = 0; v < values; v++) {
            uint32_t index = t < cute->threads && v < cute->values ? wsim_cute_index(cute, t, v)
                                                                   : WSIM_CUTE_NONE;
            uint32_t element = t < layout->lanes && v < layout->elems && layout->batches == 1
                                   ? number_of(layout, operand,
                                               wsim_layout_apply(layout->lane, layout->elem, t, v))
                                   : WSIM_CUTE_NONE;
            if (index != element) {
                *difference = (struct wsim_cute_difference){t, v, index, element};
                return 0;
            }
        }
    return 1;
}
