/* nibbles.c - which row of B each metadata nibble takes, also those that the ISA leaves undefined.
 *
 * Row r of A has nibble r in all chunks, and a 1 in one stored place of each chunk. Column n of B
 * is zero outside chunk n (n + 8 in a second case), where it holds 1, 2, 3 ... So D[r][n] is one
 * more than the place in the chunk that nibble r took, or 0. */
#include "probe.h"

#include <stdio.h>

static uint64_t number(const struct wsim_layout *layout, unsigned value) {
    struct wsim_value v = {WSIM_FINITE, 0, 0, value};
    return wsim_format_encode(layout->format, v, WSIM_RN)
           << (layout->elem_bits > layout->format->bits ? layout->format->pad : 0);
}

static void fill(struct probe *p, unsigned slot, unsigned first_chunk) {
    for (unsigned row = 0; row < p->rows; row++) {
        probe_set_nibble(p, row, row);
        for (unsigned chunk = 0; chunk < p->layout_e.cols; chunk++)
            probe_set_a(p, row, chunk * p->kept + slot, number(&p->layout_a, 1));
    }
    for (unsigned col = 0; col < p->cols; col++)
        for (unsigned at = 0; at < p->chunk && first_chunk + col < p->layout_e.cols; at++)
            probe_set_b(p, (first_chunk + col) * p->chunk + at, col, number(&p->layout_b, 1 + at));
}

/* The effect on A of a nibble that takes no row of B: infinities times nothing, or times zero. */
static void print_infinite(struct probe *p) {
    fill(p, 0, 0);
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned stored = 0; stored < p->stored; stored++)
            probe_set_a(p, row, stored, 0x7f800000);
    for (unsigned col = 0; col < p->cols; col++)
        for (unsigned k = 0; k < p->layout_b.rows; k++)
            probe_set_b(p, k, col, 0x3f800000);
    probe_print(p, "nibble r in row r, infinities in A and ones in B");
}

static void print(const char *spelling) {
    static struct probe p;
    char comment[96];
    unsigned selectors;
    probe_open(&p, spelling, 0);
    selectors = p.info.selectors;
    for (unsigned slot = 0; slot < p.kept; slot++)
        for (unsigned chunk = 0; chunk < p.layout_e.cols; chunk += p.cols) {
            probe_open(&p, spelling, selectors - 1);
            fill(&p, slot, chunk);
            snprintf(comment, sizeof comment,
                     "nibble r in row r, stored place %u of each chunk, columns are chunks from %u",
                     slot, chunk);
            probe_print(&p, comment);
        }
    if (p.kept == 1)
        print_infinite(&p);
}

void probe_nibbles(void) {
    static const char *const heads[] = {"mma.sp.sync.aligned",
                                        "mma.sp::ordered_metadata.sync.aligned"};
    static const char *const forms[] = {
        "m16n8k16.row.col.f16.f16.f16.f16",   "m16n8k16.row.col.f32.f16.f16.f32",
        "m16n8k32.row.col.f16.f16.f16.f16",   "m16n8k32.row.col.f32.f16.f16.f32",
        "m16n8k16.row.col.f32.bf16.bf16.f32", "m16n8k32.row.col.f32.bf16.bf16.f32",
        "m16n8k8.row.col.f32.tf32.tf32.f32",  "m16n8k16.row.col.f32.tf32.tf32.f32",
        "m16n8k32.row.col.s32.s8.s8.s32",     "m16n8k32.row.col.s32.u8.s8.s32",
        "m16n8k64.row.col.s32.s8.s8.s32",     "m16n8k64.row.col.s32.u8.u8.s32",
        "m16n8k64.row.col.s32.u4.u4.s32",     "m16n8k128.row.col.s32.u4.u4.s32",
        "m16n8k64.row.col.f32.e4m3.e4m3.f32", "m16n8k64.row.col.f32.e5m2.e5m2.f32"};
    for (unsigned head = 0; head < 2; head++)
        for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
            char spelling[WSIM_SPELLING_MAX];
            snprintf(spelling, sizeof spelling, "%s.%s", heads[head], forms[i]);
            print(spelling);
        }
}
