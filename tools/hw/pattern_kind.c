/* pattern_kind.c - which accesses to measure: fixed patterns and random ones, for each kind. A kind
 * is one access of the hardware. Spellings that differ only in the name of an equally large type,
 * or in the space of the address, alternate. */
#include "pattern_kind.h"
#include "access_launch.h"
#include "access_line.h"
#include "command.h"
#include "pattern_draw.h"

#include <string.h>

enum { MOST_OPS = 512 };

struct spelled {
    struct wsim_op op;
    uint32_t size; /* of a copy */
    char spelling[WSIM_SPELLING_MAX], kind[WSIM_SPELLING_MAX];
};

/* A matrix move is executed by the whole warp; lanes that give no row may hold anything. */
static void finish_rows(struct hw_drawn *a, uint32_t rows, struct hw_draws *draws) {
    int hostile = hw_chance(draws, 4);
    a->mask = UINT32_MAX;
    for (uint32_t i = rows; i < WSIM_LANES && hostile; i++)
        a->addr[i] = hw_bits(draws) | 1;
}

/* Where a copy reads: consecutive from a line boundary, or any of the random ones somewhere. */
static const char *draw_source(struct hw_pattern *pattern, const struct hw_drawn *to,
                               struct hw_draws *draws) {
    struct hw_drawn from = {{0}, 0, to->w, to->n, "consecutive"};
    uint32_t base = hw_below(draws, (HW_ACCESS_SOURCE - HW_ACCESS_WINDOW) / 128) * 128;
    if (hw_chance(draws, 3))
        for (uint32_t i = 0; i < WSIM_LANES; i++)
            from.addr[i] = i * from.w;
    else
        hw_draw_random(&from, draws);
    for (int i = 0; i < WSIM_LANES; i++)
        pattern->src[i] = base + from.addr[i];
    return from.name;
}

/* Pattern `number` of its kind. The first two of a copy have no active lane, cold and warm, and
 * show the cost of their kernel itself. */
static void print_access(FILE *file, const struct spelled *spelled, struct hw_drawn *a,
                         uint64_t number, struct hw_draws *draws) {
    struct hw_pattern pattern = {.op = spelled->op, .size = spelled->size};
    int is_first = pattern.size && number < 2;
    if (is_first) {
        a->mask = 0;
        a->name = "nobody";
    }
    if (pattern.size)
        pattern.warm = is_first ? (uint32_t)number : (uint32_t)hw_chance(draws, 3);
    pattern.mask = a->mask;
    memcpy(pattern.addr, a->addr, sizeof pattern.addr);
    fprintf(file, "# %s", a->name);
    if (pattern.size)
        fprintf(file, " from %s", draw_source(&pattern, a, draws));
    fputc('\n', file);
    hw_pattern_print(file, &pattern);
}

/* The kind of a spelling: without the letters of its type, and without the space; of a copy with
 * its size. */
static void kind_of(const char *spelling, uint32_t size, char kind[WSIM_SPELLING_MAX]) {
    static const char shared[] = ".shared";
    const char *type = strrchr(spelling, '.'), *space = strstr(spelling, shared);
    const char *rest = space ? space + strlen(shared) : type; /* between the space and the type */
    if (size)
        hw_access_symbol(spelling, size, kind);
    else
        snprintf(kind, WSIM_SPELLING_MAX, "%.*s%.*s.%s", (int)((space ? space : type) - spelling),
                 spelling, (int)(type - rest), rest, type + 1 + strcspn(type + 1, "0123456789"));
}

/* A fragment with a start and a stride that the model accepts, in units of 16 bytes. Lines have
 * up to 1 KiB; half are short. */
static void print_fragment(FILE *file, const struct spelled *spelled, const struct wsim_arch *arch,
                           struct hw_draws *draws) {
    struct hw_pattern pattern = {.op = spelled->op, .mask = UINT32_MAX};
    struct wsim_diag diag;
    do {
        uint32_t start = hw_below(draws, HW_ACCESS_WINDOW / 32) * 16;
        uint32_t bytes = 16 + 16 * hw_below(draws, hw_chance(draws, 4) ? 12 : 64);
        pattern.stride = bytes * 8 / hw_fragment_bits(&pattern.op);
        for (int i = 0; i < WSIM_LANES; i++)
            pattern.addr[i] = start;
    } while (hw_pattern_check(&pattern, arch, &diag));
    fprintf(file, "# fragment\n");
    hw_pattern_print(file, &pattern);
}

/* `count` patterns of one kind: fixed and random ones by turns, until the fixed have been. */
static void print_lanes(FILE *file, const struct spelled *const *member, unsigned members,
                        uint64_t count, struct hw_draws *draws) {
    struct wsim_op_info info = wsim_op_describe(&member[0]->op);
    uint32_t bytes = member[0]->size ? member[0]->size : info.bytes;
    struct hw_drawn a = {{0}, 0, bytes, HW_ACCESS_WINDOW / bytes, ""};
    int rows = info.matrices > 0, which = hw_next_fixed(0, a.w, rows);
    for (uint64_t i = 0; i < count; i++) {
        if (i / members % 2 == 0 && which >= 0) {
            hw_draw_fixed(&a, which);
            which = hw_next_fixed(which + 1, a.w, rows);
        } else {
            hw_draw_random(&a, draws);
        }
        if (rows)
            finish_rows(&a, info.matrices * 8u, draws);
        print_access(file, member[i % members], &a, i, draws);
    }
}

static void print_kind(FILE *file, const struct spelled *const *member, unsigned members,
                       const struct wsim_arch *arch, uint64_t count, uint64_t seed) {
    struct hw_draws draws = {wsim_hash_mix(seed), 0};
    for (const char *p = member[0]->kind; *p; p++)
        draws.key = wsim_stream_hash(draws.key, (unsigned char)*p);
    if (!hw_access_is_fragment(&member[0]->op))
        print_lanes(file, member, members, count, &draws);
    for (uint64_t i = 0; i < count && hw_access_is_fragment(&member[0]->op); i++)
        print_fragment(file, member[i % members], arch, &draws);
}

static unsigned list_ops(const struct wsim_arch *arch, const char *filter, struct spelled *list) {
    struct hw_access access;
    unsigned n = 0;
    memset(&access, 0, sizeof access);
    while (n < MOST_OPS && hw_access_next(&access)) {
        struct spelled *next = &list[n];
        if (wsim_op_check(&access.op, arch, NULL))
            continue;
        next->op = access.op;
        next->size = access.size;
        wsim_op_spell(&next->op, next->spelling);
        kind_of(next->spelling, next->size, next->kind);
        n += hw_matches(filter, next->spelling) != 0;
    }
    return n;
}

unsigned hw_patterns_print(FILE *file, const struct wsim_arch *arch, const char *filter,
                           uint64_t count, uint64_t seed) {
    static struct spelled list[MOST_OPS];
    const struct spelled *member[MOST_OPS];
    unsigned n = list_ops(arch, filter, list), kinds = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned members = 0, seen = 0;
        for (unsigned j = 0; j < n; j++)
            if (strcmp(list[j].kind, list[i].kind) == 0) {
                seen |= j < i;
                member[members++] = &list[j];
            }
        if (seen)
            continue;
        print_kind(file, member, members, arch, count, seed);
        kinds++;
    }
    return kinds;
}
