/* Parts that all commands share; see tool.h. */
#include "tool.h"
#include "memory.h"
#include "names.h"
#include "output.h"
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MESSAGE = 2048 };

static char *caught; /* takes messages in place of standard error */
static size_t caught_size;

/* All messages on standard error go through here: control characters are masked. */
static void say(const char *before, const char *format, va_list args) {
    char text[MESSAGE];
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    text_mask(text);
    if (caught)
        snprintf(caught, caught_size, "%s", text);
    else
        fprintf(stderr, "%s%s\n", before, text);
}

void tool_catch(char *text, size_t size) {
    caught = text;
    caught_size = size;
}

/* "wsim: " and the input that is read. */
static char subject[MESSAGE] = "wsim: ";

void tool_subject(const char *text) {
    snprintf(subject, sizeof subject, "wsim: %s", text);
    text_mask(subject);
}

int tool_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(subject, format, args);
    va_end(args);
    return TOOL_USAGE;
}

/* The memory of the command ends with the program. A search for leaks in exit() would find it. */
void tool_end(int status) {
    status = output_finish(status);
    fflush(NULL);
    _Exit(status);
}

void tool_fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(subject, format, args);
    va_end(args);
    tool_end(TOOL_USAGE);
}

void tool_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

int tool_refused(const char *what, const struct wsim_diag *diag) {
    char at[32] = "";
    if (diag->col)
        snprintf(at, sizeof at, "column %u: ", (unsigned)diag->col);
    tool_error("%s%s%s%s", what ? what : "", what ? ": " : "", at, diag->text);
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

void tool_refuse(const char *what, const struct wsim_diag *diag) {
    tool_end(tool_refused(what, diag));
}

enum { FORMATS = 9 };
static const char *const formats[FORMATS] = {"text", "json", "csv",   "md",   "svg",
                                             "html", "cute", "sarif", "junit"};

void tool_list_formats(unsigned allowed, char out[TOOL_FORMATS_TEXT]) {
    size_t n = 0;
    allowed &= (1u << FORMATS) - 1;
    for (unsigned i = 0; i < FORMATS; i++)
        if (allowed >> i & 1)
            n += (size_t)snprintf(out + n, TOOL_FORMATS_TEXT - n, "%s%s",
                                  n == 0                   ? ""
                                  : allowed >> i >> 1 == 0 ? " or "
                                                           : ", ",
                                  formats[i]);
}

void tool_allows(enum tool_format format, unsigned allowed) {
    char can_be[TOOL_FORMATS_TEXT] = "";
    unsigned i = 0;
    if (format & allowed)
        return;
    tool_list_formats(allowed, can_be);
    while (1u << i != (unsigned)format)
        i++;
    tool_fail("format %s is not available here: choose %s", formats[i], can_be);
}

enum tool_format tool_format(const char *name, unsigned allowed) {
    char can_be[TOOL_FORMATS_TEXT] = "";
    for (unsigned i = 0; name && i < FORMATS; i++)
        if (strcmp(name, formats[i]) == 0 ||
            ((1u << i) == TOOL_MARKDOWN && strcmp(name, "markdown") == 0)) {
            tool_allows((enum tool_format)(1u << i), allowed);
            return (enum tool_format)(1u << i);
        }
    if (!name)
        return TOOL_TEXT;
    tool_list_formats(allowed, can_be);
    tool_fail("unknown format '%s': choose %s", text_cut(name).text, can_be);
}

/* An error here is a text that JSON cannot have: memory.h handles a lack of memory, main() errors
 * of standard output. */
void tool_print_json(json_t *root) {
    if (!root || (json_dumpf(root, stdout, JSON_INDENT(1)) && !ferror(stdout)))
        exit(tool_error("the answer cannot be written as JSON"));
    putchar('\n');
    json_decref(root);
}

json_t *tool_json_text(const char *text) {
    char *copy = memory_text(text, strlen(text));
    json_t *string;
    text_mask(copy);
    string = json_string(copy);
    free(copy);
    return string;
}

int tool_is_number(const char *text, size_t length, uint32_t most, uint32_t *value) {
    static const char digits[] = "0123456789abcdef";
    int hex = length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
    size_t base = hex ? 16 : 10, i;
    uint64_t number = 0;
    for (i = hex ? 2 : 0; i < length && number <= most; i++) {
        const char *digit = memchr(digits, tolower((unsigned char)text[i]), base);
        if (!digit)
            return 0;
        number = number * base + (size_t)(digit - digits);
    }
    if (length == 0 || number > most)
        return 0;
    *value = (uint32_t)number;
    return 1;
}

void tool_number(const char *option, const char *text, uint32_t most, uint32_t *value) {
    if (!text || tool_is_number(text, strlen(text), most, value))
        return;
    if (most == 0)
        tool_fail("%s '%s': must be 0", option, text_cut(text).text);
    tool_fail("%s '%s': must be a number from 0 to %lu, decimal or 0x hex", option,
              text_cut(text).text, (unsigned long)most);
}

unsigned tool_processors(unsigned most) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned long)count < most ? (unsigned)count : most;
}

unsigned tool_jobs(int given, unsigned most) {
    if (given < 0 || (unsigned)given > most)
        tool_fail("--jobs %d: 0 to %u", given, most);
    return given ? (unsigned)given : tool_processors(most);
}

int tool_has_tcgen05(const struct wsim_arch *arch) {
    return wsim_arch_limit(arch, WSIM_LIMIT_TENSOR_COLUMNS) > 0;
}

const struct wsim_arch *tool_arch(const char *name) {
    const struct wsim_arch *arch = wsim_arch_called(name ? name : WSIM_ARCH_USUAL);
    struct name_hint hint = {""};
    char product[40];
    if (arch)
        return wsim_arch_find(wsim_arch_name(arch));
    snprintf(product, sizeof product, "rtx%.32s", name); /* "4090" */
    if (wsim_arch_called(product))
        snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", product);
    else if (strlen(name) > 3)
        hint = name_near_arch(name);
    tool_error("unknown architecture '%s'%s (wsim arch lists all targets and products)",
               text_cut(name).text, hint.text);
    return NULL;
}

const struct wsim_arch *tool_target(const char *name) {
    const struct wsim_arch *arch = tool_arch(name);
    if (!arch)
        tool_end(TOOL_USAGE);
    return arch;
}

const char *tool_arch_for(const struct wsim_op *op) {
    const struct wsim_arch *arch = wsim_arch_called(WSIM_ARCH_USUAL);
    for (size_t i = 0; arch && wsim_op_check(op, arch, NULL); i++)
        arch = wsim_arch_at(i);
    return arch ? wsim_arch_name(arch) : WSIM_ARCH_USUAL;
}

uint64_t tool_descriptor(const char *what, const char *text) {
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    if (!*digits || strlen(digits) > 16 ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        tool_fail("%s '%s': must be up to 16 hex digits", what, text_cut(text).text);
    return strtoull(digits, NULL, 16);
}

enum wsim_operand tool_operand(const char *name, const char *can_be) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (strcasecmp(name, wsim_operand_name((enum wsim_operand)i)) == 0)
            return (enum wsim_operand)i;
    tool_fail("unknown operand '%s': must be %s", text_cut(name).text, can_be);
}

int tool_moves_fragment(const struct wsim_op *op) {
    return wsim_op_describe(op).counting == WSIM_COUNT_FRAGMENT;
}

int tool_moves_rows(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.matrices && info.bytes;
}
