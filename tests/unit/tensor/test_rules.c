/* Every rule of a tensor map at its limit: the last accepted value, the first refused one, and the
 * words of the refusal. The edges are written down here, not read from the tables. */
#include "../../run.h"

#include <string.h>
#include <wsim/tensor.h>

#define TERA (UINT64_C(1) << 40)

static struct wsim_tensor tiled(void) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT16,
                            .rank = 3,
                            .base = 4096,
                            .dims = {100, 50, 20},
                            .strides = {256, 12800},
                            .estrides = {1, 1, 1},
                            .box = {32, 8, 2}};
    return t;
}

static struct wsim_tensor im2col(uint32_t rank) {
    struct wsim_tensor t = {.mode = WSIM_TENSOR_IM2COL,
                            .dtype = WSIM_TENSOR_FLOAT16,
                            .rank = rank,
                            .dims = {64, 40, 30, 20, 10},
                            .strides = {128, 8192, 262144, 8388608},
                            .estrides = {1, 1, 1, 1, 1},
                            .channels = 32,
                            .pixels = 16};
    return t;
}

static const struct wsim_arch *arch;

static void taken(const struct wsim_tensor *t) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    ck_assert_msg(wsim_tensor_check(t, arch, &diag) == WSIM_OK, "refused: %s", diag.text);
    ck_assert_str_eq(diag.text, "");
}

static void refused(const struct wsim_tensor *t, enum wsim_status status, const char *words) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_tensor_map map;
    memset(&map, 0xA5, sizeof map);
    ck_assert_msg(wsim_tensor_encode(t, arch, &map, &diag) == status, "status %d, not %d: %s",
                  diag.status, status, diag.text);
    ck_assert_int_eq(diag.status, status);
    ck_assert_msg(strstr(diag.text, words) != NULL, "'%s' is not in: %s", words, diag.text);
    ck_assert_uint_eq(((uint8_t *)&map)[0], 0xA5);
    ck_assert_int_eq(wsim_tensor_check(t, arch, NULL), status);
}

#define YES(field, value)                                                                          \
    do {                                                                                           \
        struct wsim_tensor one = t;                                                                \
        one.field = value;                                                                         \
        taken(&one);                                                                               \
    } while (0)
#define NO(field, value, status, words)                                                            \
    do {                                                                                           \
        struct wsim_tensor one = t;                                                                \
        one.field = value;                                                                         \
        refused(&one, status, words);                                                              \
    } while (0)

START_TEST(limits) {
    struct wsim_tensor t = tiled();
    unsigned i;
    taken(&t);
    NO(rank, 0, WSIM_OPERAND, "rank is 0: it can be 1 to 5; the nearest is 1");
    NO(rank, 6, WSIM_OPERAND, "the nearest is 5");
    YES(base, 0);
    YES(base, (UINT64_C(1) << 57) - 16);
    NO(base, UINT64_C(1) << 57, WSIM_OPERAND, "base is 144115188075855872");
    YES(l2, 3);
    NO(l2, 4, WSIM_OPERAND, "l2 is 4");
    for (i = 0; i < t.rank; i++) {
        YES(dims[i], 1);
        YES(dims[i], UINT64_C(1) << 32);
        NO(dims[i], 0, WSIM_OPERAND, "is 0: it can be 1 to 4294967296; the nearest is 1");
        NO(dims[i], (UINT64_C(1) << 32) + 1, WSIM_OPERAND, "the nearest is 4294967296");
        YES(estrides[i], 8);
        NO(estrides[i], 0, WSIM_OPERAND, "is 0: it can be 1 to 8");
        NO(estrides[i], 9, WSIM_OPERAND, "is 9: it can be 1 to 8");
        NO(box[i], 0, WSIM_OPERAND, "is 0: it can be 1 to 256");
        NO(box[i], 257, WSIM_OPERAND, "is 257: it can be 1 to 256; the nearest is 256");
        YES(box[i], 256);
    }
    for (i = 0; i + 1 < t.rank; i++) {
        YES(strides[i], 0);
        YES(strides[i], TERA - 16);
        NO(strides[i], TERA, WSIM_OPERAND, "the nearest is 1099511627760");
    }
    NO(dims[2], 0, WSIM_OPERAND, "dims[2] is 0");
    NO(strides[1], TERA, WSIM_OPERAND, "strides[1] is");
}
END_TEST

START_TEST(past_the_rank_nothing_is_looked_at) {
    struct wsim_tensor t = tiled();
    t.dims[3] = t.estrides[3] = t.box[3] = 0;
    t.strides[2] = 1;
    t.lower[0] = t.upper[0] = INT32_MAX;
    taken(&t);
    t = im2col(3);
    t.box[0] = 9999;
    t.lower[1] = INT32_MAX;
    t.dims[3] = 0;
    taken(&t);
}
END_TEST

START_TEST(alignment) {
    struct wsim_tensor t = tiled();
    YES(base, 16);
    NO(base, 24, WSIM_ALIGN,
       "base is 24: interleave NONE needs a multiple of 16; the nearest are "
       "16 and 32");
    NO(strides[1], 1000, WSIM_ALIGN,
       "strides[1] is 1000: interleave NONE needs a multiple of 16; "
       "the nearest are 992 and 1008");
    t.interleave = WSIM_TENSOR_INTERLEAVE_16B;
    YES(base, 16);
    YES(strides[0], 48);
    t.interleave = WSIM_TENSOR_INTERLEAVE_32B;
    NO(base, 16, WSIM_ALIGN, "base is 16: interleave 32B needs a multiple of 32");
    NO(strides[0], 48, WSIM_ALIGN, "strides[0] is 48: interleave 32B needs a multiple of 32");
    YES(strides[0], 64);
}
END_TEST

/* Pieces of 16 bytes always, the span only without interleave. */
START_TEST(rows) {
    static const uint32_t spans[] = {0, 32, 64, 128};
    struct wsim_tensor t = tiled();
    uint32_t s;
    YES(box[0], 8);
    NO(box[0], 4, WSIM_OPERAND, "multiples of 8; the nearest is 8");
    NO(box[0], 30, WSIM_OPERAND,
       "box[0] is 30: a row of dtype FLOAT16 comes in pieces of 16 bytes");
    for (s = WSIM_SWIZZLE_32B; s <= WSIM_SWIZZLE_128B; s++) {
        t.swizzle = (enum wsim_swizzle)s;
        t.interleave = WSIM_TENSOR_INTERLEAVE_NONE;
        YES(box[0], spans[s] / 2);
        NO(box[0], spans[s] / 2 + 8, WSIM_OPERAND, "has rows of at most");
        t.interleave = WSIM_TENSOR_INTERLEAVE_16B;
        YES(box[0], 128);
        NO(box[0], 12, WSIM_OPERAND, "pieces of 16 bytes");
        t.interleave = WSIM_TENSOR_INTERLEAVE_32B; /* with any swizzle, whatever is documented */
        YES(box[0], 128);
    }
}
END_TEST

/* 228 KiB, each entry divided by its element stride and rounded down, dimension 0 as well. */
START_TEST(bytes_of_a_box) {
    struct wsim_tensor t = tiled();
    t.dtype = WSIM_TENSOR_UINT8;
    t.box[0] = 256;
    t.box[1] = 228;
    YES(box[2], 4);
    NO(box[2], 5, WSIM_OPERAND,
       "has 291840 bytes: it can have at most 233472, the shared memory of "
       "an SM; the nearest is box[2] of 4");
    t.box[2] = 5;
    YES(estrides[2], 2);
    YES(estrides[0], 3); /* 85 * 228 * 5 */
    t.box[1] = 256;
    t.box[2] = 256;
    NO(estrides[0], 4, WSIM_OPERAND, "has 4194304 bytes");
    t.rank = 4;
    t.dims[3] = 2;
    t.strides[2] = 16;
    t.estrides[3] = 1;
    NO(box[3], 256, WSIM_OPERAND, "has 4294967296 bytes"); /* not 0 of 32 bits */
    t.estrides[3] = 8;
    YES(box[3], 7); /* rounded down it has no byte at all */
}
END_TEST

START_TEST(kinds) {
    struct wsim_tensor t = tiled();
    unsigned type;
    for (type = WSIM_TENSOR_UINT8; type < WSIM_TENSOR_16U4_ALIGN8B; type++) {
        t.dtype = (enum wsim_tensor_type)type;
        t.oob = WSIM_TENSOR_FILL_ZERO;
        taken(&t);
        t.oob = WSIM_TENSOR_FILL_NAN;
        if (type >= WSIM_TENSOR_FLOAT16)
            taken(&t);
        else
            refused(&t, WSIM_OPERAND, "oob is NAN: only floating-point types");
    }
    t = tiled();
    t.rank = 2;
    NO(interleave, WSIM_TENSOR_INTERLEAVE_16B, WSIM_OPERAND,
       "rank is 2: interleave 16B needs at least 3; the nearest is 3");
    t.rank = 1;
    taken(&t);
    NO(mode, (enum wsim_tensor_mode)4, WSIM_OPERAND, "mode is 4");
    NO(dtype, (enum wsim_tensor_type)16, WSIM_OPERAND, "dtype is 16, not in the enumeration");
    NO(interleave, (enum wsim_tensor_interleave)3, WSIM_OPERAND, "interleave is 3");
    NO(swizzle, (enum wsim_swizzle)7, WSIM_OPERAND, "swizzle is 7");
    NO(oob, (enum wsim_tensor_fill)2, WSIM_OPERAND, "oob is 2");
}
END_TEST

START_TEST(what_a_target_has) {
    struct wsim_tensor t = tiled();
    ck_assert_int_eq(wsim_tensor_check(&t, NULL, NULL), WSIM_ILLEGAL);
    NO(dtype, WSIM_TENSOR_16U4_ALIGN8B, WSIM_ILLEGAL, "sm_90a lacks; sm_100 has it");
    NO(swizzle, WSIM_SWIZZLE_128B_ATOM_64B, WSIM_ILLEGAL, "swizzle 128B_ATOM_64B needs");
    arch = wsim_arch_find("sm_80");
    refused(&t, WSIM_ILLEGAL, "a tensor map needs feature 'hopper', which sm_80 lacks");
    arch = wsim_arch_find("sm_100");
    YES(swizzle, WSIM_SWIZZLE_128B_ATOM_64B);
    t.dtype = WSIM_TENSOR_16U6_ALIGN16B;
    t.dims[0] = 256;
    t.box[0] = 128;
    taken(&t);
    NO(base, 16, WSIM_ALIGN, "dtype 16U6_ALIGN16B needs a multiple of 32");
    NO(dims[0], 64, WSIM_OPERAND, "dims[0] is 64: dtype 16U6_ALIGN16B needs a multiple of 128");
    NO(box[0], 64, WSIM_OPERAND, "can only have 128");
    NO(swizzle, WSIM_SWIZZLE_32B, WSIM_OPERAND, "swizzle is 32B");
    NO(interleave, WSIM_TENSOR_INTERLEAVE_32B, WSIM_OPERAND, "interleave is 32B");
    arch = wsim_arch_find("sm_90a");
}
END_TEST

START_TEST(corners) {
    static const int32_t most[] = {32767, 127, 15};
    uint32_t rank;
    for (rank = 3; rank <= 5; rank++) {
        struct wsim_tensor t = im2col(rank);
        int32_t last = most[rank - 3];
        uint32_t i;
        taken(&t);
        for (i = 0; i + 2 < rank; i++) {
            t = im2col(rank);
            YES(lower[i], -last - 1);
            NO(lower[i], -last - 2, WSIM_OPERAND, "the nearest is -");
            YES(upper[i], last);
            NO(upper[i], last + 1, WSIM_OPERAND, "in rank");
            t.dims[i + 1] = 5;
            t.upper[i] = -2;
            YES(lower[i], 2); /* one pixel: 2 of 0 to 2 */
            NO(lower[i], 3, WSIM_OPERAND, "to before dims[");
        }
    }
    for (rank = 0; rank < 3; rank++) {
        struct wsim_tensor t = im2col(rank);
        refused(&t, WSIM_OPERAND, "it can be 3 to 5");
    }
}
END_TEST

/* The first spatial dimension is the first after the channels; slices leave no channels there. */
START_TEST(corners_belong_to_dimensions) {
    struct wsim_tensor t = im2col(4);
    t.upper[0] = -35;
    taken(&t); /* 40 wide */
    t.upper[0] = 0;
    NO(upper[1], -35, WSIM_OPERAND, "dims[2] + upper[1]"); /* 30 high */
    t.interleave = WSIM_TENSOR_INTERLEAVE_16B;
    NO(upper[1], -40, WSIM_OPERAND, "dims[1] + upper[1]");
    YES(upper[0], -50); /* 64 wide */
}
END_TEST

/* The driver adds in 32 bits. */
START_TEST(corners_of_large_dimensions) {
    struct wsim_tensor t = im2col(3);
    YES(dims[1], 0x7FFFFFFF);
    NO(dims[1], 0x80000000, WSIM_OPERAND, "is -2147483648 in 32 bits");
    t.upper[0] = 1;
    NO(dims[1], 0x7FFFFFFF, WSIM_OPERAND, "the nearest is 2147483646");
    YES(dims[1], UINT64_C(1) << 32); /* 2^32 + 1 is 1 */
    t.lower[0] = 1;
    NO(dims[1], UINT64_C(1) << 32, WSIM_OPERAND, "it is 1 in 32 bits");
}
END_TEST

START_TEST(pixels) {
    struct wsim_tensor t = im2col(3);
    YES(channels, 256);
    NO(channels, 257, WSIM_OPERAND, "channels is 257: it can be 1 to 256");
    NO(channels, 0, WSIM_OPERAND, "channels is 0");
    NO(channels, 12, WSIM_OPERAND, "channels is 12: a row of dtype FLOAT16");
    YES(pixels, 1024);
    NO(pixels, 1025, WSIM_OPERAND, "pixels is 1025: it can be 1 to 1024");
    NO(pixels, 0, WSIM_OPERAND, "pixels is 0");
    t.channels = 128;
    YES(pixels, 912);
    NO(pixels, 913, WSIM_OPERAND,
       "channels * pixels has 233728 bytes: it can have at most 233472, "
       "the shared memory of an SM; the nearest is pixels of 912");
    t.estrides[0] = 8; /* no way out */
    NO(pixels, 913, WSIM_OPERAND, "has 233728 bytes");
    t.swizzle = WSIM_SWIZZLE_64B;
    YES(channels, 32);
    NO(channels, 40, WSIM_OPERAND, "channels is 40, 80 bytes: swizzle 64B has rows of at most 64");
}
END_TEST

/* --- strides that nobody gave --- */

static const struct {
    struct wsim_tensor t;
    enum wsim_status status;
    const char *words; /* of the refusal */
    uint64_t strides[4];
} packed[] = {
    {{.dtype = WSIM_TENSOR_FLOAT16, .rank = 2, .dims = {64, 48}}, WSIM_OK, "", {128}},
    {{.dtype = WSIM_TENSOR_FLOAT32, .rank = 4, .dims = {4, 3, 5, 7}}, WSIM_OK, "", {16, 48, 240}},
    {{.dtype = WSIM_TENSOR_16U4_ALIGN8B, .rank = 2, .dims = {64, 9}}, WSIM_OK, "", {32}},
    {{.dtype = WSIM_TENSOR_16U6_ALIGN16B, .rank = 2, .dims = {128, 9}}, WSIM_OK, "", {96}},
    {{.dtype = WSIM_TENSOR_UINT16,
      .interleave = WSIM_TENSOR_INTERLEAVE_16B,
      .rank = 4,
      .dims = {14, 14, 4, 2}},
     WSIM_OK,
     "",
     {224, 3136, 12544}},
    {{.dtype = WSIM_TENSOR_UINT8, .rank = 1, .dims = {3}}, WSIM_OK, "", {0}},
    {{.dtype = WSIM_TENSOR_FLOAT16, .rank = 2, .dims = {65, 48}},
     WSIM_ALIGN,
     "strides[0] is 130 bytes, and must be a multiple of 16: pad each row to 144",
     {0}},
    {{.dtype = WSIM_TENSOR_16U4_ALIGN16B, .rank = 2, .dims = {32, 48}},
     WSIM_ALIGN,
     "multiple of 32",
     {0}},
    {{.dtype = WSIM_TENSOR_UINT64, .rank = 3, .dims = {UINT32_MAX - 1, UINT32_MAX, 2}},
     WSIM_OPERAND,
     "strides",
     {0}},
    {{.dtype = WSIM_TENSOR_UINT8, .rank = 0}, WSIM_OPERAND, "rank", {0}},
    {{.dtype = WSIM_TENSOR_UINT8, .rank = 77}, WSIM_OPERAND, "rank", {0}},
    {{.dtype = WSIM_TENSOR_UINT8, .rank = 2, .dims = {16, 0}}, WSIM_OPERAND, "dims[1]", {0}},
    {{.dtype = (enum wsim_tensor_type)99, .rank = 2, .dims = {16, 2}}, WSIM_OPERAND, "dtype", {0}},
};

static void pack(size_t i) {
    struct wsim_tensor t = packed[i].t;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    memset(t.strides, 0x5A, sizeof t.strides);
    ck_assert_msg(wsim_tensor_pack(&t, &diag) == packed[i].status, "%d: %s", (int)i, diag.text);
    ck_assert_msg(strstr(diag.text, packed[i].words) != NULL, "%d: %s", (int)i, diag.text);
    for (uint32_t k = 0; k + 1 < WSIM_TENSOR_RANK; k++)
        ck_assert_uint_eq(t.strides[k], packed[i].status == WSIM_OK && k + 1 < t.rank
                                            ? packed[i].strides[k]
                                            : UINT64_C(0x5A5A5A5A5A5A5A5A));
}

START_TEST(strides_without_gaps) {
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        pack(i);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {limits,
                                  past_the_rank_nothing_is_looked_at,
                                  alignment,
                                  rows,
                                  bytes_of_a_box,
                                  kinds,
                                  what_a_target_has,
                                  corners,
                                  corners_belong_to_dimensions,
                                  corners_of_large_dimensions,
                                  pixels,
                                  strides_without_gaps};
    arch = wsim_arch_find("sm_90a");
    return run_tests("rules", tests, sizeof tests / sizeof tests[0]);
}
