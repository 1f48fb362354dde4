/* Registers as words of lines of memory: found in a compiled map, moved by fixed loops. */
#include "words.h"

#include "map.h"

#include <string.h>

/* Four neighbouring lanes have the same place in their words. Where a layout transposes, the lanes
 * at this distance have the next places. */
enum { CROSSED = 4 };

/* Words of a line that are moved together: one for each group of lanes that hold all places. */
static unsigned run_of(unsigned each) {
    return WSIM_LANES / CROSSED / each;
}

/* --- prepared --- */

struct shape {
    const struct wsim_code_map *map;
    unsigned line_bit, line_words;
    unsigned each; /* elements of a register; 1: it has one, or half of one */
};

static unsigned words_of(unsigned elements, unsigned bits) {
    return elements * bits / MAP_WORD;
}

static unsigned word_of(const struct shape *s, unsigned at) {
    unsigned in_line = at & ((1u << s->line_bit) - 1);
    return (at >> s->line_bit) * s->line_words + words_of(in_line, s->map->bits);
}

/* Whether the first lane and the first register have the first element of a word, and so have all
 * that are not neighbours. */
static int begin_words(const struct shape *s, const uint16_t *list, unsigned count, unsigned step) {
    for (unsigned i = 0; i < count; i++)
        if (list[i - i % step] % s->each)
            return 0;
    return 1;
}

/* The elements of a register are neighbours. */
static int are_straight(const struct shape *s) {
    const struct wsim_code_map *map = s->map;
    for (unsigned i = 0; i < map->copies; i++)
        if (map->elem[i] != (map->elem[i - i % s->each] ^ i % s->each))
            return 0;
    return begin_words(s, map->elem, map->copies, s->each) &&
           begin_words(s, map->lane, WSIM_LANES, 1);
}

/* The elements of as many lanes as a register has elements are, in runs of words. */
static int are_crossed(const struct shape *s, const struct wsim_code_map *words) {
    const uint16_t *lane = s->map->lane;
    unsigned period = CROSSED * s->each, run = run_of(s->each);
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        unsigned first = l % CROSSED, place = l % period / CROSSED;
        if (lane[first] % s->each || words->lane[first] % run ||
            lane[l] != (lane[first] ^ (l / period * s->each + place)))
            return 0;
    }
    for (unsigned i = 0; i < s->map->copies; i++)
        if (s->map->elem[i] % s->each || words->elem[i] % run)
            return 0;
    return 1;
}

static int are_whole(const struct wsim_code_map *words, unsigned regs, unsigned each) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        if (words->lane[lane] != lane)
            return 0;
    for (unsigned reg = 0; reg < regs; reg++)
        if (words->elem[reg * each] != reg * WSIM_LANES)
            return 0;
    return 1;
}

/* Four lanes in a row have four words in a row. */
static int are_runs(const struct wsim_code_map *words, unsigned listed) {
    unsigned in_run = 0;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        in_run |= (words->lane[lane] ^ lane) % CROSSED;
    for (unsigned i = 0; i < listed; i++)
        in_run |= words->elem[i] % CROSSED;
    return !in_run;
}

/* Four lanes in a row have every other of eight words, and of two registers one has the rest. */
static int are_pairs(const struct wsim_code_map *words, unsigned listed) {
    unsigned other = listed % 2;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        other |= (words->lane[lane] ^ 2 * lane) % (2 * CROSSED);
    for (unsigned i = 0; i < listed; i++)
        other |= (words->elem[i] ^ i % 2) % (2 * CROSSED) |
                 (words->elem[i] ^ words->elem[i & ~1u] ^ i % 2);
    return !other;
}

static enum words_way way_of(const struct shape *s, const struct wsim_code_map *words,
                             unsigned listed) {
    if (are_straight(s))
        return are_whole(words, s->map->regs, s->each)    ? WORDS_WHOLE
               : are_runs(words, listed)                  ? WORDS_RUNS
               : s->each == 1 && are_pairs(words, listed) ? WORDS_PAIRS
                                                          : WORDS_STRAIGHT;
    if (s->each == 2 && are_crossed(s, words))
        return WORDS_HALVES;
    return s->each == 4 && are_crossed(s, words) ? WORDS_BYTES : WORDS_NONE;
}

/* A word is found by XOR, as an element is, if a line has a power of two of words. With elements
 * of 64 bits each register is listed separately. */
void words_prepare(struct wsim_code *code, const struct wsim_code_map *map, unsigned line_bit,
                   unsigned across, unsigned lines) {
    struct shape s = {map, line_bit, words_of(across, map->bits), 1};
    struct wsim_code_map *words = &work_to(code)->e;
    unsigned halves = map->bits > MAP_WORD ? 2 : 1, listed = map->copies * halves;
    if (map->bits < MAP_WORD)
        s.each = MAP_WORD / map->bits;
    if (code->flags & WSIM_PLAIN || !s.line_words || s.line_words & (s.line_words - 1) ||
        s.line_words * lines > WORDS_MOST || listed > WSIM_CODE_ELEMS || map->copies % s.each)
        return;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        words->lane[lane] = (uint16_t)word_of(&s, map->lane[lane]);
    for (unsigned i = 0; i < listed; i++)
        words->elem[i] = (uint16_t)(word_of(&s, map->elem[i / halves]) + i % halves);
    words->bits = (uint8_t)(MAP_WORD / s.each);
    work_to(code)->memory.way = (uint8_t)way_of(&s, words, listed);
}

void words_prepare_exchange(struct wsim_code *code, unsigned cols, unsigned rows) {
    unsigned line_bit = 0;
    while (1u << line_bit < cols)
        line_bit++;
    words_prepare(code, &work_to(code)->a, line_bit, cols, rows);
    if (work_to(code)->memory.way == WORDS_WHOLE)
        words_prepare(code, &work_to(code)->b, line_bit, cols, rows);
    else
        work_to(code)->memory.way = WORDS_NONE;
}

/* --- moved --- */

static inline void exchange_halves(uint32_t *a, uint32_t *b) {
    uint32_t low = (*a & 0x0000FFFF) | *b << 16;
    *b = *a >> 16 | (*b & 0xFFFF0000);
    *a = low;
}

static inline void exchange_bytes(uint32_t *a, uint32_t *b) {
    uint32_t even = (*a & 0x00FF00FF) | (*b & 0x00FF00FF) << 8;
    *b = (*a >> 8 & 0x00FF00FF) | (*b & 0xFF00FF00);
    *a = even;
}

/* Moves element i of word j to element j of word i. */
static inline void transpose(uint32_t w[4], unsigned each) {
    if (each == 2) {
        exchange_halves(&w[0], &w[1]);
        return;
    }
    exchange_halves(&w[0], &w[2]);
    exchange_halves(&w[1], &w[3]);
    exchange_bytes(&w[0], &w[1]);
    exchange_bytes(&w[2], &w[3]);
}

static void load_runs(const struct wsim_code_map *words, const uint32_t *lines, unsigned elem,
                      uint32_t *to) {
    unsigned base = words->elem[elem];
    for (unsigned lane = 0; lane < WSIM_LANES; lane += CROSSED)
        memcpy(to + lane, lines + (words->lane[lane] ^ base), CROSSED * sizeof *to);
}

static void load_pair(const struct wsim_code_map *words, const uint32_t *lines, unsigned elem,
                      uint32_t *even, uint32_t *odd) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane += CROSSED) {
        const uint32_t *from = lines + (words->lane[lane] ^ words->elem[elem]);
        for (unsigned i = 0; i < CROSSED; i++) {
            even[lane + i] = from[2 * i];
            odd[lane + i] = from[2 * i + 1];
        }
    }
}

static void load_straight(const struct wsim_code_map *words, const uint32_t *lines, unsigned elem,
                          uint32_t *to) {
    unsigned base = words->elem[elem];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        to[lane] = lines[words->lane[lane] ^ base];
}

/* As many words of lines as a register has elements, four times, become a register. `each` is a
 * constant where this is called, and so are all ends of loops. */
static inline void load_crossed(const struct wsim_code_map *words, const uint32_t *lines,
                                const uint16_t *elem, unsigned each, uint32_t *to) {
    const unsigned run = run_of(each);
    uint32_t turned[4][CROSSED * 4];
    for (unsigned q = 0; q < CROSSED; q++) {
        const uint32_t *from[4];
        for (unsigned i = 0; i < each; i++)
            from[i] = lines + (words->lane[q] ^ elem[i]);
        for (unsigned v = 0; v < run; v++) {
            uint32_t w[4];
            for (unsigned i = 0; i < each; i++)
                w[i] = from[i][v];
            transpose(w, each);
            for (unsigned i = 0; i < each; i++)
                turned[i][run * q + v] = w[i];
        }
    }
    for (unsigned v = 0; v < run; v++)
        for (unsigned i = 0; i < each; i++)
            for (unsigned q = 0; q < CROSSED; q++)
                to[(v * each + i) * CROSSED + q] = turned[i][run * q + v];
}

void words_load(const struct wsim_code *code, const uint32_t *lines, unsigned regs,
                uint32_t *const *d) {
    const struct wsim_code_map *words = &work_of(code)->e;
    unsigned each = MAP_WORD / words->bits;
    for (unsigned reg = 0; reg < regs; reg++)
        switch (work_of(code)->memory.way) {
        case WORDS_WHOLE:
            memcpy(d[reg], lines + reg * WSIM_LANES, WSIM_LANES * sizeof *d[reg]);
            break;
        case WORDS_RUNS: load_runs(words, lines, reg * each, d[reg]); break;
        case WORDS_PAIRS:
            if (reg % 2 == 0)
                load_pair(words, lines, reg, d[reg], d[reg + 1]);
            break;
        case WORDS_HALVES: load_crossed(words, lines, words->elem + reg * 2, 2, d[reg]); break;
        case WORDS_BYTES: load_crossed(words, lines, words->elem + reg * 4, 4, d[reg]); break;
        default: load_straight(words, lines, reg * each, d[reg]); break;
        }
}

static void store_runs(const struct wsim_code_map *words, const uint32_t *from, unsigned elem,
                       uint32_t *lines) {
    unsigned base = words->elem[elem];
    for (unsigned lane = 0; lane < WSIM_LANES; lane += CROSSED)
        memcpy(lines + (words->lane[lane] ^ base), from + lane, CROSSED * sizeof *from);
}

static void store_pair(const struct wsim_code_map *words, const uint32_t *even, const uint32_t *odd,
                       unsigned elem, uint32_t *lines) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane += CROSSED) {
        uint32_t *to = lines + (words->lane[lane] ^ words->elem[elem]);
        for (unsigned i = 0; i < CROSSED; i++) {
            to[2 * i] = even[lane + i];
            to[2 * i + 1] = odd[lane + i];
        }
    }
}

static void store_straight(const struct wsim_code_map *words, const uint32_t *from, unsigned elem,
                           uint32_t *lines) {
    unsigned base = words->elem[elem];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        lines[words->lane[lane] ^ base] = from[lane];
}

static inline void store_crossed(const struct wsim_code_map *words, const uint32_t *from,
                                 const uint16_t *elem, unsigned each, uint32_t *lines) {
    const unsigned run = run_of(each);
    uint32_t turned[4][CROSSED * 4];
    for (unsigned v = 0; v < run; v++)
        for (unsigned q = 0; q < CROSSED; q++) {
            uint32_t w[4];
            for (unsigned i = 0; i < each; i++)
                w[i] = from[(v * each + i) * CROSSED + q];
            transpose(w, each);
            for (unsigned i = 0; i < each; i++)
                turned[i][v * CROSSED + q] = w[i];
        }
    for (unsigned q = 0; q < CROSSED; q++)
        for (unsigned i = 0; i < each; i++)
            for (unsigned v = 0; v < run; v++)
                lines[(words->lane[q] ^ elem[i]) + v] = turned[i][v * CROSSED + q];
}

void words_store(const struct wsim_code *code, const uint32_t *const *r, unsigned regs,
                 uint32_t *lines) {
    const struct wsim_code_map *words = &work_of(code)->e;
    unsigned each = MAP_WORD / words->bits;
    for (unsigned reg = 0; reg < regs; reg++)
        switch (work_of(code)->memory.way) {
        case WORDS_WHOLE:
            memcpy(lines + reg * WSIM_LANES, r[reg], WSIM_LANES * sizeof *r[reg]);
            break;
        case WORDS_RUNS: store_runs(words, r[reg], reg * each, lines); break;
        case WORDS_PAIRS:
            if (reg % 2 == 0)
                store_pair(words, r[reg], r[reg + 1], reg, lines);
            break;
        case WORDS_HALVES: store_crossed(words, r[reg], words->elem + reg * 2, 2, lines); break;
        case WORDS_BYTES: store_crossed(words, r[reg], words->elem + reg * 4, 4, lines); break;
        default: store_straight(words, r[reg], reg * each, lines); break;
        }
}
