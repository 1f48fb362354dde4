/* probe.h - one case built element by element, and printed as a line of docs/trace-format.md. Its
 * result is zeros, for a recorder to replace. */
#ifndef PROBE_H
#define PROBE_H

#include <wsim/wsim.h>

enum { PROBE_A_MAX = 16 * 256, PROBE_B_MAX = 256 * 8, PROBE_C_MAX = 16 * 16 };

/* The matrices of one instruction, all batches; element values are container bits. Rows of A count
 * through the batches of m8n8k4. Columns of A are stored ones: where A is compressed, those that
 * metadata names. */
struct probe {
    struct wsim_op op;
    struct wsim_op_info info;
    struct wsim_layout layout_a, layout_b, layout_c, layout_d, layout_e;
    unsigned rows, cols, stored; /* rows of A in all batches; columns of D; elements a row of A */
    unsigned chunk, kept;        /* sparse: columns of a chunk, how many are stored              */
    unsigned selector;
    uint64_t a[PROBE_A_MAX], b[PROBE_B_MAX], c[PROBE_C_MAX];
    uint32_t e[WSIM_LANES];
};

/* An empty case: zeros; metadata 4, the nibble that keeps the first columns of each chunk. Ends the
 * program when `spelling` is none. */
void probe_open(struct probe *probe, const char *spelling, unsigned selector);

/* Zeros, and the same metadata nibble everywhere. */
void probe_clear(struct probe *probe, unsigned nibble);

void probe_set_a(struct probe *probe, unsigned row, unsigned stored, uint64_t bits);
void probe_set_c(struct probe *probe, unsigned row, unsigned col, uint64_t bits);

/* Element (k, col) of B in every batch. */
void probe_set_b(struct probe *probe, unsigned k, unsigned col, uint64_t bits);

/* The nibble of one row of A, in all chunks. */
void probe_set_nibble(struct probe *probe, unsigned row, unsigned nibble);

/* The row of B that stored column `stored` of A meets where the nibble is `nibble`. */
unsigned probe_k(const struct probe *probe, unsigned nibble, unsigned stored);

/* 1 if the ISA defines `nibble` for this operation. */
int probe_nibble_is_defined(const struct probe *probe, unsigned nibble);

/* A comment and the case, on standard output. */
void probe_print(const struct probe *probe, const char *comment);

/* (-1)^negative 2^exponent in the container of `layout`; integers: the value 2^exponent. */
uint64_t probe_power(const struct wsim_layout *layout, int negative, int exponent);

/* The families of cases; each prints all of its cases. */
void probe_singles(void);
void probe_groups(void);
void probe_saturation(void);
void probe_doubles(void);
void probe_nibbles(void);

#endif
