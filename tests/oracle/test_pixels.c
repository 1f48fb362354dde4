/* test_pixels.c - im2col copies against an explicit walk, a step and a byte at a time. Maps,
 * corners, strides and offsets are random; loads, stores and sums compare all of both memories. */
#include "../run.h"

#include <stdio.h>
#include <string.h>
#include <wsim/wsim.h>

enum { ROUNDS = 1500, GLOBAL = 1 << 15, SHARED = 1 << 13, BASE = 512, DIMS = 5 };
enum way { LOAD, STORE, ADD };

static uint64_t state = 88172645463325252ull;

static int below(int n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (uint64_t)n);
}

struct copy {
    enum way way;
    struct wsim_tensor t;
    int64_t from[DIMS];
    int offset[DIMS - 2];
    int element, unit, first, at; /* bytes; of a place in dimension 0; first spatial dimension */
};

/* --- what it should be --- */

struct memory {
    uint8_t global[GLOBAL], shared[SHARED];
};

static int end_of(const struct copy *c, int i) {
    return (int)c->t.dims[i + c->first] + c->t.upper[i];
}

static void step(const struct copy *c, int64_t place[DIMS]) {
    int i, spatial = (int)c->t.rank - 2;
    for (i = 0; i < spatial; i++) {
        place[i + c->first] += c->t.estrides[i + c->first];
        if (place[i + c->first] < end_of(c, i))
            return;
        place[i + c->first] = c->t.lower[i];
    }
    place[c->t.rank - 1] += c->t.estrides[c->t.rank - 1];
}

/* In which field of the 16 bits an offset of dimension i arrives. */
static int64_t offset_of(const struct copy *c, int i) {
    const int *o = c->offset;
    switch (c->t.rank) {
    case 3: return o[0];
    case 4: return o[i] % 256;
    default: break;
    }
    int64_t all = (o[0] + 32 * (int64_t)o[1] + 1024 * (int64_t)o[2]) % 65536;
    return all / (i == 0 ? 1 : i == 1 ? 32 : 1024) % 32;
}

/* The address of byte `byte` of a pixel, or -1: nothing is there. Stores take whole 16 bytes. */
static int64_t global_of(const struct copy *c, const int64_t place[DIMS], int byte) {
    int64_t address = BASE, width = (int64_t)c->t.dims[0] * c->unit;
    int64_t along = place[0] * c->unit + byte;
    unsigned i;
    if (c->way != LOAD)
        width = (width + 15) / 16 * 16;
    if (along < 0 || along >= width)
        return -1;
    for (i = 1; i < c->t.rank; i++) {
        if (place[i] < 0 || place[i] >= (int64_t)c->t.dims[i])
            return -1;
        address += place[i] * (int64_t)c->t.strides[i - 1];
    }
    return address + along;
}

static int shared_of(const struct copy *c, int pixel, int byte, int inner) {
    static const int spans[] = {0, 32, 64, 128};
    int span = spans[c->t.swizzle], pitch = c->first && span ? span : inner;
    int address = c->at + pixel * pitch + byte;
    return span ? address ^ (address / 128 % (span / 16) * 16) : address;
}

static void move(const struct copy *c, struct memory *m, int64_t global, int shared, int byte,
                 unsigned *carry) {
    unsigned sum;
    if (c->way == LOAD) {
        m->shared[shared] =
            global < 0 ? c->t.oob ? (byte % 2 ? 0x7F : 0xF7) : 0 : m->global[global];
        return;
    }
    if (global < 0)
        return;
    *carry = byte % c->element ? *carry : 0;
    sum = m->shared[shared] + (c->way == ADD ? m->global[global] + *carry : 0);
    m->global[global] = (uint8_t)sum;
    *carry = sum >> 8;
}

static void copy_slowly(const struct copy *c, struct memory *m) {
    int inner = c->first ? (int)c->t.channels * c->unit : c->unit, byte;
    int64_t place[DIMS], seen[DIMS];
    unsigned pixel, i, carry = 0;
    memcpy(place, c->from, sizeof place);
    for (pixel = 0; pixel < c->t.pixels; pixel++, step(c, place)) {
        memcpy(seen, place, sizeof seen);
        for (i = 0; i + 2 < c->t.rank && c->way == LOAD; i++)
            seen[(int)i + c->first] += offset_of(c, (int)i);
        for (byte = 0; byte < inner; byte++)
            move(c, m, global_of(c, seen, byte), shared_of(c, (int)pixel, byte, inner), byte,
                 &carry);
    }
}

/* --- random copies --- */

static const uint8_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4};

static void draw_map(struct copy *c) {
    struct wsim_tensor *t = &c->t;
    static const int units[] = {0, 16, 32};
    uint64_t row;
    unsigned i;
    memset(c, 0, sizeof *c);
    c->way = (enum way)below(3);
    t->mode = WSIM_TENSOR_IM2COL;
    t->dtype = c->way == ADD ? WSIM_TENSOR_UINT32 : (enum wsim_tensor_type)below(11);
    c->element = sizes[t->dtype];
    t->interleave =
        below(3) ? WSIM_TENSOR_INTERLEAVE_NONE : (enum wsim_tensor_interleave)(1 + below(2));
    t->swizzle = (enum wsim_swizzle)below(4);
    t->oob =
        t->dtype >= WSIM_TENSOR_FLOAT16 && below(2) ? WSIM_TENSOR_FILL_NAN : WSIM_TENSOR_FILL_ZERO;
    c->first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE;
    c->unit = c->first ? c->element : units[t->interleave];
    t->base = BASE;
    t->rank = (uint32_t)(3 + below(3));
    t->channels = (uint32_t)(16 / c->element * (1 + below(3)));
    t->pixels = (uint32_t)(1 + below(40));
    for (i = 0, row = 0; i < t->rank; i++) {
        t->dims[i] = (uint64_t)(1 + below(i == 0 && c->first ? 30 : 5));
        t->estrides[i] = (uint32_t)(below(3) ? 1 : 1 + below(4));
        if (i)
            t->strides[i - 1] = row = (row + 31) / 32 * 32;
        row = (i ? row : (uint64_t)c->unit) * t->dims[i];
    }
}

static void draw_walk(struct copy *c) {
    struct wsim_tensor *t = &c->t;
    int loads = c->way == LOAD, i;
    for (i = 0; i < (int)t->rank; i++)
        c->from[i] = below((int)t->dims[i] + 2) - (loads ? 1 : 0);
    if (c->first)
        c->from[0] = (below(4) - loads) * 16 / c->element;
    for (i = 0; i + 2 < (int)t->rank; i++) {
        t->lower[i] = below(5) - (loads ? 3 : 0);
        t->upper[i] = loads ? below(5) - 2 : -below(3);
        if (end_of(c, i) <= t->lower[i])
            t->lower[i] = t->upper[i] = 0;
        c->from[i + c->first] = t->lower[i] + below(end_of(c, i) - t->lower[i]);
        c->offset[i] = below(3) + (below(3) ? 0 : below(2) ? 32 * below(4) : below(65530));
    }
    c->at = 128 * below(3);
}

static void spell(const struct copy *c, char *text, size_t size) {
    static const char *const forms[] = {
        "cp.async.bulk.tensor.%dd.shared::cluster.global.im2col.mbarrier::complete_tx::bytes",
        "cp.async.bulk.tensor.%dd.global.shared::cta.im2col_no_offs.bulk_group",
        "cp.reduce.async.bulk.tensor.%dd.global.shared::cta.add.im2col_no_offs.bulk_group"};
    snprintf(text, size, forms[c->way], (int)c->t.rank);
}

static enum wsim_status run(const struct copy *c, const struct wsim_tensor_map *map,
                            struct memory *m, struct wsim_diag *diag) {
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, m->global, GLOBAL, 0),
                       shared = wsim_memory_over(WSIM_SHARED, m->shared, SHARED, 0);
    struct wsim_bulk io = {
        .global = &global, .shared = &shared, .shared_at = (uint32_t)c->at, .map = map};
    char text[WSIM_SPELLING_MAX];
    struct wsim_op op;
    int i;
    for (i = 0; i < DIMS; i++)
        io.coord[i] = (int32_t)c->from[i];
    for (i = 0; i < DIMS - 2; i++)
        io.offset[i] = (uint16_t)c->offset[i];
    spell(c, text, sizeof text);
    ck_assert_int_eq(wsim_op_parse(text, &op, NULL), WSIM_OK);
    return wsim_bulk_run(&op, wsim_arch_find("sm_90a"), &io, NULL, diag);
}

START_TEST(pixels) {
    static struct memory got, want;
    int round, done = 0, i;
    for (round = 0; round < ROUNDS; round++) {
        struct wsim_tensor_map map;
        struct wsim_diag diag;
        struct copy c;
        draw_map(&c);
        draw_walk(&c);
        if (wsim_tensor_encode(&c.t, wsim_arch_find("sm_90a"), &map, NULL) ||
            BASE + c.t.strides[c.t.rank - 2] * c.t.dims[c.t.rank - 1] + 64 > GLOBAL)
            continue;
        for (i = 0; i < GLOBAL; i++)
            got.global[i] = (uint8_t)below(256);
        for (i = 0; i < SHARED; i++)
            got.shared[i] = (uint8_t)below(256);
        want = got;
        copy_slowly(&c, &want);
        ck_assert_msg(!run(&c, &map, &got, &diag), "round %d: %s", round, diag.text);
        ck_assert_msg(!memcmp(got.global, want.global, GLOBAL), "global memory of round %d", round);
        ck_assert_msg(!memcmp(got.shared, want.shared, SHARED), "shared memory of round %d", round);
        done++;
    }
    ck_assert_int_gt(done, ROUNDS / 4);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {pixels};
    return run_tests("oracle/pixels", tests, 1);
}
