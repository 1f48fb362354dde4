/* show.h - shared by the writers of pictures: buffered output, and words of captions. */
#ifndef WSIM_SHOW_SHOW_H
#define WSIM_SHOW_SHOW_H

#include "../../sim/base/base.h"

#include <wsim/harness/picture.h>

/* Buffered output to the caller, in chunks of this size. */
struct show_out {
    wsim_write *write;
    void *user;
    int stopped; /* what `write` answered, if not 0 */
    size_t used;
    char bytes[512];
};

void show_open(struct show_out *out, wsim_write *write, void *user);

/* Sends the rest; WSIM_OK, or the refusal if the caller stopped. */
enum wsim_status show_close(struct show_out *out, struct wsim_diag *diag);

void show_bytes(struct show_out *out, const char *bytes, size_t count);
void show_put(struct show_out *out, const char *text);
void show_blanks(struct show_out *out, size_t count);

/* Bytes of shared memory that swizzles move together, and of a word in each bank. */
enum { PIECE = 16, TILE_LINE = WSIM_BANKS * 4, PIECES = TILE_LINE / PIECE };

/* At most 255 bytes: for numbers and known names, not for text from outside. */
void show_print(struct show_out *out, const char *format, ...) BASE_PRINTF(2, 3);

/* A number, faster than show_put for long lists. */
void show_decimal(uint32_t number, char out[WSIM_CELL_TEXT]);

/* A text with '?' for unprintable bytes (wsim_text_shown). */
void show_masked(struct show_out *out, const char *text);

/* The same, with characters of XML and HTML as entities. */
void show_xml(struct show_out *out, const char *text);

/* Characters, not bytes. */
uint32_t show_width(const char *text);

/* The bytes of the first line of `text`, broken at a blank to fit into `columns` characters. `used`
 * characters are on the line already, the indent included. *next is the start of the next
 * line. A word that is too long stays whole. */
size_t show_line(const char *text, uint32_t used, uint32_t indent, uint32_t columns,
                 const char **next);
void show_fold(struct show_out *out, const char *text, uint32_t indent, uint32_t columns);

/* A paragraph of a picture: `put` writes the lines above or below its panels. */
enum { SHOW_NO_LINE, SHOW_LINE, SHOW_PARAGRAPH };
int show_line_of(const struct wsim_picture *picture, enum wsim_picture_lines where, uint32_t number,
                 char out[WSIM_CAPTION]);

/* "0-7,16", or "none"; bit l is lane l. */
void show_lanes(struct base_text *text, uint32_t lanes);

/* Writes a panel, or a whole picture. */
void show_text_panel(struct show_out *out, struct wsim_panel *panel,
                     const struct wsim_style *style);
void show_text(struct show_out *out, const struct wsim_picture *picture,
               const struct wsim_style *style);
void show_csv_panel(struct show_out *out, struct wsim_panel *panel);
void show_csv(struct show_out *out, const struct wsim_picture *picture);
void show_md_panel(struct show_out *out, struct wsim_panel *panel);
void show_md(struct show_out *out, const struct wsim_picture *picture);
void show_svg(struct show_out *out, const struct wsim_picture *picture);
void show_html(struct show_out *out, const struct wsim_picture *picture);

/* True if cells of a column are aligned left. */
int show_is_left(const struct wsim_panel *panel, uint32_t col);

/* "lane", "bank" ... */
const char *show_hue_name(enum wsim_hue hue);

/* True if its values need a legend: the cells show passes and groups themselves. */
int show_has_legend(enum wsim_hue hue);

/* The text of a cell in a format with shapes: a grid needs no dots. */
const char *show_ink(const struct wsim_panel *panel, const struct wsim_cell *cell);

/* --- layouts backwards --- */

void show_invert(const struct wsim_layout *layout, struct wsim_layout_inverse *inverse);

/* The first place, in order of lane, then element, of the element at `coord`. Returns the number of
 * places; if 0, *place is unchanged. */
uint32_t show_place(const struct wsim_layout *layout, const struct wsim_layout_inverse *inverse,
                    struct wsim_coord coord, struct wsim_place *place);

#endif
