/* given.c - reads traces, finds the kernel of each case and runs it. */
#include "given.h"
#include "../lib/execute.h"
#include "../lib/trace_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int not_run(struct hw_given *given, const char *why) {
    snprintf(given->why, sizeof given->why, "%s", why);
    return 0;
}

static int find_kernel(const struct hw_session *session, struct hw_given *given) {
    unsigned selector = given->job.plan.selector;
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(&given->job.op, spelling);
    for (size_t i = 0; i < hw_kernel_count; i++)
        if (hw_kernels[i].selector == selector && strcmp(hw_kernels[i].spelling, spelling) == 0)
            given->job.kernel = &hw_kernels[i];
    if (!given->job.kernel || !hw_has_code(session, given->job.kernel)) {
        snprintf(given->why, sizeof given->why, "there is no code for %s",
                 wsim_arch_name(wsim_arch_at(session->code)));
        return 0;
    }
    return 1;
}

static int understand_digest(const struct wsim_trace_digest *digest, struct hw_given *given) {
    struct hw_job *job = &given->job;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    if (digest->stream != WSIM_STREAM)
        return not_run(given, "its operands are of another stream");
    if (wsim_plan_make(&job->op, digest->selector, &job->plan, &diag))
        return not_run(given, diag.text);
    job->dist = digest->dist;
    job->first = digest->first;
    job->cases = digest->cases;
    given->seed = digest->seed;
    given->recorded_digest = digest->sum;
    return 1;
}

/* Whether a wgmma with these immediates is in the program. */
static int has_variant(const struct hw_given *given) {
    const struct wsim_plan *plan = &given->job.plan;
    uint32_t choice = given->in[plan->input[WSIM_IN_HOW].first * WSIM_LANES + WSIM_CHOICE_WORD];
    for (unsigned v = 0; v < plan->variants; v++)
        if (plan->variant[v] == (choice & ~(uint32_t)WSIM_CHOICE_SCALE_D))
            return 1;
    return 0;
}

/* A case that reads memory through its own address could read anywhere, so the model must
 * accept it first. */
static int is_safe(const struct hw_session *session, struct hw_given *given) {
    static uint32_t out[WSIM_LANES * WSIM_CASE_ROWS];
    const struct wsim_plan *plan = &given->job.plan;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    if (!plan->variants && !plan->lines.along)
        return 1;
    if (plan->variants && !has_variant(given))
        return not_run(given, "the instruction has no such immediates");
    if (execute_case(&given->job.op, session->arch, plan, given->in, out, &diag))
        return not_run(given, diag.text);
    return 1;
}

static int understand_block(const struct hw_session *session, struct wsim_trace *trace,
                            struct hw_given *given) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    given->is_hash = wsim_trace_hash(trace, &given->recorded_digest);
    if (wsim_trace_block(trace, &given->job.plan, given->in,
                         given->is_hash ? NULL : given->recorded, &diag))
        return not_run(given, diag.text);
    return is_safe(session, given) && find_kernel(session, given);
}

/* The current case of the trace; 0 if it is not one for this GPU, `why` then says so. */
static int understand(const struct hw_session *session, struct wsim_trace *trace,
                      struct hw_given *given) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_trace_digest digest;
    struct hw_job none = {.arch = session->arch};
    given->job = none;
    given->is_hash = 0;
    if (wsim_op_parse(given->spelling, &given->job.op, &diag))
        return not_run(given, diag.text);
    given->is_digest = wsim_trace_is_digest(trace, &digest);
    if (given->is_digest)
        return understand_digest(&digest, given) && find_kernel(session, given);
    return understand_block(session, trace, given);
}

static int run_digest(const struct hw_session *session, struct hw_given *given) {
    const struct hw_job *job = &given->job;
    struct hw_session seeded = *session;
    uint32_t words = job->plan.out_rows * WSIM_LANES, most = hw_batch(&job->plan);
    seeded.options.seed = given->seed;
    given->digest = 0;
    for (uint64_t done = 0; done < job->cases; done += most) {
        uint64_t left = job->cases - done, first = job->first + done;
        uint32_t cases = left < most ? (uint32_t)left : most;
        if (hw_session_run(&seeded, job, first, cases))
            return 2;
        given->digest += wsim_case_digests(first, cases, session->out, words);
    }
    return 0;
}

/* FNV-1a of the words as little-endian bytes, as the format has it. */
static uint64_t hash_of(const uint32_t *words, uint32_t count) {
    uint64_t hash = WSIM_FNV_START;
    for (uint32_t i = 0; i < 4 * count; i++)
        hash = wsim_fnv_byte(hash, (uint8_t)(words[i / 4] >> 8 * (i % 4)));
    return hash;
}

static int run_block(const struct hw_session *session, struct hw_given *given) {
    (void)session; /* one case needs no room but its own */
    if (hw_session_run_block(&given->job, given->in, given->out))
        return 2;
    if (given->is_hash)
        given->digest = hash_of(given->out, given->job.plan.out_rows * WSIM_LANES);
    return 0;
}

static int run_case(const struct hw_session *session, struct wsim_trace *trace,
                    struct hw_given *given, hw_take_given *take, void *context) {
    int status = 0;
    given->spelling = wsim_trace_spelling(trace);
    given->recorded_on = wsim_trace_header(trace, "gpu");
    given->recorded_arch = wsim_trace_header(trace, "arch");
    if (!hw_matches(session->options.ops, given->spelling))
        return 0;
    given->why[0] = 0;
    if (understand(session, trace, given))
        status = (given->is_digest ? run_digest : run_block)(session, given);
    return status ? status : take(context, given);
}

static int read_lines(const struct hw_session *session, struct trace_file *file,
                      struct wsim_trace *trace, struct hw_given *given, hw_take_given *take,
                      void *context) {
    const char *line;
    size_t length;
    int more, is_case, status = 0;
    while (!status && (more = trace_file_next(file, &line, &length)) == 1) {
        struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
        given->line++;
        if (wsim_trace_line(trace, line, length, &is_case, &diag)) {
            fprintf(stderr, "wsim-hw: %s:%lu:%u: %s\n", given->file, given->line,
                    (unsigned)diag.col, diag.text);
            return 2;
        }
        if (is_case)
            status = run_case(session, trace, given, take, context);
    }
    if (!status && more < 0)
        status = hw_fail(given->file, trace_file_problem(file));
    return status;
}

/* Where files that a trace names are looked for; NULL: nowhere. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = malloc(length + 3);
    if (folder)
        snprintf(folder, length + 3, "%.*s.", (int)length, path);
    return folder;
}

int hw_given_each(const struct hw_session *session, const char *path, hw_take_given *take,
                  void *context) {
    struct trace_file *file = trace_file_open(path);
    char *folder = file ? folder_of(path) : NULL;
    struct wsim_trace *trace = folder ? wsim_trace_new(folder) : NULL;
    struct hw_given *given = trace ? calloc(1, sizeof *given) : NULL;
    int status;
    if (given) {
        given->file = path;
        status = read_lines(session, file, trace, given, take, context);
    } else {
        status = hw_fail(path, strerror(errno));
    }
    free(given);
    wsim_trace_free(trace);
    free(folder);
    trace_file_close(file);
    return status;
}

/* Whether two names, or standard input and a name, are one file on a disk. */
static int is_same(const char *in, const char *out) {
    struct stat a, b;
    int known = strcmp(in, "-") == 0 ? fstat(STDIN_FILENO, &a) : stat(in, &a);
    return known == 0 && stat(out, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int hw_given_check(const char *path, const char *out) {
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    if (!file && strcmp(path, "-") != 0)
        return hw_fail(path, strerror(errno));
    if (file && fclose(file))
        return hw_fail(path, strerror(errno));
    return out && is_same(path, out) ? hw_fail(path, "is read and would be written") : 0;
}

int hw_given_files(const struct hw_command *command, int argc, char **argv,
                   int (*run)(const struct hw_session *session, int files, char **paths)) {
    struct hw_session session = {.options = {.shard = {0, 1}}};
    int status = hw_options_read(command, &session.options, &argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    for (int i = 1; i < argc && !status; i++)
        status = hw_given_check(argv[i], session.options.out);
    if (status)
        return status;
    status = hw_session_open(&session);
    if (!status)
        status = run(&session, argc - 1, argv + 1);
    hw_session_close(&session);
    return status;
}

void hw_given_write(FILE *file, const struct hw_given *given) {
    if (given->is_digest)
        hw_trace_digest(file, &given->job, given->seed, given->digest);
    else
        hw_trace_case(file, &given->job, given->in, given->out);
}
