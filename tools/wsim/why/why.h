/* why.h - one element explained. */
#ifndef WSIM_TOOL_WHY_H
#define WSIM_TOOL_WHY_H

#include "../common/doc.h"
#include "../exec/exec.h"

/* --- words (why_words.c) --- */

struct why_words {
    char text[1024];
};

/* The arithmetic in a sentence or two. */
struct why_words why_arithmetic(const struct wsim_arithmetic *arithmetic);

/* The differences of two, the most important first: "24 against 25 bits below the largest
 * exponent". */
struct why_words why_difference(const struct wsim_arithmetic *one,
                                const struct wsim_arithmetic *other);

/* sig * 2^exp in the fewest digits that read back as the same number, at most `most`. */
#define WHY_NUMBER 128
enum { WHY_SHORT = 6, WHY_LONG = 10, WHY_EXACT = 17 };
struct why_number {
    char text[WHY_NUMBER];
};
struct why_number why_number(int64_t sig, int exp, int most);

/* The part of an addend that a step cuts off; "": none. */
struct why_number why_cut(const struct wsim_why_addend *addend, const struct wsim_why_step *step);

/* An accumulator: the number and its bits. */
struct why_number why_value(const struct wsim_format *format, uint64_t bits);

/* "a1[15:0]", "d0-1": the register of an element of `bits` bits. */
struct why_number why_register(enum wsim_operand operand, unsigned bits,
                               const struct wsim_place *place);

/* The same, or the column of an element in tensor memory. */
struct why_number why_place(enum wsim_operand operand, unsigned bits,
                            const struct wsim_why_element *element);

/* --- shared memory (why_feed.c) --- */

/* The loads that filled the registers of A and B, as given; NULL: not given. */
struct why_feed_options {
    char *addr[2], *by[2]; /* of A, of B */
    char *swizzle;
};

struct why_feed {
    int given;
    uint32_t addr[WSIM_LANES];
    struct wsim_layout rows; /* the matrices of ldmatrix; no lanes: each lane loads what it has */
};

struct why_feeds {
    struct why_feed of[2];
    enum wsim_swizzle mode;
};

void why_feed_open(const struct exec_run *run, const struct why_feed_options *o,
                   struct why_feeds *feeds);

/* The address of an element of A or B in shared memory, by its descriptor or its load; 0: unknown.
 */
struct why_byte {
    uint32_t address, linear; /* linear: without the swizzle         */
    uint32_t bytes;           /* of the element, or of its container */
    int swizzled;
};
int why_feed_at(const struct exec_run *run, const struct why_feeds *feeds,
                enum wsim_operand operand, const struct wsim_why_element *element,
                struct why_byte *byte);

/* --- the answer --- */

/* The element, its execution, and the addresses of its factors. */
struct why_answer {
    const struct exec_run *run;
    const struct why_feeds *feeds;
    const struct wsim_why *why;
};

/* The answer; `card` has to outlive the document. `has_digits`: text has the picture of the sums.
 */
void why_answer(struct doc *doc, const struct why_answer *answer, const struct wsim_why_card *card,
                int has_digits);
void why_add_json(struct doc *doc, const struct why_answer *answer);

/* The element for the picture of its sums. */
struct wsim_why_card why_card(const struct exec_run *run, const struct wsim_why *why);

/* --- forward --- */

/* A register of a lane, or a byte of shared memory. */
struct why_source {
    enum wsim_operand operand; /* of the register                  */
    uint32_t lane, reg;
    int is_byte;
    uint32_t byte;
};

/* Prints the elements of D that the contents of the register or byte enter. An exit status. */
int why_forward(const struct exec_run *run, const struct why_feeds *feeds,
                const struct why_source *source, enum tool_format format);

/* --- refusals --- */

/* Prints why the instruction is refused and the smallest changes that are legal; TOOL_FOUND, or
 * TOOL_UNMODELLED. TOOL_GO: nothing refuses it. */
int why_refusal(const char **args, const struct wsim_arch *arch, enum tool_format format);

/* Prints why these operands are refused. */
int why_refused(const struct exec_run *run, const struct wsim_diag *diag, enum tool_format format);

#endif
