/* Random programs give the same bits in every way to run them. The judge is the plain way, one lane
 * at a time in integers.
 *
 * test_random write SEED COUNT FOLDER writes programs as launch files that expect what wsim
 * computes; `wsim-hw launch` runs them on a GPU (lab/random). */
#include "program.h"

#include "../apart.h"
#include "../every.h"
#include "../run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <wsim/kernel.h>

enum { ROUNDS = 64 };

/* One way to run a program. */
static const struct way {
    const char *name;
    uint32_t flags, checks, threads, seed;
    int apart; /* addresses are no pointers of the host */
    uint8_t counts;
} ways[] = {
    {"plain", WSIM_MODULE_PLAIN, 0, 1, 0, 0, 1},
    {"rows", 0, 0, 1, 0, 0, 0},
    {"rows, with counts", 0, 0, 1, 0, 0, 1},
    {"rows, with checks", 0, WSIM_CHECK_ALL, 1, 0, 0, 0},
    {"shuffled", 0, 0, 1, 5, 0, 0},
    {"two threads, with checks", 0, WSIM_CHECK_ALL, 2, 0, 0, 0},
    {"two threads", 0, 0, 2, 0, 0, 0},
    {"apart", 0, 0, 1, 0, 1, 0},
    {"apart, with checks", 0, WSIM_CHECK_ALL, 1, 0, 1, 0},
#ifdef WSIM_MODULE_ONE_BY_ONE
    {"operation by operation", WSIM_MODULE_ONE_BY_ONE, 0, 1, 0, 0, 1},
    {"operation by operation, with checks", WSIM_MODULE_ONE_BY_ONE, WSIM_CHECK_ALL, 1, 0, 0, 0},
#endif
};

/* The results of a run. */
struct left {
    uint8_t *output;
    uint64_t instructions, findings, costs;
};

static void run_program(const struct program *program, const struct way *way, struct left *left) {
    static uint32_t input[PROGRAM_INPUT / 4];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_totals totals;
    struct wsim_line line;
    uint64_t at[2] = {APART_BASE, APART_BASE + PROGRAM_INPUT};
    void *owned[2] = {NULL, NULL};
    size_t bytes = program_output(program);
    struct wsim_launch launch = {.grid = {program->grid},
                                 .block = {program->block},
                                 .params = at,
                                 .param_bytes = sizeof at,
                                 .checks = way->checks,
                                 .threads = way->threads,
                                 .seed = way->seed,
                                 .count = way->counts,
                                 .max_instructions = 20000000};
    if (!input[1])
        program_input(input);
    ck_assert_msg(
        !wsim_module_load(program->text, strlen(program->text), way->flags, &module, &diag),
        "%u:%u: %s", diag.line, diag.col, diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    if (way->apart) {
        owned[0] = apart_buffer(device, "in", at[0], sizeof input);
        owned[1] = apart_buffer(device, "out", at[1], bytes);
    } else {
        ck_assert_int_eq(wsim_device_alloc(device, "in", sizeof input, 0, &at[0], NULL), WSIM_OK);
        ck_assert_int_eq(wsim_device_alloc(device, "out", bytes, 0, &at[1], NULL), WSIM_OK);
    }
    ck_assert_int_eq(wsim_device_write(device, at[0], input, sizeof input, NULL), WSIM_OK);
    memset(left->output, 0, bytes);
    ck_assert_int_eq(wsim_device_write(device, at[1], left->output, bytes, NULL), WSIM_OK);
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s: %s: %s",
                  way->name, diag.rule, diag.text);
    ck_assert_int_eq(wsim_device_read(device, at[1], left->output, bytes, NULL), WSIM_OK);
    wsim_report_totals(report, &totals);
    left->instructions = totals.instructions;
    left->findings = totals.findings;
    left->costs = 0;
    for (size_t i = 0; wsim_report_line(report, i, &line); i++) {
        const uint64_t numbers[] = {line.executed,          line.threads,
                                    line.shared.accesses,   line.shared.wavefronts,
                                    line.shared.ideal,      line.shared.conflicts,
                                    line.written.accesses,  line.written.wavefronts,
                                    line.written.conflicts, line.uncounted,
                                    line.requests,          line.sectors,
                                    line.sectors_ideal,     line.lines};
        for (size_t k = 0; k < COUNT(numbers); k++)
            left->costs = (left->costs ^ numbers[k]) * UINT64_C(0x9E3779B97F4A7C15) >> 3;
    }
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
    free(owned[0]);
    free(owned[1]);
}

/* `most`: ways with more checks are left out. */
static void check_program(uint64_t seed, void (*draw)(uint64_t, struct program *), uint32_t most) {
    static struct program program;
    struct left first = {0}, other = {0};
    size_t bytes;
    draw(seed, &program);
    bytes = program_output(&program);
    first.output = malloc(bytes);
    other.output = malloc(bytes);
    ck_assert(first.output && other.output);
    run_program(&program, &ways[0], &first);
    for (size_t w = 1; w < COUNT(ways); w++) {
        if (ways[w].checks > most)
            continue;
        run_program(&program, &ways[w], &other);
        for (size_t i = 0; i < bytes; i++)
            expect(first.output[i] == other.output[i], "seed %" PRIu64 ", %s: byte %zu", seed,
                   ways[w].name, i);
        /* how often a thread asks for a phase depends on the order of warps */
        ck_assert_msg((ways[w].seed && strstr(program.text, "_wait.")) ||
                          first.instructions == other.instructions,
                      "seed %" PRIu64 ", %s: %" PRIu64 " instructions, plain %" PRIu64, seed,
                      ways[w].name, other.instructions, first.instructions);
        ck_assert_msg(!ways[w].counts || first.costs == other.costs, "seed %" PRIu64 ", %s: costs",
                      seed, ways[w].name);
        ck_assert_msg(!other.findings, "seed %" PRIu64 ", %s: %" PRIu64 " findings", seed,
                      ways[w].name, other.findings);
    }
    free(first.output);
    free(other.output);
}

/* WSIM_RANDOM_SEED: the first seed, for fresh ones. */
START_TEST(programs_are_equal) {
    const char *from = getenv("WSIM_RANDOM_SEED");
    check_program((from ? strtoull(from, NULL, 0) : 1) + (uint64_t)_i, program_draw, UINT32_MAX);
}
END_TEST

/* Many blocks that take the same way: without checks, tapes play them (sim/step/tape.h). Sanitizers
 * make them long, and their sample leaves out the ways with checks, which play no tape. */
START_TEST(blocks_are_alike) {
    const char *from = getenv("WSIM_RANDOM_SEED");
    check_program((from ? strtoull(from, NULL, 0) : 1) + (uint64_t)_i, program_draw_alike,
                  run_sample() < 32 ? UINT32_MAX : 0);
}
END_TEST

static void write_bytes(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[4096];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    ck_assert_msg(file && fwrite(bytes, 1, size, file) == size && !fclose(file), "%s: %s", path,
                  strerror(errno));
}

static void write_program(uint64_t seed, const char *folder) {
    static struct program program;
    char name[64], text[1024];
    struct left left;
    size_t bytes;
    program_draw(seed, &program);
    bytes = program_output(&program);
    left.output = malloc(bytes);
    ck_assert_ptr_nonnull(left.output);
    run_program(&program, &ways[1], &left);
    snprintf(name, sizeof name, "p%" PRIu64 ".ptx", seed);
    write_bytes(folder, name, program.text, strlen(program.text));
    snprintf(name, sizeof name, "p%" PRIu64 ".out", seed);
    write_bytes(folder, name, left.output, bytes);
    snprintf(text, sizeof text,
             "{\"ptx\": \"p%" PRIu64 ".ptx\", \"arch\": \"sm_90a\",\n"
             "\"buffers\": {\"in\": {\"bytes\": %d, \"file\": \"in.bin\"}, \"out\": {\"bytes\": "
             "%zu, \"fill\": 0}},\n"
             "\"launches\": [{\"kernel\": \"k\", \"grid\": [%u], \"block\": [%u], \"args\": "
             "[{\"buffer\": \"in\"}, "
             "{\"buffer\": \"out\"}]}],\n\"expect\": {\"out\": {\"file\": \"p%" PRIu64
             ".out\"}}}\n",
             seed, PROGRAM_INPUT, bytes, program.grid, program.block, seed);
    snprintf(name, sizeof name, "p%" PRIu64 ".json", seed);
    write_bytes(folder, name, text, strlen(text));
    free(left.output);
}

static char **words; /* of the command line */

START_TEST(programs_are_written) {
    static uint32_t input[PROGRAM_INPUT / 4];
    uint64_t seed = strtoull(words[2], NULL, 0);
    program_input(input);
    write_bytes(words[4], "in.bin", input, sizeof input);
    for (uint64_t i = strtoull(words[3], NULL, 0); i; i--)
        write_program(seed++, words[4]);
}
END_TEST

int main(int argc, char **argv) {
    const char *rounds = getenv("WSIM_RANDOM_ROUNDS");
    TCase *tcase = tcase_create("random");
    words = argv;
    tcase_set_timeout(tcase, 0);
    if (argc == 5 && !strcmp(argv[1], "write"))
        tcase_add_test(tcase, programs_are_written);
    else {
        const int turns = rounds ? atoi(rounds) : run_turns(ROUNDS);
        tcase_add_loop_test(tcase, programs_are_equal, 0, turns);
        /* programs whose blocks are alike take longer */
        tcase_add_loop_test(tcase, blocks_are_alike, 0, (turns + 7) / 8);
    }
    return run_case("random programs", tcase);
}
