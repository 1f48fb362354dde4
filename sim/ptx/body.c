/* Bodies of functions: blocks, labels, guards, instructions. Blocks are counted, not called, so
 * any number of them may be open. */
#include "reader.h"

#include <string.h>

static struct ptx_instruction *add(struct reader *r, uint32_t opcode, struct place at) {
    struct ptx_instruction *ins = arena_push(&r->work, &r->code, sizeof *ins);
    if (!ins)
        return NULL;
    ins->opcode = opcode;
    ins->guard = PTX_NO_GUARD;
    ins->line = at.line;
    ins->col = at.col;
    ins->loc = r->loc;
    ins->used = r->used;
    r->used = 0;
    return ins;
}

/* @p or @!p. */
static int guard(struct reader *r, uint32_t *reg, uint8_t *negated) {
    char seen[PTX_SEEN];
    *negated = (uint8_t)ptx_accept(r, '!');
    ptx_skip(r);
    struct place at = ptx_here(r);
    uint32_t name = ptx_word(r);
    if (!name) {
        ptx_complain(r, RULE_PTX_TEXT_MISSING, at, "the predicate of a guard is missing before %s",
                     ptx_seen(r, seen));
        return 0;
    }
    const struct binding *b = ptx_lookup(r, name);
    if (!b) {
        ptx_complain_name(r, name, at, "predicate");
        return 0;
    }
    *reg = b->index;
    if (b->meaning == MEANS_REGISTER &&
        VEC_AT(struct ptx_register, r->registers, b->index)->type.letter == 'p')
        return 1;
    ptx_complain(
        r, RULE_PTX_OPERAND_GUARD, at, "a guard must be a register of .pred, and '%.*s' is not",
        NAME_AT(r, name)->length > 60 ? 60 : (int)NAME_AT(r, name)->length, NAME_AT(r, name)->text);
    return 0;
}

/* A colon inside a word: one of "::", or between digits (.sp::2:4). */
static int is_colon(const char *at) {
    return at[0] == ':' &&
           (at[1] == ':' || at[-1] == ':' || (ptx_is_digit(at[-1]) && ptx_is_digit(at[1])));
}

/* Words separated by dots. A copy drops blanks between them. */
static uint32_t opcode_name(struct reader *r) {
    enum { LONGEST = 256 };
    char text[LONGEST];
    const char *from = r->at;
    size_t n = 0;
    while (ptx_is_word(*r->at) || *r->at == '.' || is_colon(r->at))
        r->at++;
    const char *end = r->at;
    if (ptx_skip(r) != '.')
        return ptx_name(r, from, (size_t)(end - from));
    for (; *r->at == '.'; ptx_skip(r)) {
        for (; from < end && n < LONGEST; from++)
            text[n++] = *from;
        from = r->at++;
        while (ptx_is_word(*r->at) || *r->at == '.' || *r->at == ':')
            r->at++;
        end = r->at;
    }
    for (; from < end && n < LONGEST; from++)
        text[n++] = *from;
    const char *copy = arena_copy(&r->work, text, n);
    return copy ? ptx_name(r, copy, n) : 0;
}

/* Operands up to the semicolon. */
static int operands(struct reader *r, int is_call) {
    if (ptx_skip(r) == ';')
        return 1;
    do
        if (!ptx_operand(r, is_call))
            return 0;
    while (ptx_accept(r, ','));
    return 1;
}

static int instruction(struct reader *r, struct place at, uint32_t reg, uint8_t negated) {
    uint32_t name = opcode_name(r), opcode = name ? ptx_opcode(r, name) : 0, first, count;
    if (!opcode)
        return 0;
    const char *text = NAME_AT(r, name)->text;
    int is_call = strncmp(text, "call", 4) == 0 && !ptx_is_word(text[4]);
    r->pieces.n = 0;
    if (!operands(r, is_call))
        return 0;
    ptx_check(r, opcode - 1, at);
    VEC_AT(struct ptx_opcode, r->opcodes, opcode - 1)->uses++;
    struct ptx_instruction *ins = add(r, opcode - 1, at);
    if (!ins || !ptx_fold(r, 0, &first, &count))
        return 0;
    ins->guard = reg;
    ins->guard_not = negated;
    ins->first = first;
    ins->count = count;
    return ptx_expect(r, ';', "after an instruction");
}

/* A label before an instruction or a table. */
static int label(struct reader *r, uint32_t name, struct place at) {
    char word[PTX_WORD];
    const char *before = (ptx_skip(r), r->at);
    struct place here = ptx_here(r);
    ptx_dotted(r, word);
    if (strcmp(word, "branchtargets") == 0 || strcmp(word, "calltargets") == 0 ||
        strcmp(word, "callprototype") == 0)
        return ptx_table(r, name, at, word);
    r->at = before;
    (void)here;
    return ptx_bind(r, name, MEANS_LABEL, r->code.n, 1, at);
}

/* Something that begins with a word: a label or an instruction. */
static int worded(struct reader *r) {
    struct place at = ptx_here(r);
    const char *start = r->at, *end = start + (*start == '%');
    while (ptx_is_word(*end))
        end++;
    const char *colon = end;
    while (*colon == ' ' || *colon == '\t')
        colon++;
    if (*colon == ':' && colon[1] != ':') {
        uint32_t name = ptx_name(r, start, (size_t)(end - start));
        r->at = colon + 1;
        return name && label(r, name, at);
    }
    return instruction(r, at, PTX_NO_GUARD, 0);
}

static int guarded(struct reader *r) {
    char seen[PTX_SEEN];
    struct place at = ptx_here(r);
    uint32_t reg;
    uint8_t negated;
    r->at++;
    if (!guard(r, &reg, &negated))
        return 0;
    if (ptx_is_word(ptx_skip(r)) && !ptx_is_digit(*r->at))
        return instruction(r, at, reg, negated);
    ptx_complain(r, RULE_PTX_TEXT_MISSING, ptx_here(r),
                 "an instruction is missing after a guard, before %s", ptx_seen(r, seen));
    return 0;
}

/* One statement that is neither a brace nor the end. */
static int statement(struct reader *r, char c) {
    char seen[PTX_SEEN];
    if (c == '.')
        return ptx_directive(r);
    if (c == '@')
        return guarded(r);
    if (c == ';')
        return ptx_empty(r);
    if ((ptx_is_word(c) && !ptx_is_digit(c)) || c == '%')
        return worded(r);
    ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, ptx_here(r), "%s does not begin a statement",
                 ptx_seen(r, seen));
    r->at++;
    return 0;
}

int ptx_body(struct reader *r) {
    struct place open = ptx_here(r);
    uint32_t outside = r->scopes.n - 1;
    for (r->at++; !r->work.failed && !r->keep->failed;) {
        char c = ptx_skip(r);
        if (c == '\0') {
            ptx_complain(r, RULE_PTX_TEXT_MISSING, ptx_here(r),
                         "'}' is missing: the body that begins in line %u never ends",
                         (unsigned)open.line);
            return 0;
        }
        if (c == '{') {
            if (!ptx_scope_open(r, ptx_here(r)))
                return 0;
            r->at++;
        } else if (c == '}') {
            r->at++;
            ptx_scope_close(r);
            if (r->scopes.n == outside)
                return 1;
        } else if (!statement(r, c)) {
            ptx_recover(r);
        }
    }
    return 0;
}
