/* What an option or an argument can be; see values.h. */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void arches(struct candidates *c) {
    const struct wsim_arch *arch;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        const char *alias;
        candidate(c, wsim_arch_name(arch), wsim_arch_alias(arch, 0));
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++)
            candidate(c, alias, wsim_arch_name(arch));
    }
}

static void paths(struct candidates *c) {
    for (int i = 0; i < WSIM_PATHS; i++)
        candidate(c, wsim_path_name((enum wsim_path)i), NULL);
}

static void operands(struct candidates *c) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        candidate(c, wsim_operand_name((enum wsim_operand)i), NULL);
}

static void swizzles(struct candidates *c) {
    for (int i = 0; i < WSIM_SWIZZLES; i++)
        candidate(c, wsim_swizzle_name((enum wsim_swizzle)i), NULL);
}

static void tensor_list(struct candidates *c, enum wsim_tensor_list list) {
    const char *name;
    for (unsigned i = 0; (name = wsim_tensor_name(list, i)) != NULL; i++)
        candidate(c, name, NULL);
}

static void dtypes(struct candidates *c) {
    tensor_list(c, WSIM_TENSOR_LIST_DTYPE);
}

static void interleaves(struct candidates *c) {
    tensor_list(c, WSIM_TENSOR_LIST_INTERLEAVE);
}

static void fills(struct candidates *c) {
    tensor_list(c, WSIM_TENSOR_LIST_OOB);
}

static void rules(struct candidates *c) {
    struct wsim_rule rule;
    uint32_t cursor = 0;
    while (wsim_rule_next(&cursor, &rule))
        candidate_part(c, rule.name);
    candidates_end(c);
}

enum which { OPERATIONS, COUNTED, MOVES, PRODUCTS, FAMILIES };

static int is_of(const struct wsim_op_info *info, enum which which) {
    return which == COUNTED    ? info->counting != WSIM_COUNT_NONE
           : which == MOVES    ? info->counting == WSIM_COUNT_ROWS
           : which == PRODUCTS ? info->k != 0
                               : 1;
}

/* Those of the tables. A spelling is only written out if its family can begin like this. */
static void operations(struct candidates *c, enum which which) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        size_t family = strlen(info.family_name), text = strlen(c->text);
        char spelling[WSIM_SPELLING_MAX];
        if (strncmp(info.family_name, c->text, text < family ? text : family) != 0 ||
            !is_of(&info, which))
            continue;
        wsim_op_spell(&op, spelling);
        candidate_part(c, which == FAMILIES ? info.family_name : spelling);
    }
}

static void scalars(struct candidates *c) {
    struct wsim_scalar op = {0};
    while (wsim_scalar_next(&op)) {
        char spelling[WSIM_SPELLING_MAX];
        wsim_scalar_spell(&op, spelling, sizeof spelling);
        candidate_part(c, spelling);
    }
}

static void spellings(struct candidates *c) {
    operations(c, OPERATIONS);
    candidates_end(c);
}

static void accesses(struct candidates *c) {
    operations(c, COUNTED);
    candidates_end(c);
}

static void moves(struct candidates *c) {
    operations(c, MOVES);
    candidates_end(c);
}

static void products(struct candidates *c) {
    operations(c, PRODUCTS);
    candidates_end(c);
}

static void instructions(struct candidates *c) {
    operations(c, OPERATIONS);
    scalars(c);
    candidates_end(c);
}

static void families(struct candidates *c) {
    operations(c, FAMILIES);
    candidates_end(c);
}

static void place(const struct candidates *c, const char *kind) {
    printf("%s\t%.*s\n", kind, (int)c->head_length, c->head);
}

static void files(struct candidates *c) {
    place(c, ":files");
}

static void folders(struct candidates *c) {
    place(c, ":folders");
}

/* By the name of an option, and by what a usage line calls a value. */
static const struct {
    const char *name;
    void (*values)(struct candidates *c);
} options[] = {{"arch", arches},      {"compare", arches},         {"path", paths},
               {"operand", operands}, {"swizzle", swizzles},       {"family", families},
               {"dtype", dtypes},     {"interleave", interleaves}, {"oob", fills}},
  arguments[] = {{"SPELLING", spellings}, {"ACCESS", accesses}, {"INSTRUCTION", instructions},
                 {"MODE", swizzles},      {"PATTERN", rules},   {"ARCH", arches},
                 {"FILE", files},         {"FOLDER", folders},  {"MOVE", moves},
                 {"PRODUCT", products},   {"NAME", arches}};

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
            arguments[i].values(c);
}

/* The words of "text, json or csv (text)", behind a colon if there is one: of the first part the
 * last word counts ("complete eager, late"), of the others the first ("late, or both ways"). */
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
            options[i].values(c);
            return;
        }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(option->value, lists[i]) == 0) {
            listed_values(option->help, c);
            return;
        }
    /* A NAME of nothing in particular is one that the user gave. */
    if (!has_word(option->value, "NAME") || has_word(option->value, "FILE"))
        argument_values(option->value, c);
}
