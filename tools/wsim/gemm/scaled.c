/* A and B of block-scaled instructions: elements and scale factors of numbers. */
#include "gemm.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <math.h>
#include <stdlib.h>
#include <wsim/number.h>

static void lay_scales(struct matrix *m, uint8_t *scales, size_t columns) {
    m->scales = scales;
    m->from.scales = scales;
    m->from.scale_row = columns;
    m->from.scale_column = 1;
}

static void quantize(const struct wsim_gemm *gemm, enum wsim_operand operand, struct matrix *m,
                     size_t rows, size_t columns) {
    const struct wsim_gemm_to scales = {memory_make(rows * columns, 1), columns, 1};
    const struct wsim_gemm_to elements = {memory_make(m->rows * m->columns, m->bytes), m->columns,
                                          1};
    struct wsim_diag diag;
    m->elements = elements.elements;
    m->from = (struct wsim_gemm_from){
        .elements = m->elements, .row = elements.row, .column = elements.column};
    lay_scales(m, scales.elements, columns);
    if (wsim_gemm_quantize(gemm, operand, m->numbers, &m->given, &elements, &scales, &diag))
        tool_refuse(NULL, &diag);
}

/* Factors of elements that are given as bits. */
static void read_scales(const struct wsim_gemm *gemm, struct matrix *m, const char *option,
                        const char *file, size_t rows, size_t columns) {
    struct matrix scales = {.name = option + 2, .format = gemm->scale, .bytes = 1};
    if (!file)
        tool_fail("%s is given as bits: %s names the file of its factors, %zu x %zu of %s", m->name,
                  option, rows, columns, gemm->scale->name);
    matrix_read(&scales, file, &(struct matrix_reading){.bits = 1});
    if (scales.rows != rows || scales.columns != columns)
        tool_fail("%s: %zu x %zu: %s has %zu x %zu factors, one for each %zu of k",
                  text_path(file).text, scales.rows, scales.columns, m->name, rows, columns,
                  gemm->block_k);
    m->scales = scales.elements;
    m->from.scales = scales.elements;
    m->from.scale_row = scales.from.row;
    m->from.scale_column = scales.from.column;
}

void scaled_fill(struct gemm_run *run, const struct wsim_code *code,
                 const struct wsim_gemm_size *size, const char *const files[2]) {
    static const char *const options[] = {"--sfa", "--sfb"};
    struct matrix *const matrices[] = {&run->a, &run->b};
    const struct wsim_gemm_size whole = {.m = size->m, .n = size->n, .k = size->k};
    struct wsim_gemm gemm;
    struct wsim_diag diag;
    if (wsim_gemm_prepare(code, &whole, &gemm, &diag))
        tool_refuse(run->results[0].name, &diag);
    for (int i = 0; i < 2; i++) {
        struct matrix *m = matrices[i];
        const size_t blocks = gemm.scale ? (size->k + gemm.block_k - 1) / gemm.block_k : 0;
        const size_t rows = i == 0 ? m->rows : blocks, columns = i == 0 ? blocks : m->columns;
        if (files[i] && (!gemm.scale || m->numbers))
            tool_fail(
                "%s: %s", options[i],
                gemm.scale
                    ? "wsim chooses the factors of floats; give the bits of elements with --bits"
                    : "the instruction takes no scale factors");
        if (gemm.scale && m->numbers)
            quantize(&gemm, i == 0 ? WSIM_A : WSIM_B, m, rows, columns);
        else if (gemm.scale)
            read_scales(&gemm, m, options[i], files[i], rows, columns);
    }
}

int scaled_is_rounded(const struct gemm_run *run) {
    return run->a.numbers || run->b.numbers;
}

/* --- the error --- */

static double number(const struct wsim_format *format, const struct wsim_gemm_from *from,
                     unsigned bytes, size_t row, size_t column) {
    const uint8_t *at =
        (const uint8_t *)from->elements + (row * from->row + column * from->column) * bytes;
    return wsim_to_double(format, wsim_npy_load(at, bytes));
}

/* The numbers of A (k side by side) or of B (transposed), before they were quantised. */
static double *numbers(const struct gemm_run *run, const struct matrix *m) {
    const int is_b = m == &run->b;
    const size_t k = is_b ? m->rows : m->columns;
    double *out = memory_make(m->rows * m->columns, sizeof *out);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->columns; column++) {
            double *to = &out[is_b ? column * k + row : row * k + column];
            if (m->numbers) {
                *to = number(m->numbers, &m->given, m->numbers->bits / 8, row, column);
            } else {
                const size_t block = (is_b ? row : column) / run->gemm.block_k;
                const struct wsim_gemm_from *from = &m->from;
                const uint8_t scale = m->scales[(is_b ? block : row) * from->scale_row +
                                                (is_b ? column : block) * from->scale_column];
                *to = wsim_to_double(m->format, matrix_get(m, row, column) >> m->pad) *
                      wsim_to_double(run->gemm.scale, scale);
            }
        }
    return out;
}

double scaled_error(const struct gemm_run *run, const struct matrix *d) {
    const size_t k = run->a.columns;
    double *a = numbers(run, &run->a), *b = numbers(run, &run->b), wrong = 0, all = 0;
    for (size_t row = 0; row < d->rows; row++)
        for (size_t column = 0; column < d->columns; column++) {
            double sum =
                run->c.elements ? wsim_to_double(d->format, matrix_get(&run->c, row, column)) : 0;
            const double got = wsim_to_double(d->format, matrix_get(d, row, column));
            for (size_t i = 0; i < k; i++)
                sum += a[row * k + i] * b[column * k + i];
            wrong += (got - sum) * (got - sum);
            all += sum * sum;
        }
    free(a);
    free(b);
    return all > 0 ? sqrt(wrong / all) : sqrt(wrong);
}
