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
#include <time.h>
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

static int put_bytes(void *user, const char *bytes, size_t count) {
    return fwrite(bytes, 1, count, user) != count;
}

void screen_fold(unsigned indent, const char *format, ...) {
    va_list args, again;
    unsigned columns;
    char *text;
    int length;
    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    text = memory_make((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    columns = screen_columns();
    wsim_text_fold(text, indent, columns == UINT_MAX ? 0 : columns, put_bytes, stdout, NULL);
    free(text);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void screen_progress(const char *format, ...) {
    static const double every = 0.2;
    static double shown; /* seconds; 0: no line is there */
    va_list args;
    if (!isatty(STDERR_FILENO) || (format ? now() - shown < every : shown == 0))
        return;
    shown = format ? now() : 0;
    va_start(args, format);
    fputc('\r', stderr);
    if (format)
        vfprintf(stderr, format, args);
    fputs("\033[K", stderr);
    va_end(args);
}

enum { AUTO, ALWAYS, NEVER };
static int colour = AUTO; /* set once, before anything is printed */

int screen_colour(const char *text) {
    static const char *const names[] = {"auto", "always", "never"};
    for (int i = AUTO; i <= NEVER; i++)
        if (strcmp(text, names[i]) == 0) {
            colour = i;
            return TOOL_GO;
        }
    return tool_error("--color '%s': must be auto, always or never", text_cut(text).text);
}

int screen_has_colour(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return colour == ALWAYS || (colour == AUTO && isatty(STDOUT_FILENO) &&
                                !(no_color && *no_color) && term && strcmp(term, "dumb") != 0);
}
