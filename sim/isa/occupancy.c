/* Blocks of a kernel that an SM holds at once. */
#include "isa.h"

static enum wsim_status check(const struct wsim_arch *arch, uint32_t threads, uint32_t registers,
                              uint32_t shared, struct wsim_diag *diag) {
    const uint64_t most = wsim_arch_limit(arch, WSIM_LIMIT_BLOCK_SHARED_OPTIN);
    if (!threads || threads > ISA_BLOCK_THREADS)
        return base_refuse(diag, RULE_LAUNCH_OCCUPANCY_RANGE, 0, "%u threads: a block has 1 to %d",
                           threads, ISA_BLOCK_THREADS);
    if (registers > ISA_THREAD_REGISTERS)
        return base_refuse(diag, RULE_LAUNCH_OCCUPANCY_RANGE, 0,
                           "%u registers: a thread has at most %d", registers,
                           ISA_THREAD_REGISTERS);
    if (shared > most)
        return base_refuse(diag, RULE_LAUNCH_OCCUPANCY_RANGE, 0,
                           "%u bytes of shared memory: a block has at most %llu", shared,
                           (unsigned long long)most);
    return WSIM_OK;
}

uint32_t wsim_arch_clusters(const struct wsim_arch *arch, uint32_t blocks, uint32_t size) {
    const uint32_t each = blocks < ISA_CLUSTER_SM_BLOCKS ? blocks : ISA_CLUSTER_SM_BLOCKS;
    const uint32_t most = isa_figure(arch, WSIM_FIGURE_SMS) * each;
    uint32_t clusters = 0;
    if (!size || size > wsim_arch_limit(arch, WSIM_LIMIT_CLUSTER_BLOCKS))
        return 0;
#define SM_GROUP(count, sms, source) clusters += (sms) < size ? 0 : (count) * ((sms)*each / size);
#include "limit.def"
    return clusters < most / size ? clusters : most / size;
}

static uint32_t round_up(uint32_t number, uint32_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* A warp stays in one part of an SM, and so do its registers. */
static uint32_t by_registers(uint32_t warps, uint32_t registers) {
    const uint32_t each = round_up(registers * WSIM_LANES, ISA_WARP_REGISTERS_UNIT);
    return ISA_SM_REGISTERS / ISA_SM_PARTS / each * ISA_SM_PARTS / warps;
}

static void restrict_to(struct wsim_occupancy *out, uint32_t blocks,
                        enum wsim_occupancy_limit limit) {
    if (blocks >= out->blocks)
        return;
    out->blocks = blocks;
    out->limit = limit;
}

enum wsim_status wsim_arch_occupancy(const struct wsim_arch *arch, uint32_t threads,
                                     uint32_t registers, uint32_t shared,
                                     struct wsim_occupancy *out, struct wsim_diag *diag) {
    const uint32_t warps = round_up(threads, WSIM_LANES) / WSIM_LANES;
    enum wsim_status status = check(arch, threads, registers, shared, diag);
    uint32_t bytes;
    if (status)
        return status;
    bytes = round_up(shared + (uint32_t)wsim_arch_limit(arch, WSIM_LIMIT_BLOCK_SHARED_RESERVED),
                     ISA_SHARED_UNIT);
    out->most_warps = (uint32_t)wsim_arch_limit(arch, WSIM_LIMIT_SM_WARPS);
    out->blocks = (uint32_t)wsim_arch_limit(arch, WSIM_LIMIT_SM_BLOCKS);
    out->limit = WSIM_OCCUPANCY_BLOCKS;
    restrict_to(out, out->most_warps / warps, WSIM_OCCUPANCY_WARPS);
    if (registers)
        restrict_to(out, by_registers(warps, registers), WSIM_OCCUPANCY_REGISTERS);
    if (bytes)
        restrict_to(out, (uint32_t)wsim_arch_limit(arch, WSIM_LIMIT_SM_SHARED) / bytes,
                    WSIM_OCCUPANCY_SHARED);
    out->warps = out->blocks * warps;
    return WSIM_OK;
}
