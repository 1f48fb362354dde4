/* pairs.c - probes of two terms, at many pairs of positions: integer saturation and f64 chains. */
#include "probe.h"

#include <stdio.h>

/* One case holds as many pairs as A has rows, or, with the terms in B, as D has columns. */
struct filler {
    struct probe probe;
    unsigned used;
    int in_b;
    uint64_t c, one, first, second, unselected;
    char comment[96];
};

static void start(struct filler *f) {
    struct probe *p = &f->probe;
    probe_clear(p, 4);
    for (unsigned col = 0; col < p->cols; col++) {
        for (unsigned k = 0; p->info.sparse && k < p->layout_b.rows; k++)
            probe_set_b(p, k, col, f->unselected);
        for (unsigned s = 0; s < p->stored; s++)
            probe_set_b(p, probe_k(p, 4, s), col, f->in_b ? 0 : f->one);
    }
    for (unsigned row = 0; row < p->rows; row++) {
        for (unsigned s = 0; f->in_b && s < p->stored; s++)
            probe_set_a(p, row, s, f->one);
        for (unsigned col = 0; col < p->cols; col++)
            probe_set_c(p, row, col, f->c);
    }
}

static void end(struct filler *f) {
    if (f->used)
        probe_print(&f->probe, f->comment);
    f->used = 0;
}

static void put(struct filler *f, unsigned first, unsigned second) {
    struct probe *p = &f->probe;
    if (f->used == 0)
        start(f);
    if (f->in_b) {
        probe_set_b(p, probe_k(p, 4, first), f->used, f->first);
        probe_set_b(p, probe_k(p, 4, second), f->used, f->second);
    } else {
        probe_set_a(p, f->used, first, f->first);
        probe_set_a(p, f->used, second, f->second);
    }
    if (++f->used == (f->in_b ? p->cols : p->rows))
        end(f);
}

/* Positions whose numbers differ in one bit, and neighbours. For any aligned groups of an
 * instruction, some of these pairs cross a boundary, in both orders. */
static void put_pairs(struct filler *f) {
    unsigned stored = f->probe.stored;
    for (unsigned i = 0; i < stored; i++) {
        for (unsigned bit = 1; bit < stored; bit <<= 1)
            put(f, i, i ^ bit);
        put(f, i, (i + 1) % stored);
    }
    end(f);
}

/* C three below its largest value, +7 and -8. One clamp at the end gives the largest value less 4,
 * a clamp between them less 8. The other end is similar. Unsigned products can only grow. */
static void saturate(const char *spelling) {
    static struct filler f;
    int can_fall;
    probe_open(&f.probe, spelling, 0);
    f.in_b = !f.probe.layout_a.format->is_signed;
    can_fall = f.probe.layout_a.format->is_signed || f.probe.layout_b.format->is_signed;
    f.one = 1;
    f.unselected = 0x5;
    f.c = 0x7ffffffc;
    f.first = 7;
    f.second = can_fall ? (uint64_t)-8 : 7;
    snprintf(f.comment, sizeof f.comment, "X8 C = 7ffffffc, then +7 and %s",
             can_fall ? "-8" : "+7");
    put_pairs(&f);
    if (!can_fall)
        return;
    f.c = 0x80000003;
    f.first = (uint64_t)-8;
    f.second = 7;
    snprintf(f.comment, sizeof f.comment, "X8 C = 80000003, then -8 and +7");
    put_pairs(&f);
}

void probe_saturation(void) {
    static const struct {
        const char *head, *shape;
        int bits;
    } shapes[] = {{"mma.sync.aligned", "m8n8k16", 8},     {"mma.sync.aligned", "m16n8k16", 8},
                  {"mma.sync.aligned", "m16n8k32", 8},    {"mma.sync.aligned", "m8n8k32", 4},
                  {"mma.sync.aligned", "m16n8k32", 4},    {"mma.sync.aligned", "m16n8k64", 4},
                  {"mma.sp.sync.aligned", "m16n8k32", 8}, {"mma.sp.sync.aligned", "m16n8k64", 8},
                  {"mma.sp.sync.aligned", "m16n8k64", 4}, {"mma.sp.sync.aligned", "m16n8k128", 4}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int signs = 0; signs < 4; signs++) {
            char spelling[WSIM_SPELLING_MAX];
            snprintf(spelling, sizeof spelling, "%s.%s.row.col.satfinite.s32.%c%d.%c%d.s32",
                     shapes[i].head, shapes[i].shape, "su"[signs & 1], shapes[i].bits,
                     "su"[signs >> 1], shapes[i].bits);
            saturate(spelling);
        }
}

static void chain(const char *spelling) {
    static const uint64_t one = 0x3ff0000000000000, large = 0x4340000000000000,
                          ulp = 0x3ca0000000000000, sign = UINT64_C(1) << 63;
    static struct filler f;
    probe_open(&f.probe, spelling, 0);
    f.c = f.one = one;
    f.first = large;
    f.second = large | sign;
    snprintf(f.comment, sizeof f.comment, "X11 C = 1, then 2^53 and -2^53");
    put_pairs(&f);
    f.first = f.second = ulp;
    snprintf(f.comment, sizeof f.comment, "X11 C = 1, then 2^-53 twice");
    put_pairs(&f);
    f.c = f.first = f.second = sign;
    snprintf(f.comment, sizeof f.comment, "X11 nothing but -0, and +0 elsewhere");
    put_pairs(&f);
}

/* Each pair of what can be in a place where a NaN comes from: C, A and B of the first step. */
static void invalid(const char *spelling) {
    static const uint64_t values[] = {
        0x7ff0000000000001, 0xfff8000000000123, 0x7ff0000000000000, 0xfff0000000000000, 0,
        0x3ff0000000000000};
    static struct probe p;
    probe_open(&p, spelling, 0);
    for (unsigned c = 0; c < 6; c++) {
        for (unsigned row = 0; row < p.rows; row++) {
            probe_set_a(&p, row, 0, values[row % 6]);
            for (unsigned col = 0; col < p.cols; col++)
                probe_set_c(&p, row, col, values[c]);
        }
        for (unsigned col = 0; col < p.cols; col++)
            probe_set_b(&p, 0, col, values[col % 6]);
        probe_print(&p, "X11 NaNs, infinities, zero and one as A, B and C");
    }
}

void probe_doubles(void) {
    static const char *const spellings[] = {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"};
    for (unsigned i = 0; i < 4; i++) {
        chain(spellings[i]);
        invalid(spellings[i]);
    }
}
