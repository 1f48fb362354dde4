/* Expressions about a warp; see value.h. */
#include "value.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8, ROWS = 256, BYTES = 1 << 16 };

/* --- read --- */

static int read_index(const char **at, struct term *term) {
    char *end;
    unsigned long value;
    if (term->n_index == 2 || (*at)[1] < '0' || (*at)[1] > '9')
        return 0;
    value = strtoul(*at + 1, &end, 10);
    if (*end != ']' || value > UINT32_MAX)
        return 0;
    term->index[term->n_index++] = (uint32_t)value;
    *at = end + 1;
    return 1;
}

/* "f32" or "f32x16" after the slash. */
static int read_type(const char **at, struct term *term) {
    size_t length = strcspn(*at, "[,"), type = length;
    unsigned bits;
    char *end;
    for (size_t i = 1; i < length; i++) /* f16x2 is a type, f32x16 has 16 columns */
        if ((*at)[i] == 'x' && strncmp(*at + i, "x2", 2) != 0)
            type = i;
    if (type >= VALUE_TYPE || !type)
        return 0;
    memcpy(term->type, *at, type);
    term->type[type] = 0;
    if (type < length) {
        unsigned long columns = strtoul(*at + type + 1, &end, 10);
        if (end != *at + length || !columns || columns > 4096)
            return 0;
        term->columns = (uint32_t)columns;
    }
    *at += length;
    return value_bits(term->type, &bits);
}

static int read_one(const char **at, struct term *term) {
    const size_t length = strcspn(*at, "/[,");
    *term = (struct term){.columns = 0};
    if (!length || length >= sizeof term->name)
        return 0;
    memcpy(term->name, *at, length);
    *at += length;
    if (**at == '/') {
        ++*at;
        if (!read_type(at, term))
            return 0;
    }
    while (**at == '[')
        if (!read_index(at, term))
            return 0;
    return !**at || **at == ',';
}

int term_read(const char *text, struct term **terms, size_t *count, const char **wrong) {
    const char *at = text;
    *count = 0;
    *terms = NULL;
    for (;;) {
        *terms = memory_grow(*terms, (*count + 1) * sizeof **terms);
        *wrong = at;
        if (!read_one(&at, &(*terms)[(*count)++]))
            return 0;
        if (!*at++)
            return 1;
    }
}

/* --- registers --- */

static json_t *lanes_json(const struct wsim_seen *view, const char *type, unsigned bits,
                          const uint64_t low[32], const uint64_t high[32]) {
    json_t *list = json_array();
    for (unsigned lane = 0; lane < 32; lane++)
        json_array_append_new(list, view->lanes >> lane & 1
                                        ? value_json(view, type, bits, low[lane], high[lane])
                                        : json_null());
    return list;
}

json_t *register_json(const struct wsim_seen *view, uint32_t index, const struct wsim_use *use,
                      const char *type) {
    uint64_t low[32], high[32];
    struct wsim_register reg;
    char own[VALUE_TYPE];
    unsigned bits;
    if (!wsim_seen_register(view, index, &reg) || !wsim_seen_values(view, index, low, high))
        return NULL;
    value_type(&reg, use, view->site.opcode, own);
    if (*type && value_bits(type, &bits) && bits == reg.bits)
        snprintf(own, sizeof own, "%s", type);
    return json_pack("{s:s, s:s, s:o}", "register", reg.name, "type", own, "values",
                     lanes_json(view, own, reg.bits, low, high));
}

/* The use of a register by the instruction; 0: it has none. */
static int use_of(const struct wsim_seen *view, uint32_t index, struct wsim_use *use) {
    for (uint32_t i = 0; wsim_seen_use(view, i, use); i++)
        if (use->reg == index)
            return 1;
    return 0;
}

static json_t *named_register(const struct wsim_seen *view, const struct term *term, char *why,
                              size_t size) {
    uint64_t values[32], high[32] = {0};
    struct wsim_use use;
    uint32_t index;
    json_t *out;
    if (wsim_seen_find(view, term->name, &index)) {
        out = register_json(view, index, use_of(view, index, &use) ? &use : NULL, term->type);
        if (!out)
            snprintf(why, size, "%.80s holds no value here", text_cut(term->name).text);
        return out;
    }
    if (wsim_seen_special(view, term->name, values)) {
        const char *type = *term->type ? term->type : "u64";
        return json_pack("{s:s, s:s, s:o}", "register", term->name, "type", type, "values",
                         lanes_json(view, type, 64, values, high));
    }
    snprintf(why, size, "%.80s has no register %s", view->site.function, text_cut(term->name).text);
    return NULL;
}

/* --- operands --- */

static json_t *matrix_json(const struct wsim_layout *layout, const uint64_t *matrix, char letter) {
    const char name[2] = {letter, 0};
    json_t *rows = json_array();
    for (unsigned row = 0; row < (unsigned)layout->batches * layout->rows; row++) {
        json_t *list = json_array();
        for (unsigned col = 0; col < layout->cols; col++) {
            const unsigned shift = layout->elem_bits >= layout->format->bits + layout->format->pad
                                       ? layout->format->pad
                                       : 0;
            json_array_append_new(list, value_json(NULL, layout->format->name, layout->elem_bits,
                                                   matrix[row * layout->cols + col] >> shift, 0));
        }
        json_array_append_new(rows, list);
    }
    return json_pack("{s:s, s:s, s:i, s:o}", "operand", name, "type", layout->format->name,
                     "matrices", (int)layout->batches, "values", rows);
}

/* The other warps of a warpgroup hold their rows of D and A. */
static void gather(const struct wsim_seen *view, const uint32_t *regs, unsigned n, int wide,
                   unsigned warps, uint32_t *words) {
    struct wsim_seen other = {.warp = 0};
    const struct wsim_seen *one = warps == 1 ? view : &other;
    const unsigned lanes = 32 * warps;
    do {
        if (warps > 1 && !wsim_seen_next(view, &other))
            break;
        if (one->warp / warps != view->warp / warps || one->depth != view->depth ||
            memcmp(one->block, view->block, sizeof view->block) != 0)
            continue;
        for (unsigned r = 0; r < n; r++) {
            uint64_t values[32];
            wsim_seen_values(one, regs[r], values, NULL);
            for (unsigned lane = 0; lane < 32; lane++) {
                const unsigned to = 32 * (one->warp % warps) + lane;
                words[(r << wide) * lanes + to] = (uint32_t)values[lane];
                if (wide)
                    words[((r << wide) + 1) * lanes + to] = (uint32_t)(values[lane] >> 32);
            }
        }
    } while (warps > 1);
}

/* A matrix of wgmma in shared memory, which a descriptor names. */
static json_t *tile_json(const struct wsim_seen *view, const struct wsim_op *op, uint32_t reg,
                         char letter, char *why, size_t size) {
    const char name[2] = {letter, 0};
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    struct wsim_diag diag;
    uint64_t bits[32], value, constant[16];
    const unsigned lane = value_lane(view);
    unsigned last = 0, mn_major = 0;
    json_t *rows;
    for (unsigned i = 3; i < 16; i++)
        if (wsim_seen_constant(view, i, &value))
            constant[last++] = value;
    /* Transposes of A and B are the last two constants of forms that have them. */
    if (!wsim_seen_values(view, reg, bits, NULL) ||
        wsim_wgmma_tile(op, letter == 'a' ? WSIM_A : WSIM_B, 0, &tile, &diag)) {
        snprintf(why, size, "the descriptor of %s holds no value here", name);
        return NULL;
    }
    if (tile.bits == 16 && last >= (letter == 'a' ? 2u : 1u))
        mn_major = constant[last - (letter == 'a' ? 2 : 1)] == 1;
    wsim_wgmma_tile(op, letter == 'a' ? WSIM_A : WSIM_B, (int)mn_major, &tile, &diag);
    wsim_descriptor_decode(bits[lane], &descriptor, &diag);
    rows = json_array();
    for (unsigned row = 0; row < tile.rows; row++) {
        json_t *list = json_array();
        for (unsigned k = 0; k < tile.k; k++) {
            uint64_t at = wsim_descriptor_address(&descriptor, &tile, row, k);
            uint64_t element;
            at |= (uint64_t)view->rank << 24;
            if (!value_read(view, WSIM_SHARED, lane, at, tile.bits < 8 ? 1 : tile.bits / 8,
                            &element)) {
                json_array_append_new(list, json_null());
                continue;
            }
            if (tile.bits < 8)
                element = element >> k % 8 & 1;
            json_array_append_new(list, value_json(NULL, tile.format->name, tile.bits,
                                                   element >> tile.format->pad, 0));
        }
        json_array_append_new(rows, list);
    }
    return json_pack("{s:s, s:s, s:i, s:o}", "operand", name, "type", tile.format->name, "matrices",
                     1, "values", rows);
}

/* The number of an operand in the written order; -1: the instruction lacks it. */
static int place_of(const struct wsim_op_info *info, char letter) {
    if (info->does & WSIM_DOES_MULTIPLY)
        return letter == 'd' ? 0 : letter == 'c' && info->threads > 32 ? -1 : letter - 'a' + 1;
    if (info->does & WSIM_DOES_LOAD)
        return letter == 'd' ? 0 : -1;
    if (info->does & WSIM_DOES_STORE)
        return letter == 'a' ? 1 : -1;
    if (info->does & WSIM_DOES_EXCHANGE)
        return letter == 'd' ? 0 : letter == 'a' ? 1 : -1;
    return -1;
}

json_t *operand_json(const struct wsim_seen *view, char letter, char *why, size_t size) {
    const enum wsim_operand operand = letter == 'a'   ? WSIM_A
                                      : letter == 'b' ? WSIM_B
                                      : letter == 'c' ? WSIM_C
                                                      : WSIM_D;
    uint32_t regs[WSIM_GROUP_REGS];
    struct wsim_layout layout;
    struct wsim_op_info info;
    struct wsim_register reg;
    struct wsim_use use;
    struct wsim_diag diag;
    struct wsim_op op;
    unsigned n = 0, warps;
    uint64_t *matrix;
    uint32_t *words;
    int wide = 0, place;
    json_t *out;
    if (wsim_op_parse(view->site.opcode, &op, &diag)) {
        snprintf(why, size, "%.80s has no matrix %c", view->site.opcode, letter);
        return NULL;
    }
    info = wsim_op_describe(&op);
    place = place_of(&info, letter);
    for (uint32_t i = 0; wsim_seen_use(view, i, &use); i++)
        if (use.operand == place && !use.address && n < WSIM_GROUP_REGS)
            regs[n++] = use.reg;
    if (place < 0 || !n) {
        snprintf(why, size, "%.80s has no matrix %c", view->site.opcode, letter);
        return NULL;
    }
    wsim_seen_register(view, regs[0], &reg);
    if (info.threads > 32 && n == 1 && reg.bits == 64)
        return tile_json(view, &op, regs[0], letter, why, size);
    if (wsim_op_layout(&op, NULL, operand, &layout, &diag)) {
        snprintf(why, size, "%.200s", diag.text);
        return NULL;
    }
    wide = reg.bits == 64;
    if (n << wide != layout.regs) {
        snprintf(why, size, "%.80s: %u registers of %c, and the layout has %u", view->site.opcode,
                 n, letter, layout.regs);
        return NULL;
    }
    warps = layout.lanes / 32;
    words = memory_make((size_t)layout.regs * layout.lanes, sizeof *words);
    matrix = memory_make((size_t)layout.batches * layout.rows * layout.cols, sizeof *matrix);
    gather(view, regs, n, wide, warps, words);
    wsim_words_unpack(&layout, words, matrix);
    out = matrix_json(&layout, matrix, letter);
    free(words);
    free(matrix);
    return out;
}

/* --- variables --- */

/* C++ has "tile" of a function as _ZZ...E4tile, perhaps with more after it. */
static int is_named(const char *ptx, const char *name) {
    char part[300];
    const char *at;
    if (strcmp(ptx, name) == 0)
        return 1;
    if (strncmp(ptx, "_Z", 2) != 0)
        return 0;
    snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    at = strstr(ptx, part);
    return at && at > ptx && !(at[-1] >= '0' && at[-1] <= '9') &&
           (!at[strlen(part)] || at[strlen(part)] == '_' || at[strlen(part)] == 'E');
}

/* Finds a variable by its name in PTX, or in C++ ("Ds" of _ZZ4kernPfE2Ds). */
static int variable_find(const struct wsim_seen *view, const char *name,
                         struct wsim_variable *out) {
    uint32_t cursor = 0;
    while (wsim_seen_variable(view, &cursor, out))
        if (is_named(out->name, name))
            return 1;
    return 0;
}

/* Elements from .. to - 1 in rows. */
static json_t *rows_json(const struct wsim_seen *view, const struct wsim_variable *variable,
                         const char *type, unsigned bits, uint64_t from, uint64_t to,
                         uint32_t columns) {
    json_t *rows = json_array(), *row = NULL;
    const unsigned lane = value_lane(view);
    for (uint64_t i = from; i < to; i++) {
        uint64_t value;
        if ((i - from) % columns == 0)
            json_array_append_new(rows, row = json_array());
        value_read(view, variable->space, lane, variable->address + i * (bits / 8), bits / 8,
                   &value);
        json_array_append_new(row, value_json(view, type, bits, value, 0));
    }
    return rows;
}

static json_t *variable_json(const struct wsim_seen *view, const struct term *term,
                             const struct wsim_variable *variable, char *why, size_t size) {
    const char *type = *term->type ? term->type : variable->bits <= 8 ? "b32" : variable->type;
    uint64_t elements, from, to;
    uint32_t columns = term->columns;
    unsigned bits;
    if (!value_bits(type, &bits))
        type = "b8", bits = 8;
    if (variable->bytes % (bits / 8) && !*term->type)
        type = "b8", bits = 8;
    elements = variable->bytes / (bits / 8);
    if (!columns)
        columns = elements < COLUMNS ? (uint32_t)elements : COLUMNS;
    from = 0, to = elements;
    if (term->n_index == 2)
        from = (uint64_t)term->index[0] * columns + term->index[1], to = from + 1;
    else if (term->n_index && term->columns)
        from = (uint64_t)term->index[0] * columns, to = from + columns;
    else if (term->n_index)
        from = term->index[0], to = from + 1;
    if (!elements || to > elements || from >= to) {
        snprintf(why, size, "%.80s has %llu elements of %s", text_cut(term->name).text,
                 (unsigned long long)elements, type);
        return NULL;
    }
    if (to - from > (uint64_t)ROWS * columns || (to - from) * (bits / 8) > BYTES)
        to = from + ((uint64_t)ROWS * columns < BYTES / (bits / 8) ? (uint64_t)ROWS * columns
                                                                   : BYTES / (bits / 8));
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "variable", term->name, "space",
                     wsim_space_name((enum wsim_space)variable->space), "type", type, "address",
                     (json_int_t)variable->address, "first", (json_int_t)from, "elements",
                     (json_int_t)elements, "values",
                     rows_json(view, variable, type, bits, from, to, columns ? columns : 1));
}

json_t *term_json(const struct wsim_seen *view, const struct term *term, char *why, size_t size) {
    const int is_letter = strlen(term->name) == 1 && strchr("abcd", *term->name);
    struct wsim_variable variable;
    json_t *out;
    if (*term->name == '%')
        return named_register(view, term, why, size);
    if (is_letter && !*term->type && !term->n_index) {
        out = operand_json(view, *term->name, why, size);
        if (out || !variable_find(view, term->name, &variable))
            return out;
    }
    if (variable_find(view, term->name, &variable))
        return variable_json(view, term, &variable, why, size);
    if (!strchr(term->name, '%')) {
        struct term reg = *term;
        snprintf(reg.name, sizeof reg.name, "%%%.250s", term->name);
        if (wsim_seen_special(view, reg.name, (uint64_t[32]){0}))
            return named_register(view, &reg, why, size);
    }
    snprintf(why, size,
             "no register, operand or variable '%s' here (local variables of C++ have no names in "
             "PTX)",
             text_cut(term->name).text);
    return NULL;
}
