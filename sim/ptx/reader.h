/* reader.h - shared by the sources of this room: the position of the reader, names and scopes,
 * problems. A function that reads something answers 1, or 0 if it has complained (or there is no
 * memory): the statement is then skipped. */
#ifndef WSIM_PTX_READER_H
#define WSIM_PTX_READER_H

#include "../base/base.h"
#include "arena.h"
#include "ptx.h"

/* A place in the text, from 1. */
struct place {
    uint32_t line, col;
};

/* The meaning of a name in a scope. */
enum meaning {
    MEANS_NOTHING,
    MEANS_REGISTER, /* index                                                       */
    MEANS_VECTOR,   /* of registers: index of the first; count                     */
    MEANS_FAMILY,   /* %r<12>: bound to the prefix; index: of a `struct family`    */
    MEANS_VARIABLE, /* index                                                       */
    MEANS_PARAM,
    MEANS_RESULT,
    MEANS_FUNCTION,
    MEANS_LABEL, /* these three can be used before they are declared            */
    MEANS_TABLE,
    MEANS_PROTOTYPE
};

struct binding {
    uint32_t name;
    uint8_t meaning;
    uint8_t count;
    uint32_t index;
    uint32_t depth; /* of the scope: 0 is the module                                */
    uint32_t outer; /* hidden binding with this name; 0: none                       */
    uint32_t next;  /* binding in this scope, declared before it                    */
    struct place at;
};

/* A family of registers in one declaration. Each used one becomes a register. */
struct family {
    struct ptx_type type;
    uint32_t count;
    uint8_t vector;
};

/* A word of the text, kept once. */
struct name {
    const char *text; /* in the text that is read, not terminated                     */
    uint32_t length, hash;
    uint32_t bound;   /* the innermost binding; 0: none                               */
    uint32_t family;  /* the innermost binding as a family's prefix; 0: none          */
    uint32_t waits;   /* the last operand that waits for it, from 1                   */
    uint32_t opcode;  /* from 1                                                       */
    uint32_t prefix;  /* the name without the number at its end; 0: it has none       */
    uint32_t number;  /* that number                                                  */
    uint32_t special; /* from 1                                                       */
    uint32_t string;  /* as a label of .debug_str, from 1                             */
    uint32_t members; /* scope that declares a name of this prefix and a number: its id  */
    uint32_t least;   /* the least of these numbers                                      */
    int is_split;     /* prefix and number are known                                  */
    const char *kept; /* a copy in the module's arena; NULL: not yet                  */
};

struct scope {
    uint32_t bindings; /* the last; 0: none                                           */
    uint32_t operands; /* of the function when it was opened                          */
    uint32_t id;       /* from 1, of all scopes of the text                           */
    struct place at;
};

/* Meanings of the name that an operand waits for: bits, in `value` until it is found; 0: any. */
enum wants { WANTS_LABEL = 1, WANTS_TABLE = 2, WANTS_PROTOTYPE = 4, WANTS_FUNCTION = 8 };

/* An operand that names what may be declared later. */
struct waiting {
    uint32_t name, operand, before; /* before: the one that waits for the same name   */
    struct place at;
};

/* An operand before its final place: operands of a list are adjacent. */
struct piece {
    struct ptx_operand op;
    uint32_t waits; /* name that it waits for; 0: none                                */
    int subscript;  /* a[1] was written                                               */
    struct place at;
};

struct reader {
    const char *at, *line_start, *end;
    uint32_t line;
    const char *behind_blanks; /* the end of the last blanks, and where they began     */
    struct place blanks;
    uint32_t contents;  /* of the text: bytes                                           */
    const char *binary; /* why the file holds no text; NULL: it does                    */

    struct ptx_arena *keep; /* of the module                                          */
    struct ptx_arena work;  /* until the text is read                                 */
    struct ptx_module *first, *module;
    struct wsim_diag *diag;
    enum wsim_status status; /* of the first problem that is an error                  */
    uint32_t problems;       /* of all modules, distinct                               */
    uint32_t suggestions;
    uint64_t initialised; /* bytes                                                     */

    /* of the text */
    struct arena_vec names; /* struct name; [0] is none                                */
    uint32_t *name_table;
    uint32_t name_slots;
    uint32_t seed;
    uint32_t last_scope; /* its id */

    /* of a module */
    struct arena_vec bindings; /* struct binding; [0] is none               */
    struct arena_vec variables, functions, opcodes, shapes, locs, files, file_numbers, problem_list;
    struct arena_vec aliases;   /* struct alias                              */
    uint32_t *problem_table;    /* indices from 1, by hash                   */
    uint32_t listed[2];         /* problems in the list: mistakes; unmodelled    */
    struct ptx_problem more[2]; /* the others together                           */
    struct debug *debug;
    struct arena_vec shared; /* .reg outside of functions: each entry has its own */
    int shared_registers;    /* a function that is no entry: names may be theirs */
    int maps_f64;            /* .target map_f64_to_f32                           */
    uint64_t constants;      /* bytes of constant memory                         */

    /* of a function */
    struct ptx_function *function; /* NULL outside                                     */
    int32_t function_index;        /* -1 outside                                       */
    struct arena_vec scopes, families, registers, code, operands, tables, prototypes, waiting;
    struct arena_vec pieces; /* struct piece: a stack                                  */
    uint32_t used;           /* of the next instruction, as a pragma says */
    uint32_t loc;
    int odd_families; /* a family whose prefix ends with a digit was declared          */
};

#define VEC_AT(type, vec, i) (&((type *)(vec).at)[i])
/* The elements of a list; NULL: it has none. */
#define ELEMENTS_OF(r, list)                                                                       \
    ((list)->count ? VEC_AT(struct ptx_operand, (r)->operands, (list)->first) : NULL)
#define NAME_AT(r, i) VEC_AT(struct name, (r)->names, i)
#define BINDING_AT(r, i) VEC_AT(struct binding, (r)->bindings, i)

/* --- container.c --- */

/* The text in a fat binary, as wsim_fatbin_text gives it; 0 bytes: `file` is no fat binary. Refuses
 * machine code. */
enum wsim_status ptx_contained(const char *file, size_t size, char *out, size_t *bytes,
                               struct wsim_diag *diag);

/* --- scan.c: blanks, characters, words --- */

/* Goes to the next character that is neither blank nor comment; answers it, 0 at the end. */
char ptx_skip(struct reader *r);
struct place ptx_here(const struct reader *r);
/* Takes `c` if it is the next character that counts. */
int ptx_accept(struct reader *r, char c);
/* The same, but complains if it is not: `what` says where it is missing. */
int ptx_expect(struct reader *r, char c, const char *what);
/* A word of letters, digits, _ and $ (and % at its beginning): its name, 0 if there is none. */
uint32_t ptx_word(struct reader *r);
/* The word after a dot, without the dot ("align"); "" if there is none. Longer words are cut to
 * 31 characters. */
#define PTX_WORD 32
void ptx_dotted(struct reader *r, char out[PTX_WORD]);
/* A semicolon without a statement, which ptxas refuses. Returns 1: the next statement follows. */
int ptx_empty(struct reader *r);
/* To the end of a statement: after the next ; or before a brace. */
void ptx_recover(struct reader *r);
/* "..." : where its characters are, and how many. */
int ptx_string(struct reader *r, const char **text, uint32_t *length);
/* Skips a block, from its brace to after the one that closes it. */
void ptx_skip_braces(struct reader *r);
static inline int ptx_is_digit(char c) {
    return c >= '0' && c <= '9';
}
static inline int ptx_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ptx_is_digit(c) || c == '_' ||
           c == '$';
}

/* --- number.c, expression.c --- */

/* A constant: PTX_OP_INTEGER, PTX_OP_F32 or PTX_OP_F64. */
int ptx_constant(struct reader *r, struct ptx_operand *out);

/* Makes a floating-point number an f32 or an f64. */
void ptx_fit_real(struct ptx_operand *number, unsigned bits);
/* A literal integer of a directive, from `least` to `most`. `what` begins a sentence: "an
 * alignment". */
int ptx_integer(struct reader *r, const char *what, uint64_t least, uint64_t most, uint64_t *out);
/* An integer that can be an expression, from 0 to `most`. */
int ptx_integer_constant(struct reader *r, const char *what, uint64_t most, uint64_t *out);
/* A literal, without operators. */
int ptx_literal(struct reader *r, struct ptx_operand *out);
/* The bits of the f64 nearest to a decimal number of `n` characters. */
uint64_t ptx_decimal(const char *text, size_t n);

/* --- name.c --- */

uint32_t ptx_name(struct reader *r, const char *text, size_t length);
const char *ptx_name_keep(struct reader *r, uint32_t name);
/* Declares; complains if the name is taken in this scope. */
int ptx_bind(struct reader *r, uint32_t name, enum meaning meaning, uint32_t index, uint32_t count,
             struct place at);
/* The meaning of a name here; NULL: nothing (yet). Makes a missing register of a family. */
const struct binding *ptx_lookup(struct reader *r, uint32_t name);
int ptx_scope_open(struct reader *r, struct place at);
void ptx_scope_close(struct reader *r);
/* One more register, the last; 0: no memory. */
int ptx_register(struct reader *r, uint32_t name, const struct ptx_type *type, uint32_t line);
int ptx_names_begin(struct reader *r);

/* --- problem.c --- */

/* Notes a problem. */
void ptx_complain(struct reader *r, enum base_rule rule, struct place at, const char *format, ...)
    BASE_PRINTF(4, 5);
/* The same of a name that is not declared: with the nearest one that is. Where functions share
 * registers it may be one of these. */
void ptx_complain_name(struct reader *r, uint32_t name, struct place at, const char *what);
/* The same of what no table has: illegal, or not modelled in a text of newer PTX. It refuses
 * kernels, not the text, because an assembler has accepted the texts of programs. */
void ptx_complain_unknown(struct reader *r, enum base_rule illegal, enum base_rule unmodelled,
                          struct place at, const char *format, ...) BASE_PRINTF(5, 6);
/* Sorts the problems of a module; the first error is the result of the reader. */
void ptx_problems_end(struct reader *r);
/* Quotes the next characters, for a message. Returns `out`. */
#define PTX_SEEN 48
const char *ptx_seen(const struct reader *r, char out[PTX_SEEN]);

/* --- declare.c, initialise.c --- */

/* The part of a declaration before the name. */
struct declaration {
    struct ptx_type type;
    uint8_t vector;
    uint32_t align; /* 0: not written */
    uint8_t bank;
    uint8_t managed;
    uint8_t pointer;
    uint8_t behind; /* the last word behind the type */
    enum ptx_space pointer_space;
    uint32_t pointer_align;
    struct place at;
};
enum { BEHIND_NOTHING, BEHIND_POINTER, BEHIND_SPACE, BEHIND_ALIGN };
/* Reads .align, .attribute, .v4, the type and .ptr. allows: bits. */
enum { ALLOWS_ATTRIBUTE = 1, ALLOWS_POINTER = 2 };
int ptx_declaration(struct reader *r, unsigned allows, struct declaration *out);
/* [3][4] after a name: *bytes becomes those of the array; *open: the first is []. */
#define PTX_DIMENSIONS 16
struct extent {
    uint64_t element, bytes;
    uint64_t size[PTX_DIMENSIONS];
    unsigned dimensions;
    uint8_t open;
};
int ptx_extent(struct reader *r, const struct declaration *d, struct extent *out);
/* A declaration of variables of a state space, or of registers, to its ; */
int ptx_variables(struct reader *r, enum ptx_space space, enum ptx_linkage linkage);
int ptx_registers(struct reader *r);
/* Registers that the module declares, in the innermost scope. */
int ptx_registers_shared(struct reader *r);
/* (...) after .attribute. */
int ptx_attributes(struct reader *r, uint8_t *managed);
/* The initial value of variable `index`, after =. */
int ptx_initialise(struct reader *r, uint32_t index, struct extent *extent);

/* --- word.c --- */

/* The type or state space that a word names. 0 and -1: it names none. */
int ptx_type_find(const char *word, struct ptx_type *out);
int ptx_space_find(const char *word);
/* Returns 1 if the word begins a statement of a module or a declaration; settings of a function do
 * not. */
int ptx_is_directive(const char *word);
/* The rule of a directive that wsim does not read: PTX has it, or not. */
enum base_rule ptx_directive_rule(const char *word);
/* The directive that a word may have meant, and the letters that differ. NULL: none. */
const char *ptx_directive_near(const char *word, unsigned *edits);

/* --- function.c: functions; parameter.c: their parentheses --- */

int ptx_function(struct reader *r, int is_entry, enum ptx_linkage linkage);
/* After a parenthesis, up to the one that closes it. allows: as of a declaration. */
int ptx_params(struct reader *r, unsigned allows, struct ptx_param **out, uint32_t *n,
               uint32_t *bytes);
/* Refuses parameters and results that no function, or no entry, can have. */
void ptx_check_params(struct reader *r, const struct ptx_function *f);
int ptx_table(struct reader *r, uint32_t label, struct place at, const char *word);
int ptx_alias(struct reader *r);
void ptx_aliases_end(struct reader *r);

/* --- body.c, operand.c, opcode.c, check.c --- */

int ptx_body(struct reader *r);
int ptx_operand(struct reader *r, int in_call);
/* Moves the pieces from `mark` on to the operands of the function, side by side. */
int ptx_fold(struct reader *r, uint32_t mark, uint32_t *first, uint32_t *count);
uint32_t ptx_opcode(struct reader *r, uint32_t name); /* from 1; 0: no memory */
/* Looks at the operands of an instruction, which are all pieces. */
void ptx_check(struct reader *r, uint32_t opcode, struct place at);

/* --- debug.c --- */

int ptx_loc(struct reader *r);
int ptx_file(struct reader *r);
int ptx_section(struct reader *r);
int ptx_debug_begin(struct reader *r);
void ptx_debug_end(struct reader *r);

/* --- directive.c: directives allowed anywhere --- */

/* Reads all directives that begin here and declare something, or stand anywhere, from .extern on:
 * 1 done, 0 it complained. */
int ptx_directive(struct reader *r);
enum { PRAGMA_MODULE, PRAGMA_HEAD, PRAGMA_BODY };
int ptx_pragma(struct reader *r, int place);

#endif
