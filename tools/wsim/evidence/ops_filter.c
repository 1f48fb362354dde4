/* Which operations pass the options of wsim ops. */
#include "ops.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

/* Words follow '.' or '::', so that `mxf4` finds kind::mxf4. */
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

/* Whether the name of a family continues `word`: "wgmma" for wgmma.mma_async. */
static int begins_family(const char *family, const char *word) {
    size_t length = strlen(word);
    return length > 0 && strncmp(family, word, length) == 0 && strchr(".:", family[length]) &&
           family[length];
}

static int has_type(const char *spelling, const struct named_types *types) {
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

/* --- scalar rows --- */

/* A family is the first word; filters can name more words. */
static int passes_scalar(const struct ops_filter *filter, const struct ops_entry *entry) {
    return (!filter->family || (filter->begins ? begins_family(entry->spelling, filter->family) ||
                                                     strcmp(entry->spelling, filter->family) == 0
                                               : is_family(entry->family, filter->family))) &&
           (!filter->has_type || has_type(entry->spelling, &filter->types)) &&
           (!filter->arch || wsim_scalar_check(&entry->scalar, filter->arch, NULL) == WSIM_OK);
}

static int is_listed(const char *spelling) {
    struct wsim_instruction instruction;
    return wsim_instruction_parse(spelling, &instruction, NULL) == WSIM_OK && instruction.is_op;
}

static int next_scalar(const struct ops_filter *filter, struct ops_entry *entry) {
    while (wsim_scalar_next(&entry->scalar)) {
        struct wsim_scalar_info info;
        wsim_scalar_spell(&entry->scalar, entry->spelling, sizeof entry->spelling);
        snprintf(entry->family, sizeof entry->family, "%.*s", (int)strcspn(entry->spelling, "."),
                 entry->spelling);
        if (!passes_scalar(filter, entry) || is_listed(entry->spelling))
            continue;
        wsim_scalar_info(&entry->scalar, &info);
        entry->row = info.row;
        entry->feature = info.feature;
        entry->source = info.source;
        entry->ptx = info.ptx;
        entry->evidence = filter->arch ? wsim_scalar_evidence(&entry->scalar, filter->arch) : "";
        return 1;
    }
    return 0;
}

/* The evidence on the architecture of the filter: of results, or of counts for accesses without
 * results. */
static const char *evidence_of(const struct ops_filter *filter, const struct wsim_op *op) {
    enum wsim_claim claim = wsim_op_claims(op, WSIM_RESULTS) ? WSIM_RESULTS : WSIM_COUNTS;
    const char *word = filter->arch ? wsim_op_evidence(op, filter->arch, claim, NULL) : "";
    return word ? word : "none";
}

int ops_entry_next(const struct ops_filter *filter, struct ops_entry *entry) {
    struct wsim_op_info info;
    if (entry->scalar.row || !ops_next(filter, &entry->cursor, &entry->op, entry->spelling))
        return !filter->matrices && next_scalar(filter, entry);
    info = wsim_op_describe(&entry->op);
    snprintf(entry->family, sizeof entry->family, "%s", info.family_name);
    entry->row = info.row;
    entry->feature = info.feature;
    entry->source = info.source;
    entry->ptx = info.ptx;
    entry->evidence = evidence_of(filter, &entry->op);
    return 1;
}

static int has_any(const struct ops_filter *filter) {
    struct ops_entry entry;
    memset(&entry, 0, sizeof entry);
    return ops_entry_next(filter, &entry);
}

/* The names of all families, each once; how many. */
static size_t families(char text[OPS_FAMILIES][32], const char *names[OPS_FAMILIES]) {
    const struct ops_filter all = {0};
    struct ops_entry entry;
    size_t count = 0;
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(&all, &entry))
        if ((count == 0 || strcmp(names[count - 1], entry.family) != 0) && count < OPS_FAMILIES) {
            memcpy(text[count], entry.family, sizeof entry.family);
            names[count] = text[count];
            count++;
        }
    return count;
}

static int unknown_family(const char *family, int matrices) {
    const struct ops_filter exact = {.family = family}, begins = {.family = family, .begins = 1};
    char text[OPS_FAMILIES][32];
    const char *names[OPS_FAMILIES];
    size_t count = families(text, names);
    if (matrices && (has_any(&exact) || has_any(&begins)))
        return tool_error("--evidence does not cover scalar instructions such as '%s'",
                          text_cut(family).text);
    return tool_error("unknown family '%s'%s (wsim ops --help lists them)", text_cut(family).text,
                      name_near(family, names, count).text);
}

int ops_filter_open(struct ops_filter *filter, const char *family, const char *type,
                    const struct wsim_arch *arch, int matrices) {
    struct ops_filter one = {.family = family, .matrices = matrices};
    if (family && !has_any(&one)) {
        one.begins = 1;
        if (!has_any(&one))
            return unknown_family(family, matrices);
    }
    *filter = one;
    one = (struct ops_filter){.has_type = type != NULL, .matrices = matrices};
    if (type)
        one.types = named_types(type);
    if (type && !has_any(&one))
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
    if (has_any(filter))
        return TOOL_GO;
    for (size_t i = 0; filter->arch && (elsewhere.arch = wsim_arch_at(i)) != NULL; i++)
        if (has_any(&elsewhere) && n < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, " %s",
                                  wsim_arch_name(elsewhere.arch));
    if (n)
        tool_error("no such operation is legal on %s; legal on%s", wsim_arch_name(filter->arch),
                   names);
    else
        tool_error("no operation has that family and type");
    return TOOL_FOUND;
}
