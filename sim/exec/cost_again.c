/* wsim_cost_again: the last cost of an access, if the distances of its lanes are unchanged. */
#include "banks.h"

#include <string.h>

static int is_copy(const struct wsim_code *code) {
    return work_of(code)->counting == WSIM_COUNT_COPY;
}

static const uint32_t *addresses_of(const struct wsim_code *code, const struct wsim_io *io) {
    return is_copy(code) ? io->copy.addr : io->move.addr;
}

/* Lanes whose addresses count. 0: none, or a count that is not remembered. */
static uint32_t lanes_of(const struct wsim_code *code, const struct wsim_io *io) {
    switch (addresses_of(code, io) ? (enum wsim_counting)work_of(code)->counting
                                   : WSIM_COUNT_NONE) {
    case WSIM_COUNT_ACCESS: return io->move.mask;
    case WSIM_COUNT_ROWS:
        if (io->move.mask != UINT32_MAX)
            return 0;
        return machine_lanes(0, isa_address_lanes(code->arch, work_of(code)->lanes));
    case WSIM_COUNT_FRAGMENT: return io->move.addr_hi ? 0 : UINT32_MAX;
    case WSIM_COUNT_COPY: return io->copy.src ? io->copy.mask : 0;
    default: return 0;
    }
}

/* Whether all that a count depends on is the same, addresses and sizes apart. */
static int is_same_kind(const struct wsim_code *code, const struct wsim_io *io,
                        enum wsim_counters counters, const struct wsim_cost_pattern *last) {
    if (last->arch != code->arch || last->counters != counters ||
        memcmp(&last->op, &code->op, sizeof last->op) != 0)
        return 0;
    if (work_of(code)->counting == WSIM_COUNT_FRAGMENT)
        return last->stride == io->move.stride;
    return !is_copy(code) || (last->bytes == io->copy.bytes && last->warm == (io->copy.warm != 0) &&
                              last->sized == (io->copy.src_size != NULL));
}

/* Whether all of `lanes` are by `shift` from where they were. */
static int is_shifted(const uint32_t *now, const uint32_t *then, uint32_t lanes, uint32_t shift) {
    uint32_t differ = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        differ |= (now[l] - then[l] - shift) & machine_all_if(lanes & machine_bit[l]);
    return !differ;
}

static int is_level(const uint32_t *high, uint32_t lanes, unsigned first) {
    uint32_t differ = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        differ |= (high[l] ^ high[first]) & machine_all_if(lanes & machine_bit[l]);
    return !differ;
}

/* Addresses can move by a multiple of this many bytes without changing a count: alignment stays,
 * and the banks rotate. */
static uint32_t step_of(const struct wsim_code *code, const struct wsim_io *io) {
    uint32_t bytes = is_copy(code) ? io->copy.bytes : work_of(code)->bytes;
    if (work_of(code)->counting == WSIM_COUNT_FRAGMENT)
        return MACHINE_LINE;
    return bytes > MACHINE_WORD ? bytes : MACHINE_WORD;
}

/* Sources that are in L1 may be shifted too; the tags of others depend on all of an address. */
static int is_same_source(const struct wsim_io *io, const struct wsim_cost_pattern *last) {
    uint32_t shift = io->copy.src[last->first] - last->src[last->first];
    if (io->copy.src_size && !is_shifted(io->copy.src_size, last->src_size, last->lanes, 0))
        return 0;
    if (!io->copy.warm &&
        (shift || (io->copy.src_hi && !is_level(io->copy.src_hi, last->lanes, last->first))))
        return 0;
    return shift % io->copy.bytes == 0 && is_shifted(io->copy.src, last->src, last->lanes, shift);
}

static int is_known(const struct wsim_code *code, const struct wsim_io *io,
                    enum wsim_counters counters, uint32_t lanes,
                    const struct wsim_cost_pattern *last) {
    uint32_t shift;
    if (!lanes || lanes != last->lanes || !is_same_kind(code, io, counters, last))
        return 0;
    shift = addresses_of(code, io)[last->first] - last->addr[last->first];
    return shift % step_of(code, io) == 0 &&
           is_shifted(addresses_of(code, io), last->addr, lanes, shift) &&
           (!is_copy(code) || is_same_source(io, last));
}

static void keep(const struct wsim_code *code, const struct wsim_io *io,
                 enum wsim_counters counters, uint32_t lanes, struct wsim_cost_pattern *last) {
    last->op = code->op;
    last->arch = code->arch;
    last->lanes = lanes;
    last->stride = is_copy(code) ? 0 : io->move.stride;
    last->bytes = is_copy(code) ? io->copy.bytes : 0;
    last->counters = (uint8_t)counters;
    last->warm = is_copy(code) && io->copy.warm;
    last->sized = is_copy(code) && io->copy.src_size;
    for (last->first = 0; !(lanes >> last->first & 1);)
        last->first++;
    memcpy(last->addr, addresses_of(code, io), sizeof last->addr);
    if (is_copy(code))
        memcpy(last->src, io->copy.src, sizeof last->src);
    if (is_copy(code) && io->copy.src_size)
        memcpy(last->src_size, io->copy.src_size, sizeof last->src_size);
}

enum wsim_status wsim_cost_again(const struct wsim_code *code, const struct wsim_io *io,
                                 enum wsim_counters counters, struct wsim_cost_pattern *last,
                                 struct wsim_cost *cost, struct wsim_diag *diag) {
    uint32_t lanes = lanes_of(code, io);
    enum wsim_status status = WSIM_OK;
    if (!is_known(code, io, counters, lanes, last)) {
        status = wsim_cost(code, io, counters, NULL, 0, cost, diag);
        if (!status && lanes) {
            keep(code, io, counters, lanes, last);
            last->cost = *cost;
        }
        return status;
    }
    *cost = last->cost;
    return WSIM_OK;
}
