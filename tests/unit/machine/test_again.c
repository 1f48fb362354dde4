/* test_again.c - wsim_cost_again answers as wsim_cost does, whatever it was asked before. */
#include "../../every.h"

enum { STEPS = 400 };

static int same_costs(const struct wsim_cost *a, const struct wsim_cost *b) {
    return a->wavefronts == b->wavefronts && a->ideal == b->ideal && a->conflicts == b->conflicts &&
           a->groups == b->groups && a->merged == b->merged && a->known == b->known &&
           a->accesses == b->accesses;
}

/* Operands that a loop changes a little from step to step. */
struct operands {
    uint32_t addr[WSIM_LANES], high[WSIM_LANES], src[WSIM_LANES], size[WSIM_LANES];
    struct wsim_io_move move;
    struct wsim_io_copy copy;
    enum wsim_counters counters;
};

static struct wsim_io io_of(const struct wsim_code *code, const struct operands *o) {
    struct wsim_io io = {0};
    if (wsim_op_describe(&code->op).view == WSIM_VIEW_COPY)
        io.copy = o->copy;
    else
        io.move = o->move;
    return io;
}

static void start(struct operands *o, unsigned bytes, uint64_t *seed) {
    uint32_t step = (uint32_t)every_random(seed) % 64 * bytes;
    memset(o, 0, sizeof *o);
    for (uint32_t l = 0; l < WSIM_LANES; l++) {
        o->addr[l] = 4096 + l * step;
        o->src[l] = 8192 + l * bytes;
        o->size[l] = bytes;
    }
    o->move.addr = o->copy.addr = o->addr;
    o->move.mask = o->copy.mask = UINT32_MAX;
    o->copy.src = o->src;
    o->copy.bytes = bytes;
    o->copy.warm = 1;
}

static void shift(uint32_t *addr, uint32_t by) {
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] += by;
}

static void level(uint32_t *addr) {
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = addr[0] / 16 * 16;
}

static void set_mask(struct operands *o, uint32_t mask) {
    o->move.mask = o->copy.mask = mask;
}

/* One change, or none; few of them keep the cost. */
static void change(struct operands *o, unsigned bytes, uint64_t *seed) {
    uint64_t draw = every_random(seed);
    unsigned lane = (unsigned)(draw >> 8) % WSIM_LANES;
    uint32_t by = (uint32_t)(draw >> 16) % 256;
    switch (draw % 24) {
    case 0: shift(o->addr, by * 128); break;
    case 1: shift(o->addr, by * bytes); break;
    case 2: shift(o->addr, draw >> 40 & 3 ? 0 - by * bytes : by); break;
    case 3: o->addr[lane] += draw >> 40 & 1 ? by : by * bytes; break;
    case 4: set_mask(o, o->move.mask ^ UINT32_C(1) << lane); break;
    case 5: set_mask(o, draw >> 40 & 1 ? UINT32_MAX : (uint32_t)(draw >> 16)); break;
    case 6: set_mask(o, draw >> 40 & 7 ? UINT32_MAX : 0); break;
    case 7: shift(o->src, by * 128); break;
    case 8: shift(o->src, draw >> 40 & 1 ? by : by * bytes); break;
    case 9: o->src[lane] += by * bytes; break;
    case 10: o->size[lane] = draw >> 40 & 7 ? bytes - o->size[lane] : by; break;
    case 11: o->copy.src_size = o->copy.src_size ? NULL : o->size; break;
    case 12: o->copy.warm = !o->copy.warm; break;
    case 13: o->counters = (enum wsim_counters) !o->counters; break;
    case 14: o->move.stride = draw >> 40 & 1 ? 0 : by / 8 * 8; break;
    case 15: o->copy.src_hi = o->copy.src_hi ? NULL : o->high; break;
    case 16: o->high[lane] ^= 1; break;
    case 17: memset(o->high, 0, sizeof o->high); break;
    case 18: o->move.addr_hi = o->copy.addr_hi = o->move.addr_hi ? NULL : o->high; break;
    case 19: o->move.addr = o->copy.addr = draw >> 40 & 7 ? o->addr : NULL; break;
    case 20: o->copy.src = draw >> 40 & 1 ? o->src : NULL; break;
    case 21: o->copy.bytes = 4u << draw / 64 % 3; break;
    case 22: start(o, bytes, seed); break;
    default: break;
    }
}

static enum wsim_status compare(const struct wsim_code *code, const struct operands *o,
                                struct wsim_cost_pattern *last) {
    struct wsim_cost want, got;
    struct wsim_cost_pattern before = *last;
    struct wsim_io io = io_of(code, o);
    enum wsim_status status = wsim_cost(code, &io, o->counters, NULL, 0, &want, NULL);
    memset(&got, 0x5A, sizeof got);
    expect(wsim_cost_again(code, &io, o->counters, last, &got, NULL) == status, "status %d",
           status);
    if (!status)
        expect(same_costs(&got, &want), "%u wavefronts, not %u", (unsigned)got.wavefronts,
               (unsigned)want.wavefronts);
    else
        expect(got.wavefronts == 0x5A5A5A5A && memcmp(&before, last, sizeof before) == 0,
               "a refusal has changed something");
    return status;
}

/* A refused change is sometimes undone, so that most steps are counted. */
static void walk(const struct wsim_code code[2], unsigned bytes, uint64_t seed) {
    int fragment = wsim_op_describe(&code[0].op).counting == WSIM_COUNT_FRAGMENT;
    struct wsim_cost_pattern last;
    struct operands o, before;
    memset(&last, 0, sizeof last);
    start(&o, bytes, &seed);
    for (int step = 0; step < STEPS; step++) {
        if (fragment && step % 8)
            level(o.addr);
        if (compare(&code[step % 32 == 31], &o, &last) && step % 32 != 31 && step % 4)
            o = before;
        before = o;
        change(&o, bytes, &seed);
    }
}

/* Two operations of a loop alternate, with addresses of one operation. */
START_TEST(loops) {
    struct wsim_op op, other = every_parse("ld.shared.b64");
    struct wsim_op_info info;
    const struct wsim_arch *arch;
    struct wsim_code code[2];
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    arch = every_first_arch(&op);
    if (!arch || !info.counting || wsim_prepare(&op, arch, _i % 2 ? WSIM_PLAIN : 0, &code[0], NULL))
        return;
    ck_assert_int_eq(wsim_prepare(&other, arch, 0, &code[1], NULL), WSIM_OK);
    for (uint64_t turn = 0; turn < (info.counting == WSIM_COUNT_COPY ? 40 : 2); turn++)
        walk(code, info.bytes ? info.bytes : 16, (uint64_t)_i + (turn << 32));
}
END_TEST

/* A remembered cost is not counted again: a change by the caller stays. */
START_TEST(is_remembered) {
    static const struct {
        const char *spelling;
        uint32_t mask, shift, source_shift;
        int warm, known;
    } list[] = {
        {"ld.shared.b32", UINT32_MAX, 0, 0, 0, 1},
        {"ld.shared.b32", 0x00FF0FF0, 4, 0, 0, 1},
        {"ld.shared.u8", UINT32_MAX, 2, 0, 0, 0},
        {"ld.shared.u8", UINT32_MAX, 128, 0, 0, 1},
        {"st.shared.b64", 0x00FF0FF0, 8, 0, 0, 1},
        {"atom.shared.add.u32", 0x80000000, 0x10000, 0, 0, 1},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", UINT32_MAX, 16, 0, 0, 1},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", UINT32_MAX, 128, 0, 0, 1},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", UINT32_MAX, 32, 0, 0, 0},
        {"cp.async.ca.shared.global", 0xFFFF, 16, 48, 1, 1},
        {"cp.async.ca.shared.global", 0xFFFF, 16, 0, 0, 1},
        {"cp.async.ca.shared.global", 0xFFFF, 16, 128, 0, 0},
    };
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_code code;
    struct wsim_cost_pattern last;
    struct wsim_cost cost;
    struct operands o;
    struct wsim_io io;
    uint64_t seed = 5;
    int fragment = wsim_op_describe(&op).counting == WSIM_COUNT_FRAGMENT;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), 0, &code, NULL), WSIM_OK);
    memset(&last, 0, sizeof last);
    start(&o, 16, &seed);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        o.addr[l] = fragment ? 256 : o.addr[l];
    set_mask(&o, list[_i].mask);
    o.copy.warm = (uint8_t)list[_i].warm;
    io = io_of(&code, &o);
    ck_assert_int_eq(wsim_cost_again(&code, &io, 0, &last, &cost, NULL), WSIM_OK);
    last.cost.wavefronts = 777;
    shift(o.addr, list[_i].shift);
    shift(o.src, list[_i].source_shift);
    for (unsigned l = 0; l < WSIM_LANES; l++) /* ignored */
        o.addr[l] += list[_i].mask >> l & 1 ? 0 : l;
    ck_assert_int_eq(wsim_cost_again(&code, &io, 0, &last, &cost, NULL), WSIM_OK);
    ck_assert_int_eq(cost.wavefronts == 777, list[_i].known);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{loops, 0, every_op_count()}, {is_remembered, 0, 12}};
    return every_run("unit/machine/again", tests, COUNT(tests));
}
