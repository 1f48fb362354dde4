/* Directives after a label: targets of branches and calls, prototypes. */
#include "reader.h"

#include <string.h>

static int targets(struct reader *r, uint32_t label, struct place at) {
    char seen[PTX_SEEN];
    uint32_t mark = r->pieces.n;
    do {
        ptx_skip(r);
        struct place here = ptx_here(r);
        uint32_t name = ptx_word(r);
        if (!name) {
            ptx_complain(r, RULE_PTX_TEXT_MISSING, here, "a target is missing before %s",
                         ptx_seen(r, seen));
            return 0;
        }
        const struct binding *binding = ptx_lookup(r, name);
        struct piece *piece = arena_push(&r->work, &r->pieces, sizeof *piece);
        if (!piece)
            return 0;
        piece->at = here;
        if (binding && binding->meaning == MEANS_FUNCTION) {
            piece->op.kind = PTX_OP_FUNCTION;
            piece->op.index = binding->index;
        } else {
            piece->waits = name;
        }
    } while (ptx_accept(r, ','));
    struct ptx_table *table = arena_push(&r->work, &r->tables, sizeof *table);
    if (!table || !ptx_fold(r, mark, &table->first, &table->count))
        return 0;
    return ptx_bind(r, label, MEANS_TABLE, r->tables.n - 1, 1, at);
}

/* (results) _ (parameters). */
static int prototype(struct reader *r, uint32_t label, struct place at) {
    char word[PTX_WORD];
    struct ptx_prototype *p = arena_push(&r->work, &r->prototypes, sizeof *p);
    uint32_t bytes;
    if (!p || (ptx_accept(r, '(') && !ptx_params(r, 0, &p->results, &p->n_results, &bytes)))
        return 0;
    if (!ptx_expect(r, '_', "in the place of a name in a prototype"))
        return 0;
    if (ptx_accept(r, '(') && !ptx_params(r, 0, &p->params, &p->n_params, &bytes))
        return 0;
    while (ptx_skip(r) == '.') {
        struct place here = ptx_here(r);
        uint64_t value;
        ptx_dotted(r, word);
        if (strcmp(word, "noreturn") == 0)
            continue;
        if (strcmp(word, "abi_preserve") && strcmp(word, "abi_preserve_control"))
            ptx_complain_unknown(r, ptx_directive_rule(word), RULE_PTX_DIRECTIVE_UNMODELLED, here,
                                 "unknown directive '.%s' of a prototype", word);
        else if (!ptx_integer(r, "the argument of this directive", 0, UINT32_MAX, &value))
            return 0;
    }
    return ptx_bind(r, label, MEANS_PROTOTYPE, r->prototypes.n - 1, 1, at);
}

int ptx_table(struct reader *r, uint32_t label, struct place at, const char *word) {
    int fine = word[4] == 'p' ? prototype(r, label, at) : targets(r, label, at);
    return fine && ptx_expect(r, ';', "after a list of targets or a prototype");
}
