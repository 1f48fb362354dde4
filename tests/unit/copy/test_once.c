/* test_once.c - fast copies without a map give the results of WSIM_PLAIN and report equal accesses
 * to watchers. Covers cp.async with any mask, sizes and addresses, and bytes with any mask. */
#include "../../every.h"

enum { ROUNDS = 12000, GLOBAL = 1 << 13, SHARED = 1 << 12, MOST = 4096 };

#define START UINT64_C(0x7f0000000400)
#define BULK "cp.async.bulk."
#define COMPLETE ".mbarrier::complete_tx::bytes"

static uint64_t state = 4711;

static unsigned below(unsigned most) {
    return (unsigned)(every_random(&state) >> 33) % most;
}

static int one_in(unsigned n) {
    return below(n) == 0;
}

struct block {
    uint8_t global[GLOBAL], shared[SHARED];
    int told;
    struct wsim_touch touch[MOST];
    enum wsim_status status;
    struct wsim_diag diag;
};

static void look(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    struct block *b = context;
    expect(b->told < MOST && memory->space <= WSIM_GLOBAL, "too many");
    b->touch[b->told++] = *touch;
}

struct windows {
    unsigned cut_global, cut_shared, locked;
    int watched;
};

static void run(const struct wsim_op *op, uint32_t flags, struct wsim_io io,
                const struct windows *cut, struct block *b) {
    struct wsim_watch watch = {look, b};
    struct wsim_memory global =
        wsim_memory_over(WSIM_GLOBAL, b->global, GLOBAL - cut->cut_global, START);
    struct wsim_memory shared =
        wsim_memory_over(WSIM_SHARED, b->shared, SHARED - cut->cut_shared, 1024);
    struct wsim_code code;
    global.read_only = cut->locked & 1;
    shared.read_only = cut->locked >> 1 & 1;
    global.watch = shared.watch = cut->watched ? &watch : NULL;
    io.global = &global;
    io.shared = &shared;
    b->told = 0;
    b->diag.text[0] = '\0';
    ck_assert_int_eq(wsim_prepare(op, wsim_arch_find("sm_100a"), flags, &code, NULL), WSIM_OK);
    b->status = wsim_run(&code, &io, &b->diag);
}

/* Whether it was done. */
static int compare(const char *name, const struct wsim_io *io) {
    static struct block fast, plain;
    static int filled;
    struct wsim_op op = every_parse(name);
    struct windows cut = {one_in(8) ? below(GLOBAL / 16) * 16 : 0,
                          one_in(8) ? below(SHARED / 16) * 16 : 0, one_in(16) ? below(4) : 0,
                          one_in(4)};
    if (!filled) {
        every_fill(&fast, sizeof fast, &state);
        plain = fast;
        filled = 1;
    }
    run(&op, 0, *io, &cut, &fast);
    run(&op, WSIM_PLAIN, *io, &cut, &plain);
    expect(fast.status == plain.status && strcmp(fast.diag.text, plain.diag.text) == 0,
           "%s: '%s', plain: '%s'", name, fast.diag.text, plain.diag.text);
    expect(memcmp(fast.global, plain.global, GLOBAL) == 0, "%s: global memory", name);
    expect(memcmp(fast.shared, plain.shared, SHARED) == 0, "%s: shared memory", name);
    expect(fast.told == plain.told, "%s: told %d times", name, fast.told);
    for (int i = 0; i < fast.told; i++) {
        const struct wsim_touch *a = &fast.touch[i], *b = &plain.touch[i];
        expect(a->address == b->address && a->bytes == b->bytes && a->lane == b->lane &&
                   a->kind == b->kind,
               "%s: touch %d", name, i);
    }
    return fast.status == WSIM_OK;
}

START_TEST(lanes_at_once) {
    static const char *const names[] = {"cp.async.ca.shared.global", "cp.async.cg.shared.global"};
    uint32_t addr[WSIM_LANES], high[WSIM_LANES], src[WSIM_LANES], src_high[WSIM_LANES];
    uint32_t size[WSIM_LANES];
    int done = 0;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned wide = below(2), step = 1 + 2 * below(16), wrong = below(16), l = below(32);
        struct wsim_io io = {
            .copy = {.addr = addr, .mask = one_in(2) ? UINT32_MAX : below(1u << 31)}};
        io.copy.bytes = one_in(32) ? 12 : wide ? 16 : 4u << below(3);
        for (unsigned n = 0; n < WSIM_LANES; n++) {
            uint64_t from = START + (uint64_t)io.copy.bytes * below(GLOBAL / 16);
            addr[n] = 1024 + io.copy.bytes * (n * step % (SHARED / 16));
            src[n] = (uint32_t)from;
            src_high[n] = (uint32_t)(from >> 32);
            size[n] = one_in(4) ? below(io.copy.bytes + 1) : io.copy.bytes;
            high[n] = 0;
        }
        if (wrong == 0)
            addr[l] = addr[below(32)];
        if (wrong == 1)
            addr[l] += 1 + below(3);
        if (wrong == 2)
            src[l] += below(2) ? GLOBAL : 2;
        if (wrong == 3)
            size[l] = io.copy.bytes + below(2);
        if (wrong == 4)
            addr[l] = 1024 + SHARED - (below(3) - 1) * io.copy.bytes;
        if (wrong == 5)
            addr[l] = 1024 - below(2) * io.copy.bytes;
        if (wrong == 6)
            high[l] = below(2);
        if (wrong == 7)
            src[l] = (uint32_t)START - io.copy.bytes * below(2);
        if (wrong == 8) {
            src[l] = 0;
            size[l] = 0;
        }
        io.copy.addr_hi = one_in(2) ? high : NULL;
        io.copy.src = one_in(4) ? NULL : src;
        io.copy.src_hi = src_high;
        io.copy.src_size = one_in(2) ? size : NULL;
        done += compare(names[wide], &io);
    }
    expect(done > ROUNDS / 3, "%d of %d were done", done, (int)ROUNDS);
}
END_TEST

START_TEST(any_two_lanes_alike) {
    uint32_t addr[WSIM_LANES];
    struct wsim_io io = {.copy = {.addr = addr, .mask = UINT32_MAX, .bytes = 8}};
    for (unsigned i = 0; i < WSIM_LANES; i++)
        for (unsigned j = 0; j <= i; j++) {
            for (unsigned n = 0; n < WSIM_LANES; n++)
                addr[n] = 1024 + 8 * (n * 5 % WSIM_LANES);
            addr[i] = addr[j];
            compare("cp.async.ca.shared.global", &io);
        }
}
END_TEST

START_TEST(bytes_at_once) {
    static const char *const names[] = {
        BULK "shared::cta.global" COMPLETE, BULK "global.shared::cta.bulk_group",
        BULK "global.shared::cta.bulk_group.cp_mask",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32"};
    int done = 0;
    for (int i = 0; i < ROUNDS / 4; i++) {
        struct wsim_io io = {
            .bulk = {.bytes = one_in(8) ? below(512) : 16 * below(64),
                     .shared_at = 1024 + 16 * below(64) + one_in(16),
                     .global_at = START + 16 * below(128) - 16 * one_in(16),
                     .byte_mask = (uint16_t)(one_in(4) ? 0xFFFF : below(0x10000))}};
        done += compare(names[below(COUNT(names))], &io);
    }
    expect(done > ROUNDS / 8, "%d were done", done);
}
END_TEST

int main(void) {
    struct every_test tests[] = {
        {lanes_at_once, 0, 1},
        {any_two_lanes_alike, 0, 1},
        {bytes_at_once, 0, 1},
    };
    return every_run("unit/copy/once", tests, COUNT(tests));
}
