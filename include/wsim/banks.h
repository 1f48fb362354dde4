/* banks.h - what one shared-memory access of a warp costs.
 *
 * A wavefront is one pass of the access through the 32 banks of 4 bytes. Counts are those of
 * Nsight Compute for this access alone (one warp, a quiet SM); they are not cycles.
 */
#ifndef WSIM_BANKS_H
#define WSIM_BANKS_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_BANKS 32
#define WSIM_MAX_GROUPS 4
#define WSIM_MAX_WAYS 32

/* Lanes that go through the banks together. `ways` is the passes of the group: the largest number
 * of distinct words (atomics: of lanes) in one bank. `bank` is the lowest such bank, `words` the
 * distinct word addresses (byte address / 4) there, in ascending order. */
struct wsim_bank_group {
    uint32_t lanes; /* active lanes (matrix rows: the lanes that address them)   */
    uint8_t ways;
    uint8_t wavefronts; /* of the group: ways, or twice that (compare-and-swap)     */
    uint8_t bank;
    uint8_t nwords;
    uint32_t words[WSIM_MAX_WAYS];
};

struct wsim_banks {
    uint32_t wavefronts;
    uint32_t ideal;     /* wavefronts of these lanes and this width without a conflict. Nsight
                           Compute's "ideal" differs: lab/reports/hardware-notes.md */
    uint32_t conflicts; /* passes beyond one a group, as Nsight Compute counts them: wavefronts -
                           ideal. Half of that for a compare-and-swap, whose passes show as two
                           wavefronts each */
    uint8_t merged;     /* a 64- or 128-bit load whose groups were merged in pairs     */
    uint8_t ngroups;
    struct wsim_bank_group group[WSIM_MAX_GROUPS];
};

/* Counts the wavefronts of `op` (ld st atom red ldmatrix stmatrix) on `arch`. `addr` holds 32 byte
 * addresses in the shared window; bit l of `mask` says that lane l takes part. The whole warp
 * executes ldmatrix and stmatrix, so they need all bits. The call ignores lanes that give no row
 * address. Errors, in the order checked. WSIM_ILLEGAL: as wsim_op_check, or the operation does not
 * access shared memory. WSIM_UNMODELLED: no counted rule for this form. WSIM_OPERAND: the mask of a
 * matrix access. WSIM_ALIGN: an address is not a multiple of the access size; matrix rows: 16.
 * wsim_op_evidence reports the evidence for the rule. Source: recordings of an H200;
 * docs/architecture.md, "Banks". */
WSIM_API enum wsim_status wsim_banks_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                           const uint32_t addr[WSIM_LANES], uint32_t mask,
                                           struct wsim_banks *out, struct wsim_diag *diag);

/* One machine-code access of a wmma.load or wmma.store. With `rows` of 0, it accesses `bytes` a
 * lane, like ld or st. Otherwise it is like ldmatrix: `rows` lanes each address a row of 16 bytes,
 * and the others address none. */
struct wsim_fragment_access {
    uint8_t bytes, rows;
    uint32_t addr[WSIM_LANES];
    struct wsim_banks banks;
};

#define WSIM_MAX_ACCESSES 16

/* All accesses of the instruction; the counts are their sums. */
struct wsim_fragment_banks {
    uint32_t wavefronts, ideal, conflicts;
    uint8_t naccesses;
    struct wsim_fragment_access access[WSIM_MAX_ACCESSES];
};

/* Counts the wavefronts of a wmma.load or wmma.store with a .shared address on `arch`. `addr` holds
 * the same address 32 times; `stride` is that of wsim_operands (exec.h). Errors, in the order
 * checked. WSIM_ILLEGAL: as wsim_op_check, or the operation moves no fragment from or to shared
 * memory. WSIM_UNMODELLED: generic addresses; fragments that are not known, or not moved as since
 * Turing. WSIM_OPERAND, WSIM_ALIGN: as wsim_exec checks address and stride. WSIM_ALIGN: a row of 16
 * bytes is not aligned to 16; the ISA allows that, the machine instruction does not.
 * wsim_op_evidence reports the evidence for the rule. Source: machine code; recordings of an H200;
 * docs/architecture.md, "Banks". */
WSIM_API enum wsim_status wsim_banks_fragment(const struct wsim_op *op,
                                              const struct wsim_arch *arch,
                                              const uint32_t addr[WSIM_LANES], uint32_t stride,
                                              struct wsim_fragment_banks *out,
                                              struct wsim_diag *diag);

/* One copy of a warp from global to shared memory (cp.async). */
struct wsim_copy {
    unsigned bytes;           /* cp-size: 4, 8 or 16                                    */
    uint32_t mask;            /* bit l: lane l takes part                               */
    const uint32_t *dst;      /* 32 byte addresses in the shared window                 */
    const uint32_t *src;      /* 32 byte offsets from a global address that is a multiple of 8 MiB;
                                 NULL: lane l reads at l * bytes                        */
    const uint32_t *src_size; /* 32 times how many of the bytes are read, the others are filled with
                                 zeros (ignore-src: 0); NULL: all of them               */
    int warm;                 /* not 0: every line of the source is in the L1 cache; 0: none is */
    enum wsim_counters counters;
};

/* Lanes of a copy that go together. `worst` are the lanes that set the cost, one a wavefront.
 * Hardware counters: a chain in which each lane waits for the one before. Source page: one lane and
 * all that it clashes with. Lanes clash if they share a bank of the destination or of the source. A
 * .cg copy has one lane for each distinct word of the worst bank. */
struct wsim_copy_group {
    uint32_t lanes; /* those that count */
    uint32_t worst;
    uint8_t wavefronts;
    uint8_t batch; /* from 0; cold lines of the source come in batches */
};

struct wsim_copy_banks {
    uint32_t wavefronts;
    uint32_t ideal;     /* one a group                                                   */
    uint32_t conflicts; /* wavefronts - ideal, as Nsight Compute counts them             */
    uint8_t known;      /* 0: the cost of lanes of a .cg copy that read is unknown */
    uint8_t ngroups;
    struct wsim_copy_group group[WSIM_LANES];
};

/* Counts the wavefronts of the copy `op` on `arch`. Errors, in the order checked. WSIM_ILLEGAL: as
 * wsim_op_check, or not a copy. WSIM_UNMODELLED: no counted rule for this form and these counters.
 * WSIM_OPERAND: `dst` is NULL, the form does not have these `bytes`, or a source size is larger.
 * WSIM_ALIGN: an address of an active lane is not a multiple of `bytes`. WSIM_UNMODELLED: a .cg
 * copy has a source size between 0 and 16. WSIM_UNMODELLED: cold lines lie at offsets that differ
 * from bit 23 on, so their tag bank is unknown. wsim_op_evidence reports the evidence for the rule.
 * Source: recordings of an H200; docs/architecture.md, "Banks". */
WSIM_API enum wsim_status wsim_banks_copy(const struct wsim_op *op, const struct wsim_arch *arch,
                                          const struct wsim_copy *copy, struct wsim_copy_banks *out,
                                          struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
