/* exec.h - one execution from the command line, shared by all commands that have the operands of
 * wsim exec. */
#ifndef WSIM_TOOL_EXEC_H
#define WSIM_TOOL_EXEC_H

#include "../common/doc.h"
#include "../common/instruction.h"
#include "operand.h"

/* --- options --- */

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

struct exec_group_options {
    char *desc[WSIM_OPERANDS], *scale_d;
    int negate_a, negate_b, trans_a, trans_b;
};

/* The operands as given; NULL: not given. */
struct exec_options {
    char *text[WSIM_OPERANDS];
    char *arch, *smem, *addr;
    char *number[EXEC_NUMBERS];
    struct exec_group_options group;
    char *lane_mask, *zero_mask; /* tcgen05 */
    struct operand_reading reading;
};

/* Rows of options for the member `exec` of a struct options, but for --arch. */
/* clang-format off */
#define EXEC_OPERAND_ROWS \
    TOOL_GROUP("Operands"), \
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
    TOOL_GROUP("Memory"), \
    {"smem", 0, TOOL_STRING, TOOL_AT(exec.smem), "Shared memory", "MEMORY"}, \
    {"smem-size", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_SMEM_SIZE]), "Size of shared memory (hex sets its own)", "BYTES"}, \
    {"addr", 0, TOOL_STRING, TOOL_AT(exec.addr), "Row addresses", "EXPR|FILE"}, \
    {"stride", 0, TOOL_STRING, TOOL_AT(exec.number[EXEC_STRIDE]), "wmma: distance between lines", "ELEMENTS"}, \
    TOOL_GROUP("Warpgroups and tcgen05"), \
    {"desc-a", 0, TOOL_STRING, TOOL_AT(exec.group.desc[WSIM_A]), "wgmma: descriptor of A", "HEX"}, \
    {"desc-b", 0, TOOL_STRING, TOOL_AT(exec.group.desc[WSIM_B]), "wgmma: descriptor of B", "HEX"}, \
    {"trans-a", 0, TOOL_FLAG, TOOL_AT(exec.group.trans_a), "wgmma: A is MN-major", NULL}, \
    {"trans-b", 0, TOOL_FLAG, TOOL_AT(exec.group.trans_b), "wgmma: B is MN-major", NULL}, \
    {"negate-a", 0, TOOL_FLAG, TOOL_AT(exec.group.negate_a), "wgmma: imm-scale-a is -1", NULL}, \
    {"negate-b", 0, TOOL_FLAG, TOOL_AT(exec.group.negate_b), "wgmma: imm-scale-b is -1", NULL}, \
    {"scale-d", 0, TOOL_STRING, TOOL_AT(exec.group.scale_d), "wgmma: 0 ignores C", "0|1"}, \
    {"lane-mask", 0, TOOL_STRING, TOOL_AT(exec.lane_mask), "tcgen05: lanes of D that stay, word by word", "HEX,HEX,..."}, \
    {"zero-mask", 0, TOOL_STRING, TOOL_AT(exec.zero_mask), "tcgen05.mma.ws: zero-column mask", "HEX"}, \
    TOOL_GROUP("Numbers"), \
    {"round", 0, TOOL_FLAG, TOOL_AT(exec.reading.round), "Round numbers of X", NULL}, \
    {"bits", 0, TOOL_FLAG, TOOL_AT(exec.reading.bits), "Read integers of a .npy as bits", NULL}
/* clang-format on */

/* --- an execution --- */

/* Operands of wgmma and tcgen05 in memory, descriptors of operands in shared memory, and whether C
 * is added. */
struct exec_group {
    int in_memory[WSIM_OPERANDS];
    uint64_t desc[WSIM_OPERANDS];
    struct wsim_descriptor at[WSIM_OPERANDS];
    struct wsim_tile tile[WSIM_OPERANDS];
    uint32_t scale_d;
};

#define EXEC_ROWS (WSIM_GROUP_REGS * WSIM_GROUP_THREADS / WSIM_LANES)

/* Operands that the instruction lacks have has[] 0; smem is then {NULL, 0}. */
struct exec_run {
    struct instruction in;
    const struct wsim_arch *arch;
    char spelling[WSIM_SPELLING_MAX];
    int has[WSIM_OPERANDS];
    const char *source[WSIM_OPERANDS]; /* the word that fills it */
    struct operand_reading reading;
    struct wsim_layout layout[WSIM_OPERANDS];
    struct wsim_code code;
    union operand_regs regs[WSIM_OPERANDS];
    uint32_t *at[WSIM_OPERANDS][EXEC_ROWS]; /* each 32 words of a fragment */
    uint32_t selector, bid_a, tid_a, bid_b, tid_b, stride;
    int is_group;
    struct exec_group group;
    struct exec_tensor *tensor; /* tcgen05.mma; NULL: another instruction               */
    const char *smem_source, *addr_source; /* NULL: no memory, no addresses */
    struct {
        uint8_t *bytes;
        uint32_t size;
    } smem; /* for every state space */
    uint32_t addr[WSIM_LANES];
    struct wsim_memory shared, global; /* over smem                             */
    struct wsim_io io;                 /* the members above, for wsim_run       */
    struct evidence evidence;
    int is_outside;           /* hardware runs it, but the ISA forbids it: */
    struct wsim_diag outside; /* the reason                            */
    int show_inputs;
    int lane, row, col; /* the elements to list; negative: all */
};

/* Whether the answer lists elements. */
static inline int exec_is_list(const struct exec_run *run) {
    return run->lane >= 0 || run->row >= 0 || run->col >= 0;
}

/* Checks the instruction before the operands: each given operand must exist. *run is all zero bytes
 * before. */
void exec_prepare(struct exec_run *run, const struct exec_options *o, const struct instruction *in);

/* Fills registers and memory. */
void exec_fill(struct exec_run *run, const struct exec_options *o);

/* Makes run->io. */
void exec_bind(struct exec_run *run);

/* Binds and executes. */
void exec_execute(struct exec_run *run);

/* Frees *run, which is on the heap. */
void exec_close(struct exec_run *run);

/* --- warpgroups (exec_group.c) --- */

/* The name of the first given option of a warpgroup; NULL: none. */
const char *exec_group_given(const struct exec_group_options *o);

/* The immediates that options set, as an atom has them. */
void exec_group_use(const struct exec_group_options *o, struct wsim_atom *use);

/* Reads the options into run->group. B is always in memory, A if it has a descriptor. */
void exec_group_open(struct exec_run *run, const struct exec_group_options *o);

/* Makes run->smem from `smem`; NULL: places the matrices at their descriptors. */
void exec_group_memory(struct exec_run *run, const char *smem);

/* The raw elements of an operand in memory; 0 outside the memory. */
void exec_group_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix);

/* The bits of an element of A or B: from bit `bit` of the byte at `at` of shared memory on.
 * Elements of less than a byte share addresses. Blocks of a pair have equal places. */
struct exec_place {
    uint32_t at;
    unsigned bit, bits;
};
struct exec_place exec_place(const struct exec_run *run, enum wsim_operand operand, unsigned row,
                             unsigned col);

void exec_put_bits(uint8_t *bytes, unsigned bit, unsigned count, uint64_t value);
uint64_t exec_get_bits(const uint8_t *bytes, unsigned bit, unsigned count);

/* --- tensor memory (exec_tensor.c) --- */

/* The parts of exec_prepare, exec_fill, exec_bind and exec_close for a tcgen05.mma. */
void exec_tensor_open(struct exec_run *run, const struct exec_options *o);
void exec_tensor_fill(struct exec_run *run, const struct exec_options *o);
void exec_tensor_bind(struct exec_run *run);
void exec_tensor_close(struct exec_run *run);

/* The raw elements of an operand; of D as tensor memory has them. */
void exec_tensor_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix);

void exec_tensor_sources(struct doc *doc, const struct exec_run *run);
void exec_tensor_elements(struct doc *doc, const struct exec_run *run);

/* --- the answer (exec_answer.c) --- */

/* The raw elements of an operand, wherever it is. */
void exec_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix);

/* The instruction, its target, and the evidence of the model. */
void exec_add_head(struct doc *doc, const struct exec_run *run);

/* Lines of the operands: the word that fills each. */
void exec_add_sources(struct doc *doc, const struct exec_run *run);

void exec_answer(struct doc *doc, const struct exec_run *run);

#endif
