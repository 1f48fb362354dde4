/* Atoms of CuTe: parts of their names, and the arguments of their templates. */
#include "name.h"

#include <string.h>

/* --- types in a name --- */

/* The length of the longest type that `text` begins with. */
static size_t longest_type(const char *text, size_t n, uint64_t *types) {
    static const struct {
        const char *name;
        uint8_t format;
    } rows[] = {
#define TYPE(name, format) {name, FORMAT_##format},
#include "name.def"
    };
    size_t longest = 0;
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (name_begins(text, n, isa_formats[f].name) && strlen(isa_formats[f].name) > longest) {
            longest = strlen(isa_formats[f].name);
            *types = UINT64_C(1) << f;
        }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (name_begins(text, n, rows[i].name) && strlen(rows[i].name) > longest) {
            longest = strlen(rows[i].name);
            *types = UINT64_C(1) << rows[i].format;
        }
    return longest;
}

/* The same of complex numbers; the first of a name is that of the result, and says how many
 * products they are. */
static size_t complex_type(const char *text, size_t n, uint64_t *types, struct wsim_atom *atom) {
    static const struct {
        const char *name;
        uint8_t format, times;
    } rows[] = {
#define COMPLEX(name, format, times) {name, FORMAT_##format, times},
#include "name.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (name_begins(text, n, rows[i].name)) {
            *types = UINT64_C(1) << rows[i].format;
            atom->times = atom->times > 1 ? atom->times : rows[i].times;
            return strlen(rows[i].name);
        }
    return 0;
}

/* "F32F16F16F32": one type after another. */
static int read_run(const char *text, size_t n, struct name_wanted *w) {
    while (n) {
        uint64_t types = 0;
        size_t length = complex_type(text, n, &types, &w->atom);
        if (!length)
            length = longest_type(text, n, &types);
        if (length == 0 || !name_put_type(w, types))
            return 0;
        text += length;
        n -= length;
    }
    return 1;
}

/* "TN": whether A and B are transposed, in terms of BLAS, where N is by columns. */
static int is_layouts(const char *text, size_t n) {
    return n == 2 && (text[0] == 'T' || text[0] == 'N') && (text[1] == 'T' || text[1] == 'N');
}

/* --- arguments --- */

static struct argument trimmed(const char *name, const char *from, const char *end) {
    while (from < end && strchr(" \t\r\n", *from))
        from++;
    while (from < end && strchr(" \t\r\n", end[-1]))
        end--;
    return (struct argument){from, (size_t)(end - from), (uint32_t)(from - name) + 1};
}

/* Splits the arguments between the first '<' and its '>'; braces may follow. Nested templates stay
 * whole at any depth. */
enum wsim_status name_split(const char *name, const char *open, struct arguments *list,
                            struct wsim_diag *diag) {
    const char *from = open + 1, *at = open;
    size_t depth = 0;
    list->count = 0;
    do {
        depth += *at == '<';
        if (*at == '\0')
            return base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, (uint32_t)(open - name) + 1,
                               "this '<' is never closed");
        if (depth == 1 && (*at == ',' || *at == '>')) {
            if (list->count == ARGUMENTS)
                return base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, (uint32_t)(at - name) + 1,
                                   "an atom has at most %d arguments", ARGUMENTS);
            list->at[list->count++] = trimmed(name, from, at);
            from = at + 1;
        }
        depth -= *at == '>';
        at++;
    } while (depth);
    if (list->count == 1 && list->at[0].n == 0) /* <> */
        list->count = 0;
    at += strspn(at, " {}");
    return *at ? base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, (uint32_t)(at - name) + 1,
                             "unexpected text after the arguments")
               : WSIM_OK;
}

/* The last `parts` parts of a name between "::". The last two of cute::SM90::GMMA::Major::K are
 * Major::K. */
static struct argument last_parts(struct argument a, unsigned parts) {
    size_t i = a.n;
    while (i > 1) {
        i--;
        if (a.text[i] == ':' && a.text[i - 1] == ':' && --parts == 0) {
            a.text += i + 1;
            a.n -= i + 1;
            return a;
        }
        i -= a.text[i] == ':';
    }
    return a;
}

enum wsim_status name_wrong(const struct argument *a, const char *what, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, a->col, "argument '%.*s': %s",
                       a->n < 48 ? (int)a->n : 48, a->text, what);
}

/* The format of a C++ type; 0: not a type of an element. */
unsigned name_format(struct argument a) {
    static const struct {
        const char *name;
        uint8_t format;
    } rows[] = {
#define ARGUMENT(name, format) {name, FORMAT_##format},
#include "name.def"
    };
    a = last_parts(a, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].name) == a.n && memcmp(a.text, rows[i].name, a.n) == 0)
            return rows[i].format;
    return FORMAT_NONE;
}

uint32_t name_number(const struct argument *a) {
    uint32_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (!name_is_digit(a->text[i]) || (n = n * 10 + (uint32_t)(a->text[i] - '0')) > 1024)
            return 0;
    return n;
}

/* Reads the types of A, B and C. With block scales the type of the factors and the elements per
 * factor follow. */
static enum wsim_status read_types(const struct arguments *list, int scaled, uint32_t k,
                                   struct name_wanted *w, struct wsim_diag *diag) {
    unsigned want = scaled ? 5 : 3, format[4] = {0};
    uint32_t each = 0;
    if (list->count == 0)
        return WSIM_OK;
    if (list->count != want)
        return name_wrong(
            &list->at[list->count - 1],
            scaled ? "an atom takes five: the types of A, B, C and the scale factors, and "
                     "the elements per factor"
                   : "an atom takes three: the types of A, B and C",
            diag);
    for (unsigned i = 0; i < want && i < 4; i++)
        if ((format[i] = name_format(list->at[i])) == FORMAT_NONE)
            return name_wrong(&list->at[i], "must be a type such as float_e4m3_t", diag);
    if (scaled)
        each = name_number(&list->at[4]);
    if (scaled && (each == 0 || k % each || k / each > 9))
        return name_wrong(&list->at[4], "not a legal number of elements per scale factor", diag);
    if (scaled && !name_put_words(w, "scale_vec::*X", &"0123456789"[k / each], 1))
        return name_wrong(&list->at[4], "the name has too many words", diag);
    name_put_type(w, UINT64_C(1) << format[2]);
    name_put_type(w, UINT64_C(1) << format[0]);
    name_put_type(w, UINT64_C(1) << format[1]);
    name_put_type(w, UINT64_C(1) << format[2]);
    if (scaled)
        name_put_type(w, UINT64_C(1) << format[3]);
    return WSIM_OK;
}

int name_choice(struct argument a, uint8_t *number) {
    static const struct {
        const char *name;
        uint8_t kind, number;
    } rows[] = {
#define CHOICE(name, kind, number) {name, NAME_##kind, number},
#include "name.def"
    };
    a = last_parts(a, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].name) == a.n && memcmp(rows[i].name, a.text, a.n) == 0) {
            *number = rows[i].number;
            return rows[i].kind;
        }
    return -1;
}

/* Values of wgmma: majors of A and B, where the types do not fix them, signs of A and B, the
 * selector of metadata. Missing values are 0. */
static enum wsim_status read_choices(const struct arguments *list, int fixed,
                                     struct wsim_atom *atom, struct wsim_diag *diag) {
    uint8_t *const to[NAME_CHOICES][2] = {[NAME_MAJOR] = {&atom->trans_a, &atom->trans_b},
                                          [NAME_SCALE] = {&atom->negate_a, &atom->negate_b},
                                          [NAME_SELECT] = {&atom->selector, NULL}};
    unsigned taken[NAME_CHOICES] = {0};
    for (unsigned i = 0; i < list->count; i++) {
        uint8_t number = 0;
        const int kind = name_choice(list->at[i], &number);
        if (kind < 0 || !to[kind][0])
            return name_wrong(&list->at[i],
                              "must be GMMA::Major::K or MN, GMMA::ScaleIn::One or Neg, or "
                              "GMMA::SparseSel::Zero or One",
                              diag);
        if (kind == NAME_MAJOR && fixed)
            return name_wrong(&list->at[i], "with these types A and B must be K-major (TN)", diag);
        if (taken[kind] == 2 || !to[kind][taken[kind]])
            return name_wrong(&list->at[i], "one too many of this kind", diag);
        *to[kind][taken[kind]++] = number;
    }
    if (taken[NAME_MAJOR] == 1)
        return name_wrong(&list->at[0], "give the majors of both A and B", diag);
    if (atom->a_in == WSIM_ATOM_REGISTERS && atom->trans_a)
        return name_wrong(&list->at[0], "A in registers must be K-major", diag);
    return WSIM_OK;
}

/* The bytes of a copied type; 0: unknown. */
static uint8_t bytes_of(struct argument a) {
    static const struct {
        const char *name;
        uint8_t bytes;
    } rows[] = {
#define UNIT(name, bytes) {name, bytes},
#include "name.def"
    };
    a = last_parts(a, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].name) == a.n && memcmp(a.text, rows[i].name, a.n) == 0)
            return rows[i].bytes;
    return 0;
}

/* --- atoms that multiply --- */

struct atom {
    struct name_wanted *w;
    const char *layouts; /* "TN"; NULL: not said */
    uint32_t k;          /* of the shape; 0: none was said */
    int group;           /* of a warpgroup       */
    int scaled;          /* it scales blocks     */
};

static const char *words_of(const char *text, size_t n) {
    static const struct {
        const char *name, *words;
    } rows[] = {
#define PART(name, words) {name, words},
#include "name.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (name_same(text, n, rows[i].name))
            return rows[i].words;
    return NULL;
}

/* A part may be said twice: SM120::SPARSE::SM120_SPARSE_... */
static int is_put(const struct name_wanted *w, const char *words) {
    size_t n = strcspn(words, ".");
    for (unsigned i = 0; i < w->words; i++)
        if (name_same(words, n, w->word[i].text))
            return 1;
    return 0;
}

/* Words of a part, or what the part is by rule. Where A lies is the first letter of two. */
static int read_part(struct atom *a, const char *part, size_t n) {
    const char *words = words_of(part, n);
    if (words && strcmp(words, "wgmma") == 0) { /* said several times */
        a->group = 1;
        if (n == 2)
            a->w->atom.a_in = *part == 'S' ? WSIM_ATOM_SHARED : WSIM_ATOM_REGISTERS;
        return 1;
    }
    if (words && strncmp(words, "kind::", 6) == 0 && a->scaled)
        return 1;
    if (words)
        return is_put(a->w, words) || name_put_words(a->w, words, NULL, 0);
    if (a->scaled && name_same(part, n, "VS"))
        return 1;
    if (is_layouts(part, n)) {
        a->layouts = part;
        return 1;
    }
    if (n == 0 || name_same(part, n, "cute") || (name_begins(part, n, "SM") && n > 2))
        return 1;
    return name_is_digit(*part) ? name_put_extents(a->w, part, n, &a->k) : read_run(part, n, a->w);
}

static int read_scaled(const char *text, size_t n, struct name_wanted *w) {
    static const struct {
        const char *name, *words;
    } rows[] = {
#define SCALED(name, words) {name, words},
#include "name.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (name_same(text, n, rows[i].name))
            return name_put_words(w, rows[i].words, NULL, 0);
    return 0;
}

static int put_family(const struct atom *a) {
    if (a->group)
        return name_put_words(a->w, "wgmma.mma_async", NULL, 0);
    return (!a->layouts || (name_put_words(a->w, a->layouts[0] == 'T' ? "row" : "col", NULL, 0) &&
                            name_put_words(a->w, a->layouts[1] == 'T' ? "row" : "col", NULL, 0))) &&
           name_put_words(a->w, "mma", NULL, 0);
}

static enum wsim_status read_product(const char *text, size_t end, const struct arguments *list,
                                     struct name_wanted *w, struct wsim_diag *diag) {
    struct atom a = {.w = w};
    struct argument last = last_parts((struct argument){text, end, 1}, 1);
    int known = 1;
    a.scaled = read_scaled(last.text, last.n, w);
    for (size_t i = 0, n; known && i < end; i += n + 1) {
        n = 0;
        while (i + n < end && !strchr("_:", text[i + n]))
            n++;
        known = read_part(&a, text + i, n);
    }
    if (!known || !a.k || !put_family(&a) || (!w->types && (a.group || a.layouts == NULL)))
        return name_refuse_unknown(text, diag);
    if (a.group)
        return read_choices(list, a.layouts != NULL, &w->atom, diag);
    if (w->types && list->count)
        return name_wrong(&list->at[0], "the name already has the types and takes no arguments",
                          diag);
    return w->types ? WSIM_OK : read_types(list, a.scaled, a.k, w, diag);
}

enum wsim_status name_read_atom(const char *text, struct name_wanted *w, struct wsim_diag *diag) {
    size_t n = strlen(text), end = strcspn(text, "<");
    struct arguments list = {.count = 0};
    struct argument last;
    enum wsim_status status = WSIM_OK;
    if (n >= NAME_MOST)
        return base_refuse(diag, RULE_NAME_WORD_UNKNOWN, 0, "unknown name of %lu characters",
                           (unsigned long)n);
    if (text[end])
        status = name_split(text, text + end, &list, diag);
    if (status)
        return status;
    last = last_parts((struct argument){text, end, 1}, 1);
    if (name_read_row(last.text, last.n, w)) {
        w->atom.bytes = list.count ? bytes_of(list.at[0]) : 0;
        return WSIM_OK;
    }
    status = name_read_other(text, last.text, last.n, diag);
    return status ? status : read_product(text, end, &list, w, diag);
}
