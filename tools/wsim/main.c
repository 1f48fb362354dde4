/* The program: picks the subcommand, and sees to it that what was printed has arrived. */
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

static const struct command commands[] = {
    {"arch", arch_main, "list the architectures, and products by name"},
    {"ops", ops_main, "list the operations: by family, type, architecture"},
    {"number", number_main, "a number as the bits of a format, and bits as a number"},
    {"check", check_main, "is a spelling legal on an architecture, and why not"},
    {"layout", layout_main, "which lane and register holds which element, both ways"},
    {"fits", fits_main, "are the registers of an ldmatrix an operand of an mma"},
    {"exec", exec_main, "execute one instruction on real operands, bit for bit"},
    {"why", why_main, "how one element of a result came about, and why a spelling is refused"},
    {"compare", compare_main, "where architectures give other bits, and why"},
    {"meta", meta_main, "metadata of a sparse A: compress, expand, check"},
    {"banks", banks_main, "what a shared-memory access costs, and where it conflicts"},
    {"swizzle", swizzle_main, "where a swizzle of shared memory puts what"},
    {"tma", tma_main, "is a tensor map legal, why not, and what a copy of it moves"},
    {"desc", desc_main, "matrix descriptors of wgmma: encode, decode, check"},
    {"replay", replay_main, "compare with what a GPU did, case by case"},
    {"run", run_main, "run kernels out of PTX: results, findings, what each line costs"},
    {"ptx", ptx_main, "what is in files of PTX, and what of it is not modelled"},
    {"gemm", gemm_main, "a product of whole matrices through one instruction"},
    {"bench", bench_main, "how long instructions take here, beside a plain loop"},
    {"lint", lint_main, "what is wrong with inline assembly and PTX, before it is compiled"},
    {"rules", rules_main, "what is refused and why: the rules that refusals name"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct commands all = {commands, COMMANDS};

const struct command *command_find(const struct commands *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i].name, name) == 0)
            return &list->list[i];
    return NULL;
}

static int print_help(void) {
    int i;
    printf("Usage: wsim COMMAND [OPTION...] [ARGUMENT...]\n"
           "Warp-level matrix instructions of NVIDIA GPUs, bit for bit, on any machine.\n\n"
           "Commands (wsim help COMMAND has options and examples):\n");
    for (i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    printf("\nExit status: %s", MANUAL_STATUS);
    return TOOL_FINE;
}

/* Whether instructions begin so: "mma". */
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
    const char *about = said_about(word);
    struct wsim_op op;
    size_t count;
    if (*word == '-')
        return tool_error("'%s': options come behind a command (wsim --help lists them)",
                          text_cut(word).text);
    if (about)
        return tool_error("'%s' is %s", text_cut(word).text, about);
    for (int i = 0; i < COMMANDS; i++)
        names[i + 3] = commands[i].name;
    if ((strpbrk(word, "._") || is_family(word)) &&
        wsim_op_find(word, &op, 1, &count, NULL) == WSIM_OK)
        return tool_error("'%s' is an instruction: a command comes before it, such as layout, "
                          "exec, why or check (wsim --help lists them)",
                          text_cut(word).text);
    return tool_error("unknown command '%s'%s (wsim --help lists them)", text_cut(word).text,
                      name_near(word, names, COMMANDS + 3).text);
}

static int run(int argc, const char **argv) {
    const struct command *command = command_find(&all, argv[0]);
    return command ? command->main(argc, argv) : unknown(argv[0]);
}

/* `wsim help exec` is `wsim exec --help`. */
static int help_on(const char *command) {
    const char *argv[] = {command, "--help", NULL};
    return run(2, argv);
}

/* What is not for people to type: `wsim help --man [COMMAND]` writes manual pages for the
 * installation, `wsim complete WORD...` answers the shell at every key. TOOL_GO: it is neither. */
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

static int is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int dispatch(int argc, const char **argv) {
    int about_one = argc > 2 && strcmp(argv[1], "help") == 0, version;
    int status = dispatch_hidden(argc, argv);
    if (status != TOOL_GO)
        return status;
    if (argc < 2)
        return tool_error("no command given (wsim --help lists them)");
    version = strcmp(argv[1], "--version") == 0;
    if (!version && !is_help(argv[1]) && strcmp(argv[1], "help") != 0)
        return run(argc - 1, argv + 1);
    if (argc > 2 + about_one)
        return tool_error("'%s' is one word too many", text_cut(argv[2 + about_one]).text);
    return version ? version_print() : about_one ? help_on(argv[2]) : print_help();
}

/* A reader that went away early (wsim ops | head) is no error worth a word: SIGPIPE ends the
 * program quietly, and where it is ignored the write fails with EPIPE. A full disk is one. */
int main(int argc, char **argv) {
    int status;
    memory_open();
    status = output_finish(dispatch(argc, (const char **)argv));
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE)
        return tool_error("cannot write the output: %s", strerror(errno));
    return status;
}
