/* Random kernels with races that are known. A kernel without a race has no finding. One with a race
 * has a finding.
 *
 * test_hazards FIRST COUNT runs other seeds and prints each kernel that is judged otherwise;
 * test_hazards SEED right|wrong prints a kernel (lab/hazards). */
#include "hazard.h"

#include "../every.h"
#include "../run.h"

#include <inttypes.h>
#include <string.h>
#include <wsim/kernel.h>

enum { ROUNDS = 400 };

static struct hazard hazard;

static uint64_t refused(const struct wsim_diag *diag, char rule[64]) {
    printf("%u:%u: %s\n", diag->line, diag->col, diag->text);
    snprintf(rule, 64, "refused: %.40s", diag->rule ? diag->rule : "no memory");
    return UINT64_MAX;
}

/* The number of findings, and the first one. */
static uint64_t findings_of(uint64_t seed, int late, char rule[64]) {
    static uint32_t words[2048];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_finding finding;
    struct wsim_diag diag;
    uint64_t at[2], found = 0;
    struct wsim_launch launch = {.grid = {hazard.blocks},
                                 .block = {hazard.threads},
                                 .cluster = {hazard.blocks},
                                 .params = at,
                                 .param_bytes = sizeof at,
                                 .checks = WSIM_CHECK_ALL,
                                 .threads = 1,
                                 .seed = seed,
                                 .async = (uint8_t)late,
                                 .max_instructions = 2000000};
    rule[0] = 0;
    for (uint32_t i = 0; i < 2048; i++)
        words[i] = 1000 + i;
    if (wsim_module_load(hazard.text, strlen(hazard.text), 0, &module, &diag))
        return refused(&diag, rule);
    if (wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag))
        return refused(&diag, rule);
    for (unsigned i = 0; i < 2; i++)
        if (wsim_device_alloc(device, i ? "out" : "in", sizeof words, 0, &at[i], &diag) ||
            wsim_device_write(device, at[i], words, sizeof words, &diag))
            return refused(&diag, rule);
    if (wsim_launch_run(device, module, &launch, &report, &diag))
        return refused(&diag, rule);
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++)
        if (finding.severity != WSIM_SEVERITY_NOTE || !strncmp(finding.rule, "advice.race", 11))
            if (!found++)
                snprintf(rule, 64, "%s", finding.rule);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
    return found;
}

/* Whether wsim and the judge agree about a kernel. */
static int agrees(uint64_t seed, int broken, uint64_t order, int late, char rule[64]) {
    uint64_t found;
    if (!hazard_draw(seed, broken, &hazard))
        return 1;
    found = findings_of(order, late, rule);
    return found != UINT64_MAX && (found != 0) == hazard.races;
}

/* wsim misses the race of these: a fence of all lanes, and a flag of one lane, behind a red. */
static const uint64_t missed[] = {110};

static int is_missed(uint64_t seed) {
    for (size_t i = 0; i < COUNT(missed); i++)
        if (missed[i] == seed)
            return 1;
    return 0;
}

START_TEST(races_are_found) {
    char rule[64];
    const uint64_t seed = (uint64_t)_i;
    expect(agrees(seed, 0, 0, 0, rule), "seed %d, right: %s", _i, rule);
    expect(agrees(seed, 1, 0, 0, rule) != is_missed(seed), "seed %d, wrong (%s; %s): %s", _i,
           hazard.what, hazard.races ? "a race" : "no race", rule[0] ? rule : "no finding");
}
END_TEST

static int run_many(uint64_t first, uint64_t count) {
    uint64_t differ = 0, races = 0, kernels = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        for (unsigned way = 0; way < 4; way++) {
            const int broken = way > 2;
            char rule[64] = "";
            const int agree = agrees(seed, broken, way == 1 ? seed : 0, way == 2, rule);
            kernels++;
            races += (uint64_t)hazard.races;
            if (agree)
                continue;
            differ++;
            printf("%" PRIu64 " %s: %s: %s, wsim: %s\n", seed, broken ? "wrong" : "right",
                   hazard.what, hazard.races ? "a race" : "no race", rule[0] ? rule : "no finding");
        }
    printf("kernels %" PRIu64 " races %" PRIu64 " differ %" PRIu64 "\n", kernels, races, differ);
    return differ != 0;
}

int main(int argc, char **argv) {
    TCase *tcase;
    if (argc == 3 && argv[2][0] >= '0' && argv[2][0] <= '9')
        return run_many(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
    if (argc == 3) {
        hazard_draw(strtoull(argv[1], NULL, 0), !strcmp(argv[2], "wrong"), &hazard);
        printf("// %s; %s; grid %u, block %u, cluster %u\n%s", hazard.what,
               hazard.races ? "a race" : "no race", hazard.blocks, hazard.threads, hazard.blocks,
               hazard.text);
        return 0;
    }
    tcase = tcase_create("hazards");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, races_are_found, 0, run_turns(ROUNDS));
    return run_case("random hazards", tcase);
}
