/* Rows of A times columns of B. Decodes a row, multiplies it by each column, and stores the
 * results by the layout of D. */
#include "map.h"
#include "product.h"

void product_start(struct product *p, const struct wsim_code *code) {
    const struct wsim_code_product *how = &work_of(code)->product;
    *p = (struct product){.how = how, .work = work_of(code), .adds = 1};
    p->fused = (struct num_fused){
        .frac = how->frac,
        .keep = how->keep,
        .floor = how->floor,
        .width = how->width,
        .result = {how->result, how->result_frac, how->rounding},
    };
}

unsigned product_at_once(const struct wsim_code_product *how) {
    unsigned count = PRODUCT_MAX_LIST / how->k_dense;
    if (count > PRODUCT_MAX_COLUMNS)
        count = PRODUCT_MAX_COLUMNS;
    return count < how->batch_cols ? count : how->batch_cols;
}

void product_decode(const struct wsim_code_product *how, const struct wsim_format *from,
                    const struct wsim_format *in, unsigned width, unsigned negate, uint64_t bits,
                    const struct product_list *list, unsigned at) {
    if (from != in) {
        bits = num_convert(from, in, bits);
        width = in->bits;
    }
    if (!product_decodes(how)) {
        list->bits[at] = bits;
        return;
    }
    list->num[at] = num_decode(in, width, bits);
    if (negate)
        list->num[at].sig = -list->num[at].sig;
}

/* --- places --- */

static unsigned combine(const uint16_t *bits, unsigned number) {
    unsigned place = 0;
    for (; number; number >>= 1, bits++)
        if (number & 1)
            place ^= *bits;
    return place;
}

/* Word `word` of an operand, of the thread that `place` is in. */
static unsigned row_of(const struct product *p, unsigned word, unsigned place) {
    return word * p->work->warps + place % MAP_THREADS / WSIM_LANES;
}

static uint32_t in_at(const struct product *p, unsigned word, unsigned place) {
    unsigned row = row_of(p, word, place);
    return p->c.rows ? p->c.rows[row][place % WSIM_LANES]
                     : p->c.words[row * WSIM_LANES + place % WSIM_LANES];
}

static uint32_t *out_at(const struct product *p, unsigned word, unsigned place) {
    unsigned row = row_of(p, word, place);
    return (p->d.rows ? p->d.rows[row] : p->d.words + row * WSIM_LANES) + place % WSIM_LANES;
}

static uint64_t get(const struct product *p, unsigned place, unsigned bits) {
    unsigned bit = (place >> MAP_ELEM_BIT) * bits;
    uint64_t value = in_at(p, bit / 32, place) >> bit % 32;
    if (bits == 64)
        return value | (uint64_t)in_at(p, bit / 32 + 1, place) << 32;
    return bits == 16 ? value & 0xFFFF : value;
}

static void set(const struct product *p, unsigned place, unsigned bits, uint64_t value) {
    unsigned bit = (place >> MAP_ELEM_BIT) * bits;
    uint32_t *word = out_at(p, bit / 32, place);
    if (bits == 16) {
        *word = (*word & ~(UINT32_C(0xFFFF) << bit % 32)) | (uint32_t)value << bit % 32;
        return;
    }
    *word = (uint32_t)value;
    if (bits == 64)
        *out_at(p, bit / 32 + 1, place) = (uint32_t)(value >> 32);
}

/* --- rows with columns --- */

/* Row `row` of A as a list. */
static void decode_row(const struct product *p, unsigned row, const struct product_list *list) {
    const struct wsim_code_product *how = p->how;
    unsigned bytes = map_bytes(how->bits_a);
    for (unsigned k = 0; k < how->k; k++)
        product_decode(how, how->a, how->in_a, how->bits_a, p->negate_a,
                       map_get(p->a, bytes, row * how->k + k), list, k);
}

/* For each element of a sparse row, in the order of the arithmetic, the row of B that it meets. */
static void find_rows(const struct product *p, unsigned row, uint8_t *rows) {
    const struct wsim_code_product *how = p->how;
    for (unsigned j = 0; j < how->k; j++) {
        unsigned chunk = j / how->kept, nibble = p->nibbles[row * PRODUCT_MAX_CHUNKS + chunk];
        rows[product_order(how->split, j)] =
            (uint8_t)(chunk * how->chunk +
                      product_column(how->chunk, how->kept, nibble, j % how->kept));
    }
}

/* The result in one place; `c` in its format first: an f16 C of an f32 D is widened. */
static void multiply(const struct product *p, const struct product_lists *in, unsigned place_c,
                     unsigned place_d) {
    const struct wsim_code_product *how = p->how;
    uint64_t acc = p->adds ? get(p, place_c, p->work->c.bits) : 0;
    acc = product_convert(p, how->c, how->result, acc);
    acc = product_dot(p, in, acc);
    acc = product_convert(p, how->result, how->d, acc);
    if (!p->fused.watch)
        set(p, place_d, p->work->d.bits, acc);
}

void product_columns(const struct product *p, unsigned row, unsigned last, unsigned col,
                     unsigned count, const struct product_list *b) {
    const struct wsim_code_product *how = p->how;
    union {
        struct num_elem num[PRODUCT_MAX_K];
        uint64_t bits[PRODUCT_MAX_K];
    } store;
    struct product_list a = {store.num, store.bits};
    struct num_elem picked[PRODUCT_MAX_K];
    uint8_t rows[PRODUCT_MAX_K];
    uint16_t col_c[PRODUCT_MAX_COLUMNS], col_d[PRODUCT_MAX_COLUMNS];
    for (unsigned i = 0; i < count; i++) {
        col_c[i] = (uint16_t)combine(p->work->c.col, (col + i) % how->batch_cols);
        col_d[i] = (uint16_t)combine(p->work->d.col, (col + i) % how->batch_cols);
    }
    for (; row < last; row++) {
        unsigned row_c = combine(p->work->c.row, row), row_d = combine(p->work->d.row, row);
        decode_row(p, row, &a);
        if (how->kept)
            find_rows(p, row, rows);
        for (unsigned i = 0; i < count; i++) {
            unsigned first = i * how->k_dense;
            struct product_lists in = {
                .a = a.num, .b = b->num + first, .abits = a.bits, .bbits = b->bits + first};
            if (how->kept) {
                for (unsigned k = 0; k < how->k; k++)
                    picked[k] = in.b[rows[k]];
                in.b = picked;
            }
            if (how->blocks) {
                in.factors_a = p->factors_a + row * PRODUCT_MAX_BLOCKS;
                in.factors_b = p->factors_b + (col + i) * PRODUCT_MAX_BLOCKS;
            }
            multiply(p, &in, row_c ^ col_c[i], row_d ^ col_d[i]);
        }
    }
}
