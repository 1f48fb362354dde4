/* exec_open.h - an execution from the command line, for all commands that have the operands of wsim
 * exec.
 */
#ifndef WSIM_EXEC_OPEN_H
#define WSIM_EXEC_OPEN_H

#include "exec_group.h"

enum {
    EXEC_SELECTOR,
    EXEC_BID_A,
    EXEC_TID_A,
    EXEC_BID_B,
    EXEC_TID_B,
    EXEC_STRIDE,
    EXEC_SMEM_SIZE,
    EXEC_NUMBERS
};

/* The operands as given; NULL: not given. */
struct exec_options {
    char *text[WSIM_OPERANDS];
    char *arch, *smem, *addr;
    char *number[EXEC_NUMBERS];
    struct exec_group_options group;
    struct operand_reading reading;
};

/* Rows of an option table for a struct exec_options, but for --arch. */
/* clang-format off */
#define EXEC_OPERAND_ROWS \
    {"a", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_A]), "Matrix A, or the source of movmatrix", "X"}, \
    {"b", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_B]), "Matrix B", "X"}, \
    {"c", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_C]), "Matrix C", "X"}, \
    {"e", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_E]), "Sparse metadata", "X"}, \
    {"selector", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_SELECTOR]), "Sparsity selector", "NUMBER"}, \
    {"sfa", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_SFA]), "Scale factors of A", "X"}, \
    {"sfb", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_SFB]), "Scale factors of B", "X"}, \
    {"bid-a", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_BID_A]), "Byte-id of the factors of A", "NUMBER"}, \
    {"tid-a", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_TID_A]), "Thread-id of the factors of A", "NUMBER"}, \
    {"bid-b", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_BID_B]), "Byte-id of the factors of B", "NUMBER"}, \
    {"tid-b", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_TID_B]), "Thread-id of the factors of B", "NUMBER"}, \
    {"r", 0, TOOL_STRING, TOOL_AT(exec.text[WSIM_R]), "Registers that stmatrix stores", "X"}, \
    {"smem", 0, TOOL_STRING, TOOL_AT(exec.smem), "Shared memory", "MEMORY"}, \
    {"smem-size", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_SMEM_SIZE]), "Size of shared memory (hex sets its own)", "BYTES"}, \
    {"addr", 0, TOOL_STRING, TOOL_AT(exec.addr), "Row addresses", "EXPR|FILE"}, \
    {"stride", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_STRIDE]), "wmma: distance between lines", "ELEMENTS"}, \
    {"desc-a", 0, TOOL_STRING, TOOL_AT(exec.group.desc[WSIM_A]), "wgmma: descriptor of A", "HEX"}, \
    {"desc-b", 0, TOOL_STRING, TOOL_AT(exec.group.desc[WSIM_B]), "wgmma: descriptor of B", "HEX"}, \
    {"trans-a", 0, TOOL_FLAG, TOOL_AT(exec.group.trans_a), "wgmma: A is MN-major", NULL}, \
    {"trans-b", 0, TOOL_FLAG, TOOL_AT(exec.group.trans_b), "wgmma: B is MN-major", NULL}, \
    {"negate-a", 0, TOOL_FLAG, TOOL_AT(exec.group.negate_a), "wgmma: imm-scale-a is -1", NULL}, \
    {"negate-b", 0, TOOL_FLAG, TOOL_AT(exec.group.negate_b), "wgmma: imm-scale-b is -1", NULL}, \
    {"scale-d", 0, TOOL_STRING, TOOL_AT(exec.group.scale_d), "wgmma: 0 ignores C", "0|1"}, \
    {"round", 0, TOOL_FLAG, TOOL_AT(exec.reading.round), "Round numbers of X", NULL}, \
    {"bits", 0, TOOL_FLAG, TOOL_AT(exec.reading.bits), "Read integers of a .npy as bits", NULL}
/* clang-format on */

/* Reads the spelling and checks it first, so that nobody fills operands of what cannot run; then
 * what was given must have a place. *run is all zero bytes before. TOOL_GO, or the status after
 * saying what is wrong; exec_close is needed after either. */
int exec_prepare(struct exec_run *run, const struct exec_options *o, const char **args);

/* Fills registers and memory. TOOL_GO, or the status after saying what is wrong. */
int exec_fill(struct exec_run *run, const struct exec_options *o);

/* Makes run->io. Memory serves for every state space that the instruction can name. */
void exec_bind(struct exec_run *run);

/* Binds and executes it. TOOL_GO, or the status after saying why it was refused. */
int exec_execute(struct exec_run *run);

/* Frees *run, which is of the heap. */
void exec_close(struct exec_run *run);

#endif
