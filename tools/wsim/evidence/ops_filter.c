/* Which operations pass the options of wsim ops. */
#include "ops_filter.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

/* Words stand behind '.' or '::', so that `mxf4` finds kind::mxf4. */
static int has_word(const char *spelling, const char *word) {
    size_t length = strlen(word);
    const char *at = spelling;
    while ((at = strpbrk(at, ".:")) != NULL)
        if (strncmp(++at, word, length) == 0 && (at[length] == 0 || strchr(".:", at[length])))
            return length > 0;
    return 0;
}

static int is_family(const char *family, const char *name) {
    return strcmp(family, name) == 0;
}

/* Whether a family's name goes on behind `word`: "wgmma" for wgmma.mma_async. */
static int begins_family(const char *family, const char *word) {
    size_t length = strlen(word);
    return length > 0 && strncmp(family, word, length) == 0 && strchr(".:", family[length]) &&
           family[length];
}

static int has_type(const char *spelling, const struct name_types *types) {
    for (int i = 0; i < NAME_TYPES && types->type[i]; i++)
        if (has_word(spelling, types->type[i]))
            return 1;
    return 0;
}

static int passes(const struct ops_filter *filter, const struct wsim_op *op, const char *spelling) {
    const char *family = wsim_op_describe(op).family_name;
    struct wsim_diag diag;
    return (!filter->family ||
            (filter->begins ? begins_family : is_family)(family, filter->family)) &&
           (!filter->has_type || has_type(spelling, &filter->types)) &&
           (!filter->arch || wsim_op_check(op, filter->arch, &diag) == WSIM_OK);
}

int ops_next(const struct ops_filter *filter, uint32_t *cursor, struct wsim_op *op,
             char spelling[WSIM_SPELLING_MAX]) {
    while (wsim_op_next(cursor, op)) {
        wsim_op_spell(op, spelling);
        if (passes(filter, op, spelling))
            return 1;
    }
    return 0;
}

static int any(const struct ops_filter *filter) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    return ops_next(filter, &cursor, &op, spelling);
}

/* The names of all families, each once; how many. */
static size_t families(const char *names[OPS_FAMILIES]) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    size_t count = 0;
    while (wsim_op_next(&cursor, &op)) {
        const char *name = wsim_op_describe(&op).family_name;
        if ((count == 0 || strcmp(names[count - 1], name) != 0) && count < OPS_FAMILIES)
            names[count++] = name;
    }
    return count;
}

static int unknown_family(const char *family) {
    const char *names[OPS_FAMILIES];
    size_t count = families(names);
    return tool_error("unknown family '%s'%s (wsim ops --help lists them)", text_cut(family).text,
                      name_near(family, names, count).text);
}

int ops_filter_open(struct ops_filter *filter, const char *family, const char *type,
                    const struct wsim_arch *arch) {
    struct ops_filter one = {.family = family};
    if (family && !any(&one)) {
        one.begins = 1;
        if (!any(&one))
            return unknown_family(family);
    }
    *filter = one;
    one = (struct ops_filter){.has_type = type != NULL};
    if (type)
        one.types = name_types(type);
    if (type && !any(&one))
        return tool_error("no operation has the type '%s'", text_cut(type).text);
    filter->has_type = one.has_type;
    filter->types = one.types;
    filter->arch = arch;
    return TOOL_GO;
}

int ops_filter_found(const struct ops_filter *filter) {
    struct ops_filter elsewhere = *filter;
    char names[512] = "";
    size_t n = 0;
    if (any(filter))
        return TOOL_GO;
    for (size_t i = 0; filter->arch && (elsewhere.arch = wsim_arch_at(i)) != NULL; i++)
        if (any(&elsewhere) && n < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, " %s",
                                  wsim_arch_name(elsewhere.arch));
    if (n)
        tool_error("no such operation is legal on %s; there are some on%s",
                   wsim_arch_name(filter->arch), names);
    else
        tool_error("there is no operation of that family with that type");
    return TOOL_FOUND;
}
