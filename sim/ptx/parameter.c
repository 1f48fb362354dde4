/* Parameters and results: the parentheses of a function, an entry or a prototype. */
#include "../isa/isa.h"
#include "reader.h"

#include <string.h>

/* The last is that of an entry. */
enum { MOST_BYTES = 1 << 20 };

static uint32_t aligned(uint32_t offset, uint32_t align) {
    return (offset + align - 1) / align * align;
}

/* One: .param .u64 name, .param .align 8 .b8 name[16], .reg .b32 name. */
static int parameter(struct reader *r, struct ptx_param *out, uint32_t *end, unsigned allows) {
    char word[PTX_WORD], seen[PTX_SEEN];
    struct declaration d;
    struct extent extent;
    ptx_skip(r);
    struct place at = ptx_here(r);
    ptx_dotted(r, word);
    if (strcmp(word, "param") && strcmp(word, "reg")) {
        ptx_complain(r, RULE_PTX_FUNCTION_PARAM, at,
                     "a parameter must begin with .param or .reg, not with %s",
                     word[0] ? word : ptx_seen(r, seen));
        return 0;
    }
    if (!ptx_declaration(r, allows, &d))
        return 0;
    ptx_skip(r);
    struct place named = ptx_here(r);
    uint32_t name = ptx_word(r);
    if (!name) {
        ptx_complain(r, RULE_PTX_FUNCTION_PARAM, named,
                     "the name of a parameter is missing before %s", ptx_seen(r, seen));
        return 0;
    }
    if (!ptx_extent(r, &d, &extent))
        return 0;
    if (extent.dimensions > 1)
        ptx_complain(r, RULE_PTX_SIZE_RANGE, named, "a parameter is an array of one dimension");
    uint32_t align = d.align ? d.align : (uint32_t)extent.element;
    uint64_t offset = aligned(*end, align), bytes = extent.open ? 0 : extent.bytes;
    if (offset + bytes > MOST_BYTES) {
        ptx_complain(r, RULE_PTX_SIZE_RANGE, named, "parameters have at most 2^20 bytes together");
        return 0;
    }
    *out = (struct ptx_param){.name = ptx_name_keep(r, name),
                              .type = d.type,
                              .in_register = word[0] == 'r',
                              .vector = d.vector,
                              .align = align,
                              .bytes = (uint32_t)bytes,
                              .offset = (uint32_t)offset,
                              .open = extent.open,
                              .pointer = d.pointer,
                              .pointer_space = d.pointer_space,
                              .pointer_align = d.pointer_align,
                              .word = name,
                              .line = named.line,
                              .col = named.col};
    *end = (uint32_t)(offset + bytes);
    return 1;
}

/* After the opening parenthesis. */
int ptx_params(struct reader *r, unsigned allows, struct ptx_param **out, uint32_t *n,
               uint32_t *bytes) {
    struct arena_vec list = {NULL, 0, 0};
    struct ptx_param *param;
    uint32_t end = 0;
    while (!ptx_accept(r, ')')) {
        if (list.n && !ptx_expect(r, ',', "between parameters"))
            return 0;
        if (!(param = arena_push(&r->work, &list, sizeof *param)) ||
            !parameter(r, param, &end, allows))
            return 0;
    }
    *n = list.n;
    *bytes = end;
    *out = list.n ? (struct ptx_param *)arena_copy(r->keep, list.at, list.n * sizeof **out) : NULL;
    return !list.n || *out;
}

/* Memory of parameters holds plain types; a prototype is not asked. */
static void check_memory(struct reader *r, const struct ptx_param *p, struct place at) {
    if (p->type.letter == 'p' || strcmp(p->type.name, "f16x2") == 0 || p->vector > 1)
        ptx_complain(r, RULE_PTX_FUNCTION_PARAM, at, "'%.80s' cannot be %s.%s in memory", p->name,
                     p->vector > 1 ? "a vector of " : "a ", p->type.name);
}

/* Types that the calling convention has no place for. Source: the assembler. */
static int is_narrow(const struct reader *r, const struct ptx_type *type) {
    return r->module->version >= ISA_CALLS_VERSION &&
           (type->letter == 'p' ||
            (type->bits < 32 && (type->letter == 'u' || type->letter == 's')));
}

static void check_list(struct reader *r, const struct ptx_param *params, uint32_t n, int is_entry) {
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_param *p = &params[i];
        const struct place at = {p->line, p->col};
        const int is_array = p->open || p->bytes > (p->type.bits + 7u) / 8 * p->vector;
        if (!p->in_register && !is_array)
            check_memory(r, p, at);
        if (!is_entry && p->align > ISA_PARAM_ALIGN)
            ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "parameters are aligned to at most %d",
                         ISA_PARAM_ALIGN);
        if (!is_entry && !is_array && p->vector == 1 && is_narrow(r, &p->type))
            ptx_complain(r, RULE_PTX_FUNCTION_PARAM, at,
                         "'%.80s' is a .%s: functions pass 32 bits or more, .b8, .b16 and .f16",
                         p->name, p->type.name);
        if (is_entry && p->in_register)
            ptx_complain(r, RULE_PTX_FUNCTION_PARAM, at,
                         "'%.80s' is a parameter of an entry, which is a .param", p->name);
        if (is_entry ? !p->bytes && !p->in_register : p->open && i + 1 < n)
            ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "'%.80s' is %s, so it has a size", p->name,
                         is_entry ? "a parameter of an entry" : "not the last parameter");
    }
}

void ptx_check_params(struct reader *r, const struct ptx_function *f) {
    const struct place at = {f->line, f->col};
    check_list(r, f->params, f->n_params, f->is_entry);
    check_list(r, f->results, f->n_results, 0);
    if (f->is_entry && f->param_bytes > ISA_ENTRY_PARAM_BYTES)
        ptx_complain(r, RULE_PTX_SIZE_RANGE, at,
                     "the parameters of an entry have at most %d bytes together, these have %u",
                     ISA_ENTRY_PARAM_BYTES, (unsigned)f->param_bytes);
    if (f->n_results > 1 && !f->results[0].in_register)
        ptx_complain(r, RULE_PTX_FUNCTION_PARAM, at, "several results are registers, not memory");
}
