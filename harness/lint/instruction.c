/* The instructions of a text; see instruction.h. */
#include "instruction.h"

#include <wsim/harness/statement.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *begins, *has;
    uint32_t effects;
} effects[] = {
#define ACCESS EFFECT_ACCESS
#define WRITE EFFECT_WRITE
#define SHARED_READ EFFECT_SHARED_READ
#define SHARED_WRITE EFFECT_SHARED_WRITE
#define COPY EFFECT_COPY
#define COPY_COMMIT EFFECT_COPY_COMMIT
#define COPY_WAIT EFFECT_COPY_WAIT
#define COPY_ALL EFFECT_COPY_ALL
#define BULK EFFECT_BULK
#define BULK_COMMIT EFFECT_BULK_COMMIT
#define BULK_WAIT EFFECT_BULK_WAIT
#define MMA EFFECT_MMA
#define MMA_COMMIT EFFECT_MMA_COMMIT
#define MMA_WAIT EFFECT_MMA_WAIT
#define MMA_FENCE EFFECT_MMA_FENCE
#define ASYNC_READ EFFECT_ASYNC_READ
#define ASYNC_BARRIER EFFECT_ASYNC_BARRIER
#define PROXY EFFECT_PROXY
#define INIT EFFECT_INIT
#define INIT_FENCE EFFECT_INIT_FENCE
#define TEST EFFECT_TEST
#define EFFECT(begins, has, effects) {begins, has, effects},
#include "effect.def"
};

/* Whether the words of `text` begin with `words`. */
static int begins_with(const char *text, const char *words) {
    size_t n = strlen(words);
    return strncmp(text, words, n) == 0 && (!text[n] || text[n] == '.' || text[n] == ':');
}

/* Whether `text` has the qualifier `word`; "" is always there. */
static int has_word(const char *text, const char *word) {
    size_t n = strlen(word);
    if (!n)
        return 1;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if (!at[n] || at[n] == '.' || at[n] == ':')
            return 1;
    return 0;
}

static uint32_t effects_of(const char *spelling) {
    uint32_t all = 0;
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        if (begins_with(spelling, effects[i].begins) && has_word(spelling, effects[i].has))
            all |= effects[i].effects;
    return all;
}

/* Effects that an unknown instruction can have: it completes and orders others. */
enum {
    EFFECT_UNKNOWN = EFFECT_COPY_COMMIT | EFFECT_COPY_ALL | EFFECT_BULK_COMMIT | EFFECT_MMA_COMMIT |
                     EFFECT_MMA_FENCE | EFFECT_PROXY | EFFECT_INIT_FENCE
};

/* Looks the spelling up. Results come first; wgmma adds to them. */
static void instruction_read(struct lint_instruction *out, const char *spelling) {
    struct wsim_diag diag;
    const enum wsim_status status = wsim_instruction_parse(spelling, &out->is, &diag);
    out->known = status == WSIM_OK;
    out->named = out->known || status == WSIM_UNMODELLED;
    if (!out->named)
        out->effects &= EFFECT_UNKNOWN;
    if (!out->known)
        return;
    if (out->is.is_scalar && wsim_scalar_info(&out->is.scalar, &out->info)) {
        for (unsigned i = 0; i < out->info.operands && out->info.operand[i].result; i++)
            out->results += !out->info.operand[i].pair;
        return;
    }
    const struct wsim_op_info op = wsim_op_describe(&out->is.op);
    out->results = op.operands >> WSIM_D & 1;
    out->sums = op.does & WSIM_DOES_MULTIPLY && op.threads == WSIM_GROUP_THREADS;
}

static int is_guarded(const char *bytes, size_t at) {
    while (at && !strchr(";{}:", bytes[at - 1]))
        if (bytes[--at] == '@')
            return 1;
    return 0;
}

static struct lint_instruction *instructions_grow(struct lint_instructions *all,
                                                  struct lint_heap *heap) {
    if (all->n == all->room) {
        const size_t room = all->room ? 2 * all->room : 8;
        void *grown = lint_grow(heap, all->all, room, sizeof *all->all);
        if (!grown)
            return NULL;
        all->all = grown;
        all->room = room;
    }
    memset(&all->all[all->n], 0, sizeof *all->all);
    return &all->all[all->n++];
}

struct lint_instructions lint_instructions_of(const struct lint_text *text) {
    struct lint_instructions out = {NULL, 0, 0};
    struct wsim_statements in = wsim_statements_of(text->bytes);
    struct wsim_statement statement;
    while (wsim_statements_next(&in, &statement)) {
        struct lint_instruction *one = instructions_grow(&out, text->heap);
        if (!one)
            break;
        one->spelling = (struct lint_span){statement.column, strlen(statement.spelling)};
        one->operands = (struct lint_span){statement.first, statement.end - statement.first};
        one->effects = effects_of(statement.spelling);
        one->word = isalpha((unsigned char)*statement.spelling) &&
                    statement.spelling[strlen(statement.spelling) - 1] != ':';
        one->guarded = is_guarded(text->bytes, statement.column);
        instruction_read(one, statement.spelling);
    }
    return out;
}

void lint_instructions_free(struct lint_instructions *instructions) {
    free(instructions->all);
    *instructions = (struct lint_instructions){NULL, 0, 0};
}

struct lint_span lint_operand_at(const struct lint_text *text,
                                 const struct lint_instruction *instruction, unsigned index) {
    const size_t end = instruction->operands.at + instruction->operands.n;
    struct lint_span span = {instruction->operands.at, 0};
    int depth = 0;
    for (size_t at = span.at; at <= end; at++) {
        const char c = at < end ? text->bytes[at] : ',';
        if (c == ',' && (depth == 0 || at == end)) {
            span.n = at - span.at;
            if (index-- == 0)
                break;
            span = (struct lint_span){at + 1, 0};
        }
        depth += c && strchr("([{", c) ? 1 : c && strchr(")]}", c) ? -1 : 0;
    }
    while (span.n && isspace((unsigned char)text->bytes[span.at]))
        span.at++, span.n--;
    while (span.n && isspace((unsigned char)text->bytes[span.at + span.n - 1]))
        span.n--;
    return span;
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

int lint_names(const struct lint_text *text, struct lint_span in, struct lint_span name) {
    for (size_t at = in.at; name.n && at + name.n <= in.at + in.n; at++)
        if (memcmp(text->bytes + at, text->bytes + name.at, name.n) == 0 &&
            (at == in.at || !is_name(text->bytes[at - 1])) &&
            (at + name.n == in.at + in.n || !is_name(text->bytes[at + name.n])))
            return 1;
    return 0;
}
