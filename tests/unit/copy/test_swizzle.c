/* Swizzles against addresses worked out by hand from the tables of the PTX ISA. */
#include "fixture.h"

static const struct {
    const char *mode;
    uint32_t from, to;
} vectors[] = {
    {"NONE", 0x3a8, 0x3a8},
    {"32B", 0x080, 0x090},
    {"32B", 0x0f8, 0x0e8},
    {"32B", 0x100, 0x100},
    {"64B", 0x080, 0x090},
    {"64B", 0x1b8, 0x188},
    {"64B", 0x200, 0x200},
    {"128B", 0x080, 0x090},
    {"128B", 0x0f0, 0x0e0},
    {"128B", 0x3a8, 0x3d8},
    {"128B", 0x400, 0x400},
    {"128B_ATOM_32B", 0x080, 0x0a0},
    {"128B_ATOM_32B", 0x198, 0x1f8},
    {"128B_ATOM_32B_FLIP_8B", 0x080, 0x0a8},
    {"128B_ATOM_32B_FLIP_8B", 0x088, 0x0a0},
    {"128B_ATOM_64B", 0x080, 0x0c0},
    {"128B_ATOM_64B", 0x100, 0x100},
};

START_TEST(addresses_move_as_documented) {
    unsigned i;
    for (i = 0; i < COUNT(vectors); i++) {
        enum wsim_swizzle mode = wsim_swizzle_find(vectors[i].mode);
        ck_assert_uint_eq(wsim_swizzle_apply(mode, vectors[i].from), vectors[i].to);
        ck_assert_uint_eq(wsim_swizzle_apply(mode, vectors[i].to), vectors[i].from);
    }
}
END_TEST

/* A swizzle is its own inverse, stays in its line, and repeats. */
START_TEST(every_address_comes_back) {
    unsigned mode, a;
    for (mode = 0; mode < WSIM_SWIZZLES; mode++)
        for (a = 0; a < 4096; a++) {
            uint32_t to = wsim_swizzle_apply((enum wsim_swizzle)mode, a);
            uint32_t period = wsim_swizzle_period((enum wsim_swizzle)mode);
            ck_assert_uint_eq(wsim_swizzle_apply((enum wsim_swizzle)mode, to), a);
            ck_assert_uint_eq(to / 128, a / 128);
            ck_assert_uint_eq(wsim_swizzle_apply((enum wsim_swizzle)mode, a + period), to + period);
        }
}
END_TEST

/* The formula of the published talks, chunk = y16 ^ x16 with x16 and y16 of the address, for rows
 * as wide as the swizzle. */
START_TEST(the_published_index_formula) {
    static const struct {
        const char *mode;
        unsigned pitch;
    } rows[] = {{"32B", 32}, {"64B", 64}, {"128B", 128}};
    unsigned i, y, x;
    for (i = 0; i < COUNT(rows); i++)
        for (y = 0; y < 64; y++)
            for (x = 0; x < rows[i].pitch; x += 16) {
                unsigned i16 = (y * rows[i].pitch + x) / 16, y16 = i16 / 8, x16 = i16 % 8;
                unsigned swz = (y16 ^ x16) * 16 % rows[i].pitch;
                ck_assert_uint_eq(
                    wsim_swizzle_apply(wsim_swizzle_find(rows[i].mode), y * rows[i].pitch + x),
                    y * rows[i].pitch + swz);
            }
}
END_TEST

START_TEST(what_is_no_mode_moves_nothing) {
    for (int mode = WSIM_SWIZZLES; mode < 300; mode += 37) {
        ck_assert_uint_eq(wsim_swizzle_apply((enum wsim_swizzle)mode, 0x12345678), 0x12345678);
        ck_assert_uint_eq(wsim_swizzle_span((enum wsim_swizzle)mode), 0);
        ck_assert_uint_eq(wsim_swizzle_period((enum wsim_swizzle)mode), 16);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {addresses_move_as_documented, every_address_comes_back,
                                  the_published_index_formula, what_is_no_mode_moves_nothing};
    return run_tests("copy/swizzle", tests, COUNT(tests));
}
