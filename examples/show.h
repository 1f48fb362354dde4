/* show.h - common functions of the examples. A refusal ends the program with its reason, fragments
 * print lane by lane, and published numbers are compared and counted. */
#ifndef SHOW_H
#define SHOW_H

#include <wsim/wsim.h>

/* Published numbers that were compared. Start with { 0 }. */
struct facts {
    unsigned agree, differ;
};

/* Counts one comparison; prints the message if it fails. */
void fact(struct facts *facts, int agrees, const char *text, ...);

/* Prints "all N facts agree" or the number of failures; returns the exit status of the program. */
int facts_end(const struct facts *facts);

/* Ends the program with status 2 and the reason on stderr unless `status` is WSIM_OK. */
void must(enum wsim_status status, const struct wsim_diag *diag);

/* Calls of the library that end the program on a refusal. */
struct wsim_op must_parse(const char *spelling);
const struct wsim_arch *must_find(const char *arch);
struct wsim_layout must_layout(const struct wsim_op *op, enum wsim_operand operand);
void must_exec(const struct wsim_op *op, const struct wsim_arch *arch,
               const struct wsim_operands *io);

/* Container bits of an integer, and the number that container bits mean. */
uint64_t bits_of(const struct wsim_format *format, int value);
double number_of(const struct wsim_format *format, uint64_t bits);

#define LANE_TEXT 128

/* The elements of `lane`: one number for each register, or "(2,3)" for a register with several. */
void lane_text(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned lane,
               char text[LANE_TEXT]);

/* Lanes `first` to `last` of a fragment, a line each. */
void show_lanes(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned first,
                unsigned last);

/* A row-major matrix of container bits as numbers. */
void show_matrix(const struct wsim_format *format, const uint64_t *matrix, unsigned rows,
                 unsigned cols);

/* Pseudo-random numbers, equal on every machine: below 65536, and from -range to range without 0.
 */
unsigned next_random(uint32_t *state);
int next_int(uint32_t *state, unsigned range);

/* product = a * b on integers: the exact m x n product of row-major m x k and k x n. */
void exact_product(unsigned m, unsigned n, unsigned k, const int *a, const int *b, int *product);

#endif
