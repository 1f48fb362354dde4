/* The list of commands and of their parts; see commands.h. */
#include "commands.h"
#include "common/text.h"

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
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(word, endings[i]) && !strchr(word, ' '))
            return 1;
    return 0;
}

/* Whether the word behind the option `word` is its value. */
static int takes_value(const struct tool_rows *rows, const char *word) {
    const size_t length = strlen(word);
    if (word[0] != '-' || strchr(word, '='))
        return 0;
    for (unsigned i = 0; i < rows->count; i++)
        if (rows->row[i].value &&
            (word[1] == '-' ? strcmp(word + 2, rows->row[i].name) == 0
                            : rows->row[i].letter && word[length - 1] == rows->row[i].letter))
            return 1;
    return 0;
}

/* Whether an argument of `command` is a file or folder. */
static int has_file(const struct tool_command *command, int count, const char **words) {
    struct tool_rows rows;
    struct stat about;
    tool_rows(command, &rows);
    for (int i = 0; i < count; i++)
        if (words[i][0] != '-' && (i == 0 || !takes_value(&rows, words[i - 1])) &&
            (is_source(words[i]) || stat(words[i], &about) == 0))
            return 1;
    return 0;
}

const struct command *command_part(const struct commands *list, int count, const char **words,
                                   int *from) {
    const struct command *files = NULL;
    for (size_t i = 0; i < list->count && count > 1; i++) {
        const struct command *part = &list->list[i];
        if (!part->of || strcmp(part->of, words[0]) != 0)
            continue;
        *from = 2;
        if (!*part->word)
            files = part;
        else if (strcmp(part->word, words[1]) == 0)
            return part;
    }
    *from = 1;
    return files && has_file(files->is, count - 1, words + 1) ? files : NULL;
}
