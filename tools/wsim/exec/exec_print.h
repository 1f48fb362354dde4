/* exec_print.h - the three ways to print an execution. */
#ifndef WSIM_EXEC_PRINT_H
#define WSIM_EXEC_PRINT_H

#include "exec_run.h"

void exec_print_text(const struct exec_run *run);
void exec_print_json(const struct exec_run *run);
void exec_print_csv(const struct exec_run *run);

#endif
