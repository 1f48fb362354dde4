/* Parameters and results: the parentheses of a function, an entry or a prototype. */
#include "reader.h"

#include <string.h>

enum { MOST_BYTES = 1 << 20 };

static uint32_t aligned(uint32_t offset, uint32_t align) {
    return (offset + align - 1) / align * align;
}

/* One: .param .u64 name, .param .align 8 .b8 name[16], .reg .b32 name. */
static int parameter(struct reader *r, struct ptx_param *out, uint32_t *end, int is_prototype) {
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
    if (!ptx_declaration(r, &d))
        return 0;
    ptx_skip(r);
    struct place named = ptx_here(r);
    uint32_t name = ptx_word(r);
    if (!name && !is_prototype) {
        ptx_complain(r, RULE_PTX_FUNCTION_PARAM, named,
                     "the name of a parameter is missing before %s", ptx_seen(r, seen));
        return 0;
    }
    if (!ptx_extent(r, &d, &extent))
        return 0;
    uint32_t align = d.align ? d.align : (uint32_t)extent.element;
    uint64_t offset = aligned(*end, align), bytes = extent.open ? 0 : extent.bytes;
    if (offset + bytes > MOST_BYTES) {
        ptx_complain(r, RULE_PTX_SIZE_RANGE, named, "parameters have at most 2^20 bytes together");
        return 0;
    }
    *out = (struct ptx_param){.name = name ? ptx_name_keep(r, name) : "",
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
int ptx_params(struct reader *r, int is_prototype, struct ptx_param **out, uint32_t *n,
               uint32_t *bytes) {
    struct arena_vec list = {NULL, 0, 0};
    struct ptx_param *param;
    uint32_t end = 0;
    while (!ptx_accept(r, ')')) {
        if (list.n && !ptx_expect(r, ',', "between parameters"))
            return 0;
        if (!(param = arena_push(&r->work, &list, sizeof *param)) ||
            !parameter(r, param, &end, is_prototype))
            return 0;
    }
    *n = list.n;
    *bytes = end;
    *out = list.n ? (struct ptx_param *)arena_copy(r->keep, list.at, list.n * sizeof **out) : NULL;
    return !list.n || *out;
}
