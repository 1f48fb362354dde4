/* sectors.h - the cost of one global-memory access of a warp.
 *
 *     struct wsim_instruction load;
 *     uint64_t addr[WSIM_LANES];
 *     struct wsim_sectors cost;
 *     for (int lane = 0; lane < WSIM_LANES; lane++)
 *         addr[lane] = (uint64_t)lane * 128;
 *     wsim_instruction_parse("ld.global.f32", &load, NULL);
 *     wsim_sectors_count(&load, wsim_arch_find("h100"), addr, UINT32_MAX, &cost, NULL);
 *
 * leaves cost.sectors == 32 and cost.ideal == 4. A sector is 32 bytes, a line 128 bytes. L1 moves
 * whole sectors and asks L2 for whole lines. Counts are those of Nsight Compute for this access
 * alone with cold caches; they are not cycles.
 */
#ifndef WSIM_SECTORS_H
#define WSIM_SECTORS_H

#include "banks.h"
#include "scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_SECTOR 32
#define WSIM_SECTOR_LINE 128

/* A line of 128 bytes that the access touches. */
struct wsim_sector_line {
    uint64_t address;  /* of its first byte                                                     */
    uint32_t lanes[4]; /* the lanes at each of its sectors                                      */
    uint8_t turns[4];  /* how often each sector counts: 1, more for atomics, 0 if untouched     */
};

struct wsim_sectors {
    uint32_t sectors; /* l1tex__t_sectors                                                       */
    uint32_t ideal;   /* sectors that hold the distinct bytes: bytes / 32, rounded up           */
    uint32_t lines;   /* requests from L1 to L2: lts__t_requests_srcunit_tex                    */
    uint8_t lines_known; /* 0: no rule for `lines` is known                                     */
    uint8_t bytes; /* of a lane                                                              */
    uint8_t nlines;
    struct wsim_sector_line line[WSIM_LANES]; /* in ascending order of addresses                */
};

/* Counts sectors and lines of a load, store, atom or red of global memory on `arch`. Lane l of
 * `mask` accesses addr[l], a multiple of the bytes of a lane. A sector of a load or store counts
 * once. A sector of an atomic counts once for each lane at its most wanted word. A line counts as
 * often as its most wanted sector; for a compare-and-swap, each half of a line counts so. Generic
 * addresses count as global ones. Errors, in the order checked. WSIM_ILLEGAL: as
 * wsim_instruction_check, or the instruction does not access global memory by lanes. WSIM_ALIGN: an
 * address of an active lane. Source: recordings of an H200 (traces/h200-sectors.trace). Loads and
 * stores are equal in all 864 cases, atomics in all 568 that touch up to four lines. Beyond, 26 of
 * 152 atomics cost one or two more; the rule is unknown. */
WSIM_API enum wsim_status wsim_sectors_count(const struct wsim_instruction *access,
                                             const struct wsim_arch *arch,
                                             const uint64_t addr[WSIM_LANES], uint32_t mask,
                                             struct wsim_sectors *out, struct wsim_diag *diag);

/* Counts the source of a copy of banks.h (cp.async) on `arch`; its `warm` and `counters` have no
 * meaning here. A .ca copy counts as a load. A .cg copy counts one sector for each pair of a source
 * line and a destination sector, and `lines` is unknown. Only the lowest lane of each destination
 * counts. Lanes that read nothing touch nothing. Errors: as wsim_banks_copy, up to WSIM_ALIGN.
 * Source: recordings of an H200 (traces/h200-sectors.trace): .ca 144 of 144, .cg 46 of 48. */
WSIM_API enum wsim_status wsim_sectors_copy(const struct wsim_op *op, const struct wsim_arch *arch,
                                            const struct wsim_copy *copy, struct wsim_sectors *out,
                                            struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
