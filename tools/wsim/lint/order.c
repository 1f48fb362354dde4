/* Commits, waits and fences; see rules.h. Instructions are looked at in the order in which they are
 * written; a statement that jumps about is looked at as if it did not. */
#include "rules.h"

#include <string.h>

struct order {
    const struct lint_text *text;
    const struct lint_instructions *all;
    struct findings *findings;
};

static void say(const struct order *order, enum lint_rule rule, size_t index, const char *format,
                const char *other) {
    const struct lint_span *spelling = &order->all->all[index].spelling;
    char name[160];
    size_t n = spelling->n < sizeof name ? spelling->n : sizeof name - 1;
    memcpy(name, order->text->bytes + spelling->at, n);
    name[n] = '\0';
    finding_add(order->findings, rule, order->text->from[spelling->at], format, name, other);
}

/* A pair of instructions: the first begins something, the second ends it; a third must not come
 * between them. */
static const struct {
    uint32_t begins, ends, before;
    enum lint_rule rule;
    const char *format, *other;
} orders[] = {
    {EFFECT_COPY, EFFECT_COPY_COMMIT | EFFECT_COPY_ALL, EFFECT_COPY_WAIT, LINT_COMMIT,
     "'%s' does not wait for the copy before it, which is in no group: put %s between them",
     "cp.async.commit_group"},
    {EFFECT_BULK, EFFECT_BULK_COMMIT, EFFECT_BULK_WAIT, LINT_COMMIT,
     "'%s' does not wait for the copy before it, which is in no group: put %s between them",
     "cp.async.bulk.commit_group"},
    {EFFECT_MMA, EFFECT_MMA_COMMIT, EFFECT_MMA_WAIT, LINT_COMMIT,
     "'%s' does not wait for the product before it, which is in no group: put %s between them",
     "wgmma.commit_group.sync.aligned"},
    {EFFECT_COPY, EFFECT_COPY_WAIT, EFFECT_SHARED_READ, LINT_WAIT,
     "'%s' may come before the copy has: put %s between them",
     "cp.async.wait_group 0 (and a barrier, if other threads copied)"},
    {EFFECT_SHARED_WRITE, EFFECT_PROXY, EFFECT_ASYNC_READ, LINT_PROXY,
     "'%s' may not see what was stored before it: put %s between them",
     "fence.proxy.async.shared::cta"},
    {EFFECT_INIT, EFFECT_INIT_FENCE, EFFECT_ASYNC_BARRIER, LINT_INIT,
     "'%s' may not see the mbarrier that was made before it: put %s between them",
     "fence.mbarrier_init.release.cluster or fence.proxy.async"},
};

static void look_between(const struct order *order) {
    for (unsigned k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        int open = 0;
        for (size_t i = 0; i < order->all->n; i++) {
            const uint32_t does = order->all->all[i].effects;
            if (open && does & orders[k].before && !(does & orders[k].ends))
                say(order, orders[k].rule, i, orders[k].format, orders[k].other);
            open = does & orders[k].ends ? 0 : does & orders[k].begins ? 1 : open;
        }
    }
}

/* --- registers of wgmma --- */

#define LOOK_BACK 256 /* instructions */

/* The next name of a list of registers, from *at on; 0: there is none. */
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

/* Whether a register of one list stands in the other; lists that are longer than any that PTX has
 * are not looked at. */
static int share(const struct lint_text *text, struct lint_span a, struct lint_span b) {
    enum { MOST = 1 << 13 };
    struct lint_span name;
    if (a.n > MOST || b.n > MOST)
        return 0;
    for (size_t at = a.at; next_name(text, a, &at, &name);)
        if (instruction_names(text, b, name))
            return 1;
    return 0;
}

/* The registers of D, or of A, of product `mma`. */
static int touches(const struct order *order, const struct lint_instruction *mma,
                   struct lint_span list, int also_a) {
    const struct lint_span a = instruction_operand(order->text, mma, 1);
    if (share(order->text, list, instruction_operand(order->text, mma, 0)))
        return 1;
    return also_a && a.n && order->text->bytes[a.at] == '{' && share(order->text, list, a);
}

static void look_at_products(const struct order *order) {
    const struct lint_instruction *all = order->all->all;
    size_t written = 0, product = 0; /* from 1: the last that wrote registers, the last product */
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
                    touches(order, &all[i], instruction_operand(order->text, &all[w], 0), 1)) {
                    say(order, LINT_WGMMA_FENCE, i,
                        "registers of '%s' were written before it: put %s between them",
                        "wgmma.fence.sync.aligned");
                    break;
                }
            }
            product = i + 1;
        } else if (product && touches(order, &all[product - 1], all[i].operands, 0)) {
            say(order, LINT_WAIT, i, "'%s' uses registers of a product that goes on: put %s first",
                "wgmma.wait_group.sync.aligned 0");
            product = 0;
        }
        if (all[i].known && all[i].results && !(does & EFFECT_MMA))
            written = i + 1;
    }
}

/* A test whose answer nobody looks at. */
static void look_at_tests(const struct order *order) {
    for (size_t i = 0; i < order->all->n; i++) {
        const struct lint_instruction *test = &order->all->all[i];
        const struct lint_span answer = instruction_operand(order->text, test, 0);
        const size_t behind = test->operands.at + test->operands.n;
        const struct lint_span rest = {behind, order->text->n - behind};
        if (!(test->effects & EFFECT_TEST) || !answer.n || order->text->bytes[answer.at] == '%')
            continue;
        /* A loop can look at it where it begins: any guard may be that. */
        if (!instruction_names(order->text, rest, answer) && !strchr(order->text->bytes, '@'))
            say(order, LINT_TESTED, i, "nobody looks at what '%s' answers%s",
                ": it may be false, and the phase not over");
    }
}

void rules_order(const struct lint_text *text, const struct lint_instructions *instructions,
                 struct findings *findings) {
    const struct order order = {text, instructions, findings};
    look_between(&order);
    look_at_products(&order);
    look_at_tests(&order);
}
