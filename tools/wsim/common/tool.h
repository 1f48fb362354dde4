/* tool.h - shared by the commands: options, errors, exit statuses, and names that become values.
 * A command is a row of commands.def and a function NAME_main in a file of its own.
 */
#ifndef WSIM_TOOL_H
#define WSIM_TOOL_H

#include <jansson.h>
#include <popt.h>
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

#define GROUP(title)
#define COMMAND(name, summary) int name##_main(int argc, const char **argv);
#include "../commands.def"

/* The target when none is named. */
#define TOOL_ARCH "sm_90a"

/* --- the command line --- */

struct tool_help {
    const char *name;      /* "wsim check"                                       */
    const char *arguments; /* what follows the options                           */
    const char *about;     /* behind the option list, as help.h has it           */
    const char *examples;  /* two lines that can be pasted                       */
};

/* The row of --format, for commands with tables or pictures. */
#define TOOL_FORMAT_OPTION(format, can_be)                                                         \
    {"format", 0, POPT_ARG_STRING, format, 0, can_be, "FORMAT"}, {                                 \
        "output", 'o', POPT_ARG_STRING, NULL, 'o', "Write the answer into this file", "FILE"       \
    }

/* Last rows of every option table. */
#define TOOL_OPTIONS_END                                                                           \
    {"color", 0, POPT_ARG_STRING, NULL, 'c', "Use color: auto, always or never", "WHEN"},          \
        {"wide", 'w', POPT_ARG_NONE, NULL, 'w', "Do not wrap lines", NULL},                        \
        {"help", 'h', POPT_ARG_NONE, NULL, 'h', "Show this help", NULL}, POPT_TABLEEND

#define TOOL_OPTIONS 48

/* The `val` of a string option that can be given several times: its strings, with commas. */
#define TOOL_LIST 'l'

struct tool {
    poptContext con;
    const struct poptOption *table;
    struct poptOption own[TOOL_OPTIONS]; /* the table as popt has it: strings come one by one */
    char *color, *output;                /* options of all commands; NULL: not given */
    const char **args; /* what is not an option, ends with NULL; never NULL itself */
};

/* Reads the options into the variables that the table names (strings are then owned by the table's
 * variables; start them as NULL; of an option that is given twice the last counts). Answers
 * TOOL_GO, TOOL_FINE after --help, or TOOL_USAGE after saying what is wrong. tool_close is needed
 * after each of them; it frees the strings as well. */
int tool_open(struct tool *tool, int argc, const char **argv, const struct poptOption *table,
              const struct tool_help *help);
void tool_close(struct tool *tool);

/* From now on --help is not printed: `read` gets the options and the text. */
typedef void tool_reader(void *context, const struct poptOption *table,
                         const struct tool_help *help);
void tool_read_help(tool_reader *read, void *context);

enum tool_format {
    TOOL_TEXT = 1,
    TOOL_JSON = 2,
    TOOL_CSV = 4,
    TOOL_MARKDOWN = 8,
    TOOL_SVG = 16,
    TOOL_HTML = 32,
    TOOL_CUTE = 64
};

/* The format called `name` (NULL: text; md is also markdown) if it is among `allowed` (sum of enum
 * tool_format), else TOOL_USAGE after saying which there are. */
int tool_format(const char *name, unsigned allowed, enum tool_format *format);

/* Prints `root` and releases it. What cannot be printed as a whole ends the program with TOOL_USAGE
 * and a sentence. */
void tool_print_json(json_t *root);

/* A text from outside as JSON: masked (text.h), so that it is one whatever its bytes are. */
json_t *tool_json_text(const char *text);

/* --- errors --- */

#ifdef __GNUC__
#define TOOL_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TOOL_PRINTF
#endif

/* Says "wsim: ..." on standard error, a line that is masked (text.h), and answers TOOL_USAGE. What
 * a user typed may be long: text_cut it. */
int tool_error(const char *format, ...) TOOL_PRINTF;

/* From now on tool_error begins with `text`, such as "FILE:LINE: "; "": no longer. */
void tool_subject(const char *text);

/* Says something that is no error in the same way, without "wsim: ". */
void tool_note(const char *format, ...) TOOL_PRINTF;

/* Says why the library refused; TOOL_UNMODELLED if it has no model, else TOOL_USAGE. `what` is
 * what was refused, NULL if the sentence needs no subject. */
int tool_refused(const char *what, const struct wsim_diag *diag);

/* --- numbers --- */

/* Whether the `length` characters of `text` are a number from 0 to `most`, then in *value: decimal
 * (leading zeros mean nothing, as in expressions) or 0x hex; no sign, no blanks. */
int tool_is_number(const char *text, size_t length, uint32_t most, uint32_t *value);

/* Reads what `option` was given; NULL, for an option that is not there, leaves *value alone.
 * TOOL_GO, or TOOL_USAGE after naming the option, its text and the range. */
int tool_number(const char *option, const char *text, uint32_t most, uint32_t *value);

/* The 64 bits of a matrix descriptor in hex digits, with or without 0x: it is never written in
 * decimal. `what` names it. TOOL_GO, or TOOL_USAGE after saying what is wrong. */
int tool_descriptor(const char *what, const char *text, uint64_t *bits);

/* --- names --- */

/* The architecture called `name` (NULL: TOOL_ARCH), or NULL after an error message. */
const struct wsim_arch *tool_arch(const char *name);

/* The spelling at the start of a pasted line: blanks, a comment and a guard (@p, @!%p1) are
 * skipped, and it ends at a blank, ';', '{' or a comment. The answer is to be freed; *skipped is
 * where it starts. */
char *tool_spelling(const char *text, size_t *skipped);

/* Reads exactly one operation from `args` into *op: a spelling, alone or in a pasted line of PTX or
 * asm statement of C, or a name that wsim_op_find knows, which is then told on standard error;
 * where it can be several, these are listed. TOOL_GO, or the status after saying why not.
 * Operations that no manual defines are refused as well. */
int tool_op(const char **args, struct wsim_op *op);

/* The same, and what an atom of CuTe says of how it is used; nothing of other names. */
int tool_op_atom(const char **args, struct wsim_op *op, struct wsim_atom *atom);

/* Lists what a name can be: as many as were found, of which `ops` has the first TOOL_CANDIDATES.
 * TOOL_USAGE. */
#define TOOL_CANDIDATES 12
int tool_candidates(const char *name, const struct wsim_op *ops, size_t count);

/* An atom as what may follow "X is SPELLING": ", A in shared memory, B MN-major (trans-b 1)". */
struct atom_words {
    char text[200];
};
struct atom_words tool_atom_words(const struct wsim_atom *atom);

/* Whether the operation moves rows of a matrix from or to shared memory. */
int tool_moves_rows(const struct wsim_op *op);

/* Whether it moves a fragment of wmma between registers and memory. */
int tool_moves_fragment(const struct wsim_op *op);

#endif
