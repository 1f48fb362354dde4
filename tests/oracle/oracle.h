/* oracle.h - a second, slow truth about every warp-level matrix instruction.
 *
 * Written from the documents and shares no code, table or layout with sim/. It reads the spelling
 * itself, places elements with the manual's closed formulas, and sums in numbers wide enough to be
 * exact. It only uses plain structs of the library: registers and operands.
 */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <wsim/wsim.h>

enum oracle_move {
    ORACLE_MMA,
    ORACLE_LDMATRIX,
    ORACLE_STMATRIX,
    ORACLE_MOVMATRIX,
    ORACLE_WGMMA,
    ORACLE_WMMA,
    ORACLE_WMMA_LOAD,
    ORACLE_WMMA_STORE
};

/* One spelling, taken apart. Names point into the tables of spelling.c. */
struct oracle_op {
    enum oracle_move move;
    int m, n, k;            /* moves: m, n and 0                                       */
    const char *type[4];    /* d a b c; moves: type[0], type[1] the packed source      */
    const char *kind;       /* "f8f6f4", "mxf4" ...; "" if there is none               */
    const char *scale_type; /* "ue8m0", "ue4m3"; "" if there is none                   */
    int scales;             /* scale factors per row or column; 0: not block-scaled    */
    int sparse, ordered;
    int satfinite, bit_and;
    int col_a, col_b;    /* the layout words; of a wmma.load or wmma.store the first */
    int rounding;        /* enum wide_rounding                                      */
    int matrices, trans; /* moves                                                   */
    int operand;         /* wmma.load, wmma.store: 0 d, 1 a, 2 b, 3 c               */
    int squares;         /* wmma: a fragment is four of m8n8k4 (oracle_on)          */
};

/* Takes `spelling` apart; 0 if a word of it is unknown here or it is no matrix instruction. */
int oracle_parse(const char *spelling, struct oracle_op *op);

/* The name of the GPU generation of `arch` ("sm_90a") in the documents. All architectures
 * with equal arithmetic have one name; NULL if the documents do not cover it. */
const char *oracle_generation(const char *arch);

/* `op` as it is on `arch`: on the first generation fragments of wmma are others. */
struct oracle_op oracle_on(const struct oracle_op *op, const char *arch);

/* True if fragments of a wmma and the result of a wmma.mma are known there. */
int oracle_has_fragments(const struct oracle_op *op, const char *arch);

/* D of an mma or wmma.mma on `arch`, into the registers of *d that the instruction has. 0 if the
 * documents do not define it. */
int oracle_mma(const struct oracle_op *op, const char *arch, const struct wsim_operands *io,
               struct wsim_regs *d);

/* ldmatrix and movmatrix: the result; stmatrix: `memory` is the window, changed in place. */
void oracle_ldmatrix(const struct oracle_op *op, const uint8_t *memory, const uint32_t *addr,
                     struct wsim_regs *d);
void oracle_stmatrix(const struct oracle_op *op, uint8_t *memory, const uint32_t *addr,
                     const struct wsim_regs *r);
void oracle_movmatrix(const struct wsim_regs *a, struct wsim_regs *d);

/* wmma.load and wmma.store of a matrix that starts at memory[start]; `stride` elements from line to
 * line. */
void oracle_wmma_load(const struct oracle_op *op, const uint8_t *memory, uint32_t start,
                      unsigned stride, struct wsim_regs *d);
void oracle_wmma_store(const struct oracle_op *op, uint8_t *memory, uint32_t start, unsigned stride,
                       const struct wsim_regs *r);

#endif
