/* A tile in words: "K-major B, 64x128 f16, 128B, at 0x400". Each word becomes an option. */
#include "desc.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"

#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\r\n,;";

/* Puts a word, once. */
static void put(char **option, char *value, const char *what) {
    if (*option)
        tool_fail("'%s': %s is already '%s'", text_cut(value).text, what, text_cut(*option).text);
    *option = value;
}

static int is_operand(const char *word) {
    return strcasecmp(word, "a") == 0 || strcasecmp(word, "b") == 0;
}

/* Puts a copy into an option; it is freed with the other options. */
static void put_option(char **option, char *value, const char *what) {
    put(option, value, what);
    *option = memory_text(value, strlen(value));
}

/* "64x128" */
static int is_extent(const char *word) {
    const size_t rows = strspn(word, "0123456789");
    return rows && (word[rows] | 0x20) == 'x' && strspn(word + rows + 1, "0123456789") &&
           !word[rows + 1 + strspn(word + rows + 1, "0123456789")];
}

/* Reads a word; a word that is nothing else is a type. */
static void take(struct desc_words *w, char *word, struct desc_options *o) {
    char *dash = strchr(word, '-');
    if (dash && strcasecmp(dash, "-major") == 0) {
        *dash = '\0';
        put_option(&o->major, word, "the order");
    } else if (is_operand(word)) {
        put(&w->operand, word, "the operand");
    } else if (is_extent(word) && strcasecmp(word, "0x0") != 0) {
        put(&w->extents, word, "the size");
    } else if (name_swizzle(word) < WSIM_SWIZZLES) {
        put_option(&o->swizzle, word, "the swizzle");
    } else {
        put(&w->type, word, "the type");
    }
}

void desc_words(const char **args, struct desc_words *w, struct desc_options *o) {
    size_t n = 0;
    int is_address = 0;
    char tile[sizeof w->text];
    if (!args[0])
        return;
    if (o->tile)
        tool_fail("'%s': give the tile either with --tile or in words", text_cut(args[0]).text);
    for (; *args; args++) {
        const size_t length = strlen(*args);
        if (n + length + 2 > sizeof w->text)
            tool_fail("too many words for a tile");
        memcpy(w->text + n, *args, length);
        n += length;
        w->text[n++] = ' ';
    }
    w->text[n] = '\0';
    for (char *word = strtok(w->text, blanks); word; word = strtok(NULL, blanks)) {
        if (is_address)
            put_option(&o->at, word, "the address");
        else if (strcasecmp(word, "at") != 0)
            take(w, word, o);
        is_address = !is_address && strcasecmp(word, "at") == 0;
    }
    if (is_address)
        tool_fail("give an address after 'at'");
    if (!w->operand || (!o->map && (!w->extents || !w->type)))
        tool_fail("a tile is an operand, its size and its type, such as "
                  "'K-major B, 64x128 f16, 128B, at 0x400'");
    snprintf(tile, sizeof tile, "%s%s%s%s%s", w->operand, w->extents ? "," : "",
             w->extents ? w->extents : "", w->type ? "," : "", w->type ? w->type : "");
    o->tile = memory_text(tile, strlen(tile));
}
