/* picture.h - tables and pictures, as cells; and the formats they are written in.
 *
 * A picture is made of panels, a panel is a grid of cells that a generator words on demand: one
 * generator for each kind of picture, one writer for each format. Nothing is allocated and nothing
 * printed; what a generator looks at stays the caller's and has to outlive the picture.
 *
 *     struct wsim_fragments f;
 *     struct wsim_picture picture;
 *     wsim_fragments_make(&op, NULL, WSIM_EVERY_OPERAND, &f, &diag);
 *     wsim_picture_fragments(&f, &picture);
 *     wsim_picture_write(&picture, WSIM_PICTURE_SVG, NULL, write, file, &diag);
 *
 * SVG stands alone: no fonts, styles or scripts from outside. So does HTML, one page that scrolls
 * its panels and knows light and dark. In both a cell has a title, which is shown while something
 * points at it, and a colour that never says what its text does not: in greyscale nothing is lost.
 */
#ifndef WSIM_HARNESS_PICTURE_H
#define WSIM_HARNESS_PICTURE_H

#include "../bulk.h"
#include "../code.h"
#include "../kernel.h"
#include "../meta.h"
#include "../sectors.h"
#include "../swizzle.h"
#include "../why.h"
#include "../wgmma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- cells, panels, pictures --- */

/* What the colours of a panel tell apart. */
enum wsim_hue {
    WSIM_HUE_NONE,
    WSIM_HUE_LANE, /* lanes of a warp, or threads of a warpgroup                                */
    WSIM_HUE_BANK,
    WSIM_HUE_REGISTER,
    WSIM_HUE_GROUP,
    WSIM_HUE_TURN,  /* in which pass: 1 is the first, every other one costs                      */
    WSIM_HUE_DIGIT, /* binary digits: 0 a zero, 1 a one, 2 a one that is lost; 3 the sign, 4 the
                       exponent, 5 the fraction of a number                                     */
    WSIM_HUES
};

/* What is said of a cell beside its text and its colour; a sum. */
#define WSIM_CELL_MARKED 1u  /* emphasised                                                      */
#define WSIM_CELL_EMPTY 2u   /* there is nothing                                                */
#define WSIM_CELL_OUTSIDE 4u /* it is there, but does not take part                             */
#define WSIM_CELL_MOVED 8u   /* it lies elsewhere: emphasised where there are no colours        */

#define WSIM_CELL_TEXT 512
#define WSIM_CAPTION 512

struct wsim_cell {
    char text[WSIM_CELL_TEXT];
    int32_t value; /* of the panel's hue; negative: it has none                                 */
    uint32_t flags;
};

/* A grid with heads. The functions word one cell or head; `panel` is the one they belong to, in
 * which they may remember where they were. Every text is UTF-8 and short; a writer masks what is
 * neither ink nor blank, and escapes what its format gives a meaning to. */
struct wsim_panel {
    uint32_t rows, cols;
    char heading[WSIM_CAPTION]; /* begins a section; "": it belongs to the one before           */
    char caption[WSIM_CAPTION]; /* what the cells are; "": nothing is said                      */
    char note[WSIM_CAPTION];    /* below the grid                                               */
    char corner[64];            /* above the heads of rows                                      */
    uint8_t beside;             /* drawn at the right of the one before, if there is room       */
    uint8_t texts;              /* so many first columns are text, aligned left                 */
    uint8_t left;               /* cells are aligned left, else right                           */
    uint8_t glyphs; /* cells are one character each; in text they stand side by side and every
                       fourth column has its head                                             */
    uint8_t ruler;  /* of glyphs: only some columns have heads, which may be wider than these   */
    enum wsim_hue hue;
    uint32_t values;   /* of the hue, from 0; a legend shows the first 32                      */
    const void *about; /* the generator's                                                      */
    uint32_t part[16]; /* the generator's                                                      */
    void (*cell)(struct wsim_panel *panel, uint32_t row, uint32_t col, struct wsim_cell *cell);
    void (*row_head)(struct wsim_panel *panel, uint32_t row, char out[WSIM_CELL_TEXT]);
    void (*col_head)(struct wsim_panel *panel, uint32_t col, char out[WSIM_CELL_TEXT]);
    /* a sentence about the cell; NULL: there is none                                           */
    void (*title)(struct wsim_panel *panel, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]);
};

/* Number of a panel that is not drawn: the whole content, a thing a row, which is what CSV has. */
#define WSIM_PANEL_LIST UINT32_MAX

/* Where a line about the whole picture stands. */
enum wsim_picture_lines { WSIM_LINES_ABOVE, WSIM_LINES_BELOW };

struct wsim_picture {
    char title[WSIM_CAPTION];
    uint32_t panels;
    uint8_t list;      /* not 0: there is a WSIM_PANEL_LIST; else CSV has the panels themselves */
    const void *about; /* the generator's                                                       */
    void (*panel)(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *panel);
    /* Words line `number` above or below the panels: 1; 2: and a paragraph begins with it; 0: there
     * are no more. NULL: there are none.                                                       */
    int (*line)(const struct wsim_picture *picture, enum wsim_picture_lines where, uint32_t number,
                char out[WSIM_CAPTION]);
    /* Words line `number` of the picture as CuTe layouts, 1, or there are no more, 0; NULL: it is
     * no layout.                                                                               */
    int (*cute)(const struct wsim_picture *picture, uint32_t number, char out[WSIM_CELL_TEXT]);
};

/* --- formats --- */

enum wsim_picture_format {
    WSIM_PICTURE_TEXT,
    WSIM_PICTURE_CSV,
    WSIM_PICTURE_MD, /* tables as GitHub reads them                                             */
    WSIM_PICTURE_SVG,
    WSIM_PICTURE_HTML,
    WSIM_PICTURE_CUTE, /* layouts in the notation of CuTe: cute.h                               */
    WSIM_PICTURE_FORMATS
};

/* "text", "csv", "md", "svg", "html", "cute"; NULL for anything else. */
WSIM_API const char *wsim_picture_format_name(enum wsim_picture_format format);

/* How text is written; NULL wherever it is asked for: 80 columns, without colours. */
struct wsim_style {
    uint32_t columns; /* of a line; what is wider comes in blocks of columns. 0: any            */
    uint8_t colour;   /* not 0: with the colours of a terminal (SGR, 256 of them)               */
};

/* Where bytes go: 0, or not 0 to stop. Called with up to some hundred bytes at a time. */
typedef int wsim_write(void *user, const char *bytes, size_t count);

/* Writes the whole picture. Errors, in the order checked: WSIM_OPERAND (no such format),
 * WSIM_ILLEGAL (the format cannot show this picture; the diag lists those that can), WSIM_OPERAND
 * (`write` stopped). Frames stay below 4 KB each. */
WSIM_API enum wsim_status wsim_picture_write(const struct wsim_picture *picture,
                                             enum wsim_picture_format format,
                                             const struct wsim_style *style, wsim_write *write,
                                             void *user, struct wsim_diag *diag);

/* The grid of one panel alone, without its captions, as text, CSV or Markdown; else WSIM_ILLEGAL.
 * Errors as above. */
WSIM_API enum wsim_status wsim_panel_write(struct wsim_panel *panel,
                                           enum wsim_picture_format format,
                                           const struct wsim_style *style, wsim_write *write,
                                           void *user, struct wsim_diag *diag);

/* A text in lines of at most `columns` (0: any), broken at blanks; all but the first begin after
 * `indent` blanks. A word that is longer stays whole. Errors: WSIM_OPERAND (`write` stopped). */
WSIM_API enum wsim_status wsim_text_fold(const char *text, uint32_t indent, uint32_t columns,
                                         wsim_write *write, void *user, struct wsim_diag *diag);

/* Bytes of the UTF-8 character at `text` (which ends with a 0), if it is ink or a blank: neither a
 * control character, nor one that breaks lines or turns the direction of what follows; else 0. */
WSIM_API size_t wsim_text_shown(const char *text);

/* The colour, 0xRRGGBB, in which `value` of `hue` is drawn: black text on it can be read. */
WSIM_API uint32_t wsim_hue_colour(enum wsim_hue hue, int32_t value);

/* --- fragments: who holds what --- */

/* A layout backwards: from a coordinate to its places, without a search. Private. */
struct wsim_layout_inverse {
    uint32_t pivot[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint32_t image[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint16_t source[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint16_t kernel[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint8_t pivots, kernels, elem_bits;
};

/* Operands of wsim_fragments_make: bit o for enum wsim_operand o. */
#define WSIM_EVERY_OPERAND ((1u << WSIM_OPERANDS) - 1)

/* One number for each question; negative: any. */
struct wsim_fragment_query {
    int32_t lane, reg, row, col, batch;
};

/* An operation with the layouts of its operands. `only` and `has` may be changed before the picture
 * is made. */
struct wsim_fragments {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_op *op;
    const struct wsim_arch *arch;    /* NULL: none was named                                    */
    struct wsim_fragment_query only; /* what is asked for: of any number at first               */
    uint32_t has;                    /* bit o: layout[o] is there                               */
    struct wsim_layout layout[WSIM_OPERANDS];
    struct wsim_layout_inverse inverse[WSIM_OPERANDS];
};

/* Reads the layouts of those of `operands` that the operation has; *op has to outlive *fragments.
 * Errors: those of wsim_op_layout, if none of them has one, or if one is not known
 * (WSIM_UNMODELLED). *fragments is undefined then. */
WSIM_API enum wsim_status wsim_fragments_make(const struct wsim_op *op,
                                              const struct wsim_arch *arch, uint32_t operands,
                                              struct wsim_fragments *fragments,
                                              struct wsim_diag *diag);

/* Of each operand: lanes by registers, in cells the (row,col) that they hold; and, for each matrix,
 * rows by columns, in cells lane:register, and .part where a register holds several elements. Both
 * coloured by lane. A batch that is asked for is shown alone; elements of a lane, register, row or
 * column are marked. Of a move of rows also which lane gives the address of each. The list has a
 * row for each element that is asked for, by operand, lane and element: operand, lane, register,
 * bit, bits, element, batch, row, column. */
WSIM_API void wsim_picture_fragments(const struct wsim_fragments *fragments,
                                     struct wsim_picture *picture);

/* Whether an element of the layout, in either of its registers, is asked for. */
WSIM_API int wsim_fragment_asked(const struct wsim_layout *layout,
                                 const struct wsim_fragment_query *query, struct wsim_place place,
                                 struct wsim_coord coord);

/* --- banks: which lane goes through which bank, and when --- */

/* An access of shared memory that was counted: what wsim_cost and wsim_cost_access said. */
struct wsim_bank_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const char *evidence, *source; /* as of wsim_op_evidence; NULL: nothing is said             */
    const char *outside;           /* NULL, or what the ISA asks for and these operands are not */
    int numbered;                  /* the accesses are told apart, as those of a wmma fragment  */
    struct wsim_cost cost;
    const struct wsim_cost_group *group;   /* cost.groups of them                               */
    const struct wsim_cost_access *access; /* cost.accesses of them                             */
};

/* Of each group of lanes a card: a row a lane, a column a bank, and in the cell the pass in which
 * the lane goes through the bank, 1 being the first; 10 is a, and so on. A row below says how many
 * passes go through the bank. The list has a row for each group. */
WSIM_API void wsim_picture_banks(const struct wsim_bank_card *card, struct wsim_picture *picture);

/* An access of global memory that was counted (sectors.h). */
struct wsim_sector_card {
    const char *spelling;
    const struct wsim_arch *arch;
    struct wsim_sectors count;
};

/* A row for each line of 128 bytes, a column for each of its sectors, and in the cell the lanes
 * there. "x3" after them: the sector counts three times. The list has a row for each sector. */
WSIM_API void wsim_picture_sectors(const struct wsim_sector_card *card,
                                   struct wsim_picture *picture);

/* A cp.async that was counted. */
struct wsim_copy_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const char *evidence, *source;
    const struct wsim_io *io; /* addr: destinations; src given                       */
    struct wsim_cost cost;    /* by the counters of the hardware                     */
    const struct wsim_cost_group *group;
    struct wsim_cost page; /* by those of the source page                         */
    const struct wsim_cost_group *page_group; /* NULL: not modelled                             */
    uint32_t unknown;            /* lanes whose cost is not known                       */
    const char *store;           /* NULL, or the store that moves as much ...           */
    struct wsim_cost store_cost; /* ... and what it costs to the same addresses         */
};

/* Of each group of lanes a table: where each copies from and to, in which banks. Lanes that cost a
 * wavefront are marked. The list has a row for each group, and kind of counters. */
WSIM_API void wsim_picture_copy(const struct wsim_copy_card *card, struct wsim_picture *picture);

/* --- swizzles: which piece of a tile lies where --- */

/* A tile of rows that follow each other every `pitch` bytes, a multiple of 16 up to 4096. */
struct wsim_swizzle_tile {
    enum wsim_swizzle mode;
    uint32_t pitch, rows;
    uint32_t at; /* address of its first byte, a multiple of 16                                */
};

/* The XORs of the mode in C, of an address a: "a ^ (a >> 3 & 0x70)". */
#define WSIM_SWIZZLE_FORMULA 96
WSIM_API void wsim_swizzle_formula(enum wsim_swizzle mode, char out[WSIM_SWIZZLE_FORMULA]);

/* Rows by pieces of 16 bytes, in cells where each lies, as row:piece from the line of 128 bytes
 * that the tile begins in, or from its own rows if it begins with a period; coloured by the bank.
 * The list has a row for each piece: row, piece, address. */
WSIM_API void wsim_picture_swizzle(const struct wsim_swizzle_tile *tile,
                                   struct wsim_picture *picture);

/* --- descriptors: where wgmma looks for a matrix --- */

/* A matrix operand in shared memory (wgmma.h). */
struct wsim_operand_tile {
    const char *title;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    int32_t row, k; /* an element that is asked for, and marked; negative: none                 */
};

/* Rows by pieces of 16 bytes along k, of an MN-major tile k by pieces of rows, in cells the address
 * of each; coloured by the bank. The list has a row for each element, or that which is asked for:
 * row, k, address. */
WSIM_API void wsim_picture_descriptor(const struct wsim_operand_tile *tile,
                                      struct wsim_picture *picture);

/* --- tiles of tensor copies: what comes from where --- */

/* What lies in 16 bytes of shared memory. */
struct wsim_tile_piece {
    uint32_t row, number; /* in its row                                                        */
    uint8_t used, inside; /* bytes of it, of which in the tensor                               */
};

/* A tensor copy, and what it leaves in shared memory, line by line of 128 bytes. */
struct wsim_tile_map {
    const struct wsim_op *op;
    const struct wsim_arch *arch;
    const struct wsim_bulk *copy;
    struct wsim_tensor_tile shape;
    uint32_t first, lines;         /* the first line, as address / 128                          */
    struct wsim_tile_piece *piece; /* 8 a line; the caller's                                    */
    uint64_t outside;              /* bytes of it that are in no tensor                         */
    uint8_t boxes;                 /* not 0: the tile in the order of the tensor is shown, too  */
};

/* Begins a tile: `shape` as wsim_tensor_measure has it; tile->lines says how many lines there are.
 */
WSIM_API void wsim_tile_open(const struct wsim_op *op, const struct wsim_arch *arch,
                             const struct wsim_bulk *copy, const struct wsim_tensor_tile *shape,
                             struct wsim_tile_map *tile);

/* Fills `piece`, 8 for each line, with what the copy leaves there. Errors: those of
 * wsim_bulk_locate. */
WSIM_API enum wsim_status wsim_tile_fill(struct wsim_tile_map *tile, struct wsim_tile_piece *piece,
                                         struct wsim_diag *diag);

/* Lines by banks, in cells row:piece of the tile; (outside the tensor), * partly. With `boxes` also
 * rows by pieces, in cells the coordinate of their first element. The list has a row for each
 * piece that is used: address, row, piece, bytes, inside. */
WSIM_API void wsim_picture_tile(const struct wsim_tile_map *tile, struct wsim_picture *picture);

/* --- sparse matrices: what is kept of A --- */

/* A sparse operation and its metadata. */
struct wsim_sparse {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_op *op;
    const uint32_t *e; /* of 32 lanes, of a warpgroup 128                                       */
    unsigned selector;
    struct wsim_meta_pattern pattern;
    struct wsim_layout layout; /* of the compressed A                                           */
    struct wsim_layout_inverse inverse;
};

/* Errors: those of wsim_meta_pattern and wsim_op_layout, WSIM_OPERAND (selector out of range). */
WSIM_API enum wsim_status wsim_sparse_make(const struct wsim_op *op, const uint32_t *e,
                                           unsigned selector, struct wsim_sparse *sparse,
                                           struct wsim_diag *diag);

/* The dense A, in cells lane:register.part of what is stored, '.' of what is dropped; and the
 * metadata, in cells the columns of each group that are kept, '!' for nibbles that the pattern does
 * not define. Both coloured by lane. The list has a row for each group: row, group, lane, bit,
 * nibble, defined, columns. */
WSIM_API void wsim_picture_sparse(const struct wsim_sparse *sparse, struct wsim_picture *picture);

/* --- sums: how one element of a product comes about --- */

/* An element that was explained. */
struct wsim_why_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const struct wsim_why *why;
    const struct wsim_format *a, *b; /* of elements of A, of B, ...                             */
    uint8_t a_bits, b_bits;          /* ... and their containers: 4 to 64; of single bits 32    */
};

/* Of each step the bits of what is added, a row for each addend, a column for each power of two:
 * the digits stand where they are added, those that are lost are marked, and below stand the sum
 * and what it is rounded to. Then its products: factors, and who held them. The list has a row for
 * each accumulator, product, group and result. */
WSIM_API void wsim_picture_why(const struct wsim_why_card *card, struct wsim_picture *picture);

/* --- kernels: what each line costs --- */

/* A line of source or PTX; wsim_report_line has the counts. */
struct wsim_cost_line {
    uint32_t launch;         /* from 0, ascending                                              */
    const char *place;       /* "transposes.cu:57"                                             */
    const char *text;        /* what stands there                                              */
    struct wsim_line counts; /* of it, or the sum of its instructions                          */
};

struct wsim_cost_lines {
    const char *title;
    const struct wsim_cost_line *line;
    uint32_t count;
    const char *const *launch; /* a sentence about each; `launches` of them                    */
    uint32_t launches;
};

/* Of each launch its lines, the source on the left: how often executed, wavefronts and sectors, and
 * what they would be ideally. What is more than ideal is coloured, and marked from twice as much
 * on. The list has all lines, with the number of their launch. */
WSIM_API void wsim_picture_lines(const struct wsim_cost_lines *lines, struct wsim_picture *picture);

#ifdef __cplusplus
}
#endif
#endif
