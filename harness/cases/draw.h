/* draw.h - draws many words of a case at once. stream.h defines each word. Here, values that do not
 * depend on the element are computed first. The loops over lanes have no branch, so compilers
 * vectorise them (draw_loops.h). tests/unit/cases/test_draw.c compares both for every
 * operation and distribution. */
#ifndef WSIM_CASES_DRAW_H
#define WSIM_CASES_DRAW_H

#include <wsim/harness/cases.h>

/* `count` numbers from `start` upwards, or downwards if `down` is all ones; x selects x % count. */
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
    uint64_t choice;     /* bits of the hash: any set bit selects range 1, or no pattern         */
    uint64_t chooses;    /* bits of hash >> 40 that select a number of the range                 */
    uint64_t eight[8];   /* patterns                                                             */
    uint64_t container;  /* ones: all bits of the container                                      */
    uint64_t used;       /* ... and those of the value                                           */
    uint64_t frac, sign; /* bits of a float that are drawn; of its sign, which is the hash's top */
    uint8_t frac_bits, sign_shift;
    uint64_t top,
        nan;         /* the largest exponent; an exponent and fraction that are NaN, and avoided */
    uint32_t pair;   /* paired: bits of the place that differ inside a pair or run           */
    uint32_t minus;  /* ... and the one that makes the number negative                       */
    uint32_t across; /* hot: where the bits of the place across k begin; 0 or 12             */
    uint64_t extent; /* ... a power of two; how many elements stand along k                  */
    uint64_t one, drawn; /* ... the number: bits that are set, bits of it that are drawn       */
};

/* Registers of 32 lanes with elements at lane[l] + elem[e] of a matrix: 32 / bits elements per
 * register, or one in two registers. Registers are `step` words apart. */
struct draw_rows {
    const uint32_t *lane, *elem;
    uint32_t rows, step;
};

/* The loops for one kind of machine. */
struct draw_loops {
    void (*numbers)(const struct draw *draw, const struct draw_rows *rows, uint32_t *to);
    /* The low halves of the hashes of a stream from number `first`. */
    void (*words)(uint64_t stream, uint64_t first, uint32_t count, uint32_t *to);
    /* wsim_stream_metadata of 32 lanes, which the layout puts at lane[l] ^ elem[0 ... 7]. */
    void (*metadata)(const struct wsim_plan *plan, const struct wsim_case *c, unsigned first,
                     const uint32_t *lane, const uint32_t *elem, uint32_t *to);
    /* wsim_stream_scales of 32 lanes. */
    void (*scales)(const struct wsim_plan_input *o, const struct wsim_case *c, int which,
                   uint32_t *to);
};

/* Loops in portable C, and for x86-64-v3 and v4: NULL if they are not built or the machine lacks
 * the instructions. */
extern const struct draw_loops draw_plain;
const struct draw_loops *draw_v3(void);
const struct draw_loops *draw_v4(void);

/* The parameters of an input, drawn like A, B, C or R (`which`). *o is the input, or the memory
 * that holds A or B. Returns 0 if only stream.h can draw it. */
int draw_make(const struct wsim_plan *plan, const struct wsim_case *c,
              const struct wsim_plan_input *o, int which, struct draw *draw);

/* wsim_case_fill with these loops. */
void draw_fill(const struct draw_loops *loops, const struct wsim_plan *plan,
               const struct wsim_case *c, uint32_t *in);

#endif
