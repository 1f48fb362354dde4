/* wsim_cost_again: what an access cost last time, if its lanes stand to each other as they did. */
#include "banks.h"

#include <string.h>

/* Lanes whose addresses are looked at. 0: nobody's, or it is not a count that is remembered. */
static uint32_t lanes_of(const struct wsim_code *code, const struct wsim_io *io) {
    switch (io->addr ? (enum wsim_counting)code->work.counting : WSIM_COUNT_NONE) {
    case WSIM_COUNT_ACCESS: return io->mask;
    case WSIM_COUNT_ROWS:
        if (io->mask != UINT32_MAX)
            return 0;
        return machine_lanes(0, isa_address_lanes(code->arch, code->work.lanes));
    case WSIM_COUNT_FRAGMENT: return io->addr_hi ? 0 : UINT32_MAX;
    case WSIM_COUNT_COPY: return io->src ? io->mask : 0;
    default: return 0;
    }
}

static int is_copy(const struct wsim_code *code) {
    return code->work.counting == WSIM_COUNT_COPY;
}

/* Whether all that a count depends on is the same, addresses and sizes apart. */
static int is_same_kind(const struct wsim_code *code, const struct wsim_io *io,
                        enum wsim_counters counters, const struct wsim_cost_pattern *last) {
    if (last->arch != code->arch || last->counters != counters ||
        memcmp(&last->op, &code->op, sizeof last->op) != 0)
        return 0;
    if (code->work.counting == WSIM_COUNT_FRAGMENT)
        return last->stride == io->stride;
    return !is_copy(code) || (last->bytes == io->bytes && last->warm == (io->warm != 0) &&
                              last->sized == (io->src_size != NULL));
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

/* Multiples of so many bytes change no count: all is aligned as it was, and banks change places. */
static uint32_t step_of(const struct wsim_code *code, const struct wsim_io *io) {
    uint32_t bytes = is_copy(code) ? io->bytes : code->work.bytes;
    if (code->work.counting == WSIM_COUNT_FRAGMENT)
        return MACHINE_LINE;
    return bytes > MACHINE_WORD ? bytes : MACHINE_WORD;
}

/* Sources that are in L1 may be shifted too; the tags of others depend on all of an address. */
static int is_same_source(const struct wsim_io *io, const struct wsim_cost_pattern *last) {
    uint32_t shift = io->src[last->first] - last->src[last->first];
    if (io->src_size && !is_shifted(io->src_size, last->src_size, last->lanes, 0))
        return 0;
    if (!io->warm && (shift || (io->src_hi && !is_level(io->src_hi, last->lanes, last->first))))
        return 0;
    return shift % io->bytes == 0 && is_shifted(io->src, last->src, last->lanes, shift);
}

static int is_known(const struct wsim_code *code, const struct wsim_io *io,
                    enum wsim_counters counters, uint32_t lanes,
                    const struct wsim_cost_pattern *last) {
    uint32_t shift;
    if (!lanes || lanes != last->lanes || !is_same_kind(code, io, counters, last))
        return 0;
    shift = io->addr[last->first] - last->addr[last->first];
    return shift % step_of(code, io) == 0 && is_shifted(io->addr, last->addr, lanes, shift) &&
           (!is_copy(code) || is_same_source(io, last));
}

static void keep(const struct wsim_code *code, const struct wsim_io *io,
                 enum wsim_counters counters, uint32_t lanes, struct wsim_cost_pattern *last) {
    last->op = code->op;
    last->arch = code->arch;
    last->lanes = lanes;
    last->stride = io->stride;
    last->bytes = io->bytes;
    last->counters = (uint8_t)counters;
    last->warm = io->warm != 0;
    last->sized = io->src_size != NULL;
    for (last->first = 0; !(lanes >> last->first & 1);)
        last->first++;
    memcpy(last->addr, io->addr, sizeof last->addr);
    if (is_copy(code))
        memcpy(last->src, io->src, sizeof last->src);
    if (is_copy(code) && io->src_size)
        memcpy(last->src_size, io->src_size, sizeof last->src_size);
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
