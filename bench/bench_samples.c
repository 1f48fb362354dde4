/* bench_samples.c - warp instructions a second of whole kernels: launch files, and larger launches
 * of their kernels with one and with two threads. Prints rows of tables
 * (lab/reports/performance.md), asserts nothing.
 *
 *     bench_samples FILE.json ...                      a row a launch file
 *     bench_samples --large FILE.json FILE.ptx ...     launches of many blocks, by one thread and
 * two
 *
 * Times are CPU time of the process, by two threads the clock's too. A tenth of the rounds were
 * shorter, as machines are shared. The least one is no measure: where the clock of a virtual
 * machine subtracts stolen time, some rounds look far too short. Each round begins with the memory
 * of the file, whose preparation is not timed. The setup of the launch is (warps, shared memory,
 * counters, a report). */
#include "../tools/lib/launch_files.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#define ROUNDS 7
#define MOST_ROUNDS 400
#define MOST_WAYS 4
#define ENOUGH 0.06 /* seconds of launches */

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct machine {
    struct wsim_session *session;
    const struct wsim_launch_parts *launch;
};
struct way {
    uint32_t checks, threads;
    uint8_t count;
};
struct speed {
    double cpu, clock; /* seconds */
    uint64_t instructions, blocks;
};

/* All launches of a file. */
static int run_launches(struct machine *machine, const struct way *way, struct speed *speed) {
    double cpu, clock;
    speed->instructions = speed->blocks = 0;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), clock = seconds(CLOCK_MONOTONIC);
    for (size_t i = 0; i < machine->launch->nlaunches; i++) {
        struct wsim_report *report;
        struct wsim_totals totals;
        struct wsim_launch launch;
        struct wsim_diag diag;
        wsim_session_describe(machine->session, i, &launch);
        launch.checks = way->checks;
        launch.threads = way->threads;
        launch.count = way->count;
        if (wsim_launch_run(wsim_session_device(machine->session),
                            wsim_session_module(machine->session), &launch, &report, &diag)) {
            fprintf(stderr, "%s\n", diag.text);
            return 0;
        }
        wsim_report_totals(report, &totals);
        wsim_report_free(report);
        speed->instructions += totals.instructions;
        speed->blocks += totals.blocks;
    }
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, clock = seconds(CLOCK_MONOTONIC) - clock;
    speed->cpu = cpu;
    speed->clock = clock;
    return 1;
}

/* Makes the memory anew. */
static int fill(struct machine *machine) {
    struct wsim_diag diag;
    if (!wsim_session_fill(machine->session, &diag) && !wsim_session_check(machine->session, &diag))
        return 1;
    fprintf(stderr, "%s\n", diag.text);
    return 0;
}

static int run_once(struct machine *machine, const struct way *way, struct speed *speed) {
    return fill(machine) && run_launches(machine, way, speed);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time that a tenth of the rounds is shorter than. */
static double tenth(double *times, size_t n) {
    qsort(times, n, sizeof *times, compare);
    return times[n / 10];
}

/* The ways take turns, so that all of them meet the same machine. */
static int run_ways(struct machine *machine, const struct way *ways, size_t n,
                    struct speed *speeds) {
    static double cpu[MOST_WAYS][MOST_ROUNDS], clock[MOST_WAYS][MOST_ROUNDS];
    const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    size_t round = 0;
    do {
        for (size_t w = 0; w < n; w++) {
            if (!run_once(machine, &ways[w], &speeds[w]))
                return 0;
            cpu[w][round] = speeds[w].cpu;
            clock[w][round] = speeds[w].clock;
        }
        round++;
    } while (round < MOST_ROUNDS &&
             (round <= ROUNDS || seconds(CLOCK_PROCESS_CPUTIME_ID) - start < ENOUGH * (double)n));
    for (size_t w = 0; w < n; w++) {
        speeds[w].cpu = tenth(cpu[w], round);
        speeds[w].clock = tenth(clock[w], round);
    }
    return 1;
}

/* --- memory --- */

/* A line of /proc/self/status, in KiB; 0: this is no Linux. */
static long status_of(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    long value = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtol(line + strlen(name), NULL, 10);
    if (file)
        fclose(file);
    return value;
}

/* The growth of the process during a launch, in KiB. It is measured in a child process, which first
 * returns freed memory to the system. */
static long memory_of(struct machine *machine, const struct way *way) {
    struct speed speed;
    long memory[2] = {0, 0};
    int ends[2];
    pid_t child;
    if (pipe(ends) || (child = fork()) < 0)
        return 0;
    if (child == 0) {
        FILE *file;
        /* Once before: code that is touched for the first time is memory too. */
        if (run_once(machine, way, &speed) && fill(machine)) {
#if defined(__GLIBC__)
            malloc_trim(0);
#endif
            if ((file = fopen("/proc/self/clear_refs", "w")) != NULL) {
                fputs("5", file); /* the most so far is what there is now */
                fclose(file);
            }
            memory[0] = status_of("VmRSS:");
            run_launches(machine, way, &speed);
            memory[1] = status_of("VmHWM:");
        }
        if (write(ends[1], memory, sizeof memory) != sizeof memory)
            _exit(1);
        _exit(0);
    }
    if (read(ends[0], memory, sizeof memory) != sizeof memory)
        memory[0] = memory[1] = 0;
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return memory[1] - memory[0];
}

/* Registers of the threads of a block, 255 at most as hardware has them, and its shared memory. */
static double block_of(const struct machine *machine) {
    const struct wsim_launch_one *one = &machine->launch->launches[0];
    struct wsim_kernel_info kernel;
    double threads = 1, registers;
    wsim_kernel_describe(wsim_session_kernel(machine->session, 0), &kernel);
    registers = kernel.registers < 255 ? kernel.registers : 255;
    for (int i = 0; i < 3; i++)
        threads *= one->block[i] ? one->block[i] : 1;
    return (threads * registers * 4 + kernel.shared + one->shared) / 1024;
}

/* "folder/name" of a path to a launch file. */
static const char *short_name(const char *path, char out[128]) {
    const char *end = strrchr(path, '.'), *slash = strrchr(path, '/');
    while (slash && slash > path && slash[-1] != '/')
        slash--;
    path = slash ? slash : path;
    snprintf(out, 128, "%.*s", (int)((end ? end : path + strlen(path)) - path), path);
    return out;
}

/* Alone, and by one thread and two, without checks and with all. */
static int row_of_threads(struct machine *machine, const char *path) {
    static const struct way ways[] = {
        {0, 1, 0}, {0, 2, 0}, {WSIM_CHECK_ALL, 1, 0}, {WSIM_CHECK_ALL, 2, 0}};
    static const struct way counts = {WSIM_CHECK_ALL, 1, 1};
    struct speed speeds[4];
    long memory = memory_of(machine, &ways[0]), checked = memory_of(machine, &counts);
    char name[128];
    if (!run_ways(machine, ways, 4, speeds))
        return 0;
    printf(
        "| %s | %llu | %llu | %.4f | %.4f | %.4f | %.2f | %.2f | %.4f | %.2f | %.2f | %.0f | %ld "
        "| %ld |\n",
        short_name(path, name), (unsigned long long)speeds[0].blocks,
        (unsigned long long)speeds[0].instructions, speeds[0].cpu * 1e3,
        (double)speeds[0].instructions / speeds[0].cpu / 1e6, speeds[1].clock * 1e3,
        speeds[0].clock / speeds[1].clock, speeds[1].cpu / speeds[0].cpu, speeds[2].cpu * 1e3,
        speeds[2].clock / speeds[3].clock, speeds[3].cpu / speeds[2].cpu, block_of(machine), memory,
        checked);
    fflush(stdout);
    return 1;
}

static int row_of(struct machine *machine, const char *path) {
    static const struct way ways[] = {
        {0, 1, 0}, {WSIM_CHECK_ALL, 1, 0}, {0, 1, 1}, {WSIM_CHECK_ALL, 1, 1}};
    struct speed speeds[4];
    char name[128];
    if (!run_ways(machine, ways, 4, speeds))
        return 0;
    printf("| %s | %llu | %.4f | %.4f | %.4f | %.4f | %.4f |\n", short_name(path, name),
           (unsigned long long)speeds[0].instructions, speeds[0].cpu * 1e6,
           (double)speeds[0].instructions / speeds[0].cpu / 1e6, speeds[1].cpu / speeds[0].cpu,
           speeds[2].cpu / speeds[0].cpu, speeds[3].cpu / speeds[0].cpu);
    fflush(stdout);
    return 1;
}

/* The launch file, with `ptx` (which may be NULL) in place of its PTX. */
static int open_file(const char *path, const char *ptx, struct wsim_launch_file **file,
                     struct wsim_diag *diag) {
    static char json[1 << 20], other[4352], folder[4096];
    const char *slash = strrchr(path, '/');
    struct wsim_launch_files files[2] = {launch_files(folder), launch_files(NULL)};
    struct wsim_launch_text texts[2] = {{json, 0, &files[0]}, {other, 0, &files[1]}};
    FILE *stream = fopen(path, "rb");
    snprintf(folder, sizeof folder, "%.*s.", slash ? (int)(slash - path) + 1 : 0, path);
    snprintf(other, sizeof other, "{\"ptx\": \"%s\"}", ptx ? ptx : "");
    texts[0].size = stream ? fread(json, 1, sizeof json, stream) : 0;
    texts[1].size = strlen(other);
    if (stream)
        fclose(stream);
    return wsim_launch_open(texts, ptx ? 2 : 1, file, NULL, diag) == WSIM_OK;
}

static int run_file(const char *path, const char *ptx) {
    const struct wsim_launch_options options = {0};
    struct machine machine = {0};
    struct wsim_launch_file *file;
    struct wsim_diag diag;
    int good = open_file(path, ptx, &file, &diag);
    if (good)
        machine.launch = wsim_launch_parts(file);
    good = good && !wsim_session_make(file, &options, &machine.session, NULL, &diag);
    if (!good)
        fprintf(stderr, "%s:%lu:%lu: %s\n", path, (unsigned long)diag.line, (unsigned long)diag.col,
                diag.text);
    good = good && (ptx ? row_of_threads(&machine, path) : row_of(&machine, path));
    wsim_session_free(machine.session);
    wsim_launch_close(file);
    return good;
}

int main(int argc, char **argv) {
    int large = argc > 1 && strcmp(argv[1], "--large") == 0, good = 1;
    keep_heap();
    if (large) {
        puts("| launch | blocks | instructions | 1 thread, ms | million/s | 2 threads, ms by the "
             "clock | faster | CPU time | all checks, 1 thread, ms | faster | CPU time | a block, "
             "KiB | memory, KiB | all checks, KiB |");
        puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
             "|");
        for (int i = 2; i + 1 < argc; i += 2)
            good &= run_file(argv[i], argv[i + 1]);
    } else {
        puts("| launch | instructions | us | million/s | all checks | counting | both |");
        puts("| --- | --- | --- | --- | --- | --- | --- |");
        for (int i = 1; i < argc; i++)
            good &= run_file(argv[i], NULL);
    }
    return good ? 0 : 2;
}
