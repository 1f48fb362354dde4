/* numbers.c - cases that are about what the copy engine does to numbers: reductions and
 * conversions. */
#include "draw.h"
#include "masks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 256, REDUCED = 16384, LOADED = 2048 }; /* bytes, the last two */

/* The name of a type in a map, and its format. */
static const struct wsim_format *format_of(enum wsim_tensor_type dtype) {
    static const char *const names[] = {"u8",  "u16", "u32",  "s32", "u64", "s64", "f16",
                                        "f32", "f64", "bf16", "f32", "f32", "f32"};
    return wsim_format_find(names[dtype]);
}

enum { TYPES = 13 };

/* --- what the model does --- */

static struct set flat(int what, enum wsim_tensor_type dtype, uint32_t columns, uint32_t rows) {
    struct set s = fresh(what);
    s.t.dtype = dtype;
    s.t.rank = 2;
    s.t.dims[0] = s.t.box[0] = columns;
    s.t.dims[1] = s.t.box[1] = rows;
    s.t.estrides[0] = s.t.estrides[1] = 1;
    s.t.strides[0] = columns * type_bytes(&s.t);
    return s;
}

static int model_has(enum wsim_tensor_type dtype, unsigned reduction) {
    static uint8_t bytes[16];
    struct wsim_memory memory = wsim_memory_over(WSIM_GLOBAL, bytes, sizeof bytes, 0);
    struct set s = flat(REDUCE, dtype, 1, 1);
    struct wsim_tensor_map map;
    struct wsim_bulk io;
    struct wsim_op op;
    const struct wsim_arch *target = wsim_arch_find("sm_90a");
    char word[96];
    s.t.box[0] = s.t.dims[0] = 16 / type_bytes(&s.t);
    s.t.strides[0] = 16;
    snprintf(word, sizeof word, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.%s.bulk_group",
             reductions[reduction]);
    memset(&io, 0, sizeof io);
    io.global = io.shared = &memory;
    io.map = &map;
    return !wsim_tensor_encode(&s.t, target, &map, NULL) && !wsim_op_parse(word, &op, NULL) &&
           !wsim_bulk_run(&op, target, &io, NULL, NULL);
}

/* --- kinds of cases --- */

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

static void print_plain_pair(const char *word, const struct wsim_format *f, struct pair p) {
    struct memory m = draw_memory(f, p, REDUCED);
    printf("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s\tbytes=%d\tglobal_at=0\t"
           "global=%s\tsmem_at=0\tsmem=%s\n",
           word, REDUCED, m.global, m.smem);
}

/* Ranks 1 to 5; dimensions after the second are 1. */
static void print_tensor_pair(enum wsim_tensor_type dtype, unsigned reduction, struct pair p,
                              unsigned length) {
    const struct wsim_format *f = format_of(dtype);
    struct memory m = draw_memory(f, p, length);
    struct set s = flat(REDUCE, dtype, COLUMNS, length * 8 / f->bits / COLUMNS);
    uint32_t i;
    s.t.rank = 1 + draw(WSIM_TENSOR_RANK);
    for (i = 2; i < s.t.rank; i++) {
        s.t.dims[i] = s.t.box[i] = s.t.estrides[i] = 1;
        s.t.strides[i - 1] = length;
    }
    s.t.dims[0] -= draw(8); /* padding after a row is reduced too */
    s.reduction = (int)reduction;
    s.global = m.global;
    s.smem = m.smem;
    print_set(&s);
}

/* A kind of pairs of every reduction. */
static void pairs(void) {
    static unsigned kind;
    unsigned i, k;
    for (i = 0; i < TYPES; i++) {
        const struct wsim_format *f = format_of((enum wsim_tensor_type)i);
        for (k = 0; k < REDUCTIONS && kind < kinds_of(f); k++)
            if (model_has((enum wsim_tensor_type)i, k))
                print_tensor_pair((enum wsim_tensor_type)i, k, pair_of(f, kind), REDUCED);
    }
    for (i = 0; i < PLAIN_WORDS; i++) {
        const struct wsim_format *f = wsim_format_find(strrchr(plain_words[i], '.') + 1);
        if (kind < kinds_of(f))
            print_plain_pair(plain_words[i], f, pair_of(f, kind));
    }
    kind = (kind + 1) % FLOAT_MASKS;
}

static void undocumented(void) {
    unsigned i, k;
    for (i = 0; i < TYPES; i++)
        for (k = 0; k < REDUCTIONS; k++)
            if (!model_has((enum wsim_tensor_type)i, k))
                print_tensor_pair((enum wsim_tensor_type)i, k, both(~UINT64_C(0), 0), 2048);
}

/* Numbers of a float that are special to a sum, a rounding or an order. */
enum { SPECIALS = 24 };

static void list_specials(const struct wsim_format *f, uint64_t *out) {
    unsigned m = f->frac_bits, i;
    uint64_t one = UINT64_C(1) << m, special = bits(f->exp_bits) << m, bias = (uint64_t)f->bias;
    uint64_t quiet = one >> 1;
    const uint64_t positive[] = {0,
                                 1,
                                 one - 1,
                                 one,
                                 one + quiet,
                                 bias << m,
                                 (bias << m) + 1,
                                 special - 1,
                                 special,
                                 special + quiet,
                                 special + 1,
                                 special + quiet + 1 + (quiet >> 2)};
    for (i = 0; i < SPECIALS; i++)
        out[i] = positive[i / 2] | (uint64_t)(i % 2) << (f->bits - 1);
}

/* Every pair: the first in global memory, the second in shared. */
static void put_specials(char *out, const struct wsim_format *f, int second) {
    uint64_t special[SPECIALS];
    unsigned i, b;
    list_specials(f, special);
    for (i = 0; i < SPECIALS * SPECIALS; i++) {
        uint64_t v = special[second ? i % SPECIALS : i / SPECIALS];
        for (b = 0; b < f->bits; b += 8)
            out += sprintf(out, "%02x", (unsigned)(v >> b & 0xff));
    }
}

static void specials(void) {
    static char global[SPECIALS * SPECIALS * 16 + 1], smem[SPECIALS * SPECIALS * 16 + 1];
    unsigned i, k;
    for (i = 0; i < TYPES; i++) {
        const struct wsim_format *f = format_of((enum wsim_tensor_type)i);
        for (k = 0; k < REDUCTIONS && is_float(f); k++) {
            struct set s = flat(REDUCE, (enum wsim_tensor_type)i, SPECIALS, SPECIALS);
            if (!model_has(s.t.dtype, k))
                continue;
            put_specials(global, f, 0);
            put_specials(smem, f, 1);
            s.reduction = (int)k;
            s.global = global;
            s.smem = smem;
            print_set(&s);
        }
    }
    for (i = 0; i < PLAIN_WORDS; i++) {
        const struct wsim_format *f = wsim_format_find(strrchr(plain_words[i], '.') + 1);
        if (!is_float(f))
            continue;
        put_specials(global, f, 0);
        put_specials(smem, f, 1);
        printf("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s\tbytes=%u\tglobal_at=0\t"
               "global=%s\tsmem_at=0\tsmem=%s\n",
               plain_words[i], SPECIALS * SPECIALS * f->bits / 8u, global, smem);
    }
}

/* A kind of numbers of every float. */
static void patterns(void) {
    static unsigned kind;
    unsigned i;
    for (i = 0; i < TYPES; i++) {
        const struct wsim_format *f = format_of((enum wsim_tensor_type)i);
        struct set s = flat(LOAD, (enum wsim_tensor_type)i, 16 * 8 / f->bits, LOADED / 16);
        struct memory m;
        if (!is_float(f))
            continue;
        m = draw_memory(f, pair_of(f, kind), LOADED);
        s.t.oob = WSIM_TENSOR_FILL_NAN;
        s.t.dims[1]--;
        s.global = m.global;
        print_set(&s);
    }
    kind = (kind + 1) % FLOAT_MASKS;
}

const struct kind number_kinds[] = {
    {"reduces", reduces},           {"sums", specials},     {"pairs", pairs},
    {"undocumented", undocumented}, {"patterns", patterns}, {NULL, NULL},
};
