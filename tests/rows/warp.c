#include "warp.h"

uint64_t warp_bits(const struct wsim_layout *layout, int value) {
    const struct wsim_format *format = layout->format;
    struct wsim_value v = {WSIM_FINITE, 0, 0, 0};
    unsigned pad = layout->elem_bits > format->bits ? format->pad : 0;
    v.cls = value ? WSIM_FINITE : WSIM_ZERO;
    v.negative = value < 0;
    v.sig = (uint64_t)abs(value);
    return wsim_format_encode(format, v, WSIM_RN) << pad;
}

void warp_fill_regs(const struct wsim_op *op, enum wsim_operand operand, uint64_t *seed,
                    struct wsim_regs *regs) {
    struct wsim_layout layout;
    unsigned lane, elem;
    every_fill(regs, sizeof *regs, seed);
    wsim_op_layout(op, NULL, operand, &layout, NULL);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            int value = (int)(every_random(seed) % 5) - 2;
            if (!layout.format->is_signed || layout.format->bits == 1)
                value = value > 0;
            wsim_regs_set(&layout, regs, wsim_layout_place(&layout, lane, elem),
                          warp_bits(&layout, value));
        }
}

unsigned warp_nibble(const struct wsim_op *op, uint64_t *seed) {
    static const uint8_t pairs[] = {0x4, 0x8, 0x9, 0xC, 0xD, 0xE}, halves[] = {0x4, 0xE};
    struct wsim_layout a;
    wsim_op_layout(op, NULL, WSIM_A, &a, NULL);
    return a.elem_bits == 32 ? halves[every_random(seed) % 2] : pairs[every_random(seed) % 6];
}

unsigned warp_one(const struct wsim_op *op) {
    struct wsim_layout scale;
    struct wsim_value one = {WSIM_FINITE, 0, 0, 1};
    return wsim_op_layout(op, NULL, WSIM_SFA, &scale, NULL)
               ? 0
               : (unsigned)wsim_format_encode(scale.format, one, WSIM_RN);
}

void warp_fill(const struct wsim_op *op, uint64_t *seed, struct warp *warp) {
    int lane, i;
    memset(warp, 0, sizeof *warp);
    warp_fill_regs(op, WSIM_A, seed, &warp->a);
    warp_fill_regs(op, WSIM_B, seed, &warp->b);
    warp_fill_regs(op, WSIM_C, seed, &warp->c);
    every_fill(&warp->d, sizeof warp->d, seed);
    for (lane = 0; lane < WSIM_LANES; lane++) {
        for (i = 0; i < 8; i++)
            warp->e[lane] |= warp_nibble(op, seed) << 4 * i;
        warp->sfa[lane] = warp->sfb[lane] = warp_one(op) * 0x01010101u;
    }
    warp->io.d = &warp->d;
    warp->io.a = &warp->a;
    warp->io.b = &warp->b;
    warp->io.c = &warp->c;
    warp->io.e = warp->e;
    warp->io.sfa = warp->sfa;
    warp->io.sfb = warp->sfb;
}

int warp_same(const struct wsim_op *op, enum wsim_operand operand, const struct wsim_regs *x,
              const struct wsim_regs *y) {
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, operand, &layout, NULL);
    return memcmp(x, y, layout.regs * sizeof x->r[0]) == 0;
}

void warp_exec(const struct wsim_op *op, const struct wsim_arch *arch,
               const struct wsim_operands *io) {
    struct wsim_diag diag;
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(op, text);
    expect(wsim_exec(op, arch, io, &diag) == WSIM_OK, "%s: %s", text, diag.text);
}
