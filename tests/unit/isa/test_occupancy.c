/* test_occupancy.c - blocks of an SM as the runtime of an H200 counts them. */
#include "../../run.h"

#include <wsim/wsim.h>

static void read_rows(void (*each)(const unsigned row[4])) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/unit/isa/occupancy.tsv", "r");
    char line[256];
    unsigned row[4], rows = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        if (line[0] != '#') {
            ck_assert_int_eq(sscanf(line, "%u %u %u %u", &row[0], &row[1], &row[2], &row[3]), 4);
            each(row);
            rows++;
        }
    fclose(file);
    ck_assert_uint_gt(rows, 1000);
}

static void compare(const unsigned row[4]) {
    struct wsim_occupancy got;
    ck_assert_int_eq(
        wsim_arch_occupancy(wsim_arch_find("sm_90a"), row[0], row[1], row[2], &got, NULL), WSIM_OK);
    ck_assert_msg(got.blocks == row[3], "%u threads, %u registers, %u bytes: %u blocks, not %u",
                  row[0], row[1], row[2], (unsigned)got.blocks, row[3]);
    ck_assert_uint_eq(got.warps, got.blocks * ((row[0] + 31) / 32));
}

START_TEST(an_h200_agrees) {
    read_rows(compare);
}
END_TEST

static enum wsim_occupancy_limit limit_of(uint32_t threads, uint32_t registers, uint32_t shared) {
    struct wsim_occupancy got;
    ck_assert_int_eq(
        wsim_arch_occupancy(wsim_arch_find("sm_80"), threads, registers, shared, &got, NULL),
        WSIM_OK);
    return got.limit;
}

START_TEST(the_limit_is_named) {
    ck_assert_int_eq(limit_of(32, 16, 0), WSIM_OCCUPANCY_BLOCKS);
    ck_assert_int_eq(limit_of(1024, 0, 0), WSIM_OCCUPANCY_WARPS);
    ck_assert_int_eq(limit_of(256, 128, 0), WSIM_OCCUPANCY_REGISTERS);
    ck_assert_int_eq(limit_of(128, 32, 100000), WSIM_OCCUPANCY_SHARED);
}
END_TEST

START_TEST(beyond_a_block) {
    static const uint32_t wrong[][3] = {{0, 32, 0}, {1025, 32, 0}, {32, 256, 0}, {32, 32, 232449}};
    struct wsim_occupancy got;
    struct wsim_diag diag;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(wsim_arch_occupancy(wsim_arch_find("sm_90a"), wrong[i][0], wrong[i][1],
                                             wrong[i][2], &got, &diag),
                         WSIM_OPERAND);
        ck_assert_str_eq(diag.rule, "launch.occupancy.range");
    }
}
END_TEST

/* All measured pairs, and no clusters on targets without them. */
START_TEST(clusters_of_an_h200) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/unit/isa/clusters.tsv", "r");
    unsigned blocks, size, clusters, rows = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "#%*[^\n]"), 0);
    for (; fscanf(file, "%u %u %u", &blocks, &size, &clusters) == 3; rows++)
        ck_assert_uint_eq(wsim_arch_clusters(wsim_arch_find("sm_90a"), blocks, size), clusters);
    fclose(file);
    ck_assert_uint_gt(rows, 50);
    ck_assert_uint_eq(wsim_arch_clusters(wsim_arch_find("sm_90a"), 8, 17), 0);
    ck_assert_uint_eq(wsim_arch_clusters(wsim_arch_find("sm_90a"), 8, 0), 0);
    ck_assert_uint_eq(wsim_arch_clusters(wsim_arch_find("sm_80"), 8, 2), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {clusters_of_an_h200, an_h200_agrees, the_limit_is_named,
                                  beyond_a_block};
    return run_tests("unit/isa/occupancy", tests, sizeof tests / sizeof *tests);
}
