/* taint_matrix.h - uninitialised bits of products. An element of the result is uninitialised if its
 * row of A, its column of B or its element of C is. */
#ifndef WSIM_STEP_TAINT_MATRIX_H
#define WSIM_STEP_TAINT_MATRIX_H

#include "../state/taint.h"

#include <wsim/layout.h>

enum { TAINT_LINES = 256, TAINT_ELEMENTS = 512 };

/* A matrix in registers of a warp, or of four. */
struct taint_matrix {
    struct wsim_layout layout;
    const uint32_t *at; /* rows of the frame                 */
    int wide;           /* they have 64 bits                 */
    struct taint_frame *mirror[4];
};

/* Origins; 0: initialised. Products of a batch have lines of their own. */
struct taint_lines {
    uint16_t row[TAINT_LINES], column[TAINT_LINES];
    uint16_t *sum; /* [TAINT_ELEMENTS] of C; NULL: C is in the registers of D, and keeps its bits */
    uint16_t all;  /* of each element: metadata or scale factors              */
    uint8_t adds;  /* without `sum`: C is added, not zero                                        */
};

/* Whether one of `rows` registers has uninitialised bits. */
int taint_matrix_any(const struct taint_matrix *matrix, unsigned rows);

/* Marks lines of A, of B, and elements of C. */
void taint_matrix_rows(const struct taint_matrix *matrix, struct taint_lines *lines);
void taint_matrix_columns(const struct taint_matrix *matrix, struct taint_lines *lines);
void taint_matrix_sums(const struct taint_matrix *matrix, struct taint_lines *lines);

/* Marks D. */
void taint_matrix_put(const struct taint_matrix *matrix, struct taint_lines *lines);

#endif
