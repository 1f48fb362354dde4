/* Times counts of an access: plain (WSIM_PLAIN), quick, with its groups, and again with the
 * pattern shifted. Prints nanoseconds a call, the best of several rounds in which the four
 * alternate. Patterns differ from call to call, so branch predictors cannot learn them. The ratio
 * is plain to quick. Asserts nothing. */
#include "bench.h"

#include <wsim/wsim.h>

#include <stdio.h>

enum { ROUNDS = 15, CALLS = 512, GROUPS = 32, WAYS = 4 };
enum kind { LINE, COLUMN, SWIZZLE, ANY, MIXED, MASKED, KINDS };

static const char *const kinds[KINDS] = {"line", "column", "swizzle", "any", "mixed", "masked"};

static uint32_t draw(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(state >> 33);
}

static uint32_t addr[CALLS][WSIM_LANES], mask[CALLS];

static uint32_t address(enum kind kind, uint32_t base, unsigned lane, unsigned bytes) {
    switch (kind) {
    case LINE: return base + lane * bytes;
    case COLUMN: return base + lane * 128;
    case SWIZZLE: return base + lane * 128 + (lane ^ base / 128) % 8 * 16;
    default: return draw() % 65536 / bytes * bytes;
    }
}

static void fill(enum kind kind, unsigned bytes, int one) {
    for (unsigned i = 0; i < CALLS; i++) {
        uint32_t base = draw() % 512 * 128;
        enum kind here = kind == MIXED ? (enum kind)(draw() % MIXED) : kind;
        mask[i] = kind == MASKED ? draw() << 1 ^ draw() : UINT32_MAX;
        for (unsigned l = 0; l < WSIM_LANES; l++)
            addr[i][l] = one ? base : address(here, base, l, bytes);
    }
}

/* Nanoseconds of a call, each way. */
static void measure(const struct wsim_code code[2], struct wsim_io io, double best[WAYS]) {
    static struct wsim_cost_group groups[GROUPS];
    static struct wsim_cost_pattern last;
    struct wsim_cost cost;
    uint32_t shifted[2][WSIM_LANES];
    for (unsigned l = 0; l < WSIM_LANES; l++)
        shifted[1][l] = (shifted[0][l] = addr[0][l]) + 256;
    for (unsigned way = 0; way < WAYS; way++)
        best[way] = 1e30;
    for (unsigned turn = 0; turn < ROUNDS * WAYS; turn++) {
        unsigned way = turn % WAYS;
        double start = nanoseconds(), each;
        for (unsigned i = 0; i < CALLS; i++) {
            const uint32_t *at = way == 3 ? shifted[i % 2] : addr[i];
            uint32_t active = way == 3 ? mask[0] : mask[i];
            if (wsim_op_describe(&code[0].op).view == WSIM_VIEW_COPY)
                io.copy.addr = at, io.copy.mask = active;
            else
                io.move.addr = at, io.move.mask = active;
            if (way == 3)
                wsim_cost_again(&code[0], &io, WSIM_HARDWARE_COUNTERS, &last, &cost, NULL);
            else
                wsim_cost(&code[way == 0], &io, WSIM_HARDWARE_COUNTERS, way == 2 ? groups : NULL,
                          way == 2 ? GROUPS : 0, &cost, NULL);
        }
        each = (nanoseconds() - start) / CALLS;
        best[way] = each < best[way] ? each : best[way];
    }
}

static void rows(const char *spelling, unsigned bytes) {
    struct wsim_diag diag;
    struct wsim_code code[2];
    struct wsim_op op;
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    if (wsim_op_parse(spelling, &op, &diag) || wsim_prepare(&op, arch, 0, &code[0], &diag) ||
        wsim_prepare(&op, arch, WSIM_PLAIN, &code[1], &diag)) {
        printf("%s: %s\n", spelling, diag.text);
        return;
    }
    printf("%s\n", spelling);
    for (enum kind kind = LINE; kind < KINDS; kind++) {
        struct wsim_op_info info = wsim_op_describe(&op);
        struct wsim_io io = {0};
        double best[WAYS];
        if (info.view == WSIM_VIEW_COPY)
            io.copy = (struct wsim_io_copy){.bytes = bytes, .src = addr[CALLS / 2], .warm = 1};
        if ((kind == MASKED && info.counting == WSIM_COUNT_ROWS) ||
            (kind != LINE && info.counting == WSIM_COUNT_FRAGMENT))
            continue;
        fill(kind, bytes, info.counting == WSIM_COUNT_FRAGMENT);
        measure(code, io, best);
        printf("  %-10s%10.0f%10.0f%10.0f%10.0f%10.1f\n", kinds[kind], best[0], best[1], best[2],
               best[3], best[0] / best[1]);
    }
}

int main(void) {
    printf("%-12s%10s%10s%10s%10s%10s\n", "ns", "plain", "quick", "groups", "again", "ratio");
    rows("ld.shared.b32", 4);
    rows("ld.shared.b64", 8);
    rows("ld.shared.v4.b32", 16);
    rows("st.shared.b32", 4);
    rows("atom.shared.add.u32", 4);
    rows("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 16);
    rows("stmatrix.sync.aligned.m8n8.x4.shared.b16", 16);
    rows("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 16);
    rows("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", 16);
    rows("cp.async.ca.shared.global", 4);
    rows("cp.async.ca.shared.global", 16);
    return 0;
}
