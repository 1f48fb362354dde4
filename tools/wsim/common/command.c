/* Options of a command line; see tool.h. */
#include "child.h"
#include "help.h"
#include "memory.h"
#include "names.h"
#include "output.h"
#include "screen.h"
#include "text.h"
#include "tool.h"

#include <assert.h>
#include <popt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- rows --- */

/* The options of all commands. */
struct shared {
    char *format, *output, *color;
    int json, wide;
};

#define AT(member) offsetof(struct shared, member)
static const struct tool_option common[] = {
    {"color", 0, TOOL_STRING, AT(color), "Use color: auto, always or never", "WHEN"},
    {"wide", 'w', TOOL_FLAG, AT(wide), "Do not wrap lines", NULL},
    {"help", 'h', TOOL_HELP, 0, "Show this help", NULL}};
enum { COMMON = sizeof common / sizeof *common };

/* Adds a row, unless the command has an option of that name. A letter of the command wins. */
static void add_row(struct tool_rows *rows, struct tool_option row, const char *group) {
    for (unsigned i = 0; i < rows->own; i++) {
        if (strcmp(rows->row[i].name, row.name) == 0)
            return;
        if (rows->row[i].letter == row.letter)
            row.letter = 0;
    }
    assert(rows->count + 1 < TOOL_OPTIONS);
    rows->group[rows->count] = group;
    rows->row[rows->count++] = row;
}

void tool_rows(const struct tool_command *command, struct tool_rows *rows) {
    const struct tool_option format = {"format",      0,       TOOL_STRING, AT(format),
                                       rows->formats, "FORMAT"};
    const struct tool_option output = {
        "output", 'o', TOOL_STRING, AT(output), "Write the answer into this file", "FILE"};
    const struct tool_option json = {"json", 0, TOOL_FLAG, AT(json), "The same as --format json",
                                     NULL};
    const char *group = NULL;
    memset(rows, 0, sizeof *rows);
    for (const struct tool_option *row = command->rows; row && row->name; row++)
        if (row->kind == TOOL_HEADING)
            group = row->name;
        else
            add_row(rows, *row, group);
    rows->own = rows->count;
    group = group ? TOOL_REPORT : NULL;
    if (command->format_help)
        snprintf(rows->formats, sizeof rows->formats, "%s", command->format_help);
    else
        tool_list_formats(command->formats, rows->formats);
    if (command->formats & ~TOOL_OUTPUT)
        add_row(rows, format, group);
    if (command->formats)
        add_row(rows, output, group);
    if (command->formats & TOOL_JSON_FLAG)
        add_row(rows, json, group);
    for (int i = 0; i < COMMON; i++)
        add_row(rows, common[i], group);
}

/* --- reading --- */

/* A command line that is read. */
struct line {
    const char *name; /* "wsim check" */
    const struct tool_command *command;
    struct tool tool;
    struct shared shared;
    struct tool_rows rows;
    struct poptOption popt[TOOL_OPTIONS];
    poptContext con;
};

/* popt ends the program with the status of a finding where it finds no memory. */
static int is_in_popt;

static void end_of_popt(void) {
    if (is_in_popt)
        _exit(TOOL_USAGE);
}

static void *member(struct line *line, unsigned i) {
    char *base = i < line->rows.own ? line->tool.options : (char *)&line->shared;
    return base + line->rows.row[i].at;
}

/* popt answers the number of a row from ROW on for each string, as it would lose the string that
 * the option had before. */
enum { ROW = 1000 };

static void fill_popt(struct line *line) {
    for (unsigned i = 0; i < line->rows.count; i++) {
        const struct tool_option *row = &line->rows.row[i];
        line->popt[i] = (struct poptOption){row->name,    row->letter, POPT_ARG_STRING, NULL,
                                            ROW + (int)i, row->help,   row->value};
        switch (row->kind) {
        case TOOL_FLAG:
        case TOOL_INT:
        case TOOL_STRINGS:
            line->popt[i].argInfo = row->kind == TOOL_FLAG  ? POPT_ARG_NONE
                                    : row->kind == TOOL_INT ? POPT_ARG_INT
                                                            : POPT_ARG_ARGV;
            line->popt[i].arg = member(line, i);
            line->popt[i].val = 0;
            break;
        case TOOL_HELP: line->popt[i].argInfo = POPT_ARG_NONE; break;
        default: break;
        }
    }
}

/* An unknown path, or one that this machine does not run. */
static int refuse_path(const char *text, int is_known) {
    char there[128] = "";
    const char *names[WSIM_PATHS];
    size_t used = 0, count = 0;
    for (int i = 0; i < WSIM_PATHS; i++) {
        const char *name = wsim_path_name((enum wsim_path)i);
        if (wsim_path_available((enum wsim_path)i)) {
            used += (size_t)snprintf(there + used, sizeof there - used, " %s", name);
            names[count++] = name;
        }
    }
    if (is_known)
        return tool_error("--path %s: not available on this machine or in this build; available:%s",
                          text, there);
    return tool_error("--path: unknown path '%s'%s; available:%s", text_cut(text).text,
                      name_near(text, names, count).text, there);
}

/* The flag of wsim_prepare for a name of --path. */
static int read_path(const char *text, uint32_t *flags) {
    for (int i = 0; i < WSIM_PATHS; i++)
        if (strcmp(text, wsim_path_name((enum wsim_path)i)) == 0) {
            if (!wsim_path_available((enum wsim_path)i))
                return refuse_path(text, 1);
            *flags = i == WSIM_PATH_PLAIN ? WSIM_PLAIN : WSIM_UP_TO(i);
            return TOOL_GO;
        }
    return refuse_path(text, 0);
}

/* Puts `given` into a member, after a comma if it has a string already. */
static void join(char **list, const char *given) {
    const size_t used = *list ? strlen(*list) + 1 : 0;
    *list = memory_grow(*list, used + strlen(given) + 1);
    if (used)
        (*list)[used - 1] = ',';
    strcpy(*list + used, given);
}

/* Sets the member of a row; frees `given`, or keeps it. */
static int set_string(struct line *line, unsigned i, char *given) {
    char **string = member(line, i);
    int status = TOOL_GO;
    switch (line->rows.row[i].kind) {
    case TOOL_STRING:
        free(*string);
        *string = given;
        return TOOL_GO;
    case TOOL_LIST: join(string, given); break;
    case TOOL_PATH: status = read_path(given, member(line, i)); break;
    default: {
        const struct wsim_arch **arch = member(line, i);
        *arch = tool_arch(given);
        status = *arch ? TOOL_GO : TOOL_USAGE;
    }
    }
    free(given);
    return status;
}

/* The options in their groups, as popt prints tables of tables. */
static void print_groups(const struct line *line) {
    struct poptOption rows[TOOL_OPTIONS + TOOL_GROUPS] = {{NULL, 0, 0, NULL, 0, NULL, NULL}};
    struct poptOption groups[TOOL_GROUPS + 1] = {{NULL, 0, 0, NULL, 0, NULL, NULL}};
    char headings[TOOL_GROUPS][48];
    const char *argv[] = {line->name, NULL};
    unsigned n = 0, used = 0;
    poptContext con;
    for (unsigned i = 0; i < line->rows.count; i++) {
        const char *group = line->rows.group[i];
        const char *before = i ? line->rows.group[i - 1] : NULL;
        if (!i || (group != before && (!group || !before || strcmp(group, before) != 0))) {
            used += i > 0; /* an empty row ends a table */
            assert(n < TOOL_GROUPS);
            snprintf(headings[n], sizeof headings[n], "%s%s", group ? group : "", group ? ":" : "");
            groups[n] = (struct poptOption){
                NULL, 0, POPT_ARG_INCLUDE_TABLE, &rows[used], 0, group ? headings[n] : NULL, NULL};
            n++;
        }
        rows[used++] = line->popt[i];
    }
    con = poptGetContext(line->name, 1, argv, groups, 0);
    if (!con)
        exit(tool_error("out of memory"));
    poptSetOtherOptionHelp(con, line->command->arguments);
    poptPrintHelp(con, stdout, 0);
    poptFreeContext(con);
}

static void print_help(const struct line *line) {
    if (line->rows.count && line->rows.group[line->rows.count - 1])
        print_groups(line);
    else
        poptPrintHelp(line->con, stdout, 0);
    putchar('\n');
    help_about(line->command->about);
    puts("\nExamples:");
    help_examples(line->command->examples);
}

/* Names that other tools, headers and earlier versions have for an option of the command. */
static struct name_hint other_option(const char *bad, const char *const *names, size_t count) {
    static const struct {
        const char *said, *meant;
    } others[] = {{"adress", "addr"},
                  {"address", "addr"},
                  {"addresses", "addr"},
                  {"lbo", "leading"},
                  {"sbo", "stride"},
                  {"metadata", "e"},
                  {"meta", "e"},
                  {"gpu", "arch"},
                  {"device", "arch"},
                  {"target", "arch"},
                  {"sm", "arch"},
                  {"gpu-name", "arch"},
                  {"blockDim", "block"},
                  {"gridDim", "grid"},
                  {"boxDim", "box"},
                  {"shape", "dims"},
                  {"suppress", "ignore' or 'baseline"}};
    /* Formats that are no option of their own. */
    static const char *const formats[] = {"sarif", "junit", "json", "csv",
                                          "html",  "svg",   "md",   "github"};
    struct name_hint hint = {""};
    bad += strspn(bad, "-");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (size_t k = 0; k < count && strcmp(bad, others[i].said) == 0; k++)
            if (strncmp(names[k], others[i].meant, strcspn(others[i].meant, "'")) == 0)
                snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", others[i].meant);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && !*hint.text; i++)
        if (strcmp(bad, formats[i]) == 0)
            snprintf(hint.text, sizeof hint.text, "; did you mean '--format %s'?", formats[i]);
    return hint;
}

static int refuse_option(const struct line *line, int option) {
    const char *bad = poptBadOption(line->con, POPT_BADOPTION_NOALIAS);
    const char *names[TOOL_OPTIONS];
    struct name_hint hint = {""};
    for (unsigned i = 0; i < line->rows.count; i++)
        names[i] = line->rows.row[i].name;
    if (option == POPT_ERROR_BADOPT)
        hint = other_option(bad, names, line->rows.count);
    if (option == POPT_ERROR_BADOPT && !*hint.text)
        hint = name_near(bad, names, line->rows.count);
    return tool_error("%s: %s%s (%s --help lists the options)", text_cut(bad).text,
                      poptStrerror(option), hint.text, line->name);
}

static int read_options(struct line *line) {
    int status = TOOL_GO, option;
    while (status == TOOL_GO && (option = poptGetNextOpt(line->con)) != -1) {
        char *given;
        if (option < ROW)
            return refuse_option(line, option);
        if (line->rows.row[option - ROW].kind == TOOL_HELP) {
            print_help(line);
            return TOOL_FINE;
        }
        given = poptGetOptArg(line->con);
        if (!given)
            exit(tool_error("out of memory"));
        status = set_string(line, (unsigned)(option - ROW), given);
    }
    return status;
}

/* Whether the option that begins an argument takes the next one as its value. */
static int takes_next(const struct line *line, const char *argument) {
    const int is_long = argument[1] == '-';
    if (strchr(argument, '=') || (!is_long && argument[1] && argument[2]))
        return 0;
    for (unsigned i = 0; i < line->rows.count; i++) {
        const struct tool_option *row = &line->rows.row[i];
        if (is_long ? strcmp(row->name, argument + 2) == 0
                    : row->letter && row->letter == argument[1])
            return row->kind != TOOL_FLAG && row->kind != TOOL_HELP;
    }
    return 0;
}

/* Whether a word names a program, also one that is not installed: what follows is its own. */
static int is_program(const char *word) {
    return child_is_command(word) || (!strpbrk(word, "./") && access(word, F_OK));
}

/* The index of the program on the line; argc: there is none. */
static int find_program(const struct line *line, int argc, const char **argv) {
    int i = 1, ends = 0;
    while (i < argc && !ends && argv[i][0] == '-' && argv[i][1]) {
        ends = strcmp(argv[i], "--") == 0;
        i += 1 + takes_next(line, argv[i]);
    }
    return i < argc && is_program(argv[i]) ? i : argc;
}

static int read_line(struct line *line, int argc, const char **argv) {
    static const char *nothing[] = {NULL};
    int status, program = argc;
    argv[0] = line->name;
    tool_rows(line->command, &line->rows);
    fill_popt(line);
    if (line->command->formats & TOOL_PROGRAM)
        program = find_program(line, argc, argv);
    line->con = poptGetContext(line->name, program, argv, line->popt, 0);
    if (!line->con)
        exit(tool_error("out of memory"));
    poptSetOtherOptionHelp(line->con, line->command->arguments);
    status = read_options(line);
    line->tool.args = poptGetArgs(line->con);
    line->tool.is_program = program < argc;
    if (line->tool.is_program)
        line->tool.args = argv + program;
    if (!line->tool.args)
        line->tool.args = nothing;
    return status;
}

/* The options that all commands share. */
static int apply_shared(struct line *line) {
    const struct shared *shared = &line->shared;
    const unsigned formats = line->command->formats & ~TOOL_OUTPUT;
    const char *format = shared->json && !shared->format ? "json" : shared->format;
    int status = TOOL_GO;
    line->tool.format = TOOL_TEXT;
    if (shared->wide)
        screen_widen();
    if (shared->color)
        status = screen_colour(shared->color);
    if (status == TOOL_GO && shared->output)
        status = output_redirect(shared->output);
    if (status == TOOL_GO && formats)
        line->tool.format = tool_format(format, formats);
    return status;
}

static void free_strings(char **strings) {
    for (char **string = strings; string && *string; string++)
        free(*string);
    free(strings);
}

static void close_line(struct line *line) {
    for (unsigned i = 0; i < line->rows.count; i++) {
        const enum tool_kind kind = line->rows.row[i].kind;
        if (kind == TOOL_STRING || kind == TOOL_LIST)
            free(*(char **)member(line, i));
        else if (kind == TOOL_STRINGS)
            free_strings(*(char ***)member(line, i));
    }
    poptFreeContext(line->con);
    free(line->tool.options);
    free(line);
}

int tool_run(const struct tool_command *command, int argc, const char **argv) {
    struct line *line = memory_make(1, sizeof *line);
    char name[32];
    int status;
    snprintf(name, sizeof name, "wsim %s", argv[0]);
    line->name = name;
    tool_typed(argv);
    line->command = command;
    line->tool.options = memory_make(1, command->size);
    atexit(end_of_popt);
    is_in_popt = 1;
    status = read_line(line, argc, argv);
    is_in_popt = 0;
    if (status == TOOL_GO)
        status = apply_shared(line);
    if (status == TOOL_GO)
        status = command->run(&line->tool);
    close_line(line);
    return status == TOOL_GO ? TOOL_FINE : status;
}
