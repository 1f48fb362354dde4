/* rules.h - the rules of lint for the instructions of one asm statement. */
#ifndef WSIM_LINT_RULES_H
#define WSIM_LINT_RULES_H

#include "finding.h"
#include "instruction.h"
#include "source.h"

/* Finds missing commits, waits and fences between the instructions of `text`. */
void lint_check_order(const struct lint_text *text, const struct lint_instructions *instructions,
                      struct lint_findings *findings);

/* Checks how the statement fits into the program around it: outputs, volatile, "memory", scopes,
 * pointers. `text` is that of wrap.h, `file` the bytes of the file. */
void lint_check_binding(const char *file, const struct lint_asm *statement,
                        const struct lint_text *text, const struct lint_instructions *instructions,
                        struct lint_findings *findings);

/* Finds addresses that ptxas refuses, bit fields of bfe and bfi that leave their register, and
 * guards that ptxas drops. */
void lint_check_fields(const struct lint_text *text, const struct lint_instructions *instructions,
                       struct lint_findings *findings);

/* Finds guards that ptxas drops. `text` ends where the spelling of an instruction begins. */
void lint_check_guard(const char *spelling, const char *text, size_t size, size_t at,
                      struct lint_findings *findings);

/* Finds an instruction that PTX of version `ptx` (90: 9.0; 0: unknown) does not have. */
void lint_check_version(const struct wsim_instruction *is, const char *spelling, unsigned ptx,
                        size_t at, struct lint_findings *findings);

/* Finds an offset that is subtracted, and an address that is a number. */
void lint_check_address(const char *spelling, const char *operands, size_t at,
                        struct lint_findings *findings);

/* Finds a bit field of one instruction at `at` of the file. */
void lint_check_field(const char *spelling, const char *operands, size_t at,
                      struct lint_findings *findings);

#endif
