/* draw.c - wsim-copies: cases of tensor copies by number, as lines without expectations, for
 * wsim-copies-gpu to run. What makes a map is asked of the model; whether the hardware does what is
 * asked is not: many cases are there because it may not. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

enum { LOAD, STORE, REDUCE };
static const char *const reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
enum { REDUCTIONS = 8, ROOM = 65536, WINDOW = 6144 };

/* What a line is made of. */
struct set {
    struct wsim_tensor t;
    int what, reduction;
    int64_t coord[WSIM_TENSOR_RANK];
    unsigned offset[WSIM_TENSOR_SPATIAL];
    uint32_t at;
    unsigned dims; /* of the instruction; 0: the rank */
    int wrong;     /* the instruction has the other mode */
    const char *global, *smem;
    uint64_t room;
};

static uint64_t state;

static uint32_t draw(uint32_t n) { /* 0 to n - 1 */
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

static const struct wsim_arch *target;

static unsigned type_bytes(const struct wsim_tensor *t) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return bytes[t->dtype];
}

static unsigned slice_bytes(const struct wsim_tensor *t) {
    return t->interleave == WSIM_TENSOR_INTERLEAVE_16B   ? 16
           : t->interleave == WSIM_TENSOR_INTERLEAVE_32B ? 32
                                                         : 0;
}

static uint32_t round_up(uint32_t n, uint32_t to) {
    return (n + to - 1) / to * to;
}

/* Strides that keep the tensor inside of ROOM bytes; 0: they do not. */
static int lay_out(struct wsim_tensor *t, unsigned align) {
    uint64_t row = t->dims[0] * (slice_bytes(t) ? slice_bytes(t) : type_bytes(t));
    uint32_t i;
    for (i = 1; i < t->rank; i++) {
        t->strides[i - 1] = (row + align - 1) / align * align + align * draw(3);
        row = t->strides[i - 1] * t->dims[i];
    }
    t->base = align * draw(64);
    return t->base + row + 256 <= ROOM;
}

static void draw_kind(struct set *s) {
    struct wsim_tensor *t = &s->t;
    memset(t, 0, sizeof *t);
    t->dtype = (enum wsim_tensor_type)draw(13);
    t->rank = 1 + draw(5);
    t->l2 = draw(4);
    t->swizzle = (enum wsim_swizzle)draw(4);
    t->oob = (enum wsim_tensor_fill)(draw(3) == 0);
}

static void draw_tile(struct set *s, int interleaved, int strided) {
    struct wsim_tensor *t = &s->t;
    uint32_t i, unit;
    do {
        struct wsim_tensor_tile tile;
        draw_kind(s);
        if (interleaved) {
            t->interleave = (enum wsim_tensor_interleave)(1 + draw(2));
            t->rank = 3 + draw(3);
            if (t->interleave == WSIM_TENSOR_INTERLEAVE_32B)
                t->swizzle = WSIM_SWIZZLE_32B;
        }
        unit = 16 / type_bytes(t);
        for (i = 0; i < t->rank; i++) {
            t->dims[i] = 1 + draw(i ? 12 : interleaved ? 20 : 6 * unit + 40);
            t->box[i] = 1 + draw(i ? 6 : 12);
            t->estrides[i] = strided && draw(2) ? 1 + draw(4) : 1;
        }
        if (!interleaved)
            t->box[0] = unit * (1 + draw(8));
        if (interleaved)
            t->box[0] = round_up(t->box[0], unit);
        if (!lay_out(t, slice_bytes(t) == 32 ? 32 : 16) || wsim_tensor_check(t, target, NULL))
            continue;
        tile = wsim_tensor_tile(t);
        if (tile.room <= (draw(16) ? 2048 : WINDOW))
            break;
    } while (1);
    s->at = 128 * draw(8);
    s->offset[0] = s->offset[1] = s->offset[2] = 0;
}

/* Coordinates near the tensor: from `below` boxes before it to past its end. */
static void draw_place(struct set *s, int negative) {
    const struct wsim_tensor *t = &s->t;
    uint32_t i;
    for (i = 0; i < t->rank; i++) {
        uint32_t span = (uint32_t)t->dims[i] + 3, before = negative ? 4 : 0;
        int64_t unit = i == 0 && !slice_bytes(t) ? 16 / type_bytes(t) : 1;
        s->coord[i] = (int64_t)draw(span + before) - before;
        s->coord[i] -= s->coord[i] % unit;
        if (draw(4) == 0)
            s->coord[i] = 0;
    }
}

static void draw_pixels(struct set *s, int interleaved, int flat) {
    struct wsim_tensor *t = &s->t;
    unsigned i, spatial;
    do {
        struct wsim_tensor_tile tile;
        draw_kind(s);
        t->mode = WSIM_TENSOR_IM2COL;
        t->rank = 3 + draw(3);
        spatial = t->rank - 2;
        if (interleaved) {
            t->interleave = (enum wsim_tensor_interleave)(1 + draw(2));
            if (t->interleave == WSIM_TENSOR_INTERLEAVE_32B)
                t->swizzle = WSIM_SWIZZLE_32B;
        }
        for (i = 0; i < t->rank; i++) {
            t->dims[i] = 2 + draw(t->rank == 3 ? 20 : 8);
            t->estrides[i] = !flat && draw(3) == 0 ? 1 + draw(3) : 1;
        }
        if (!interleaved)
            t->dims[0] = 1 + draw(40);
        for (i = 0; i < spatial; i++) {
            t->lower[i] = (int32_t)draw(flat ? 3 : 9) - (flat ? 0 : 5);
            t->upper[i] = flat ? -(int32_t)draw(3) : (int32_t)draw(9) - 5;
        }
        t->channels = 16 / type_bytes(t) * (1 + draw(3));
        t->pixels = 1 + draw(60);
        if (!lay_out(t, slice_bytes(t) == 32 ? 32 : 16) || wsim_tensor_check(t, target, NULL))
            continue;
        tile = wsim_tensor_tile(t);
        if (tile.room <= 4096)
            break;
    } while (1);
    s->at = 128 * draw(8);
    for (i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        s->offset[i] = draw(2) ? 0 : draw(4);
}

/* A base pixel inside of its bounding box, or (stray) wherever. */
static void draw_pixel(struct set *s, int stray) {
    const struct wsim_tensor *t = &s->t;
    unsigned i, first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE;
    for (i = 0; i < t->rank; i++)
        s->coord[i] = draw((uint32_t)t->dims[i]);
    if (first)
        s->coord[0] -= s->coord[0] % (16 / type_bytes(t));
    for (i = 0; i + 2 < t->rank; i++) {
        int64_t lower = t->lower[i], end = (int64_t)t->dims[i + first] + t->upper[i];
        s->coord[i + first] = lower + draw((uint32_t)(end - lower));
        if (stray)
            s->coord[i + first] += (int64_t)draw(9) - 4;
    }
}

/* --- a line --- */

static void list(const char *name, unsigned n, const uint64_t *wide, const uint32_t *narrow,
                 const int32_t *corners, const int64_t *coords) {
    unsigned i;
    printf("\t%s=", name);
    for (i = 0; i < n; i++)
        printf("%s%" PRId64, i ? "," : "",
               wide      ? (int64_t)wide[i]
               : narrow  ? (int64_t)narrow[i]
               : corners ? (int64_t)corners[i]
                         : coords[i]);
}

static void print_map(const struct wsim_tensor *t) {
    printf("\tdtype=%s\trank=%" PRIu32 "\tbase=%" PRIu64,
           wsim_tensor_name(WSIM_TENSOR_LIST_DTYPE, t->dtype), t->rank, t->base);
    list("dims", t->rank, t->dims, NULL, NULL, NULL);
    list("strides", t->rank - 1, t->strides, NULL, NULL, NULL);
    if (t->mode == WSIM_TENSOR_TILED) {
        list("box", t->rank, NULL, t->box, NULL, NULL);
    } else {
        list("lower", t->rank - 2, NULL, NULL, t->lower, NULL);
        list("upper", t->rank - 2, NULL, NULL, t->upper, NULL);
        printf("\tchannels=%" PRIu32 "\tpixels=%" PRIu32, t->channels, t->pixels);
    }
    list("estrides", t->rank, NULL, t->estrides, NULL, NULL);
    printf("\tinterleave=%s\tswizzle=%s\tl2=%" PRIu32 "\toob=%s",
           wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
           wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), t->l2,
           wsim_tensor_name(WSIM_TENSOR_LIST_OOB, t->oob));
}

static void print_word(const struct set *s) {
    int pixels = (s->t.mode == WSIM_TENSOR_IM2COL) != s->wrong;
    unsigned dims = s->dims ? s->dims : s->t.rank;
    if (s->what == LOAD)
        printf("cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes",
               dims, pixels ? "im2col" : "tile");
    else if (s->what == STORE)
        printf("cp.async.bulk.tensor.%ud.global.shared::cta.%s.bulk_group", dims,
               pixels ? "im2col_no_offs" : "tile");
    else
        printf("cp.reduce.async.bulk.tensor.%ud.global.shared::cta.%s.%s.bulk_group", dims,
               reductions[s->reduction], pixels ? "im2col_no_offs" : "tile");
}

static void print_set(const struct set *s) {
    struct wsim_tensor_tile tile = wsim_tensor_tile(&s->t);
    uint32_t window = round_up(s->at + (uint32_t)tile.room, 128);
    unsigned i;
    print_word(s);
    print_map(&s->t);
    list("coord", s->t.rank, NULL, NULL, NULL, s->coord);
    if (s->t.mode == WSIM_TENSOR_IM2COL && s->what == LOAD) {
        printf("\toffsets=");
        for (i = 0; i + 2 < s->t.rank; i++)
            printf("%s%u", i ? "," : "", s->offset[i]);
    }
    if (s->global)
        printf("\tglobal=%s", s->global);
    else
        printf("\tglobal=@mix:%" PRIu32 ":%" PRIu64, draw(1000000), s->room ? s->room : ROOM);
    if (s->smem)
        printf("\tsmem_at=0\tsmem=%s\n", s->smem);
    else if (s->what == LOAD)
        printf("\tsmem_at=%" PRIu32 "\tsmem=@fill:cd:%" PRIu32 "\n", s->at, window);
    else
        printf("\tsmem_at=%" PRIu32 "\tsmem=@mix:%" PRIu32 ":%" PRIu32 "\n", s->at, draw(1000000),
               window);
}

/* --- kinds of cases --- */

static struct set fresh(int what) {
    struct set s;
    memset(&s, 0, sizeof s);
    s.what = what;
    return s;
}

static void loads(void) {
    struct set s = fresh(LOAD);
    draw_tile(&s, 0, 1);
    draw_place(&s, 1);
    print_set(&s);
}

static void interleaved_loads(void) {
    struct set s = fresh(LOAD);
    draw_tile(&s, 1, 1);
    draw_place(&s, 1);
    print_set(&s);
}

static void unaligned(void) { /* inner coordinates, of loads and stores */
    struct set s = fresh((int)draw(2));
    do
        draw_tile(&s, 0, 0);
    while (type_bytes(&s.t) == 16);
    draw_place(&s, 0);
    s.coord[0] += 1 + draw(16 / type_bytes(&s.t) - 1);
    print_set(&s);
}

static void misaligned(void) { /* shared addresses */
    static const uint32_t off[] = {1, 4, 8, 16, 32, 48, 64, 96};
    struct set s = fresh((int)draw(3));
    draw_tile(&s, draw(4) == 0, 0);
    if (s.what == REDUCE)
        s.t.dtype = WSIM_TENSOR_UINT32, s.t.oob = WSIM_TENSOR_FILL_ZERO;
    if (wsim_tensor_check(&s.t, target, NULL))
        return;
    draw_place(&s, 0);
    s.at += off[draw(8)];
    print_set(&s);
}

static void extremes(void) {
    static const int64_t far[] = {INT32_MIN, INT32_MIN + 64, -65536, 65536, 1 << 30, INT32_MAX - 63,
                                  INT32_MAX - 15, INT32_MAX};
    struct set s = fresh(draw(3) == 0);
    draw_tile(&s, draw(4) == 0, s.what == LOAD);
    draw_place(&s, s.what == LOAD);
    s.coord[draw(s.t.rank)] = far[draw(8)];
    if (!slice_bytes(&s.t) && draw(4))
        s.coord[0] = s.coord[0] / 16 * 16;
    print_set(&s);
}

static void stores(void) {
    struct set s = fresh(STORE);
    draw_tile(&s, draw(4) == 0, 0);
    draw_place(&s, 0);
    if (!slice_bytes(&s.t) && draw(3) == 0)
        s.coord[0] += draw(16 / type_bytes(&s.t));
    print_set(&s);
}

static void negatives(void) {
    struct set s = fresh(STORE + (int)draw(2));
    draw_tile(&s, draw(4) == 0, 0);
    if (s.what == REDUCE)
        s.t.dtype = WSIM_TENSOR_UINT32, s.t.oob = WSIM_TENSOR_FILL_ZERO;
    if (wsim_tensor_check(&s.t, target, NULL))
        return;
    draw_place(&s, 0);
    s.coord[draw(s.t.rank)] = -1 - (int64_t)draw(3);
    print_set(&s);
}

static void strided_stores(void) { /* one element stride, each dimension in turn */
    static unsigned turn;
    struct set s = fresh(STORE);
    do
        draw_tile(&s, turn % 4 == 3, 0);
    while (s.t.rank < 2 + turn % 3);
    s.t.estrides[turn % 4 == 3 ? 0 : turn % 3] = 2;
    turn++;
    if (wsim_tensor_check(&s.t, target, NULL))
        return;
    draw_place(&s, 0);
    print_set(&s);
}

static void reduces(void) { /* every reduction of every type */
    static unsigned turn;
    struct set s = fresh(REDUCE);
    unsigned dtype = turn / REDUCTIONS % 13;
    do
        draw_tile(&s, draw(5) == 0, 0);
    while ((unsigned)s.t.dtype != dtype);
    s.reduction = (int)(turn++ % REDUCTIONS);
    draw_place(&s, 0);
    if (!slice_bytes(&s.t) && draw(4) == 0)
        s.coord[0] += draw(16 / type_bytes(&s.t));
    print_set(&s);
}

static void pixel_loads(void) {
    struct set s = fresh(LOAD);
    draw_pixels(&s, draw(4) == 0, 0);
    draw_pixel(&s, draw(4) == 0);
    print_set(&s);
}

static void pixel_stores(void) {
    struct set s = fresh(STORE + (draw(3) == 0));
    draw_pixels(&s, draw(4) == 0, draw(5) != 0);
    if (s.what == REDUCE)
        s.t.dtype = WSIM_TENSOR_UINT32, s.t.oob = WSIM_TENSOR_FILL_ZERO;
    if (wsim_tensor_check(&s.t, target, NULL))
        return;
    draw_pixel(&s, draw(5) == 0);
    print_set(&s);
}

static void far_offsets(void) {
    static const unsigned far[] = {15, 31, 32, 255, 256, 1000, 65535};
    struct set s = fresh(LOAD);
    draw_pixels(&s, draw(4) == 0, 0);
    draw_pixel(&s, 0);
    s.offset[draw(s.t.rank - 2)] = far[draw(7)];
    print_set(&s);
}

static void mismatches(void) { /* rank or mode of the map not that of the instruction */
    struct set s = fresh((int)draw(2));
    do
        draw_tile(&s, 0, 0);
    while (s.t.rank < 3);
    draw_place(&s, 0);
    if (draw(2))
        s.dims = s.t.rank == 3 || draw(2) ? s.t.rank - 1 : s.t.rank == 5 ? 4 : s.t.rank + 1;
    else
        s.wrong = 1;
    print_set(&s);
}

/* Every pair of special numbers: the first in global memory, the second in shared. */
static void put_pairs(char *out, const uint64_t *special, unsigned n, unsigned bytes, int second) {
    unsigned i, j, b;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (b = 0; b < bytes; b++)
                out += sprintf(out, "%02x", (unsigned)(special[second ? j : i] >> 8 * b & 0xff));
}

enum { SPECIALS = 16 };
struct pool {
    enum wsim_tensor_type dtype;
    uint64_t special[SPECIALS];
};

static void special_sums(void) {
    static const struct pool pools[] = {
        {WSIM_TENSOR_FLOAT16,
         {0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x3c00, 0xbc01, 0x7bff, 0xfbff,
          0x7c00, 0xfc00, 0x7e01, 0xfd55}},
        {WSIM_TENSOR_BFLOAT16,
         {0, 0x8000, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x3f80, 0xbf81, 0x7f7f, 0xff7f, 0x7f80,
          0xff80, 0x7fc1, 0xffa5}},
        {WSIM_TENSOR_FLOAT32,
         {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x3f800000,
          0xbf800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa55555}},
        {WSIM_TENSOR_FLOAT32_FTZ,
         {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80c00000, 0x3f800000,
          0xb3000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa55555}},
        {WSIM_TENSOR_TFLOAT32,
         {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80c00000, 0x3f800000,
          0xb3000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffa55555}},
        {WSIM_TENSOR_FLOAT64,
         {0, UINT64_C(1) << 63, 1, UINT64_C(0x8000000000000001), UINT64_C(0xfffffffffffff),
          UINT64_C(0x800fffffffffffff), UINT64_C(0x10000000000000), UINT64_C(0x8018000000000000),
          UINT64_C(0x3ff0000000000000), UINT64_C(0xbca0000000000001), UINT64_C(0x7fefffffffffffff),
          UINT64_C(0xffefffffffffffff), UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000),
          UINT64_C(0x7ff8000000000001), UINT64_C(0xfff5555555555555)}},
    };
    static char global[8192 + 1], smem[8192 + 1];
    static unsigned turn;
    const struct pool *pool = &pools[turn / 3 % 6];
    struct set s = fresh(REDUCE);
    unsigned bytes;
    s.t.dtype = pool->dtype;
    bytes = type_bytes(&s.t);
    s.t.rank = 1;
    s.t.dims[0] = s.t.box[0] = SPECIALS * SPECIALS;
    s.t.estrides[0] = 1;
    s.reduction = (int)(turn++ % 3);
    put_pairs(global, pool->special, SPECIALS, bytes, 0);
    put_pairs(smem, pool->special, SPECIALS, bytes, 1);
    s.global = global;
    s.smem = smem;
    print_set(&s);
    if (s.t.dtype != WSIM_TENSOR_FLOAT32_FTZ && s.t.dtype != WSIM_TENSOR_TFLOAT32 &&
        (s.reduction == 0 || bytes == 2))
        printf("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s%s.%s\tbytes=%u\tglobal_at=0\t"
               "global=%s\tsmem_at=0\tsmem=%s\n",
               reductions[s.reduction], bytes == 2 && s.reduction == 0 ? ".noftz" : "",
               s.t.dtype == WSIM_TENSOR_FLOAT16    ? "f16"
               : s.t.dtype == WSIM_TENSOR_BFLOAT16 ? "bf16"
               : s.t.dtype == WSIM_TENSOR_FLOAT32  ? "f32"
                                                   : "f64",
               SPECIALS * SPECIALS * bytes, global, smem);
}

/* Copies of bytes, and reductions of numbers, without a map. */
static const char *const plain_stores[] = {
    "add.u32",       "add.s32",        "add.u64", "add.f32", "add.f64", "add.noftz.f16",
    "add.noftz.bf16", "min.u32",       "min.s32", "min.u64", "min.s64", "min.f16",
    "min.bf16",      "max.u32",        "max.s32", "max.u64", "max.s64", "max.f16",
    "max.bf16",      "inc.u32",        "dec.u32", "and.b32", "and.b64", "or.b32",
    "or.b64",        "xor.b32",        "xor.b64"};

static void print_plain(const char *word, uint32_t global_at, uint32_t at, uint32_t bytes, int load) {
    printf("%s\tbytes=%" PRIu32 "\tglobal_at=%" PRIu32 "\tglobal=@mix:%" PRIu32
           ":16384\tsmem_at=%" PRIu32 "\tsmem=",
           word, bytes, global_at, draw(1000000), at);
    if (load)
        printf("@fill:cd:%" PRIu32 "\n", round_up(at + bytes, 128));
    else
        printf("@mix:%" PRIu32 ":%" PRIu32 "\n", draw(1000000), round_up(at + bytes, 128));
}

static void plains(void) {
    static unsigned turn;
    char word[96];
    int load = turn % 3 == 0;
    snprintf(word, sizeof word,
             load ? "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
             : turn % 3 == 1
                 ? "cp.async.bulk.global.shared::cta.bulk_group"
                 : "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s",
             plain_stores[turn / 3 % (sizeof plain_stores / sizeof plain_stores[0])]);
    turn++;
    print_plain(word, 16 * draw(500), 16 * draw(32), 16 * (1 + draw(60)), load);
}

static void plain_traps(void) {
    static unsigned turn;
    unsigned kind = turn++ % 4;
    print_plain(turn & 4 ? "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         : "cp.async.bulk.global.shared::cta.bulk_group",
                16 * draw(500) + (kind == 0 ? 8 : 0), 16 * draw(32) + (kind == 1 ? 8 : 0),
                kind == 3 ? 0 : 16 * (1 + draw(30)) + (kind == 2 ? 8 : 0), turn & 4);
}

/* float32 patterns on their way through a load. */
static void conversions(void) {
    static const enum wsim_tensor_type types[] = {WSIM_TENSOR_TFLOAT32, WSIM_TENSOR_TFLOAT32_FTZ,
                                                  WSIM_TENSOR_FLOAT32_FTZ};
    static const uint32_t special[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fffff,
                                       0x7ff000, 0x7fefff, 0x800000, 0x3f800fff, 0x3f801000,
                                       0x3f801001, 0x3f803000, 0x3ffff000, 0x7f7fffff, 0x7f7fefff,
                                       0x7f7ff000, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff,
                                       0x7fa00000};
    static unsigned turn;
    static char global[1024];
    struct set s = fresh(LOAD);
    char *at = global;
    unsigned i, sign;
    for (sign = 0; sign < 2; sign++)
        for (i = 0; i < 24; i++) {
            uint32_t v = special[i] | (uint32_t)sign << 31;
            at += sprintf(at, "%02x%02x%02x%02x", (unsigned)(v & 255), (unsigned)(v >> 8 & 255),
                          (unsigned)(v >> 16 & 255), (unsigned)(v >> 24));
        }
    s.t.dtype = types[turn++ % 3];
    s.t.rank = 1;
    s.t.dims[0] = 46;
    s.t.box[0] = 48;
    s.t.estrides[0] = 1;
    s.t.oob = WSIM_TENSOR_FILL_NAN;
    s.global = global;
    print_set(&s);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*one)(void);
    } kinds[] = {
        {"loads", loads},           {"interleaved", interleaved_loads}, {"unaligned", unaligned},
        {"misaligned", misaligned}, {"extremes", extremes},             {"stores", stores},
        {"negatives", negatives},   {"strided", strided_stores},        {"reduces", reduces},
        {"pixels", pixel_loads},    {"pixel_stores", pixel_stores},     {"offsets", far_offsets},
        {"mismatches", mismatches}, {"sums", special_sums},             {"conversions", conversions},
        {"plains", plains},         {"plain_traps", plain_traps},
    };
    unsigned k, i;
    int a;
    target = wsim_arch_find("sm_90a");
    if (argc < 2) {
        fputs("usage: wsim-copies SEED KIND=N...\nkinds:", stderr);
        for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            fprintf(stderr, " %s", kinds[k].name);
        fputc('\n', stderr);
        return 2;
    }
    state = strtoull(argv[1], NULL, 0);
    printf("#seed: %s\n", argv[1]);
    for (a = 2; a < argc; a++)
        for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            size_t n = strlen(kinds[k].name);
            if (strncmp(argv[a], kinds[k].name, n) == 0 && argv[a][n] == '=')
                for (i = 0; i < (unsigned)atoi(argv[a] + n + 1); i++)
                    kinds[k].one();
        }
    return 0;
}
