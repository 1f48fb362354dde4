/* The distinct sectors and lines that an access of global memory touches. */
#include "../base/bits.h"
#include "machine.h"

#include <string.h>

#define SECTORS (MACHINE_LINE / MACHINE_SECTOR) /* of a line */

static unsigned sector_of(uint64_t address) {
    return (unsigned)(address / MACHINE_SECTOR % SECTORS);
}

static struct machine_sector_line *line_of(struct machine_sectors *out, uint64_t address) {
    const uint64_t first = address - address % MACHINE_LINE;
    struct machine_sector_line *line;
    for (unsigned i = out->lines; i--;)
        if (out->line[i].address == first)
            return &out->line[i];
    line = &out->line[out->lines++];
    *line = (struct machine_sector_line){.address = first};
    return line;
}

/* The lanes of `lanes` at `address`. */
static uint32_t lanes_at(const uint64_t *addr, uint32_t lanes, uint64_t address) {
    uint32_t at = 0;
    for (; lanes; lanes &= lanes - 1)
        at |= (lanes & (0u - lanes)) & machine_all_if(addr[base_lowest(lanes)] == address);
    return at;
}

static int is_at(const uint64_t *addr, uint32_t lanes, uint64_t address) {
    for (; lanes; lanes &= lanes - 1)
        if (addr[base_lowest(lanes)] == address)
            return 1;
    return 0;
}

static uint8_t count_lanes(uint32_t lanes) {
    uint8_t n = 0;
    for (; lanes; lanes &= lanes - 1)
        n++;
    return n;
}

/* Adds each active lane to its sector, which has one turn. */
static void place_lanes(const uint64_t *addr, uint32_t mask, struct machine_sectors *out) {
    out->sectors = 0;
    out->words = 0;
    out->lines = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t address = addr[base_lowest(rest)];
        const unsigned sector = sector_of(address);
        struct machine_sector_line *line = line_of(out, address);
        uint32_t *lanes = &line->lanes[sector];
        out->sectors += *lanes == 0;
        out->words += !is_at(addr, *lanes, address);
        line->turns[sector] = 1;
        *lanes |= rest & (0u - rest);
    }
}

/* The largest number of lanes at one address. */
static uint8_t most_wanted(const uint64_t *addr, uint32_t lanes) {
    uint8_t most = 0;
    while (lanes) {
        const uint32_t same = lanes_at(addr, lanes, addr[base_lowest(lanes)]);
        const uint8_t n = count_lanes(same);
        lanes &= ~same;
        most = n > most ? n : most;
    }
    return most;
}

void machine_sectors(const uint64_t addr[WSIM_LANES], uint32_t mask, struct machine_sectors *out) {
    place_lanes(addr, mask, out);
    out->requests = out->lines;
}

void machine_sectors_atomic(const uint64_t addr[WSIM_LANES], uint32_t mask, unsigned together,
                            struct machine_sectors *out) {
    place_lanes(addr, mask, out);
    out->sectors = 0;
    out->requests = 0;
    for (unsigned i = 0; i < out->lines; i++) {
        uint8_t most = 0;
        for (unsigned s = 0; s < SECTORS; s++) {
            const uint8_t turns = most_wanted(addr, out->line[i].lanes[s]);
            out->line[i].turns[s] = turns;
            out->sectors += turns;
            most = turns > most ? turns : most;
            if (s % together == together - 1) {
                out->requests += most;
                most = 0;
            }
        }
    }
}

/* The ways of `lanes`, all of one sector of the source. */
static uint8_t count_ways(const uint64_t *addr, const uint32_t *to, uint32_t lanes) {
    uint64_t way[WSIM_LANES];
    uint8_t n = 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = base_lowest(lanes);
        const uint64_t now = (uint64_t)(to[lane] / MACHINE_SECTOR) << 1 |
                             ((addr[lane] ^ to[lane]) / (MACHINE_SECTOR / 2) & 1);
        unsigned i = 0;
        while (i < n && way[i] != now)
            i++;
        if (i == n)
            way[n++] = now;
    }
    return n;
}

void machine_sectors_delivered(const uint64_t addr[WSIM_LANES], const uint32_t to[WSIM_LANES],
                               uint32_t mask, struct machine_sectors *out) {
    place_lanes(addr, mask, out);
    out->sectors = 0;
    out->requests = 0;
    for (unsigned i = 0; i < out->lines; i++)
        for (unsigned s = 0; s < SECTORS; s++) {
            out->line[i].turns[s] = count_ways(addr, to, out->line[i].lanes[s]);
            out->sectors += out->line[i].turns[s];
        }
}

/* True if a lane of `mask` before `lane` copies from the same line to the same sector. */
static int has_twin(const uint64_t *addr, const uint32_t *to, uint32_t mask, unsigned lane) {
    for (unsigned other = 0; other < lane; other++)
        if (mask >> other & 1 && addr[other] / MACHINE_LINE == addr[lane] / MACHINE_LINE &&
            to[other] / MACHINE_SECTOR == to[lane] / MACHINE_SECTOR)
            return 1;
    return 0;
}

void machine_sectors_looked_up(const uint64_t addr[WSIM_LANES], const uint32_t to[WSIM_LANES],
                               uint32_t mask, struct machine_sectors *out) {
    place_lanes(addr, mask, out);
    out->sectors = 0;
    out->requests = 0;
    for (unsigned i = 0; i < out->lines; i++)
        memset(out->line[i].turns, 0, sizeof out->line[i].turns);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        if (mask >> lane & 1 && !has_twin(addr, to, mask, lane)) {
            line_of(out, addr[lane])->turns[sector_of(addr[lane])]++;
            out->sectors++;
        }
}
