/* How a statement fits into the program around it; see rules.h. */
#include "pointer.h"
#include "rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct binding {
    const char *file;
    const struct lint_asm *statement;
    const struct lint_text *text;
    const struct lint_instructions *all;
    struct lint_findings *findings;
};

static struct lint_piece spelling_of(const struct binding *binding, size_t index) {
    return lint_piece_of(binding->text->bytes, binding->all->all[index].spelling);
}

/* The next operand %N in a part of the text from *at on; -1 at the end. */
static long next_operand(const struct binding *binding, struct lint_span in, size_t *at,
                         size_t *from) {
    for (; *at < in.at + in.n; ++*at) {
        const char *c = binding->text->bytes + *at;
        if (*c != '%' || !isdigit((unsigned char)c[1]))
            continue;
        char *end;
        const unsigned long number = strtoul(c + 1, &end, 10);
        *from = binding->text->from[*at];
        *at = (size_t)(end - binding->text->bytes);
        if (number < binding->statement->n_operands)
            return (long)number;
    }
    return -1;
}

/* --- outputs --- */

struct operand_state {
    uint8_t set, sometimes, said; /* written; writes under a guard; has a finding */
    size_t from;                  /* the place of the last write in the file      */
};

static void read_operand(const struct binding *binding, struct operand_state *state, long number,
                         size_t index, size_t from) {
    if (binding->statement->operands[number].direction != '=' || state->set || state->sometimes ||
        state->said)
        return;
    const char letter = binding->statement->operands[number].letter;
    const char constraint[] = {'"', '+', letter, '"', '\0'};
    state->said = 1;
    lint_find(binding->findings, LINT_OPERAND_UNSET, from, constraint,
              "'%s' reads %%%ld, which is uninitialised: its constraint is \"=%c\", should it be "
              "\"+%c\"?",
              spelling_of(binding, index).text, number, letter, letter);
}

static void write_operand(const struct binding *binding, struct operand_state *state, long number,
                          size_t index, size_t from) {
    const struct lint_operand *operand = &binding->statement->operands[number];
    if (!operand->direction && !state->said) {
        const char constraint[] = {'"', '+', operand->letter, '"', '\0'};
        state->said = 1;
        lint_find(binding->findings, LINT_OPERAND_INPUT, from, constraint,
                  "'%s' writes %%%ld, which is an input: it can be \"=%c\" or \"+%c\"",
                  spelling_of(binding, index).text, number, operand->letter, operand->letter);
    }
    state->from = from;
    if (!binding->all->all[index].guarded)
        state->set = 1;
    else if (state->sometimes < 2)
        state->sometimes++;
}

/* An instruction reads its sources before it writes its results. An unknown one may write any. */
static void check_outputs(const struct binding *binding) {
    const size_t n = binding->statement->n_operands;
    struct operand_state *states =
        lint_grow(binding->findings->heap, NULL, n ? n : 1, sizeof *states);
    if (!states)
        return;
    memset(states, 0, n * sizeof *states);
    for (size_t i = 0; i < binding->all->n; i++) {
        const struct lint_instruction *one = &binding->all->all[i];
        const struct lint_span first = lint_operand_at(binding->text, one, 0);
        const int is_address = first.n && binding->text->bytes[first.at] == '[';
        size_t results = one->known && !is_address && one->results ? one->results : 0, from;
        size_t split = one->operands.at;
        for (size_t k = 0; k < results; k++) {
            const struct lint_span result = lint_operand_at(binding->text, one, (unsigned)k);
            split = result.at + result.n;
        }
        const struct lint_span written = {one->operands.at, split - one->operands.at};
        const struct lint_span rest = {split, one->operands.n - written.n};
        long number;
        for (size_t at = rest.at; (number = next_operand(binding, rest, &at, &from)) >= 0;)
            if (one->known)
                read_operand(binding, &states[number], number, i, from);
            else
                states[number].set = 1;
        for (size_t at = written.at; (number = next_operand(binding, written, &at, &from)) >= 0;) {
            if (one->sums)
                read_operand(binding, &states[number], number, i, from);
            write_operand(binding, &states[number], number, i, from);
        }
    }
    for (unsigned i = 0; i < binding->statement->n_outputs; i++)
        if (binding->statement->operands[i].direction == '=' && !states[i].set && !states[i].said &&
            states[i].sometimes == 1)
            lint_find(binding->findings, LINT_OPERAND_SOMETIMES, states[i].from,
                      (char[]){'"', '+', binding->statement->operands[i].letter, '"', '\0'},
                      "%%%u is written only under a guard: if the guard is false, the output is "
                      "undefined, because \"=%c\" does not keep its value",
                      i, binding->statement->operands[i].letter);
    free(states);
}

/* --- volatile, memory --- */

static void check_effects(const struct binding *binding) {
    int memory = binding->statement->memory;
    int is_volatile = binding->statement->is_volatile || memory;
    for (size_t i = 0; i < binding->all->n; i++) {
        const uint32_t does = binding->all->all[i].effects;
        if (does & EFFECT_ACCESS && !is_volatile) {
            is_volatile = 1;
            lint_find(binding->findings, LINT_VOLATILE, binding->statement->at, "volatile",
                      "'%s' has effects beyond the outputs: without volatile the compiler may move "
                      "or remove the statement",
                      spelling_of(binding, i).text);
        }
        if (does & EFFECT_WRITE && !memory) {
            memory = 1;
            lint_find(binding->findings, LINT_MEMORY, binding->statement->at, "\"memory\"",
                      "without \"memory\" the compiler may move accesses of the program across "
                      "'%s'",
                      spelling_of(binding, i).text);
        }
    }
}

/* --- scopes --- */

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static size_t label_length(const char *at) {
    size_t n = 0, after;
    while (is_name(at[n]))
        n++;
    for (after = n; at[after] == ' ' || at[after] == '\t';)
        after++;
    return n && at[after] == ':' && at[after + 1] != ':' ? n : 0;
}

/* Names with %= are other ones in each copy of the statement. */
static void check_scopes(const struct binding *binding) {
    const struct lint_text *text = binding->text;
    if (binding->statement->text.n && strstr(binding->statement->text.bytes, "%="))
        return;
    int depth = (int)binding->statement->scopes, begins = 1, said = 0;
    for (size_t i = 0; i < text->n; i++) {
        const char *at = text->bytes + i;
        if (at[0] == '/' && at[1] == '/') {
            i += strcspn(at, "\n");
            continue;
        }
        const size_t label = begins && !depth ? label_length(at) : 0;
        if (label)
            lint_find(
                binding->findings, LINT_SCOPE_LABEL, text->from[i], NULL,
                "label '%s' is outside of { }: if a function contains the statement twice, the "
                "label is defined twice",
                lint_piece_of(text->bytes, (struct lint_span){i, label}).text);
        if (begins && !depth && !said && strncmp(at, ".reg", 4) == 0 && !is_name(at[4])) {
            said = 1;
            lint_find(binding->findings, LINT_SCOPE_REGISTER, text->from[i], NULL,
                      "registers are declared outside of { }: if a function contains the statement "
                      "twice, they are declared twice");
        }
        depth += *at == '{' ? 1 : *at == '}' && depth ? -1 : 0;
        if (!isspace((unsigned char)*at))
            begins = strchr(";{}", *at) != NULL || (*at == ':' && at[1] != ':' && begins);
        if (label) { /* an instruction can begin after it */
            i += label - 1;
            begins = 1;
        }
    }
}

/* --- addresses of shared memory --- */

/* Whether address number `address` is in the shared space. A spelling names its spaces in order;
 * further addresses are those of mbarriers. */
static int address_is_shared(const char *spelling, unsigned address) {
    int spaces = 0;
    for (const char *at = strchr(spelling, '.'); at; at = strchr(at + 1, '.')) {
        const int shared = strncmp(at, ".shared", 7) == 0;
        if (!shared && strncmp(at, ".global", 7) != 0)
            continue;
        if (address-- == 0)
            return shared;
        spaces++;
    }
    return spaces == 2;
}

/* Whether the file converts addresses in assembly. Its pointers can be addresses of shared memory.
 */
static int converts_pointers(const char *file) {
    return strstr(file, "cvta.to.shared") != NULL;
}

static void check_addresses(const struct binding *binding) {
    for (size_t i = 0; i < binding->all->n; i++) {
        const struct lint_instruction *one = &binding->all->all[i];
        const struct lint_piece spelling = spelling_of(binding, i);
        unsigned address = 0;
        for (unsigned k = 0; one->named && k < 8; k++) {
            const struct lint_span operand = lint_operand_at(binding->text, one, k);
            size_t at = operand.at, from;
            if (!operand.n || binding->text->bytes[operand.at] != '[')
                continue;
            const long number = next_operand(binding, operand, &at, &from);
            if (!address_is_shared(spelling.text, address++) || number < 0)
                continue;
            const struct lint_operand *bound = &binding->statement->operands[number];
            if ((bound->letter == 'l' || bound->letter == 'r') && !binding->statement->defined &&
                !converts_pointers(binding->file) &&
                lint_is_pointer(binding->file, binding->statement->at, bound->value))
                lint_find(binding->findings, LINT_POINTER, bound->value.at,
                          "__cvta_generic_to_shared",
                          "'%s' takes an address of shared memory, but %%%ld is a pointer: convert "
                          "it with __cvta_generic_to_shared",
                          spelling.text, number);
        }
    }
}

void lint_check_binding(const char *file, const struct lint_asm *statement,
                        const struct lint_text *text, const struct lint_instructions *instructions,
                        struct lint_findings *findings) {
    const struct binding binding = {file, statement, text, instructions, findings};
    check_outputs(&binding);
    check_effects(&binding);
    check_scopes(&binding);
    check_addresses(&binding);
}
