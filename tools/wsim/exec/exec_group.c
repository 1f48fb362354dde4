/* A wgmma.mma_async on operands from the command line: matrices in shared memory. */
#include "exec.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 1 << 20, CORE = 8, NEAR = 16 };

const char *exec_group_given(const struct exec_group_options *o) {
    return o->desc[WSIM_A]   ? "desc-a"
           : o->desc[WSIM_B] ? "desc-b"
           : o->scale_d      ? "scale-d"
           : o->negate_a     ? "negate-a"
           : o->negate_b     ? "negate-b"
           : o->trans_a      ? "trans-a"
           : o->trans_b      ? "trans-b"
                             : NULL;
}

/* --- descriptors --- */

/* Without swizzle and gaps, from `start` on: cores of 8 lines of 16 bytes. */
static uint64_t plain_descriptor(const struct wsim_tile *tile, uint32_t start) {
    unsigned lines = tile->mn_major ? tile->k : tile->rows;
    unsigned bytes = (tile->mn_major ? tile->rows : tile->k) * tile->bits / 8u;
    struct wsim_descriptor d = {0};
    uint64_t bits = 0;
    d.start = start;
    d.leading = CORE * NEAR;
    d.stride = CORE * NEAR * (tile->mn_major ? lines / CORE : bytes / NEAR);
    wsim_descriptor_encode(&d, &bits, NULL);
    return bits;
}

/* An operand in memory as a matrix, without registers. */
static struct wsim_layout layout_of(const struct wsim_tile *tile, enum wsim_operand operand) {
    struct wsim_layout layout = {.name = "memory", .format = tile->format, .batches = 1};
    layout.elem_bits = tile->bits;
    layout.rows = operand == WSIM_A ? tile->rows : tile->k;
    layout.cols = operand == WSIM_A ? tile->k : tile->rows;
    return layout;
}

/* The default address of A: after B. */
static uint32_t end_of_b(const struct exec_run *run) {
    struct wsim_tile b = {0};
    wsim_wgmma_tile(&run->op, WSIM_B, 0, &b, NULL);
    return (uint32_t)b.rows * b.k * b.bits / 8u;
}

static int open_matrix(struct exec_run *run, const struct exec_group_options *o,
                       enum wsim_operand operand) {
    struct exec_group *group = &run->group;
    struct wsim_tile *tile = &group->tile[operand];
    int mn_major = operand == WSIM_A ? group->trans_a : group->trans_b, status = TOOL_GO;
    struct wsim_diag diag;
    if (wsim_wgmma_tile(&run->op, operand, mn_major, tile, &diag))
        return tool_refused(NULL, &diag);
    group->desc[operand] = plain_descriptor(tile, operand == WSIM_A ? end_of_b(run) : 0);
    if (o->desc[operand])
        status = tool_descriptor(operand == WSIM_A ? "--desc-a" : "--desc-b", o->desc[operand],
                                 &group->desc[operand]);
    if (status == TOOL_GO) /* ignores unused bits */
        wsim_descriptor_decode(group->desc[operand], &group->at[operand], NULL);
    run->has[operand] = group->in_memory[operand] = 1;
    run->layout[operand] = layout_of(tile, operand);
    return status;
}

int exec_group_open(struct exec_run *run, const struct exec_group_options *o) {
    struct exec_group *group = &run->group;
    int status;
    group->negate_a = o->negate_a || run->atom.negate_a;
    group->negate_b = o->negate_b || run->atom.negate_b;
    group->trans_a = o->trans_a || run->atom.trans_a;
    group->trans_b = o->trans_b || run->atom.trans_b;
    group->scale_d = 1;
    if (o->desc[WSIM_A] && run->atom.a_in == WSIM_ATOM_REGISTERS)
        return tool_error("--desc-a: this atom has A in registers");
    status = tool_number("--scale-d", o->scale_d, 1, &group->scale_d);
    if (status == TOOL_GO && (o->desc[WSIM_A] || run->atom.a_in == WSIM_ATOM_SHARED))
        status = open_matrix(run, o, WSIM_A);
    return status == TOOL_GO ? open_matrix(run, o, WSIM_B) : status;
}

/* --- memory --- */

/* The address of element `index` of an operand, and its k. */
static uint32_t address_of(const struct exec_run *run, enum wsim_operand operand, size_t index,
                           unsigned *k) {
    const struct wsim_layout *layout = &run->layout[operand];
    unsigned row = (unsigned)(index / layout->cols), col = (unsigned)(index % layout->cols);
    *k = operand == WSIM_A ? col : row;
    return wsim_descriptor_address(&run->group.at[operand], &run->group.tile[operand],
                                   operand == WSIM_A ? row : col, *k);
}

static size_t elements(const struct wsim_layout *layout) {
    return (size_t)layout->rows * layout->cols;
}

static unsigned bytes_of(const struct wsim_layout *layout) {
    return layout->elem_bits < 8 ? 1 : layout->elem_bits / 8u;
}

/* The end of all operands in memory. */
static uint32_t end_of(const struct exec_run *run) {
    uint32_t end = 0;
    unsigned operand, k;
    size_t i;
    for (operand = WSIM_A; operand <= WSIM_B; operand++)
        for (i = 0; run->group.in_memory[operand] && i < elements(&run->layout[operand]); i++) {
            uint32_t at = address_of(run, (enum wsim_operand)operand, i, &k) +
                          bytes_of(&run->layout[operand]);
            end = at > end ? at : end;
        }
    return end;
}

/* Leaves out elements beyond the memory: the execution reports them. */
static void place(struct exec_run *run, enum wsim_operand operand, const uint64_t *matrix) {
    const struct wsim_layout *layout = &run->layout[operand];
    unsigned k, i, bytes = bytes_of(layout);
    size_t index;
    for (index = 0; index < elements(layout); index++) {
        uint32_t at = address_of(run, operand, index, &k);
        uint8_t *to = run->smem.bytes + at;
        if (at >= run->smem.size || run->smem.size - at < bytes)
            continue;
        for (i = 0; i < bytes && layout->elem_bits >= 8; i++)
            to[i] = (uint8_t)(matrix[index] >> 8 * i);
        if (layout->elem_bits == 1)
            *to = (uint8_t)((*to & ~(1u << k % 8)) | (unsigned)matrix[index] << k % 8);
    }
}

/* --smem and --a or --b exclude each other for an operand in memory. */
static int refuse_twice(const struct exec_run *run, enum wsim_operand operand) {
    if (!run->group.in_memory[operand] || !run->source[operand])
        return TOOL_GO;
    return tool_error("--%s: %s is read from shared memory: give its bytes with --smem",
                      wsim_operand_name(operand), wsim_operand_name(operand));
}

static int default_sources(struct exec_run *run) {
    unsigned operand;
    for (operand = WSIM_A; operand <= WSIM_B; operand++)
        if (run->group.in_memory[operand] && !run->source[operand])
            run->source[operand] = operand_default((enum wsim_operand)operand);
    return TOOL_GO;
}

/* Refuses descriptors whose elements overlap: memory cannot hold the given matrix. */
static int check_overlay(const struct exec_run *run, enum wsim_operand operand,
                         const uint64_t *wanted) {
    const struct wsim_layout *layout = &run->layout[operand];
    size_t i = 0, n = elements(layout);
    uint64_t *there = memory_make(n, sizeof *there);
    unsigned k;
    exec_group_matrix(run, operand, there);
    while (i < n && (wanted[i] == there[i] || address_of(run, operand, i, &k) >= run->smem.size))
        i++;
    free(there);
    if (i == n)
        return TOOL_GO;
    return tool_error("--%s '%s': another element overlaps row %u, column %u at 0x%05x, so the "
                      "descriptor would not read %s; give the bytes with --smem",
                      wsim_operand_name(operand), text_cut(run->source[operand]).text,
                      (unsigned)(i / layout->cols), (unsigned)(i % layout->cols),
                      (unsigned)address_of(run, operand, i, &k), wsim_operand_name(operand));
}

/* Places A and B at their descriptors, then checks both. */
static int fill_matrices(struct exec_run *run) {
    uint64_t *matrix[] = {NULL, NULL};
    const enum wsim_operand operand[] = {WSIM_A, WSIM_B};
    int status = TOOL_GO;
    for (int i = 0; i < 2 && status == TOOL_GO; i++) {
        const struct wsim_layout *layout = &run->layout[operand[i]];
        if (!run->group.in_memory[operand[i]])
            continue;
        matrix[i] = memory_make(elements(layout), sizeof *matrix[i]);
        status = operand_matrix(operand[i], layout, run->source[operand[i]], &run->reading,
                                "; for other contents of memory use --smem", matrix[i]);
        if (status == TOOL_GO)
            place(run, operand[i], matrix[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (status == TOOL_GO && matrix[i])
            status = check_overlay(run, operand[i], matrix[i]);
        free(matrix[i]);
    }
    return status;
}

int exec_group_memory(struct exec_run *run, const char *smem) {
    int status = smem ? refuse_twice(run, WSIM_A) : default_sources(run);
    if (status == TOOL_GO && smem)
        status = refuse_twice(run, WSIM_B);
    if (status != TOOL_GO)
        return status;
    if (!run->smem.size)
        run->smem.size = end_of(run);
    if (run->smem.size > MEMORY_MAX)
        return tool_error("the descriptors reach 0x%lx, beyond the memory of wsim exec; reduce it "
                          "with --smem-size",
                          (unsigned long)run->smem.size);
    run->smem_source = smem ? smem : "the matrices";
    run->smem.bytes = operand_memory(smem ? smem : "zero", &run->smem.size);
    if (!run->smem.bytes)
        return TOOL_USAGE;
    return smem ? TOOL_GO : fill_matrices(run);
}

void exec_group_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix) {
    const struct wsim_layout *layout = &run->layout[operand];
    unsigned k, i, bytes = bytes_of(layout);
    size_t index;
    for (index = 0; index < elements(layout); index++) {
        uint32_t at = address_of(run, operand, index, &k);
        const uint8_t *from = run->smem.bytes + at;
        matrix[index] = 0;
        if (at >= run->smem.size || run->smem.size - at < bytes)
            continue;
        for (i = 0; i < bytes; i++)
            matrix[index] |= (uint64_t)from[i] << 8 * i;
        if (layout->elem_bits == 1)
            matrix[index] = matrix[index] >> k % 8 & 1;
    }
}
