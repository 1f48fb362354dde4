/* why_words.h - arithmetic in words: what a step does, numbers with an exponent, places. */
#ifndef WSIM_WHY_WORDS_H
#define WSIM_WHY_WORDS_H

#include <wsim/wsim.h>

struct why_words {
    char text[1024];
};

/* How products become a result, in a sentence or two. */
struct why_words why_arithmetic(const struct wsim_arithmetic *arithmetic);

/* Where two of them differ, the most that matters first: "24 against 25 bits behind the largest
 * exponent". */
struct why_words why_difference(const struct wsim_arithmetic *one,
                                const struct wsim_arithmetic *other);

/* sig * 2^exp, in as few digits as read back as the same, but no more than that. */
#define WHY_NUMBER 128
enum { WHY_SHORT = 6, WHY_LONG = 10, WHY_EXACT = 17 };
struct why_number {
    char text[WHY_NUMBER];
};
struct why_number why_number(int64_t sig, int exp, int most);

/* What is cut off an addend of a step; "" is nothing. */
struct why_number why_cut(const struct wsim_why_addend *addend, const struct wsim_why_step *step);

/* An accumulator: the number and its bits. */
struct why_number why_value(const struct wsim_format *format, uint64_t bits);

/* "a1[15:0]", "d0-1": the register of an element of `bits` bits. */
struct why_number why_register(enum wsim_operand operand, unsigned bits,
                               const struct wsim_place *place);

#endif
