/* access.c - the command `access`: the lines of a file, one launch each, in order. A profiler
 * counts them from outside. The output is the trace without its
 * expectations, which join.awk adds. */
#include "access_launch.h"
#include "access_line.h"
#include "hw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

/* Options of the command. */
struct asked {
    const char *out;
    int branch;
};
#define AT(field) offsetof(struct asked, field)

static const struct hw_option options[] = {
    {"-o", "FILE", "a trace of them, without the counts of a profiler", HW_TEXT, AT(out)},
    {"--branch", NULL,
     "ld st atom red: lanes that are off go round by a branch, without a predicate", HW_FLAG,
     AT(branch)},
    {0},
};

static const struct hw_kernel *find_kernel(const struct hw_session *session,
                                           const struct hw_pattern *pattern) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(&pattern->op, spelling);
    for (size_t i = 0; i < hw_access_count; i++)
        if (strcmp(hw_accesses[i].spelling, spelling) == 0 &&
            hw_accesses[i].selector == pattern->size)
            return hw_accesses[i].targets >> session->code & 1 ? &hw_accesses[i] : NULL;
    return NULL;
}

static void fill(const struct hw_pattern *pattern, int branch, uint64_t key,
                 uint32_t in[HW_ACCESS_ROWS][WSIM_LANES]) {
    for (uint32_t l = 0; l < WSIM_LANES; l++) {
        uint32_t active = pattern->mask >> l & 1;
        in[HW_ROW_ADDRESS][l] = pattern->addr[l];
        in[HW_ROW_PREDICATE][l] = branch ? 1 : active;
        in[HW_ROW_TURNS][l] = branch ? active : 1;
        in[HW_ROW_SOURCE][l] = active ? pattern->src[l] : 0;
        in[HW_ROW_STRIDE][l] = pattern->stride;
        in[HW_ROW_WARM][l] = pattern->warm;
        for (uint32_t row = HW_ROW_VALUE; row < HW_ACCESS_ROWS; row++)
            in[row][l] = (uint32_t)wsim_stream_hash(key, row * WSIM_LANES + l);
    }
}

/* Launches one; NULL, or why it cannot be or did not work. */
static const char *launch(const struct hw_session *session, const struct hw_pattern *pattern,
                          int branch, uint64_t key) {
    static uint32_t in[HW_ACCESS_ROWS][WSIM_LANES], out[HW_RESULT_ROWS][WSIM_LANES];
    const struct hw_kernel *kernel = find_kernel(session, pattern);
    const char *why;
    if (!kernel)
        return "this GPU's code has no kernel for it";
    fill(pattern, branch && !pattern->size, key, in);
    why = hw_access_launch(kernel, in[0], out[0]);
    return why || out[HW_ROW_WINDOW][0] % 1024 == 0 ? why : "its kernel did not run";
}

/* "#key: value" and "#wsim-trace 1": of another run, or the seed of this one. */
static int is_header(const char *line, uint64_t *seed) {
    size_t key = strspn(line + 1, "abcdefghijklmnopqrstuvwxyz-");
    if (strncmp(line, "#seed: ", 7) == 0)
        *seed = strtoull(line + 7, NULL, 0);
    return *line == '#' && key > 0 && (line[key + 1] == ':' || line[key + 1] == ' ');
}

/* The state of a conversion. */
struct work {
    const struct hw_session *session;
    FILE *out;
    uint64_t seed, launches;
    int branch;
};

/* A line: launched if it is a pattern, copied if it is a comment. NULL, or what is wrong. */
static const char *do_line(struct work *work, const char *line) {
    struct hw_pattern pattern;
    static struct wsim_diag diag;
    const char *why;
    if (is_header(line, &work->seed))
        return NULL;
    if (*line == '#' || *line == '\n') {
        fputs(line, work->out);
        return NULL;
    }
    why = hw_pattern_read(line, &pattern);
    if (!why)
        why = hw_pattern_check(&pattern, work->session->arch, &diag);
    if (why)
        return why;
    hw_pattern_print(work->out, &pattern);
    return launch(work->session, &pattern, work->branch,
                  wsim_stream_hash(work->seed, work->launches++));
}

static int do_file(struct work *work, const char *name) {
    static char line[LINE_BYTES];
    unsigned number = 0;
    FILE *file = fopen(name, "r");
    const char *why = NULL;
    if (!file)
        return hw_fail(name, strerror(errno));
    while (!why && fgets(line, sizeof line, file)) {
        number++;
        why = do_line(work, line);
    }
    fclose(file);
    if (why) {
        fprintf(stderr, "wsim-hw: %s:%u: %s\n", name, number, why);
        return 2;
    }
    fprintf(stderr, "%" PRIu64 " launches\n", work->launches);
    return work->launches ? 0 : hw_fail(name, "has no pattern");
}

/* The head needs the seed, which stands in the file: what was launched is kept until then. */
static int write_cases(struct hw_session *session, const struct work *work) {
    FILE *file = fopen(session->options.out, "w");
    int c;
    if (!file)
        return hw_fail(session->options.out, strerror(errno));
    session->options.seed = work->seed;
    hw_trace_head(file, session);
    if (work->branch)
        fprintf(file, "# inactive lanes went round the access by a branch\n");
    for (rewind(work->out); (c = getc(work->out)) != EOF;)
        putc(c, file);
    return ferror(file) | fclose(file) ? hw_fail(session->options.out, "cannot be written") : 0;
}

static int launch_all(const struct asked *asked, const char *name) {
    struct hw_session session = {.options = {.out = asked->out, .shard = {0, 1}}};
    struct work work = {&session, tmpfile(), 0, 0, asked->branch};
    int status = work.out ? hw_session_open(&session) : hw_fail("access", "no temporary file");
    if (!status)
        status = do_file(&work, name);
    if (!status)
        status = write_cases(&session, &work);
    if (work.out)
        fclose(work.out);
    hw_session_close(&session);
    return status;
}

static int run(int argc, char **argv) {
    struct asked asked = {0};
    int status = hw_options_read(&hw_access_command, &asked, &argc, argv);
    if (!status && !asked.out)
        status = hw_fail("access", "-o FILE is missing; try wsim-hw access --help");
    if (!status && argc > 2)
        status = hw_fail(argv[2], "one file at a time");
    if (status)
        return status < 0 ? 0 : status;
    return launch_all(&asked, argv[1]);
}

const struct hw_command hw_access_command = {
    "access",
    "FILE -o FILE [--branch]",
    "the accesses of a file, one launch each (for tools/hw/ncu.sh, which counts)",
    "\nexit status: 0 done, 2 error, 77 no GPU\n",
    options,
    1,
    run,
};
