/* matrix.h - a matrix as an instruction takes it: from a file of NumPy, or drawn by number. */
#ifndef WSIM_TOOL_MATRIX_H
#define WSIM_TOOL_MATRIX_H

#include "../common/tool.h"

struct matrix {
    const char *name;   /* "A"                                                            */
    const char *source; /* the file, or NULL: drawn                                       */
    const struct wsim_format *format;
    unsigned bytes; /* of an element in memory, as struct wsim_gemm has it            */
    size_t rows, columns;
    uint8_t *elements; /* to be freed                                                    */
    struct wsim_gemm_from from;
    int is_scaled;                     /* A or B of a block-scaled instruction             */
    unsigned pad;                      /* zero bits below a value in its element           */
    const struct wsim_format *numbers; /* quantised: of the numbers given; else NULL       */
    struct wsim_gemm_from given;       /* these numbers                                    */
    uint8_t *memory, *scales;          /* of the numbers and the factors; to be freed      */
};

/* How the numbers of a file become elements. */
struct matrix_reading {
    int bits;  /* a type that NumPy lacks: unsigned integers and raw bytes are its bits */
    int round; /* floats of another type are rounded to nearest even                     */
};

/* Reads `path` for elements of m->format and m->bytes; s4, u4 and b1 are numbers of 8 bits. Floats
 * of a scaled matrix stay numbers, with m->elements NULL. */
void matrix_read(struct matrix *m, const char *path, const struct matrix_reading *how);

/* Draws rows x columns elements of operand `which` (enum wsim_input) as stream.h does; of a scaled
 * matrix numbers of f32. */
void matrix_draw(struct matrix *m, const struct wsim_plan *plan, int which, uint64_t seed,
                 unsigned dist, size_t rows, size_t columns);

void matrix_free(struct matrix *m);

/* Writes D as NumPy has it. */
void matrix_write(const struct matrix *m, const char *path);

/* The bits of an element. */
uint64_t matrix_get(const struct matrix *m, size_t row, size_t column);

#endif
