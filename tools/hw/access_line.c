/* access_line.c - which accesses there are, and one as a line; see access_line.h. */
#include "access_line.h"
#include "access_launch.h"

#include <stdlib.h>
#include <string.h>

enum { SOME_STRIDE = 1024 }; /* that every fragment may have */

static int counts(const struct wsim_op *op, const struct wsim_arch *arch, unsigned size) {
    static const uint32_t addr[WSIM_LANES];
    struct wsim_copy copy = {.bytes = size, .mask = UINT32_MAX, .dst = addr};
    struct wsim_copy_banks copied;
    struct wsim_fragment_banks fragment;
    struct wsim_banks banks;
    if (size > 1)
        return wsim_banks_copy(op, arch, &copy, &copied, NULL) == WSIM_OK;
    return wsim_banks_count(op, arch, addr, UINT32_MAX, &banks, NULL) == WSIM_OK ||
           wsim_banks_fragment(op, arch, addr, SOME_STRIDE, &fragment, NULL) == WSIM_OK;
}

int hw_access_is_fragment(const struct wsim_op *op) {
    return wsim_op_describe(op).counting == WSIM_COUNT_FRAGMENT;
}

static struct wsim_layout fragment_layout(const struct wsim_op *op) {
    struct wsim_layout layout = {.elem_bits = 0};
    if (wsim_op_layout(op, NULL, WSIM_D, &layout, NULL))
        wsim_op_layout(op, NULL, WSIM_R, &layout, NULL);
    return layout;
}

unsigned hw_fragment_bits(const struct wsim_op *op) {
    return fragment_layout(op).elem_bits;
}

uint64_t hw_fragment_bytes(const struct wsim_op *op, uint32_t stride) {
    struct wsim_layout layout = fragment_layout(op);
    uint64_t lines = layout.rows > layout.cols ? layout.rows : layout.cols;
    return lines * stride * layout.elem_bits / 8;
}

unsigned hw_access_sizes(const struct wsim_op *op) {
    unsigned sizes = 0;
    for (size_t i = 0; wsim_arch_at(i); i++)
        for (unsigned size = 1; size <= 16; size *= 2)
            sizes |= counts(op, wsim_arch_at(i), size) ? size : 0;
    return sizes;
}

int hw_access_next(struct hw_access *access) {
    unsigned size;
    while (!access->left) {
        if (!wsim_op_next(&access->cursor, &access->op))
            return 0;
        access->left = hw_access_sizes(&access->op);
    }
    size = access->left & -access->left; /* the lowest bit */
    access->left -= size;
    access->size = size > 1 ? size : 0;
    return 1;
}

void hw_access_symbol(const char *spelling, unsigned size, char symbol[WSIM_SPELLING_MAX]) {
    snprintf(symbol, WSIM_SPELLING_MAX, size ? "%s_%u" : "%s", spelling, size);
    for (char *c = symbol; *c; c++)
        if (*c == '.' || *c == ':')
            *c = '_';
}

/* `words` words of 8 hex digits, and nothing else. */
static int read_words(const char *text, size_t length, uint32_t *out, unsigned words) {
    if (length != words * 8u || strspn(text, "0123456789abcdef") < length)
        return 0;
    for (unsigned i = 0; i < words; i++) {
        char digits[9] = "";
        memcpy(digits, text + i * 8u, 8);
        out[i] = (uint32_t)strtoul(digits, NULL, 16);
    }
    return 1;
}

static int begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static int is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* The size of a copy; 0: it is none. */
static uint32_t read_size(const char *text, size_t length) {
    return is(text, length, "4") ? 4 : is(text, length, "8") ? 8 : is(text, length, "16") ? 16 : 0;
}

enum { HAS_ADDR = 1, HAS_SIZE = 2, HAS_SRC = 4, HAS_LINES = 8, HAS_STRIDE = 16 };

/* One field, `name=value`; *has collects those that were there. */
static const char *read_field(const char *field, size_t length, struct hw_pattern *pattern,
                              int *has) {
    const char *value = memchr(field, '=', length);
    size_t digits = value ? length - (size_t)(++value - field) : 0;
    if (begins(field, "addr=")) {
        *has |= HAS_ADDR;
        return read_words(value, digits, pattern->addr, WSIM_LANES)
                   ? NULL
                   : "addr is not 32 lanes of 8 hex digits";
    }
    if (begins(field, "src=")) {
        *has |= HAS_SRC;
        return read_words(value, digits, pattern->src, WSIM_LANES)
                   ? NULL
                   : "src is not 32 lanes of 8 hex digits";
    }
    if (begins(field, "size=")) {
        *has |= HAS_SIZE;
        pattern->size = read_size(value, digits);
        return pattern->size ? NULL : "size is not 4, 8 or 16";
    }
    if (begins(field, "lines=")) {
        *has |= HAS_LINES;
        pattern->warm = is(value, digits, "warm");
        return pattern->warm || is(value, digits, "cold") ? NULL : "lines are cold or warm";
    }
    if (begins(field, "stride=")) {
        *has |= HAS_STRIDE;
        pattern->stride = (uint32_t)strtoul(value, NULL, 10);
        return pattern->stride ? NULL : "stride is not a number of elements";
    }
    if (begins(field, "mask="))
        return read_words(value, digits, &pattern->mask, 1) ? NULL : "mask is not 8 hex digits";
    if (begins(field, "wavefronts=") || begins(field, "conflicts="))
        return NULL;
    return "a field that is not addr, mask, size, src, lines, stride, wavefronts or conflicts";
}

/* Checks the fields of a line. */
static const char *check_fields(struct hw_pattern *pattern, int has) {
    int is_copy = wsim_op_describe(&pattern->op).counting == WSIM_COUNT_COPY;
    if (hw_access_is_fragment(&pattern->op))
        return has == (HAS_ADDR | HAS_STRIDE) ? NULL : "a fragment has addr and stride";
    if (!(has & HAS_ADDR))
        return "addr is missing";
    if (is_copy && !(has & HAS_SIZE))
        return "size is missing";
    if (!is_copy && has != HAS_ADDR)
        return "size, src and lines are of cp.async, stride of wmma";
    for (uint32_t l = 0; l < WSIM_LANES && !(has & HAS_SRC); l++)
        pattern->src[l] = l * pattern->size;
    return NULL;
}

const char *hw_pattern_read(const char *line, struct hw_pattern *pattern) {
    size_t length = strcspn(line, "\t\n");
    char spelling[WSIM_SPELLING_MAX];
    const char *why = NULL;
    int has = 0;
    memset(pattern, 0, sizeof *pattern);
    pattern->mask = UINT32_MAX;
    if (length >= sizeof spelling)
        return "a spelling that long does not exist";
    memcpy(spelling, line, length);
    spelling[length] = 0;
    if (wsim_op_parse(spelling, &pattern->op, NULL))
        return "no such instruction";
    for (line += length; *line == '\t' && !why; line += length) {
        line++;
        length = strcspn(line, "\t\n");
        why = read_field(line, length, pattern, &has);
    }
    return why ? why : check_fields(pattern, has);
}

static enum wsim_status count(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                              struct wsim_diag *diag) {
    struct wsim_copy copy = {.bytes = pattern->size,
                             .mask = pattern->mask,
                             .dst = pattern->addr,
                             .src = pattern->src,
                             .warm = pattern->warm != 0};
    struct wsim_copy_banks copied;
    struct wsim_fragment_banks fragment;
    struct wsim_banks banks;
    if (pattern->stride)
        return wsim_banks_fragment(&pattern->op, arch, pattern->addr, pattern->stride, &fragment,
                                   diag);
    return pattern->size
               ? wsim_banks_copy(&pattern->op, arch, &copy, &copied, diag)
               : wsim_banks_count(&pattern->op, arch, pattern->addr, pattern->mask, &banks, diag);
}

const char *hw_pattern_check(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                             struct wsim_diag *diag) {
    struct wsim_op_info info = wsim_op_describe(&pattern->op);
    unsigned lanes = info.matrices ? info.matrices * 8u : WSIM_LANES;
    uint32_t bytes = pattern->size ? pattern->size : info.bytes;
    if (count(pattern, arch, diag))
        return diag->text;
    if (pattern->stride)
        return pattern->addr[0] + hw_fragment_bytes(&pattern->op, pattern->stride) >
                       HW_ACCESS_WINDOW
                   ? "the matrix might not be inside the window of 32 KiB"
                   : NULL;
    for (unsigned l = 0; l < lanes; l++) {
        if (!(pattern->mask >> l & 1))
            continue;
        if (pattern->addr[l] > HW_ACCESS_WINDOW - bytes)
            return "an address is outside the window of 32 KiB";
        if (pattern->src[l] > HW_ACCESS_SOURCE - bytes)
            return "an address is outside the source of 8 MiB";
    }
    return NULL;
}

static void print_lanes(FILE *file, const char *name, const uint32_t *words) {
    fprintf(file, "\t%s=", name);
    for (int l = 0; l < WSIM_LANES; l++)
        fprintf(file, "%08x", (unsigned)words[l]);
}

void hw_pattern_print(FILE *file, const struct hw_pattern *pattern) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(&pattern->op, spelling);
    fprintf(file, "%s", spelling);
    print_lanes(file, "addr", pattern->addr);
    if (pattern->stride)
        fprintf(file, "\tstride=%u", (unsigned)pattern->stride);
    else
        fprintf(file, "\tmask=%08x", (unsigned)pattern->mask);
    if (pattern->size) {
        fprintf(file, "\tsize=%u", (unsigned)pattern->size);
        print_lanes(file, "src", pattern->src);
        if (pattern->warm)
            fprintf(file, "\tlines=warm");
    }
    fputc('\n', file);
}
