/* exec_group.h - what wsim exec does for a warpgroup: matrices that lie in shared memory. */
#ifndef WSIM_EXEC_GROUP_H
#define WSIM_EXEC_GROUP_H

#include "exec_run.h"

/* As given on the command line. */
struct exec_group_options {
    char *desc[WSIM_OPERANDS], *scale_d;
    int negate_a, negate_b, trans_a, trans_b;
};

/* The name of the first of them that was given; NULL: none. */
const char *exec_group_given(const struct exec_group_options *o);

/* Reads them into run->group and says which operands lie in memory; B does always, A if it has a
 * descriptor. TOOL_GO, or the status after saying what is wrong. */
int exec_group_open(struct exec_run *run, const struct exec_group_options *o);

/* Makes run->smem: what `smem` says, or without it (NULL) as much memory as is read (or as was
 * asked for), with the matrices where the descriptors look for them. */
int exec_group_memory(struct exec_run *run, const char *smem);

/* The raw elements of an operand that lies in memory; 0 where there is no memory. */
void exec_group_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix);

#endif
