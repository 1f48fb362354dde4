/* wsim number: a number as the bits of a format, and bits as a number. */
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/page.h"
#include "../common/text.h"
#include "../common/tool.h"

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
    else if (n.known) /* with digits that show what was lost, or what the bits are */
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

static void print_text(const struct number *n) {
    char fields[96];
    printf("%-5s %s", n->format->name, text_cut(n->text).text);
    if (!n->known) {
        printf("  -  %s\n", n->diag.text);
        return;
    }
    put_fields(n, fields);
    printf("  0x%0*" PRIx64 "  %s  %s  %s\n", digits_of(n->format), n->bits, fields, n->value,
           n->exact ? "exact" : "rounded");
}

static void print_csv(const struct number *n) {
    if (n->known)
        printf("%s,%s,0x%0*" PRIx64 ",%s,%d\n", n->format->name, text_cut(n->text).text,
               digits_of(n->format), n->bits, n->value, n->exact);
    else
        printf("%s,%s,,,0\n", n->format->name, text_cut(n->text).text);
}

static json_t *number_json(const struct number *n) {
    json_t *one = json_pack("{s:s, s:o, s:b}", "format", n->format->name, "number",
                            tool_json_text(n->text), "exact", n->exact);
    char hex[24];
    snprintf(hex, sizeof hex, "%0*" PRIx64, digits_of(n->format), n->bits);
    if (n->known)
        json_object_update_new(one, json_pack("{s:s, s:s}", "bits", hex, "value", n->value));
    else
        json_object_set_new(one, "because", tool_json_text(n->diag.text));
    return one;
}

/* --- pages --- */

/* Numbers of one format: a row each. */
struct fields {
    const struct wsim_format *format;
    const struct number *number; /* those of the format, one after another */
};

enum { SIGN = 3, EXPONENT, FRACTION }; /* values of WSIM_HUE_DIGIT */

static int32_t field_of(const struct wsim_format *f, unsigned bit) {
    if (f->kind != WSIM_BINARY)
        return f->is_signed && bit == f->bits - 1u ? SIGN : FRACTION;
    if (bit < f->frac_bits)
        return FRACTION;
    return f->is_signed && bit == f->bits - 1u ? SIGN : EXPONENT;
}

/* Behind the bits of a number. */
enum { VALUE, EXACT, HEX, BEHIND };

static void put_behind(const struct number *n, uint32_t col, char out[WSIM_CELL_TEXT]) {
    switch (n->known ? col : BEHIND) {
    case VALUE: snprintf(out, WSIM_CELL_TEXT, "%s", n->value); break;
    case EXACT: snprintf(out, WSIM_CELL_TEXT, "%s", n->exact ? "exact" : "rounded"); break;
    case HEX: snprintf(out, WSIM_CELL_TEXT, "0x%0*" PRIx64, digits_of(n->format), n->bits); break;
    default: snprintf(out, WSIM_CELL_TEXT, "-");
    }
}

static void field_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct fields *fields = p->about;
    const struct number *n = &fields->number[row];
    unsigned bit = fields->format->bits - 1u - col;
    cell->value = -1;
    cell->flags = n->known ? 0 : WSIM_CELL_EMPTY;
    if (!n->known || col >= fields->format->bits) {
        put_behind(n, col - fields->format->bits, cell->text);
        return;
    }
    cell->text[0] = n->bits >> bit & 1 ? '1' : '0';
    cell->text[1] = '\0';
    cell->value = field_of(fields->format, bit);
}

static void field_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct fields *fields = p->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", text_cut(fields->number[row].text).text);
}

static const char *name_of(const struct wsim_format *f, int32_t field) {
    static const char *const names[] = {"sign", "exponent", "fraction"};
    return f->kind != WSIM_BINARY && field == FRACTION ? "number" : names[field - SIGN];
}

/* A field begins with its name, or with the first letter if there is no room for more. */
static void field_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const behind[BEHIND] = {"value", "", "hex"};
    const struct wsim_format *f = ((const struct fields *)p->about)->format;
    unsigned bit = f->bits - 1u - col, width = 0;
    int32_t field;
    out[0] = '\0';
    if (col >= f->bits) {
        snprintf(out, WSIM_CELL_TEXT, "%s", behind[col - f->bits]);
        return;
    }
    field = field_of(f, bit);
    if (col && field_of(f, bit + 1) == field)
        return;
    while (width <= bit && field_of(f, bit - width) == field)
        width++;
    snprintf(out, WSIM_CELL_TEXT, "%s", name_of(f, field));
    if (strlen(out) > 2 * width) /* a cell is as wide as two letters */
        out[1] = '\0';
}

static void field_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                        char out[WSIM_CELL_TEXT]) {
    const struct fields *fields = p->about;
    unsigned bit = fields->format->bits - 1u - col;
    out[0] = '\0';
    if (fields->number[row].known && col < fields->format->bits)
        snprintf(out, WSIM_CELL_TEXT, "bit %u, of the %s", bit,
                 name_of(fields->format, field_of(fields->format, bit)));
}

static void add_format(struct page *page, const struct fields *fields, size_t rows) {
    const struct wsim_format *f = fields->format;
    struct wsim_panel panel = {.rows = (uint32_t)rows,
                               .cols = f->bits + (uint32_t)BEHIND,
                               .texts = 1,
                               .ruler = 1,
                               .hue = WSIM_HUE_DIGIT,
                               .values = FRACTION + 1,
                               .about = fields,
                               .cell = field_cell,
                               .row_head = field_row,
                               .col_head = field_col,
                               .title = field_title};
    snprintf(panel.heading, sizeof panel.heading, "%s", f->name);
    if (f->kind == WSIM_BINARY)
        snprintf(panel.caption, sizeof panel.caption,
                 "%s%u bits of exponent, bias %d, %u of fraction", f->is_signed ? "sign, " : "",
                 f->exp_bits, f->bias, f->frac_bits);
    else
        snprintf(panel.caption, sizeof panel.caption, "%u bits%s", f->bits,
                 f->is_signed ? ", two's complement" : "");
    for (size_t i = 0; i < rows; i++)
        if (!fields->number[i].known)
            snprintf(panel.note, sizeof panel.note, "%.500s", fields->number[i].diag.text);
    page_panel(page, &panel);
}

/* `numbers` are in the order of the arguments, of each its formats. */
static int print_page(const struct number *numbers, size_t nnumbers, size_t nformats,
                      enum tool_format format) {
    struct number *sorted = memory_make(nnumbers + 1, sizeof *sorted);
    struct fields *fields = memory_make(nformats, sizeof *fields);
    size_t rows = nnumbers / nformats;
    struct page page;
    int status;
    page_open(&page, "Numbers in bits");
    for (size_t f = 0; f < nformats; f++) {
        for (size_t i = 0; i < rows; i++)
            sorted[f * rows + i] = numbers[i * nformats + f];
        fields[f] = (struct fields){numbers[f].format, sorted + f * rows};
        add_format(&page, &fields[f], rows);
    }
    status = page_print(&page, format);
    free(sorted);
    free(fields);
    return status;
}

/* The formats that a word means: NULL behind the last; none: it means nothing. */
static void find_formats(const char *word, const struct wsim_format *formats[ALL + 1]) {
    char name[32] = "";
    struct name_types types;
    size_t n = 0, i = 0;
    memset(formats, 0, (ALL + 1) * sizeof *formats);
    for (; word[i] && i + 1 < sizeof name; i++)
        name[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 'a' - 'A' : word[i]);
    if (word[i])
        return;
    types = name_types(name);
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

static int print(const struct number *numbers, size_t nnumbers, size_t nformats,
                 enum tool_format format) {
    json_t *list;
    if (format != TOOL_JSON && format != TOOL_CSV && format != TOOL_TEXT)
        return print_page(numbers, nnumbers, nformats, format);
    if (format == TOOL_JSON) {
        list = json_array();
        for (size_t i = 0; i < nnumbers; i++)
            json_array_append_new(list, number_json(&numbers[i]));
        tool_print_json(
            json_pack("{s:s, s:i, s:o}", "schema", "wsim.number", "version", 1, "numbers", list));
        return TOOL_FINE;
    }
    if (format == TOOL_CSV)
        puts("format,number,bits,value,exact");
    for (size_t i = 0; i < nnumbers; i++)
        (format == TOOL_CSV ? print_csv : print_text)(&numbers[i]);
    return TOOL_FINE;
}

static int answer(const char **args, const struct wsim_format *const *formats,
                  enum tool_format format) {
    struct number *numbers = NULL;
    size_t nnumbers = 0, nformats = 0;
    int lossy = 0, status = TOOL_GO;
    while (formats[nformats])
        nformats++;
    for (; *args && status == TOOL_GO; args++)
        for (size_t i = 0; i < nformats && status == TOOL_GO; i++) {
            struct number *n;
            numbers = memory_grow(numbers, (nnumbers + 1) * sizeof *numbers);
            n = &numbers[nnumbers++];
            *n = number_of(formats[i], *args);
            lossy |= !n->exact;
            if (!n->known && (nformats == 1 || n->diag.status == WSIM_SYNTAX))
                status = tool_refused(NULL, &n->diag);
        }
    if (status == TOOL_GO)
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
        return tool_error("give a format and numbers, such as wsim number f16 0.1");
    find_formats(args[0], formats);
    if (!formats[0] && last_first(args))
        find_formats(args[0], formats);
    if (!formats[0])
        return tool_error("unknown format '%s': use a PTX type such as f16 e4m3 tf32 s8, or all",
                          text_cut(not_a_number(args)).text);
    return answer(args + 1, formats, tool->format);
}

/* clang-format off */
const struct tool_command number_command = {
    "FORMAT|all NUMBER...", about, examples, NULL, 0, TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
