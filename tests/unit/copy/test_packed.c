/* Copies of packed numbers of 4 and 6 bits: sixteen of them side by side, and with padding behind
 * them. Each byte is computed here anew. */
#include "fixture.h"

#define LOAD "cp.async.bulk.tensor.2d.shared::cta.global.tile." COMPLETE
#define STORE "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"

enum { FROM = 256 };

static struct fixture f;

struct kind {
    enum wsim_tensor_type type;
    uint32_t data, room; /* bytes of sixteen numbers in global and shared memory */
    uint32_t box;        /* numbers of a row */
};
static const struct kind kinds[] = {{WSIM_TENSOR_16U4_ALIGN8B, 8, 8, 64},
                                    {WSIM_TENSOR_16U4_ALIGN8B, 8, 8, 256},
                                    {WSIM_TENSOR_16U4_ALIGN16B, 8, 16, 128},
                                    {WSIM_TENSOR_16U6_ALIGN16B, 12, 16, 128}};

/* A tensor of 384 numbers by 12 rows. */
static void start(const struct kind *kind, enum wsim_swizzle swizzle, int32_t x, int32_t y) {
    const uint64_t dims[] = {384, 12};
    const uint32_t box[] = {kind->box, 8};
    fixture_start(&f);
    f.arch = "sm_100a";
    fixture_tile(&f, kind->type, 2, dims, box);
    f.tensor.strides[0] = 384 / 16 * kind->data + 32;
    f.tensor.swizzle = swizzle;
    f.io.coord[0] = x;
    f.io.coord[1] = y;
}

/* The place of byte `at` of the tile: pieces of 16 bytes change places in a swizzle of 128 bytes.
 */
static uint32_t place(enum wsim_swizzle swizzle, uint32_t at) {
    return swizzle == WSIM_SWIZZLE_128B ? at ^ (at / 128 % 8 * 16) : at;
}

static void look(const struct kind *kind, enum wsim_swizzle swizzle, int32_t x, int32_t y) {
    static struct fixture before;
    const uint32_t row = kind->box / 16 * kind->room;
    uint32_t moved = 0;
    start(kind, swizzle, x, y);
    before = f;
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
    for (uint32_t i = 0; i < 8 * row; i++) {
        const uint32_t group = i % row / kind->room, byte = i % kind->room, at = place(swizzle, i);
        const int64_t line = y + (int64_t)(i / row), first = x / 16 + (int64_t)group;
        uint8_t want = 0;
        if (byte >= kind->data)
            want = before.shared[at]; /* padding */
        else if (line >= 0 && line < 12 && first >= 0 && first < 384 / 16)
            want =
                before
                    .global[FROM + line * (int64_t)f.tensor.strides[0] + first * kind->data + byte];
        moved += byte < kind->data;
        ck_assert_msg(f.shared[at] == want, "byte %u of type %u: %02x, not %02x", i, kind->type,
                      f.shared[at], want);
    }
    ck_assert_uint_eq(f.result.bytes, moved);
}

/* Loads to .shared::cta are for all targets with packed types, and loads to .shared::cluster are
 * not for sm_120a. */
START_TEST(clusters_are_for_some_targets) {
    start(&kinds[0], WSIM_SWIZZLE_NONE, 0, 0);
    f.arch = "sm_120a";
    fixture_refused(&f, "cp.async.bulk.tensor.2d.shared::cluster.global.tile." COMPLETE,
                    WSIM_ILLEGAL, "needs feature 'packed_load', which sm_120a lacks");
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
}
END_TEST

START_TEST(numbers_are_where_the_isa_puts_them) {
    const struct kind *kind = &kinds[_i];
    for (int32_t y = -3; y < 12; y += 5)
        for (int32_t x = -256; x <= 384; x += 128) {
            look(kind, WSIM_SWIZZLE_NONE, x, y);
            if (kind->box / 16 * kind->room == 128)
                look(kind, WSIM_SWIZZLE_128B, x, y);
        }
}
END_TEST

/* Without padding a store is one of bytes, and begins at a multiple of 16. */
START_TEST(numbers_are_stored) {
    start(&kinds[0], WSIM_SWIZZLE_NONE, 32, 1);
    ck_assert_msg(fixture_run(&f, STORE) == WSIM_OK, "%s", f.diag.text);
    for (uint32_t i = 0; i < 8 * 32; i++)
        ck_assert_uint_eq(f.global[FROM + (1 + i / 32) * f.tensor.strides[0] + 16 + i % 32],
                          f.shared[i]);
    start(&kinds[0], WSIM_SWIZZLE_NONE, 16, 1);
    fixture_refused(&f, STORE, WSIM_ALIGN, "coord[0] is 16, byte 8 of its row");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{numbers_are_where_the_isa_puts_them, 0, (int)COUNT(kinds)},
                                       {numbers_are_stored, 0, 1},
                                       {clusters_are_for_some_targets, 0, 1}};
    return every_run("packed", tests, COUNT(tests));
}
