/* The list of commands and of their parts; see commands.h. */
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct command *command_find(const struct commands *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i].name, name) == 0)
            return &list->list[i];
    return NULL;
}

const char *command_name(const struct command *command, char out[COMMAND_NAME]) {
    if (!command->of)
        snprintf(out, COMMAND_NAME, "%s", command->name);
    else
        snprintf(out, COMMAND_NAME, "%s %s", command->of,
                 *command->word ? command->word : "FILE...");
    return out;
}

/* "kernel.cu": one word with the ending of a source file. */
static int is_source(const char *word) {
    static const char *const endings[] = {".cu", ".cuh", ".ptx", ".h", ".hpp", ".cc", ".cpp"};
    const size_t length = strlen(word);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && strcmp(word + length - n, endings[i]) == 0 && !strchr(word, ' '))
            return 1;
    }
    return 0;
}

/* Whether an argument is a file or folder. A word behind an option may be its value. */
static int has_file(int count, const char **words) {
    struct stat about;
    for (int i = 0; i < count; i++)
        if (words[i][0] != '-' && (i == 0 || words[i - 1][0] != '-' || strchr(words[i - 1], '=')) &&
            (is_source(words[i]) || stat(words[i], &about) == 0))
            return 1;
    return 0;
}

const struct command *command_part(const struct commands *list, int count, const char **words,
                                   int *from) {
    for (size_t i = 0; i < list->count && count > 1; i++) {
        const struct command *part = &list->list[i];
        if (!part->of || strcmp(part->of, words[0]) != 0)
            continue;
        *from = *part->word ? 2 : 1;
        if (*part->word ? strcmp(part->word, words[1]) == 0 : has_file(count - 1, words + 1))
            return part;
    }
    return NULL;
}
