/* wrap.h - a statement of inline assembly as a kernel whose registers are its operands, so that the
 * reader of PTX can check it.
 */
#ifndef WSIM_LINT_WRAP_H
#define WSIM_LINT_WRAP_H

#include "finding.h"
#include "source.h"

#include "../common/tool.h"

struct wrap {
    const char *file; /* bytes of it */
    /* NULL: any target will do; what one has is legal. A statement that is only perhaps compiled
     * for the target is looked at in this way too. */
    const struct wsim_arch *arch;
    int certain; /* nothing but the target decides whether it is compiled */
};

/* The text as PTX has it: %% is %, operands are registers %0 %1 ..., and constants what they are,
 * or 0. 1, or 0 if it cannot be had (which has been said). `body` has to be freed. */
int wrap_text(const struct wrap *wrap, const struct lint_asm *statement, struct lint_text *body,
              struct findings *findings);

/* Adds problems of operands that remain for every value of unknown constants. The target does not
 * matter here: wrap_spelling checks its features. */
void wrap_check(const struct wrap *wrap, const struct lint_asm *statement,
                struct findings *findings);

/* Whether a problem of a module is of an instruction's spelling, not of its operands. */
int wrap_is_spelling(const struct wsim_problem *problem);

/* Whether `arch` (NULL: any) has that instruction: WSIM_OK, or why not in *diag. */
enum wsim_status wrap_spelling(const char *spelling, const struct wsim_arch *arch,
                               struct wsim_diag *diag);

/* Whether a constant operand has this letter. */
int wrap_is_constant(const struct lint_operand *operand);

#endif
