/* Text that can be shown; see text.h. */
#include "text.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether a character is ink or a blank: neither of the two ranges of controls, nor one that breaks
 * lines or turns the direction of what follows, so that a message would read as another. */
static int is_shown(uint32_t c) {
    return c >= 0x20 && !(c >= 0x7F && c <= 0x9F) && c != 0x200E && c != 0x200F &&
           !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069) && c != 0xFEFF;
}

/* Bytes of the character at `at`, which ends with a 0; 0: it is none that is shown. */
static size_t shown_bytes(const unsigned char *at) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *at < 0x80   ? 1
               : *at < 0xC0 ? 0
               : *at < 0xE0 ? 2
               : *at < 0xF0 ? 3
               : *at < 0xF8 ? 4
                            : 0;
    uint32_t c = n == 1 ? *at : *at & 0x7Fu >> n;
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (at[i] & 0x3Fu);
    }
    if (n == 0 || c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    return is_shown(c) ? n : 0;
}

void text_mask(char *text) {
    while (*text) {
        size_t n = shown_bytes((const unsigned char *)text);
        if (n == 0)
            *text = '?';
        text += n ? n : 1;
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

struct path_text text_path(const char *path) {
    struct path_text out;
    cut(path, TEXT_PATH, out.text);
    return out;
}
