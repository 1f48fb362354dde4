/* The program: finds the command in commands.def, runs it, and checks that its output was written.
 */
#include "common/memory.h"
#include "common/names.h"
#include "common/output.h"
#include "common/said.h"
#include "common/text.h"
#include "common/tool.h"
#include "commands.h"
#include "complete/complete.h"
#include "manual/manual.h"
#include "version.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
#define GROUP(title)
#define COMMAND(name, summary) {#name, summary, &name##_command, NULL, NULL},
#define PART(name, of, word, summary) {#name, summary, &name##_command, #of, word},
#include "commands.def"
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct commands all = {commands, COMMANDS};

static int print_help(void) {
    puts("Usage: wsim COMMAND [OPTION...] [ARGUMENT...]\n"
         "Run, check and explain CUDA kernels without a GPU, bit for bit.\n\n"
         "wsim help COMMAND shows options, examples and parts of a command.");
#define GROUP(title) puts("\n" title ":");
#define COMMAND(name, summary) printf("  %-8s %s\n", #name, summary);
#define PART(name, of, word, summary)
#include "commands.def"
    printf("\nExit status: %s", MANUAL_STATUS);
    return TOOL_FINE;
}

/* The answer to a reader who types the name of the program alone. */
static int print_start(void) {
    puts("wsim runs, checks and explains CUDA kernels without a GPU. Three commands to begin "
         "with:\n\n"
         "  wsim try                        example files, and commands that read them\n"
         "  wsim layout m16n8k16.f32.f16    which lane of a tensor core's operand holds what\n"
         "  wsim run ./program              a CUDA program that nvcc built, with all checks\n\n"
         "wsim --help lists all commands.");
    return TOOL_FINE;
}

/* Whether `word` is the first word of an instruction: "mma". */
static int is_family(const char *word) {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    size_t count, length = strlen(word);
    if (wsim_op_find(word, &op, 1, &count, NULL) != WSIM_OK)
        return 0;
    wsim_op_spell(&op, spelling);
    return strncmp(spelling, word, length) == 0 && spelling[length] == '.';
}

static int unknown(const char *word) {
    const char *names[COMMANDS + 3] = {"help", "--help", "--version"};
    const char *about = said_task(word) ? said_task(word) : said_about(word);
    struct wsim_op op;
    size_t count;
    if (*word == '-')
        return tool_error("'%s': options follow a command (wsim --help lists them)",
                          text_cut(word).text);
    if (about)
        return tool_error("'%s' is %s", text_cut(word).text, about);
    for (int i = 0; i < COMMANDS; i++)
        names[i + 3] = commands[i].name;
    if ((strpbrk(word, "._") || is_family(word)) &&
        wsim_op_find(word, &op, 1, &count, NULL) == WSIM_OK)
        return tool_error("'%s' is an instruction: put a command before it, such as layout, "
                          "exec, why or check (wsim --help lists them)",
                          text_cut(word).text);
    if (access(word, F_OK) == 0)
        return tool_error("'%s' is a file: put a command before it, such as run or check (wsim "
                          "--help lists them)",
                          text_cut(word).text);
    return tool_error("unknown command '%s'%s (wsim --help lists them)", text_cut(word).text,
                      name_near(word, names, COMMANDS + 3).text);
}

static int is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Names the parts of a command behind its help. */
static void print_parts(const char *name) {
    int seen = 0;
    for (int i = 0; i < COMMANDS; i++) {
        char full[COMMAND_NAME];
        if (!commands[i].of || strcmp(commands[i].of, name) != 0)
            continue;
        if (!seen++)
            puts("\nParts (wsim help NAME shows their options):");
        printf("  %-17s %-8s %s\n", command_name(&commands[i], full), commands[i].name,
               commands[i].summary);
    }
}

/* A person learns the full name of a part; scripts that use the short one see nothing. The page of
 * the site calls its stderr a terminal, but has no TERM. */
static void tell_name(const struct command *command) {
    char full[COMMAND_NAME];
    if (command->of && isatty(STDERR_FILENO) && getenv("TERM"))
        tool_note("wsim %s is a part of wsim %s: wsim %s", command->name, command->of,
                  command_name(command, full));
}

static int run(int argc, const char **argv) {
    const struct command *command = command_find(&all, argv[0]);
    const struct command *part;
    char full[COMMAND_NAME];
    int status, from = 1;
    if (!command)
        return unknown(argv[0]);
    part = command_part(&all, argc, argv, &from);
    if (!part) {
        from = 1;
        tell_name(command);
    }
    command = part ? part : command;
    argv[from - 1] = command->of && !*command->word ? command->of : command_name(command, full);
    status = tool_run(command->is, argc - from + 1, argv + from - 1);
    if (!command->of && argc == 2 && is_help(argv[1]))
        print_parts(command->name);
    return status;
}

/* `wsim help exec` is `wsim exec --help`, `wsim help layout --fits` the help of a part. */
static int help_on(int argc, const char **argv) {
    const char *line[] = {argv[0], argc > 1 ? argv[1] : "--help", argc > 1 ? "--help" : NULL, NULL};
    return run(argc + 1, line);
}

/* Hidden commands: `wsim help --man [COMMAND]` writes the manual pages of the installation, and
 * `wsim complete WORD...` completes a word for the shell. TOOL_GO: the line has neither. */
static int dispatch_hidden(int argc, const char **argv) {
    const struct command *command = NULL;
    if (argc > 1 && strcmp(argv[1], "complete") == 0)
        return complete_words(&all, argc - 2, argv + 2);
    if (argc < 3 || argc > 4 || strcmp(argv[1], "help") != 0 || strcmp(argv[2], "--man") != 0)
        return TOOL_GO;
    if (argc == 4 && !(command = command_find(&all, argv[3])))
        return unknown(argv[3]);
    return manual_page(&all, command);
}

static int dispatch(int argc, const char **argv) {
    int about_one = argc > 2 && strcmp(argv[1], "help") == 0, version, ignored;
    int status = dispatch_hidden(argc, argv);
    if (status != TOOL_GO)
        return status;
    if (argc < 2)
        return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)
                   ? print_start()
                   : tool_error("no command given (wsim --help lists them)");
    version = strcmp(argv[1], "--version") == 0;
    if (!version && !is_help(argv[1]) && strcmp(argv[1], "help") != 0)
        return run(argc - 1, argv + 1);
    if (about_one && command_part(&all, argc - 2, argv + 2, &ignored))
        about_one = 2;
    if (argc > 2 + about_one)
        return tool_error("unexpected argument '%s'", text_cut(argv[2 + about_one]).text);
    return version ? version_print() : about_one ? help_on(about_one, argv + 2) : print_help();
}

/* A closed pipe (wsim ops | head) is no error: SIGPIPE ends the program, and where it is ignored
 * the write fails with EPIPE. A full disk is an error. */
int main(int argc, char **argv) {
    int status;
    memory_open();
    status = output_finish(dispatch(argc, (const char **)argv));
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE)
        return tool_error("cannot write the output: %s", strerror(errno));
    return status;
}
