/* Pictures on standard output; see picture.h. */
#include "picture.h"
#include "screen.h"

#include <limits.h>
#include <stdlib.h>

static int put_bytes(void *user, const char *bytes, size_t count) {
    return fwrite(bytes, 1, count, user) != count;
}

static struct wsim_style style_of_screen(void) {
    unsigned columns = screen_columns();
    struct wsim_style style = {columns == UINT_MAX ? 0 : columns, (uint8_t)screen_has_colour()};
    return style;
}

static enum wsim_picture_format format_of(enum tool_format format) {
    switch (format) {
    case TOOL_CSV: return WSIM_PICTURE_CSV;
    case TOOL_MARKDOWN: return WSIM_PICTURE_MD;
    case TOOL_SVG: return WSIM_PICTURE_SVG;
    case TOOL_HTML: return WSIM_PICTURE_HTML;
    case TOOL_CUTE: return WSIM_PICTURE_CUTE;
    case TOOL_TEXT:
    case TOOL_JSON: break;
    }
    return WSIM_PICTURE_TEXT;
}

/* main() reports errors of standard output. */
int picture_print(const struct wsim_picture *picture, enum tool_format format) {
    struct wsim_style style = style_of_screen();
    struct wsim_diag diag;
    if (wsim_picture_write(picture, format_of(format), &style, put_bytes, stdout, &diag) &&
        !ferror(stdout))
        return tool_refused(NULL, &diag);
    return TOOL_FINE;
}

void picture_print_panel(struct wsim_panel *panel, enum tool_format format) {
    struct wsim_style style = style_of_screen();
    wsim_panel_write(panel, format_of(format), &style, put_bytes, stdout, NULL);
}
