/* why.h - one element explained: what wsim why prints. */
#ifndef WSIM_TOOL_WHY_H
#define WSIM_TOOL_WHY_H

#include "../common/grid.h"
#include "../common/page.h"
#include "../exec/exec_run.h"
#include "why_feed.h"

/* The element, its execution, and where its factors were loaded from. */
struct why_answer {
    const struct exec_run *run;
    const struct why_feeds *feeds;
    const struct wsim_why *why;
};

void why_print_text(const struct why_answer *answer);
int why_print_page(const struct why_answer *answer, enum tool_format format);
void why_print_json(const struct why_answer *answer);

/* Puts three cells: where a factor lay in shared memory, its bank, and what that was before the
 * swizzle; blanks and 0 if it lay nowhere. */
int why_put_byte(const struct why_answer *answer, struct grid *grid, enum wsim_operand operand,
                 const struct wsim_why_element *element);

/* The element for the library's picture, whose lines and panels go into a page. */
struct wsim_why_card why_card(const struct exec_run *run, const struct wsim_why *why);
void why_page_steps(const struct wsim_picture *picture, struct page *page);

/* --- forward --- */

/* A register of a lane, or a byte of shared memory. */
struct why_source {
    enum wsim_operand operand; /* of the register                  */
    uint32_t lane, reg;
    int is_byte;
    uint32_t byte;
};

/* Prints what it holds, and which elements of D that enters. TOOL_FINE, or the status after saying
 * what is wrong. */
int why_forward(const struct exec_run *run, const struct why_feeds *feeds,
                const struct why_source *source, enum tool_format format);

/* --- refusals --- */

/* Prints why the instruction is refused and the smallest changes that are legal; TOOL_FOUND, or
 * TOOL_UNMODELLED. TOOL_GO: nothing refuses it. TOOL_USAGE after saying that there is none. */
int why_refusal(const char **args, const struct wsim_arch *arch, enum tool_format format);

/* Prints why these operands are refused. */
int why_refused(const struct exec_run *run, const struct wsim_diag *diag, enum tool_format format);

#endif
