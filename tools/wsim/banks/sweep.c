/* wsim banks of a sweep: the counts of each step, and their sums. A page also has the passes
 * through each bank, and a card for each step. */
#include "banks.h"
#include "../common/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CARDS = 32 };

struct step {
    uint32_t wavefronts, ideal, conflicts;
    uint32_t passes[WSIM_BANKS]; /* through each bank, by accesses */
};

struct sweep {
    const struct wsim_op *op;
    const struct banks_options *options;
    struct wsim_address_sweep *let;
    struct step *step;      /* let->steps of them, then their sum */
    struct banks_run *card; /* of the first steps; with only one the run of the last step */
    uint32_t cards;
    int is_known;
};

/* Error messages of a step begin with the values of its names. */
static void name_step(const struct wsim_address_sweep *let) {
    char text[512] = "with";
    size_t n = strlen(text);
    for (unsigned i = 0; i < let->names && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s=%lld", let->name[i].text,
                              (long long)let->name[i].value);
    if (n < sizeof text)
        snprintf(text + n, sizeof text - n, ": ");
    tool_subject(text);
}

static void count_passes(const struct access_run *run, uint32_t passes[WSIM_BANKS]) {
    uint8_t turn[WSIM_LANES];
    for (unsigned i = 0; i < run->cost.groups; i++)
        for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
            passes[bank] += wsim_cost_turns(&run->access[run->group[i].access], run->group[i].lanes,
                                            bank, turn);
}

static void count_step(struct sweep *sweep, uint32_t number) {
    struct step *step = &sweep->step[number], *sum = &sweep->step[sweep->let->steps];
    struct banks_run *run = &sweep->card[number < sweep->cards ? number : sweep->cards];
    wsim_address_sweep_step(sweep->let, number);
    name_step(sweep->let);
    banks_count(sweep->op, sweep->options, run);
    tool_subject("");
    sweep->is_known &= run->is_known;
    *step = (struct step){run->cost.wavefronts, run->cost.ideal, run->cost.conflicts, {0}};
    if (run->counting != WSIM_COUNT_COPY)
        count_passes(&run->access, step->passes);
    sum->wavefronts += step->wavefronts;
    sum->ideal += step->ideal;
    sum->conflicts += step->conflicts;
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
        sum->passes[bank] += step->passes[bank];
}

/* --- the answer --- */

static int is_swept(const struct wsim_address_sweep *let, unsigned name) {
    return let->range[name].count > 1;
}

/* "k = 3, j = 0": the values of the names that are swept. */
enum { STEP_TEXT = 256 };
static void word_step(struct wsim_address_sweep *let, uint32_t step, char out[STEP_TEXT]) {
    size_t used = 0;
    wsim_address_sweep_step(let, step);
    for (unsigned i = 0; i < let->names && used < STEP_TEXT; i++)
        if (is_swept(let, i))
            used += (size_t)snprintf(out + used, STEP_TEXT - used, "%s%s = %" PRId64,
                                     used ? ", " : "", let->name[i].text, let->name[i].value);
}

/* Names with one value are no column of text. */
static void state_table(struct doc *doc, struct sweep *sweep) {
    static const char *const counts[] = {"wavefronts", "ideal", "conflicts"};
    struct wsim_address_sweep *let = sweep->let;
    doc_table(doc, NULL, NULL);
    for (unsigned i = 0; i < let->names; i++)
        doc_column(doc, is_swept(let, i) ? 0 : DOC_HIDDEN, let->name[i].text, "%s",
                   let->name[i].text);
    for (unsigned i = 0; i < 3; i++)
        doc_column(doc, 0, counts[i], "%s", counts[i]);
    for (uint32_t number = 0; number < let->steps; number++) {
        const struct step *step = &sweep->step[number];
        wsim_address_sweep_step(let, number);
        doc_row(doc);
        for (unsigned i = 0; i < let->names; i++)
            doc_number(doc, let->name[i].value);
        doc_number(doc, step->wavefronts);
        doc_number(doc, step->ideal);
        doc_number(doc, step->conflicts);
    }
    doc_leave(doc);
}

static void state_json(struct doc *doc, struct sweep *sweep) {
    const struct step *sum = &sweep->step[sweep->let->steps];
    struct wsim_address_sweep *let = sweep->let;
    doc_pack(doc, "{s:s, s:s, s:s}", "schema", "wsim.banks.sweep", "spelling",
             sweep->card->spelling, "arch", wsim_arch_name(sweep->card->arch));
    banks_state_cost(doc, sum->wavefronts, sum->ideal, sum->conflicts);
    doc_set(doc, "known", json_boolean(sweep->is_known));
    doc_list(doc, "steps");
    for (uint32_t number = 0; number < let->steps; number++) {
        const struct step *step = &sweep->step[number];
        wsim_address_sweep_step(let, number);
        doc_enter(doc, NULL);
        doc_enter(doc, "let");
        for (unsigned i = 0; i < let->names; i++)
            doc_set(doc, let->name[i].text, json_integer(let->name[i].value));
        doc_leave(doc);
        banks_state_cost(doc, step->wavefronts, step->ideal, step->conflicts);
        doc_leave(doc);
    }
    doc_leave(doc);
}

/* Passes through each bank: marked from twice the ideal on. */
static void state_passes(struct doc *doc, struct sweep *sweep) {
    doc_table(doc, NULL, NULL);
    doc_heading(doc, "Passes through each bank");
    doc_caption(doc, "The last row is their sum; from twice the ideal on they are marked");
    doc_panel(doc)->hue = WSIM_HUE_TURN;
    doc_panel(doc)->values = 4;
    doc_column(doc, DOC_KEEP, NULL, "bank");
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
        doc_column(doc, DOC_KEEP, NULL, "%u", bank);
    for (uint32_t number = 0; number <= sweep->let->steps; number++) {
        const struct step *step = &sweep->step[number];
        char words[STEP_TEXT] = "sum";
        if (number < sweep->let->steps)
            word_step(sweep->let, number, words);
        doc_row(doc);
        doc_word(doc, words);
        for (unsigned bank = 0; bank < WSIM_BANKS; bank++) {
            const uint32_t passes = step->passes[bank];
            const int hue = passes <= step->ideal ? 1 : passes < 2 * step->ideal ? 2 : 3;
            if (passes)
                doc_number(doc, passes);
            else
                doc_word(doc, ".");
            doc_shade(doc, passes ? hue : -1,
                      !passes    ? WSIM_CELL_EMPTY
                      : hue == 3 ? WSIM_CELL_MARKED
                                 : 0);
        }
    }
    doc_leave(doc);
}

static void state_card(struct doc *doc, struct sweep *sweep, uint32_t number) {
    const struct step *step = &sweep->step[number];
    struct wsim_picture picture;
    char words[STEP_TEXT];
    banks_picture(&sweep->card[number], &picture);
    word_step(sweep->let, number, words);
    for (uint32_t i = 0; i < picture.panels; i++) {
        struct wsim_panel panel;
        picture.panel(&picture, i, &panel);
        doc_add_panel(doc, &panel);
        if (i == 0)
            doc_heading(doc, "%s: wavefronts %lu, ideal %lu, conflicts %lu", words,
                        (unsigned long)step->wavefronts, (unsigned long)step->ideal,
                        (unsigned long)step->conflicts);
    }
}

static void state_sum(struct doc *doc, const struct sweep *sweep) {
    const struct step *sum = &sweep->step[sweep->let->steps];
    doc_line(doc, "total: %lu wavefronts, ideal %lu, conflicts %lu", (unsigned long)sum->wavefronts,
             (unsigned long)sum->ideal, (unsigned long)sum->conflicts);
    if (!sweep->is_known)
        doc_line(doc, "without copies of unknown cost");
}

static void state(struct doc *doc, struct sweep *sweep) {
    const struct wsim_address_sweep *let = sweep->let;
    doc_line(doc, "%s on %s: %lu steps", sweep->card->spelling, wsim_arch_name(sweep->card->arch),
             (unsigned long)let->steps);
    for (unsigned i = 0; i < let->names; i++)
        if (!is_swept(let, i))
            doc_line(doc, "  %s = %" PRId64, let->name[i].text, let->range[i].first);
    doc_gap(doc);
    doc_only(doc, DOC_PAGES);
    state_sum(doc, sweep);
    doc_only(doc, 0);
    state_table(doc, sweep);
    state_json(doc, sweep);
    doc_only(doc, TOOL_TEXT);
    doc_gap(doc);
    state_sum(doc, sweep);
    doc_only(doc, DOC_PAGES);
    if (doc_is(doc, DOC_PAGES) && sweep->card->counting != WSIM_COUNT_COPY)
        state_passes(doc, sweep);
    for (uint32_t number = 0; number < sweep->cards; number++)
        state_card(doc, sweep, number);
    if (sweep->cards < let->steps)
        doc_line(doc, "the first %lu steps have cards here, of %lu", (unsigned long)sweep->cards,
                 (unsigned long)let->steps);
}

int sweep_answer(struct doc *doc, const struct wsim_op *op, const struct banks_options *options,
                 struct wsim_address_sweep *let) {
    struct sweep sweep = {.op = op, .options = options, .let = let, .is_known = 1};
    int status;
    if (doc_is(doc, DOC_PAGES))
        sweep.cards = let->steps < CARDS ? let->steps : CARDS;
    sweep.step = memory_make(let->steps + 1u, sizeof *sweep.step);
    sweep.card = memory_make(sweep.cards + 1u, sizeof *sweep.card);
    for (uint32_t i = 0; i < let->steps; i++)
        count_step(&sweep, i);
    state(doc, &sweep);
    status =
        banks_close(doc, options, TOOL_FINE, sweep.step[let->steps].conflicts != 0, sweep.is_known);
    free(sweep.step);
    free(sweep.card);
    return status;
}
