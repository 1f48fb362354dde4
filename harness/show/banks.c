/* Lanes by banks: the bank and pass of each lane of an access, and the banks on both sides of each
 * lane of a copy. */
#include "show.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_WORDS = 8 };

static const char *plural(unsigned n) {
    return n == 1 ? "" : "s";
}

static void put_counts(struct base_text *text, const struct wsim_cost *cost) {
    base_put(text, "wavefronts %lu   ideal %lu   conflicts %lu%s", (unsigned long)cost->wavefronts,
             (unsigned long)cost->ideal, (unsigned long)cost->conflicts,
             cost->conflicts ? "" : "   (conflict-free)");
}

/* The evidence of the counts, if they were not recorded. */
static int put_evidence(char out[WSIM_CAPTION], const char *evidence, const char *source) {
    if (!evidence || strcmp(evidence, "hardware") == 0)
        return 0;
    snprintf(out, WSIM_CAPTION, "evidence: %s (%s)", evidence, source ? source : "");
    return 1;
}

/* --- cards --- */

/* Values of panel->part. */
enum { GROUP, FIRST, LANES };

static const struct wsim_cost_group *group_of(const struct wsim_panel *p) {
    const struct wsim_bank_card *card = p->about;
    return &card->group[p->part[GROUP]];
}

static const struct wsim_cost_access *access_of(const struct wsim_panel *p) {
    const struct wsim_bank_card *card = p->about;
    return &card->access[group_of(p)->access];
}

/* The lane of a row; WSIM_LANES for the row below all. */
static unsigned lane_of(const struct wsim_panel *p, uint32_t row) {
    uint32_t lanes = group_of(p)->lanes;
    unsigned lane = 0;
    for (; lane < WSIM_LANES; lane++)
        if (lanes >> lane & 1 && row-- == 0)
            break;
    return lane;
}

static uint32_t count(uint32_t lanes) {
    uint32_t n = 0;
    for (; lanes; lanes &= lanes - 1)
        n++;
    return n;
}

static char digit(unsigned turn) {
    static const char digits[WSIM_MAX_WAYS + 2] = ".123456789abcdefghijklmnopqrstuvw";
    return turn <= WSIM_MAX_WAYS ? digits[turn] : '?';
}

/* The pass of a lane, or their number in the row below all lanes. */
static unsigned turn_of(const struct wsim_panel *p, unsigned lane, uint32_t bank) {
    uint8_t turn[WSIM_LANES];
    unsigned passes = wsim_cost_turns(access_of(p), group_of(p)->lanes, bank, turn);
    return lane < WSIM_LANES ? turn[lane] : passes;
}

static void card_cell(struct wsim_panel *p, uint32_t row, uint32_t bank, struct wsim_cell *cell) {
    unsigned lane = lane_of(p, row), turn = turn_of(p, lane, bank);
    cell->text[0] = digit(turn);
    cell->text[1] = '\0';
    cell->value = turn ? (int32_t)(turn < 4 ? turn : 3) : -1;
    cell->flags = turn == 0                       ? WSIM_CELL_EMPTY
                  : turn > 1 && lane < WSIM_LANES ? WSIM_CELL_MARKED
                                                  : 0;
}

static void card_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    unsigned lane = lane_of(p, row);
    if (lane == WSIM_LANES)
        snprintf(out, WSIM_CELL_TEXT, "ways");
    else
        snprintf(out, WSIM_CELL_TEXT, "%4u  0x%08lx", lane,
                 (unsigned long)access_of(p)->addr[lane]);
}

static void card_col(struct wsim_panel *p, uint32_t bank, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%u", (unsigned)bank);
}

static void card_title(struct wsim_panel *p, uint32_t row, uint32_t bank,
                       char out[WSIM_CELL_TEXT]) {
    unsigned lane = lane_of(p, row), turn = turn_of(p, lane, bank);
    out[0] = '\0';
    if (lane == WSIM_LANES)
        snprintf(out, WSIM_CELL_TEXT, "bank %u: %u pass%s", (unsigned)bank, turn,
                 turn == 1 ? "" : "es");
    else if (turn)
        snprintf(out, WSIM_CELL_TEXT, "lane %u at 0x%lx: bank %u, pass %u", lane,
                 (unsigned long)access_of(p)->addr[lane], (unsigned)bank, turn);
}

static void put_worst(const struct wsim_cost_group *group, int folds, char out[WSIM_CAPTION]) {
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (group->ways <= 1) {
        base_put(&text, "      no conflict: %s",
                 group->wavefronts == 1 ? "one wavefront" : "two wavefronts");
        return;
    }
    base_put(&text, "      %u wavefronts; worst is bank %u with %u %s, at", group->wavefronts,
             group->bank, group->ways, folds ? "distinct words" : "lanes, each on its own");
    for (unsigned i = 0; i < group->nwords && i < SHOWN_WORDS; i++)
        base_put(&text, " 0x%lx", 4 * (unsigned long)group->words[i]);
    if (group->nwords > SHOWN_WORDS)
        base_put(&text, " ...");
}

/* The number of groups of an access, and the first group. */
static unsigned groups_of(const struct wsim_bank_card *card, unsigned access, unsigned *first) {
    unsigned end;
    for (*first = 0; *first < card->cost.groups && card->group[*first].access < access;)
        ++*first;
    for (end = *first; end < card->cost.groups && card->group[end].access == access;)
        end++;
    return end - *first;
}

static const char merged[] = "neighbouring lanes of a wide load agree throughout";

static void put_access(const struct wsim_bank_card *card, unsigned number, char out[WSIM_CAPTION]) {
    const struct wsim_cost_access *access = &card->access[number];
    struct base_text text = {out, WSIM_CAPTION, 0};
    base_put(&text, "access %u of %u: ", number + 1, card->cost.accesses);
    if (access->rows)
        base_put(&text, "%u rows of 16 bytes, as ldmatrix", access->rows);
    else
        base_put(&text, "%u byte%s a lane", access->bytes, plural(access->bytes));
    if (access->merged)
        base_put(&text, "; groups are merged in pairs: %s", merged);
}

static void card_panel(const struct wsim_bank_card *card, uint32_t number, struct wsim_panel *p) {
    unsigned first, groups;
    struct base_text caption = {p->caption, sizeof p->caption, 0};
    p->part[GROUP] = number;
    groups = groups_of(card, group_of(p)->access, &first);
    if (card->numbered && number == first)
        put_access(card, group_of(p)->access, p->heading);
    base_put(&caption, "group %u of %u: lanes ", number - first + 1, groups);
    show_lanes(&caption, group_of(p)->lanes);
    base_put(&caption, ", by bank");
    put_worst(group_of(p), access_of(p)->folds, p->note);
    snprintf(p->corner, sizeof p->corner, "lane  address   ");
    p->glyphs = 1;
    p->hue = WSIM_HUE_TURN;
    p->values = 4;
    p->rows = count(group_of(p)->lanes) + 1;
    p->cols = WSIM_BANKS;
    p->cell = card_cell;
    p->row_head = card_row;
    p->col_head = card_col;
    p->title = card_title;
}

/* --- the groups as a list --- */

enum { LIST_GROUP, LIST_LANES, LIST_WAVEFRONTS, LIST_IDEAL, LIST_CONFLICTS, LIST_BANK, LIST_WORDS };

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct wsim_bank_card *card = p->about;
    unsigned first;
    groups_of(card, card->group[row].access, &first);
    snprintf(out, WSIM_CELL_TEXT, "%u",
             card->numbered ? card->group[row].access : (unsigned)(row - first));
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_bank_card *card = p->about;
    const struct wsim_cost_group *group = &card->group[row];
    struct base_text text = {cell->text, sizeof cell->text, 0};
    unsigned first;
    cell->value = -1;
    cell->flags = 0;
    cell->text[0] = '\0';
    switch (col + !card->numbered) {
    case LIST_GROUP:
        groups_of(card, group->access, &first);
        base_put(&text, "%u", (unsigned)(row - first));
        return;
    case LIST_LANES: base_put(&text, "0x%08lx", (unsigned long)group->lanes); return;
    case LIST_WAVEFRONTS: base_put(&text, "%u", group->wavefronts); return;
    case LIST_IDEAL: base_put(&text, "%u", group->wavefronts / group->ways); return;
    case LIST_CONFLICTS: base_put(&text, "%u", group->ways - 1u); return;
    case LIST_BANK: base_put(&text, "%u", group->bank); return;
    default:
        for (unsigned w = 0; w < group->nwords; w++)
            base_put(&text, "%s0x%lx", w ? " " : "", 4 * (unsigned long)group->words[w]);
    }
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[] = {"group",     "lanes", "wavefronts", "ideal",
                                        "conflicts", "bank",  "words"};
    const struct wsim_bank_card *card = p->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col + !card->numbered]);
}

static void list_panel(const struct wsim_bank_card *card, struct wsim_panel *p) {
    snprintf(p->corner, sizeof p->corner, "%s", card->numbered ? "access" : "group");
    p->rows = card->cost.groups;
    p->cols = card->numbered ? LIST_WORDS + 1 : LIST_WORDS;
    p->cell = list_cell;
    p->row_head = list_row;
    p->col_head = list_col;
}

static void banks_panel(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *p) {
    memset(p, 0, sizeof *p);
    p->about = picture->about;
    if (number == WSIM_PANEL_LIST)
        list_panel(picture->about, p);
    else
        card_panel(picture->about, number, p);
}

/* --- lines about it --- */

static uint32_t lanes_seen(const struct wsim_bank_card *card) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < card->cost.groups; i++)
        lanes |= card->group[i].lanes;
    return lanes;
}

static int line_above(const struct wsim_bank_card *card, uint32_t number, char out[WSIM_CAPTION]) {
    if (put_evidence(out, card->evidence, card->source) && number-- == 0)
        return SHOW_LINE;
    if (card->outside && number-- == 0) {
        snprintf(out, WSIM_CAPTION, "outside of the ISA: %s", card->outside);
        return SHOW_LINE;
    }
    if (!card->numbered && card->cost.accesses && card->access[0].merged && number == 0) {
        snprintf(out, WSIM_CAPTION, "Groups are merged in pairs: %s.", merged);
        return SHOW_LINE;
    }
    return SHOW_NO_LINE;
}

static int banks_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                      uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_bank_card *card = picture->about;
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (where == WSIM_LINES_ABOVE)
        return line_above(card, number, out);
    if (!card->numbered && lanes_seen(card) != UINT32_MAX && number-- == 0) {
        base_put(&text, "no part in it: lanes ");
        show_lanes(&text, ~lanes_seen(card));
        return SHOW_PARAGRAPH;
    }
    if (number == 0)
        put_counts(&text, &card->cost);
    return number == 0 ? SHOW_PARAGRAPH : SHOW_NO_LINE;
}

void wsim_picture_banks(const struct wsim_bank_card *card, struct wsim_picture *picture) {
    struct base_text title = {picture->title, sizeof picture->title, 0};
    memset(picture, 0, sizeof *picture);
    picture->about = card;
    picture->panels = card->cost.groups;
    picture->list = 1;
    picture->panel = banks_panel;
    picture->line = banks_line;
    base_put(&title, "%s on %s: ", card->spelling, wsim_arch_name(card->arch));
    if (card->numbered)
        base_put(&title, "%u access%s", card->cost.accesses, card->cost.accesses == 1 ? "" : "es");
    else
        base_put(&title, "%u byte%s a %s", card->access[0].bytes, plural(card->access[0].bytes),
                 card->access[0].rows ? "matrix row" : "lane");
}

/* --- copies --- */

enum { COPY_TO, COPY_TO_BANK, COPY_FROM, COPY_FROM_BANK, COPY_COST, COPY_COLUMNS };

static const struct wsim_cost_group *copied(const struct wsim_panel *p) {
    const struct wsim_copy_card *card = p->about;
    return &card->group[p->part[GROUP]];
}

static unsigned copy_lane(const struct wsim_panel *p, uint32_t row) {
    uint32_t lanes = copied(p)->lanes;
    unsigned lane = 0;
    for (; lane < WSIM_LANES; lane++)
        if (lanes >> lane & 1 && row-- == 0)
            break;
    return lane;
}

static void copy_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_copy_card *card = p->about;
    unsigned lane = copy_lane(p, row);
    unsigned long to = card->io->copy.addr[lane], from = card->io->copy.src[lane];
    int zeros = card->io->copy.src_size && card->io->copy.src_size[lane] == 0;
    int costs = copied(p)->wavefronts > 1 && (copied(p)->worst >> lane & 1);
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = costs ? WSIM_CELL_MARKED : 0;
    switch (col) {
    case COPY_TO: base_put(&text, "0x%08lx", to); return;
    case COPY_TO_BANK: base_put(&text, "%lu", to / 4 % WSIM_BANKS); return;
    case COPY_FROM: base_put(&text, zeros ? "zeros" : "0x%08lx", from); return;
    case COPY_FROM_BANK:
        if (!zeros)
            base_put(&text, "%lu", from / 4 % WSIM_BANKS);
        return;
    default: base_put(&text, "%s", costs ? "*" : "");
    }
}

static void copy_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "%u", copy_lane(p, row));
}

static void copy_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[COPY_COLUMNS] = {"to", "bank", "from", "bank", ""};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void copy_group_panel(const struct wsim_copy_card *card, uint32_t number,
                             struct wsim_panel *p) {
    struct base_text caption = {p->caption, sizeof p->caption, 0};
    p->part[GROUP] = number;
    base_put(&caption, "group %u of %u", (unsigned)number + 1, card->cost.groups);
    if (card->group[card->cost.groups - 1].batch)
        base_put(&caption, ", batch %u", copied(p)->batch + 1u);
    base_put(&caption, ": lanes ");
    show_lanes(&caption, copied(p)->lanes);
    if (copied(p)->wavefronts > 1)
        snprintf(p->note, sizeof p->note, "      %u wavefronts: one for each *",
                 copied(p)->wavefronts);
    else
        snprintf(p->note, sizeof p->note, "      no conflict: one wavefront");
    snprintf(p->corner, sizeof p->corner, "lane");
    p->rows = count(copied(p)->lanes);
    p->cols = COPY_COLUMNS;
    p->cell = copy_cell;
    p->row_head = copy_row;
    p->col_head = copy_col;
}

/* Rows of the list: groups of the hardware, unknown lanes, groups of the source page. */
enum { BATCH = 1, IS_LANES, IS_WAVEFRONTS, IS_IDEAL, IS_CONFLICTS, IS_WORST, COPY_LIST = IS_WORST };

static const struct wsim_cost_group *copy_list_group(const struct wsim_copy_card *card,
                                                     uint32_t row, int *page) {
    uint32_t hardware = card->cost.groups + (card->unknown != 0);
    *page = row >= hardware;
    return *page                     ? &card->page_group[row - hardware]
           : row < card->cost.groups ? &card->group[row]
                                     : NULL;
}

static void copy_list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    int page;
    copy_list_group(p->about, row, &page);
    snprintf(out, WSIM_CELL_TEXT, "%s", page ? "source page" : "hardware");
}

static void copy_list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[] = {"group", "batch",     "lanes", "wavefronts",
                                        "ideal", "conflicts", "worst"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void copy_list_cell(struct wsim_panel *p, uint32_t row, uint32_t col,
                           struct wsim_cell *cell) {
    const struct wsim_copy_card *card = p->about;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    int page;
    const struct wsim_cost_group *group = copy_list_group(card, row, &page);
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = 0;
    if (!group) {
        if (col == IS_LANES)
            base_put(&text, "0x%08lx", (unsigned long)card->unknown);
        return;
    }
    switch (col) {
    case GROUP:
        base_put(&text, "%u", (unsigned)(group - (page ? card->page_group : card->group)));
        return;
    case BATCH: base_put(&text, "%u", group->batch); return;
    case IS_LANES: base_put(&text, "0x%08lx", (unsigned long)group->lanes); return;
    case IS_WAVEFRONTS: base_put(&text, "%u", group->wavefronts); return;
    case IS_IDEAL: base_put(&text, "1"); return;
    case IS_CONFLICTS: base_put(&text, "%u", group->wavefronts - 1u); return;
    default: base_put(&text, "0x%08lx", (unsigned long)group->worst);
    }
}

static void copy_list_panel(const struct wsim_copy_card *card, struct wsim_panel *p) {
    snprintf(p->corner, sizeof p->corner, "counters");
    p->rows =
        card->cost.groups + (card->unknown != 0) + (card->page_group ? card->page.groups : 0u);
    p->cols = COPY_LIST + 1;
    p->cell = copy_list_cell;
    p->row_head = copy_list_row;
    p->col_head = copy_list_col;
}

static void copy_panel(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *p) {
    memset(p, 0, sizeof *p);
    p->about = picture->about;
    if (number == WSIM_PANEL_LIST)
        copy_list_panel(picture->about, p);
    else
        copy_group_panel(picture->about, number, p);
}

static int unknown_line(const struct wsim_copy_card *card, uint32_t number,
                        char out[WSIM_CAPTION]) {
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (number == 0) {
        base_put(&text, "cost unknown: lanes ");
        show_lanes(&text, card->unknown);
        return SHOW_PARAGRAPH;
    }
    if (number == 1)
        base_put(&text, "  hardware counters show nothing of them, instrumentation follows no "
                        "known rule");
    else
        base_put(
            &text,
            "  for comparison: a %s of these lanes takes %lu wavefronts, %lu of them conflicts",
            card->store, (unsigned long)card->store_cost.wavefronts,
            (unsigned long)card->store_cost.conflicts);
    return SHOW_LINE;
}

static int cost_line(const struct wsim_copy_card *card, uint32_t number, char out[WSIM_CAPTION]) {
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (number == 0) {
        if (card->unknown && card->cost.groups)
            base_put(&text, "of the other lanes: ");
        if (!card->unknown || card->cost.groups)
            put_counts(&text, &card->cost);
        else
            base_put(&text, "wavefronts unknown");
        return SHOW_PARAGRAPH;
    }
    if (number > 1)
        return SHOW_NO_LINE;
    base_put(&text, "source page: ");
    if (card->page_group)
        put_counts(&text, &card->page);
    else
        base_put(&text, "not modelled");
    return SHOW_LINE;
}

static int copy_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                     uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_copy_card *card = picture->about;
    struct base_text text = {out, WSIM_CAPTION, 0};
    uint32_t unknown = card->unknown ? 2u + (card->store != NULL) : 0;
    if (where == WSIM_LINES_ABOVE)
        return put_evidence(out, card->evidence, card->source) && number == 0;
    if (card->io->copy.mask != UINT32_MAX && number-- == 0) {
        base_put(&text, "no part in it: lanes ");
        show_lanes(&text, ~card->io->copy.mask);
        return SHOW_PARAGRAPH;
    }
    return number < unknown ? unknown_line(card, number, out)
                            : cost_line(card, number - unknown, out);
}

void wsim_picture_copy(const struct wsim_copy_card *card, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    picture->about = card;
    picture->panels = card->cost.groups;
    picture->list = 1;
    picture->panel = copy_panel;
    picture->line = copy_line;
    snprintf(picture->title, sizeof picture->title, "%s on %s: %u bytes a lane, %s lines",
             card->spelling, wsim_arch_name(card->arch), (unsigned)card->io->copy.bytes,
             card->io->copy.warm ? "warm" : "cold");
}
