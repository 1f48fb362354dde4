/* Types and declarations of C: sizes and places of elements. There are no structs, templates or
 * typedefs: these need a compiler. */
#include "reader.h"

#include <wsim/format.h>

#include <string.h>

static int take_word(struct expr_reader *r, const char *word) {
    size_t n;
    expr_skip_blanks(r);
    n = expr_word(r);
    if (!expr_is_word(r->at, n, word))
        return 0;
    r->at += n;
    return 1;
}

uint64_t expr_bytes(const struct wsim_address_type *type) {
    uint64_t bytes = type->bytes;
    for (unsigned i = 0; i < type->dims; i++)
        bytes =
            type->dim[i] && bytes > UINT64_MAX / type->dim[i] ? UINT64_MAX : bytes * type->dim[i];
    return bytes;
}

/* --- types --- */

static const struct {
    const char *name;
    enum expr_int kind;
    uint8_t bytes;
} types[] = {
#define CTYPE(name, kind, bytes) {name, EXPR_##kind, bytes},
#include "ctype.def"
};

static const struct {
    const char *name;
    uint8_t bytes;
} vectors[] = {
#define CVECTOR(name, bytes) {name, bytes},
#include "ctype.def"
};

/* Formats of PTX that are whole bytes in memory. */
static int find_format(const char *text, size_t n, struct expr_named *named) {
    char name[16] = "";
    const struct wsim_format *format;
    if (n >= sizeof name)
        return 0;
    memcpy(name, text, n);
    format = wsim_format_find(name);
    if (!format || (format->bits + format->pad) % 8)
        return 0;
    named->type.bytes = (format->bits + format->pad) / 8u;
    named->kind = EXPR_OTHER;
    return 1;
}

static int find_type(const char *text, size_t n, struct expr_named *named) {
    memset(named, 0, sizeof *named);
    named->type.parts = 1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (expr_is_word(text, n, types[i].name)) {
            named->type.bytes = types[i].bytes;
            named->kind = types[i].kind;
            return 1;
        }
    for (size_t i = 0; n && i < sizeof vectors / sizeof vectors[0]; i++)
        if (text[n - 1] >= '2' && text[n - 1] <= '4' &&
            expr_is_word(text, n - 1, vectors[i].name)) {
            named->type.parts = (uint8_t)(text[n - 1] - '0');
            named->type.bytes = (uint32_t)vectors[i].bytes * named->type.parts;
            named->kind = EXPR_OTHER;
            return 1;
        }
    return n && find_format(text, n, named);
}

static int take_qualifiers(struct expr_reader *r) {
    int taken = 0;
    while (take_word(r, "const") || take_word(r, "volatile") || take_word(r, "__restrict__"))
        taken = 1;
    return taken;
}

/* "cute::", "std::" ... */
static void take_scope(struct expr_reader *r) {
    for (;;) {
        size_t n;
        expr_skip_blanks(r);
        n = expr_word(r);
        if (!n || strncmp(r->at + n, "::", 2) != 0)
            return;
        r->at += n + 2;
    }
}

/* The words of an integer type in any order: unsigned char, long unsigned int ... */
static int take_integer(struct expr_reader *r, struct expr_named *named) {
    int is_unsigned = 0, is_signed = 0, longs = 0;
    uint32_t bytes = 4;
    for (;;) {
        if (take_word(r, "unsigned"))
            is_unsigned = 1;
        else if (take_word(r, "signed"))
            is_signed = 1;
        else if (take_word(r, "long"))
            longs++;
        else if ((is_unsigned || is_signed || longs) && take_word(r, "int"))
            continue;
        else if ((is_unsigned || is_signed) && take_word(r, "char"))
            bytes = 1;
        else if ((is_unsigned || is_signed) && take_word(r, "short"))
            bytes = 2;
        else
            break;
    }
    if (!is_unsigned && !is_signed && !longs)
        return 0;
    memset(named, 0, sizeof *named);
    named->type.parts = 1;
    named->type.bytes = longs ? 8 : bytes;
    named->kind = is_unsigned ? EXPR_UNSIGNED : EXPR_SIGNED;
    return 1;
}

int expr_read_type(struct expr_reader *r, struct expr_named *named) {
    const char *start = r->at;
    take_qualifiers(r);
    if (!take_integer(r, named)) {
        size_t n;
        take_scope(r);
        expr_skip_blanks(r);
        n = expr_word(r);
        if (expr_find_name(r->scope, r->at, n) || !find_type(r->at, n, named)) {
            r->at = start;
            return 0;
        }
        r->at += n;
    }
    take_qualifiers(r);
    while (expr_accept(r, '*')) {
        named->pointers++;
        take_qualifiers(r);
    }
    return 1;
}

/* --- declarations --- */

/* extern __shared__ __align__(16) ...: 1, if there is any; the alignment is kept. */
static int take_storage(struct expr_reader *r, uint32_t *align) {
    int taken = 0;
    for (;; taken = 1) {
        if (take_word(r, "extern") || take_word(r, "static") || take_word(r, "__shared__") ||
            take_word(r, "constexpr"))
            continue;
        if (!take_word(r, "__align__") && !take_word(r, "alignas"))
            return taken;
        if (!expr_accept(r, '(')) {
            expr_unexpected(r, "'('");
            return 1;
        }
        const char *where = r->at;
        int64_t n = expr_number(r);
        if (!r->status && (n < 1 || n > 4096 || (n & (n - 1))))
            expr_fail(r, where, "an alignment is a power of two up to 4096");
        if (!r->status && !expr_accept(r, ')'))
            expr_unexpected(r, "')'");
        if (r->status)
            return 1;
        *align = (uint32_t)n;
    }
}

/* [32][33]; the first one may be empty. */
static void take_dims(struct expr_reader *r, struct wsim_address_type *type) {
    while (!r->status && expr_accept(r, '[')) {
        const char *where = r->at;
        int64_t n = 0;
        if (type->dims == WSIM_ADDRESS_DIMS) {
            expr_fail(r, where, "an array has at most %d dimensions here", WSIM_ADDRESS_DIMS);
            return;
        }
        if (type->dims || !expr_accept(r, ']')) {
            expr_skip_blanks(r);
            where = r->at;
            n = expr_number(r);
            if (!r->status && (n < 1 || n > UINT32_MAX))
                expr_fail(r, where, "%lld elements: an array has 1 to 4294967295", (long long)n);
            if (!r->status && !expr_accept(r, ']'))
                expr_unexpected(r, "an operator or ']'");
        }
        type->dim[type->dims++] = (uint64_t)n;
        if (!r->status && expr_bytes(type) > UINT32_MAX)
            expr_fail(r, where, "the array has more bytes than an address reaches");
    }
}

static uint32_t alignment(const struct wsim_address_type *type) {
    uint32_t bytes = type->bytes / type->parts;
    uint32_t all = type->bytes & (type->bytes - 1) ? bytes : type->bytes;
    return all > 16 ? 16 : all;
}

/* Arrays follow each other, each at its alignment; a pointer points to the next free byte. */
static void place(struct expr_reader *r, struct wsim_address_arrays *arrays,
                  struct wsim_address_array *array, uint32_t align, const char *where) {
    uint64_t at = (arrays->end + align - 1) / align * align;
    uint64_t bytes = array->is_pointer ? 0 : expr_bytes(&array->type);
    array->at = at;
    arrays->end = at + bytes;
    if (arrays->end > UINT32_MAX)
        expr_fail(r, where, "the arrays have more bytes than an address reaches");
}

static void take_declarator(struct expr_reader *r, const struct expr_named *named, uint32_t align,
                            struct wsim_address_arrays *arrays) {
    struct wsim_address_array *array = &arrays->array[arrays->count];
    int inner = 0;
    const char *where;
    size_t n;
    expr_skip_blanks(r);
    if (arrays->count == WSIM_ADDRESS_ARRAYS) {
        expr_fail(r, r->at, "more than %d arrays", WSIM_ADDRESS_ARRAYS);
        return;
    }
    memset(array, 0, sizeof *array);
    array->type = named->type;
    if (expr_accept(r, '(')) {
        inner = array->is_pointer = 1;
        if (!expr_accept(r, '*'))
            expr_unexpected(r, "'*'");
    } else {
        array->is_pointer = (uint8_t)(named->pointers > 0 || expr_accept(r, '*'));
    }
    expr_skip_blanks(r);
    where = r->at;
    n = expr_word(r);
    if (r->status)
        return;
    if (named->pointers > 1) {
        expr_fail(r, where, "the target of a pointer to a pointer is not known");
        return;
    }
    if (!wsim_address_can_name(where, n) || expr_find_name(r->scope, where, n)) {
        expr_fail(r, where, n ? "this name has another meaning" : "a name is expected");
        return;
    }
    for (unsigned i = 0; i < arrays->count; i++)
        if (expr_is_word(where, n, arrays->array[i].text)) {
            expr_fail(r, where, "this name is declared already");
            return;
        }
    memcpy(array->text, where, n);
    r->at += n;
    if (inner && !expr_accept(r, ')')) {
        expr_unexpected(r, "')'");
        return;
    }
    take_dims(r, &array->type);
    if (!r->status && array->is_pointer && !inner && array->type.dims)
        expr_fail(r, where, "what the pointers of an array point to is not known");
    if (r->status)
        return;
    place(r, arrays, array, align ? align : alignment(&array->type), where);
    arrays->count += !r->status;
}

/* Whether a type and a name follow, and not a cast like int(x). */
static int is_declaration(const struct expr_reader *reader) {
    struct expr_reader r = *reader;
    struct expr_named named;
    uint32_t align;
    r.diag = NULL;
    if (take_storage(&r, &align))
        return 1;
    if (!expr_read_type(&r, &named))
        return 0;
    expr_skip_blanks(&r);
    return expr_word(&r) > 0 || (*r.at == '(' && r.at[1 + strspn(r.at + 1, " \t\r\n")] == '*');
}

void expr_declare(struct expr_reader *r, struct wsim_address_arrays *arrays) {
    while (!r->status) {
        struct expr_named named;
        uint32_t align = 0;
        expr_skip_blanks(r);
        if (expr_accept(r, ';'))
            continue;
        if (!is_declaration(r))
            return;
        take_storage(r, &align);
        if (!r->status && !expr_read_type(r, &named)) {
            expr_skip_blanks(r);
            expr_fail(r, r->at, "a type such as float, half, uint4 or int8_t is expected");
        }
        do
            take_declarator(r, &named, align, arrays);
        while (!r->status && expr_accept(r, ',') && !is_declaration(r));
        expr_skip_blanks(r);
        if (!r->status && *r->at && *r->at != ';' && !is_declaration(r))
            expr_unexpected(r, "'[', ',' or ';'");
    }
}
