/* tool.h - shared by the commands: options, errors, exit statuses, and names that become values.
 */
#ifndef WSIM_TOOL_H
#define WSIM_TOOL_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

/* Exit statuses, like those of diff and grep. */
enum tool_status {
    TOOL_GO = -1, /* none yet: go on                                     */
    TOOL_FINE = 0,
    TOOL_FOUND = 1, /* a difference, a conflict, an illegal spelling       */
    TOOL_USAGE = 2, /* the command line or an input is wrong               */
    TOOL_UNMODELLED = 3
};

/* --- the command line --- */

enum tool_format {
    TOOL_TEXT = 1,
    TOOL_JSON = 2,
    TOOL_CSV = 4,
    TOOL_MARKDOWN = 8,
    TOOL_SVG = 16,
    TOOL_HTML = 32,
    TOOL_CUTE = 64,
    TOOL_SARIF = 128,
    TOOL_JUNIT = 256
};

enum {
    /* Formats of every picture; layouts have TOOL_CUTE as well. */
    TOOL_PICTURES = TOOL_TEXT | TOOL_CSV | TOOL_MARKDOWN | TOOL_SVG | TOOL_HTML,
    TOOL_JSON_FLAG = 512, /* the command has --json as well */
    /* The first argument may be a program: later ones belong to it. */
    TOOL_PROGRAM = 1024,
    TOOL_OUTPUT = 2048 /* the command has --output; --format is its own, or it has one format */
};

/* How the member of an option is set. */
enum tool_kind {
    TOOL_STRING,  /* char *, NULL if the option is not given; the last one counts */
    TOOL_LIST,    /* char *: all strings given, with commas between them          */
    TOOL_STRINGS, /* char **: all strings given, ends with NULL                   */
    TOOL_FLAG,    /* int                                                          */
    TOOL_INT,     /* int                                                          */
    TOOL_TARGET,  /* const struct wsim_arch *                                     */
    TOOL_PATH,    /* uint32_t: a flag of wsim_prepare that limits the path        */
    TOOL_HELP,    /* none: prints the help                                        */
    TOOL_HEADING  /* no option: the help has the rows that follow under this name */
};

/* An option of a command; `at` is the offset of its member in the struct of options. */
struct tool_option {
    const char *name;
    char letter; /* 0: none */
    enum tool_kind kind;
    size_t at;
    const char *help, *value; /* value: its name in the help, NULL for a flag */
};

#define TOOL_AT(member) offsetof(struct options, member)

/* The options that follow are a group of the help. Options of all commands are in the last one,
 * TOOL_REPORT. */
#define TOOL_GROUP(heading)                                                                        \
    { heading, 0, TOOL_HEADING, 0, NULL, NULL }
#define TOOL_REPORT "Report"

/* The last row of a table of options. */
#define TOOL_OPTIONS_END                                                                           \
    { NULL, 0, TOOL_FLAG, 0, NULL, NULL }

/* A command that is called: what its function gets. */
struct tool {
    const char **args; /* the arguments, ends with NULL */
    int is_program;    /* they are a program and its own arguments */
    enum tool_format format;
    void *options; /* the struct of its options */
};

/* A command; commands.def lists their names. Every command has --color, --wide and --help; with
 * `formats` it has --format and --output as well. */
struct tool_command {
    const char *arguments;          /* of the usage line                                */
    const char *about, *examples;   /* paragraphs (help.h); lines that can be pasted    */
    const struct tool_option *rows; /* its own options                                  */
    size_t size;                    /* of the struct of its options, zeros at first     */
    unsigned formats;               /* a sum of enum tool_format                        */
    const char *format_help;        /* NULL: the names of the formats                   */
    int (*run)(struct tool *tool);  /* answers an exit status                           */
};

/* Runs a command: reads the options, opens the output. An exit status. */
int tool_run(const struct tool_command *command, int argc, const char **argv);

/* The rows of all options of a command. */
enum { TOOL_OPTIONS = 64, TOOL_GROUPS = 10, TOOL_FORMATS_TEXT = 80 };
struct tool_rows {
    struct tool_option row[TOOL_OPTIONS];
    const char *group[TOOL_OPTIONS]; /* of each row; NULL: none. Groups are in order. */
    unsigned count, own;             /* all; those of the command, which are first */
    char formats[TOOL_FORMATS_TEXT];
};
void tool_rows(const struct tool_command *command, struct tool_rows *rows);

/* The format called `name` (NULL: text; md is also markdown), which is among `allowed`, a sum of
 * enum tool_format. */
enum tool_format tool_format(const char *name, unsigned allowed);

/* Fails unless `format` is among `allowed`. */
void tool_allows(enum tool_format format, unsigned allowed);

/* "text, json or csv" */
void tool_list_formats(unsigned allowed, char out[TOOL_FORMATS_TEXT]);

/* Prints `root` and releases it, or ends the program with TOOL_USAGE and a message. */
void tool_print_json(json_t *root);

/* A text from outside as JSON: masked (text.h), so that it is one whatever its bytes are. */
json_t *tool_json_text(const char *text);

/* --- errors --- */

#ifdef __GNUC__
#define TOOL_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TOOL_PRINTF
#endif

/* Prints "wsim: ..." on standard error, masked (text.h), and ends the program with TOOL_USAGE. Use
 * text_cut for text of the user. */
_Noreturn void tool_fail(const char *format, ...) TOOL_PRINTF;

/* Ends the program: the file of --output is written only with TOOL_FINE and TOOL_FOUND. */
_Noreturn void tool_end(int status);

/* The same message from a command that goes on, or has to clean up first. Answers TOOL_USAGE. */
int tool_error(const char *format, ...) TOOL_PRINTF;

/* From now on tool_error begins with `text`, such as "FILE:LINE: "; "": no longer. */
void tool_subject(const char *text);

/* From now on messages go to `text`, which has `size` bytes; NULL: to standard error. */
void tool_catch(char *text, size_t size);

/* Prints a note on standard error, masked, without "wsim: ". */
void tool_note(const char *format, ...) TOOL_PRINTF;

/* Prints the refusal of the library and ends the program: TOOL_UNMODELLED if it has no model, else
 * TOOL_USAGE. `what` names the refused input; NULL: the sentence needs no subject. */
_Noreturn void tool_refuse(const char *what, const struct wsim_diag *diag);

/* The same message from a command that goes on. Answers that status. */
int tool_refused(const char *what, const struct wsim_diag *diag);

/* --- numbers --- */

/* Reads the `length` characters of `text` as a number from 0 to `most`: 1 and *value, or 0. It is
 * decimal (leading zeros mean nothing) or 0x hex, without sign and blanks. */
int tool_is_number(const char *text, size_t length, uint32_t most, uint32_t *value);

/* Reads what `option` was given; NULL, for an option that is not there, leaves *value alone. Fails
 * with the name of the option, its text and the range. */
void tool_number(const char *option, const char *text, uint32_t most, uint32_t *value);

/* The number of threads for --jobs, 0 being all processors. */
unsigned tool_jobs(int given, unsigned most);
unsigned tool_processors(unsigned most);

/* The 64 bits of a matrix descriptor in hex digits, with or without 0x: it is never written in
 * decimal. `what` names it. */
uint64_t tool_descriptor(const char *what, const char *text);

/* --- names --- */

/* The architecture called `name` (NULL: WSIM_ARCH_USUAL). Fails if there is none. */
const struct wsim_arch *tool_target(const char *name);

/* The same, or NULL after the error message. */
const struct wsim_arch *tool_arch(const char *name);

/* The name of an architecture for an operation: WSIM_ARCH_USUAL, or if that lacks it the first that
 * has it. */
const char *tool_arch_for(const struct wsim_op *op);

/* Whether fast products of the architecture use tcgen05 (umma.h). */
int tool_has_tcgen05(const struct wsim_arch *arch);
#define TOOL_TCGEN05                                                                               \
    "this is its mma.sync; its fast products are tcgen05.mma, which can give other bits"

/* Reads one operation from `args` into *op: a spelling, a pasted line of PTX, an asm statement of
 * C, or a name of wsim_op_find. A note reports the operation that a name means; an ambiguous name
 * is refused with a list. Operations that no manual defines are refused as well. */
void tool_op(const char **args, struct wsim_op *op);

/* The same, and the use of the operation that an atom of CuTe implies. */
void tool_op_atom(const char **args, struct wsim_op *op, struct wsim_atom *atom);

/* The words of the command line; tool_candidates repeats it. */
void tool_typed(const char *const *line);

/* Lists what a name can be, as an error: as many as were found, of which `ops` has the first
 * TOOL_CANDIDATES. */
#define TOOL_CANDIDATES 12
void tool_candidates(const char *name, const struct wsim_op *ops, size_t count);

/* An atom as what may follow "X is SPELLING": ", A in shared memory, B MN-major (trans-b 1)". */
struct atom_words {
    char text[200];
};
struct atom_words tool_atom_words(const struct wsim_atom *atom);

/* The operand called `name`, in either case; `can_be` lists the names that it may have. */
enum wsim_operand tool_operand(const char *name, const char *can_be);

/* Whether the operation moves rows of a matrix from or to shared memory. */
int tool_moves_rows(const struct wsim_op *op);

/* Whether it moves a fragment of wmma between registers and memory. */
int tool_moves_fragment(const struct wsim_op *op);

#endif
