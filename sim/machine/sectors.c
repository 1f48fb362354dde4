/* The distinct sectors and lines that an access of global memory touches. */
#include "../base/bits.h"
#include "machine.h"

#include <string.h>

#define SECTORS (MACHINE_LINE / MACHINE_SECTOR) /* of a line */

static unsigned sector_of(uint64_t address) {
    return (unsigned)(address / MACHINE_SECTOR % SECTORS);
}

/* A table of lines by hash, half empty: 1 + the place in `out`; 0: free. */
enum { SLOTS = 2 * WSIM_LANES };

static struct machine_sector_line *line_of(struct machine_sectors *out, uint8_t slots[SLOTS],
                                           uint64_t address) {
    const uint64_t first = address - address % MACHINE_LINE;
    unsigned slot = (uint32_t)(address / MACHINE_LINE * 0x9E3779B1u & UINT32_MAX) / (1u << 26);
    for (; slots[slot]; slot = (slot + 1) % SLOTS)
        if (out->line[slots[slot] - 1].address == first)
            return &out->line[slots[slot] - 1];
    out->line[out->lines] = (struct machine_sector_line){.address = first};
    slots[slot] = ++out->lines;
    return &out->line[out->lines - 1];
}

/* The lanes of `lanes` at `address`. */
static uint32_t lanes_at(const uint64_t *addr, uint32_t lanes, uint64_t address) {
    uint32_t at = 0;
    for (; lanes; lanes &= lanes - 1)
        at |= (lanes & (0u - lanes)) & machine_all_if(addr[base_lowest(lanes)] == address);
    return at;
}

static uint8_t count_lanes(uint32_t lanes) {
    uint8_t n = 0;
    for (; lanes; lanes &= lanes - 1)
        n++;
    return n;
}

/* Adds each active lane to its sector, which has one turn. */
static void place_lanes(const uint64_t *addr, uint32_t mask, struct machine_sectors *out) {
    uint8_t slots[SLOTS] = {0};
    uint32_t seen[WSIM_LANES][SECTORS]; /* bit b: byte b of a sector is an address */
    uint32_t sectors = 0, words = 0;
    out->lines = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint64_t address = addr[base_lowest(rest)];
        const unsigned sector = sector_of(address), lines = out->lines;
        const uint32_t byte = machine_bit[address % MACHINE_SECTOR];
        struct machine_sector_line *line = line_of(out, slots, address);
        uint32_t *bytes = seen[line - out->line];
        if (out->lines != lines)
            memset(bytes, 0, sizeof *seen);
        sectors += bytes[sector] == 0;
        words += (bytes[sector] & byte) == 0;
        bytes[sector] |= byte;
        line->turns[sector] = 1;
        line->lanes[sector] |= rest & (0u - rest);
    }
    out->sectors = sectors;
    out->words = words;
}

/* The largest number of lanes at one address. */
static uint8_t most_wanted(const uint64_t *addr, uint32_t lanes) {
    uint8_t most = 0;
    if (!(lanes & (lanes - 1)))
        return lanes != 0;
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
        for (unsigned s = 0; s < SECTORS; s++) {
            out->line[i].turns[s] = 0;
            for (uint32_t rest = out->line[i].lanes[s]; rest; rest &= rest - 1)
                out->line[i].turns[s] += !has_twin(addr, to, mask, base_lowest(rest));
            out->sectors += out->line[i].turns[s];
        }
}
