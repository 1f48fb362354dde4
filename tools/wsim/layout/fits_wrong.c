/* Wanted elements against those that a move brings; see fits.h. */
#include "fits.h"

enum { MATRICES = 4 };

/* Both layouts, and the first element of the tile that each matrix of the move should fill. */
struct pair {
    const struct fits_wrong *wrong;
    struct wsim_layout move, operand;
    struct wsim_coord first[MATRICES];
};

/* Where an element of the operand is in a matrix of the move: `at` bits into a row. 0: in no one
 * row. */
static int find_source(const struct pair *p, unsigned lane, unsigned element,
                       struct wsim_coord *from, unsigned *at) {
    const unsigned wide = p->move.elem_bits, narrow = p->operand.elem_bits;
    const unsigned bit = element * narrow;
    *from = wsim_layout_coord(&p->move, lane, bit / wide);
    *at = from->col * wide + bit % wide;
    return narrow <= wide && *at % narrow == 0 && from->batch < MATRICES;
}

static void find_tiles(struct pair *p, unsigned elements) {
    for (unsigned i = 0; i < MATRICES; i++)
        p->first[i] = (struct wsim_coord){0, UINT16_MAX, UINT16_MAX};
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned element = 0; element < elements; element++) {
            const struct wsim_coord to = wsim_layout_coord(&p->operand, lane, element);
            struct wsim_coord from, *first;
            unsigned at;
            if (!find_source(p, lane, element, &from, &at))
                continue;
            first = &p->first[from.batch];
            first->row = to.row < first->row ? to.row : first->row;
            first->col = to.col < first->col ? to.col : first->col;
        }
}

/* The element of the operand that the move brings if the rows of each matrix are those of its
 * tile. */
static int find_brought(const struct pair *p, unsigned lane, unsigned element,
                        struct wsim_coord *out) {
    struct wsim_coord from;
    unsigned at, along, across;
    if (!find_source(p, lane, element, &from, &at))
        return 0;
    along = at / p->operand.elem_bits;
    across = from.row;
    *out = p->first[from.batch];
    out->row = (uint16_t)(out->row + (p->wrong->by_columns ? along : across));
    out->col = (uint16_t)(out->col + (p->wrong->by_columns ? across : along));
    return 1;
}

static void add_cell(struct doc *doc, const struct pair *p, unsigned lane, unsigned element) {
    const struct wsim_coord wants = wsim_layout_coord(&p->operand, lane, element);
    struct wsim_coord brings;
    enum { OTHER = 3 }; /* a value of the hue that stands out */
    if (!find_brought(p, lane, element, &brings)) {
        doc_cell(doc, NULL, "%u,%u in parts", wants.row, wants.col);
        doc_shade(doc, OTHER, 0);
    } else if (brings.row != wants.row || brings.col != wants.col) {
        doc_cell(doc, NULL, "%u,%u not %u,%u", wants.row, wants.col, brings.row, brings.col);
        doc_shade(doc, OTHER, 0);
    } else {
        doc_cell(doc, NULL, "%u,%u", wants.row, wants.col);
    }
}

void fits_draw_wrong(struct doc *doc, const struct fits_wrong *wrong) {
    struct pair p = {.wrong = wrong};
    const int stores = wsim_op_describe(wrong->move).operands >> WSIM_R & 1;
    unsigned each, elements;
    if (!wrong->fit->comparable || wrong->fit->fragments > 1 ||
        wsim_op_layout(wrong->move, NULL, stores ? WSIM_R : WSIM_D, &p.move, NULL) ||
        wsim_op_layout(wrong->op, NULL, wrong->operand, &p.operand, NULL) ||
        p.operand.elem_bits > 32)
        return;
    each = 32u / p.operand.elem_bits;
    elements = p.move.regs * each < p.operand.elems ? p.move.regs * each : p.operand.elems;
    find_tiles(&p, elements);
    doc_table(doc, NULL, NULL);
    doc_heading(doc, "Wanted, and brought where it differs");
    doc_caption(doc,
                "Row and column of the element that operand %s wants in each register; 'not' names "
                "the element that the move brings",
                wsim_operand_name(wrong->operand));
    doc_panel(doc)->hue = WSIM_HUE_TURN;
    doc_panel(doc)->values = 4;
    doc_column(doc, 0, NULL, "lane");
    for (unsigned element = 0; element < elements; element++)
        doc_column(doc, 0, NULL, "%s%u.%u", wsim_operand_name(wrong->operand), element / each,
                   element % each);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", lane);
        for (unsigned element = 0; element < elements; element++)
            add_cell(doc, &p, lane, element);
    }
    doc_leave(doc);
}
