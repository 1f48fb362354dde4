/* A wgmma.mma_async on operands from the command line: matrices in shared memory. */
#include "exec.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 1 << 20 };

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
    wsim_wgmma_tile(&run->in.op, WSIM_B, 0, &b, NULL);
    return (uint32_t)b.rows * b.k * b.bits / 8u;
}

static void open_matrix(struct exec_run *run, const struct exec_group_options *o,
                        enum wsim_operand operand) {
    struct exec_group *group = &run->group;
    struct wsim_tile *tile = &group->tile[operand];
    struct wsim_descriptor plain;
    struct wsim_diag diag;
    if (instruction_tile(&run->in, operand, tile, &diag))
        tool_refuse(NULL, &diag);
    plain = instruction_plain(tile, operand == WSIM_A ? end_of_b(run) : 0);
    wsim_descriptor_encode(&plain, &group->desc[operand], NULL);
    if (o->desc[operand])
        group->desc[operand] =
            tool_descriptor(operand == WSIM_A ? "--desc-a" : "--desc-b", o->desc[operand]);
    wsim_descriptor_decode(group->desc[operand], &group->at[operand],
                           NULL); /* ignores unused bits */
    run->has[operand] = group->in_memory[operand] = 1;
    run->layout[operand] = layout_of(tile, operand);
}

void exec_group_use(const struct exec_group_options *o, struct wsim_atom *use) {
    use->negate_a |= (uint8_t)o->negate_a;
    use->negate_b |= (uint8_t)o->negate_b;
    use->trans_a |= (uint8_t)o->trans_a;
    use->trans_b |= (uint8_t)o->trans_b;
}

void exec_group_open(struct exec_run *run, const struct exec_group_options *o) {
    struct exec_group *group = &run->group;
    exec_group_use(o, &run->in.atom);
    group->scale_d = 1;
    if (o->desc[WSIM_A] && run->in.atom.a_in == WSIM_ATOM_REGISTERS)
        tool_fail("--desc-a: this atom has A in registers");
    tool_number("--scale-d", o->scale_d, 1, &group->scale_d);
    if (o->desc[WSIM_A] || run->in.atom.a_in == WSIM_ATOM_SHARED)
        open_matrix(run, o, WSIM_A);
    open_matrix(run, o, WSIM_B);
}

/* --- memory --- */

struct exec_place exec_place(const struct exec_run *run, enum wsim_operand operand, unsigned row,
                             unsigned col) {
    enum { SHARING = 16 }; /* elements of less than a byte that have a byte of k each */
    const struct wsim_tile *tile = &run->group.tile[operand];
    const struct wsim_format *format = tile->format;
    const unsigned line = operand == WSIM_A ? row : col, k = operand == WSIM_A ? col : row;
    const unsigned bits = format->bits + format->pad > 16 ? 32 : format->bits;
    const unsigned shared = bits >= 8 ? 1 : tile->bits == 8 ? SHARING : 8 / bits;
    return (struct exec_place){
        wsim_descriptor_address(&run->group.at[operand], tile, line % tile->rows, k - k % shared),
        k % shared * bits, bits};
}

void exec_put_bits(uint8_t *bytes, unsigned bit, unsigned count, uint64_t value) {
    for (unsigned i = 0; i < count; i++, bit++)
        bytes[bit / 8] =
            (uint8_t)((bytes[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
}

uint64_t exec_get_bits(const uint8_t *bytes, unsigned bit, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++, bit++)
        value |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << i;
    return value;
}

static size_t elements(const struct wsim_layout *layout) {
    return (size_t)layout->rows * layout->cols;
}

/* The place of element `index` of an operand. */
static struct exec_place place_of(const struct exec_run *run, enum wsim_operand operand,
                                  size_t index) {
    const unsigned cols = run->layout[operand].cols;
    return exec_place(run, operand, (unsigned)(index / cols), (unsigned)(index % cols));
}

static uint32_t end_at(struct exec_place place) {
    return place.at + (place.bit + place.bits + 7) / 8;
}

/* Whether the memory has all of a place. */
static int is_inside(const struct exec_run *run, struct exec_place place) {
    return place.at < run->smem.size && end_at(place) <= run->smem.size;
}

/* The end of all operands in memory. */
static uint32_t end_of(const struct exec_run *run) {
    uint32_t end = 0;
    for (int i = WSIM_A; i <= WSIM_B; i++)
        for (size_t n = 0; run->group.in_memory[i] && n < elements(&run->layout[i]); n++) {
            const uint32_t at = end_at(place_of(run, (enum wsim_operand)i, n));
            end = at > end ? at : end;
        }
    return end;
}

/* Leaves out elements beyond the memory: the execution reports them. */
static void put_matrix(struct exec_run *run, enum wsim_operand operand, const uint64_t *matrix) {
    for (size_t i = 0; i < elements(&run->layout[operand]); i++) {
        const struct exec_place p = place_of(run, operand, i);
        if (is_inside(run, p))
            exec_put_bits(run->smem.bytes + p.at, p.bit, p.bits, matrix[i]);
    }
}

void exec_group_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix) {
    for (size_t i = 0; i < elements(&run->layout[operand]); i++) {
        const struct exec_place p = place_of(run, operand, i);
        matrix[i] = is_inside(run, p) ? exec_get_bits(run->smem.bytes + p.at, p.bit, p.bits) : 0;
    }
}

/* --smem and --a or --b exclude each other for an operand in memory. */
static void refuse_twice(const struct exec_run *run, enum wsim_operand operand) {
    if (!run->group.in_memory[operand] || !run->source[operand])
        return;
    tool_fail("--%s: %s is read from shared memory: give its bytes with --smem",
              wsim_operand_name(operand), wsim_operand_name(operand));
}

static void default_sources(struct exec_run *run) {
    for (unsigned operand = WSIM_A; operand <= WSIM_B; operand++)
        if (run->group.in_memory[operand] && !run->source[operand])
            run->source[operand] = operand_default((enum wsim_operand)operand);
}

/* Refuses descriptors whose elements overlap: memory cannot hold the given matrix. */
static void check_overlay(const struct exec_run *run, enum wsim_operand operand,
                          const uint64_t *wanted) {
    const struct wsim_layout *layout = &run->layout[operand];
    size_t i = 0, n = elements(layout);
    uint64_t *there = memory_make(n, sizeof *there);
    exec_group_matrix(run, operand, there);
    while (i < n && (wanted[i] == there[i] || place_of(run, operand, i).at >= run->smem.size))
        i++;
    free(there);
    if (i == n)
        return;
    tool_fail("--%s '%s': another element overlaps row %u, column %u at 0x%05x, so the "
              "descriptor would not read %s; give the bytes with --smem",
              wsim_operand_name(operand), text_cut(run->source[operand]).text,
              (unsigned)(i / layout->cols), (unsigned)(i % layout->cols),
              (unsigned)place_of(run, operand, i).at, wsim_operand_name(operand));
}

/* Places A and B at their descriptors, then checks both. */
static void fill_matrices(struct exec_run *run) {
    uint64_t *matrix[WSIM_OPERANDS] = {NULL};
    for (int i = WSIM_A; i <= WSIM_B; i++) {
        const struct wsim_layout *layout = &run->layout[i];
        if (!run->group.in_memory[i])
            continue;
        matrix[i] = memory_make(elements(layout), sizeof *matrix[i]);
        operand_matrix((enum wsim_operand)i, layout, run->source[i], &run->reading,
                       "; for other contents of memory use --smem", matrix[i]);
        put_matrix(run, (enum wsim_operand)i, matrix[i]);
    }
    for (int i = WSIM_A; i <= WSIM_B; i++) {
        if (matrix[i])
            check_overlay(run, (enum wsim_operand)i, matrix[i]);
        free(matrix[i]);
    }
}

void exec_group_memory(struct exec_run *run, const char *smem) {
    if (smem) {
        refuse_twice(run, WSIM_A);
        refuse_twice(run, WSIM_B);
    } else {
        default_sources(run);
    }
    if (!run->smem.size)
        run->smem.size = end_of(run);
    if (run->smem.size > MEMORY_MAX)
        tool_fail("the descriptors reach 0x%lx, beyond the memory of wsim exec; reduce it "
                  "with --smem-size",
                  (unsigned long)run->smem.size);
    run->smem_source = smem ? smem : "the matrices";
    run->smem.bytes = operand_memory(smem ? smem : "zero", &run->smem.size);
    if (!smem)
        fill_matrices(run);
}
