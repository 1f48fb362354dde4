/* Uninitialised bits through products of matrices: by rows of A and columns of B. */
#include "taint_matrix.h"

/* The word of an element, in the mirror of its warp. NULL: it has no mirror. */
static uint32_t *word_of(const struct taint_matrix *matrix, struct wsim_place place, int origin) {
    const struct taint_frame *mirror = matrix->mirror[place.lane / RUN_LANES];
    const unsigned lane = place.lane % RUN_LANES, reg = place.reg;
    const unsigned row = matrix->wide ? reg / 2 : reg;
    const size_t at = matrix->wide ? 8 * lane + 4 * (reg % 2) : 4 * lane;
    if (!mirror)
        return NULL;
    return origin ? &mirror->origins[(matrix->at[row] + at) / 4]
                  : run_words(mirror->bits, matrix->at[row] + (uint32_t)at);
}

static uint32_t mask_of(const struct taint_matrix *matrix, struct wsim_place place) {
    const unsigned bits = matrix->layout.elem_bits;
    return bits < 32 ? ((UINT32_C(1) << bits) - 1) << place.lsb : UINT32_MAX;
}

/* The origin of the uninitialised bits of an element; 0: it has none. */
static uint16_t origin_of(const struct taint_matrix *matrix, struct wsim_place place) {
    for (unsigned i = 0; i < 1u + (matrix->layout.elem_bits == 64); i++, place.reg++) {
        const uint32_t *word = word_of(matrix, place, 0);
        if (word && *word & mask_of(matrix, place))
            return (uint16_t)*word_of(matrix, place, 1);
    }
    return 0;
}

int taint_matrix_any(const struct taint_matrix *matrix, unsigned rows) {
    for (unsigned w = 0; w < matrix->layout.lanes / RUN_LANES; w++)
        for (unsigned i = 0; i < rows; i++)
            if (taint_lanes(matrix->mirror[w],
                            (struct run_row){.at = matrix->at[i], .bits = matrix->wide ? 64 : 32},
                            UINT32_MAX))
                return 1;
    return 0;
}

/* Calls `see` for each element. */
typedef void see_element(const struct taint_matrix *matrix, struct wsim_place place,
                         struct wsim_coord at, struct taint_lines *lines);

static void each_element(const struct taint_matrix *matrix, struct taint_lines *lines,
                         see_element *see) {
    for (unsigned lane = 0; lane < matrix->layout.lanes; lane++)
        for (unsigned e = 0; e < matrix->layout.elems; e++)
            see(matrix, wsim_layout_place(&matrix->layout, lane, e),
                wsim_layout_coord(&matrix->layout, lane, e), lines);
}

static unsigned line_of(const struct taint_matrix *matrix, unsigned batch, unsigned line,
                        int is_column) {
    const unsigned lines = is_column ? matrix->layout.cols : matrix->layout.rows;
    return (batch * lines + line) % TAINT_LINES;
}

static void see_row(const struct taint_matrix *matrix, struct wsim_place place,
                    struct wsim_coord at, struct taint_lines *lines) {
    const uint16_t origin = origin_of(matrix, place);
    if (origin)
        lines->row[line_of(matrix, at.batch, at.row, 0)] = origin;
}

static void see_column(const struct taint_matrix *matrix, struct wsim_place place,
                       struct wsim_coord at, struct taint_lines *lines) {
    const uint16_t origin = origin_of(matrix, place);
    if (origin)
        lines->column[line_of(matrix, at.batch, at.col, 1)] = origin;
}

static unsigned element_of(const struct taint_matrix *matrix, struct wsim_coord at) {
    return ((at.batch * matrix->layout.rows + at.row) * matrix->layout.cols + at.col) %
           TAINT_ELEMENTS;
}

static void see_sum(const struct taint_matrix *matrix, struct wsim_place place,
                    struct wsim_coord at, struct taint_lines *lines) {
    const uint16_t origin = origin_of(matrix, place);
    if (origin)
        lines->sum[element_of(matrix, at)] = origin;
}

void taint_matrix_rows(const struct taint_matrix *matrix, struct taint_lines *lines) {
    each_element(matrix, lines, see_row);
}

void taint_matrix_columns(const struct taint_matrix *matrix, struct taint_lines *lines) {
    each_element(matrix, lines, see_column);
}

void taint_matrix_sums(const struct taint_matrix *matrix, struct taint_lines *lines) {
    each_element(matrix, lines, see_sum);
}

static void put_element(const struct taint_matrix *matrix, struct wsim_place place,
                        struct wsim_coord at, struct taint_lines *lines) {
    uint32_t origin = lines->all;
    if (!origin)
        origin = lines->row[line_of(matrix, at.batch, at.row, 0)];
    if (!origin)
        origin = lines->column[line_of(matrix, at.batch, at.col, 1)];
    if (!origin && lines->sum)
        origin = lines->sum[element_of(matrix, at)];
    for (unsigned i = 0; i < 1u + (matrix->layout.elem_bits == 64); i++, place.reg++) {
        uint32_t *word = word_of(matrix, place, 0);
        const uint32_t mask = mask_of(matrix, place);
        if (!word || (!origin && lines->adds))
            continue;
        *word = origin ? *word | mask : *word & ~mask;
        if (origin)
            *word_of(matrix, place, 1) = origin;
    }
}

void taint_matrix_put(const struct taint_matrix *matrix, struct taint_lines *lines) {
    each_element(matrix, lines, put_element);
}
