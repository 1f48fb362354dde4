/* Programs; see program.h. The report is made of the records that the processes leave in a folder.
 * That of a shard takes its name only when it is whole, and is never made twice. */
#include "program.h"
#include "assembling.h"
#include "records.h"
#include "../common/child.h"
#include "../common/memory.h"
#include "../common/output.h"
#include "../common/text.h"
#include "wire/variables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

/* --- the child --- */

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/* Blocks the signals that are passed on to the program; *old is the mask before. */
static void hold_signals(sigset_t *held, sigset_t *old) {
    sigemptyset(held);
    sigaddset(held, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(held, passed_on[i]);
    sigprocmask(SIG_BLOCK, held, old);
}

/* The environment with the variables of the runtime; the list is to be freed. */
static char **environment(const struct runtime *runtime) {
    size_t n = 0, out = 0;
    char **list;
    while (environ[n])
        n++;
    list = memory_make(n + runtime->count + 1, sizeof *list);
    for (size_t i = 0; i < runtime->count; i++)
        list[out++] = runtime->variables[i];
    for (size_t i = 0; i < n; i++) {
        const size_t name = strcspn(environ[i], "=") + 1;
        size_t k = 0;
        while (k < runtime->count && strncmp(runtime->variables[k], environ[i], name) != 0)
            k++;
        if (k == runtime->count)
            list[out++] = environ[i];
    }
    return list;
}

/* Sends a signal to all processes below one. Returns how many live there; without /proc, 0. */
static unsigned signal_below(pid_t above, int number) {
    DIR *all = opendir("/proc");
    unsigned n = 0;
    for (struct dirent *one; all && (one = readdir(all));) {
        const pid_t process = (pid_t)strtol(one->d_name, NULL, 10);
        char *path = memory_join("/proc/", one->d_name, "/stat"), text[512] = "", state;
        FILE *file = process > 0 ? fopen(path, "r") : NULL;
        long parent;
        if (file) {
            const char *name_end = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
            fclose(file);
            if (name_end && sscanf(name_end, ") %c %ld", &state, &parent) == 2 && parent == above) {
                n += signal_below(process, number) + (state != 'Z');
                kill(process, number);
            }
        }
        free(path);
    }
    if (all)
        closedir(all);
    return n;
}

/* Ends all processes of the program: they may write their records, but only for a second. Orphans
 * belong to this process. */
static void end_tree(void) {
    const struct timespec pause = {0, 20000000};
    unsigned rest = 50;
    signal_below(getpid(), SIGTERM);
    while (rest && signal_below(getpid(), 0)) {
        nanosleep(&pause, NULL);
        rest--;
    }
    for (rest = 50; rest && signal_below(getpid(), SIGKILL); rest--)
        nanosleep(&pause, NULL);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the child; for `seconds` at most, if there are any. A signal of a terminal reaches the
 * child by itself. If it dies of one that is passed on, all processes below it end. */
static int wait_for(pid_t child, const sigset_t *held, double seconds) {
    const double end = now() + (seconds > 0 ? seconds : 1e9);
    int status = 0, passed = 0;
    for (;;) {
        const double left = end - now();
        const struct timespec most = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        const pid_t ended = waitpid(child, &status, WNOHANG);
        siginfo_t info;
        if (ended == child && passed && WIFSIGNALED(status))
            end_tree();
        if (ended == child || (ended < 0 && errno != EINTR))
            return status;
        if (left <= 0)
            break;
        if (sigtimedwait(held, &info, &most) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0) {
            kill(child, info.si_signo);
            passed = 1;
        }
    }
    end_tree();
    waitpid(child, NULL, 0);
    tool_error("--timeout: the program did not end in %g s, and all its processes are ended",
               seconds);
    return PROGRAM_LATE << 8;
}

/* The child becomes the program, or writes why not. It is killed when wsim is, so that no program
 * goes on without its report. Other threads of wsim may hold locks: only system calls here. */
static void become(const char *path, const char *const *argv, char **variables, const sigset_t *old,
                   pid_t parent, int answer) {
    sigprocmask(SIG_SETMASK, old, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
#else
    (void)parent;
#endif
    execve(path, (char *const *)argv, variables);
    if (write(answer, &errno, sizeof errno) < 0)
        _exit(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

/* Starts the program. Returns 0, or an error number. */
static int start(pid_t *child, const char *path, const char *const *argv, char **variables,
                 const sigset_t *old) {
    const pid_t parent = getpid();
    int answer[2], problem = 0;
    if (pipe(answer))
        return errno;
    fcntl(answer[1], F_SETFD, FD_CLOEXEC);
    *child = fork();
    if (*child == 0) {
        close(answer[0]);
        become(path, argv, variables, old, parent, answer[1]);
    }
    problem = *child < 0 ? errno : 0;
    close(answer[1]);
    if (!problem && read(answer[0], &problem, sizeof problem) == sizeof problem)
        waitpid(*child, NULL, 0);
    close(answer[0]);
    return problem;
}

/* How a program ended: a status of waitpid; its process, 0 if it did not run now. */
struct ending {
    int status;
    pid_t process;
};

/* Runs the program. TOOL_GO, or TOOL_USAGE after an error message. */
static int run(const struct program_options *o, const char *path, const char *const *argv,
               const struct runtime *runtime, struct ending *ended) {
    sigset_t held, old;
    char **variables = environment(runtime);
    pid_t child = -1;
    int problem;
    hold_signals(&held, &old);
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of the program: end_tree finds them */
#endif
    problem = start(&child, path, argv, variables, &old);
    free(variables);
    if (!problem)
        *ended = (struct ending){wait_for(child, &held, o->timeout), child};
    sigprocmask(SIG_SETMASK, &old, NULL);
    return problem ? tool_error("%s: %s", text_path(argv[0]).text, strerror(problem)) : TOOL_GO;
}

/* --- traces --- */

static const char traces[] = "/trace"; /* .PROCESS: in the folder of the records */

static void copy_trace(const char *from, FILE *to, int is_first) {
    FILE *file = fopen(from, "re");
    char bytes[4096];
    size_t n;
    for (int c = 0; file && !is_first && c != '\n' && c != EOF;) /* the heads */
        c = getc(file);
    while (file && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
        fwrite(bytes, 1, n, to);
    if (file)
        fclose(file);
    unlink(from);
}

/* Joins the traces of all processes into one file. */
static int join_traces(const char *name, const char *folder) {
    struct dirent **list;
    struct output output;
    const int n = name ? scandir(folder, &list, NULL, alphasort) : 0;
    int status = TOOL_GO, is_first = 1;
    if (!name || n < 0)
        return TOOL_GO;
    if (!output_open(&output, name))
        status = TOOL_USAGE;
    for (int i = 0; i < n; i++) {
        if (status == TOOL_GO && strncmp(list[i]->d_name, "trace.", 6) == 0) {
            char *path = memory_join(folder, "/", list[i]->d_name);
            copy_trace(path, output.file, is_first);
            is_first = 0;
            free(path);
        }
        free(list[i]);
    }
    free(list);
    return status == TOOL_GO ? output_close(&output) : status;
}

/* Runs the program with a folder for its records. */
static int run_in(const struct program_options *o, const char *folder, const char *path,
                  const char *const *argv, struct ending *ended) {
    struct assembling *assembling = NULL;
    struct runtime runtime = {.count = 0};
    int status = TOOL_GO;
    struct runtime_options options = o->runtime;
    char *trace = memory_join(folder, traces, "");
    status = print_json(o->print, trace, &options.look);
    free(trace);
    if (status == TOOL_GO && o->assembler && strcmp(o->assembler, "none") != 0)
        status = assembling_open(&assembling, o->assembler, folder);
    if (status == TOOL_GO)
        status = runtime_open(&runtime, &options, folder,
                              assembling ? assembling_path(assembling) : NULL);
    if (status == TOOL_GO)
        status = run(o, path, argv, &runtime, ended);
    runtime_close(&runtime);
    assembling_close(assembling);
    free(options.look);
    if (status == TOOL_GO)
        status = join_traces(o->print->trace, folder);
    return status;
}

/* --- the report --- */

/* Ends as the program did, without a core file of this one. */
static void end_with(int number) {
    const struct rlimit none = {0, 0};
    sigset_t one;
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

/* The report goes to its file, or to standard error. */
static int redirect(const char *output) {
    fflush(stdout);
    if (output)
        return output_redirect(output);
    return dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? tool_error("%s", strerror(errno)) : TOOL_GO;
}

/* Prints the report. The status of the program, or that of a finding or an error. */
static int report(const struct program_options *o, const char *folder, struct ending end) {
    const int counts = !o->runtime.check || strcmp(o->runtime.check, "none") != 0;
    struct records records;
    int status = records_read(&records, folder, o->suppress, end.process);
    int found = 0, lacks = 0, unmatched = 0;
    unsigned own =
        (unsigned)(WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status));
    /* the process counted a finding that a line of the host leaves out */
    if (own == 1 && records.fine)
        own = 0;
    if (own > records.status)
        records.status = own;
    if (status == TOOL_GO)
        status = redirect(o->output);
    if (status == TOOL_GO) {
        found = records.mistakes > 0;
        lacks = json_array_size(records.lacks) > 0;
        unmatched = o->runtime.launches && records.launches && !json_array_size(records.kernels);
        status = records_print(&records, o->format, o->lines);
        fflush(stdout);
        status = output_finish(status == TOOL_GO ? TOOL_FINE : status);
    }
    if (status == TOOL_FINE && !records.processes)
        tool_note("no process of this program used CUDA: nothing was checked");
    if (status == TOOL_FINE && records_missing(&records) != TOOL_GO)
        status = TOOL_USAGE;
    if (status == TOOL_FINE && !found && print_missing_at(records.printed) != TOOL_GO)
        status = TOOL_USAGE;
    records_close(&records);
    if (status == TOOL_FINE && suppress_write(o->suppress, "wsim run") != TOOL_GO)
        status = TOOL_USAGE;
    if (status != TOOL_FINE)
        return status;
    status = (int)own;
    if (status == 0 && found && counts && !o->runtime.suppress.write)
        return TOOL_FOUND;
    if (status == 0 && unmatched)
        return tool_error("--launches '%s' matches no kernel that was launched; names are mangled, "
                          "such as _Z3addPf",
                          text_cut(o->runtime.launches).text);
    return status == 0 && lacks ? TOOL_UNMODELLED : status;
}

/* --- folders of records --- */

/* The folder of a part's records in `records`, and that in which they are made. */
static void name_folders(const struct program_options *o, char **whole, char **part) {
    unsigned shard = 0, shards = 1;
    char name[96];
    wire_shard(o->runtime.shard, &shard, &shards);
    snprintf(name, sizeof name, "/%u-of-%u", shard, shards);
    *whole = memory_join(o->records, name, "");
    snprintf(name, sizeof name, ".part%ld", (long)getpid());
    *part = memory_join(*whole, name, "");
}

/* The program, as it is now, and its arguments. */
static char *command_text(const char *path, const char *const *argv) {
    struct stat there = {.st_size = 0};
    char version[64], *text, *longer;
    stat(path, &there);
    snprintf(version, sizeof version, " (%lld bytes of time %lld)", (long long)there.st_size,
             (long long)there.st_mtime);
    text = memory_join(path, version, "");
    for (size_t i = 1; argv[i]; i++) {
        longer = memory_join(text, " ", argv[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* Runs a part into a folder, which takes its name at the end. */
static int run_part(const struct program_options *o, const char *path, const char *const *argv,
                    struct ending *ended) {
    char *whole, *part, *command = command_text(path, argv);
    int status = TOOL_GO;
    name_folders(o, &whole, &part);
    if (records_status(whole, &ended->status)) {
        if (records_are_of(whole, command))
            tool_note("%s is there already: nothing runs", whole);
        else
            status = tool_error("%s is of another command, or of an older program: remove it",
                                text_path(whole).text);
    } else {
        status = runtime_make_folder(&part);
        if (status == TOOL_GO)
            status = run_in(o, part, path, argv, ended);
        if (status != TOOL_GO)
            rmdir(part); /* nothing is there if it did not begin */
        if (status == TOOL_GO)
            status = records_end(part, ended->status, command, whole);
    }
    if (status == TOOL_GO)
        status = report(o, whole, *ended);
    free(command);
    free(whole);
    free(part);
    return status;
}

/* Runs with records that stay in a folder, beside those of other runs. */
static int run_kept(const struct program_options *o, const char *path, const char *const *argv,
                    struct ending *ended) {
    int status = run_in(o, o->records, path, argv, ended);
    return status == TOOL_GO ? report(o, o->records, *ended) : status;
}

static int run_once(const struct program_options *o, const char *path, const char *const *argv,
                    struct ending *ended) {
    struct child_folder folder;
    sigset_t mask;
    int status = child_open_folder(&folder);
    if (status != TOOL_GO)
        return status;
    mask = folder.mask;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    status = run_in(o, folder.path, path, argv, ended);
    if (status == TOOL_GO)
        status = report(o, folder.path, *ended);
    child_close_folder(&folder);
    return status;
}

int program_run(const struct program_options *options, const char *const *argv) {
    char *path = child_find(argv[0]);
    struct program_options o = *options;
    struct records_source source = {NULL, NULL};
    struct suppress suppress;
    struct ending ended = {0, 0};
    int status = suppress_open(&suppress, &o.runtime.suppress, records_text, &source);
    o.suppress = &suppress;
    if (status == TOOL_GO && !path)
        status = tool_error("'%s': no such program", text_cut(argv[0]).text);
    if (status == TOOL_GO && o.runtime.shard && !o.records)
        status = tool_error("--shard needs --records DIR: wsim run --merge DIR joins the parts");
    if (status == TOOL_GO && o.output)
        status = output_check(o.output);
    if (status == TOOL_GO && o.runtime.suppress.write)
        status = output_check(o.runtime.suppress.write);
    if (o.records)
        o.records = memory_text(o.records, strlen(o.records));
    if (status == TOOL_GO && o.records)
        status = runtime_make_folder(&o.records);
    if (status == TOOL_GO)
        status = o.runtime.shard ? run_part(&o, path, argv, &ended)
                 : o.records     ? run_kept(&o, path, argv, &ended)
                                 : run_once(&o, path, argv, &ended);
    free(path);
    free(o.records);
    free(source.name);
    free(source.text);
    suppress_close(&suppress);
    if (WIFSIGNALED(ended.status))
        end_with(WTERMSIG(ended.status));
    return status;
}
