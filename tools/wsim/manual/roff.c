/* Text as roff; see roff.h. */
#include "roff.h"

#include <stdio.h>
#include <string.h>

enum { SOURCE_LINE = 70 };

/* Puts a character that can be copied from a terminal; the number of bytes. */
static unsigned put(char c) {
    static const struct {
        char c;
        const char *as;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (c == special[i].c)
            return (unsigned)printf("%s", special[i].as);
    putchar(c);
    return 1;
}

/* A line that begins with a dot is a command. */
static void begin(char first) {
    if (first == '.')
        printf("\\&");
}

void roff_literal(const char *text) {
    for (; *text; text++)
        put(*text);
}

void roff_fill(const char *text, size_t length) {
    const char *end = text + length;
    unsigned used = 0;
    while (text < end) {
        const char *word = text + strspn(text, " ");
        size_t bytes = word < end ? strcspn(word, " ") : 0;
        if (word + bytes > end)
            bytes = (size_t)(end - word);
        if (used && used + bytes > SOURCE_LINE) {
            putchar('\n');
            used = 0;
        } else if (used && bytes) {
            putchar(' ');
        }
        if (!used && bytes)
            begin(*word);
        for (size_t i = 0; i < bytes; i++)
            used += put(word[i]);
        used++;
        text = word + bytes;
    }
    putchar('\n');
}

/* A backslash at the end of a line of the source joins it with the next. */
void roff_line(const char *text, size_t length) {
    unsigned used = 0;
    begin(length ? *text : ' ');
    for (size_t i = 0; i < length; i++) {
        if (used > SOURCE_LINE && text[i] == ' ') {
            printf("\\\n");
            used = 0;
        }
        used += put(text[i]);
    }
    putchar('\n');
}
