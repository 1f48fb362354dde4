/* Names of other tools and of CUDA C++; see said.h. */
#include "said.h"

#include <stddef.h>
#include <string.h>

static const char *past_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

static const char *without(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : text;
}

const char *said_about(const char *text) {
    static const struct {
        const char *begins, *sentence;
    } rows[] = {
#define SAID(begins, sentence) {begins, sentence},
#include "said.def"
    };
    text = without(without(past_blanks(text), "nvcuda::"), "cute::");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(text, rows[i].begins, strlen(rows[i].begins)) == 0)
            return rows[i].sentence;
    return NULL;
}

const char *said_task(const char *word) {
    static const struct {
        const char *word, *sentence;
    } rows[] = {
#define SAID(begins, sentence)
#define TASK(word, sentence) {word, sentence},
#include "said.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(word, rows[i].word) == 0)
            return rows[i].sentence;
    return NULL;
}
