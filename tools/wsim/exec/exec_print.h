/* exec_print.h - the three ways to print an execution. */
#ifndef WSIM_EXEC_PRINT_H
#define WSIM_EXEC_PRINT_H

#include "../common/page.h"
#include "exec_run.h"

/* What is executed, on what, and what that rests on. */
void exec_print_head(const struct exec_run *run);

/* The operands: what each was filled from. */
void exec_print_sources(const struct exec_run *run);

/* The same as lines of a page. */
void exec_page_evidence(const struct exec_run *run, struct page *page);
void exec_page_sources(const struct exec_run *run, struct page *page);

void exec_print_text(const struct exec_run *run);
/* md, svg or html: TOOL_FINE, or the status after saying why not. */
int exec_print_page(const struct exec_run *run, enum tool_format format);
void exec_print_json(const struct exec_run *run);
void exec_print_csv(const struct exec_run *run);

#endif
