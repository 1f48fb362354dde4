/* wrap.h - an asm statement as a kernel with registers for operands, for the reader of PTX. */
#ifndef WSIM_LINT_WRAP_H
#define WSIM_LINT_WRAP_H

#include "finding.h"
#include "instruction.h"
#include "source.h"

#include <wsim/kernel.h>
#include <wsim/scalar.h>

struct lint_wrap {
    const char *file; /* its bytes */
    /* NULL: any target; an instruction is legal if some target has it. Also of a statement that is
     * perhaps not compiled for the target. */
    const struct wsim_arch *arch;
    int certain;  /* the target alone decides whether the statement is compiled */
    int some;     /* it is compiled for some targets, perhaps for old ones      */
    unsigned ptx; /* the version of PTX, as major * 10 + minor; 0: unknown      */
};

/* Whether nvcc has a constraint of that letter. */
int lint_is_constraint(char letter);

/* The statement's text as PTX: %% is %, an operand is a register %0 %1 ..., a constant its value or
 * 0. Returns 0 after a finding that leaves no PTX. Free `body`. */
int lint_wrap_text(const struct lint_wrap *wrap, const struct lint_asm *statement,
                   struct lint_text *body, struct lint_findings *findings);

/* Finds mistakes in operands that no value of the unknown constants repairs. Features of the target
 * are left to lint_check_spelling. Operands of unknown instructions are not judged. */
void lint_check_operands(const struct lint_wrap *wrap, const struct lint_asm *statement,
                         struct lint_findings *findings);

/* The instruction around offset `at`, if it is unknown, or NULL. */
const struct lint_instruction *lint_unknown(const struct lint_instructions *instructions,
                                            size_t at);

/* Whether a problem of a module is about the spelling of an instruction, not its operands. */
int lint_is_spelling(const struct wsim_problem *problem);

/* Whether `arch` (NULL: any) has the instruction. */
enum wsim_status lint_check_spelling(const char *spelling, const struct wsim_arch *arch,
                                     struct wsim_diag *diag);

#endif
