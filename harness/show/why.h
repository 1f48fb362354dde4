/* why.h - shared by pictures of sums: groups of steps, their panels, words. */
#ifndef WSIM_SHOW_WHY_H
#define WSIM_SHOW_WHY_H

#include "show.h"

/* A step, or those of a chain. */
struct show_sum_block {
    unsigned number;                    /* from 1                    */
    unsigned step, steps, term, addend; /* where it begins           */
    unsigned terms;                     /* products of all its steps */
};

/* Values of panel->part; the last three are for digits. */
enum { NUMBER, STEP, STEPS, TERM, ADDEND, TERMS, HIGH, UNIT, LOW };

/* The first block after *block = {0}, then the next one; 0 at the end. */
int show_sum_next(const struct wsim_why *why, struct show_sum_block *block);

/* --- panels --- */

/* True if its digits are shown: a rounded sum that fits into 63 bits. */
int show_sum_has_digits(const struct wsim_why_card *card, const struct show_sum_block *block);
void show_sum_digits(const struct wsim_why_card *card, const struct show_sum_block *block,
                     struct wsim_panel *panel);
void show_sum_list(const struct wsim_why *why, struct wsim_panel *panel);

/* --- words --- */

/* The element of a panel of sums. */
const struct wsim_why *show_sum_why(const struct wsim_panel *panel);

/* The columns of an operand, A or B. */
const struct wsim_format *show_sum_format(const struct wsim_why_card *card,
                                          enum wsim_operand operand);
struct wsim_value show_sum_value(const struct wsim_why_card *card, enum wsim_operand operand,
                                 uint64_t container);

/* The columns of a factor: the number, its bits, and its place. */
enum show_sum_column { SUM_A, SUM_A_BITS, SUM_A_IN, SUM_B, SUM_B_BITS, SUM_B_IN, SUM_COLUMNS };
void show_sum_put_term(struct base_text *text, const struct wsim_why_card *card,
                       const struct wsim_why_term *term, enum show_sum_column column);

/* The number in a few digits, without floating point: as an f32, or as an f64 if it is no f32. */
void show_sum_put_value(struct base_text *text, struct wsim_value value);

/* The number and its bits. */
void show_sum_put_format(struct base_text *text, const struct wsim_format *format, uint64_t bits);

/* "12: d0[15:0]", lane, register and bits; or the byte of shared memory. */
void show_sum_put_place(struct base_text *text, const char *name, unsigned bits,
                        const struct wsim_why_element *element);

#endif
