/* Pictures: chooses the writer of a format, and refuses a format that cannot show the picture. */
#include "show.h"

static const char *const names[WSIM_PICTURE_FORMATS] = {"text", "csv", "md", "svg", "html", "cute"};

static const struct wsim_style plain = {80, 0};

const char *wsim_picture_format_name(enum wsim_picture_format format) {
    return (unsigned)format < WSIM_PICTURE_FORMATS ? names[format] : NULL;
}

static enum wsim_status check_format(enum wsim_picture_format format, struct wsim_diag *diag) {
    if ((unsigned)format < WSIM_PICTURE_FORMATS)
        return WSIM_OK;
    return base_refuse(diag, RULE_PICTURE_FORMAT_UNKNOWN, 0,
                       "no format of pictures has the number %d: they are 0 to %d", (int)format,
                       WSIM_PICTURE_FORMATS - 1);
}

static void show_cute(struct show_out *out, const struct wsim_picture *picture) {
    char line[WSIM_CELL_TEXT];
    for (uint32_t i = 0; picture->cute(picture, i, line); i++) {
        show_masked(out, line);
        show_put(out, "\n");
    }
}

enum wsim_status wsim_picture_write(const struct wsim_picture *picture,
                                    enum wsim_picture_format format, const struct wsim_style *style,
                                    wsim_write *write, void *user, struct wsim_diag *diag) {
    struct show_out out;
    char line[WSIM_CELL_TEXT];
    enum wsim_status status = check_format(format, diag);
    if (status)
        return status;
    if (format == WSIM_PICTURE_CUTE && (!picture->cute || !picture->cute(picture, 0, line)))
        return base_refuse(diag, RULE_PICTURE_FORMAT_UNFIT, 0,
                           "CuTe cannot express this layout: the format can be text, csv, "
                           "md, svg or html");
    show_open(&out, write, user);
    switch (format) {
    case WSIM_PICTURE_TEXT: show_text(&out, picture, style ? style : &plain); break;
    case WSIM_PICTURE_CSV: show_csv(&out, picture); break;
    case WSIM_PICTURE_MD: show_md(&out, picture); break;
    case WSIM_PICTURE_SVG: show_svg(&out, picture); break;
    case WSIM_PICTURE_HTML: show_html(&out, picture); break;
    case WSIM_PICTURE_CUTE: show_cute(&out, picture); break;
    case WSIM_PICTURE_FORMATS: break;
    }
    return show_close(&out, diag);
}

enum wsim_status wsim_panel_write(struct wsim_panel *panel, enum wsim_picture_format format,
                                  const struct wsim_style *style, wsim_write *write, void *user,
                                  struct wsim_diag *diag) {
    struct show_out out;
    enum wsim_status status = check_format(format, diag);
    if (status)
        return status;
    if (format > WSIM_PICTURE_MD)
        return base_refuse(diag, RULE_PICTURE_FORMAT_UNFIT, 0,
                           "a panel alone can be text, csv or md; %s shows whole pictures",
                           names[format]);
    show_open(&out, write, user);
    if (format == WSIM_PICTURE_TEXT)
        show_text_panel(&out, panel, style ? style : &plain);
    else if (format == WSIM_PICTURE_CSV)
        show_csv_panel(&out, panel);
    else
        show_md_panel(&out, panel);
    return show_close(&out, diag);
}
