/* Text from files, hex from text, addresses from either; see input.h. */
#include "input.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *read_stream(FILE *file, const char *name, size_t *length) {
    char *text = NULL;
    size_t size = 0, room = 0;
    do {
        room = room ? 2 * room : 4096;
        if (size > INPUT_MAX) {
            tool_error("%s: more than %u bytes", text_path(name).text, INPUT_MAX);
            free(text);
            return NULL;
        }
        text = memory_grow(text, room + 1);
        size += fread(text + size, 1, room - size, file);
    } while (size == room);
    if (ferror(file)) {
        tool_error("%s: %s", text_path(name).text, strerror(errno));
        free(text);
        return NULL;
    }
    text[size] = 0;
    *length = size;
    return text;
}

const char *input_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

char *input_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    return slash ? memory_text(path, n ? n : 1) : memory_text(".", 1);
}

char *input_bytes(const char *path, size_t *length) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text;
    if (!*path)
        tool_error("the name of a file is missing");
    else if (!file)
        tool_error("%s: %s", text_path(path).text, strerror(errno));
    if (!file)
        return NULL;
    text = read_stream(file, input_name(path), length);
    if (file != stdin)
        fclose(file);
    return text;
}

char *input_file(const char *path) {
    size_t length;
    char *text = input_bytes(path, &length);
    if (!text)
        tool_end(TOOL_USAGE);
    return text;
}

/* Leaves the digits of `text` only, in place; the first byte that is none, or 0. */
static char keep_digits(char *text) {
    char *to = text;
    for (; *text; text++)
        if (isxdigit((unsigned char)*text))
            *to++ = *text;
        else if (!isspace((unsigned char)*text) && *text != '_')
            return *text;
    *to = 0;
    return 0;
}

char *input_hex(const char *what, const char *text) {
    int prefixed = strncmp(text, "hex:", 4) == 0;
    char *digits =
        *text == '@' ? input_file(text + 1) : memory_text(text + (prefixed ? 4 : 0), strlen(text));
    char bad = keep_digits(digits);
    if (bad)
        tool_fail("%s %s: '%c' is not a hex digit", what, text_cut(text).text,
                  isprint((unsigned char)bad) ? bad : '?');
    return digits;
}

uint64_t input_digits(const char *digits, size_t count) {
    uint64_t value = 0;
    for (; count > 0; count--, digits++)
        value = value << 4 | (unsigned)(isdigit((unsigned char)*digits)
                                            ? *digits - '0'
                                            : tolower((unsigned char)*digits) - 'a' + 10);
    return value;
}

static void hex_addresses(const char *option, const char *text, uint32_t addr[32]) {
    char *digits = input_hex(option, text);
    if (strlen(digits) != 32 * 8)
        tool_fail("%s: %lu hex digits, expected 256 (32 lanes x 8)", option,
                  (unsigned long)strlen(digits));
    for (unsigned lane = 0; lane < 32; lane++)
        addr[lane] = (uint32_t)input_digits(digits + 8 * lane, 8);
    free(digits);
}

/* Numbers between white space and commas; '#' starts a comment. */
static void numbers(const char *path, const char *text, uint32_t addr[32]) {
    unsigned n = 0;
    for (;;) {
        size_t length;
        uint32_t value;
        text += strspn(text, " \t\r\n,");
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        if (*text == 0)
            break;
        length = strcspn(text, " \t\r\n,#");
        if (!tool_is_number(text, length, UINT32_MAX, &value))
            tool_fail("%s: number %u, '%.*s', is not a decimal or 0x hex number of 32 bits",
                      text_path(path).text, n + 1, length < 40 ? (int)length : 40, text);
        if (n < 32)
            addr[n] = value;
        n++;
        text += length;
    }
    if (n != 32)
        tool_fail("%s: %u numbers, expected 32, one for each lane", text_path(path).text, n);
}

static void file_addresses(const char *path, uint32_t addr[32]) {
    char *text = input_file(path);
    numbers(path, text, addr);
    free(text);
}

/* No expression starts with '/' or has a '.', so the name of a file is meant. */
static int looks_like_file(const char *text) {
    return *text == '/' || (strchr(text, '.') && !strpbrk(text, "[;(*+ "));
}

static int is_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

void input_addresses(const char *option, const char *text, uint32_t addr[32]) {
    input_addresses_in(NULL, option, text, addr);
}

/* Fails with the error of an expression. */
_Noreturn static void refuse(const struct wsim_address_scope *scope, const char *option,
                             const char *text, const struct wsim_diag *error) {
    if (strcmp(error->rule, "address.declaration.wrong") == 0)
        tool_fail("--decl '%s': column %u: %s", text_cut(scope->declarations).text, error->col,
                  error->text);
    tool_fail("%s '%s': %scolumn %u: %s", option, text_cut(text).text,
              looks_like_file(text) ? "not a file or an expression: " : "", error->col,
              error->text);
}

void input_addresses_in(const struct wsim_address_scope *scope, const char *option,
                        const char *text, uint32_t addr[32]) {
    struct wsim_diag error;
    if (strncmp(text, "hex:", 4) == 0)
        hex_addresses(option, text, addr);
    else if (*text == '@')
        file_addresses(text + 1, addr);
    else if (strcmp(text, "-") == 0)
        file_addresses(text, addr);
    else if (wsim_address_lanes(scope, text, addr, &error) == WSIM_OK)
        return;
    else if (strcmp(error.rule, "address.declaration.wrong") != 0 && is_file(text))
        file_addresses(text, addr);
    else
        refuse(scope, option, text, &error);
}
