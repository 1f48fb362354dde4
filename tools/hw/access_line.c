/* access_line.c - an access as a line of text, and which there are. */
#include "access.h"

#include <stdlib.h>
#include <string.h>

int hw_access_covers(const struct wsim_op *op) {
    static const uint32_t addr[WSIM_LANES];
    struct wsim_banks banks;
    int covered = 0;
    for (size_t i = 0; wsim_arch_at(i) && !covered; i++)
        covered = wsim_banks(op, wsim_arch_at(i), addr, UINT32_MAX, &banks, NULL) == WSIM_OK;
    return covered;
}

void hw_access_symbol(const char *spelling, char symbol[WSIM_SPELLING_MAX]) {
    size_t i = 0;
    for (; spelling[i] && i < WSIM_SPELLING_MAX - 1; i++)
        symbol[i] = spelling[i] == '.' || spelling[i] == ':' ? '_' : spelling[i];
    symbol[i] = 0;
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

/* One field, `name=value`; *seen collects the letters of those that were there. */
static const char *read_field(const char *field, size_t length, struct hw_pattern *pattern,
                              int *has_addr) {
    if (begins(field, "addr=")) {
        *has_addr = 1;
        return read_words(field + 5, length - 5, pattern->addr, WSIM_LANES)
                   ? NULL
                   : "addr is not 32 lanes of 8 hex digits";
    }
    if (begins(field, "mask="))
        return read_words(field + 5, length - 5, &pattern->mask, 1) ? NULL
                                                                    : "mask is not 8 hex digits";
    if (begins(field, "wavefronts=") || begins(field, "conflicts="))
        return NULL;
    return "a field that is not addr, mask, wavefronts or conflicts";
}

const char *hw_pattern_read(const char *line, struct hw_pattern *pattern) {
    size_t length = strcspn(line, "\t\n");
    char spelling[WSIM_SPELLING_MAX];
    const char *why = NULL;
    int has_addr = 0;
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
        why = read_field(line, length, pattern, &has_addr);
    }
    return why || has_addr ? why : "addr is missing";
}

const char *hw_pattern_check(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                             struct wsim_diag *diag) {
    struct wsim_op_info info = wsim_op_info(&pattern->op);
    unsigned lanes = info.matrices ? info.matrices * 8u : WSIM_LANES;
    uint32_t last = HW_ACCESS_WINDOW - (uint32_t)info.bytes;
    struct wsim_banks banks;
    if (wsim_banks(&pattern->op, arch, pattern->addr, pattern->mask, &banks, diag))
        return diag->text;
    for (unsigned l = 0; l < lanes; l++)
        if ((pattern->mask >> l & 1) && pattern->addr[l] > last)
            return "an address is outside the window of 32 KiB";
    return NULL;
}
