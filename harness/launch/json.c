/* JSON by recursive descent; see json.h. Source: RFC 8259. */
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at, *end, *line_start;
    uint32_t line;
    unsigned depth;
    struct lf_memory *memory;
    struct wsim_diag *diag;
};

/* --- refusals --- */

static enum wsim_status refuse_at(struct reader *r, uint32_t line, uint32_t col, const char *format,
                                  ...) BASE_PRINTF(4, 5);

static enum wsim_status refuse_at(struct reader *r, uint32_t line, uint32_t col, const char *format,
                                  ...) {
    char sentence[WSIM_DIAG_TEXT];
    enum wsim_status status;
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    status = base_refuse(r->diag, RULE_LAUNCH_FILE_JSON, col, "%s", sentence);
    if (r->diag)
        r->diag->line = line;
    return status;
}

static uint32_t column_of(const struct reader *r, const char *at) {
    return (uint32_t)(at - r->line_start) + 1;
}

/* "expected WHAT, not 'x'". */
static enum wsim_status refuse_here(struct reader *r, const char *what) {
    uint32_t col = column_of(r, r->at);
    if (r->at == r->end)
        return refuse_at(r, r->line, col, "expected %s before the end of the text", what);
    if (*r->at <= ' ' || *r->at > '~')
        return refuse_at(r, r->line, col, "expected %s, not byte 0x%02x", what,
                         (unsigned)(unsigned char)*r->at);
    return refuse_at(r, r->line, col, "expected %s, not '%c'", what, *r->at);
}

/* --- characters --- */

static void skip_blanks(struct reader *r) {
    for (; r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n');
         r->at++)
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
}

static int is_digit(const struct reader *r) {
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static int take(struct reader *r, char c) {
    if (r->at == r->end || *r->at != c)
        return 0;
    r->at++;
    return 1;
}

/* The bytes of the UTF-8 character at `at`; 0: it is none. Overlong forms, surrogates and numbers
 * beyond U+10FFFF are none. */
static size_t character_bytes(const char *at, const char *end) {
    const unsigned char *c = (const unsigned char *)at;
    const size_t n = *c < 0x80 ? 1 : *c >= 0xC2 && *c < 0xE0 ? 2 : *c >= 0xE0 && *c < 0xF0 ? 3 : 4;
    if ((*c >= 0x80 && *c < 0xC2) || *c > 0xF4 || n > (size_t)(end - at))
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    if ((*c == 0xE0 && c[1] < 0xA0) || (*c == 0xED && c[1] > 0x9F) || (*c == 0xF0 && c[1] < 0x90) ||
        (*c == 0xF4 && c[1] > 0x8F))
        return 0;
    return n;
}

static char *put_character(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
    }
    if (code >= 0x80)
        *to++ = (char)(0x80 | (code & 63));
    return to;
}

/* --- strings --- */

/* Four hex digits; 0: there are none. */
static int take_unit(struct reader *r, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        const char c = r->at < r->end ? *r->at : 0;
        const char small = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            *unit = *unit << 4 | (uint32_t)(c - '0');
        else if (small >= 'a' && small <= 'f')
            *unit = *unit << 4 | (uint32_t)(small - 'a' + 10);
        else
            return 0;
        r->at++;
    }
    return 1;
}

/* The number of a character after "\u"; pairs of surrogates are one character. */
static enum wsim_status take_code(struct reader *r, const char *start, uint32_t *code) {
    const uint32_t col = column_of(r, start);
    uint32_t low = 0;
    if (!take_unit(r, code))
        return refuse_at(r, r->line, col, "\\u needs four hex digits");
    if (*code >= 0xDC00 && *code < 0xE000)
        return refuse_at(r, r->line, col, "the second half of a pair of \\u is alone");
    if (*code >= 0xD800 && *code < 0xDC00) {
        if (!take(r, '\\') || !take(r, 'u') || !take_unit(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return refuse_at(r, r->line, col, "the first half of a pair of \\u is alone");
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    }
    return *code ? WSIM_OK : refuse_at(r, r->line, col, "a string cannot contain \\u0000");
}

static enum wsim_status take_escape(struct reader *r, char **to) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *start = r->at++, *found;
    enum wsim_status status;
    uint32_t code;
    if (take(r, 'u')) {
        status = take_code(r, start, &code);
        if (status == WSIM_OK)
            *to = put_character(*to, code);
        return status;
    }
    found = r->at < r->end && *r->at ? strchr(from, *r->at) : NULL;
    if (!found)
        return refuse_at(r, r->line, column_of(r, start),
                         "unknown escape: after \\ expected one of \" \\ / b f n r t u");
    r->at++;
    *(*to)++ = into[found - from];
    return WSIM_OK;
}

/* The end of the string whose first character is at `r->at`, with room for its text. */
static size_t string_room(const struct reader *r) {
    const char *at = r->at;
    while (at < r->end && *at != '"' && *at != '\n')
        at += *at == '\\' && at + 1 < r->end ? 2 : 1;
    return (size_t)(at - r->at) + 1;
}

static enum wsim_status take_string(struct reader *r, const char **text) {
    char *to;
    r->at++;
    to = lf_take(r->memory, string_room(r), 1);
    *text = to;
    if (!to)
        return lf_no_memory(r->diag);
    while (r->at < r->end && *r->at != '"') {
        enum wsim_status status = WSIM_OK;
        size_t n = character_bytes(r->at, r->end);
        if ((unsigned char)*r->at < ' ')
            return refuse_at(r, r->line, column_of(r, r->at),
                             "control character 0x%02x in a string: write it as \\u%04x",
                             (unsigned)*r->at, (unsigned)*r->at);
        if (*r->at == '\\') {
            status = take_escape(r, &to);
        } else if (n == 0) {
            return refuse_at(r, r->line, column_of(r, r->at), "byte 0x%02x is not UTF-8",
                             (unsigned)(unsigned char)*r->at);
        } else {
            memcpy(to, r->at, n);
            to += n;
            r->at += n;
        }
        if (status)
            return status;
    }
    return take(r, '"') ? WSIM_OK : refuse_here(r, "'\"' at the end of a string");
}

/* --- numbers and words --- */

static enum wsim_status take_number(struct reader *r, struct lf_node *node) {
    const char *start = r->at;
    take(r, '-');
    if (!is_digit(r))
        return refuse_here(r, "a digit");
    if (take(r, '0') && is_digit(r))
        return refuse_at(r, r->line, column_of(r, start), "a number cannot begin with 0");
    while (is_digit(r))
        r->at++;
    if (take(r, '.')) {
        if (!is_digit(r))
            return refuse_here(r, "a digit after the point");
        while (is_digit(r))
            r->at++;
    }
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        if (!is_digit(r))
            return refuse_here(r, "a digit of the exponent");
        while (is_digit(r))
            r->at++;
    }
    node->kind = LF_NUMBER;
    node->text = lf_copy(r->memory, start, (size_t)(r->at - start));
    return node->text ? WSIM_OK : lf_no_memory(r->diag);
}

static enum wsim_status take_word(struct reader *r, struct lf_node *node) {
    static const char *const words[] = {"null", "false", "true"};
    for (int kind = 0; kind < 3; kind++) {
        const size_t n = strlen(words[kind]);
        if ((size_t)(r->end - r->at) >= n && memcmp(r->at, words[kind], n) == 0) {
            node->kind = (uint8_t)kind;
            r->at += n;
            return WSIM_OK;
        }
    }
    return refuse_here(r, "a value");
}

/* --- arrays and objects --- */

static int by_key(const void *a, const void *b) {
    const struct lf_node *x = *(const struct lf_node *const *)a;
    const struct lf_node *y = *(const struct lf_node *const *)b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Refuses the first member whose name stands before it already. */
static enum wsim_status check_names(struct reader *r, const struct lf_node *object) {
    const struct lf_node **members = lf_take(r->memory, object->count, sizeof *members);
    const struct lf_node *second = NULL;
    size_t n = 0;
    if (!members)
        return lf_no_memory(r->diag);
    for (const struct lf_node *one = object->first; one; one = one->next)
        members[n++] = one;
    qsort(members, n, sizeof *members, by_key);
    for (size_t i = 1; i < n; i++)
        if (strcmp(members[i - 1]->key, members[i]->key) == 0 &&
            (!second || members[i]->index < second->index))
            second = members[i];
    return second
               ? refuse_at(r, second->line, second->col,
                           "the name \"%s\" appears twice in one object", lf_cut(second->key).text)
               : WSIM_OK;
}

static enum wsim_status take_value(struct reader *r, struct lf_node *node);

/* One element or member. */
static enum wsim_status take_child(struct reader *r, struct lf_node *up, struct lf_node **last) {
    struct lf_node *node = lf_take(r->memory, 1, sizeof *node);
    enum wsim_status status;
    if (!node)
        return lf_no_memory(r->diag);
    node->up = up;
    node->index = up->count++;
    node->line = r->line;
    node->col = column_of(r, r->at);
    *(*last ? &(*last)->next : &up->first) = node;
    *last = node;
    if (up->kind == LF_OBJECT) {
        if (r->at == r->end || *r->at != '"')
            return refuse_here(r, "a name in double quotes");
        status = take_string(r, &node->key);
        if (status)
            return status;
        skip_blanks(r);
        if (!take(r, ':'))
            return refuse_here(r, "':' after a name");
        skip_blanks(r);
    }
    return take_value(r, node);
}

static enum wsim_status take_children(struct reader *r, struct lf_node *node, char end,
                                      const char *what) {
    struct lf_node *last = NULL;
    r->at++;
    skip_blanks(r);
    if (take(r, end))
        return WSIM_OK;
    for (;;) {
        enum wsim_status status = take_child(r, node, &last);
        if (status)
            return status;
        skip_blanks(r);
        if (take(r, end))
            return node->kind == LF_OBJECT && node->count > 1 ? check_names(r, node) : WSIM_OK;
        if (!take(r, ','))
            return refuse_here(r, what);
        skip_blanks(r);
    }
}

static enum wsim_status take_value(struct reader *r, struct lf_node *node) {
    const char c = r->at < r->end ? *r->at : 0;
    enum wsim_status status;
    if (c == '"') {
        node->kind = LF_STRING;
        return take_string(r, &node->text);
    }
    if (c == '-' || is_digit(r))
        return take_number(r, node);
    if (c != '{' && c != '[')
        return take_word(r, node);
    if (r->depth == LF_DEPTH)
        return refuse_at(r, r->line, column_of(r, r->at), "more than %d levels", LF_DEPTH);
    node->kind = c == '{' ? LF_OBJECT : LF_ARRAY;
    r->depth++;
    status = c == '{' ? take_children(r, node, '}', "',' or '}'")
                      : take_children(r, node, ']', "',' or ']'");
    r->depth--;
    return status;
}

enum wsim_status lf_json_read(const char *text, size_t size, struct lf_memory *memory,
                              struct lf_node *root, struct wsim_diag *diag) {
    struct reader r = {text, text + size, text, 1, 0, memory, diag};
    enum wsim_status status;
    *root = (struct lf_node){.line = 1, .col = 1};
    skip_blanks(&r);
    status = take_value(&r, root);
    if (status)
        return status;
    skip_blanks(&r);
    return r.at == r.end ? WSIM_OK : refuse_here(&r, "the end of the text");
}

const struct lf_node *lf_member(const struct lf_node *node, const char *key) {
    const struct lf_node *one = node->kind == LF_OBJECT ? node->first : NULL;
    while (one && strcmp(one->key, key) != 0)
        one = one->next;
    return one;
}
