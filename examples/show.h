/* show.h - what the examples share: a refusal ends the program with its reason, fragments print
 * lane by lane, and every number that somebody published is counted as agreeing or not. */
#ifndef SHOW_H
#define SHOW_H

#include <wsim/wsim.h>

/* Published numbers that were compared. Start with { 0 }. */
struct facts {
    unsigned agree, differ;
};

/* Counts one comparison; one that does not agree is printed, as printf would. */
void fact(struct facts *facts, int agrees, const char *text, ...);

/* Prints "all N facts agree", or how many do not; returns the exit status of the program. */
int facts_end(const struct facts *facts);

/* Ends the program with status 2 and the reason on stderr unless `status` is WSIM_OK. */
void must(enum wsim_status status, const struct wsim_diag *diag);

/* The library's answers, where the example cannot go on without one. */
struct wsim_op must_parse(const char *spelling);
const struct wsim_arch *must_find(const char *arch);
struct wsim_layout must_layout(const struct wsim_op *op, enum wsim_operand operand);
void must_exec(const struct wsim_op *op, const struct wsim_arch *arch,
               const struct wsim_operands *io);

/* Container bits of an integer, and the number that container bits mean. */
uint64_t bits_of(const struct wsim_format *format, int value);
double number_of(const struct wsim_format *format, uint64_t bits);

#define LANE_TEXT 128

/* What `lane` holds: one number a register, or "(2,3)" where a register has several. */
void lane_text(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned lane,
               char text[LANE_TEXT]);

/* Lanes `first` to `last` of a fragment, a line each. */
void show_lanes(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned first,
                unsigned last);

/* A row-major matrix of container bits as numbers. */
void show_matrix(const struct wsim_format *format, const uint64_t *matrix, unsigned rows,
                 unsigned cols);

/* Numbers that look random and are the same everywhere: below 65536; and from -range to range,
 * never 0. */
unsigned next_random(uint32_t *state);
int next_int(uint32_t *state, unsigned range);

/* product = a * b on integers: the exact m x n product of row-major m x k and k x n. */
void exact_product(unsigned m, unsigned n, unsigned k, const int *a, const int *b, int *product);

#endif
