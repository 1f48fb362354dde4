/* wsim number: a number as the bits of a format, and bits as a number. */
#include "../common/memory.h"
#include "../common/doc.h"
#include "../common/names.h"
#include "../common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Shows the bits of each number in a format, the value of these bits, and whether the number\n"
    "is exact or was rounded (to nearest even). A NUMBER is decimal, inf, nan, or 0x and the\n"
    "bits. Bits are grouped as sign, exponent and fraction. A FORMAT is a PTX type (f16, bf16,\n"
    "tf32, e4m3, e2m1, ue8m0, s8 ...) or an everyday name (half, fp8); all prints every format\n"
    "of factors and sums. The FORMAT may also come last. Put -- before the first negative\n"
    "number. Exit status 1 if a number was rounded or does not fit.\n";
static const char examples[] = "  wsim number e4m3 0.1 448 0x7f\n"
                               "  wsim number all 3.14159 --format csv\n";

static const char *const all[] = {"f64",  "f32",  "tf32", "bf16", "f16",   "e5m2",
                                  "e4m3", "e3m2", "e2m3", "e2m1", "ue8m0", "ue4m3",
                                  "s32",  "s8",   "u8",   "s4",   "u4",    "b1"};
enum { ALL = sizeof all / sizeof all[0] };

/* A number in a format. */
struct number {
    const struct wsim_format *format;
    const char *text;
    int known, exact; /* it has bits; they are the number itself */
    uint64_t bits;
    char value[WSIM_NUMBER_TEXT];
    struct wsim_diag diag; /* why it has none */
};

static struct number number_of(const struct wsim_format *format, const char *text) {
    struct number n = {.format = format, .text = text};
    int from_bits;
    n.known = wsim_format_read(format, text, WSIM_RN, &n.exact, &n.bits, &n.diag) == WSIM_OK;
    n.exact = n.exact && n.known;
    from_bits = strncmp(text, "0x", 2) == 0 && n.known && format->kind == WSIM_BINARY &&
                wsim_format_decode(format, n.bits).cls == WSIM_FINITE;
    if (n.known && n.exact && !from_bits)
        wsim_format_write(format, n.bits, n.value);
    else if (n.known) /* with digits that show the lost part, or what the bits are */
        snprintf(n.value, sizeof n.value, "%.*g", format->bits > 32 ? 20 : 12,
                 wsim_to_double(format, n.bits));
    return n;
}

/* Sign, exponent and fraction, or all bits of a whole number. */
static void put_fields(const struct number *n, char out[96]) {
    const struct wsim_format *f = n->format;
    size_t used = 0;
    for (unsigned bit = f->bits; bit-- > 0;) {
        out[used++] = n->bits >> bit & 1 ? '1' : '0';
        if (f->kind == WSIM_BINARY && bit &&
            (bit == f->frac_bits || (f->is_signed && bit == f->bits - 1u)))
            out[used++] = ' ';
    }
    out[used] = '\0';
}

static int digits_of(const struct wsim_format *format) {
    return (format->bits + 3) / 4;
}

/* The row of a number in JSON and CSV, and its line. */
static void add_number(struct doc *doc, const struct number *n) {
    char fields[96], hex[24];
    doc_row(doc);
    doc_word(doc, n->format->name);
    doc_word(doc, n->text);
    doc_cell(doc, json_boolean(n->exact), "%d", n->exact);
    doc_only(doc, TOOL_TEXT);
    if (!n->known) {
        doc_set(doc, "because", tool_json_text(n->diag.text));
        doc_line(doc, "%-5s %s  -  %s", n->format->name, text_cut(n->text).text, n->diag.text);
        return;
    }
    put_fields(n, fields);
    snprintf(hex, sizeof hex, "%0*" PRIx64, digits_of(n->format), n->bits);
    doc_word(doc, hex);
    doc_word(doc, n->value);
    doc_line(doc, "%-5s %s  0x%s  %s  %s  %s", n->format->name, text_cut(n->text).text, hex, fields,
             n->value, n->exact ? "exact" : "rounded");
}

static void add_numbers(struct doc *doc, const struct number *numbers, size_t count) {
    static const struct doc_column columns[] = {{"format", NULL, 0}, {"number", NULL, 0},
                                                {"exact", NULL, 0},  {"bits", NULL, 0},
                                                {"value", NULL, 0},  {NULL, NULL, 0}};
    doc_table(doc, "numbers", columns);
    for (size_t i = 0; i < count; i++)
        add_number(doc, &numbers[i]);
    doc_leave(doc);
}

/* --- pages --- */

enum { SIGN = 3, EXPONENT, FRACTION }; /* values of WSIM_HUE_DIGIT */

static int32_t field_of(const struct wsim_format *f, unsigned bit) {
    if (f->kind != WSIM_BINARY)
        return f->is_signed && bit == f->bits - 1u ? SIGN : FRACTION;
    if (bit < f->frac_bits)
        return FRACTION;
    return f->is_signed && bit == f->bits - 1u ? SIGN : EXPONENT;
}

/* The columns of the bits. The first column of a field has its name, or only the initial: a cell is
 * as wide as two letters. */
static void add_columns(struct doc *doc, const struct wsim_format *f) {
    static const char *const names[] = {"sign", "exponent", "fraction"};
    for (unsigned bit = f->bits, width; bit > 0; bit -= width) {
        const int32_t field = field_of(f, bit - 1);
        const char *name =
            f->kind != WSIM_BINARY && field == FRACTION ? "number" : names[field - SIGN];
        for (width = 1; width < bit && field_of(f, bit - 1 - width) == field;)
            width++;
        for (unsigned i = 0; i < width; i++)
            doc_column(doc, DOC_KEEP, NULL, "%.*s",
                       i                          ? 0
                       : strlen(name) > 2 * width ? 1
                                                  : (int)strlen(name),
                       name);
    }
    doc_column(doc, DOC_KEEP, NULL, "value");
    doc_column(doc, DOC_KEEP, NULL, "exact");
    doc_column(doc, DOC_KEEP, NULL, "hex");
}

static void add_bits(struct doc *doc, const struct number *n) {
    const struct wsim_format *f = n->format;
    doc_row(doc);
    doc_cell(doc, NULL, "%s", text_cut(n->text).text);
    for (unsigned bit = f->bits; bit-- > 0;) {
        doc_cell(doc, NULL, "%s", !n->known ? "" : n->bits >> bit & 1 ? "1" : "0");
        doc_shade(doc, n->known ? field_of(f, bit) : -1, n->known ? 0 : WSIM_CELL_EMPTY);
    }
    if (!n->known) {
        doc_caption(doc, "%s", n->diag.text);
        return;
    }
    doc_cell(doc, NULL, "%s", n->value);
    doc_cell(doc, NULL, "%s", n->exact ? "exact" : "rounded");
    doc_cell(doc, NULL, "0x%0*" PRIx64, digits_of(f), n->bits);
}

/* The numbers in one format, which are `step` apart. */
static void add_format(struct doc *doc, const struct number *numbers, size_t count, size_t step) {
    static const struct doc_column columns[] = {{NULL, "number", 0}, {NULL, NULL, 0}};
    const struct wsim_format *f = numbers->format;
    struct wsim_panel *panel;
    doc_table(doc, NULL, columns);
    add_columns(doc, f);
    panel = doc_panel(doc);
    panel->ruler = panel->texts = 1;
    panel->hue = WSIM_HUE_DIGIT;
    panel->values = FRACTION + 1;
    doc_heading(doc, "%s", f->name);
    if (f->kind == WSIM_BINARY)
        doc_caption(doc, "%s%u bits of exponent, bias %d, %u of fraction",
                    f->is_signed ? "sign, " : "", f->exp_bits, f->bias, f->frac_bits);
    else
        doc_caption(doc, "%u bits%s", f->bits, f->is_signed ? ", two's complement" : "");
    for (size_t i = 0; i < count; i += step)
        add_bits(doc, &numbers[i]);
    doc_leave(doc);
}

/* The formats that a word means: NULL after the last; none: it means nothing. */
static void find_formats(const char *word, const struct wsim_format *formats[ALL + 1]) {
    char name[32] = "";
    struct named_types types;
    size_t n = 0, i = 0;
    memset(formats, 0, (ALL + 1) * sizeof *formats);
    for (; word[i] && i + 1 < sizeof name; i++)
        name[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 'a' - 'A' : word[i]);
    if (word[i])
        return;
    types = named_types(name);
    for (i = 0; i < ALL && strcmp(name, "all") == 0; i++)
        formats[n++] = wsim_format_find(all[i]);
    for (i = 0; n == 0 || (i && i < NAME_TYPES); i++) {
        const struct wsim_format *format = types.type[i] ? wsim_format_find(types.type[i]) : NULL;
        if (!format || format->bits > 64)
            break;
        formats[i] = format;
        n = i + 1;
    }
}

/* `numbers` are in the order of the arguments, of each its formats. */
static int print(const struct number *numbers, size_t nnumbers, size_t nformats,
                 enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.number");
    add_numbers(doc, numbers, nnumbers);
    doc_title(doc, "Numbers in bits");
    doc_only(doc, DOC_PAGES);
    for (size_t i = 0; i < nformats && doc_is(doc, DOC_PAGES); i++)
        add_format(doc, numbers + i, nnumbers - i, nformats);
    return doc_close(doc, TOOL_FINE);
}

static int answer(const char **args, const struct wsim_format *const *formats,
                  enum tool_format format) {
    struct number *numbers = NULL;
    size_t nnumbers = 0, nformats = 0;
    int lossy = 0, status;
    while (formats[nformats])
        nformats++;
    for (; *args; args++)
        for (size_t i = 0; i < nformats; i++) {
            struct number *n;
            numbers = memory_grow(numbers, (nnumbers + 1) * sizeof *numbers);
            n = &numbers[nnumbers++];
            *n = number_of(formats[i], *args);
            lossy |= !n->exact;
            if (!n->known && (nformats == 1 || n->diag.status == WSIM_SYNTAX))
                tool_refuse(NULL, &n->diag);
        }
    status = print(numbers, nnumbers, nformats, format);
    free(numbers);
    return status == TOOL_FINE && lossy ? TOOL_FOUND : status;
}

/* The format is the last word as well, "0.1 f16": then it comes first. */
static int last_first(const char **args) {
    const struct wsim_format *formats[ALL + 1];
    const char *last;
    size_t n = 0;
    while (args[n])
        n++;
    last = args[n - 1];
    find_formats(last, formats);
    if (!formats[0])
        return 0;
    for (size_t i = n - 1; i > 0; i--)
        args[i] = args[i - 1];
    args[0] = last;
    return 1;
}

/* The word that was meant as a format: the first, or the last if the first is a number. */
static const char *not_a_number(const char **args) {
    size_t last = 0;
    while (args[last + 1])
        last++;
    return strchr("+-.0123456789", *args[0]) && !strchr("+-.0123456789", *args[last]) ? args[last]
                                                                                      : args[0];
}

static int run(struct tool *tool) {
    const struct wsim_format *formats[ALL + 1];
    const char **args = tool->args;
    if (!args[0] || !args[1])
        tool_fail("give a format and numbers, such as wsim number f16 0.1");
    find_formats(args[0], formats);
    if (!formats[0] && last_first(args))
        find_formats(args[0], formats);
    if (!formats[0])
        tool_fail("unknown format '%s': use a PTX type such as f16 e4m3 tf32 s8, or all",
                  text_cut(not_a_number(args)).text);
    return answer(args + 1, formats, tool->format);
}

/* clang-format off */
const struct tool_command number_command = {
    "FORMAT|all NUMBER...", about, examples, NULL, 0, TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
