/* Matrices of instructions, and files of NumPy; see matrix.h. */
#include "matrix.h"
#include "npy.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

static void store(uint8_t *at, unsigned bytes, uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    uint16_t half = (uint16_t)bits;
    switch (bytes) {
    case 1: *at = (uint8_t)bits; break;
    case 2: memcpy(at, &half, sizeof half); break;
    case 4: memcpy(at, &word, sizeof word); break;
    default: memcpy(at, &bits, sizeof bits); break;
    }
}

uint64_t matrix_get(const struct matrix *m, size_t row, size_t column) {
    size_t at = row * m->from.row + column * m->from.column;
    return wsim_npy_load(m->elements + at * m->bytes, m->bytes);
}

static void lay(struct matrix *m, size_t rows, size_t columns, int by_columns) {
    m->rows = rows;
    m->columns = columns;
    m->from.elements = m->elements;
    m->from.row = by_columns ? 1 : columns;
    m->from.column = by_columns ? rows : 1;
}

/* Keeps numbers that are to be quantised. */
static void keep_numbers(struct matrix *m, uint8_t *memory, const char *type) {
    m->memory = memory;
    m->numbers = wsim_format_find(type);
    m->given = m->from;
    m->given.elements = memory;
}

void matrix_free(struct matrix *m) {
    free(m->elements);
    free(m->memory);
    free(m->scales);
}

/* --- types --- */

/* The float of this size in NumPy and wsim; NULL: none. */
static const char *float_of(unsigned bytes) {
    return bytes == 2 ? "f16" : bytes == 4 ? "f32" : bytes == 8 ? "f64" : NULL;
}

/* The kind of an element in NumPy; 0: none. A tf32 is an f32 whose low bits do not count. */
static char kind_of(const struct matrix *m) {
    const char *name = float_of(m->bytes);
    if (m->format->bits == 1)
        return 'b';
    if (m->format->kind == WSIM_INT)
        return m->format->is_signed ? 'i' : 'u';
    return name && wsim_format_find(name)->exp_bits == m->format->exp_bits ? 'f' : 0;
}

static int is_float(const struct matrix *m) {
    return m->format->kind == WSIM_BINARY;
}

/* Names the types that a file may have. */
_Noreturn static void refuse_type(const struct matrix *m, const struct wsim_npy *header) {
    char natural[32] = "", raw[48] = "";
    char kind = kind_of(m);
    if (kind)
        snprintf(natural, sizeof natural, " %c%u%s", kind, m->bytes, kind == 'b' ? " or u1" : "");
    if (is_float(m))
        snprintf(raw, sizeof raw, "%s u%u or V%u with --bits, f2 f4 f8%s", kind ? "," : "",
                 m->bytes, m->bytes, m->is_scaled ? "" : " with --round");
    tool_fail("%s: %s of this instruction is %s, but the file has %c%u: expected%s%s",
              text_path(input_name(m->source)).text, m->name, m->format->name, header->kind,
              (unsigned)header->bytes, natural, raw);
}

/* Elements of 4 bits and of 1 bit are stored in bytes, whose value must fit. */
static void check_range(const struct matrix *m) {
    const struct wsim_format *format = m->format;
    int most, least = 0;
    if (format->bits >= 8 || is_float(m))
        return;
    most = (1 << (format->bits - format->is_signed)) - 1;
    if (format->is_signed)
        least = -most - 1;
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->columns; column++) {
            int value = (int)matrix_get(m, row, column);
            if (format->is_signed && value > INT8_MAX)
                value -= 1 << 8;
            if (value < least || value > most)
                tool_fail("%s: %s[%zu][%zu] is %d: an element of %s is %d to %d",
                          text_path(input_name(m->source)).text, m->name, row, column, value,
                          format->name, least, most);
        }
}

/* A number of one float as the container of another. */
static void round_elements(struct matrix *m, const uint8_t *from, unsigned bytes, size_t count) {
    const struct wsim_format *format = wsim_format_find(float_of(bytes));
    for (size_t i = 0; i < count; i++) {
        struct wsim_value value =
            wsim_format_decode(format, wsim_npy_load(from + i * bytes, bytes));
        uint64_t bits = wsim_format_encode(m->format, value, WSIM_RN) << m->pad;
        store(m->elements + i * m->bytes, m->bytes, bits);
    }
}

static void accept(struct matrix *m, struct npy *npy, const struct matrix_reading *how) {
    const struct wsim_npy *header = &npy->header;
    size_t count = (size_t)wsim_npy_count(header);
    char kind = header->kind;
    int fits = header->bytes == m->bytes;
    int natural = fits && (kind == kind_of(m) || (kind == 'u' && m->format->bits == 1));
    int raw = how->bits && fits && is_float(m) && (kind == 'u' || kind == 'V');
    if (natural || raw) {
        m->elements = npy->elements;
        npy->elements = NULL;
    } else if (m->is_scaled && kind == 'f') {
        lay(m, (size_t)header->extent[0], (size_t)header->extent[1], header->fortran);
        keep_numbers(m, npy->elements, float_of(header->bytes));
        npy->elements = NULL;
        return;
    } else if (how->round && kind == 'f' && is_float(m)) {
        m->elements = memory_make(count ? count : 1, m->bytes);
        round_elements(m, npy->elements, header->bytes, count);
    } else
        refuse_type(m, header);
    lay(m, (size_t)header->extent[0], (size_t)header->extent[1], header->fortran);
    check_range(m);
}

void matrix_read(struct matrix *m, const char *path, const struct matrix_reading *how) {
    struct npy npy;
    npy_read(path, &npy);
    m->source = path;
    accept(m, &npy, how);
    free(npy.elements);
}

void matrix_write(const struct matrix *m, const char *path) {
    struct npy npy = {.header = {.kind = kind_of(m),
                                 .bytes = (uint8_t)m->bytes,
                                 .rank = 2,
                                 .extent = {m->rows, m->columns}},
                      .elements = m->elements};
    npy_write(path, &npy);
}

/* --- by number --- */

/* Coordinates of stream.h have 12 bits: a larger matrix is made of squares, each a case. */
enum { SQUARE = 1 << 12 };

void matrix_draw(struct matrix *m, const struct wsim_plan *plan, int which, uint64_t seed,
                 unsigned dist, size_t rows, size_t columns) {
    int in_memory = which == WSIM_IN_B && !plan->input[WSIM_IN_B].rows;
    struct wsim_plan_input input = plan->input[in_memory ? WSIM_IN_MATRIX_B : which];
    size_t along = which == WSIM_IN_A ? columns : rows;
    const unsigned bytes = m->is_scaled ? sizeof(float) : m->bytes;
    uint8_t *memory = memory_make(rows * columns + 1, bytes);
    if (m->is_scaled)
        input = plan->input[WSIM_IN_C];
    else
        m->elements = memory;
    input.extent = (uint16_t)(along < SQUARE ? along + !along : SQUARE);
    lay(m, rows, columns, 0);
    if (m->is_scaled)
        keep_numbers(m, memory, "f32");
    for (size_t row = 0; row < rows; row++) {
        struct wsim_case c = {0};
        for (size_t column = 0; column < columns; column++) {
            uint64_t square = (uint64_t)(row / SQUARE) << 32 | column / SQUARE;
            uint32_t at = (uint32_t)(row % SQUARE) | (uint32_t)(column % SQUARE) << 12;
            if (column % SQUARE == 0)
                c = wsim_case_at(plan, seed, square, dist);
            store(memory + (row * columns + column) * bytes, bytes,
                  wsim_stream_element(&input, &c, 0, which, at));
        }
    }
}
