/* Counts sectors and lines of accesses of global memory. */
#include "../isa/scalar.h"
#include "../machine/machine.h"
#include "exec.h"

#include <wsim/sectors.h>

#include <string.h>

static int is_atomic(const struct scalar_meaning *meaning) {
    return meaning->method == SCALAR_METHOD_ATOM || meaning->method == SCALAR_METHOD_RED;
}

/* Bytes of a lane; 0: the instruction does not access global memory by lanes. */
static unsigned bytes_of(const struct scalar_meaning *meaning) {
    const unsigned bits = isa_scalar_types[meaning->type[0]].bits;
    if (!is_atomic(meaning) && meaning->method != SCALAR_METHOD_LD &&
        meaning->method != SCALAR_METHOD_ST)
        return 0;
    if (meaning->space != SCALAR_GLOBAL && meaning->space != SCALAR_GENERIC)
        return 0;
    return bits / 8 * (meaning->vector ? meaning->vector : 1u);
}

/* Adds a line to the lines before it, in ascending order. */
static void add_line(struct wsim_sectors *out, const struct machine_sector_line *line) {
    unsigned i = out->nlines++;
    for (; i && out->line[i - 1].address > line->address; i--)
        out->line[i] = out->line[i - 1];
    out->line[i].address = line->address;
    memcpy(out->line[i].lanes, line->lanes, sizeof line->lanes);
    memcpy(out->line[i].turns, line->turns, sizeof line->turns);
}

static void finish(struct wsim_sectors *out, const struct machine_sectors *count, unsigned bytes,
                   uint32_t distinct) {
    memset(out, 0, sizeof *out);
    out->sectors = count->sectors;
    out->lines = count->requests;
    out->lines_known = 1;
    out->bytes = (uint8_t)bytes;
    out->ideal = (distinct + WSIM_SECTOR - 1) / WSIM_SECTOR;
    for (unsigned i = 0; i < count->lines; i++)
        add_line(out, &count->line[i]);
}

enum wsim_status wsim_sectors_count(const struct wsim_instruction *access,
                                    const struct wsim_arch *arch, const uint64_t addr[WSIM_LANES],
                                    uint32_t mask, struct wsim_sectors *out,
                                    struct wsim_diag *diag) {
    struct scalar_meaning meaning;
    struct machine_sectors count;
    enum wsim_status status = wsim_instruction_check(access, arch, diag);
    unsigned bytes = 0;
    if (status)
        return status;
    if (access->is_scalar) {
        isa_scalar_meaning(&access->scalar, &meaning);
        bytes = bytes_of(&meaning);
    }
    if (!bytes)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "the instruction does not access global memory: give ld, st, atom or "
                           "red of .global, or cp.async to wsim_sectors_copy");
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        if (mask >> lane & 1 && addr[lane] % bytes)
            return base_refuse(diag, RULE_ACCESS_ALIGN, 0,
                               "lane %u: address 0x%llx is not a multiple of %u", lane,
                               (unsigned long long)addr[lane], bytes);
    if (is_atomic(&meaning))
        machine_sectors_atomic(addr, mask, meaning.operation == SCALAR_CAS ? 2 : 4, &count);
    else
        machine_sectors(addr, mask, &count);
    finish(out, &count, bytes, count.words * bytes);
    return WSIM_OK;
}

/* The lowest lane of each destination. */
static uint32_t without_twins(const uint32_t *dst, uint32_t lanes) {
    uint32_t lowest = 0;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        unsigned before = 0;
        while (before < lane && !(lowest >> before & 1 && dst[before] == dst[lane]))
            before++;
        if (lanes >> lane & 1 && before == lane)
            lowest |= machine_bit[lane];
    }
    return lowest;
}

enum wsim_status wsim_sectors_copy(const struct wsim_op *op, const struct wsim_arch *arch,
                                   const struct wsim_copy *copy, struct wsim_sectors *out,
                                   struct wsim_diag *diag) {
    struct wsim_copy_banks banks;
    struct machine_sectors count;
    struct wsim_copy shown = *copy;
    uint64_t from[WSIM_LANES];
    uint32_t source[WSIM_LANES];
    uint32_t reads = 0, distinct = 0;
    enum wsim_status status;
    shown.counters = WSIM_HARDWARE_COUNTERS;
    shown.warm = 1;
    status = wsim_banks_copy(op, arch, &shown, &banks, diag);
    if (status)
        return status;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        const uint32_t size = copy->src_size ? copy->src_size[lane] : copy->bytes;
        from[lane] = source[lane] = copy->src ? copy->src[lane] : lane * copy->bytes;
        if (copy->mask >> lane & 1 && size)
            reads |= machine_bit[lane];
    }
    for (uint32_t rest = without_twins(source, reads), lane = 0; rest; rest >>= 1, lane++)
        distinct += rest & 1 ? copy->src_size ? copy->src_size[lane] : copy->bytes : 0;
    if (op->q[PLACE_CACHE] == Q_CG)
        machine_sectors_looked_up(from, copy->dst, without_twins(copy->dst, reads), &count);
    else
        machine_sectors(from, reads, &count);
    finish(out, &count, copy->bytes, distinct);
    out->lines_known = op->q[PLACE_CACHE] != Q_CG;
    return WSIM_OK;
}
