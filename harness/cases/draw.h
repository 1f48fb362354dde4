/* draw.h - the words of a case, many at a time. What each of them is, stream.h says, a word at a
 * time; here what does not depend on the element is known before the first, and the loops over
 * lanes have no branch, so that a compiler makes vectors of them (draw_loops.h). That both agree is
 * tested for every operation and distribution (tests/unit/cases/test_draw.c). */
#ifndef WSIM_CASES_DRAW_H
#define WSIM_CASES_DRAW_H

#include <wsim/harness/cases.h>

/* `count` numbers, of which x names x % count: from `start` upwards, or if `down` is all ones
 * downwards. */
struct draw_range {
    uint64_t start, down, count;
    uint64_t inverse; /* 2^31 / count, rounded up */
};

/* How a hash becomes a number. */
enum draw_way {
    DRAW_WHOLE,   /* the hash itself                                                           */
    DRAW_INTEGER, /* a number of a range                                                       */
    DRAW_FLOAT,   /* an exponent of a range, a sign and a fraction                             */
    DRAW_SPECIAL, /* the same, or one of eight patterns                                        */
    DRAW_EIGHT,   /* an integer: the hash, or one of eight                                     */
    DRAW_SHORT,   /* an integer of any length: the hash, shifted by a number of a range        */
    DRAW_PAIRED,  /* DRAW_FLOAT or DRAW_INTEGER in pairs of opposite sign, or in runs          */
    DRAW_HOT,     /* DRAW_FLOAT or DRAW_WHOLE in one place of a row or column, 0 elsewhere     */
};

/* The numbers of an operand in a case. */
struct draw {
    enum draw_way way;
    uint8_t is_float, is_noisy; /* noisy: the format does not use all bits of its container    */
    uint8_t bits, pad;          /* of the container; zero bits below the value                 */
    uint64_t stream;
    struct draw_range range[2];
    uint64_t choice;     /* bits of the hash: if any is set, range 1 is meant, or no pattern     */
    uint64_t chooses;    /* bits of hash >> 40 that name a number of the range                   */
    uint64_t eight[8];   /* patterns                                                             */
    uint64_t container;  /* ones: all bits of the container                                      */
    uint64_t used;       /* ... and those of the value                                           */
    uint64_t frac, sign; /* bits of a float that are drawn; of its sign, which is the hash's top */
    uint8_t frac_bits, sign_shift;
    uint64_t top,
        nan;         /* the largest exponent; an exponent and fraction that are NaN, and avoided */
    uint32_t pair;   /* paired: bits of the place that a pair or run has not in common       */
    uint32_t minus;  /* ... and the one that makes the number negative                       */
    uint32_t across; /* hot: where the bits of the place across k begin; 0 or 12             */
    uint64_t extent; /* ... a power of two; how many elements stand along k                  */
    uint64_t one, drawn; /* ... the number: bits that are set, bits of it that are drawn       */
};

/* Registers of 32 lanes whose elements stand at lane[l] + elem[e] of a matrix: 32 / bits elements a
 * register, or one in two registers. A register is `step` words after the one before. */
struct draw_rows {
    const uint32_t *lane, *elem;
    uint32_t rows, step;
};

/* The loops, for one kind of machine. */
struct draw_loops {
    void (*numbers)(const struct draw *draw, const struct draw_rows *rows, uint32_t *to);
    /* The low halves of hashes `first` on of a stream. */
    void (*words)(uint64_t stream, uint64_t first, uint32_t count, uint32_t *to);
    /* wsim_stream_metadata of 32 lanes, which the layout puts at lane[l] ^ elem[0 ... 7]. */
    void (*metadata)(const struct wsim_plan *plan, const struct wsim_case *c, unsigned first,
                     const uint32_t *lane, const uint32_t *elem, uint32_t *to);
    /* wsim_stream_scales of 32 lanes. */
    void (*scales)(const struct wsim_plan_input *o, const struct wsim_case *c, int which,
                   uint32_t *to);
};

/* Portable C: vectors if the compiler makes them. Then for x86-64-v3 and v4: NULL where they are
 * not built, or where the machine does not run them. */
extern const struct draw_loops draw_plain;
const struct draw_loops *draw_v3(void);
const struct draw_loops *draw_v4(void);

/* What the numbers of an input are, drawn as those of A, B, C or R (`which`): *o is that input, or
 * the memory that A or B lies in. 0: only stream.h can tell. */
int draw_make(const struct wsim_plan *plan, const struct wsim_case *c,
              const struct wsim_plan_input *o, int which, struct draw *draw);

/* wsim_case_fill with these loops. */
void draw_fill(const struct draw_loops *loops, const struct wsim_plan *plan,
               const struct wsim_case *c, uint32_t *in);

#endif
