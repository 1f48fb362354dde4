/* wsim check: one answer an instruction, in input order. 10,000 lines take 0.1 s on one core, 0.2 s
 * if each is wrong and needs its nearest legal spelling. */
#include "../common/lines.h"
#include "../common/memory.h"
#include "../common/pasted.h"
#include "../common/said.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/statement.h>

static const char about[] =
    "Prints one line per instruction, in input order: 'legal', with a tab and the gap if wsim "
    "does\n"
    "not run it; 'illegal', a tab and the reason; or 'unmodelled', a tab and the gap: PTX without "
    "a\n"
    "row in the tables, whose words are checked one by one, not their combination. '-' reads PTX "
    "from\n"
    "standard input: a file, some lines, or one spelling a line. Comments, labels, directives,\n"
    "braces and guards (@p, @!%p1) are skipped. Operands are checked only if they are constants of "
    "the instruction, such as the size of a cp.async.\n"
    "Short names (m16n8k16.f32.f16), CuTe atoms and SASS stand for the PTX instruction; an\n"
    "ambiguous name lists its candidates (exit status 2). --dims sets the tensor of a copy atom if "
    "its name does not. The default target is sm_90a.\n"
    "Exit status: 1 if an instruction is illegal, else 3 if one is not modelled, else 0; 2 if\n"
    "the input cannot be read (a line has at most 65536 bytes).\n";
static const char examples[] =
    "  wsim check --arch sm_80 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
    "  wsim ops --family mma | wsim check --arch a100 - | sort | uniq -c\n";

/* Masks control and non-ASCII bytes of the input, so that the line and its fields stay whole. */
static void print_reason(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F ? '?' : *text);
}

/* The state of a run. */
struct check {
    const struct wsim_arch *arch;
    int lines;     /* print the line of each                          */
    int worst;     /* status so far                                   */
    int is_word;   /* the argument is one word, not a line of PTX */
    unsigned dims; /* dimensions of a tensor; 0: not given */
};

enum { MOST = 64 };

/* Keeps the worst status: bad input, then illegal, then unmodelled. */
static void note(struct check *check, int status) {
    static const int rank[] = {
        [TOOL_FINE] = 0, [TOOL_UNMODELLED] = 1, [TOOL_FOUND] = 2, [TOOL_USAGE] = 3};
    if (rank[status] > rank[check->worst])
        check->worst = status;
}

/* Adds a note if the nearest legal spelling is not legal on this target. */
static void print_elsewhere(const char *spelling, const struct wsim_arch *arch) {
    struct wsim_diag diag;
    struct wsim_op op;
    if (wsim_op_nearest(spelling, &op) && wsim_op_check(&op, arch, &diag))
        printf(" (but %s)", diag.text);
}

/* Whether it looks like a name of CuTe or of machine code: no word begins with a small letter, as
 * in PTX. */
static int is_name(const char *text) {
    if (*text < 'A' || *text > 'Z')
        return 0;
    while ((text = strchr(text, '.')) != NULL)
        if (*++text >= 'a' && *text <= 'z')
            return 0;
    return 1;
}

/* --- names --- */

static unsigned words_of(const char *text) {
    unsigned words = 1;
    for (; *text; text++)
        words += *text == '.';
    return words;
}

/* Whether a word is a short name: it lacks more than .sync.aligned, the usual mistake. */
static int is_short(const char *text, const struct wsim_op *op) {
    enum { SYNC_ALIGNED = 2 };
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    return words_of(text) + SYNC_ALIGNED < words_of(spelling);
}

/* The number of operations of a name with the dimensions of --dims, and the first. */
static size_t of_dimensions(const struct check *check, const char *name, struct wsim_op *found) {
    struct wsim_op ops[MOST];
    char spelling[WSIM_SPELLING_MAX], word[16];
    size_t count, left = 0;
    snprintf(word, sizeof word, ".%ud.", check->dims);
    if (wsim_op_find(name, ops, MOST, &count, NULL))
        return 0;
    for (size_t i = 0; i < count && i < MOST; i++) {
        wsim_op_spell(&ops[i], spelling);
        if (strstr(spelling, word) && left++ == 0)
            *found = ops[i];
    }
    return left;
}

enum meaning { ITSELF, NAMED, SEVERAL, REFUSED };

/* The meaning of a text that is no spelling: *named is the spelling, or *diag has the reason. Lines
 * of a file, and texts with .sync, have to be spellings. */
static enum meaning meaning_of(const struct check *check, const char *text,
                               char named[WSIM_SPELLING_MAX], struct wsim_diag *diag) {
    struct wsim_op ops[TOOL_CANDIDATES];
    struct wsim_atom atom;
    size_t count = 0;
    int capitals = is_name(text);
    if ((!capitals && !check->is_word) || strstr(text, ".sync"))
        return ITSELF;
    if (wsim_atom_find(text, &atom, ops, TOOL_CANDIDATES, &count, diag))
        return diag->status == WSIM_UNMODELLED || strncmp(text, "SM", 2) == 0 ? REFUSED : ITSELF;
    if (capitals ? count > 1 && !check->is_word : !is_short(text, &ops[0]))
        return ITSELF;
    if (count > 1 && check->dims && of_dimensions(check, text, &ops[0]) == 1)
        count = 1;
    if (count > 1) {
        tool_candidates(text, ops, count);
        return SEVERAL;
    }
    wsim_op_spell(&ops[0], named);
    tool_note("%s is %s%s", text_cut(text).text, named, tool_atom_words(&atom).text);
    return NAMED;
}

/* --- answers --- */

/* Whether wsim has results of a legal instruction, or makes no claim of results. */
static int has_results(const struct wsim_instruction *instruction, const struct wsim_arch *arch) {
    if (instruction->is_op)
        return !wsim_op_claims(&instruction->op, WSIM_RESULTS) ||
               wsim_op_evidence(&instruction->op, arch, WSIM_RESULTS, NULL) != NULL;
    return strcmp(wsim_scalar_evidence(&instruction->scalar, arch), "none") != 0;
}

static void answer(struct check *check, const struct wsim_statement *statement) {
    struct wsim_diag diag = {0};
    struct wsim_instruction instruction;
    char why[128], named[WSIM_SPELLING_MAX];
    const char *spelling = statement->spelling;
    enum wsim_status parsed = wsim_instruction_parse(spelling, &instruction, &diag), status;
    enum meaning meaning = ITSELF;
    const char *reason;
    int is_run;
    if (parsed && parsed != WSIM_UNMODELLED) {
        struct wsim_diag other = {0};
        meaning = meaning_of(check, spelling, named, &other);
        if (meaning == SEVERAL) {
            note(check, TOOL_USAGE);
            return;
        }
        if (meaning == REFUSED)
            diag = other;
        if (meaning == REFUSED)
            parsed = other.status;
        if (meaning == NAMED)
            parsed = wsim_instruction_parse(spelling = named, &instruction, &diag);
    }
    status = parsed ? parsed : wsim_instruction_check(&instruction, check->arch, &diag);
    reason = diag.text;
    if (parsed && said_about(spelling)) {
        reason = said_about(spelling);
        diag.col = 0;
    }
    if (!status && instruction.is_op &&
        !operands_allowed(statement, &instruction.op, why, sizeof why)) {
        status = WSIM_ILLEGAL;
        reason = why;
    }
    is_run = status || has_results(&instruction, check->arch);
    note(check, status == WSIM_UNMODELLED || !is_run ? TOOL_UNMODELLED
                : status                             ? TOOL_FOUND
                                                     : TOOL_FINE);
    if (check->lines)
        printf("%lu\t", (unsigned long)statement->line);
    fputs(!status ? "legal" : status == WSIM_UNMODELLED ? "unmodelled\t" : "illegal\t", stdout);
    if (status && status != WSIM_UNMODELLED && diag.col)
        printf("column %u: ", (unsigned)(diag.col + statement->column));
    if (status)
        print_reason(reason);
    else if (!is_run)
        fputs("\tnot modelled: what it computes was not measured", stdout);
    if (parsed && parsed != WSIM_UNMODELLED && meaning != REFUSED)
        print_elsewhere(spelling, check->arch);
    putchar('\n');
}

/* Answers all there is; the number of instructions. */
static unsigned long answer_all(struct check *check, struct wsim_statements *in) {
    struct wsim_statement statement;
    unsigned long n = 0;
    for (; !ferror(stdout) && wsim_statements_next(in, &statement); n++)
        answer(check, &statement);
    if (in->failed)
        note(check, TOOL_USAGE);
    return n;
}

/* An atom of CuTe has blanks and commas of its own. */
static void answer_atom(struct check *check, const char *name) {
    struct wsim_statement statement = {.line = 1};
    snprintf(statement.spelling, sizeof statement.spelling, "%s", name);
    answer(check, &statement);
}

static void answer_argument(struct check *check, const char *text) {
    char *atom = pasted_atom(text);
    check->is_word = strcmp(text, "-") != 0 && !text[strcspn(text, " \t\n;{\"")];
    if (strcmp(text, "-") == 0) {
        struct lines lines = lines_open(stdin, "<stdin>");
        struct wsim_statements in = wsim_statements_in(lines_source, &lines);
        answer_all(check, &in);
        lines_close(&lines);
    } else if (atom) {
        answer_atom(check, atom);
    } else {
        const char *quote = strchr(text, '"'), *c = strstr(text, "asm");
        char *ptx = c && quote && c < quote ? pasted_ptx(text) : memory_text(text, strlen(text));
        struct wsim_statements in = wsim_statements_of(ptx);
        if (answer_all(check, &in) == 0)
            note(check, tool_error("no instruction in '%s'", text_cut(text).text));
        free(ptx);
    }
    free(atom);
}

/* As many dimensions as there are numbers between commas or x. */
static int read_dims(const char *text, unsigned *dims) {
    uint32_t extent;
    *dims = 0;
    for (const char *at = text; at;) {
        size_t n = strcspn(at, ",xX");
        if (!tool_is_number(at, n, UINT32_MAX, &extent) || ++*dims > WSIM_TENSOR_RANK)
            return tool_error("--dims '%s': write 1 to %d numbers with commas or x between them",
                              text_cut(text).text, WSIM_TENSOR_RANK);
        at = at[n] ? at + n + 1 : NULL;
    }
    return TOOL_GO;
}

struct options {
    const struct wsim_arch *arch;
    char *dims;
    int lines;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct check check = {
        .arch = o->arch ? o->arch : tool_arch(NULL), .lines = o->lines, .worst = TOOL_FINE};
    int status = o->dims ? read_dims(o->dims, &check.dims) : TOOL_GO;
    if (status != TOOL_GO)
        return status;
    if (!tool->args[0])
        return tool_error("no spelling given ('-' reads them from standard input)");
    for (const char **arg = tool->args; *arg; arg++)
        if (strchr(*arg, '/') && !strpbrk(*arg, " ;"))
            return tool_error("%s: no such file or folder", text_path(*arg).text);
    for (const char **arg = tool->args; *arg; arg++)
        answer_argument(&check, *arg);
    return check.worst;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Target, such as sm_80 or h100", "NAME"},
    {"dims", 0, TOOL_STRING, TOOL_AT(dims), "Set the tensor of an atom like SM90_TMA_LOAD", "LIST"},
    {"lines", 0, TOOL_FLAG, TOOL_AT(lines), "Print the line number before each answer", NULL},
    TOOL_OPTIONS_END};

const struct tool_command check_command = {
    "[INSTRUCTION... | -]", about, examples, rows, sizeof(struct options), TOOL_OUTPUT, NULL, run};
/* clang-format on */
