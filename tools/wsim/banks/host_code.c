/* Addresses from a function of C; see host_code.h. */
#include "host_code.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LANES = 32, PATH = 4096, SECONDS = 10, ARGUMENTS = 16 };

/* What is made, in a folder that nobody else can write to. */
struct made {
    char folder[PATH], source[PATH + 16], object[PATH + 16];
};

static int make_folder(struct made *made) {
    const char *tmp = getenv("TMPDIR");
    int n =
        snprintf(made->folder, sizeof made->folder, "%s/wsim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (n >= (int)sizeof made->folder || !mkdtemp(made->folder)) {
        made->folder[0] = '\0';
        return tool_error("--c: no temporary folder: %s", strerror(errno));
    }
    snprintf(made->source, sizeof made->source, "%s/address.c", made->folder);
    snprintf(made->object, sizeof made->object, "%s/address.so", made->folder);
    return TOOL_GO;
}

static void remove_made(const struct made *made) {
    if (!made->folder[0])
        return;
    unlink(made->source);
    unlink(made->object);
    rmdir(made->folder);
}

/* --- the source --- */

/* The file by its whole name, as the source that includes it lies elsewhere. */
static int find_file(const char *file, char path[PATH]) {
    size_t n = 0;
    if (access(file, R_OK) != 0)
        return tool_error("--c: %s: %s", text_path(file).text, strerror(errno));
    path[0] = '\0';
    if (*file != '/' && getcwd(path, PATH - 1)) {
        n = strlen(path);
        path[n++] = '/';
    }
    if ((*file != '/' && n == 0) || strlen(file) >= PATH - n)
        return tool_error("--c: %s: %s", text_path(file).text, strerror(ENAMETOOLONG));
    memcpy(path + n, file, strlen(file) + 1);
    return TOOL_GO;
}

/* What stands between quotes of #include, which knows no escapes. */
static int is_quotable(const char *path) {
    return *path && !strpbrk(path, "\"\\\n\r");
}

/* FILE and FUNCTION; a name without a colon, or with one in a folder, is FILE. */
static int split(const char *given, char **file, char **function) {
    const char *colon = strrchr(given, ':');
    if (colon && strchr(colon, '/'))
        colon = NULL;
    *file = memory_text(given, colon ? (size_t)(colon - given) : strlen(given));
    *function = memory_text(colon ? colon + 1 : "address", colon ? strlen(colon + 1) : 7);
    if (!is_quotable(*file))
        return tool_error("--c '%s': no name of a file that can be included",
                          text_path(given).text);
    if (!expr_can_name(*function, strlen(*function)))
        return tool_error("--c '%s': what follows the colon is the name of a function",
                          text_path(given).text);
    return TOOL_GO;
}

/* One function, which has what a kernel would have around it. Words of CUDA mean nothing on a host.
 */
static int write_source(const struct made *made, const char *path, const char *function,
                        const char *expression, const struct let *let) {
    static const char *const words[] = {"__device__", "__host__", "__global__", "__noinline__"};
    FILE *out = fopen(made->source, "w");
    if (!out)
        return tool_error("--c: %s: %s", made->source, strerror(errno));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        fprintf(out, "#define %s\n", words[i]);
    fprintf(out, "#define __forceinline__ inline\n#include <stdint.h>\n#include \"%s\"\n", path);
    fputs("long long wsim_address(const long long *let_, long long lane_, long long warp_);\n"
          "long long wsim_address(const long long *let_, long long lane_, long long warp_) {\n"
          "    int lane = (int)lane_, warp = (int)warp_, tid = warp * 32 + lane;\n"
          "    (void)lane; (void)warp; (void)tid; (void)let_;\n",
          out);
    for (unsigned i = 0; i < let->names; i++)
        if (strcmp(let->name[i].text, "warp") != 0)
            fprintf(out, "    long long %s = let_[%u]; (void)%s;\n", let->name[i].text, i,
                    let->name[i].text);
    if (expression)
        fprintf(out, "#line 1 \"--addr\"\n    return (long long)(%s);\n}\n", expression);
    else
        fprintf(out, "#line 1 \"--c\"\n    return (long long)%s(lane);\n}\n", function);
    if (ferror(out) | fclose(out))
        return tool_error("--c: %s cannot be written", made->source);
    return TOOL_GO;
}

/* --- the compiler --- */

/* $CC may be several words. */
static void compile(struct made *made) {
    char words[PATH], *argument[ARGUMENTS + 10];
    const char *cc = getenv("CC");
    int n = 0;
    snprintf(words, sizeof words, "%s", cc && *cc ? cc : "cc");
    for (char *word = strtok(words, " \t"); word && n < ARGUMENTS; word = strtok(NULL, " \t"))
        argument[n++] = word;
    argument[n++] = (char[]){"-O1"};
    argument[n++] = (char[]){"-shared"};
    argument[n++] = (char[]){"-Werror=implicit-function-declaration"};
    argument[n++] = (char[]){"-fPIC"};
    argument[n++] = (char[]){"-o"};
    argument[n++] = made->object;
    argument[n++] = made->source;
    argument[n] = NULL;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (n > 7)
        execvp(argument[0], argument);
    _exit(errno == ENOENT || n <= 7 ? 127 : 126);
}

static int wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static int build(struct made *made) {
    pid_t child = fork();
    int status;
    if (child < 0)
        return tool_error("--c: %s", strerror(errno));
    if (child == 0)
        compile(made);
    status = wait_for(child);
    if (status == 0)
        return TOOL_GO;
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return tool_error("--c: there is no compiler of C here (cc, or what $CC names)");
    return tool_error("--c: the compiler refuses it");
}

/* --- the function --- */

static int write_all(int to, const void *bytes, size_t n) {
    const char *at = bytes;
    while (n) {
        ssize_t done = write(to, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return 0;
        at += done;
        n -= (size_t)done;
    }
    return 1;
}

static size_t read_all(int from, void *bytes, size_t n) {
    char *at = bytes;
    size_t have = 0;
    while (have < n) {
        ssize_t done = read(from, at + have, n - have);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            break;
        have += (size_t)done;
    }
    return have;
}

/* What a pointer to an object holds as one to a function: POSIX says that it can. */
typedef long long address_function(const long long *let, long long lane, long long warp);
static address_function *find_function(const struct made *made) {
    void *object = dlopen(made->object, RTLD_NOW | RTLD_LOCAL);
    void *symbol = object ? dlsym(object, "wsim_address") : NULL;
    address_function *function = NULL;
    if (symbol)
        memcpy(&function, &symbol, sizeof function);
    else
        tool_error("--c: %s", dlerror());
    return function;
}

/* In a process of its own: whatever the function does, an answer is all that comes back. */
static void call(const struct made *made, struct let *let, int to) {
    static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    address_function *function;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        signal(ends[i], SIG_DFL); /* whoever looks after this program has no part in that one */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    alarm(SECONDS);
    function = find_function(made);
    for (uint32_t step = 0; function && step < let->steps; step++) {
        long long names[LET_NAMES] = {0}, warp = 0;
        int64_t values[LANES];
        let_step(let, step);
        for (unsigned i = 0; i < let->names; i++) {
            names[i] = let->name[i].value;
            if (strcmp(let->name[i].text, "warp") == 0)
                warp = names[i];
        }
        for (int lane = 0; lane < LANES; lane++)
            values[lane] = function(names, lane, warp);
        if (!write_all(to, values, sizeof values))
            break;
    }
    _exit(function ? 0 : 126);
}

static int collect(const struct made *made, struct let *let, int64_t *values) {
    size_t wanted = (size_t)let->steps * LANES * sizeof *values, have;
    int ends[2], status;
    pid_t child;
    if (pipe(ends) != 0)
        return tool_error("--c: %s", strerror(errno));
    child = fork();
    if (child == 0) {
        close(ends[0]);
        call(made, let, ends[1]);
    }
    close(ends[1]);
    have = child < 0 ? 0 : read_all(ends[0], values, wanted);
    close(ends[0]);
    status = child < 0 ? -1 : wait_for(child);
    if (have == wanted)
        return TOOL_GO;
    if (status != -1 && WIFSIGNALED(status))
        return tool_error(WTERMSIG(status) == SIGALRM
                              ? "--c: the function does not come to an end within 10 seconds (%d)"
                              : "--c: signal %d ended the function",
                          WTERMSIG(status));
    return tool_error("--c: the function gave no values");
}

int code_values(const char *given, const char *expression, struct let *let, int64_t **values) {
    struct made made = {.folder = ""};
    char path[PATH], *file = NULL, *function = NULL;
    int status = split(given, &file, &function);
    *values = NULL;
    if (status == TOOL_GO)
        status = find_file(file, path);
    if (status == TOOL_GO && !is_quotable(path))
        status = tool_error("--c '%s': its folder has a name that cannot be included",
                            text_path(file).text);
    if (status == TOOL_GO)
        status = make_folder(&made);
    if (status == TOOL_GO)
        status = write_source(&made, path, function, expression, let);
    if (status == TOOL_GO)
        status = build(&made);
    if (status == TOOL_GO) {
        *values = memory_make((size_t)let->steps * LANES, sizeof **values);
        status = collect(&made, let, *values);
    }
    remove_made(&made);
    free(file);
    free(function);
    return status;
}
