/* Missing commits, waits and fences; see rules.h. The order is that of the text, whatever the
 * branches are. */
#include "rules.h"

#include <string.h>

struct order {
    const struct lint_text *text;
    const struct lint_instructions *all;
    struct lint_findings *findings;
};

/* Adds a finding at instruction `index`. `format` takes its spelling and `missing`. */
static void order_find(const struct order *order, enum lint_rule rule, size_t index,
                       const char *format, const char *missing) {
    const struct lint_span spelling = order->all->all[index].spelling;
    const struct lint_piece name = lint_piece_of(order->text->bytes, spelling);
    lint_find(order->findings, rule, order->text->from[spelling.at], missing, format, name.text,
              missing);
}

/* `begins` starts something that `ends` completes, and `before` needs it complete. */
static const struct {
    uint32_t begins, ends, before;
    enum lint_rule rule;
    const char *format, *missing;
} orders[] = {
    {EFFECT_COPY, EFFECT_COPY_COMMIT | EFFECT_COPY_ALL, EFFECT_COPY_WAIT, LINT_COMMIT,
     "'%s' does not wait for the copy before it, which is in no group: insert %s",
     "cp.async.commit_group"},
    {EFFECT_BULK, EFFECT_BULK_COMMIT, EFFECT_BULK_WAIT, LINT_COMMIT,
     "'%s' does not wait for the copy before it, which is in no group: insert %s",
     "cp.async.bulk.commit_group"},
    {EFFECT_MMA, EFFECT_MMA_COMMIT, EFFECT_MMA_WAIT, LINT_COMMIT,
     "'%s' does not wait for the product before it, which is in no group: insert %s",
     "wgmma.commit_group.sync.aligned"},
    {EFFECT_COPY, EFFECT_COPY_WAIT, EFFECT_SHARED_READ, LINT_WAIT,
     "'%s' reads shared memory while a copy before it may be incomplete: insert %s, and a barrier "
     "if other threads copy",
     "cp.async.wait_group 0"},
    {EFFECT_SHARED_WRITE, EFFECT_PROXY, EFFECT_ASYNC_READ, LINT_PROXY,
     "'%s' may not see the store before it: insert %s", "fence.proxy.async.shared::cta"},
    {EFFECT_INIT, EFFECT_INIT_FENCE, EFFECT_ASYNC_BARRIER, LINT_INIT,
     "'%s' may not see the mbarrier.init before it: insert %s, or fence.proxy.async",
     "fence.mbarrier_init.release.cluster"},
};

static void check_pairs(const struct order *order) {
    for (unsigned k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        int open = 0;
        for (size_t i = 0; i < order->all->n; i++) {
            const uint32_t does = order->all->all[i].effects;
            if (open && does & orders[k].before && !(does & orders[k].ends))
                order_find(order, orders[k].rule, i, orders[k].format, orders[k].missing);
            open = does & orders[k].ends ? 0 : does & orders[k].begins ? 1 : open;
        }
    }
}

/* --- registers of wgmma --- */

#define LOOK_BACK 256 /* instructions */

/* The next name in a list of registers from *at on; 0 at the end. */
static int next_name(const struct lint_text *text, struct lint_span in, size_t *at,
                     struct lint_span *name) {
    static const char ends[] = " \t\r\n{},[]+-;|";
    const size_t end = in.at + in.n;
    while (*at < end && strchr(ends, text->bytes[*at]))
        ++*at;
    name->at = *at;
    while (*at < end && !strchr(ends, text->bytes[*at]))
        ++*at;
    name->n = *at - name->at;
    return name->n != 0;
}

/* Whether two lists have a register in common. Ignores lists longer than any of PTX. */
static int lists_share(const struct lint_text *text, struct lint_span a, struct lint_span b) {
    enum { MOST = 1 << 13 };
    struct lint_span name;
    if (a.n > MOST || b.n > MOST)
        return 0;
    for (size_t at = a.at; next_name(text, a, &at, &name);)
        if (lint_names(text, b, name))
            return 1;
    return 0;
}

/* Whether the list has a register of D, or of A, of product `mma`. */
static int list_touches(const struct order *order, const struct lint_instruction *mma,
                        struct lint_span list, int also_a) {
    const struct lint_span a = lint_operand_at(order->text, mma, 1);
    if (lists_share(order->text, list, lint_operand_at(order->text, mma, 0)))
        return 1;
    return also_a && a.n && order->text->bytes[a.at] == '{' && lists_share(order->text, list, a);
}

static void check_products(const struct order *order) {
    const struct lint_instruction *all = order->all->all;
    size_t written = 0, product = 0; /* from 1: the last write to a register, the last product */
    for (size_t i = 0; i < order->all->n; i++) {
        const uint32_t does = all[i].effects;
        if (does & EFFECT_MMA_FENCE)
            written = 0;
        if (does & EFFECT_MMA_WAIT)
            product = 0;
        if (does & EFFECT_MMA) {
            for (size_t w = written; w-- && written - w <= LOOK_BACK;) {
                if (all[w].effects & EFFECT_MMA_FENCE)
                    break;
                if (all[w].known && all[w].results && !(all[w].effects & EFFECT_MMA) &&
                    list_touches(order, &all[i], lint_operand_at(order->text, &all[w], 0), 1)) {
                    order_find(order, LINT_WGMMA_FENCE, i,
                               "an instruction before '%s' writes one of its registers: insert %s",
                               "wgmma.fence.sync.aligned");
                    break;
                }
            }
            product = i + 1;
        } else if (product && list_touches(order, &all[product - 1], all[i].operands, 0)) {
            order_find(order, LINT_WAIT, i,
                       "'%s' uses a register of a product that may be incomplete: insert %s",
                       "wgmma.wait_group.sync.aligned 0");
            product = 0;
        }
        if (all[i].known && all[i].results && !(does & EFFECT_MMA))
            written = i + 1;
    }
}

/* A try_wait or test_wait without a use of its predicate. */
static void check_tests(const struct order *order) {
    for (size_t i = 0; i < order->all->n; i++) {
        const struct lint_instruction *test = &order->all->all[i];
        const struct lint_span answer = lint_operand_at(order->text, test, 0);
        const size_t end = test->operands.at + test->operands.n;
        const struct lint_span rest = {end, order->text->n - end};
        if (!(test->effects & EFFECT_TEST) || !answer.n || order->text->bytes[answer.at] == '%')
            continue;
        /* The use can be at the beginning of a loop: any guard may be it. */
        if (!lint_names(order->text, rest, answer) && !strchr(order->text->bytes, '@'))
            lint_find(order->findings, LINT_TESTED, order->text->from[test->spelling.at], NULL,
                      "the predicate of '%s' is unused: it can be false, with the phase incomplete",
                      lint_piece_of(order->text->bytes, test->spelling).text);
    }
}

void lint_check_order(const struct lint_text *text, const struct lint_instructions *instructions,
                      struct lint_findings *findings) {
    const struct order order = {text, instructions, findings};
    check_pairs(&order);
    check_products(&order);
    check_tests(&order);
}
