/* The image of a map: every field has its own place, other bytes are refused as a map, and
 * tensormap.replace changes exactly one field. The extent of one copy. */
#include "../../run.h"

#include <string.h>
#include <wsim/tensor.h>

static const struct wsim_arch *arch;

static const struct wsim_tensor tiled = {.dtype = WSIM_TENSOR_BFLOAT16,
                                         .interleave = WSIM_TENSOR_INTERLEAVE_32B,
                                         .swizzle = WSIM_SWIZZLE_64B,
                                         .oob = WSIM_TENSOR_FILL_NAN,
                                         .l2 = 2,
                                         .rank = 5,
                                         .base = 0x0123456789ABCDE0,
                                         .dims = {0x100000000, 0x87654321, 3, 0x1234, 5},
                                         .strides = {0x20, 0xFEDCBA9860, 0x40, 0xFFFFFFFFE0},
                                         .estrides = {1, 8, 3, 4, 5},
                                         .box = {256, 64, 3, 4, 5}};

static const struct wsim_tensor im2col = {.mode = WSIM_TENSOR_IM2COL,
                                          .dtype = WSIM_TENSOR_UINT8,
                                          .swizzle = WSIM_SWIZZLE_128B,
                                          .l2 = 1,
                                          .rank = 5,
                                          .base = 0x10,
                                          .dims = {128, 60, 50, 40, 30},
                                          .strides = {0x80, 0x1000, 0x20000, 0x300000},
                                          .estrides = {2, 1, 3, 1, 4},
                                          .lower = {-16, 15, -3},
                                          .upper = {7, -8, 15},
                                          .channels = 48,
                                          .pixels = 1024};

static void decode(const struct wsim_tensor_map *map, struct wsim_tensor *t) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    ck_assert_msg(wsim_tensor_decode(map, t, &diag) == WSIM_OK, "%s", diag.text);
}

static struct wsim_tensor_map encoded(const struct wsim_tensor *t) {
    struct wsim_tensor_map map;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    memset(&map, 0xA5, sizeof map); /* no old byte stays */
    ck_assert_msg(wsim_tensor_encode(t, arch, &map, &diag) == WSIM_OK, "%s", diag.text);
    return map;
}

static void same(const struct wsim_tensor *a, const struct wsim_tensor *b) {
    ck_assert_int_eq(a->mode, b->mode);
    ck_assert_int_eq(a->dtype, b->dtype);
    ck_assert_int_eq(a->interleave, b->interleave);
    ck_assert_int_eq(a->swizzle, b->swizzle);
    ck_assert_int_eq(a->oob, b->oob);
    ck_assert_uint_eq(a->l2, b->l2);
    ck_assert_uint_eq(a->rank, b->rank);
    ck_assert_uint_eq(a->base, b->base);
    ck_assert_mem_eq(a->dims, b->dims, sizeof a->dims);
    ck_assert_mem_eq(a->strides, b->strides, sizeof a->strides);
    ck_assert_mem_eq(a->estrides, b->estrides, sizeof a->estrides);
    ck_assert_mem_eq(a->box, b->box, sizeof a->box);
    ck_assert_mem_eq(a->lower, b->lower, sizeof a->lower);
    ck_assert_mem_eq(a->upper, b->upper, sizeof a->upper);
    ck_assert_uint_eq(a->channels, b->channels);
    ck_assert_uint_eq(a->pixels, b->pixels);
}

START_TEST(fields_come_back) {
    const struct wsim_tensor *const list[] = {&tiled, &im2col};
    struct wsim_tensor back, one;
    struct wsim_tensor_map map;
    unsigned i, rank;
    for (i = 0; i < 2; i++)
        for (rank = 3; rank <= 5; rank++) {
            one = *list[i];
            one.rank = rank;
            if (rank < 5) {
                one.interleave = WSIM_TENSOR_INTERLEAVE_NONE;
                one.box[0] = one.box[0] ? 32 : 0;
            }
            map = encoded(&one);
            decode(&map, &back);
            ck_assert_uint_eq(back.dims[rank - 1], one.dims[rank - 1]);
            if (rank == 5)
                same(&back, &one);
            else
                ck_assert_uint_eq(back.dims[rank] + back.estrides[rank] + back.box[rank], 0);
        }
}
END_TEST

START_TEST(what_is_no_map) {
    struct wsim_tensor_map map = encoded(&tiled), wrong;
    struct wsim_tensor t, before;
    struct wsim_diag diag;
    unsigned byte;
    memset(&before, 0xA5, sizeof before);
    for (byte = 0; byte < 16; byte++) {
        static const char *const words[] = {"version 255", "mode 255", "dtype 255",     "rank 256",
                                            "interleave",  "swizzle",  "atomicity 255", "oob 255"};
        wrong = map;
        ((uint8_t *)wrong.opaque)[byte] = 0xFF;
        memcpy(&t, &before, sizeof t);
        ck_assert_int_eq(wsim_tensor_decode(&wrong, &t, &diag), WSIM_OPERAND);
        ck_assert_msg(strstr(diag.text, byte < 8 ? "not a tensor map" : words[byte - 8]) != NULL,
                      "byte %u: %s", byte, diag.text);
        ck_assert_mem_eq(&t, &before, sizeof t);
    }
    memset(&wrong, 0, sizeof wrong);
    ck_assert_int_eq(wsim_tensor_decode(&wrong, &t, NULL), WSIM_OPERAND);
}
END_TEST

/* --- tensormap.replace --- */

static void replace(struct wsim_tensor_map *map, enum wsim_tensor_field field, unsigned index,
                    uint64_t value) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    ck_assert_msg(wsim_tensor_replace(map, field, index, value, arch, &diag) == WSIM_OK, "%s",
                  diag.text);
}

/* A map made on the device, out of zeros, is the one that the driver would have made. */
START_TEST(a_template_becomes_a_map) {
    struct wsim_tensor want = tiled, got;
    struct wsim_tensor_map map, whole;
    unsigned i;
    want.l2 = 0;               /* no field of PTX */
    want.dims[0] = 0xFFFFFFFF; /* what 32 bits hold */
    whole = encoded(&want);
    memset(&map, 0, sizeof map);
    replace(&map, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, want.base);
    replace(&map, WSIM_TENSOR_FIELD_RANK, 0, 4);
    for (i = 0; i < 5; i++) {
        replace(&map, WSIM_TENSOR_FIELD_BOX_DIM, i, want.box[i]);
        replace(&map, WSIM_TENSOR_FIELD_GLOBAL_DIM, i, want.dims[i]);
        replace(&map, WSIM_TENSOR_FIELD_ELEMENT_STRIDE, i, want.estrides[i]);
    }
    for (i = 0; i < 4; i++)
        replace(&map, WSIM_TENSOR_FIELD_GLOBAL_STRIDE, i, want.strides[i]);
    replace(&map, WSIM_TENSOR_FIELD_ELEMTYPE, 0, 10); /* PTX's number of bf16 */
    replace(&map, WSIM_TENSOR_FIELD_INTERLEAVE_LAYOUT, 0, 2);
    replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_MODE, 0, 2);
    replace(&map, WSIM_TENSOR_FIELD_FILL_MODE, 0, 1);
    decode(&map, &got);
    same(&got, &want);
    ck_assert_mem_eq(&map, &whole, sizeof map);
}
END_TEST

START_TEST(types_have_other_numbers_in_ptx) {
    static const uint8_t ptx[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12};
    struct wsim_tensor_map map = encoded(&tiled);
    struct wsim_tensor t;
    unsigned i;
    for (i = 0; i < sizeof ptx; i++) {
        replace(&map, WSIM_TENSOR_FIELD_ELEMTYPE, 0, ptx[i]);
        decode(&map, &t);
        ck_assert_uint_eq((unsigned)t.dtype, i);
    }
}
END_TEST

static void not_replaced(struct wsim_tensor_map *map, unsigned field, unsigned index,
                         uint64_t value, enum wsim_status status, const char *words) {
    struct wsim_tensor_map before = *map;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    ck_assert_int_eq(
        wsim_tensor_replace(map, (enum wsim_tensor_field)field, index, value, arch, &diag), status);
    ck_assert_msg(strstr(diag.text, words) != NULL, "'%s' is not in: %s", words, diag.text);
    ck_assert_mem_eq(map, &before, sizeof before);
}

START_TEST(replacements_refused) {
    struct wsim_tensor_map map = encoded(&tiled), pixels = encoded(&im2col);
    struct wsim_tensor_map junk = {{1}};
    not_replaced(&map, 11, 0, 0, WSIM_OPERAND, "field 11");
    not_replaced(&map, WSIM_TENSOR_FIELD_BOX_DIM, 5, 1, WSIM_OPERAND,
                 "ordinal 5 of box_dim: it can be 0 "
                 "to 4");
    not_replaced(&map, WSIM_TENSOR_FIELD_GLOBAL_STRIDE, 4, 16, WSIM_OPERAND, "0 to 3");
    not_replaced(&map, WSIM_TENSOR_FIELD_RANK, 1, 1, WSIM_OPERAND, "it can be only 0");
    not_replaced(&map, WSIM_TENSOR_FIELD_RANK, 0, 5, WSIM_OPERAND, "rank is 6");
    not_replaced(&map, WSIM_TENSOR_FIELD_BOX_DIM, 0, 0, WSIM_OPERAND, "box_dim[0] is 0");
    not_replaced(&map, WSIM_TENSOR_FIELD_BOX_DIM, 4, 257, WSIM_OPERAND, "box_dim[4] is 257");
    not_replaced(&map, WSIM_TENSOR_FIELD_GLOBAL_DIM, 0, UINT64_C(1) << 32, WSIM_OPERAND,
                 "global_dim[0] is 4294967296");
    not_replaced(&map, WSIM_TENSOR_FIELD_ELEMENT_STRIDE, 0, 9, WSIM_OPERAND,
                 "element_stride[0] is 9");
    not_replaced(&map, WSIM_TENSOR_FIELD_ELEMTYPE, 0, 99, WSIM_OPERAND, "the nearest is 15");
    not_replaced(&map, WSIM_TENSOR_FIELD_ELEMTYPE, 0, 13, WSIM_ILLEGAL, "blackwell");
    not_replaced(&map, WSIM_TENSOR_FIELD_INTERLEAVE_LAYOUT, 0, 3, WSIM_OPERAND,
                 "interleave_layout is 3");
    not_replaced(&map, WSIM_TENSOR_FIELD_SWIZZLE_MODE, 0, 4, WSIM_OPERAND, "the nearest is 3");
    not_replaced(&map, WSIM_TENSOR_FIELD_SWIZZLE_ATOMICITY, 0, 1, WSIM_ILLEGAL,
                 "swizzle_atomicity needs");
    not_replaced(&map, WSIM_TENSOR_FIELD_FILL_MODE, 0, 2, WSIM_OPERAND, "fill_mode is 2");
    not_replaced(&pixels, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, 0, WSIM_OPERAND, "is im2col");
    not_replaced(&junk, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, 0, WSIM_OPERAND, "not a tensor map");
    arch = wsim_arch_find("sm_90");
    not_replaced(&map, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, 0, WSIM_ILLEGAL,
                 "sm_90 lacks; sm_90a has it");
    arch = NULL;
    not_replaced(&map, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, 0, WSIM_ILLEGAL, "no architecture");
    arch = wsim_arch_find("sm_90a");
}
END_TEST

START_TEST(atoms) {
    struct wsim_tensor_map map = encoded(&tiled);
    struct wsim_tensor t;
    struct wsim_diag diag;
    arch = wsim_arch_find("sm_100a");
    replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_ATOMICITY, 0, 2);
    ck_assert_int_eq(wsim_tensor_decode(&map, &t, &diag), WSIM_OPERAND); /* 64B has no atoms */
    ck_assert_msg(strstr(diag.text, "swizzle_mode 2 with swizzle_atomicity 2"), "%s", diag.text);
    replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_MODE, 0, 3);
    decode(&map, &t);
    ck_assert_int_eq(t.swizzle, WSIM_SWIZZLE_128B_ATOM_32B_FLIP_8B);
    arch = wsim_arch_find("sm_90a");
}
END_TEST

/* --- what a copy moves --- */

START_TEST(tiles) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT32,
                            .swizzle = WSIM_SWIZZLE_128B,
                            .rank = 3,
                            .dims = {64, 64, 64},
                            .strides = {256, 16384},
                            .estrides = {4, 3, 1},
                            .box = {12, 7, 2}};
    struct wsim_tensor_tile tile = wsim_tensor_measure(&t);
    ck_assert_uint_eq(tile.extent[0], 12); /* its stride counts for nothing */
    ck_assert_uint_eq(tile.extent[1], 3);  /* 0, 3, 6 */
    ck_assert_uint_eq(tile.extent[2], 2);
    ck_assert_uint_eq(tile.rows, 6);
    ck_assert_uint_eq(tile.inner, 48);
    ck_assert_uint_eq(tile.pitch, 128);
    ck_assert_uint_eq(tile.bytes, 288);
    ck_assert_uint_eq(tile.room, 768);
    ck_assert_uint_eq(tile.repeat, 1024);
    t.swizzle = WSIM_SWIZZLE_NONE;
    tile = wsim_tensor_measure(&t);
    ck_assert_uint_eq(tile.pitch, 48);
    ck_assert_uint_eq(tile.room, 288);
    t.interleave = WSIM_TENSOR_INTERLEAVE_16B;
    tile = wsim_tensor_measure(&t);
    ck_assert_uint_eq(tile.extent[0], 3); /* slices 0, 4, 8 */
    ck_assert_uint_eq(tile.extent[1], 1); /* one of the slices */
    ck_assert_uint_eq(tile.inner, 48);
    ck_assert_uint_eq(tile.bytes, 96);
}
END_TEST

START_TEST(columns) {
    struct wsim_tensor t = im2col;
    struct wsim_tensor_tile tile = wsim_tensor_measure(&t);
    ck_assert_uint_eq(tile.rows, 1024);
    ck_assert_uint_eq(tile.inner, 48);
    ck_assert_uint_eq(tile.pitch, 128);
    ck_assert_uint_eq(tile.bytes, 49152);
}
END_TEST

START_TEST(names) {
    int list;
    for (list = 0; list < WSIM_TENSOR_LISTS; list++) {
        unsigned i = 0;
        const char *name;
        while ((name = wsim_tensor_name((enum wsim_tensor_list)list, i)) != NULL)
            ck_assert_int_eq(wsim_tensor_find((enum wsim_tensor_list)list, name), (int)i++);
        ck_assert_uint_gt(i, 1);
        ck_assert_int_eq(wsim_tensor_find((enum wsim_tensor_list)list, "nothing"), -1);
    }
    ck_assert_ptr_null(wsim_tensor_name(WSIM_TENSOR_LISTS, 0));
    ck_assert_str_eq(wsim_tensor_name(WSIM_TENSOR_LIST_DTYPE, 15), "16U6_ALIGN16B");
    ck_assert_str_eq(wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, WSIM_TENSOR_FIELD_FILL_MODE),
                     "fill_mode");
}
END_TEST

/* A map with a flipped bit is refused or valid, and no byte outside of its limits is written.
 * An im2col map of stored rank 1 once walked through 2^32 corners. */
START_TEST(flipped_bits_are_survived) {
    const struct wsim_tensor *const kinds[] = {&tiled, &im2col};
    unsigned damaged = 0;
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned bit = 0; bit < 8 * sizeof(struct wsim_tensor_map); bit++) {
            struct wsim_tensor_map map = encoded(kinds[kind]);
            struct {
                struct wsim_tensor tensor;
                uint8_t behind[64];
            } out, before;
            struct wsim_diag diag;
            ((unsigned char *)&map)[bit / 8] ^= (unsigned char)(1u << bit % 8);
            memset(&out, 0x5A, sizeof out);
            before = out;
            if (wsim_tensor_decode(&map, &out.tensor, &diag)) {
                ck_assert_int_eq(diag.status, WSIM_OPERAND);
                ck_assert_mem_eq(&out, &before, sizeof out);
                damaged++;
            }
            ck_assert_mem_eq(out.behind, before.behind, sizeof out.behind);
        }
    ck_assert_uint_gt(damaged, 2 * 72); /* the stamp alone has 72 bits */
}
END_TEST

START_TEST(an_im2col_map_has_rank_3_at_least) {
    for (unsigned rank = 1; rank <= 5; rank++) {
        struct wsim_tensor_map map = encoded(&im2col);
        struct wsim_tensor t;
        struct wsim_diag diag;
        ((unsigned char *)&map)[11] = (unsigned char)(rank - 1);
        if (rank >= 3) {
            ck_assert_int_eq(wsim_tensor_decode(&map, &t, &diag), WSIM_OK);
            ck_assert_uint_eq(t.rank, rank);
        } else {
            ck_assert_int_eq(wsim_tensor_decode(&map, &t, &diag), WSIM_OPERAND);
            ck_assert_str_eq(diag.rule, "tensor.image.damaged");
        }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {fields_come_back,
                                  what_is_no_map,
                                  a_template_becomes_a_map,
                                  types_have_other_numbers_in_ptx,
                                  replacements_refused,
                                  atoms,
                                  tiles,
                                  columns,
                                  names,
                                  flipped_bits_are_survived,
                                  an_im2col_map_has_rank_3_at_least};
    arch = wsim_arch_find("sm_90a");
    return run_tests("map", tests, sizeof tests / sizeof tests[0]);
}
