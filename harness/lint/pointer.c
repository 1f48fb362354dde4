/* Pointers among operands; see pointer.h. */
#include "pointer.h"

#include <ctype.h>
#include <string.h>

static const char *const casts[] = {"reinterpret_cast", "static_cast", "uint64_t", "uint32_t",
                                    "uintptr_t",        "size_t",      "unsigned", NULL};
static const char *const types[] = {
    "void",     "char",    "short",         "int",         "long",     "float",
    "double",   "half",    "__half",        "half2",       "__half2",  "bf16",
    "uint8_t",  "int8_t",  "uint16_t",      "int16_t",     "uint32_t", "int32_t",
    "uint64_t", "int64_t", "__nv_bfloat16", "nv_bfloat16", "unsigned", "float2",
    "float4",   "int4",    "uint4",         "T",           NULL};
static const char *const qualifiers[] = {"__restrict__", "__restrict", "restrict", "const", NULL};
static const char *const no_types[] = {"return", "else", "case", "goto", "delete", "throw", NULL};

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int is_blank(char c) {
    return c && isspace((unsigned char)c);
}

static struct lint_span name_at(const char *bytes, size_t at, size_t end) {
    struct lint_span span = {at, 0};
    while (at + span.n < end && is_word(bytes[at + span.n]))
        span.n++;
    return span;
}

static struct lint_span word_before(const char *bytes, size_t end) {
    struct lint_span span;
    while (end && is_blank(bytes[end - 1]))
        end--;
    for (span.at = end; span.at && is_word(bytes[span.at - 1]);)
        span.at--;
    span.n = end - span.at;
    return span;
}

static int is_one_of(const char *bytes, struct lint_span span, const char *const *names) {
    for (; *names; names++)
        if (span.n == strlen(*names) && memcmp(bytes + span.at, *names, span.n) == 0)
            return 1;
    return 0;
}

/* The number of [ ] from `at` on, before `end`. */
static int brackets_after(const char *bytes, size_t at, size_t end) {
    int n = 0;
    for (;; n++) {
        int depth = 0;
        while (at < end && is_blank(bytes[at]))
            at++;
        if (at >= end || bytes[at] != '[')
            return n;
        do {
            depth += bytes[at] == '[' ? 1 : bytes[at] == ']' ? -1 : 0;
            at++;
        } while (depth && at < end && bytes[at] != ';');
        if (depth)
            return n;
    }
}

/* The number of stars before `end`, with qualifiers between them, and the word before them, which
 * can be a qualifier too. */
static int stars_before(const char *bytes, size_t end, struct lint_span *word) {
    struct lint_span qualifier = {end, 0};
    for (int n = 0;;) {
        *word = word_before(bytes, end);
        if (is_one_of(bytes, *word, qualifiers)) {
            qualifier = *word;
            end = word->at;
        } else if (!word->n && word->at && bytes[word->at - 1] == '*') {
            end = word->at - 1;
            n++;
        } else {
            *word = word->n ? *word : qualifier;
            return n;
        }
    }
}

/* The levels of indirection of a name: stars and brackets of its nearest declaration before `from`.
 * 0: no pointer, or unknown. */
static int levels_of(const char *bytes, struct lint_span name, size_t from) {
    enum { FAR = 1 << 14 };
    const size_t least = from > FAR ? from - FAR : 0;
    for (size_t at = from; at-- > least;) {
        struct lint_span word;
        if (memcmp(bytes + at, bytes + name.at, name.n) != 0 || is_word(bytes[at + name.n]) ||
            (at && is_word(bytes[at - 1])))
            continue;
        const int stars = stars_before(bytes, at, &word);
        if (!word.n || is_one_of(bytes, word, no_types) ||
            (stars && !is_one_of(bytes, word, types)))
            continue; /* a product, or no declaration */
        size_t after = at + name.n;
        while (is_blank(bytes[after]))
            after++;
        if (bytes[after] && strchr(";=,)[{:", bytes[after])) /* no word of a comment */
            return stars + brackets_after(bytes, after, from);
    }
    return 0;
}

/* Whether a name with its indices is a pointer. The type of a member is unknown. */
static int name_is_pointer(const char *bytes, struct lint_span name, size_t from, size_t end) {
    size_t after = name.at + name.n;
    const int indices = brackets_after(bytes, after, end);
    while (after < end && (is_blank(bytes[after]) || bytes[after] == '['))
        after += bytes[after] == '[' ? strcspn(bytes + after, "]") + 1 : 1;
    if (after < end && (bytes[after] == '.' || strncmp(bytes + after, "->", 2) == 0))
        return 0;
    return levels_of(bytes, name, from) > indices;
}

int lint_is_pointer(const char *bytes, size_t from, struct lint_span value) {
    const size_t end = value.at + value.n;
    int pointer = 0, first = 1;
    for (size_t at = value.at; at < end;) {
        const struct lint_span name = name_at(bytes, at, end);
        if (!name.n) {
            pointer |= bytes[at] == '&' && first;
            pointer |= bytes[at] == '*' && at + 1 < end && strchr(")>", bytes[at + 1]);
            first = (first && bytes[at] != '*') || strchr("(,", bytes[at]);
            at++;
            continue;
        }
        if (name.at + name.n < end && bytes[name.at + name.n] == '(' &&
            !is_one_of(bytes, name, casts))
            return 0; /* the result of a function */
        if (first && !pointer && !is_one_of(bytes, name, casts) && !is_one_of(bytes, name, types))
            pointer = name_is_pointer(bytes, name, from, end);
        first = first && is_one_of(bytes, name, casts);
        at += name.n;
    }
    return pointer;
}
