/* Text that can be shown; see text.h. */
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wsim/harness/picture.h>

void text_mask(char *text) {
    while (*text) {
        size_t n = wsim_text_shown(text);
        if (n == 0)
            *text = '?';
        text += n ? n : 1;
    }
}

void text_mask_lines(char *out, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        out[i] = bytes[i] ? bytes[i] : '?';
    out[size] = '\0';
    for (char *at = out; *at;) {
        const size_t length = strcspn(at, "\n\t");
        const char end = at[length];
        at[length] = '\0';
        text_mask(at);
        at[length] = end;
        at += length + (end != '\0');
    }
}

/* A character that is cut in two is left out. */
static void cut(const char *text, size_t most, char *out) {
    size_t n = strnlen(text, most + 1), end = n <= most ? n : most;
    while (n > most && end > most - 4 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    memcpy(out, text, end);
    out[end] = '\0';
    text_mask(out);
    if (n > most)
        memcpy(out + end, "...", 4);
}

struct cut_text text_cut(const char *text) {
    struct cut_text out;
    cut(text, TEXT_CUT, out.text);
    return out;
}

int text_ends(const char *text, const char *end) {
    const size_t all = strlen(text), n = strlen(end);
    return all > n && strcmp(text + all - n, end) == 0;
}

const char *text_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

struct path_text text_path(const char *path) {
    struct path_text out;
    cut(path, TEXT_PATH, out.text);
    return out;
}

const char *text_below(const char *path) {
    char here[4096];
    const size_t n = *path == '/' && getcwd(here, sizeof here) ? strlen(here) : 0;
    return n && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

struct path_text text_source(const char *path) {
    const char *below = text_below(path);
    return text_path(*below == '/' || strncmp(below, "../", 3) == 0 ? text_name(path) : below);
}

void text_bits(uint32_t bits, char out[TEXT_BITS]) {
    const char *comma = "";
    size_t used = 0;
    unsigned first, last;
    for (first = 0; first < 32; first = last + 1) {
        for (last = first; last < 31 && (bits >> first & 1) && (bits >> (last + 1) & 1);)
            last++;
        if (bits >> first & 1)
            used += (size_t)snprintf(out + used, TEXT_BITS - used, "%s%u", comma, first);
        if (last > first)
            used += (size_t)snprintf(out + used, TEXT_BITS - used, "-%u", last);
        comma = bits >> first & 1 ? "," : comma;
    }
}
