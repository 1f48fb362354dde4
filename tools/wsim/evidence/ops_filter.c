/* Which operations pass the options of wsim ops. */
#include "ops_filter.h"
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

static int passes(const struct ops_filter *filter, const struct wsim_op *op, const char *spelling) {
    struct wsim_diag diag;
    return (!filter->family || strcmp(wsim_op_describe(op).family_name, filter->family) == 0) &&
           (!filter->type || has_word(spelling, filter->type)) &&
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

int ops_filter_check(const struct ops_filter *filter) {
    struct ops_filter family = {filter->family, NULL, NULL}, type = {NULL, filter->type, NULL};
    if (!any(&family))
        return tool_error("unknown family '%s' (wsim ops --help lists them)", filter->family);
    if (!any(&type))
        return tool_error("no operation has the type '%s'", filter->type);
    return TOOL_GO;
}
