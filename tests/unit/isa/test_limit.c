/* test_limit.c - limits of architectures, written down again from the CUDA Programming Guide, table
 * "Technical Specifications per Compute Capability", and "Green Contexts". */
#include "../../every.h"

#include <wsim/isa.h>

static const struct {
    const char *arch;
    uint32_t threads, blocks, shared_kib, optin_kib, cluster, part, step, columns;
} rows[] = {
    {"sm_70", 2048, 32, 96, 96, 1, 2, 2, 0},        {"sm_75", 1024, 16, 64, 64, 1, 2, 2, 0},
    {"sm_80", 2048, 32, 164, 163, 1, 4, 2, 0},      {"sm_86", 1536, 16, 100, 99, 1, 4, 2, 0},
    {"sm_87", 1536, 16, 164, 163, 1, 4, 2, 0},      {"sm_89", 1536, 24, 100, 99, 1, 4, 2, 0},
    {"sm_90", 2048, 32, 228, 227, 16, 8, 8, 0},     {"sm_90a", 2048, 32, 228, 227, 16, 8, 8, 0},
    {"sm_100a", 2048, 32, 228, 227, 16, 8, 8, 512}, {"sm_107", 2048, 32, 228, 227, 16, 8, 8, 512},
    {"sm_120a", 1536, 24, 100, 99, 16, 8, 8, 0},
};

static uint64_t limit(enum wsim_limit which) {
    return wsim_arch_limit(wsim_arch_find(rows[0].arch), which);
}

START_TEST(by_target) {
    const struct wsim_arch *arch = wsim_arch_find(rows[_i].arch);
    const uint64_t shared = wsim_arch_limit(arch, WSIM_LIMIT_SM_SHARED);
    const uint64_t most = wsim_arch_limit(arch, WSIM_LIMIT_BLOCK_SHARED_OPTIN);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_SM_THREADS), rows[_i].threads);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_SM_WARPS), rows[_i].threads / 32);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_SM_BLOCKS), rows[_i].blocks);
    ck_assert_uint_eq(shared, rows[_i].shared_kib * 1024);
    ck_assert_uint_eq(most, rows[_i].optin_kib * 1024);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_BLOCK_SHARED_RESERVED), shared - most);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_CLUSTER_BLOCKS), rows[_i].cluster);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_PART_SMS), rows[_i].part);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_PART_STEP), rows[_i].step);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_TENSOR_COLUMNS), rows[_i].columns);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_CLUSTER_PORTABLE),
                      rows[_i].cluster > 1 ? 8 : 1);
}
END_TEST

START_TEST(everywhere) {
    ck_assert_uint_eq(limit(WSIM_LIMIT_WARP_LANES), 32);
    ck_assert_uint_eq(limit(WSIM_LIMIT_GRID_X), 2147483647);
    ck_assert_uint_eq(limit(WSIM_LIMIT_GRID_Y), 65535);
    ck_assert_uint_eq(limit(WSIM_LIMIT_GRID_Z), 65535);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_THREADS), 1024);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_X), 1024);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_Y), 1024);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_Z), 64);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_BARRIERS), 16);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_REGISTERS), 65536);
    ck_assert_uint_eq(limit(WSIM_LIMIT_BLOCK_SHARED), 49152);
    ck_assert_uint_eq(limit(WSIM_LIMIT_THREAD_REGISTERS), 255);
    ck_assert_uint_eq(limit(WSIM_LIMIT_THREAD_LOCAL), 524288);
    ck_assert_uint_eq(limit(WSIM_LIMIT_SM_REGISTERS), 65536);
    ck_assert_uint_eq(limit(WSIM_LIMIT_CONSTANT), 65536);
    ck_assert_uint_eq(limit(WSIM_LIMIT_HEAP), 8388608);
    ck_assert_uint_eq(limit(WSIM_LIMIT_SMS), 80);
    ck_assert_uint_eq(limit(WSIM_LIMIT_MEMORY_UNIT), 512);
    ck_assert_uint_eq(limit(WSIM_LIMIT_MEMORY_SHARES), 2097152);
    ck_assert_uint_eq(limit(WSIM_LIMIT_POOL_PIECE), 33554432);
    ck_assert_uint_eq(limit(WSIM_LIMITS), 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{by_target, 0, COUNT(rows)}, {everywhere, 0, 1}};
    return every_run("unit/isa/limit", tests, COUNT(tests));
}
