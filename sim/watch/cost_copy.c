/* Cost of matrix lines in global memory, and of copies from there to shared memory. */
#include "cost.h"
#include "listeners.h"
#include "../machine/machine.h"
#include "../state/launch.h"

#include <stdlib.h>
#include <string.h>

/* Lines of a matrix that one instruction moves, and sectors that one can touch. */
enum { LINES_MOST = 32, LINE_SECTORS = 5 };

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
static void count_sources(const struct run_access *access, const struct wsim_op *spelling,
                          const uint32_t to[RUN_LANES], const uint32_t size[RUN_LANES],
                          struct cost_copy *copy) {
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
    if (spelling->q[PLACE_CACHE] == Q_CG)
        machine_sectors_delivered(access->at, to, reads, &count);
    else
        machine_sectors(access->at, reads, &count);
    copy->lines = count.lines;
    copy->sectors = count.sectors;
    copy->sectors_ideal = (uint32_t)((bytes + 31) / 32);
}

/* The wavefronts of a copy through L1, as instrumented code counts them: what a line of the source
 * is shown with. */
static void count_wavefronts(const struct run_warp *warp, const struct run_access *access,
                             const struct wsim_op *spelling, const uint32_t to[RUN_LANES],
                             const uint32_t size[RUN_LANES], uint32_t bytes,
                             struct cost_copy *copy) {
    uint32_t from[RUN_LANES];
    const struct wsim_copy asked = {.bytes = bytes,
                                    .mask = access->lanes,
                                    .dst = to,
                                    .src = from,
                                    .src_size = size,
                                    .counters = WSIM_SOURCE_PAGE};
    struct wsim_copy_banks banks;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        from[lane] = access->lanes >> lane & 1 ? (uint32_t)access->at[lane] % PLACES : 0;
    copy->wavefronts = 0;
    if (wsim_banks_copy(spelling, warp->worker->launch->arch, &asked, &banks, NULL) || !banks.known)
        return;
    copy->wavefronts = banks.wavefronts;
    copy->ideal = banks.ideal;
    copy->conflicts = banks.conflicts;
}

/* 0: a lane copies some of its bytes. */
static int lanes_of(const struct run_access *access, const uint32_t to[RUN_LANES],
                    const uint32_t size[RUN_LANES], uint32_t bytes, struct cost_copy_lanes *lanes) {
    const unsigned first = run_lowest(access->lanes);
    uint32_t some = 0;
    lanes->lanes = access->lanes;
    lanes->reads = 0;
    lanes->from_place = access->at[first] % PLACES;
    lanes->to_place = to[first] % PLACES;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        const uint32_t here = machine_all_if(access->lanes & machine_bit[lane]);
        some |= here & size[lane] & machine_all_if(size[lane] ^ bytes);
        lanes->reads |= here & machine_bit[lane] & machine_all_if(size[lane]);
        lanes->to[lane] = here & (to[lane] - to[first]);
        lanes->from[lane] = here ? access->at[lane] - access->at[first] : 0;
    }
    return !some;
}

/* The remembered copy with these lanes, if all lanes copy all of their bytes; NULL: there is none.
 */
static const struct cost_copy *copy_again(const struct cost_other *other,
                                          const struct run_access *access,
                                          const uint32_t to[RUN_LANES],
                                          const uint32_t size[RUN_LANES], uint32_t bytes) {
    uint32_t part = ~access->lanes;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        part |= size[lane] ^ bytes;
    for (unsigned i = 0; i < COPIES && other->copies && !part; i++) {
        const struct cost_copy_lanes *lanes = &other->copies[i].lanes;
        uint64_t apart = 0;
        uint32_t down = 0;
        if (~(lanes->lanes & lanes->reads) || lanes->from_place != access->at[0] % PLACES ||
            lanes->to_place != to[0] % PLACES)
            continue;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            apart |= (access->at[lane] - access->at[0]) ^ lanes->from[lane];
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            down |= (to[lane] - to[0]) ^ lanes->to[lane];
        if (!(apart | down))
            return &other->copies[i];
    }
    return NULL;
}

/* The remembered copy with these lanes, or an old one that gives way to it; NULL: there is no
 * memory. */
static struct cost_copy *memory_of(struct cost_other *other, const struct cost_copy_lanes *lanes) {
    if (!other->copies && !other->is_fresh)
        other->copies = calloc(COPIES, sizeof *other->copies);
    if (!other->copies)
        return NULL;
    for (unsigned i = 0; i < COPIES; i++)
        if (other->copies[i].lanes.from_place == lanes->from_place &&
            memcmp(&other->copies[i].lanes, lanes, sizeof *lanes) == 0)
            return &other->copies[i];
    return &other->copies[other->copied++ % COPIES];
}

static void add_copy(struct run_counts *counts, const struct cost_copy *copy) {
    counts->requests++;
    counts->lines += copy->lines;
    counts->sectors += copy->sectors;
    counts->sectors_ideal += copy->sectors_ideal;
    if (!copy->wavefronts) {
        counts->uncounted++;
        return;
    }
    counts->accesses++;
    counts->wavefronts += copy->wavefronts;
    counts->ideal += copy->ideal;
    counts->conflicts += copy->conflicts;
}

void cost_hear_copy(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                    const uint32_t to[RUN_LANES], const uint32_t size[RUN_LANES], uint32_t bytes) {
    const uint32_t number = run_number(warp, op);
    struct cost_other fresh, *other = cost_other_of(warp->worker, number, &fresh);
    const struct cost_copy *again = copy_again(other, access, to, size, bytes);
    struct cost_copy now, *last = NULL;
    if (!again && lanes_of(access, to, size, bytes, &now.lanes))
        last = memory_of(other, &now.lanes);
    if (!again && (!last || memcmp(&last->lanes, &now.lanes, sizeof now.lanes) != 0)) {
        const struct ptx_instruction *at = run_instruction_of(warp->program, number);
        const struct wsim_op *spelling = &warp->program->module->opcodes[at->opcode].op;
        count_sources(access, spelling, to, size, &now);
        count_wavefronts(warp, access, spelling, to, size, bytes, &now);
        if (last)
            *last = now;
        last = &now;
    }
    add_copy(&warp->worker->counts[number], again ? again : last);
}
