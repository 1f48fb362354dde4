/* A help in lines; see help.h. */
#include "help.h"
#include "memory.h"
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXAMPLE_INDENT = 2, MORE_INDENT = 6 };

static void print_paragraph(void *unused, const char *paragraph, int is_meaning) {
    (void)unused;
    if (*paragraph)
        screen_fold(is_meaning ? HELP_TAB : 0, "%s", paragraph);
    else
        putchar('\n');
}

static void join(char *paragraph, const char *line, size_t length, int joined) {
    if (joined)
        strcat(paragraph, " ");
    strncat(paragraph, line, length);
}

/* Hands over what was joined. */
static void flush(char *paragraph, int is_meaning, help_visit *visit, void *context) {
    if (*paragraph)
        visit(context, paragraph, is_meaning);
    *paragraph = '\0';
}

void help_paragraphs(const char *text, help_visit *visit, void *context) {
    char *paragraph = memory_make(strlen(text) + 2, 1);
    int is_meaning = 0;
    while (*text) {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        int starts = blanks == 2 || length == 0 || (blanks == 0 && is_meaning);
        if (starts)
            flush(paragraph, is_meaning, visit, context);
        if (length == 0)
            visit(context, "", 0);
        if (starts)
            is_meaning = blanks == 2;
        if (blanks > 2)
            join(paragraph, text + blanks, length - blanks, 1);
        else
            join(paragraph, text, length, *paragraph != '\0');
        text += length + (text[length] != '\0');
    }
    flush(paragraph, is_meaning, visit, context);
    free(paragraph);
}

void help_about(const char *text) {
    help_paragraphs(text, print_paragraph, NULL);
}

/* Bytes up to a blank that is not within quotes. */
static size_t word_at(const char *text, const char *end) {
    size_t length = 0;
    int quoted = 0;
    while (text + length < end && (text[length] != ' ' || quoted))
        quoted ^= text[length++] == '\'';
    return length;
}

/* An option stays with its value. */
static size_t item_at(const char *text, const char *end) {
    size_t length = word_at(text, end);
    if (*text == '-' && text + length + 1 < end && text[length + 1] != '-')
        length += 1 + word_at(text + length + 1, end);
    return length;
}

static void print_example(const char *text, size_t length) {
    unsigned most = screen_columns(), used = EXAMPLE_INDENT;
    const char *end = text + length;
    text += strspn(text, " ");
    printf("%*s", EXAMPLE_INDENT, "");
    while (text < end) {
        size_t word = item_at(text, end);
        if (used > MORE_INDENT && used + word + 2 > most) {
            printf("\\\n%*s", MORE_INDENT, "");
            used = MORE_INDENT;
        }
        printf("%.*s", (int)word, text);
        used += (unsigned)word + 1;
        text += word + strspn(text + word, " ");
        if (text < end)
            putchar(' ');
    }
    putchar('\n');
}

void help_examples(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        print_example(text, length);
        text += length + (text[length] != '\0');
    }
}
