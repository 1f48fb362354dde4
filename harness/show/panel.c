/* Small parts of writers and generators: lines around panels, left columns, sets of lanes. */
#include "show.h"

int show_line_of(const struct wsim_picture *picture, enum wsim_picture_lines where, uint32_t number,
                 char out[WSIM_CAPTION]) {
    out[0] = '\0';
    return picture->line ? picture->line(picture, where, number, out) : SHOW_NO_LINE;
}

int show_is_left(const struct wsim_panel *panel, uint32_t col) {
    return panel->left || col < panel->texts;
}

void show_lanes(struct base_text *text, uint32_t lanes) {
    const char *comma = "";
    if (!lanes)
        base_put(text, "none");
    for (unsigned lane = 0, last; lane < WSIM_LANES; lane = last + 1) {
        last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < WSIM_LANES && (lanes >> (last + 1) & 1))
            last++;
        base_put(text, "%s%u", comma, lane);
        if (last > lane)
            base_put(text, "-%u", last);
        comma = ",";
    }
}
