/* ptx.h - PTX text as a module: declarations, and instructions with resolved names.
 *
 * Knows no execution. The module owns everything that it points to; it does not keep the text.
 * The reader resolves registers, variables and labels of nested scopes: an operand holds a number.
 * A register declared as `%r<100>` exists only where the text uses it, so memory grows with the
 * text and not with its declarations. Source: PTX ISA 9.0, "Syntax", "State Spaces, Types, and
 * Variables", "Directives". */
#ifndef WSIM_PTX_PTX_H
#define WSIM_PTX_PTX_H

#include <wsim/isa.h>
#include <wsim/scalar.h>

struct ptx_arena; /* owns the memory of a module: arena.h */

enum ptx_space { PTX_REG, PTX_PARAM, PTX_SHARED, PTX_GLOBAL, PTX_LOCAL, PTX_CONST, PTX_GENERIC };
enum ptx_linkage { PTX_INTERNAL, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON };

/* A type as it is declared: bytes of one element, and how numbers are read. */
struct ptx_type {
    char name[12]; /* "f32", "b8", "pred" ...                           */
    uint16_t bits; /* 1 for pred                                        */
    char letter;   /* 'b' 'u' 's' 'f' 'p'; 't': a texture and its like  */
};

/* An address in an initialiser: of a variable or function, or some bytes of that address. */
struct ptx_relocation {
    uint64_t at;     /* byte of the variable                                       */
    uint8_t bytes;   /* 8 or 4, or 1 of a mask()                                   */
    uint8_t shift;   /* of the address, bits (mask)                                */
    uint8_t generic; /* generic(symbol)                                            */
    uint8_t is_function;
    uint32_t symbol; /* index of variable or function                              */
    int64_t offset;
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_linkage linkage;
    struct ptx_type type;
    uint8_t vector; /* 1; .v2, .v4: this many numbers make one element        */
    uint32_t align;
    uint64_t bytes; /* 0 and `open`: name[] of an extern array                */
    uint8_t open;
    uint8_t bank;  /* .const[bank]                                           */
    uint8_t *init; /* `bytes` bytes; NULL: zeros, or nothing (shared, local) */
    struct ptx_relocation *relocations;
    uint32_t n_relocations;
    int32_t function;  /* that it is declared in; -1: of the module              */
    uint32_t part;     /* number of the text that it stands in: ptx_link          */
    uint8_t elsewhere; /* another declaration of the name stands for it           */
    uint8_t managed;   /* .attribute(.managed)                                    */
    uint32_t line, col;
};

/* A parameter or a result of a function. */
struct ptx_param {
    const char *name;
    struct ptx_type type;
    uint8_t in_register; /* .reg of a .func                                        */
    uint8_t vector;      /* as of a variable                                       */
    uint8_t open;        /* name[]: as many bytes as the caller gives              */
    uint32_t align;
    uint32_t bytes;  /* all of an array                                        */
    uint32_t offset; /* from the beginning of the parameters, aligned          */
    uint8_t pointer; /* .ptr was written; its space and alignment ...          */
    enum ptx_space pointer_space;
    uint32_t pointer_align;
    uint32_t reg;             /* in_register: number of the register, the first of a vector */
    uint32_t word, line, col; /* word: of the reader                                   */
};

/* A register. One that is a vector (.reg .v4 .f32 %v) is as many, %v.x to %v.w. */
struct ptx_register {
    const char *name;
    struct ptx_type type;
    uint32_t line;
};

enum ptx_operand_kind {
    PTX_OP_NONE,
    PTX_OP_REGISTER,  /* index                                                         */
    PTX_OP_SUM,       /* index: of a register, of which `value` more is meant           */
    PTX_OP_INTEGER,   /* value, 64 bits two's complement; `is_unsigned` if 8U or > 2^63 */
    PTX_OP_F32,       /* value: bits of 0fXXXXXXXX                                     */
    PTX_OP_F64,       /* value: bits of 0dX..., or of a decimal number (where f32 is asked
                         for, it is to be rounded to it)                               */
    PTX_OP_SPECIAL,   /* special register: index into ptx_special_name                 */
    PTX_OP_VARIABLE,  /* address of variable `index` + value                           */
    PTX_OP_PARAM,     /* address of parameter `index` of this function + value         */
    PTX_OP_RESULT,    /* of return parameter `index` + value                           */
    PTX_OP_FUNCTION,  /* index                                                         */
    PTX_OP_LABEL,     /* index: number of the instruction it stands before; n_code: the end */
    PTX_OP_TABLE,     /* .branchtargets or .calltargets: index                         */
    PTX_OP_PROTOTYPE, /* .callprototype: index                                         */
    PTX_OP_SINK,      /* _                                                             */
    PTX_OP_VECTOR,    /* { }: `count` operands from `first`; also ( ) of a call        */
    PTX_OP_ADDRESS,   /* [ ]: `first` is the base (register, variable, param, number), value
                         is added; count > 1: what follows in the brackets (coordinates ...) */
    PTX_OP_PAIR       /* d|p: two operands from `first`                                */
};

/* A part of a register that an operand of a video instruction selects. */
enum ptx_part { PTX_WHOLE, PTX_B0, PTX_B1, PTX_B2, PTX_B3, PTX_H0, PTX_H1 };

struct ptx_operand {
    uint8_t kind;    /* enum ptx_operand_kind                                          */
    uint8_t negated; /* !p, or -x of a register where it is allowed                    */
    uint8_t is_unsigned;
    uint8_t part; /* enum ptx_part                                                  */
    uint32_t index;
    uint32_t first; /* into ptx_function.operands                                     */
    uint32_t count;
    uint64_t value;
};

/* A spelling that occurs in the module, looked up once. */
enum ptx_opcode_kind { PTX_UNKNOWN, PTX_SCALAR, PTX_MATRIX };
struct ptx_opcode {
    const char *text;
    uint8_t kind; /* PTX_SCALAR: `scalar`; PTX_MATRIX: `op`; PTX_UNKNOWN: `status` says why */
    enum wsim_status status;
    const char *rule, *why; /* of PTX_UNKNOWN                                          */
    uint32_t uses;          /* instructions with this spelling                          */
    uint32_t needs;         /* PTX_SCALAR: features that a device must have             */
    struct wsim_scalar scalar;
    struct wsim_op op;
};

#define PTX_NO_GUARD 0xFFFFFFFFu
struct ptx_instruction {
    uint32_t opcode;
    uint32_t first, count; /* operands, in written order                              */
    uint32_t guard;        /* register, or PTX_NO_GUARD                               */
    uint8_t guard_not;
    uint32_t used; /* a bit for each byte of a load that is used; 0: all */
    uint32_t line, col;
    uint32_t loc; /* into ptx_module.locs; 0: none                           */
};

/* A .loc: where an instruction comes from. */
struct ptx_loc {
    uint32_t file; /* index into ptx_module.files                             */
    uint32_t line, col;
    uint32_t inlined_at;  /* another loc, where it was inlined; 0: it was not        */
    const char *function; /* function_name of an inlined one; NULL                   */
};

struct ptx_table {
    uint32_t first, count;
}; /* of operands: labels or functions       */

struct ptx_prototype {
    struct ptx_param *results, *params;
    uint32_t n_results, n_params;
};

struct ptx_function {
    const char *name;
    uint8_t is_entry, is_defined;
    uint8_t debug; /* of a module with .target debug: ptxas optimises nothing   */
    enum ptx_linkage linkage;
    struct ptx_param *params, *results;
    uint32_t n_params, n_results;
    uint32_t param_bytes; /* of an entry: all of them                        */
    struct ptx_register *registers;
    uint32_t n_registers;
    struct ptx_instruction *code;
    uint32_t n_code;
    struct ptx_operand *operands;
    uint32_t n_operands;
    struct ptx_table *tables;
    uint32_t n_tables;
    struct ptx_prototype *prototypes;
    uint32_t n_prototypes;
    uint32_t maxntid[3], reqntid[3], reqnctapercluster[3]; /* zeros: not written       */
    uint32_t minnctapersm, maxnctapersm, maxnreg, maxclusterrank, abi_preserve;
    uint32_t explicitcluster, blocksareclusters, no_return; /* 1: written          */
    uint32_t problems; /* in it, all of them counted: more than 0 refuses a launch */
    uint32_t part;     /* as of a variable                                          */
    uint8_t elsewhere;
    uint32_t line, end_line, col;
};

/* Something that is not legal or not modelled; a file is read to its end, all of it is listed. */
struct ptx_problem {
    enum wsim_status status; /* WSIM_SYNTAX, WSIM_ILLEGAL, WSIM_OPERAND: not PTX; WSIM_UNMODELLED */
    const char *rule;
    uint32_t line, col; /* of the first                                          */
    uint32_t count;     /* how often the same                                    */
    int32_t function;   /* that it is in; -1                                     */
    uint32_t part;      /* number of the text                                    */
    uint8_t tolerated;  /* it refuses kernels, not the text                      */
    const char *text;
    const char *said; /* text without the nearest name: what tells two problems apart */
};

struct ptx_module {
    uint16_t version;   /* times 10                                              */
    const char *target; /* "sm_90a"; words after commas are dropped              */
    uint8_t address_size, debug;
    struct ptx_variable *variables;
    uint32_t n_variables;
    struct ptx_function *functions;
    uint32_t n_functions;
    struct ptx_opcode *opcodes;
    uint32_t n_opcodes;
    struct ptx_loc *locs; /* [0] is none                                           */
    uint32_t n_locs;
    const char **files;     /* names; NULL: a number that no .file gives a name      */
    uint32_t *file_numbers; /* as .file and .loc have them                           */
    uint32_t n_files;
    struct ptx_problem *problems;
    uint32_t n_problems;
    uint32_t line, lines;      /* where it begins, and how many lines it has            */
    struct ptx_module *next;   /* after another .version: the next module in this text  */
    struct ptx_arena *arena;   /* NULL in all but the first                             */
    struct ptx_module *linked; /* of ptx_link: the linked modules, one a text       */
    const char **parts;        /* their names, NULL: it has none                        */
    uint32_t n_parts;          /* 0: it was not linked                                  */
};

/* Reads the text of PTX or of a fat binary, to its end or to a zero byte. Errors: WSIM_SYNTAX,
 * WSIM_ILLEGAL, WSIM_OPERAND if the text is not PTX. *diag then has the first with its line and
 * column, and the problems of the modules have all. WSIM_NO_MEMORY leaves nothing in *module.
 * Unmodelled instructions are no error: `problems` lists them. Free *module in any case. */
enum wsim_status ptx_read(const char *text, size_t size, struct ptx_module *module,
                          struct wsim_diag *diag);
void ptx_free(struct ptx_module *module);

/* The same in at most `most` bytes for each arena, permanent and temporary (0: no limit). */
enum wsim_status ptx_read_within(const char *text, size_t size, size_t most,
                                 struct ptx_module *module, struct wsim_diag *diag);

/* Joins the modules of `n` texts, each as ptx_read leaves it. A definition in one text resolves an
 * .extern declaration in another. Other functions, variables and lines keep their own numbers,
 * after those of the texts before. One text alone is linked only if a module in it needs another
 * one; otherwise it is unchanged. names[i] (or NULL) is copied. *out takes over texts[] and zeroes
 * them. If one text is not PTX (`wrong_already`), nothing is resolved. Errors: WSIM_ILLEGAL if a
 * name has two definitions or contradicts its declaration. The line in *diag is in the text *wrong,
 * and the problems list all such errors. WSIM_NO_MEMORY leaves nothing in *out. */
enum wsim_status ptx_link(struct ptx_module *texts, uint32_t n, const char *const *names,
                          int wrong_already, struct ptx_module *out, uint32_t *wrong,
                          struct wsim_diag *diag);

/* Special registers: rows of special.def. */
enum ptx_special {
#define SPECIAL(id, name, type, ptx) PTX_SR_##id,
#include "special.def"
    PTX_SPECIALS
};

/* "%tid.x" and "u32"; NULL past the last. */
const char *ptx_special_name(uint32_t index);
const char *ptx_special_type(uint32_t index);

#endif
