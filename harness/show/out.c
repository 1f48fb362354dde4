/* Buffered output; see show.h. */
#include "show.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void show_open(struct show_out *out, wsim_write *write, void *user) {
    out->write = write;
    out->user = user;
    out->stopped = 0;
    out->used = 0;
}

static void flush(struct show_out *out) {
    if (out->used && !out->stopped)
        out->stopped = out->write(out->user, out->bytes, out->used);
    out->used = 0;
}

enum wsim_status show_close(struct show_out *out, struct wsim_diag *diag) {
    flush(out);
    return out->stopped
               ? base_refuse(diag, RULE_PICTURE_WRITE_STOPPED, 0,
                             "what takes the picture answered %d and stopped it; it answers 0 to "
                             "go on",
                             out->stopped)
               : WSIM_OK;
}

void show_bytes(struct show_out *out, const char *bytes, size_t count) {
    while (count > 0 && !out->stopped) {
        size_t room = sizeof out->bytes - out->used, n = count < room ? count : room;
        memcpy(out->bytes + out->used, bytes, n);
        out->used += n;
        bytes += n;
        count -= n;
        if (out->used == sizeof out->bytes)
            flush(out);
    }
}

void show_put(struct show_out *out, const char *text) {
    show_bytes(out, text, strlen(text));
}

void show_blanks(struct show_out *out, size_t count) {
    static const char blanks[] = "                                ";
    while (count > 0) {
        size_t n = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
        show_bytes(out, blanks, n);
        count -= n;
    }
}

void show_print(struct show_out *out, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    show_put(out, text);
}

void show_decimal(uint32_t number, char out[WSIM_CELL_TEXT]) {
    char digits[12];
    size_t n = 0, i = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (n > 0)
        out[i++] = digits[--n];
    out[i] = '\0';
}

/* --- what can be shown --- */

/* True if a character is printable: no control, no line break, and no change of direction, which
 * could disguise a message. U+FFFE and U+FFFF are no characters, and XML refuses them. */
static int is_shown(uint32_t c) {
    return c >= 0x20 && !(c >= 0x7F && c <= 0x9F) && c != 0x200E && c != 0x200F &&
           !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069) && c != 0xFEFF &&
           (c & 0xFFFE) != 0xFFFE;
}

/* The bytes of a character by its first byte; 0: no character begins so. */
static size_t length_of(unsigned char first) {
    return first < 0x80   ? 1
           : first < 0xC0 ? 0
           : first < 0xE0 ? 2
           : first < 0xF0 ? 3
           : first < 0xF8 ? 4
                          : 0;
}

size_t wsim_text_shown(const char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t n = length_of(*at);
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

/* Fast path: printable ASCII. */
static size_t plain_bytes(const char *text) {
    size_t n = 0;
    while (text[n] >= ' ' && text[n] <= '~')
        n++;
    return n;
}

void show_masked(struct show_out *out, const char *text) {
    while (*text) {
        size_t n = plain_bytes(text);
        n = n ? n : wsim_text_shown(text);
        show_bytes(out, n ? text : "?", n ? n : 1);
        text += n ? n : 1;
    }
}

void show_xml(struct show_out *out, const char *text) {
    while (*text) {
        size_t n = wsim_text_shown(text);
        switch (n ? *text : '?') {
        case '&': show_put(out, "&amp;"); break;
        case '<': show_put(out, "&lt;"); break;
        case '>': show_put(out, "&gt;"); break;
        case '"': show_put(out, "&quot;"); break;
        case '\'': show_put(out, "&#39;"); break;
        default: show_bytes(out, n ? text : "?", n ? n : 1);
        }
        text += n ? n : 1;
    }
}

/* --- lines --- */

static uint32_t width_of(const char *text, size_t bytes) {
    uint32_t width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

uint32_t show_width(const char *text) {
    return width_of(text, strlen(text));
}

/* Blanks before the first word stay. */
size_t show_line(const char *text, uint32_t used, uint32_t indent, uint32_t columns,
                 const char **next) {
    size_t end = 0, blanks = strspn(text, " ");
    *next = text + blanks;
    while (text[end + blanks]) {
        size_t word = strcspn(text + end + blanks, " ");
        uint32_t width = width_of(text + end + blanks, word);
        *next = text + end + blanks;
        if (used > indent && columns && used + blanks + width > columns)
            return end;
        used += (uint32_t)blanks + width;
        end += blanks + word;
        blanks = strspn(text + end, " ");
        *next = text + end + blanks;
    }
    return end;
}

void show_fold(struct show_out *out, const char *text, uint32_t indent, uint32_t columns) {
    uint32_t used = 0;
    do {
        const char *next;
        size_t bytes = show_line(text, used, indent, columns, &next);
        if (used)
            show_blanks(out, indent);
        for (size_t i = 0, n; i < bytes; i += n) {
            size_t shown = wsim_text_shown(text + i);
            n = shown ? shown : 1;
            show_bytes(out, shown ? text + i : "?", n);
        }
        show_put(out, "\n");
        used = indent;
        text = next;
    } while (*text);
}

enum wsim_status wsim_text_fold(const char *text, uint32_t indent, uint32_t columns,
                                wsim_write *write, void *user, struct wsim_diag *diag) {
    struct show_out out;
    show_open(&out, write, user);
    show_fold(&out, text, indent, columns);
    return show_close(&out, diag);
}
