/* What the subcommands share; see tool.h. */
#include "tool.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int tool_error(const char *format, ...) {
    va_list args;
    fputs("wsim: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return TOOL_USAGE;
}

int tool_refused(const char *what, const struct wsim_diag *diag) {
    char at[32] = "";
    if (diag->col)
        snprintf(at, sizeof at, "column %u: ", (unsigned)diag->col);
    tool_error("%s%s%s%s", what ? what : "", what ? ": " : "", at, diag->text);
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

static void print_help(struct tool *tool, const struct tool_help *help) {
    poptPrintHelp(tool->con, stdout, 0);
    printf("\n%s\nExamples:\n%s", help->about, help->examples);
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
}

/* Reads options up to one that answers for itself, a mistake or the end. */
static int read_options(struct tool *tool) {
    int option;
    while ((option = poptGetNextOpt(tool->con)) >= string_option(0)) {
        char **string = tool->table[option - string_option(0)].arg;
        free(*string);
        *string = poptGetOptArg(tool->con);
    }
    return option;
}

int tool_open(struct tool *tool, int argc, const char **argv, const struct poptOption *table,
              const struct tool_help *help) {
    static const char *nothing[] = {NULL};
    int option;
    argv[0] = help->name;
    copy_table(tool, table);
    tool->con = poptGetContext(help->name, argc, argv, tool->own, 0);
    poptSetOtherOptionHelp(tool->con, help->arguments);
    option = read_options(tool);
    if (option == 'h') {
        print_help(tool, help);
        return TOOL_FINE;
    }
    if (option < -1)
        return tool_error("%s: %s (%s --help lists the options)",
                          poptBadOption(tool->con, POPT_BADOPTION_NOALIAS), poptStrerror(option),
                          help->name);
    tool->args = poptGetArgs(tool->con);
    if (!tool->args)
        tool->args = nothing;
    return TOOL_GO;
}

void tool_close(struct tool *tool) {
    const struct poptOption *option;
    for (option = tool->table; option->longName; option++)
        if (option->argInfo == POPT_ARG_STRING)
            free(*(char **)option->arg);
    poptFreeContext(tool->con);
}

int tool_format(const char *name, unsigned allowed, enum tool_format *format) {
    static const char *const names[] = {"text", "json", "csv", "markdown"};
    unsigned i;
    *format = TOOL_TEXT;
    for (i = 0; name && i < 4; i++)
        if ((allowed >> i & 1) && strcmp(name, names[i]) == 0) {
            *format = (enum tool_format)(1u << i);
            name = NULL;
        }
    if (name)
        return tool_error("unknown format '%s': it can be text%s", name,
                          allowed & TOOL_MARKDOWN ? ", json, csv or markdown"
                          : allowed & TOOL_CSV    ? ", json or csv"
                                                  : " or json");
    return TOOL_GO;
}

void tool_print_json(json_t *root) {
    json_dumpf(root, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(root);
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
        return tool_error("%s '%s': it can only be 0", option, text);
    return tool_error("%s '%s': it is a number from 0 to %lu, decimal or 0x hex", option, text,
                      (unsigned long)most);
}

const struct wsim_arch *tool_arch(const char *name) {
    const struct wsim_arch *arch = wsim_arch_find(name ? name : TOOL_ARCH);
    char names[512] = "";
    size_t i, n = 0;
    if (arch)
        return arch;
    for (i = 0; (arch = wsim_arch_at(i)) != NULL && n < sizeof names; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, " %s", wsim_arch_name(arch));
    tool_error("unknown architecture '%s'; there are:%s, and product names such as h100", name,
               names);
    return NULL;
}

#define BLANKS " \t\r\n\v\f"

/* The length of a guard with the blanks behind it: '@', perhaps '!', and a name; 0: there is none.
 */
static size_t guard(const char *text) {
    const char *name, *at;
    if (*text != '@')
        return 0;
    name = at = text + 1 + (text[1] == '!');
    while (isalnum((unsigned char)*at) || (*at && strchr("%_$", *at)))
        at++;
    return at > name && (!*at || strchr(BLANKS, *at)) ? (size_t)(at - text) + strspn(at, BLANKS)
                                                      : 0;
}

char *tool_spelling(const char *text, size_t *skipped) {
    const char *start = text + strspn(text, BLANKS), *comment;
    size_t length;
    start += guard(start);
    *skipped = (size_t)(start - text);
    length = strcspn(start, BLANKS ";{");
    comment = strstr(start, "//");
    if (comment && comment < start + length)
        length = (size_t)(comment - start);
    return strndup(start, length);
}

static int parse_op(const char *text, struct wsim_op *op) {
    size_t skipped;
    char *spelling = tool_spelling(text, &skipped);
    struct wsim_diag diag = {0};
    int empty = *spelling == 0;
    enum wsim_status status = wsim_op_parse(spelling, op, &diag);
    free(spelling);
    if (empty)
        return tool_error("there is no instruction in '%s'", text);
    if (diag.col)
        diag.col += (uint32_t)skipped;
    if (!status && !wsim_op_describe(op).documented)
        status = wsim_op_check(op, wsim_arch_at(0), &diag);
    return status ? tool_refused(NULL, &diag) : TOOL_GO;
}

int tool_descriptor(const char *what, const char *text, uint64_t *bits) {
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    if (!*digits || strlen(digits) > 16 ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        return tool_error("%s '%s': it is up to 16 hex digits", what, text);
    *bits = strtoull(digits, NULL, 16);
    return TOOL_GO;
}

int tool_op(const char **args, struct wsim_op *op) {
    if (!args[0])
        return tool_error("no instruction given, such as "
                          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    if (args[1])
        return tool_error("one instruction at a time: '%s' is one too many (quote a line that has "
                          "operands)",
                          args[1]);
    return parse_op(args[0], op);
}

int tool_moves_fragment(const struct wsim_op *op) {
    return wsim_op_describe(op).counting == WSIM_COUNT_FRAGMENT;
}

int tool_moves_rows(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.matrices && info.bytes;
}
