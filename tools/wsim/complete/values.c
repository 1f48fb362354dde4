/* The values of options and arguments; see values.h. */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Sources of values: lists of names first, operations last. */
enum source {
    PATHS,
    OPERANDS,
    SWIZZLES,
    DTYPES,
    INTERLEAVES,
    FILLS,
    ARCHES,
    RULES,
    FILES,
    FOLDERS,
    OPERATIONS,
    COUNTED,
    MOVES,
    PRODUCTS,
    FAMILIES,
    INSTRUCTIONS
};

/* Name `i` of a list; NULL: there are no more. */
static const char *name_at(enum source list, unsigned i) {
    switch (list) {
    case PATHS: return i < WSIM_PATHS ? wsim_path_name((enum wsim_path)i) : NULL;
    case OPERANDS: return i < WSIM_OPERANDS ? wsim_operand_name((enum wsim_operand)i) : NULL;
    case SWIZZLES: return wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, i);
    case DTYPES: return wsim_tensor_name(WSIM_TENSOR_LIST_DTYPE, i);
    case INTERLEAVES: return wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, i);
    case FILLS: return wsim_tensor_name(WSIM_TENSOR_LIST_OOB, i);
    default: return NULL;
    }
}

static void add_arches(struct candidates *c) {
    const struct wsim_arch *arch;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        const char *alias;
        candidate(c, wsim_arch_name(arch), wsim_arch_alias(arch, 0));
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++)
            candidate(c, alias, wsim_arch_name(arch));
    }
}

static void add_rules(struct candidates *c) {
    struct wsim_rule rule;
    uint32_t cursor = 0;
    while (wsim_rule_next(&cursor, &rule))
        candidate_part(c, rule.name);
}

static int is_in(const struct wsim_op_info *info, enum source source) {
    return source == COUNTED    ? info->counting != WSIM_COUNT_NONE
           : source == MOVES    ? info->counting == WSIM_COUNT_ROWS
           : source == PRODUCTS ? info->k != 0
                                : 1;
}

/* Spells an operation only if its family can begin with the text. */
static void add_operations(struct candidates *c, enum source source) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (wsim_op_next(&cursor, &op)) {
        const struct wsim_op_info info = wsim_op_describe(&op);
        const size_t family = strlen(info.family_name), text = strlen(c->text);
        char spelling[WSIM_SPELLING_MAX];
        if (strncmp(info.family_name, c->text, text < family ? text : family) != 0 ||
            !is_in(&info, source))
            continue;
        wsim_op_spell(&op, spelling);
        candidate_part(c, source == FAMILIES ? info.family_name : spelling);
    }
}

static void add_scalars(struct candidates *c) {
    struct wsim_scalar op = {0};
    while (wsim_scalar_next(&op)) {
        char spelling[WSIM_SPELLING_MAX];
        wsim_scalar_spell(&op, spelling, sizeof spelling);
        candidate_part(c, spelling);
    }
}

static void add_values(enum source source, struct candidates *c) {
    const char *name;
    if (source == FILES || source == FOLDERS)
        printf("%s\t%.*s\n", source == FILES ? ":files" : ":folders", (int)c->head_length, c->head);
    for (unsigned i = 0; (name = name_at(source, i)) != NULL; i++)
        candidate(c, name, NULL);
    if (source == ARCHES)
        add_arches(c);
    if (source == RULES)
        add_rules(c);
    if (source >= OPERATIONS)
        add_operations(c, source);
    if (source == INSTRUCTIONS)
        add_scalars(c);
    candidates_end(c);
}

/* By the name of an option, and by the name of a value in a usage line. */
static const struct {
    const char *name;
    enum source source;
} options[] = {{"arch", ARCHES},      {"compare", ARCHES},         {"path", PATHS},
               {"operand", OPERANDS}, {"swizzle", SWIZZLES},       {"family", FAMILIES},
               {"dtype", DTYPES},     {"interleave", INTERLEAVES}, {"oob", FILLS}},
  arguments[] = {{"SPELLING", OPERATIONS}, {"ACCESS", COUNTED}, {"INSTRUCTION", INSTRUCTIONS},
                 {"MODE", SWIZZLES},       {"PATTERN", RULES},  {"ARCH", ARCHES},
                 {"FILE", FILES},          {"FOLDER", FOLDERS}, {"MOVE", MOVES},
                 {"PRODUCT", PRODUCTS},    {"NAME", ARCHES}};

/* The word `name` in a usage: no part of another. */
static int has_word(const char *usage, const char *name) {
    size_t length = strlen(name);
    for (const char *at = usage; (at = strstr(at, name)) != NULL; at += length)
        if ((at == usage || !isupper((unsigned char)at[-1])) && !isupper((unsigned char)at[length]))
            return 1;
    return 0;
}

void argument_values(const char *argument, struct candidates *c) {
    size_t length;
    for (const char *word = argument; *word; word += length) {
        char literal[32];
        length = strspn(word, "abcdefghijklmnopqrstuvwxyz");
        if (length && length < sizeof literal) {
            memcpy(literal, word, length);
            literal[length] = '\0';
            candidate(c, literal, NULL);
        }
        length += length == 0;
    }
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        if (has_word(argument, arguments[i].name))
            add_values(arguments[i].source, c);
}

/* The words of "text, json or csv (text)", after a colon if there is one. The last word of the
 * first part counts ("complete eager, late"), and the first word of the others ("late, or both
 * ways"). */
static void listed_values(const char *text, struct candidates *c) {
    const char *colon = strstr(text, ": "), *from = colon ? colon + 2 : text;
    char list[128], *either, *part = list;
    int parts = 0;
    snprintf(list, sizeof list, "%.*s", (int)strcspn(from, "("), from);
    while ((either = strstr(list, " or ")) != NULL)
        memcpy(either, ",,, ", 4);
    if (!strchr(list, ','))
        return;
    while (*part) {
        size_t length = strcspn(part, ",");
        char *next = part + length + (part[length] == ','), *word = part + strspn(part, " ");
        part[length] = '\0';
        if (parts++ == 0 && strrchr(word, ' '))
            word = strrchr(word, ' ') + 1;
        word[strcspn(word, " ")] = '\0';
        if (*word && *word != '.')
            candidate(c, word, NULL);
        part = next;
    }
}

void option_values(const struct tool_option *option, struct candidates *c) {
    static const char *const lists[] = {"FORMAT", "WHEN", "STATE", "MODE", "LIST", "MAJOR"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(option->name, options[i].name) == 0) {
            add_values(options[i].source, c);
            return;
        }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(option->value, lists[i]) == 0) {
            listed_values(option->help, c);
            return;
        }
    /* A bare NAME is a name that the user made. */
    if (!has_word(option->value, "NAME") || has_word(option->value, "FILE"))
        argument_values(option->value, c);
}
