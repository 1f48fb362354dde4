/* Conditions of the preprocessor; see condition.h. */
#include "condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 64

/* The rest of an expression. */
struct reader {
    const char *at, *end;
    unsigned arch, depth;
};

struct value {
    int known;
    long long number;
    int target; /* not known, but the target decides it */
};

static const struct value unknown = {0, 0, 0}, by_target = {0, 0, 1};

static struct value number_of(long long number) {
    return (struct value){1, number, 0};
}

static void skip_blanks(struct reader *in) {
    while (in->at < in->end && isspace((unsigned char)*in->at))
        in->at++;
}

/* Skips `text` if it comes next. */
static int accept(struct reader *in, const char *text) {
    size_t n = strlen(text);
    skip_blanks(in);
    if ((size_t)(in->end - in->at) < n || memcmp(in->at, text, n) != 0)
        return 0;
    in->at += n;
    return 1;
}

static size_t word_length(const struct reader *in) {
    const char *at = in->at;
    while (at < in->end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return (size_t)(at - in->at);
}

static int is_arch(const char *word, size_t n) {
    return n == strlen("__CUDA_ARCH__") && memcmp(word, "__CUDA_ARCH__", n) == 0;
}

static struct value read_or(struct reader *in);

/* Reads the operand of `defined`. Lint checks device code, which has __CUDA_ARCH__. */
static struct value read_defined(struct reader *in) {
    int open = accept(in, "(");
    skip_blanks(in);
    size_t n = word_length(in);
    struct value value = is_arch(in->at, n) ? number_of(1) : unknown;
    in->at += n;
    if (open)
        accept(in, ")");
    return value;
}

static struct value read_word(struct reader *in) {
    size_t n = word_length(in);
    const char *word = in->at;
    if (!n) {
        in->at = in->end; /* no known operand */
        return unknown;
    }
    in->at += n;
    if (isdigit((unsigned char)*word)) {
        char digits[24] = "";
        memcpy(digits, word, n < sizeof digits ? n : sizeof digits - 1);
        return number_of(strtoll(digits, NULL, 0));
    }
    if (n == strlen("defined") && memcmp(word, "defined", n) == 0)
        return read_defined(in);
    if (is_arch(word, n))
        return in->arch ? number_of(in->arch) : by_target;
    if (accept(in, "(")) /* a macro with arguments */
        for (unsigned open = 1; open && in->at < in->end; in->at++)
            open += *in->at == '(' ? 1u : *in->at == ')' ? -1u : 0;
    return unknown;
}

static struct value read_unary(struct reader *in) {
    struct value value;
    if (in->depth >= DEPTH) {
        in->at = in->end;
        return unknown;
    }
    in->depth++;
    if (accept(in, "!")) {
        value = read_unary(in);
        value.number = !value.number;
    } else if (accept(in, "(")) {
        value = read_or(in);
        accept(in, ")");
    } else {
        skip_blanks(in);
        value = read_word(in);
    }
    in->depth--;
    return value;
}

/* The value of an expression of two parts, of which one is unknown. */
static struct value unknown_of(struct value a, struct value b) {
    return (a.known || a.target) && (b.known || b.target) ? by_target : unknown;
}

/* Reads a comparison; any other operator makes the expression unknown. */
static struct value read_comparison(struct reader *in) {
    static const char *const names[] = {"==", "!=", "<=", ">=", "<", ">"};
    struct value left = read_unary(in), right;
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (!accept(in, names[k]))
            continue;
        right = read_unary(in);
        if (!left.known || !right.known)
            return unknown_of(left, right);
        const long long a = left.number, b = right.number;
        const int is[] = {a == b, a != b, a <= b, a >= b, a<b, a> b};
        return number_of(is[k]);
    }
    skip_blanks(in);
    if (in->at < in->end && strchr("+-*/%^~?:", *in->at)) {
        in->at = in->end;
        return unknown;
    }
    return left;
}

static struct value read_and(struct reader *in) {
    struct value all = read_comparison(in);
    while (accept(in, "&&")) {
        const struct value next = read_comparison(in);
        if ((all.known && !all.number) || (next.known && !next.number))
            all = number_of(0);
        else
            all = all.known && next.known ? number_of(1) : unknown_of(all, next);
    }
    return all;
}

static struct value read_or(struct reader *in) {
    struct value any = read_and(in);
    while (accept(in, "||")) {
        const struct value next = read_and(in);
        if ((any.known && any.number) || (next.known && next.number))
            any = number_of(1);
        else
            any = any.known && next.known ? number_of(0) : unknown_of(any, next);
    }
    return any;
}

static enum lint_truth truth_of(struct reader *in) {
    const struct value value = read_or(in);
    skip_blanks(in);
    if (in->at < in->end || (!value.known && !value.target))
        return TRUTH_UNKNOWN;
    if (value.target)
        return TRUTH_TARGET;
    return value.number ? TRUTH_YES : TRUTH_NO;
}

static enum lint_truth opposite(enum lint_truth a) {
    return a == TRUTH_NO ? TRUTH_YES : a == TRUTH_YES ? TRUTH_NO : a;
}

static enum lint_truth both(enum lint_truth a, enum lint_truth b) {
    if (a == TRUTH_NO || b == TRUTH_NO)
        return TRUTH_NO;
    return a > b ? a : b;
}

static enum lint_truth either(enum lint_truth a, enum lint_truth b) {
    return opposite(both(opposite(a), opposite(b)));
}

/* Enters another branch of the innermost condition. */
static void branch(struct lint_conditions *conditions, enum lint_truth is) {
    if (!conditions->depth || conditions->depth > LINT_CONDITIONS_DEPTH)
        return;
    unsigned top = conditions->depth - 1;
    enum lint_truth taken = either(conditions->level[top].taken, conditions->level[top].now);
    conditions->level[top].taken = taken;
    conditions->level[top].now = both(opposite(taken), is);
}

static void enter(struct lint_conditions *conditions, enum lint_truth is) {
    if (conditions->depth++ >= LINT_CONDITIONS_DEPTH)
        return;
    conditions->level[conditions->depth - 1].now = is;
    conditions->level[conditions->depth - 1].taken = TRUTH_NO;
}

static int is_word(const char *word, size_t n, const char *name) {
    return n == strlen(name) && memcmp(word, name, n) == 0;
}

void lint_conditions_read(struct lint_conditions *conditions, const char *directive, size_t n,
                          int holds) {
    struct reader in = {directive, directive + n, conditions->arch, 0};
    skip_blanks(&in);
    const char *word = in.at;
    size_t length = word_length(&in);
    in.at += length;
    if (holds)
        enter(conditions, TRUTH_YES);
    else if (is_word(word, length, "if"))
        enter(conditions, truth_of(&in));
    else if (is_word(word, length, "ifdef"))
        enter(conditions, read_defined(&in).known ? TRUTH_YES : TRUTH_UNKNOWN);
    else if (is_word(word, length, "ifndef"))
        enter(conditions, read_defined(&in).known ? TRUTH_NO : TRUTH_UNKNOWN);
    else if (is_word(word, length, "elif"))
        branch(conditions, truth_of(&in));
    else if (is_word(word, length, "else"))
        branch(conditions, TRUTH_YES);
    else if (is_word(word, length, "endif") && conditions->depth)
        conditions->depth--;
}

enum lint_truth lint_conditions_now(const struct lint_conditions *conditions) {
    enum lint_truth all = conditions->depth > LINT_CONDITIONS_DEPTH ? TRUTH_UNKNOWN : TRUTH_YES;
    for (unsigned i = 0; i < conditions->depth && i < LINT_CONDITIONS_DEPTH; i++)
        all = both(all, conditions->level[i].now);
    return all;
}
