/* Names: those of the scope, of threads and of swizzles. */
#include "reader.h"

#include <ctype.h>
#include <string.h>

int expr_is_word(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

const struct wsim_address_name *expr_find_name(const struct wsim_address_scope *scope,
                                               const char *text, size_t length) {
    for (unsigned i = 0; scope && i < scope->names; i++)
        if (expr_is_word(text, length, scope->name[i].text))
            return &scope->name[i];
    return NULL;
}

static int64_t warp(const struct expr_reader *r) {
    const struct wsim_address_name *name = expr_find_name(r->scope, "warp", strlen("warp"));
    return name ? name->value : 0;
}

int64_t expr_tid(const struct expr_reader *r) {
    return (int64_t)((uint64_t)warp(r) * 32 + (uint64_t)r->lane);
}

/* threadIdx of a thread in its block, x first; without --block all threads are along x. */
static int64_t thread_index(const struct expr_reader *r, unsigned axis) {
    const uint32_t *block = r->scope ? r->scope->block : NULL;
    uint64_t left = (uint64_t)expr_tid(r);
    if (!block || !block[0])
        return axis ? 0 : expr_tid(r);
    for (unsigned i = 0; i < axis; i++)
        left /= block[i];
    return (int64_t)(axis < 2 ? left % block[axis] : left);
}

enum wsim_swizzle expr_swizzle(const char *text, size_t length) {
    enum { LONGEST = 32 };
    char mode[LONGEST + 2];
    enum wsim_swizzle found;
    size_t n = 0;
    if (length < 4 || length > LONGEST || memcmp(text, "swz", 3) != 0)
        return WSIM_SWIZZLES;
    for (size_t i = 3; i < length; i++)
        mode[n++] = (char)toupper((unsigned char)text[i]);
    mode[n] = '\0';
    found = wsim_swizzle_find(mode);
    n = strcspn(mode, "_");
    if (found == WSIM_SWIZZLES) {
        memmove(mode + n + 1, mode + n, strlen(mode + n) + 1);
        mode[n] = 'B';
        found = wsim_swizzle_find(mode);
    }
    return found == WSIM_SWIZZLE_NONE ? WSIM_SWIZZLES : found;
}

int wsim_address_can_name(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && (isalnum((unsigned char)text[i]) || text[i] == '_'))
        i++;
    return length > 0 && i == length && length < WSIM_ADDRESS_NAME &&
           !isdigit((unsigned char)*text) && !expr_is_word(text, length, "lane") &&
           !expr_is_word(text, length, "tid") && expr_swizzle(text, length) == WSIM_SWIZZLES;
}

/* .x, .y or .z; 3 after an error. */
static unsigned axis(struct expr_reader *r) {
    unsigned axis = 3;
    if (expr_accept(r, '.')) {
        expr_skip_blanks(r);
        if (*r->at >= 'x' && *r->at <= 'z' && !isalnum((unsigned char)r->at[1]) && r->at[1] != '_')
            axis = (unsigned)(*r->at++ - 'x');
    }
    if (axis == 3)
        expr_unexpected(r, ".x, .y or .z");
    return axis;
}

/* threadIdx, blockIdx, blockDim: 1 and their value, 0: it is something else. */
static int thread_name(struct expr_reader *r, const char *start, size_t length, int64_t *value) {
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim"};
    unsigned word = 0, at;
    while (word < 3 && !expr_is_word(start, length, words[word]))
        word++;
    if (word == 3)
        return 0;
    at = axis(r);
    if (r->status)
        return 1;
    if (word == 0)
        *value = thread_index(r, at);
    if (word == 1)
        *value = 0;
    if (word == 2 && (!r->scope || !r->scope->block[0]))
        expr_fail(r, start, "blockDim is what --block says");
    else if (word == 2)
        *value = r->scope->block[at];
    return 1;
}

/* The short names that kernels give to threadIdx. */
static int short_name(const struct expr_reader *r, const char *start, size_t length,
                      int64_t *value) {
    static const char *const names[] = {"tx", "ty", "tz"};
    for (unsigned i = 0; i < 3; i++)
        if (expr_is_word(start, length, names[i])) {
            *value = thread_index(r, i);
            return 1;
        }
    return 0;
}

int expr_built_in(struct expr_reader *r, const char *start, size_t length, int64_t *value) {
    return thread_name(r, start, length, value) || short_name(r, start, length, value);
}
