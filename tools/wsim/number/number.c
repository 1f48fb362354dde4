/* wsim number: a number as the bits of a format, and bits as a number. */
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <inttypes.h>
#include <string.h>

static const struct tool_help help = {
    "wsim number", "FORMAT|all NUMBER...",
    "Says which bits each number has in a format, what these mean, and whether that is the number\n"
    "itself ('exact') or it was rounded to the nearest, of two the even one. A NUMBER is decimal,\n"
    "inf, nan, or 0x and the bits themselves. Bits are shown as sign, exponent and fraction. A\n"
    "FORMAT is a type of PTX (f16, bf16, tf32, e4m3, e2m1, ue8m0, s8 ...) or another word for one\n"
    "(half, fp8); all: each format of factors and sums, one below the other. The FORMAT may come\n"
    "last. Before a negative number stands --, once. Exit status 1 if a number was rounded or does "
    "not fit.\n",
    "  wsim number e4m3 0.1 448 0x7f\n"
    "  wsim number all 3.14159 --format csv\n"};

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

static int answer(const char **args, const struct wsim_format *const *formats,
                  enum tool_format format) {
    json_t *list = json_array();
    int lossy = 0, one = !formats[1], status = TOOL_GO;
    if (format == TOOL_CSV)
        puts("format,number,bits,value,exact");
    for (; *args && status == TOOL_GO; args++)
        for (size_t i = 0; formats[i] && status == TOOL_GO; i++) {
            struct number n = number_of(formats[i], *args);
            lossy |= !n.exact;
            if (!n.known && (one || n.diag.status == WSIM_SYNTAX))
                status = tool_refused(NULL, &n.diag);
            else if (format == TOOL_JSON)
                json_array_append_new(list, number_json(&n));
            else
                (format == TOOL_CSV ? print_csv : print_text)(&n);
        }
    if (status == TOOL_GO && format == TOOL_JSON)
        tool_print_json(
            json_pack("{s:s, s:i, s:O}", "schema", "wsim.number", "version", 1, "numbers", list));
    json_decref(list);
    return status != TOOL_GO ? status : lossy ? TOOL_FOUND : TOOL_FINE;
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

static int run(const char **args, const char *format_name) {
    const struct wsim_format *formats[ALL + 1];
    enum tool_format format;
    int status = tool_format(format_name, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status != TOOL_GO)
        return status;
    if (!args[0] || !args[1])
        return tool_error("a format and numbers are needed, such as wsim number f16 0.1");
    find_formats(args[0], formats);
    if (!formats[0] && last_first(args))
        find_formats(args[0], formats);
    if (!formats[0])
        return tool_error(
            "unknown format '%s': it is a type of PTX such as f16 e4m3 tf32 s8, or all",
            text_cut(args[0]).text);
    return answer(args + 1, formats, format);
}

int number_main(int argc, const char **argv) {
    char *format = NULL;
    const struct poptOption table[] = {
        {"format", 0, POPT_ARG_STRING, &format, 0, "text, json or csv", "FORMAT"},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run(tool.args, format);
    tool_close(&tool);
    return status;
}
