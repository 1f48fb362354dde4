/* test_paths.c - every path gives the bits of the plain one. Covers every operation with a kernel,
 * on an architecture of each generation, in all distributions of the stream and of the dossier.
 * WSIM_PATH_RESULTS: how many results at least of each (10000). */
#include "dossier.h"
#include "paths.h"

static void fill_dossier(const struct paths *paths, const struct wsim_plan *plan, unsigned dist,
                         uint32_t *in) {
    static uint64_t seed = 10;
    dossier_fill(&paths->plain.op, paths->plain.arch, plan, (enum dossier_dist)dist, &seed, in);
}

static const struct paths_dists dists[] = {
    {WSIM_DISTS, wsim_dist_name, NULL, NULL},
    {DOSSIER_DISTS, dossier_name, dossier_knows, fill_dossier},
};

START_TEST(path_equals_plain) {
    paths_compare(_i, dists, COUNT(dists));
}
END_TEST

int main(void) {
    struct every_test tests[] = {{path_equals_plain, 0, every_op_count()}};
    return every_run("paths", tests, COUNT(tests));
}
