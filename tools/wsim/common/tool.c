/* What the subcommands share; see tool.h. */
#include "tool.h"
#include "help.h"
#include "memory.h"
#include "names.h"
#include "output.h"
#include "screen.h"
#include "text.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE = 2048 };

/* Everything that is said on standard error goes through here: whoever typed or wrote what stands
 * in it, a terminal has nothing to obey. */
static void say(const char *before, const char *format, va_list args) {
    char text[MESSAGE];
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    text_mask(text);
    fprintf(stderr, "%s%s\n", before, text);
}

/* "wsim: ", and what is being read. */
static char subject[MESSAGE] = "wsim: ";

void tool_subject(const char *text) {
    snprintf(subject, sizeof subject, "wsim: %s", text);
    text_mask(subject);
}

int tool_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(subject, format, args);
    va_end(args);
    return TOOL_USAGE;
}

void tool_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

int tool_refused(const char *what, const struct wsim_diag *diag) {
    char at[32] = "";
    if (diag->col)
        snprintf(at, sizeof at, "column %u: ", (unsigned)diag->col);
    tool_error("%s%s%s%s", what ? what : "", what ? ": " : "", at, diag->text);
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

/* Where popt finds no memory it says so and ends the program, with the status of a finding. */
static int is_in_popt;

static void end_of_popt(void) {
    if (is_in_popt)
        _exit(TOOL_USAGE);
}

static tool_reader *help_reader; /* NULL: the screen */
static void *help_context;

void tool_read_help(tool_reader *read, void *context) {
    help_reader = read;
    help_context = context;
}

static void print_help(struct tool *tool, const struct tool_help *help) {
    if (help_reader) {
        help_reader(help_context, tool->table, help);
        return;
    }
    poptPrintHelp(tool->con, stdout, 0);
    putchar('\n');
    help_about(help->about);
    puts("\nExamples:");
    help_examples(help->examples);
}

/* The number that popt answers for option `i`, a string: popt itself would lose the string that an
 * option had before. */
static int string_option(int i) {
    return 1000 + i;
}

static void copy_table(struct tool *tool, const struct poptOption *table) {
    int i;
    for (i = 0; table[i].longName; i++) {
        assert(i + 1 < TOOL_OPTIONS);
        tool->own[i] = table[i];
        if (table[i].argInfo == POPT_ARG_STRING) {
            tool->own[i].arg = NULL;
            tool->own[i].val = string_option(i);
        }
    }
    tool->own[i] = table[i];
    tool->table = table;
    tool->color = tool->output = NULL;
}

/* Where the string of an option goes: those of all commands have no variable. */
static char **string_of(struct tool *tool, const struct poptOption *option) {
    return option->arg ? option->arg : option->val == 'c' ? &tool->color : &tool->output;
}

/* Puts what an option had before, and a comma, in front of `*given`, and empties `*before`. */
static void join(char **before, char **given) {
    size_t n = strlen(*before), m = strlen(*given);
    char *both = memory_make(n + m + 2, 1);
    memcpy(both, *before, n);
    both[n] = ',';
    memcpy(both + n + 1, *given, m);
    free(*given);
    *given = both;
}

/* Reads options up to one that answers for itself, a mistake or the end. */
static int read_options(struct tool *tool) {
    int option;
    while ((option = poptGetNextOpt(tool->con)) >= string_option(0) || option == 'w') {
        char **string;
        if (option == 'w') {
            screen_widen();
            continue;
        }
        string = string_of(tool, &tool->table[option - string_option(0)]);
        char *given = poptGetOptArg(tool->con);
        if (!given)
            exit(tool_error("out of memory"));
        if (*string && tool->table[option - string_option(0)].val == TOOL_LIST)
            join(string, &given);
        free(*string);
        *string = given;
    }
    return option;
}

/* Names that other tools, headers and earlier versions have for an option of the command. */
static struct name_hint other_option(const char *bad, const char *const *names, size_t count) {
    static const struct {
        const char *said, *meant;
    } others[] = {
        {"adress", "addr"},    {"address", "addr"}, {"addresses", "addr"}, {"lbo", "leading"},
        {"sbo", "stride"},     {"metadata", "e"},   {"meta", "e"},         {"gpu", "arch"},
        {"device", "arch"},    {"target", "arch"},  {"sm", "arch"},        {"gpu-name", "arch"},
        {"blockDim", "block"}, {"gridDim", "grid"}, {"boxDim", "box"},     {"shape", "dims"}};
    struct name_hint hint = {""};
    bad += strspn(bad, "-");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (size_t k = 0; k < count && strcmp(bad, others[i].said) == 0; k++)
            if (strcmp(names[k], others[i].meant) == 0)
                snprintf(hint.text, sizeof hint.text, "; is '%s' meant?", names[k]);
    return hint;
}

static int wrong_option(struct tool *tool, int option, const struct tool_help *help) {
    const char *bad = poptBadOption(tool->con, POPT_BADOPTION_NOALIAS);
    const char *names[TOOL_OPTIONS];
    struct name_hint hint = {""};
    size_t count = 0;
    for (; tool->table[count].longName; count++)
        names[count] = tool->table[count].longName;
    if (option == POPT_ERROR_BADOPT)
        hint = other_option(bad, names, count);
    if (option == POPT_ERROR_BADOPT && !*hint.text)
        hint = name_near(bad, names, count);
    return tool_error("%s: %s%s (%s --help lists the options)", text_cut(bad).text,
                      poptStrerror(option), hint.text, help->name);
}

static int open_options(struct tool *tool, int argc, const char **argv,
                        const struct poptOption *table, const struct tool_help *help) {
    static const char *nothing[] = {NULL};
    int option;
    argv[0] = help->name;
    copy_table(tool, table);
    tool->con = poptGetContext(help->name, argc, argv, tool->own, 0);
    if (!tool->con)
        exit(tool_error("out of memory"));
    poptSetOtherOptionHelp(tool->con, help->arguments);
    option = read_options(tool);
    if (option == 'h') {
        print_help(tool, help);
        return TOOL_FINE;
    }
    if (option < -1)
        return wrong_option(tool, option, help);
    tool->args = poptGetArgs(tool->con);
    if (!tool->args)
        tool->args = nothing;
    return TOOL_GO;
}

int tool_open(struct tool *tool, int argc, const char **argv, const struct poptOption *table,
              const struct tool_help *help) {
    int status;
    atexit(end_of_popt);
    is_in_popt = 1;
    status = open_options(tool, argc, argv, table, help);
    is_in_popt = 0;
    if (status == TOOL_GO && tool->color)
        status = screen_colour(tool->color);
    if (status == TOOL_GO && tool->output)
        status = output_redirect(tool->output);
    return status;
}

void tool_close(struct tool *tool) {
    const struct poptOption *option;
    for (option = tool->table; option->longName; option++)
        if (option->argInfo == POPT_ARG_STRING && option->arg) {
            free(*(char **)option->arg);
            *(char **)option->arg = NULL; /* two names may share a variable */
        }
    free(tool->color);
    free(tool->output);
    poptFreeContext(tool->con);
}

enum { FORMATS = 7 };
static const char *const formats[FORMATS] = {"text", "json", "csv", "md", "svg", "html", "cute"};

/* "text, json or csv" */
static void list_formats(unsigned allowed, char out[80]) {
    size_t n = 0;
    for (unsigned i = 0; i < FORMATS; i++)
        if (allowed >> i & 1)
            n += (size_t)snprintf(out + n, 80 - n, "%s%s",
                                  n == 0                   ? ""
                                  : allowed >> i >> 1 == 0 ? " or "
                                                           : ", ",
                                  formats[i]);
}

int tool_format(const char *name, unsigned allowed, enum tool_format *format) {
    char can_be[80] = "";
    *format = TOOL_TEXT;
    if (!name)
        return TOOL_GO;
    for (unsigned i = 0; i < FORMATS; i++)
        if ((allowed >> i & 1) && (strcmp(name, formats[i]) == 0 ||
                                   ((1u << i) == TOOL_MARKDOWN && strcmp(name, "markdown") == 0))) {
            *format = (enum tool_format)(1u << i);
            return TOOL_GO;
        }
    list_formats(allowed, can_be);
    for (unsigned i = 0; i < FORMATS; i++)
        if (strcmp(name, formats[i]) == 0)
            return tool_error("this answer has no format %s: choose %s", name, can_be);
    return tool_error("unknown format '%s': choose %s", text_cut(name).text, can_be);
}

/* Parts that find no memory end the program (memory.h), and main() looks at what did not arrive:
 * what is left is a text that JSON cannot have. */
void tool_print_json(json_t *root) {
    if (!root || (json_dumpf(root, stdout, JSON_INDENT(1)) && !ferror(stdout)))
        exit(tool_error("the answer cannot be written as JSON"));
    putchar('\n');
    json_decref(root);
}

json_t *tool_json_text(const char *text) {
    char *copy = memory_text(text, strlen(text));
    json_t *string;
    text_mask(copy);
    string = json_string(copy);
    free(copy);
    return string;
}

int tool_is_number(const char *text, size_t length, uint32_t most, uint32_t *value) {
    static const char digits[] = "0123456789abcdef";
    int hex = length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
    size_t base = hex ? 16 : 10, i;
    uint64_t number = 0;
    for (i = hex ? 2 : 0; i < length && number <= most; i++) {
        const char *digit = memchr(digits, tolower((unsigned char)text[i]), base);
        if (!digit)
            return 0;
        number = number * base + (size_t)(digit - digits);
    }
    if (length == 0 || number > most)
        return 0;
    *value = (uint32_t)number;
    return 1;
}

int tool_number(const char *option, const char *text, uint32_t most, uint32_t *value) {
    if (!text || tool_is_number(text, strlen(text), most, value))
        return TOOL_GO;
    if (most == 0)
        return tool_error("%s '%s': must be 0", option, text_cut(text).text);
    return tool_error("%s '%s': must be a number from 0 to %lu, decimal or 0x hex", option,
                      text_cut(text).text, (unsigned long)most);
}

const struct wsim_arch *tool_arch(const char *name) {
    const struct wsim_arch *arch = wsim_arch_called(name ? name : TOOL_ARCH);
    struct name_hint hint = {""};
    char product[40];
    if (arch)
        return arch;
    snprintf(product, sizeof product, "rtx%.32s", name); /* "4090" */
    if (wsim_arch_called(product))
        snprintf(hint.text, sizeof hint.text, "; is '%s' meant?", product);
    else if (strlen(name) > 3)
        hint = name_near_arch(name);
    tool_error("unknown architecture '%s'%s (wsim arch lists all targets and products)",
               text_cut(name).text, hint.text);
    return NULL;
}

int tool_descriptor(const char *what, const char *text, uint64_t *bits) {
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    if (!*digits || strlen(digits) > 16 ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        return tool_error("%s '%s': must be up to 16 hex digits", what, text_cut(text).text);
    *bits = strtoull(digits, NULL, 16);
    return TOOL_GO;
}

int tool_moves_fragment(const struct wsim_op *op) {
    return wsim_op_describe(op).counting == WSIM_COUNT_FRAGMENT;
}

int tool_moves_rows(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.matrices && info.bytes;
}
