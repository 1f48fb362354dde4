/* Operands of tcgen05.mma in tensor memory: which element each word holds. */
#include "show.h"

#include <stdio.h>
#include <string.h>

enum { QUARTERS = 4, QUARTER = WSIM_TENSOR_LANES / QUARTERS, BLOCK = 0 };

/* Calls for every place of every element: number 0, 1 ... in order of rows. */
static int place_of(const struct wsim_tensor_card *card, uint32_t number, uint32_t *row,
                    uint32_t *col, struct wsim_umma_place *place) {
    const uint32_t element = number / card->copies;
    *row = element / card->cols;
    *col = element % card->cols;
    if (card->copy)
        return wsim_tensor_copied_at(card->copy, *row, *col, number % card->copies, place);
    return wsim_umma_place_at(card->code, card->operand, *row, *col, number % card->copies, place);
}

static const char *name_of(const struct wsim_tensor_card *card) {
    return card->copy ? "source" : wsim_operand_name(card->operand);
}

static uint32_t places(const struct wsim_tensor_card *card) {
    return card->rows * card->cols * card->copies;
}

/* The part of tensor memory that all places are in. */
static void measure(struct wsim_tensor_card *card) {
    struct wsim_umma_place place;
    uint32_t row, col;
    for (uint32_t i = 0; i < places(card); i++)
        if (place_of(card, i, &row, &col, &place)) {
            card->columns = place.column >= card->columns ? place.column + 1u : card->columns;
            card->blocks = place.block >= card->blocks ? place.block + 1u : card->blocks;
        }
}

enum wsim_status wsim_tensor_card_open(const struct wsim_code *code, enum wsim_operand operand,
                                       uint32_t rows, uint32_t cols, struct wsim_tensor_card *card,
                                       struct wsim_diag *diag) {
    struct wsim_umma_place place;
    *card = (struct wsim_tensor_card){.code = code,
                                      .operand = operand,
                                      .rows = rows,
                                      .cols = cols,
                                      .row = -1,
                                      .col = -1,
                                      .lane = -1};
    while (wsim_umma_place_at(code, operand, 0, 0, card->copies, &place))
        card->copies++;
    if (!card->copies)
        return base_refuse(diag, RULE_OP_OPERAND_NONE, 0,
                           "the instruction has no operand %s in tensor memory",
                           wsim_operand_name(operand));
    measure(card);
    return WSIM_OK;
}

enum wsim_status wsim_tensor_card_copy(const struct wsim_scalar *copy,
                                       struct wsim_tensor_card *card, struct wsim_diag *diag) {
    static const char name[] = "tcgen05.cp.";
    struct wsim_umma_place place;
    char spelling[WSIM_SPELLING_MAX];
    *card = (struct wsim_tensor_card){.copy = copy, .row = -1, .col = -1, .lane = -1};
    while (wsim_tensor_copied_at(copy, card->rows, 0, 0, &place))
        card->rows++;
    while (wsim_tensor_copied_at(copy, 0, card->cols, 0, &place))
        card->cols++;
    while (wsim_tensor_copied_at(copy, 0, 0, card->copies, &place))
        card->copies++;
    measure(card);
    if (card->rows)
        return WSIM_OK;
    wsim_scalar_spell(copy, spelling, sizeof spelling);
    if (strncmp(spelling, name, sizeof name - 1) == 0)
        return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0,
                           "%s: no source says where the bits of unpacked elements go", spelling);
    return base_refuse(diag, RULE_OP_OPERAND_NONE, 0, "%s copies nothing into tensor memory",
                       spelling);
}

static struct wsim_tensor_word *word_of(const struct wsim_tensor_card *card, uint32_t block,
                                        uint32_t lane, uint32_t column) {
    return &card->word[((size_t)block * WSIM_TENSOR_LANES + lane) * card->columns + column];
}

void wsim_tensor_card_fill(struct wsim_tensor_card *card, struct wsim_tensor_word *word) {
    struct wsim_umma_place place;
    uint32_t row, col;
    card->word = word;
    memset(word, 0, (size_t)card->blocks * WSIM_TENSOR_LANES * card->columns * sizeof *word);
    for (uint32_t i = 0; i < places(card); i++) {
        struct wsim_tensor_word *to;
        if (!place_of(card, i, &row, &col, &place))
            continue;
        to = word_of(card, place.block, place.lane, place.column);
        for (unsigned end = to->used != 0; end < 2; end++) {
            to->row[end] = (uint16_t)row;
            to->col[end] = (uint16_t)col;
        }
        to->used = 1;
    }
}

static int is_asked(const struct wsim_tensor_card *card, const struct wsim_tensor_word *word,
                    uint32_t lane) {
    if (card->row < 0 && card->col < 0 && card->lane < 0)
        return 0;
    return (card->row < 0 || word->row[0] == card->row || word->row[1] == card->row) &&
           (card->col < 0 || (word->col[0] <= card->col && card->col <= word->col[1])) &&
           (card->lane < 0 || (uint32_t)card->lane == lane);
}

static void word_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_tensor_card *card = p->about;
    const struct wsim_tensor_word *word = word_of(card, p->part[BLOCK], row, col);
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = word->used ? (int32_t)(row / QUARTER) : -1;
    cell->flags = !word->used ? WSIM_CELL_EMPTY : is_asked(card, word, row) ? WSIM_CELL_MARKED : 0;
    if (!word->used)
        return;
    base_put(&text, "%u,%u", word->row[0], word->col[0]);
    if (word->row[1] != word->row[0])
        base_put(&text, "..%u,%u", word->row[1], word->col[1]);
    else if (word->col[1] != word->col[0])
        base_put(&text, "-%u", word->col[1]);
}

static void word_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(row, out);
}

static void word_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct wsim_tensor_card *card = p->about;
    const struct wsim_tensor_word *word = word_of(card, p->part[BLOCK], row, col);
    if (word->used)
        snprintf(out, WSIM_CELL_TEXT,
                 "lane %u, column %u: row %u, column %u of %s; warps 4n + %u load it",
                 (unsigned)row, (unsigned)col, word->row[0], word->col[0], name_of(card),
                 (unsigned)(row / QUARTER));
    else
        snprintf(out, WSIM_CELL_TEXT, "lane %u, column %u: nothing of %s", (unsigned)row,
                 (unsigned)col, name_of(card));
}

/* --- the list --- */

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct wsim_tensor_card *card = p->about;
    (void)row;
    snprintf(out, WSIM_CELL_TEXT, "%s", name_of(card));
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[] = {"row", "col", "block", "lane", "column", "bit", "bits"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    struct wsim_umma_place at = {0};
    uint32_t r, c;
    (void)place_of(p->about, row, &r, &c, &at);
    {
        const uint32_t values[] = {r, c, at.block, at.lane, at.column, at.bit, at.bits};
        show_decimal(values[col], cell->text);
    }
    cell->value = -1;
    cell->flags = 0;
}

/* --- the whole --- */

static void tensor_panel(const struct wsim_picture *picture, uint32_t number,
                         struct wsim_panel *p) {
    const struct wsim_tensor_card *card = picture->about;
    memset(p, 0, sizeof *p);
    p->about = card;
    if (number == WSIM_PANEL_LIST) {
        snprintf(p->corner, sizeof p->corner, "operand");
        p->rows = places(card);
        p->cols = 7;
        p->cell = list_cell;
        p->row_head = list_row;
        p->col_head = list_col;
        return;
    }
    p->part[BLOCK] = number;
    if (card->blocks > 1)
        snprintf(p->heading, sizeof p->heading, "%s block of the pair", number ? "odd" : "even");
    snprintf(p->caption, sizeof p->caption,
             "lanes by columns of tensor memory, from the address of %s on: row,%s of %s; "
             "colours are the quarters of 32 lanes, and warp w of a block loads and stores those "
             "of quarter w mod 4",
             card->copy ? "the copy" : name_of(card), card->copy ? "word" : "column",
             card->copy ? "its source" : name_of(card));
    snprintf(p->corner, sizeof p->corner, "lane");
    p->hue = WSIM_HUE_GROUP;
    p->values = QUARTERS;
    p->rows = WSIM_TENSOR_LANES;
    p->cols = card->columns;
    p->cell = word_cell;
    p->row_head = word_row;
    p->col_head = word_row;
    p->title = word_title;
}

void wsim_picture_tensor(const struct wsim_tensor_card *card, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    snprintf(picture->title, sizeof picture->title, "%s", card->title ? card->title : "");
    picture->about = card;
    picture->panels = card->blocks;
    picture->list = 1;
    picture->panel = tensor_panel;
}
