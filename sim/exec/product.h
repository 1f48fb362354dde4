/* product.h - one matrix product under way: lists of k on both sides, results in their places. */
#ifndef WSIM_EXEC_PRODUCT_H
#define WSIM_EXEC_PRODUCT_H

#include "../num/num.h"
#include "exec.h"

#include <wsim/why.h>

enum {
    PRODUCT_MAX_K = 128, /* elements of a list: the stored part of a row of A                  */
    PRODUCT_MAX_DENSE = 128, /* rows of B                                                     */
    PRODUCT_MAX_LIST = 256,  /* elements of B that are decoded at once                            */
    PRODUCT_MAX_COLUMNS = 32, /* ... and of how many columns                                      */
    PRODUCT_MAX_A = 2048, /* bytes of A, one or more an element: wgmma, and f64 m16n8k16       */
    PRODUCT_MAX_B = 1024,
    PRODUCT_MAX_C = 8, /* registers of C and D of a warp                                    */
    PRODUCT_MAX_BLOCKS = 4,
    PRODUCT_SCALE_BYTES = 4, /* of a scale register: byte-ids are below it                        */
    PRODUCT_MAX_WARP = 16,   /* rows of A that a warp has, if A is sparse                         */
    PRODUCT_MAX_CHUNKS = 16, /* nibbles of metadata that a row of A has                           */
    PRODUCT_MAX_FACTORS = 16 /* rows or columns that have scale factors                           */
};

/* Elements decoded, or the bits of them for methods that compute on those: the one or the other. */
struct product_list {
    struct num_elem *num;
    uint64_t *bits;
};

/* Registers wherever they are: each in its place, or (rows NULL) one after another. */
struct product_out {
    uint32_t *const *rows;
    uint32_t *words;
};
struct product_in {
    const uint32_t *const *rows;
    const uint32_t *words;
};

/* Row `row`, or `none` without rows. */
static inline const uint32_t *product_in_at(const struct product_in *in, unsigned row,
                                            const uint32_t *none) {
    return in->rows ? in->rows[row] : in->words ? in->words + (size_t)row * WSIM_LANES : none;
}

static inline uint32_t *product_out_at(const struct product_out *out, unsigned row) {
    return out->rows ? out->rows[row] : out->words + (size_t)row * WSIM_LANES;
}

/* Everything that a result is made of but B. */
struct product {
    const struct wsim_code_product *how;
    const struct wsim_code_work *work;
    struct num_fused fused; /* with a watch, it reports all steps and stores nothing          */
    const void *a;          /* plane: [row][k]                                                */
    const uint8_t *nibbles; /* sparse: [row][PRODUCT_MAX_CHUNKS]                              */
    const uint8_t *factors_a, *factors_b; /* block scale: [row or column][PRODUCT_MAX_BLOCKS] */
    unsigned negate_a; /* the sign of A is flipped                                       */
    int adds;          /* C is added                                                     */
    struct product_in c;
    struct product_out d;
};

/* The row of A and the column of B of one result, and their scale factors. */
struct product_lists {
    const struct num_elem *a, *b;
    const uint64_t *abits, *bbits;
    const uint8_t *factors_a, *factors_b;
};

/* One result from accumulator bits (dot.c). */
uint64_t product_dot(const struct product *p, const struct product_lists *in, uint64_t acc);

/* `bits` in another format, or as they are in the same one. */
uint64_t product_convert(const struct product *p, const struct wsim_format *from,
                         const struct wsim_format *to, uint64_t bits);

/* Whether elements are decoded, or bits. */
int product_decodes(const struct wsim_code_product *how);

/* Position of element j of a list, so that steps can take neighbours. Without `split` it is j.
 * With `split`, half of the list's length, positions j mod 4 in {0, 1} come first, then {2, 3}. */
unsigned product_order(unsigned split, unsigned j);

/* Element `at` of a list: `bits` of the format `from`, `width` of them, taken in the format `in`.
 */
void product_decode(const struct wsim_code_product *how, const struct wsim_format *from,
                    const struct wsim_format *in, unsigned width, unsigned negate, uint64_t bits,
                    const struct product_list *list, unsigned at);

/* The results of rows `row` to before `last` in `count` columns from `col` on; `b` has these
 * columns (tile.c). */
void product_columns(const struct product *p, unsigned row, unsigned last, unsigned col,
                     unsigned count, const struct product_list *b);

/* Decodes `count` columns of B from `col` on into a list: [column][k]. */
typedef void product_load(const struct product *p, const void *b, unsigned col, unsigned count,
                          const struct product_list *list);

/* The results of these columns, with all rows that they are multiplied with. */
void product_some(const struct product *p, product_load *load, const void *b, unsigned col,
                  unsigned count);

/* All results of a warp, from a plane of B: [column][k]. `d` may be among the inputs (columns.c).
 */
void product_multiply(const struct product *p, const void *b, uint32_t *const *d);

/* Computes one result with one row of A and reports it to the listener; stores nothing. */
void product_one(const struct product *p, product_load *load, const void *b, unsigned row,
                 unsigned col);

/* A load of a plane of B: [column][k]. */
product_load product_load_plane;

/* Columns of B that are decoded at once. */
unsigned product_at_once(const struct wsim_code_product *how);

/* Starts *p: arithmetic, and nothing of operands. */
void product_start(struct product *p, const struct wsim_code *code);

/* Metadata (sparse.c): nibbles[row][chunk] of the 16 rows of warp `warp`, those that `selector`
 * names in the register `e`; each is checked. */
enum wsim_status product_nibbles(const struct wsim_code *code, const uint32_t *e, unsigned selector,
                                 unsigned warp, uint8_t (*nibbles)[PRODUCT_MAX_CHUNKS],
                                 struct wsim_diag *diag);

/* Prepares product_nibbles for code->op, which is sparse. */
void product_prepare_metadata(struct wsim_code *code);

/* Column, inside its chunk, of kept element `s` under a nibble of metadata. */
unsigned product_column(unsigned chunk, unsigned kept, unsigned nibble, unsigned s);

enum wsim_status product_check_selector(const struct wsim_op *op, unsigned selectors,
                                        unsigned selector, struct wsim_diag *diag);

#endif
