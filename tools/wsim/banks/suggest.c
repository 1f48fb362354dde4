/* wsim banks --suggest: better places for a tile. */
#include "banks.h"
#include "../common/memory.h"
#include "../common/input.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/suggest.h>

enum { ACCESSES = 8, SHOWN = 3, ROW_MOST = 1 << 16 };

struct tile {
    struct wsim_op op[ACCESSES];
    struct wsim_suggest_access access[ACCESSES];
    uint32_t *addr[ACCESSES];
    struct wsim_suggest what;
    struct wsim_suggestion now, fix[2 * SHOWN];
    size_t fixes;
};

/* --- the accesses --- */

static int by_addresses(const void *a, const void *b) {
    return memcmp(a, b, WSIM_LANES * sizeof(uint32_t));
}

/* Drops steps with equal addresses: a name of one access is often unused in another. */
static size_t different(uint32_t *addr, size_t steps) {
    const size_t row = WSIM_LANES;
    size_t kept = 0;
    qsort(addr, steps, row * sizeof *addr, by_addresses);
    for (size_t i = 0; i < steps; i++)
        if (!i || by_addresses(addr + i * row, addr + (i - 1) * row))
            memmove(addr + kept++ * row, addr + i * row, row * sizeof *addr);
    return kept;
}

/* The bytes that a lane copies: --size, or the only size of the instruction. */
static void read_bytes(const struct wsim_op *op, const char *size, unsigned *bytes) {
    const struct wsim_op_info info = wsim_op_describe(op);
    uint32_t given = 0;
    *bytes = 0;
    if (info.counting != WSIM_COUNT_COPY)
        return;
    if (!(info.sizes & (info.sizes - 1)))
        given = info.sizes;
    else if (size)
        tool_number("--size", size, 16, &given);
    else
        tool_fail("--size is missing: the bytes that a lane copies");
    *bytes = given;
}

/* Another access of the tile, at the addresses of `text` in all steps. */
static void add_access(struct tile *tile, const struct wsim_op *op,
                       const struct banks_options *options, const char *text,
                       struct wsim_address_sweep *let) {
    const size_t i = tile->what.accesses;
    struct wsim_suggest_access *access = &tile->access[i];
    if (wsim_op_describe(op).counting == WSIM_COUNT_FRAGMENT)
        tool_fail("--suggest needs an access with an address for each lane; wmma has one address");
    tile->addr[i] = memory_make((size_t)let->steps * WSIM_LANES, sizeof *tile->addr[i]);
    tile->what.accesses++;
    tile->op[i] = *op;
    *access = (struct wsim_suggest_access){.op = &tile->op[i], .mask = UINT32_MAX};
    read_bytes(op, options->size, &access->bytes);
    for (uint32_t step = 0; step < let->steps; step++) {
        wsim_address_sweep_step(let, step);
        input_addresses_in(options->scope, i ? "--with" : "--addr", text,
                           tile->addr[i] + (size_t)step * WSIM_LANES);
    }
    access->addr = tile->addr[i];
    access->steps = different(tile->addr[i], let->steps);
}

/* "ACCESS EXPR" of --with. */
static void add_other(struct tile *tile, const struct banks_options *options, const char *text,
                      struct wsim_address_sweep *let) {
    const size_t n = strcspn(text, " \t");
    const char *expression = text + n + strspn(text + n, " \t");
    char *spelling;
    struct wsim_op op;
    if (!*expression)
        tool_fail("--with '%s': give an access and its addresses, such as "
                  "'st.shared.v4.b32 lane * 16'",
                  text_cut(text).text);
    spelling = memory_text(text, n);
    const char *args[] = {spelling, NULL};
    tool_op(args, &op);
    if (wsim_op_describe(&op).counting == WSIM_COUNT_NONE)
        tool_fail("--with '%s': not a memory access of lanes", text_cut(spelling).text);
    free(spelling);
    add_access(tile, &op, options, expression, let);
}

static void add_others(struct tile *tile, const struct banks_options *options,
                       struct wsim_address_sweep *let) {
    char *list = options->with ? memory_text(options->with, strlen(options->with)) : NULL;
    for (char *text = list, *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        if (tile->what.accesses == ACCESSES)
            tool_fail("a tile has at most %d accesses here", ACCESSES);
        else
            add_other(tile, options, text, let);
    }
    free(list);
}

/* --- the fixes --- */

static void find_fixes(struct tile *tile) {
    static const enum wsim_fix kinds[] = {WSIM_FIX_XOR, WSIM_FIX_PAD};
    struct wsim_diag diag;
    size_t n;
    if (wsim_suggest_fixes(&tile->what, WSIM_FIX_NONE, &tile->now, 1, &n, &diag))
        tool_refuse(NULL, &diag);
    for (unsigned k = 0; k < 2 && tile->now.conflicts; k++) {
        if (wsim_suggest_fixes(&tile->what, kinds[k], tile->fix + tile->fixes, SHOWN, &n, &diag))
            tool_refuse(NULL, &diag);
        tile->fixes += n;
    }
}

/* A remark about a fix. */
struct remark {
    char text[160];
};

static struct remark remark_of(const struct wsim_suggestion *fix) {
    struct remark remark = {""};
    if (fix->fix == WSIM_FIX_XOR && fix->swizzle)
        snprintf(remark.text, sizeof remark.text,
                 "swizzle %s of tensor copies and wgmma; the tile begins at a multiple of %lu",
                 wsim_swizzle_name(fix->swizzle), (unsigned long)fix->align);
    else if (fix->fix == WSIM_FIX_PAD)
        snprintf(remark.text, sizeof remark.text, "rows of %lu bytes get %lu more",
                 (unsigned long)fix->pitch, (unsigned long)fix->pad);
    return remark;
}

static void state_row(struct doc *doc, const struct wsim_suggestion *fix) {
    char text[64];
    wsim_suggestion_spell(fix, text, sizeof text);
    doc_row_of(doc, "sUUUs", fix->fix ? text : "unchanged", fix->wavefronts, fix->conflicts,
               fix->bytes, remark_of(fix).text);
}

static void state_fix(struct doc *doc, const char *key, const struct wsim_suggestion *fix) {
    static const char *const kinds[] = {"none", "xor", "pad"};
    char text[64];
    wsim_suggestion_spell(fix, text, sizeof text);
    doc_enter(doc, key);
    doc_pack(doc, "{s:s, s:s}", "fix", kinds[fix->fix], "expression", text);
    banks_state_cost(doc, fix->wavefronts, fix->ideal, fix->conflicts);
    doc_set(doc, "bytes", json_integer((json_int_t)fix->bytes));
    if (fix->fix == WSIM_FIX_XOR)
        doc_pack(doc, "{s:I, s:I, s:I, s:s}", "mask", (json_int_t)fix->mask, "shift",
                 (json_int_t)fix->shift, "align", (json_int_t)fix->align, "swizzle",
                 wsim_swizzle_name(fix->swizzle));
    if (fix->fix == WSIM_FIX_PAD)
        doc_pack(doc, "{s:I, s:I}", "pitch", (json_int_t)fix->pitch, "pad", (json_int_t)fix->pad);
    doc_leave(doc);
}

/* The cost of an access, unchanged and with the best fix. */
static void state_access(struct doc *doc, const struct tile *tile, size_t i) {
    const unsigned long steps = (unsigned long)tile->access[i].steps;
    struct wsim_suggestion cost = tile->now, best = tile->fix[0];
    char spelling[WSIM_SPELLING_MAX], fixed[64] = "";
    wsim_suggest_cost(tile->what.arch, &tile->access[i], &cost, NULL);
    wsim_op_spell(&tile->op[i], spelling);
    if (tile->fixes && !wsim_suggest_cost(tile->what.arch, &tile->access[i], &best, NULL))
        snprintf(fixed, sizeof fixed, ", with the first fix %llu",
                 (unsigned long long)best.wavefronts);
    doc_line(doc, "%s, %lu pattern%s: %llu wavefronts, ideal %llu%s", spelling, steps,
             steps == 1 ? "" : "s", (unsigned long long)cost.wavefronts,
             (unsigned long long)cost.ideal, fixed);
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:s, s:I}", "access", spelling, "patterns", (json_int_t)steps);
    banks_state_cost(doc, cost.wavefronts, cost.ideal, cost.conflicts);
    doc_leave(doc);
}

static void state(struct doc *doc, const struct tile *tile) {
    static const struct doc_column columns[] = {
        {NULL, "address", DOC_LEFT}, {NULL, "wavefronts", 0},    {NULL, "conflicts", 0},
        {NULL, "more bytes", 0},     {NULL, "remark", DOC_FOLD}, {NULL, NULL, 0}};
    doc_pack(doc, "{s:s, s:s}", "schema", "wsim.banks.suggest", "arch",
             wsim_arch_name(tile->what.arch));
    doc_list(doc, "accesses");
    for (size_t i = 0; i < tile->what.accesses; i++)
        state_access(doc, tile, i);
    doc_leave(doc);
    doc_gap(doc);
    state_fix(doc, "now", &tile->now);
    doc_list(doc, "fixes");
    for (size_t i = 0; i < tile->fixes; i++)
        state_fix(doc, NULL, &tile->fix[i]);
    doc_leave(doc);
    if (!tile->now.conflicts) {
        doc_line(doc, "there are no conflicts");
        return;
    }
    doc_line(doc, "a: byte address in the tile");
    doc_table(doc, NULL, columns);
    state_row(doc, &tile->now);
    for (size_t i = 0; i < tile->fixes; i++)
        state_row(doc, &tile->fix[i]);
    doc_leave(doc);
    if (!tile->fixes)
        doc_line(doc, "no XOR and no padding makes it cheaper");
}

/* The bytes of a row of the only array that is declared; 0: there is none, or several. */
static uint32_t declared_row(const struct banks_options *options) {
    struct wsim_address_arrays arrays;
    const struct wsim_address_type *type = &arrays.array[0].type;
    struct wsim_diag diag;
    uint64_t bytes;
    if (wsim_address_declared(options->scope, options->addr, &arrays, &diag) || arrays.count != 1 ||
        type->dims < 2)
        return 0;
    bytes = type->bytes * type->dim[type->dims - 1];
    return bytes <= ROW_MOST ? (uint32_t)bytes : 0;
}

int suggest_answer(struct doc *doc, const struct wsim_op *op, const struct banks_options *options,
                   struct wsim_address_sweep *let) {
    struct tile *tile = memory_make(1, sizeof *tile);
    int status;
    if (!options->addr)
        tool_fail("--addr is missing");
    tile->what = (struct wsim_suggest){.access = tile->access};
    tile->what.arch = tool_target(options->arch);
    tile->what.pitch = declared_row(options);
    tool_number("--pitch", options->pitch, ROW_MOST, &tile->what.pitch);
    add_access(tile, op, options, options->addr, let);
    tool_number("--mask", options->mask, UINT32_MAX, &tile->access[0].mask);
    add_others(tile, options, let);
    find_fixes(tile);
    state(doc, tile);
    status = doc_close(doc, TOOL_FINE);
    for (size_t i = 0; i < tile->what.accesses; i++)
        free(tile->addr[i]);
    free(tile);
    return status;
}
