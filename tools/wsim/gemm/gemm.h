/* gemm.h - a product of matrices on some architectures, for those who print it. */
#ifndef WSIM_TOOL_GEMM_H
#define WSIM_TOOL_GEMM_H

#include "compare.h"
#include "../common/tool.h"

/* The product on one architecture, or what a file says that it is. */
struct gemm_result {
    char *name;                   /* of the architecture, or of the file                  */
    const struct wsim_arch *arch; /* NULL: a file                                         */
    enum wsim_path path;
    const char *evidence, *evidence_source, *caveat; /* of the instruction; NULL: none     */
    double seconds, processor; /* on the clock, and of all processors together         */
    uint64_t digest;
    struct comparison comparison; /* with the first                                       */
};

enum { GEMM_RESULTS = 64 };

struct gemm_run {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_layout layout; /* of D                                                     */
    struct wsim_gemm gemm;     /* of the first architecture                                */
    struct matrix a, b, c, d;  /* d: of the first architecture                             */
    const char *drawn;         /* how A and B were drawn; NULL: they are files             */
    int timed;                 /* seconds are printed                                      */
    size_t count;
    struct gemm_result results[GEMM_RESULTS];
};

/* "A = random: 64 x 64 f16": 1, or 0 if there is none; and what the product is. */
enum { GEMM_WORDS = 640 };
int gemm_word_matrix(const struct gemm_run *run, const struct matrix *m, char out[GEMM_WORDS]);
void gemm_word_product(const struct gemm_run *run, char out[GEMM_WORDS]);

/* md, svg or html; TOOL_FINE, or the status after saying why not. */
int gemm_print_page(const struct gemm_run *run, enum tool_format format);
int gemm_print_csv(const struct gemm_run *run);
void gemm_print_text(const struct gemm_run *run);
void gemm_print_json(const struct gemm_run *run);

#endif
