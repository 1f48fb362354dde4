/* Matrices of numbers; see operand.h. Numbers that the type of the operand cannot hold are refused.
 */
#include "operand.h"
#include "../../lib/number.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "../gemm/npy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int operand_is_numbers(const char *text) {
    return strchr(text, '=') != NULL || text_ends(text, ".csv") || text_ends(text, ".npy");
}

/* The position of a number, and how it is read. */
struct place {
    const char *what; /* the option, or the file */
    const struct wsim_layout *layout;
    int round;
    unsigned row, col;
};

_Noreturn static void refuse(const struct place *at, const struct wsim_diag *diag) {
    tool_fail("%s: row %u, column %u: %s%s", at->what, at->row, at->col, diag->text,
              strcmp(diag->rule, "number.value.inexact") == 0 ? "; --round uses the nearest" : "");
}

enum { LONGEST = 4096 };

static void read_number(const struct place *at, const char *text, size_t n, uint64_t *raw) {
    char number[LONGEST];
    struct wsim_diag diag;
    uint64_t bits;
    int exact;
    if (n >= sizeof number)
        tool_fail("%s: row %u, column %u: a number of %lu characters is too long", at->what,
                  at->row, at->col, (unsigned long)n);
    memcpy(number, text, n);
    number[n] = '\0';
    if (wsim_format_read(at->layout->format, number, WSIM_RN, at->round ? &exact : NULL, &bits,
                         &diag))
        refuse(at, &diag);
    *raw = number_container(at->layout, bits);
}

/* The value of elements that are not given: 0, or 1 if the format has no zero. */
static uint64_t filler(const struct wsim_layout *layout) {
    return number_bits(layout, 0, number_count(layout) ? 0 : 1, 0);
}

/* --- element by element --- */

#define BLANKS " \t\r\n"

struct range {
    unsigned first, last;
};

/* A coordinate, or *. */
static void read_coordinate(const char *what, const char *name, const char *text, size_t n,
                            unsigned count, struct range *range) {
    uint32_t value;
    *range = (struct range){0, count - 1};
    if (n == 1 && *text == '*')
        return;
    if (!tool_is_number(text, n, count - 1, &value))
        tool_fail("%s: the %s '%.*s' must be a number from 0 to %u, or *", what, name,
                  n < TEXT_CUT ? (int)n : TEXT_CUT, text, count - 1);
    *range = (struct range){value, value};
}

/* "I,J", or "BATCH,I,J" for one of several matrices. */
static void read_coordinates(const char *what, const struct wsim_layout *layout, const char *text,
                             size_t n, struct range at[3]) {
    static const char *const names[] = {"matrix", "row", "column"};
    const unsigned counts[] = {layout->batches, layout->rows, layout->cols};
    const char *part[3], *end = text + n;
    size_t length[3];
    unsigned parts = 0;
    for (;;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const char *stop = comma ? comma : end;
        if (parts == 3)
            break;
        text += strspn(text, BLANKS) < (size_t)(stop - text) ? strspn(text, BLANKS) : 0;
        part[parts] = text;
        length[parts] = (size_t)(stop - text);
        while (length[parts] && strchr(BLANKS, text[length[parts] - 1]))
            length[parts]--;
        parts++;
        if (!comma)
            break;
        text = comma + 1;
    }
    if (parts != 2 && (parts != 3 || layout->batches < 2))
        tool_fail("%s: write %sa row and a column before '=', as in 0,3=1.5", what,
                  layout->batches > 1 ? "a matrix (optional), " : "");
    at[0] = (struct range){0, layout->batches - 1u};
    for (unsigned i = 0; i < parts; i++) {
        unsigned axis = i + 3 - parts;
        read_coordinate(what, names[axis], part[i], length[i], counts[axis], &at[axis]);
    }
}

static void read_assignment(const struct place *place, const char *text, size_t n,
                            uint64_t *matrix) {
    const struct wsim_layout *layout = place->layout;
    const char *equals = memchr(text, '=', n), *number;
    struct range at[3];
    struct place here = *place;
    uint64_t raw;
    if (!equals)
        tool_fail("%s: '%.*s' has no '=', as in 0,3=1.5; 2,*=inf", place->what,
                  n < TEXT_CUT ? (int)n : TEXT_CUT, text);
    read_coordinates(place->what, layout, text, (size_t)(equals - text), at);
    number = equals + 1 + strspn(equals + 1, BLANKS);
    n = number < text + n ? n - (size_t)(number - text) : 0;
    while (n && strchr(BLANKS, number[n - 1]))
        n--;
    here.row = at[1].first;
    here.col = at[2].first;
    read_number(&here, number, n, &raw);
    for (unsigned b = at[0].first; b <= at[0].last; b++)
        for (unsigned r = at[1].first; r <= at[1].last; r++)
            for (unsigned c = at[2].first; c <= at[2].last; c++)
                matrix[((size_t)b * layout->rows + r) * layout->cols + c] = raw;
}

static void read_assignments(const struct place *place, const char *text, uint64_t *matrix) {
    const struct wsim_layout *layout = place->layout;
    size_t count = (size_t)layout->batches * layout->rows * layout->cols;
    for (size_t i = 0; i < count; i++)
        matrix[i] = filler(layout);
    while (*text) {
        size_t n = strcspn(text, ";");
        text += strspn(text, BLANKS) < n ? strspn(text, BLANKS) : n;
        n = strcspn(text, ";");
        if (n)
            read_assignment(place, text, n, matrix);
        text += n + (text[n] == ';');
    }
}

/* --- files --- */

/* Several matrices follow each other. */
static unsigned all_rows(const struct wsim_layout *layout) {
    return (unsigned)layout->rows * layout->batches;
}

_Noreturn static void refuse_shape(const struct place *place, unsigned long long rows,
                                   unsigned long long cols) {
    const struct wsim_layout *layout = place->layout;
    int turned = rows == layout->cols && cols == all_rows(layout);
    tool_fail("%s: its matrix is %llu x %llu, and the operand %u x %u%s", place->what, rows, cols,
              all_rows(layout), layout->cols,
              turned                ? ": it is transposed"
              : layout->batches > 1 ? " (its matrices below each other)"
                                    : "");
}

/* Values between commas, semicolons and blanks, a row a line; '#' starts a comment. */
static void read_csv(struct place *place, const char *text, uint64_t *matrix) {
    static const char between[] = " \t\r,;";
    const struct wsim_layout *layout = place->layout;
    unsigned long long rows = 0, cols = 0;
    while (*text) {
        unsigned long long n = 0;
        for (text += strspn(text, between); *text && *text != '\n' && *text != '#';) {
            size_t length = strcspn(text, " \t\r,;\n#");
            place->row = (unsigned)rows;
            place->col = (unsigned)n;
            if (rows < all_rows(layout) && n < layout->cols)
                read_number(place, text, length, &matrix[rows * layout->cols + n]);
            n++;
            text += length;
            text += strspn(text, between);
        }
        if (*text == '#')
            text += strcspn(text, "\n");
        text += *text == '\n';
        if (n == 0)
            continue;
        if (rows && n != cols)
            tool_fail("%s: row %llu has %llu numbers, but earlier rows have %llu", place->what,
                      rows, n, cols);
        cols = n;
        rows++;
    }
    if (rows != all_rows(layout) || cols != layout->cols)
        refuse_shape(place, rows, cols);
}

/* The format of an element of a file; NULL: its bits are those of the operand. */
static const struct wsim_format *format_of(const struct wsim_npy *header, int as_bits) {
    char name[8];
    char kind = header->kind == 'i' ? 's' : header->kind == 'b' ? 'u' : header->kind;
    if (kind == 'V' || (as_bits && kind == 'u'))
        return NULL;
    snprintf(name, sizeof name, "%c%u", kind, 8u * header->bytes);
    return wsim_format_find(name);
}

/* A number of one format as another; reads its text again where it does not fit, for the error. */
static void convert(const struct place *at, const struct wsim_format *from, uint64_t bits,
                    uint64_t *raw) {
    const struct wsim_format *to = at->layout->format;
    uint64_t encoded = wsim_format_convert(from, bits, to, WSIM_RN);
    int fits = wsim_format_convert(to, encoded, from, WSIM_RN) == bits;
    char number[WSIM_NUMBER_TEXT];
    if (from == to)
        encoded = bits;
    if (from == to || (wsim_format_decode(from, bits).cls <= WSIM_FINITE && (fits || at->round))) {
        *raw = number_container(at->layout, encoded);
        return;
    }
    wsim_format_write(from, bits, number);
    read_number(at, number, strlen(number), raw);
}

static void take_bits(const struct place *at, uint64_t bits, uint64_t *raw) {
    const struct wsim_format *format = at->layout->format;
    if (format->bits < 64 && bits >> format->bits)
        tool_fail("%s: row %u, column %u: 0x%llx has more than the %u bits of %s", at->what,
                  at->row, at->col, (unsigned long long)bits, (unsigned)format->bits, format->name);
    *raw = number_container(at->layout, bits);
}

static void read_npy(struct place *place, const struct npy *npy, int as_bits, uint64_t *matrix) {
    const struct wsim_npy *header = &npy->header;
    const struct wsim_layout *layout = place->layout;
    const struct wsim_format *from = format_of(header, as_bits);
    unsigned rows = all_rows(layout);
    if (header->extent[0] != rows || header->extent[1] != layout->cols)
        refuse_shape(place, header->extent[0], header->extent[1]);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned col = 0; col < layout->cols; col++) {
            size_t i = (size_t)row * layout->cols + col;
            size_t at = header->fortran ? (size_t)col * rows + row : i;
            uint64_t bits = wsim_npy_load(npy->elements + at * header->bytes, header->bytes);
            place->row = row;
            place->col = col;
            if (from)
                convert(place, from, bits, &matrix[i]);
            else
                take_bits(place, bits, &matrix[i]);
        }
}

void operand_numbers(const char *what, const struct wsim_layout *layout, const char *text,
                     const struct operand_reading *reading, uint64_t *matrix) {
    struct place place = {what, layout, reading->round, 0, 0};
    struct path_text path = text_path(text);
    struct npy npy;
    char *csv;
    if (strchr(text, '=')) {
        read_assignments(&place, text, matrix);
        return;
    }
    place.what = path.text;
    if (text_ends(text, ".npy")) {
        npy_read(text, &npy);
        read_npy(&place, &npy, reading->bits, matrix);
        free(npy.elements);
    } else {
        csv = input_file(text);
        read_csv(&place, csv, matrix);
        free(csv);
    }
}
