/* Cost of matrix lines in global memory, and of copies from there to shared memory. */
#include "cost.h"
#include "listeners.h"
#include "../machine/machine.h"
#include "../state/launch.h"

#include <string.h>

/* Lines of a matrix that one instruction moves, and sectors that one can touch. */
enum { LINES_MOST = 32, LINE_SECTORS = 5 };
#define NOWHERE 0xFF

/* --- lines of a matrix --- */

/* Adds `value` to a set of `n`; 1: it was not there. */
static int add(uint64_t *set, unsigned *n, uint64_t value) {
    for (unsigned i = *n; i--;)
        if (set[i] == value)
            return 0;
    set[(*n)++] = value;
    return 1;
}

void cost_hear_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                     uint64_t pitch, uint64_t bytes) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    uint64_t sectors[LINES_MOST * LINE_SECTORS], lines[LINES_MOST * LINE_SECTORS];
    unsigned n_sectors = 0, n_lines = 0;
    if (n > LINES_MOST || bytes > (LINE_SECTORS - 1) << ISA_SECTOR_SHIFT)
        return;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t first = at + i * pitch, last = first + bytes - 1;
        for (uint64_t s = first >> ISA_SECTOR_SHIFT; s <= last >> ISA_SECTOR_SHIFT; s++)
            add(sectors, &n_sectors, s);
        for (uint64_t l = first >> ISA_LINE_SHIFT; l <= last >> ISA_LINE_SHIFT; l++)
            add(lines, &n_lines, l);
    }
    counts->requests++;
    counts->lines += n_lines;
    counts->sectors += n_sectors;
    counts->sectors_ideal += (n * bytes + 31) / 32;
}

/* --- copies from global to shared memory --- */

/* Sectors of a copy: those of the source. A copy that bypasses L1 counts one again for each other
 * sector of the destination, or if its halves are exchanged (H200, lab/cg_cost). */
static void copied_sectors(struct run_warp *warp, const struct run_op *op, int passes_by,
                           const struct run_access *access, const uint32_t to[RUN_LANES],
                           const uint32_t size[RUN_LANES]) {
    struct run_counts *counts = &warp->worker->counts[run_number(warp, op)];
    struct machine_sectors count;
    uint64_t words[RUN_LANES], bytes = 0, high = 0;
    uint32_t reads = 0;
    unsigned n_words = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        if (!size[lane])
            continue;
        reads |= machine_bit[lane];
        if (access->at[lane] > high) /* most ascend */
            words[n_words++] = high = access->at[lane];
        else if (!add(words, &n_words, access->at[lane]))
            continue;
        bytes += size[lane];
    }
    if (passes_by)
        machine_sectors_delivered(access->at, to, reads, &count);
    else
        machine_sectors(access->at, reads, &count);
    counts->requests++;
    counts->lines += count.lines;
    counts->sectors += count.sectors;
    counts->sectors_ideal += (bytes + 31) / 32;
}

/* The wavefronts of a copy through L1, as instrumented code counts them: what a line of the source
 * is shown with. 0: no rule is known. */
static int count_copy(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, const uint32_t to[RUN_LANES],
                      const uint32_t size[RUN_LANES], uint32_t bytes, struct cost_other *last) {
    const struct ptx_instruction *at = run_instruction_of(warp->program, run_number(warp, op));
    const struct wsim_op *spelling = &warp->program->module->opcodes[at->opcode].op;
    uint32_t from[RUN_LANES];
    struct wsim_copy copy = {.bytes = bytes,
                             .mask = access->lanes,
                             .dst = to,
                             .src = from,
                             .src_size = size,
                             .counters = WSIM_SOURCE_PAGE};
    struct wsim_copy_banks banks;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        from[lane] = access->lanes >> lane & 1 ? (uint32_t)access->at[lane] % PLACES : 0;
    if (wsim_banks_copy(spelling, warp->worker->launch->arch, &copy, &banks, NULL) || !banks.known)
        return 0;
    last->wavefronts = banks.wavefronts;
    last->ideal = banks.ideal;
    last->conflicts = banks.conflicts;
    return 1;
}

void cost_hear_copy(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                    const uint32_t to[RUN_LANES], const uint32_t size[RUN_LANES], uint32_t bytes) {
    const uint32_t number = run_number(warp, op);
    struct run_counts *counts = &warp->worker->counts[number];
    const struct ptx_instruction *at = run_instruction_of(warp->program, number);
    struct cost_other fresh, *last = cost_other_of(warp->worker, number, &fresh);
    struct cost_copy now;
    copied_sectors(warp, op, warp->program->module->opcodes[at->opcode].op.q[PLACE_CACHE] == Q_CG,
                   access, to, size);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        const int takes_part = access->lanes >> lane & 1;
        now.to[lane] = (uint8_t)(takes_part ? to[lane] % PLACES : NOWHERE);
        now.from[lane] = (uint8_t)(takes_part && size[lane] ? access->at[lane] % PLACES : NOWHERE);
    }
    if (!last->wavefronts || memcmp(&last->copy, &now, sizeof now) != 0) {
        last->wavefronts = 0;
        last->copy = now;
        if (!count_copy(warp, op, access, to, size, bytes, last)) {
            counts->uncounted++;
            return;
        }
    }
    counts->accesses++;
    counts->wavefronts += last->wavefronts;
    counts->ideal += last->ideal;
    counts->conflicts += last->conflicts;
}
