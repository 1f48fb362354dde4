/* picture.h - tables and pictures, as cells; and the formats they are written in.
 *
 * A picture is made of panels, and a panel is a grid of cells. A generator makes cells on demand.
 * There is one generator for each kind of picture, and one writer for each format. Nothing is
 * allocated or printed. The caller owns the data of a generator, which has to outlive the picture.
 *
 *     struct wsim_fragments f;
 *     struct wsim_picture picture;
 *     wsim_fragments_make(&op, NULL, WSIM_EVERY_OPERAND, &f, &diag);
 *     wsim_picture_fragments(&f, &picture);
 *     wsim_picture_write(&picture, WSIM_PICTURE_SVG, NULL, write, file, &diag);
 *
 * SVG needs no fonts, styles or scripts from outside. Neither does HTML, one page with panels that
 * scroll, for light and dark screens. In both, a cell has a title that appears under the pointer.
 * Colours only repeat the text, so greyscale loses nothing.
 */
#ifndef WSIM_HARNESS_PICTURE_H
#define WSIM_HARNESS_PICTURE_H

#include "../bulk.h"
#include "../code.h"
#include "../kernel.h"
#include "../meta.h"
#include "../sectors.h"
#include "../swizzle.h"
#include "../umma.h"
#include "../why.h"
#include "../wgmma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- cells, panels, pictures --- */

/* The meaning of the colours of a panel. */
enum wsim_hue {
    WSIM_HUE_NONE,
    WSIM_HUE_LANE, /* lanes of a warp, or threads of a warpgroup                                */
    WSIM_HUE_BANK,
    WSIM_HUE_REGISTER,
    WSIM_HUE_GROUP,
    WSIM_HUE_TURN,  /* pass: 1 is the first, every later one costs                               */
    WSIM_HUE_DIGIT, /* binary digits: 0 a zero, 1 a one, 2 a lost one; 3 sign, 4 exponent, 5
                       fraction                                                                 */
    WSIM_HUES
};

/* Flags of a cell; a sum. */
#define WSIM_CELL_MARKED 1u  /* emphasised                                                      */
#define WSIM_CELL_EMPTY 2u   /* nothing in it                                                   */
#define WSIM_CELL_OUTSIDE 4u /* present, without a part in the operation                        */
#define WSIM_CELL_MOVED 8u   /* in another place: emphasised without colours                    */

#define WSIM_CELL_TEXT 512
#define WSIM_CAPTION 512

struct wsim_cell {
    char text[WSIM_CELL_TEXT];
    int32_t value; /* of the panel's hue; negative: none                                        */
    uint32_t flags;
};

/* A grid with heads. Each function writes one cell or head, and may keep its position in `panel`.
 * Every text is UTF-8 and short. A writer masks characters that are not printable, and escapes
 * those that its format uses. */
struct wsim_panel {
    uint32_t rows, cols;
    char heading[WSIM_CAPTION]; /* begins a section; "": part of the section before             */
    char caption[WSIM_CAPTION]; /* of the cells; "": none                                       */
    char note[WSIM_CAPTION];    /* below the grid                                               */
    char corner[64];            /* above the heads of rows                                      */
    uint8_t beside;             /* drawn to the right of the panel before, if there is room      */
    uint8_t texts;              /* the first columns, this many, are text, aligned left         */
    uint8_t left;               /* cells are aligned left, else right                           */
    uint8_t glyphs; /* cells are one character each; in text they are side by side and every
                       fourth column has its head                                             */
    uint8_t ruler;  /* of glyphs: only some columns have heads, which may be wider            */
    enum wsim_hue hue;
    uint32_t values;   /* of the hue, from 0; a legend shows the first 32                      */
    const void *about; /* the generator's                                                      */
    uint32_t part[16]; /* the generator's                                                      */
    void (*cell)(struct wsim_panel *panel, uint32_t row, uint32_t col, struct wsim_cell *cell);
    void (*row_head)(struct wsim_panel *panel, uint32_t row, char out[WSIM_CELL_TEXT]);
    void (*col_head)(struct wsim_panel *panel, uint32_t col, char out[WSIM_CELL_TEXT]);
    /* a sentence about the cell; NULL: none                                                   */
    void (*title)(struct wsim_panel *panel, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]);
};

/* Number of a panel that is not drawn. It lists the whole content, an item a row, for CSV. */
#define WSIM_PANEL_LIST UINT32_MAX

/* The place of a line about the whole picture. */
enum wsim_picture_lines { WSIM_LINES_ABOVE, WSIM_LINES_BELOW };

struct wsim_picture {
    char title[WSIM_CAPTION];
    uint32_t panels;
    uint8_t list;      /* not 0: there is a WSIM_PANEL_LIST; else CSV has the panels themselves */
    const void *about; /* the generator's                                                       */
    void (*panel)(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *panel);
    /* Writes line `number` above or below the panels. Returns 1; 2 if a paragraph begins with it; 0
     * past the last. NULL: no lines. */
    int (*line)(const struct wsim_picture *picture, enum wsim_picture_lines where, uint32_t number,
                char out[WSIM_CAPTION]);
    /* Writes line `number` of the picture as CuTe layouts. Returns 1, or 0 past the last. NULL: the
     * picture is no layout. */
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

/* The style of text. NULL: 80 columns, without colours. */
struct wsim_style {
    uint32_t columns; /* of a line; wider panels come in blocks of columns. 0: any              */
    uint8_t colour;   /* not 0: with the colours of a terminal (SGR, 256 colours)               */
};

/* A receiver of bytes, up to some hundred at a time. Returns 0, or another number to stop. */
typedef int wsim_write(void *user, const char *bytes, size_t count);

/* Writes the whole picture. Errors, in the order checked: WSIM_OPERAND (no such format),
 * WSIM_ILLEGAL (the format cannot show this picture; the diag lists those that can), WSIM_OPERAND
 * (`write` stopped). Frames stay below 4 KB each. */
WSIM_API enum wsim_status wsim_picture_write(const struct wsim_picture *picture,
                                             enum wsim_picture_format format,
                                             const struct wsim_style *style, wsim_write *write,
                                             void *user, struct wsim_diag *diag);

/* Writes the grid of one panel without its captions, as text, CSV or Markdown; other formats are
 * WSIM_ILLEGAL. Errors as above. */
WSIM_API enum wsim_status wsim_panel_write(struct wsim_panel *panel,
                                           enum wsim_picture_format format,
                                           const struct wsim_style *style, wsim_write *write,
                                           void *user, struct wsim_diag *diag);

/* Writes a text in lines of at most `columns` (0: any), broken at blanks. All lines but the first
 * begin with `indent` blanks. A longer word stays whole. Errors: WSIM_OPERAND (`write` stopped). */
WSIM_API enum wsim_status wsim_text_fold(const char *text, uint32_t indent, uint32_t columns,
                                         wsim_write *write, void *user, struct wsim_diag *diag);

/* The bytes of the UTF-8 character at `text`, which ends with a 0, if it is printable or a blank.
 * The result is 0 for control characters, line breaks, and characters that change the direction of
 * text. */
WSIM_API size_t wsim_text_shown(const char *text);

/* The colour of `value` of `hue`, 0xRRGGBB. Black text on it is readable. */
WSIM_API uint32_t wsim_hue_colour(enum wsim_hue hue, int32_t value);

/* --- fragments: the lane and register of each element --- */

/* An inverse layout: the places of a coordinate, without a search. Private. */
struct wsim_layout_inverse {
    uint32_t pivot[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint32_t image[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint16_t source[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint16_t kernel[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    uint8_t pivots, kernels, elem_bits;
};

/* Operands of wsim_fragments_make: bit o for enum wsim_operand o. */
#define WSIM_EVERY_OPERAND ((1u << WSIM_OPERANDS) - 1)

/* A number for each condition; negative: any. */
struct wsim_fragment_query {
    int32_t lane, reg, row, col, batch;
};

/* An operation with the layouts of its operands. `only` and `has` may be changed before the picture
 * is made. */
struct wsim_fragments {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_op *op;        /* NULL: none                                              */
    const struct wsim_arch *arch;    /* NULL: none                                              */
    struct wsim_fragment_query only; /* elements to mark; all conditions are "any" at first     */
    uint32_t has;                    /* bit o: layout[o] is valid                               */
    struct wsim_layout layout[WSIM_OPERANDS];
    struct wsim_layout_inverse inverse[WSIM_OPERANDS];
};

/* Reads the layouts of `operands` that the operation has; *op has to outlive *fragments. Errors,
 * which leave *fragments undefined: those of wsim_op_layout if no operand has a layout, and
 * WSIM_UNMODELLED for an unknown one. */
WSIM_API enum wsim_status wsim_fragments_make(const struct wsim_op *op,
                                              const struct wsim_arch *arch, uint32_t operands,
                                              struct wsim_fragments *fragments,
                                              struct wsim_diag *diag);

/* Draws each operand twice, coloured by lane. The first table has lanes by registers, with
 * (row,col) in its cells. The second has rows by columns for each matrix, with lane:register in its
 * cells, and .part in a register with several elements. A chosen batch is shown alone; elements of
 * a chosen lane, register, row or column are marked. A move of rows also shows the lane that
 * addresses each row. The list has a row for each chosen element, by operand, lane and element. Its
 * columns are operand, lane, register, bit, bits, element, batch, row, column. */
WSIM_API void wsim_picture_fragments(const struct wsim_fragments *fragments,
                                     struct wsim_picture *picture);

/* The same of one layout as operand D, for instructions that are no operation, such as tcgen05.ld.
 * The picture has no line about architectures. */
WSIM_API void wsim_fragments_of(const char *spelling, const struct wsim_layout *layout,
                                struct wsim_fragments *fragments);

/* Whether an element of the layout, in either of its registers, is chosen. */
WSIM_API int wsim_fragment_asked(const struct wsim_layout *layout,
                                 const struct wsim_fragment_query *query, struct wsim_place place,
                                 struct wsim_coord coord);

/* --- banks: the bank and pass of each lane --- */

/* A counted access of shared memory: the results of wsim_cost and wsim_cost_access. */
struct wsim_bank_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const char *evidence, *source; /* of wsim_op_evidence; NULL: none                           */
    const char *outside;           /* NULL, or the condition of the ISA that the operands break */
    int numbered;                  /* accesses have numbers, like those of a wmma fragment      */
    struct wsim_cost cost;
    const struct wsim_cost_group *group;   /* cost.groups of them                               */
    const struct wsim_cost_access *access; /* cost.accesses of them                             */
};

/* Draws a card for each group of lanes: a row a lane, a column a bank. A cell has the pass in which
 * the lane goes through the bank: 1 is the first, a is 10, and so on. The last row has the number
 * of passes of the bank. The list has a row for each group. */
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

/* A counted cp.async. */
struct wsim_copy_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const char *evidence, *source;
    const struct wsim_io *io; /* addr: destinations; src given                       */
    struct wsim_cost cost;    /* by the counters of the hardware                     */
    const struct wsim_cost_group *group;
    struct wsim_cost page; /* by the counters of the source page                  */
    const struct wsim_cost_group *page_group; /* NULL: not modelled                             */
    uint32_t unknown;            /* lanes whose cost is not known                       */
    const char *store;           /* NULL, or an equally wide store ...              */
    struct wsim_cost store_cost; /* ... and its cost at the same addresses              */
};

/* Draws a table for each group of lanes: addresses and banks of source and destination. Lanes that
 * cost a wavefront are marked. The list has a row for each group and kind of counters. */
WSIM_API void wsim_picture_copy(const struct wsim_copy_card *card, struct wsim_picture *picture);

/* --- swizzles: the place of each piece of a tile --- */

/* A tile of rows that follow each other every `pitch` bytes, a multiple of 16 up to 4096. */
struct wsim_swizzle_tile {
    enum wsim_swizzle mode;
    uint32_t pitch, rows;
    uint32_t at; /* address of its first byte, a multiple of 16                                */
};

/* The XORs of the mode in C, of an address a: "a ^ (a >> 3 & 0x70)". */
#define WSIM_SWIZZLE_FORMULA 96
WSIM_API void wsim_swizzle_formula(enum wsim_swizzle mode, char out[WSIM_SWIZZLE_FORMULA]);

/* Draws rows by pieces of 16 bytes, coloured by bank. A cell has the place of the piece as
 * row:piece. Rows count from the line of 128 bytes where the tile begins. A tile that begins with a
 * period counts its own rows. The list has a row for each piece: row, piece, address. */
WSIM_API void wsim_picture_swizzle(const struct wsim_swizzle_tile *tile,
                                   struct wsim_picture *picture);

/* --- descriptors: the addresses that wgmma reads --- */

/* A matrix operand in shared memory (wgmma.h). */
struct wsim_operand_tile {
    const char *title;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    int32_t row, k; /* a chosen element, which is marked; negative: none                        */
};

/* Draws rows by pieces of 16 bytes along k, coloured by bank; an MN-major tile has k by pieces of
 * rows. A cell has the address of the piece. The list has a row for each element, or for the chosen
 * one: row, k, address. */
WSIM_API void wsim_picture_descriptor(const struct wsim_operand_tile *tile,
                                      struct wsim_picture *picture);

/* --- tiles of tensor copies: the source of each piece --- */

/* The contents of 16 bytes of shared memory. */
struct wsim_tile_piece {
    uint32_t row, number; /* in its row                                                        */
    uint8_t used, inside; /* bytes of it, of which in the tensor                               */
};

/* A tensor copy, and its bytes in shared memory by lines of 128 bytes. */
struct wsim_tile_map {
    const struct wsim_op *op;
    const struct wsim_arch *arch;
    const struct wsim_bulk *copy;
    struct wsim_tensor_tile shape;
    uint32_t first, lines;         /* the first line, as address / 128                          */
    struct wsim_tile_piece *piece; /* 8 a line; the caller's                                    */
    uint64_t outside;              /* bytes outside the tensor                                  */
    uint8_t boxes;                 /* not 0: also draws the tile in the order of the tensor     */
};

/* Begins a tile. `shape` comes from wsim_tensor_measure. tile->lines is the number of lines. */
WSIM_API void wsim_tile_open(const struct wsim_op *op, const struct wsim_arch *arch,
                             const struct wsim_bulk *copy, const struct wsim_tensor_tile *shape,
                             struct wsim_tile_map *tile);

/* Fills `piece`, 8 for each line, with the result of the copy. Errors: those of wsim_bulk_locate.
 */
WSIM_API enum wsim_status wsim_tile_fill(struct wsim_tile_map *tile, struct wsim_tile_piece *piece,
                                         struct wsim_diag *diag);

/* Draws lines by banks, with row:piece of the tile in the cells. ( marks pieces outside the tensor,
 * * partly outside. With `boxes` it also draws rows by pieces, with the coordinate of their first
 * element. The list has a row for each used piece: address, row, piece, bytes, inside. */
WSIM_API void wsim_picture_tile(const struct wsim_tile_map *tile, struct wsim_picture *picture);

/* --- sparse matrices: the kept elements of A --- */

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

/* Draws two tables, coloured by lane. The first is the dense A: lane:register.part of stored
 * elements, '.' for dropped ones. The second is the metadata: the kept columns of each group, '!'
 * for nibbles that the pattern does not define. The list has a row for each group: row, group,
 * lane, bit, nibble, defined, columns. */
WSIM_API void wsim_picture_sparse(const struct wsim_sparse *sparse, struct wsim_picture *picture);

/* --- tensor memory: the element in each word --- */

/* The elements of a word of tensor memory: its first and its last. */
struct wsim_tensor_word {
    uint16_t row[2], col[2];
    uint8_t used; /* 0: no element is there */
};

/* An operand of a tcgen05.mma in tensor memory: `rows` by `cols` elements of the whole product. Or
 * the source of a tcgen05.cp: rows of words of 32 bits. */
struct wsim_tensor_card {
    const char *title;
    const struct wsim_code *code;   /* of wsim_umma_prepare; NULL: a copy                     */
    const struct wsim_scalar *copy; /* NULL: a product                                        */
    enum wsim_operand operand;      /* D, A, E, SFA or SFB                                      */
    uint32_t rows, cols, copies;
    uint32_t columns, blocks;      /* of tensor memory that it takes                           */
    int32_t row, col, lane;        /* words to mark; negative: any, all three: none            */
    struct wsim_tensor_word *word; /* [block][lane][column]; the caller's                     */
};

/* Measures an operand. WSIM_ILLEGAL: the product has none in tensor memory. */
WSIM_API enum wsim_status wsim_tensor_card_open(const struct wsim_code *code,
                                                enum wsim_operand operand, uint32_t rows,
                                                uint32_t cols, struct wsim_tensor_card *card,
                                                struct wsim_diag *diag);

/* Measures a tcgen05.cp, which has to stay where it is. WSIM_ILLEGAL: another operation.
 * WSIM_UNMODELLED: it unpacks, and no source says where the bits go. */
WSIM_API enum wsim_status wsim_tensor_card_copy(const struct wsim_scalar *copy,
                                                struct wsim_tensor_card *card,
                                                struct wsim_diag *diag);

/* Fills `word`, which has room for blocks * 128 * columns words. */
WSIM_API void wsim_tensor_card_fill(struct wsim_tensor_card *card, struct wsim_tensor_word *word);

/* Draws lanes by columns of each block, coloured by the quarter of the lanes that a warp reaches. A
 * cell has row,column of its element, and the last column of a word with several. The list has a
 * row for each place: operand, row, col, block, lane, column, bit, bits. */
WSIM_API void wsim_picture_tensor(const struct wsim_tensor_card *card,
                                  struct wsim_picture *picture);

/* --- sums: the computation of one element of a product --- */

/* An explained element. */
struct wsim_why_card {
    const char *spelling;
    const struct wsim_arch *arch;
    const struct wsim_why *why;
    const struct wsim_format *a, *b; /* of elements of A, of B, ...                             */
    uint8_t a_bits, b_bits;          /* ... and their containers: 4 to 64; of single bits 32    */
};

/* Draws the addends of each step in binary: a row for each addend, a column for each power of two.
 * Digits are in the column of their value, and lost digits are marked. The sum and the rounded
 * result follow. A table of the products comes next, with factors and their lanes. The list has a
 * row for each accumulator, product, group and result. */
WSIM_API void wsim_picture_why(const struct wsim_why_card *card, struct wsim_picture *picture);

/* --- kernels: the cost of each line --- */

/* A line of source or PTX; wsim_report_line has the counts. */
struct wsim_cost_line {
    uint32_t launch;         /* from 0, ascending                                              */
    const char *place;       /* "transposes.cu:57"                                             */
    const char *text;        /* of the line                                                    */
    struct wsim_line counts; /* of the line, or the sum of its instructions                    */
};

struct wsim_cost_lines {
    const char *title;
    const struct wsim_cost_line *line;
    uint32_t count;
    const char *const *launch; /* a sentence about each; `launches` of them                    */
    uint32_t launches;
};

/* Draws the lines of each launch, with the source on the left: executions, wavefronts, sectors, and
 * the ideal numbers. A number above the ideal is coloured, and marked from twice the ideal on. The
 * list has all lines, with the number of their launch. */
WSIM_API void wsim_picture_lines(const struct wsim_cost_lines *lines, struct wsim_picture *picture);

#ifdef __cplusplus
}
#endif
#endif
