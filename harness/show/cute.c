/* Layouts in the notation of CuTe; see cute.h. A bit of a place is a mode of shape 2. Neighbouring
 * bits whose strides double become one mode. */
#include "../../sim/base/base.h"

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

/* Modes in words: shapes in one text, strides in the other. */
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

/* Words `count` threads or values whose bits have these strides; 0: no shape has this many. */
static int word_bits(const uint32_t *strides, unsigned count, struct words *w) {
    unsigned bits = bits_of(count), first = 0;
    open_words(w);
    while (first < bits) {
        uint32_t stride = strides[first];
        unsigned end = first + 1;
        while (end < bits && strides[end] == stride << (end - first))
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

/* The strides of bits of a place in a matrix. */
static const uint32_t *strides_of(const struct wsim_layout *layout, enum wsim_operand operand,
                                  const uint32_t *bit, unsigned count, uint32_t strides[32]) {
    for (unsigned i = 0; i < bits_of(count); i++)
        strides[i] = number_of(layout, operand, bit[i]);
    return strides;
}

/* True if no bit of a coordinate is flipped twice: flipping is then adding. */
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

static void put_both(char out[WSIM_CUTE_TEXT], const struct words *threads,
                     const struct words *values) {
    struct base_text text = {out, WSIM_CUTE_TEXT, 0};
    base_put(&text, "(%s%s%s,%s%s%s):(%s%s%s,%s%s%s)", open_group(threads), threads->shape,
             close_group(threads), open_group(values), values->shape, close_group(values),
             open_group(threads), threads->stride, close_group(threads), open_group(values),
             values->stride, close_group(values));
}

enum wsim_status wsim_cute_write(const struct wsim_layout *layout, enum wsim_operand operand,
                                 char out[WSIM_CUTE_TEXT], struct wsim_diag *diag) {
    uint32_t lanes[32], elems[32];
    struct words threads, values;
    if (layout->batches > 1)
        return base_refuse(diag, RULE_CUTE_LAYOUT_NONE, 0,
                           "it has %u matrices, and a layout of CuTe has one", layout->batches);
    if (!is_sum(layout) ||
        !word_bits(strides_of(layout, operand, layout->lane, layout->lanes, lanes), layout->lanes,
                   &threads) ||
        !word_bits(strides_of(layout, operand, layout->elem, layout->elems, elems), layout->elems,
                   &values))
        return base_refuse(diag, RULE_CUTE_LAYOUT_NONE, 0,
                           "two bits of lane and element flip the same bit of a coordinate: no "
                           "shape with strides does that");
    put_both(out, &threads, &values);
    return WSIM_OK;
}

/* --- copies --- */

/* Bits of memory that a place in registers holds: rows of 16 bytes one after another, and then
 * the next matrix. Bits of a value come before elements. */
enum { ROW_BITS = 128, PLACES = 32 };

struct side {
    uint32_t thread[PLACES], value[PLACES];
    unsigned threads, values;
};

static uint32_t bit_of(const struct wsim_layout *layout, uint32_t packed) {
    return ((packed >> 24) * layout->rows + row_of(packed)) * ROW_BITS +
           col_of(packed) * layout->elem_bits;
}

static void in_registers(const struct wsim_layout *layout, struct side *side) {
    unsigned low = bits_of(layout->elem_bits);
    side->threads = layout->lanes;
    side->values = (unsigned)layout->elems * layout->elem_bits;
    for (unsigned i = 0; i < bits_of(layout->lanes); i++)
        side->thread[i] = bit_of(layout, layout->lane[i]);
    for (unsigned i = 0; i < bits_of(side->values); i++)
        side->value[i] = i < low ? 1u << i : bit_of(layout, layout->elem[i - low]);
}

/* Each lane gives a row; those beyond the last one give the first ones again. */
static void in_memory(const struct wsim_op *op, const struct wsim_layout *layout,
                      struct side *side) {
    struct wsim_coord at;
    side->threads = WSIM_LANES;
    side->values = ROW_BITS;
    for (unsigned i = 0; i < bits_of(WSIM_LANES); i++)
        side->thread[i] = wsim_move_row(op, 1u << i, &at, NULL) == WSIM_OK
                              ? ((uint32_t)at.batch * layout->rows + at.row) * ROW_BITS
                              : 0;
    for (unsigned i = 0; i < bits_of(ROW_BITS); i++)
        side->value[i] = 1u << i;
}

/* The registers of a move: the destination of ldmatrix, the source of stmatrix, both of movmatrix.
 */
static enum wsim_status read_side(const struct wsim_op *op, enum wsim_cute_side which,
                                  struct side *side, struct wsim_diag *diag) {
    struct wsim_op_info info = wsim_op_describe(op);
    int source = which == WSIM_CUTE_SRC;
    struct wsim_layout layout;
    int exchanges = (info.does & WSIM_DOES_EXCHANGE) != 0;
    enum wsim_operand operand = info.does & WSIM_DOES_STORE ? WSIM_R
                                : exchanges && source       ? WSIM_A
                                                            : WSIM_D;
    enum wsim_status status;
    if (!info.matrices)
        return base_refuse(diag, RULE_CUTE_COPY_NONE, 0,
                           "source and destination of a copy are those of ldmatrix, stmatrix and "
                           "movmatrix");
    status = wsim_op_layout(op, NULL, operand, &layout, diag);
    if (status)
        return status;
    if (exchanges || source == (operand == WSIM_R))
        in_registers(&layout, side);
    else
        in_memory(op, &layout, side);
    return WSIM_OK;
}

enum wsim_status wsim_cute_write_copy(const struct wsim_op *op, enum wsim_cute_side which,
                                      char out[WSIM_CUTE_TEXT], struct wsim_diag *diag) {
    struct words threads, values;
    struct side side;
    enum wsim_status status = read_side(op, which, &side, diag);
    if (status)
        return status;
    word_bits(side.thread, side.threads, &threads);
    word_bits(side.value, side.values, &values);
    put_both(out, &threads, &values);
    return WSIM_OK;
}

/* The strides of the bits of a number that are set, together. */
static uint32_t sum(const uint32_t *strides, uint32_t number) {
    uint32_t all = 0;
    for (unsigned i = 0; number >> i; i++)
        all += (number >> i & 1) * strides[i];
    return all;
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

int wsim_cute_same_copy(const struct wsim_cute *cute, const struct wsim_op *op,
                        enum wsim_cute_side which, struct wsim_cute_difference *difference) {
    struct side side = {.threads = 0};
    uint32_t threads, values;
    read_side(op, which, &side, NULL);
    threads = cute->threads > side.threads ? cute->threads : side.threads;
    values = cute->values > side.values ? cute->values : side.values;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t v = 0; v < values; v++) {
            uint32_t index = t < cute->threads && v < cute->values ? wsim_cute_index(cute, t, v)
                                                                   : WSIM_CUTE_NONE;
            uint32_t bit = t < side.threads && v < side.values
                               ? sum(side.thread, t) + sum(side.value, v)
                               : WSIM_CUTE_NONE;
            if (index != bit) {
                *difference = (struct wsim_cute_difference){t, v, index, bit};
                return 0;
            }
        }
    return side.threads > 0;
}
