/* set.c - what a case is made of, and its line. */
#include "draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const reductions[REDUCTIONS] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

unsigned type_bytes(const struct wsim_tensor *t) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return bytes[t->dtype];
}

unsigned slice_bytes(const struct wsim_tensor *t) {
    return t->interleave == WSIM_TENSOR_INTERLEAVE_16B   ? 16
           : t->interleave == WSIM_TENSOR_INTERLEAVE_32B ? 32
                                                         : 0;
}

uint32_t round_up(uint32_t n, uint32_t to) {
    return (n + to - 1) / to * to;
}

int lay_out(struct wsim_tensor *t, unsigned align) {
    uint64_t row = t->dims[0] * (slice_bytes(t) ? slice_bytes(t) : type_bytes(t));
    uint32_t i;
    for (i = 1; i < t->rank; i++) {
        t->strides[i - 1] = (row + align - 1) / align * align + align * draw(3);
        row = t->strides[i - 1] * t->dims[i];
    }
    t->base = align * draw(64);
    return t->base + row + 256 <= ROOM;
}

void draw_kind(struct set *s) {
    struct wsim_tensor *t = &s->t;
    memset(t, 0, sizeof *t);
    t->dtype = (enum wsim_tensor_type)draw(13);
    t->rank = 1 + draw(5);
    t->l2 = draw(4);
    t->swizzle = (enum wsim_swizzle)draw(4);
    t->oob = (enum wsim_tensor_fill)(draw(3) == 0);
}

struct set fresh(int what) {
    struct set s;
    memset(&s, 0, sizeof s);
    s.what = what;
    return s;
}

int make_integer(struct set *s) {
    if (s->what == REDUCE)
        s->t.dtype = WSIM_TENSOR_UINT32, s->t.oob = WSIM_TENSOR_FILL_ZERO;
    return is_map(&s->t);
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
    if (s->word)
        printf("%s", s->word);
    else if (s->what == LOAD)
        printf("cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes",
               dims, pixels ? "im2col" : "tile");
    else if (s->what == STORE)
        printf("cp.async.bulk.tensor.%ud.global.shared::cta.%s.bulk_group", dims,
               pixels ? "im2col_no_offs" : "tile");
    else
        printf("cp.reduce.async.bulk.tensor.%ud.global.shared::cta.%s.%s.bulk_group", dims,
               reductions[s->reduction], pixels ? "im2col_no_offs" : "tile");
}

void print_set(const struct set *s) {
    struct wsim_tensor_tile tile = wsim_tensor_measure(&s->t);
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
