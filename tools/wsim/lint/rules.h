/* rules.h - what can be seen of a statement beside what the reader of PTX sees.
 */
#ifndef WSIM_LINT_RULES_H
#define WSIM_LINT_RULES_H

#include "finding.h"
#include "instruction.h"

/* Commits, waits and fences that are missing between instructions of `text`. */
void rules_order(const struct lint_text *text, const struct lint_instructions *instructions,
                 struct findings *findings);

/* How the statement is bound to the program around it: outputs, volatile, "memory", scopes, where
 * its addresses come from. `text` is that of wrap.h, `file` the bytes of the file. */
void rules_binding(const char *file, const struct lint_asm *statement, const struct lint_text *text,
                   const struct lint_instructions *instructions, struct findings *findings);

#endif
