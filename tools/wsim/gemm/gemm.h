/* gemm.h - a product of matrices on some architectures. */
#ifndef WSIM_TOOL_GEMM_H
#define WSIM_TOOL_GEMM_H

#include "compare.h"
#include "../common/doc.h"

/* The product on one architecture, or the contents of a file. */
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

void gemm_answer(struct doc *doc, const struct gemm_run *run);

#endif
