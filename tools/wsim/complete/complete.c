/* wsim complete: completes the word at the cursor; see complete.h. */
#include "complete.h"
#include "../common/tool.h"
#include "candidates.h"
#include "values.h"

#include <string.h>

/* The words after the command, up to the cursor. */
struct line {
    int count;
    const char **words;
};

static const char *last(const struct line *line) {
    return line->words[line->count - 1];
}

/* The option of a word: "--arch", "--arch=h100", "-a"; NULL: none. */
static const struct tool_option *option_of(const struct tool_option *table, const char *word) {
    size_t length;
    if (word[0] != '-' || !word[1])
        return NULL;
    length = strcspn(word + 2, "=");
    for (; table->name; table++)
        if (word[1] == '-'
                ? strlen(table->name) == length && strncmp(word + 2, table->name, length) == 0
                : !word[2] && word[1] == table->letter)
            return table;
    return NULL;
}

/* Whether its value is the next word. */
static int takes_next(const struct tool_option *option, const char *word) {
    return option && option->value && !(word[1] == '-' && strchr(word, '='));
}

/* Whether a value is several with commas between. */
static int is_list(const char *value) {
    return strstr(value, "LIST") || strstr(value, ",...") || strstr(value, "NAMES");
}

/* Completes the value of an option after `head` bytes of the word; in a list or after NAME= its
 * last part. */
static void complete_value(const struct tool_option *option, const char *word, size_t head) {
    struct candidates c = {.head = word, .head_length = head};
    const char *comma = is_list(option->value)       ? strrchr(word + head, ',')
                        : strchr(option->value, '=') ? strchr(word + head, '=')
                                                     : NULL;
    if (comma)
        c.head_length = (size_t)(comma + 1 - word);
    c.text = word + c.head_length;
    option_values(option, &c);
}

static void complete_option(const struct tool_option *table, const char *word) {
    const struct candidates c = {.head = word, .text = word};
    for (; table->name; table++) {
        char name[64];
        snprintf(name, sizeof name, "--%s%s", table->name, table->value ? "=" : "");
        candidate(&c, name, table->help);
    }
}

/* Token number `index` of an alternative of a usage line, or the last one if that is repeated. */
static int token(const char *usage, const char *end, unsigned index, char out[64]) {
    while (usage < end) {
        size_t length = strcspn(usage, " ");
        if (usage + length > end)
            length = (size_t)(end - usage);
        if (length >= 64)
            return 0;
        memcpy(out, usage, length);
        out[length] = '\0';
        if (index == 0 || strstr(out, "..."))
            return 1;
        index--;
        usage += length;
        usage += strspn(usage, " ");
    }
    return 0;
}

/* Whether a word fits a token of the usage: a token in lower case, "a|b", is literal. */
static int can_be(const char *token, const char *word) {
    size_t length = strlen(word);
    const char *at = strstr(token, word);
    if (strpbrk(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return 1;
    return at && (at == token || at[-1] == '|') && (!at[length] || at[length] == '|');
}

/* Completes an argument: the usage line has alternatives, separated by " | ". */
static void complete_argument(const char *usage, const char *const *before, unsigned count,
                              const char *word) {
    while (*usage) {
        const char *bar = strstr(usage, " | "), *end = bar ? bar : usage + strlen(usage);
        char text[64];
        unsigned i = 0;
        while (i < count && token(usage, end, i, text) && can_be(text, before[i]))
            i++;
        if (i == count && token(usage, end, count, text)) {
            struct candidates c = {.head = word, .text = word};
            argument_values(text, &c);
        }
        usage = bar ? bar + 3 : end;
    }
}

enum { ARGUMENTS = 8 };

static void complete_command(const struct line *line, const struct tool_command *command) {
    const struct tool_option *table, *option = NULL;
    struct tool_rows rows;
    const char *before[ARGUMENTS], *word = last(line);
    unsigned count = 0;
    tool_rows(command, &rows);
    table = rows.row;
    for (int i = 0; i + 1 < line->count; i++) {
        option = option_of(table, line->words[i]);
        if (takes_next(option, line->words[i])) {
            if (i + 2 == line->count) {
                complete_value(option, word, 0);
                return;
            }
            i++;
        } else if (!option && line->words[i][0] != '-' && count < ARGUMENTS) {
            before[count++] = line->words[i];
        }
    }
    option = option_of(table, word);
    if (option && option->value && strchr(word, '='))
        complete_value(option, word, (size_t)(strchr(word, '=') + 1 - word));
    else if (*word == '-')
        complete_option(table, word);
    else
        complete_argument(command->arguments, before, count, word);
}

/* Parts of commands have short names too, which help takes. */
static void complete_name(const struct commands *commands, const char *word, int parts) {
    const struct candidates c = {.head = word, .text = word};
    for (size_t i = 0; i < commands->count; i++)
        if (!commands->list[i].of || *word || parts)
            candidate(&c, commands->list[i].name, commands->list[i].summary);
}

/* The words that lead to a part, as the first argument of a command. */
static void complete_part(const struct commands *commands, const struct line *line,
                          const char *command) {
    const struct candidates c = {.head = last(line), .text = last(line)};
    for (size_t i = 0; line->count == 1 && i < commands->count; i++) {
        const struct command *part = &commands->list[i];
        if (part->of && *part->word && strcmp(part->of, command) == 0 &&
            (part->word[0] != '-' || last(line)[0] == '-'))
            candidate(&c, part->word, part->summary);
    }
}

int complete_words(const struct commands *commands, int count, const char **words) {
    static const char *nothing[] = {""};
    struct line line = {count - 1, words + 1};
    const struct command *command;
    int from = 1;
    if (count == 0) {
        count = 1;
        words = nothing;
    }
    if (count == 1 || (count == 2 && strcmp(words[0], "help") == 0)) {
        struct candidates c = {.head = "", .text = words[count - 1]};
        complete_name(commands, words[count - 1], count == 2);
        if (count == 1) {
            candidate(&c, "help", "options and examples of a command");
            candidate(&c, "--help", "the commands");
            candidate(&c, "--version", "the version, and the recordings that it matches");
        }
        return TOOL_FINE;
    }
    command = command_part(commands, count - 1, words, &from);
    if (command) {
        line.count -= from - 1;
        line.words += from - 1;
    } else {
        command = command_find(commands, words[0]);
        complete_part(commands, &line, words[0]);
    }
    if (command)
        complete_command(&line, command->is);
    return TOOL_FINE;
}
