/* numbers.c - reductions: every operation of every type, and pairs of special numbers. */
#include "draw.h"

#include <stdio.h>

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

static const struct pool pools[] = {
    {WSIM_TENSOR_FLOAT16,
     {0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x3c00, 0xbc01, 0x7bff, 0xfbff, 0x7c00,
      0xfc00, 0x7e01, 0xfd55}},
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

static void special_sums(void) {
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

const struct kind number_kinds[] = {
    {"reduces", reduces},
    {"sums", special_sums},
    {NULL, NULL},
};
