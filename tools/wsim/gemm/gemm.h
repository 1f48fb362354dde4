/* gemm.h - a product of matrices on some architectures. */
#ifndef WSIM_TOOL_GEMM_H
#define WSIM_TOOL_GEMM_H

#include "../common/doc.h"
#include "../common/instruction.h"
#include "matrix.h"

/* --- comparisons (compare.c) --- */

/* An element that differs. `distance` counts the numbers of the format between both floats; of
 * integers it is their difference. */
struct difference {
    size_t row, column;
    uint64_t bits[2]; /* of the first and of the second matrix */
    uint64_t distance;
};

enum { COMPARE_MAP = 24 };

struct comparison {
    size_t rows, columns;
    uint64_t elements, different;
    uint64_t map[COMPARE_MAP][COMPARE_MAP]; /* how many differ in each part of the matrix */
    uint64_t nans;                          /* NaN on one side only: without a distance   */
    struct difference first;                /* row by row                                 */
    struct difference largest;              /* the first with the largest distance        */
};

/* Rows or columns of a part: a power of two, so that parts and tiles align. */
size_t compare_map_part(size_t extent);

/* Compares matrices of equal extent and format. */
void compare(const struct matrix *a, const struct matrix *b, struct comparison *result);

/* --- results --- */

/* The product on one architecture, or the contents of a file. */
struct gemm_result {
    char *name; /* of the architecture, or of the file                  */
    struct instruction in;
    int is_other;                 /* not that of the first result                         */
    const struct wsim_arch *arch; /* NULL: a file                                         */
    enum wsim_path path;
    struct evidence evidence;
    double seconds, processor; /* on the clock, and of all processors together         */
    uint64_t digest;
    double error;                 /* quantised: relative, to the product of the numbers    */
    struct comparison comparison; /* with the first                                       */
};

enum { GEMM_RESULTS = 64 };

struct gemm_run {
    struct wsim_layout layout; /* of D                                                     */
    struct wsim_gemm gemm;     /* of the first architecture                                */
    struct matrix a, b, c, d;  /* d: of the first architecture                             */
    const char *drawn;         /* how A and B were drawn; NULL: they are files             */
    int timed;                 /* seconds are printed                                      */
    size_t count;
    struct gemm_result results[GEMM_RESULTS];
};

/* --- block-scaled instructions (scaled.c) --- */

/* Quantises A and B, or reads their scale factors from `files` (NULL: none) if they are bits. */
void scaled_fill(struct gemm_run *run, const struct wsim_code *code,
                 const struct wsim_gemm_size *size, const char *const files[2]);

/* The Frobenius norm of D - (A B + C), divided by that of A B + C. A and B are the numbers before
 * they were quantised, multiplied as doubles. A NaN among them makes a NaN. */
double scaled_error(const struct gemm_run *run, const struct matrix *d);

/* Whether A or B was quantised. */
int scaled_is_rounded(const struct gemm_run *run);

/* --- instructions of other architectures (other.c) --- */

/* An operation in registers with the types of a tcgen05.mma: 1, or 0 if there is none. */
int other_drawn(const struct umma *umma, struct wsim_op *op);

/* Finds the instruction of `arch` for the matrices of `in`, prepared as `like`: equal types, the
 * longest k. 0: there is none. */
int other_find(const struct instruction *in, const struct wsim_code *like,
               const struct wsim_arch *arch, struct wsim_op *found);

/* Fails if the instructions take other matrices. */
void other_check(const struct instruction *in, const struct wsim_code *like,
                 const struct gemm_result *result, const struct wsim_code *other);

void gemm_answer(struct doc *doc, const struct gemm_run *run);

#endif
