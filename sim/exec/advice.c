/* Warnings for descriptors that are legal but probably wrong. Common habits cause no warning. A
 * start may advance along k inside a line, and an offset may be a whole step that is not taken. A
 * leading offset without meaning may be 0 or 16. */
#include "descriptor.h"
#include "exec.h"

#include <string.h>

/* A descriptor and its tile, with values that most rules need. */
struct subject {
    const struct wsim_descriptor *d;
    const struct wsim_tile *tile;
    unsigned width, group; /* bytes of a line, and of eight of them                           */
    uint32_t end;          /* of shared memory                                                */
};

/* One of the two offsets: what it is for, and whether it is taken. */
struct offset {
    const char *name;
    uint32_t bytes;
    int along;         /* the axis of neighbours                                              */
    unsigned steps;    /* how many there are                                                  */
    unsigned each;     /* rows or k of a step                                                 */
    const char *axis;  /* and which                                                           */
    unsigned elements; /* of that axis                                                        */
};

static struct offset offset_of(const struct subject *s, int leading) {
    struct descriptor_steps last =
        descriptor_steps(s->d, s->tile, s->tile->rows - 1u, s->tile->k - 1u);
    int along = leading != descriptor_exchanged(s->d, s->tile);
    int of_rows = along == s->tile->mn_major;
    struct offset o = {leading ? "leading" : "stride",
                       leading ? s->d->leading : s->d->stride,
                       along,
                       along ? last.along : last.across,
                       along ? s->width * 8 / s->tile->bits : DESCRIPTOR_LINES,
                       of_rows ? "rows" : "k",
                       of_rows ? s->tile->rows : s->tile->k};
    return o;
}

static const char *major(const struct subject *s) {
    return s->tile->mn_major ? "MN" : "K";
}

/* --- offsets --- */

/* An offset of nothing, or of 1 as libraries write it where it has no meaning. */
static int is_missing(const struct offset *o) {
    return o->steps && o->bytes <= DESCRIPTOR_UNIT;
}

static int advise_missing(const struct subject *s, int leading, struct wsim_diag *advice) {
    struct offset o = offset_of(s, leading);
    if (!is_missing(&o))
        return 0;
    base_refuse(advice, RULE_ADVICE_OFFSET_MISSING, 0,
                "%s offset is 0x%x, and %u %s take %u such step%s, one for every %u %s: they "
                "overlap; 8 lines of %u bytes take 0x%x",
                o.name, (unsigned)o.bytes, o.elements, o.axis, o.steps, o.steps == 1 ? "" : "s",
                o.each, o.axis, s->width, s->group);
    return 1;
}

/* Eight rows of a swizzled tile are adjacent, so this step is fixed. */
static int advise_unit(const struct subject *s, int leading, struct wsim_diag *advice) {
    struct offset o = offset_of(s, leading);
    if (s->d->mode == WSIM_SWIZZLE_NONE || s->tile->mn_major || o.along || !o.steps ||
        o.bytes != s->group * DESCRIPTOR_UNIT)
        return 0;
    base_refuse(advice, RULE_ADVICE_OFFSET_UNIT, 0,
                "%s offset 0x%x is 16 times the 0x%x that 8 lines of %u bytes take: the field "
                "counts units of 16 bytes, and 0x%x is 0x%x of them",
                o.name, (unsigned)o.bytes, s->group, s->width, s->group,
                s->group / DESCRIPTOR_UNIT);
    return 1;
}

/* Whether an offset that is not taken may be the step of a larger tile. */
static int is_plausible(const struct subject *s, const struct offset *o) {
    int has_meaning = s->d->mode == WSIM_SWIZZLE_NONE || s->tile->mn_major || !o->along;
    return o->bytes <= DESCRIPTOR_UNIT || (has_meaning && o->bytes % s->group == 0);
}

static int advise_ignored(const struct subject *s, int leading, struct wsim_diag *advice) {
    struct offset o = offset_of(s, leading);
    if (o.steps || is_plausible(s, &o))
        return 0;
    base_refuse(advice, RULE_ADVICE_OFFSET_IGNORED, 0,
                "%s offset 0x%x is ignored in this mode: %s-major, swizzle %s, %u rows of %u k "
                "take no such step",
                o.name, (unsigned)o.bytes, major(s), wsim_swizzle_name(s->d->mode), s->tile->rows,
                s->tile->k);
    return 1;
}

/* --- the pattern of the swizzle --- */

/* Where the start is in the pattern that the base offset moves. */
static unsigned in_pattern(const struct subject *s) {
    return (s->d->start - s->d->base_offset * (uint32_t)DESCRIPTOR_LINE) &
           (wsim_swizzle_period(s->d->mode) - 1);
}

static void word_unaligned(const struct subject *s, struct wsim_diag *advice) {
    unsigned period = wsim_swizzle_period(s->d->mode), row = in_pattern(s) / s->width;
    unsigned base = s->d->start / DESCRIPTOR_LINE & 7;
    if (s->d->base_offset)
        base_refuse(advice, RULE_ADVICE_START_UNALIGNED, 0,
                    "start 0x%x with base offset %u is row %u of the swizzle's pattern, not row 0: "
                    "the base offset of a pattern that begins here is %u",
                    (unsigned)s->d->start, s->d->base_offset, row, base);
    else if (in_pattern(s) < DESCRIPTOR_LINE)
        base_refuse(advice, RULE_ADVICE_START_UNALIGNED, 0,
                    "start 0x%x is not aligned to the swizzle repeat, %u bytes of %s: it is row %u "
                    "of the pattern, which no base offset can express",
                    (unsigned)s->d->start, period, wsim_swizzle_name(s->d->mode), row);
    else
        base_refuse(advice, RULE_ADVICE_START_UNALIGNED, 0,
                    "start 0x%x is not aligned to the swizzle repeat, %u bytes of %s: it is row %u "
                    "of the pattern; right for a tile from a tensor copy; a tile whose own pattern "
                    "begins here needs base offset %u",
                    (unsigned)s->d->start, period, wsim_swizzle_name(s->d->mode), row, base);
}

static int advise_base(const struct subject *s, struct wsim_diag *advice) {
    if (s->d->mode == WSIM_SWIZZLE_NONE && s->d->base_offset) {
        base_refuse(advice, RULE_ADVICE_BASE_IGNORED, 0,
                    "base offset %u is ignored: there is no swizzle", s->d->base_offset);
        return 1;
    }
    if (s->d->mode == WSIM_SWIZZLE_NONE || in_pattern(s) < s->width)
        return 0;
    word_unaligned(s, advice);
    return 1;
}

/* Along k a line is walked in pieces of one instruction; past its end lies another row. */
static int advise_line(const struct subject *s, struct wsim_diag *advice) {
    unsigned bytes = (s->tile->mn_major ? s->tile->rows : s->tile->k) * s->tile->bits / 8u;
    unsigned at = s->d->start % s->width, taken = bytes < s->width ? bytes : s->width;
    if (s->d->mode == WSIM_SWIZZLE_NONE)
        return 0;
    if (at + taken > s->width) {
        base_refuse(advice, RULE_ADVICE_LINE_CROSSED, 0,
                    "start 0x%x is byte %u of a line of %u, and %u bytes are read from there: the "
                    "last %u are in the next line",
                    (unsigned)s->d->start, at, s->width, taken, at + taken - s->width);
        return 1;
    }
    if (s->tile->mn_major || at % taken == 0)
        return 0;
    base_refuse(advice, RULE_ADVICE_LINE_CROSSED, 0,
                "start 0x%x is byte %u of a line: k advances by the %u bytes of one instruction, "
                "0x%x in the field",
                (unsigned)s->d->start, at, taken, taken / DESCRIPTOR_UNIT);
    return 1;
}

/* --- all elements --- */

/* Pieces of 16 bytes: how many elements along k, or along the rows, one holds. */
static unsigned piece(const struct wsim_tile *tile) {
    return DESCRIPTOR_UNIT * 8u / tile->bits;
}

static int advise_overlap(const struct subject *s, struct wsim_diag *advice) {
    const struct wsim_tile *tile = s->tile;
    uint8_t seen[2048]; /* a bit for each 16 bytes of memory, in turn */
    unsigned base, row, k, each = piece(tile);
    struct offset leading = offset_of(s, 1), stride = offset_of(s, 0);
    if (is_missing(&leading) || is_missing(&stride)) /* has been said */
        return 0;
    for (base = 0; base < 4u << 18; base += sizeof seen * 8 * DESCRIPTOR_UNIT) {
        memset(seen, 0, sizeof seen);
        for (row = 0; row < tile->rows; row += tile->mn_major ? each : 1)
            for (k = 0; k < tile->k; k += tile->mn_major ? 1 : each) {
                uint32_t address = wsim_descriptor_address(s->d, tile, row, k);
                uint32_t at = (address - base) / DESCRIPTOR_UNIT;
                if (address < base || at >= sizeof seen * 8)
                    continue;
                if (seen[at / 8] >> at % 8 & 1) {
                    base_refuse(advice, RULE_ADVICE_ELEMENT_OVERLAID, 0,
                                "row %u, k %u is at 0x%x, like another element: the offsets are "
                                "smaller than the parts that they skip",
                                row, k, (unsigned)address);
                    return 1;
                }
                seen[at / 8] |= (uint8_t)(1u << at % 8);
            }
    }
    return 0;
}

/* The first element past the end; 0 if there is none. */
static int find_past_end(const struct subject *s, const struct wsim_descriptor *d, unsigned *row,
                         unsigned *k) {
    for (*row = 0; *row < s->tile->rows; ++*row)
        for (*k = 0; *k < s->tile->k; ++*k)
            if (wsim_descriptor_address(d, s->tile, *row, *k) >= s->end)
                return 1;
    return 0;
}

/* The field that, divided by 16, would bring all of the tile back; NULL if none does. */
static const char *find_shifted(const struct subject *s, uint32_t *instead) {
    static const char *const names[] = {"start", "stride offset", "leading offset"};
    unsigned i, row, k;
    for (i = 0; i < 3; i++) {
        struct wsim_descriptor d = *s->d;
        uint32_t *field = i == 0 ? &d.start : i == 1 ? &d.stride : &d.leading;
        *instead = *field / DESCRIPTOR_UNIT;
        if (*instead % DESCRIPTOR_UNIT)
            continue;
        *field = *instead;
        if (*instead && !find_past_end(s, &d, &row, &k))
            return names[i];
    }
    return NULL;
}

static int advise_end(const struct subject *s, struct wsim_diag *advice) {
    unsigned row, k;
    uint32_t instead;
    const char *shifted;
    if (!find_past_end(s, s->d, &row, &k))
        return 0;
    shifted = find_shifted(s, &instead);
    if (shifted)
        base_refuse(advice, RULE_ADVICE_MEMORY_END, 0,
                    "row %u, k %u is at 0x%x: shared memory ends at 0x%x (%u KiB), and wgmma traps "
                    "beyond it; with %s 0x%x it would fit: the field counts units of 16 bytes",
                    row, k, (unsigned)wsim_descriptor_address(s->d, s->tile, row, k),
                    (unsigned)s->end, (unsigned)s->end / 1024, shifted, (unsigned)instead);
    else
        base_refuse(advice, RULE_ADVICE_MEMORY_END, 0,
                    "row %u, k %u is at 0x%x: shared memory ends at 0x%x (%u KiB), and wgmma traps "
                    "beyond it",
                    row, k, (unsigned)wsim_descriptor_address(s->d, s->tile, row, k),
                    (unsigned)s->end, (unsigned)s->end / 1024);
    return 1;
}

/* --- in turn --- */

static int advise(const struct subject *s, unsigned rule, struct wsim_diag *advice) {
    switch (rule) {
    case 0:
    case 1: return advise_missing(s, rule == 0, advice);
    case 2: return advise_unit(s, 0, advice);
    case 3:
    case 4: return advise_ignored(s, rule == 3, advice);
    case 5: return advise_base(s, advice);
    case 6: return advise_line(s, advice);
    case 7: return advise_overlap(s, advice);
    default: return advise_end(s, advice);
    }
}

enum { RULES = 9 };

int wsim_descriptor_advice(const struct wsim_descriptor *descriptor, const struct wsim_tile *tile,
                           const struct wsim_arch *arch, uint32_t *cursor,
                           struct wsim_diag *advice) {
    unsigned width = descriptor_width(descriptor);
    struct subject s = {descriptor, tile, width, width * DESCRIPTOR_LINES,
                        arch ? isa_shared_end(arch) : UINT32_MAX};
    if (!tile->rows || !tile->k || !tile->bits) /* nothing is read, so nothing is misread */
        return 0;
    while (*cursor < RULES)
        if (advise(&s, (*cursor)++, advice))
            return 1;
    return 0;
}
