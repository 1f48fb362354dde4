/* exec_answer.h - the answer of wsim exec, and its head, which wsim why and wsim compare share. */
#ifndef WSIM_EXEC_ANSWER_H
#define WSIM_EXEC_ANSWER_H

#include "../common/doc.h"
#include "exec_run.h"

/* The instruction, its target, and the evidence of the model. */
void exec_add_head(struct doc *doc, const struct exec_run *run);

/* Lines of the operands: the word that filled each. */
void exec_add_sources(struct doc *doc, const struct exec_run *run);

void exec_answer(struct doc *doc, const struct exec_run *run);

#endif
