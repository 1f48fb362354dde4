/* base.h - how a refusal is worded. The lowest floor: it does not depend on numbers or warps. */
#ifndef WSIM_BASE_BASE_H
#define WSIM_BASE_BASE_H

#include <wsim/status.h>

#if defined(__GNUC__)
#define BASE_PRINTF(text, args) __attribute__((__format__(__printf__, text, args)))
#else
#define BASE_PRINTF(text, args)
#endif

/* The rules of rule.def. */
enum base_rule {
    RULE_NONE,
#define RULE(id, name, status, meaning, source) RULE_##id,
#include "rule.def"
    RULE_END
};

/* Fills *diag (if not NULL) with the rule that was broken, its status, a column and a sentence, and
 * returns the status:
 *     return base_refuse(diag, RULE_MATRIX_ROW_ALIGN, 0, "row address %u of lane %u ...", ...);
 */
enum wsim_status base_refuse(struct wsim_diag *diag, enum base_rule rule, uint32_t col,
                             const char *format, ...) BASE_PRINTF(4, 5);

/* Refuses because of *why: its status and rule, and another sentence. *diag may be *why only
 * if the sentence is made of nothing in it. */
enum wsim_status base_repeat(struct wsim_diag *diag, const struct wsim_diag *why, uint32_t col,
                             const char *format, ...) BASE_PRINTF(4, 5);

/* "race.warp" of RULE_RACE_WARP. */
const char *base_rule_name(enum base_rule rule);

/* Whether a kernel has one finding of a rule, however many lines break it. */
int base_rule_once(const char *rule);

/* Whether a rule belongs to an area ("race"), the first part of its name. */
int base_rule_in(const char *rule, const char *area);

/* "0 to 3", or "only 0": what a number from 0 on can be. Returns `out`. */
#define BASE_RANGE 32
const char *base_range(char out[BASE_RANGE], unsigned most);

/* Bounded text under construction; what does not fit is dropped, the text stays terminated. */
struct base_text {
    char *at;
    size_t size, used;
};

void base_put(struct base_text *text, const char *format, ...) BASE_PRINTF(2, 3);

#endif
