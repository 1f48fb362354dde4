/* why.h - one element explained. */
#ifndef WSIM_TOOL_WHY_H
#define WSIM_TOOL_WHY_H

#include "../common/doc.h"
#include "../exec/exec_run.h"
#include "why_feed.h"

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
 * TOOL_UNMODELLED. TOOL_GO: nothing refuses it. TOOL_USAGE after saying that there is none. */
int why_refusal(const char **args, const struct wsim_arch *arch, enum tool_format format);

/* Prints why these operands are refused. */
int why_refused(const struct exec_run *run, const struct wsim_diag *diag, enum tool_format format);

#endif
