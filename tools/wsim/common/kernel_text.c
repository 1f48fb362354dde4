/* Sentences with names of kernels; see kernel_name.h. */
#include "kernel_name.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

char *kernel_text(const char *text) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    char *out = memory_text("", 0);
    size_t n = 0;
    while (*text) {
        size_t length = strspn(text, letters);
        char *word = memory_text(text, length ? length : 1);
        struct kernel_name name;
        const char *shown = word;
        if (strncmp(word, "_Z", 2) == 0) {
            name = kernel_name(word);
            shown = name.text;
        }
        out = memory_grow(out, n + strlen(shown) + 1);
        strcpy(out + n, shown);
        n += strlen(shown);
        text += length ? length : 1;
        free(word);
    }
    return out;
}
