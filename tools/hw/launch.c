/* launch.c - runs launch files on the GPU, and compares or records the results. */
#include "launch.h"
#include "../lib/launch_files.h"
#include "hw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int record, counters;
    const char *ncu;
    uint64_t rounds;
};

#define AT(field) offsetof(struct options, field)

static const struct hw_option options[] = {
    {"--record", NULL,
     "write what the GPU left into the launch files and beside them: each\n"
     "expectation or, where there is none, each buffer that changed",
     HW_FLAG, AT(record)},
    {"--counters", NULL, "count shared memory with Nsight Compute, and compare or record it",
     HW_FLAG, AT(counters)},
    {"--ncu", "PROGRAM", "where Nsight Compute is (ncu)", HW_TEXT, AT(ncu)},
    {"--rounds", "N", "run each file so often, on memory of its own (2)", HW_COUNT, AT(rounds)},
    {0},
};

struct sums {
    size_t files, launches, compared, different, skipped;
};

static void compare_one(struct launch_run *run, const struct wsim_launch_expect *expect,
                        const uint8_t *got, uint64_t size, struct sums *sums) {
    struct wsim_launch_comparison comparison;
    char words[WSIM_LAUNCH_WORDS];
    sums->compared++;
    if (expect->size != size) {
        printf("%s: %s: %llu bytes, and %llu are expected\n", run->path, expect->name,
               (unsigned long long)size, (unsigned long long)expect->size);
        sums->different++;
        return;
    }
    wsim_launch_compare(expect->bytes, got, size, &expect->limits, &comparison);
    wsim_launch_compare_words(&comparison, &expect->limits, words);
    if (comparison.different || comparison.unequal)
        printf("%s: %s: %s\n", run->path, expect->name, words);
    sums->different += comparison.different != 0;
}

static void compare_counters(struct launch_run *run, struct sums *sums) {
    for (size_t i = 0; i < run->ncounted; i++)
        for (unsigned c = 0; c < WSIM_LAUNCH_COUNTERS; c++) {
            const struct wsim_launch_one *one = &run->launch->launches[i];
            if (one->counted[c] != 1)
                continue;
            sums->compared++;
            if (one->counter[c] == run->counted[i][c])
                continue;
            printf("%s: launches[%zu]: %s is %llu, and %llu is expected\n", run->path, i,
                   wsim_launch_counter_name((enum wsim_launch_counter)c),
                   (unsigned long long)run->counted[i][c], (unsigned long long)one->counter[c]);
            sums->different++;
        }
}

static void compare_printed(struct launch_run *run, struct sums *sums) {
    struct wsim_launch_lines lines = {0};
    if (!run->launch->output_name)
        return;
    sums->compared++;
    if (wsim_launch_compare_lines(run->launch->output, (size_t)run->launch->output_bytes,
                                  run->output, run->output_size, &lines, NULL)) {
        printf("%s: stdout: no memory to compare it\n", run->path);
        sums->different++;
    }
    if (lines.missing || lines.extra) {
        printf("%s: stdout: %llu lines are missing, %llu are not expected\n", run->path,
               (unsigned long long)lines.missing, (unsigned long long)lines.extra);
        sums->different++;
    }
}

static void compare(struct launch_run *run, struct sums *sums) {
    for (size_t i = 0; i < run->launch->nexpects; i++) {
        const struct wsim_launch_expect *expect = &run->launch->expects[i];
        if (expect->symbol)
            compare_one(run, expect, run->symbols[i], run->symbol_bytes[i], sums);
        else
            compare_one(run, expect, run->after[expect->buffer],
                        run->launch->buffers[expect->buffer].bytes, sums);
    }
    compare_printed(run, sums);
    compare_counters(run, sums);
}

/* The whole file; NULL, with the reason in errno. */
static char *read_text(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(WSIM_LAUNCH_TEXT + 1) : NULL;
    *size = text ? fread(text, 1, WSIM_LAUNCH_TEXT + 1, file) : 0;
    if (file)
        fclose(file);
    return text;
}

/* Opens a launch file, with the files that it names below its folder. 0, or 2 after a message. */
static int open_file(struct launch_run *run) {
    const char *slash = strrchr(run->path, '/');
    char folder[4096];
    struct wsim_launch_files files;
    struct wsim_launch_text text = {.files = &files};
    struct wsim_diag diag;
    char *bytes = read_text(run->path, &text.size), where[4096];
    enum wsim_status status;
    if (!bytes)
        return hw_fail(run->path, strerror(errno));
    snprintf(folder, sizeof folder, "%.*s.", slash ? (int)(slash - run->path) + 1 : 0, run->path);
    files = launch_files(folder);
    text.bytes = bytes;
    status = wsim_launch_open(&text, 1, &run->file, NULL, &diag);
    free(bytes);
    if (status) {
        snprintf(where, sizeof where, "%.3900s:%lu:%lu", run->path, (unsigned long)diag.line,
                 (unsigned long)diag.col);
        return hw_fail(where, diag.text);
    }
    run->launch = wsim_launch_parts(run->file);
    return 0;
}

/* Whether a GPU runs a target: one with the letter a is for this GPU alone, f for its family. */
static int is_for(const struct wsim_arch *arch, unsigned capability) {
    char *end;
    unsigned long number = arch ? strtoul(wsim_arch_name(arch) + strlen("sm_"), &end, 10) : 0;
    if (!arch)
        return 1;
    return *end == 'a'   ? number == capability
           : *end == 'f' ? number / 10 == capability / 10
                         : number <= capability;
}

static int run_file(const struct options *o, const char *path, unsigned capability,
                    struct sums *sums) {
    static struct launch_run run;
    int status;
    memset(&run, 0, sizeof run);
    run.path = path;
    status = open_file(&run);
    if (!status && !is_for(run.launch->arch, capability)) {
        printf("%s: skipped: it is for %s\n", path, wsim_arch_name(run.launch->arch));
        sums->skipped++;
        wsim_launch_close(run.file);
        return 0;
    }
    if (!status)
        status = launch_rounds(&run, o->rounds ? (unsigned)o->rounds : 2);
    if (!status && o->counters)
        status = launch_count(&run, o->ncu ? o->ncu : "ncu");
    if (!status && o->record)
        status = launch_record(&run);
    else if (!status)
        compare(&run, sums);
    sums->files++;
    sums->launches += run.launch ? run.launch->nlaunches : 0;
    sums->different += run.problems;
    launch_release(&run);
    wsim_launch_close(run.file);
    return status;
}

static int run(int argc, char **argv) {
    struct options o = {0};
    struct sums sums = {0};
    struct hw_device device;
    int status = hw_options_read(&hw_launch_command, &o, &argc, argv), worst = 0;
    const char *why;
    if (status)
        return status < 0 ? 0 : status;
    if (o.rounds > LAUNCH_ROUNDS)
        return hw_fail("--rounds", "16 at most");
    why = hw_open(&device);
    if (why) {
        fprintf(stderr, "wsim-hw: skipped: %s\n", why);
        return HW_EXIT_SKIPPED;
    }
    for (int i = 1; i < argc; i++) {
        status = run_file(&o, argv[i], device.capability, &sums);
        worst = status ? status : worst;
    }
    printf("files %zu launches %zu compared %zu different %zu\n", sums.files, sums.launches,
           sums.compared, sums.different);
    if (!worst && sums.skipped && !sums.files)
        return HW_EXIT_SKIPPED;
    return worst ? worst : sums.different != 0;
}

const struct hw_command hw_launch_command = {
    "launch",
    "[options] FILE.json...",
    "launch files (docs/kernels.md) on the GPU",
    "\nEach round has other bytes in uninitialised memory, and guards around buffers. Exit "
    "status:\n0 all as expected, 1 different, 2 error (a kernel that trapped too: files after it "
    "cannot run), 77 no GPU, or none that the files are for\n\n"
    "  wsim-hw launch tests/kernels/*/*.json\n"
    "  wsim-hw launch tests/blackwell/*.json\n",
    options,
    1,
    run,
};
