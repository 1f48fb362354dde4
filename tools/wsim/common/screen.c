/* Lines and colours; see screen.h. */
#include "screen.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, NARROWEST = 40, WIDEST = 10000 };

static int is_wide; /* set once, before anything is printed */

void screen_widen(void) {
    is_wide = 1;
}

static unsigned terminal_columns(void) {
#ifdef TIOCGWINSZ
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        return size.ws_col;
#endif
    return 0;
}

unsigned screen_columns(void) {
    const char *text = getenv("COLUMNS");
    uint32_t columns = 0;
    if (is_wide)
        return UINT_MAX;
    if (!text || !tool_is_number(text, strlen(text), WIDEST, &columns) || columns < NARROWEST)
        columns = terminal_columns();
    return columns < NARROWEST ? USUAL : columns;
}

/* Characters, not bytes. */
static unsigned width_of(const char *text, size_t bytes) {
    unsigned width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

/* Blanks in front of the first word stay. */
static void print_folded(unsigned indent, const char *text) {
    unsigned most = screen_columns(), used = 0;
    size_t blanks = strspn(text, " ");
    while (text[blanks]) {
        size_t word = strcspn(text + blanks, " ");
        unsigned width = width_of(text + blanks, word);
        if (used > indent && used + blanks + width > most) {
            printf("\n%*s", (int)indent, "");
            used = indent;
        } else {
            printf("%*s", (int)blanks, "");
            used += (unsigned)blanks;
        }
        printf("%.*s", (int)word, text + blanks);
        used += width;
        text += blanks + word;
        blanks = strspn(text, " ");
    }
    putchar('\n');
}

void screen_fold(unsigned indent, const char *format, ...) {
    va_list args, again;
    char *text;
    int length;
    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    text = memory_make((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    print_folded(indent, text);
    free(text);
}

int screen_colour(const char *text, int *colour) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    *colour =
        isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    if (!text || strcmp(text, "auto") == 0)
        return TOOL_GO;
    *colour = strcmp(text, "always") == 0;
    if (*colour || strcmp(text, "never") == 0)
        return TOOL_GO;
    return tool_error("--color '%s': it can be auto, always or never", text_cut(text).text);
}
