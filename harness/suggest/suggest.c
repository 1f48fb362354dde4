/* Fixes of bank conflicts: tries all members of two small families; see suggest.h. */
#include "../../sim/base/base.h"

#include <wsim/harness/suggest.h>

#include <stdio.h>
#include <string.h>

/* Address bits from here on never move into the bank: no access of a warp reaches rows 64 KiB
 * apart. */
enum { HIGHEST_BIT = 17 };

/* Bytes of one word in each bank. */
enum { LINE = WSIM_BANKS * 4 };

uint32_t wsim_suggestion_apply(const struct wsim_suggestion *suggestion, uint32_t address) {
    switch (suggestion->fix) {
    case WSIM_FIX_XOR: return address ^ (address >> suggestion->shift & suggestion->mask);
    case WSIM_FIX_PAD: return address + address / suggestion->pitch * suggestion->pad;
    default: return address;
    }
}

size_t wsim_suggestion_spell(const struct wsim_suggestion *suggestion, char *out, size_t size) {
    int n = 0;
    switch (suggestion->fix) {
    case WSIM_FIX_XOR:
        n = snprintf(out, size, "a ^ (a >> %u & 0x%lx)", suggestion->shift,
                     (unsigned long)suggestion->mask);
        break;
    case WSIM_FIX_PAD:
        n = snprintf(out, size, "a + a / %lu * %lu", (unsigned long)suggestion->pitch,
                     (unsigned long)suggestion->pad);
        break;
    default: n = snprintf(out, size, "a");
    }
    return n > 0 ? (size_t)n : 0;
}

/* --- the cost of accesses --- */

/* Bytes that must stay together: the access of a lane, or a row. */
static uint32_t whole(const struct wsim_suggest_access *access) {
    const struct wsim_op_info info = wsim_op_describe(access->op);
    return info.counting == WSIM_COUNT_COPY ? access->bytes : info.bytes;
}

/* A .cg copy of unknown cost counts like a store of its size. */
static enum wsim_status count_store(const struct wsim_arch *arch, const uint32_t addr[WSIM_LANES],
                                    const struct wsim_suggest_access *access,
                                    struct wsim_banks *out, struct wsim_diag *diag) {
    struct wsim_op op;
    const char *spelling = access->bytes == 16  ? "st.shared.v4.b32"
                           : access->bytes == 8 ? "st.shared.v2.b32"
                                                : "st.shared.b32";
    enum wsim_status status = wsim_op_parse(spelling, &op, diag);
    return status ? status : wsim_banks_count(&op, arch, addr, access->mask, out, diag);
}

static enum wsim_status count_copy(const struct wsim_arch *arch, const uint32_t addr[WSIM_LANES],
                                   const struct wsim_suggest_access *access, struct wsim_banks *out,
                                   struct wsim_diag *diag) {
    const struct wsim_copy copy = {
        .bytes = access->bytes, .mask = access->mask, .dst = addr, .warm = 1};
    struct wsim_copy_banks banks;
    enum wsim_status status = wsim_banks_copy(access->op, arch, &copy, &banks, diag);
    if (status)
        return status;
    if (!banks.known)
        return count_store(arch, addr, access, out, diag);
    out->wavefronts = banks.wavefronts;
    out->ideal = banks.ideal;
    out->conflicts = banks.conflicts;
    return WSIM_OK;
}

/* Adds the cost of an access, and its highest address. */
static enum wsim_status add_access(const struct wsim_arch *arch,
                                   const struct wsim_suggest_access *access,
                                   struct wsim_suggestion *sum, uint64_t *end,
                                   struct wsim_diag *diag) {
    const int copies = wsim_op_describe(access->op).counting == WSIM_COUNT_COPY;
    const uint32_t bytes = whole(access);
    for (size_t step = 0; step < access->steps; step++) {
        const uint32_t *from = access->addr + step * WSIM_LANES;
        uint32_t addr[WSIM_LANES];
        struct wsim_banks banks;
        enum wsim_status status;
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            addr[lane] = wsim_suggestion_apply(sum, from[lane]);
            if (access->mask >> lane & 1 && (uint64_t)addr[lane] + bytes > *end)
                *end = (uint64_t)addr[lane] + bytes;
        }
        status = copies ? count_copy(arch, addr, access, &banks, diag)
                        : wsim_banks_count(access->op, arch, addr, access->mask, &banks, diag);
        if (status)
            return status;
        sum->wavefronts += banks.wavefronts;
        sum->ideal += banks.ideal;
        sum->conflicts += banks.conflicts;
    }
    return WSIM_OK;
}

enum wsim_status wsim_suggest_cost(const struct wsim_arch *arch,
                                   const struct wsim_suggest_access *access,
                                   struct wsim_suggestion *suggestion, struct wsim_diag *diag) {
    struct wsim_suggestion sum = *suggestion;
    uint64_t end = 0;
    sum.wavefronts = sum.ideal = sum.conflicts = 0;
    enum wsim_status status = add_access(arch, access, &sum, &end, diag);
    if (!status)
        *suggestion = sum;
    return status;
}

/* --- the search --- */

struct search {
    const struct wsim_suggest *what;
    struct wsim_suggestion *out;
    size_t max, kept;
    uint64_t end;        /* of the tile as it is */
    uint64_t wavefronts; /* as it is             */
    uint32_t whole;      /* the most bytes of any access */
};

static enum wsim_status count_all(const struct wsim_suggest *what, struct wsim_suggestion *sum,
                                  uint64_t *end, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    *end = 0;
    for (size_t i = 0; i < what->accesses && !status; i++)
        status = add_access(what->arch, &what->access[i], sum, end, diag);
    return status;
}

static int is_better(const struct wsim_suggestion *a, const struct wsim_suggestion *b) {
    if (a->conflicts != b->conflicts)
        return a->conflicts < b->conflicts;
    if (a->wavefronts != b->wavefronts)
        return a->wavefronts < b->wavefronts;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes;
    if (!a->swizzle != !b->swizzle)
        return a->swizzle != WSIM_SWIZZLE_NONE;
    return a->align < b->align;
}

/* The hardware mode with the same effect on pieces of 16 bytes. */
static enum wsim_swizzle same_mode(const struct wsim_suggestion *fix) {
    for (unsigned mode = WSIM_SWIZZLE_32B; mode < WSIM_SWIZZLES; mode++) {
        uint32_t a = 0;
        while (a < 4096 &&
               wsim_swizzle_apply((enum wsim_swizzle)mode, a) == wsim_suggestion_apply(fix, a))
            a += 4;
        if (a == 4096)
            return (enum wsim_swizzle)mode;
    }
    return WSIM_SWIZZLE_NONE;
}

static void try_fix(struct search *search, struct wsim_suggestion fix) {
    uint64_t end;
    if (fix.fix == WSIM_FIX_PAD && search->end + search->end / fix.pitch * fix.pad > UINT32_MAX)
        return; /* beyond all addresses */
    if (count_all(search->what, &fix, &end, NULL) || fix.wavefronts >= search->wavefronts)
        return;
    fix.bytes = fix.fix == WSIM_FIX_PAD ? end - search->end : 0;
    fix.swizzle = fix.fix == WSIM_FIX_XOR ? same_mode(&fix) : WSIM_SWIZZLE_NONE;
    size_t at = search->kept;
    while (at && is_better(&fix, &search->out[at - 1]))
        at--;
    if (at >= search->max)
        return;
    search->kept += search->kept < search->max;
    memmove(&search->out[at + 1], &search->out[at], (search->kept - at - 1) * sizeof *search->out);
    search->out[at] = fix;
}

/* Low index bits are XORed with higher ones only, so the map is its own inverse. */
static void try_exclusive_or(struct search *search) {
    unsigned lowest = 2;
    while (1u << lowest < search->whole)
        lowest++;
    for (unsigned base = lowest; 1u << base < LINE; base++)
        for (unsigned bits = 1; 1u << (base + bits) <= LINE; bits++)
            for (unsigned shift = bits; base + bits + shift <= HIGHEST_BIT; shift++)
                try_fix(search, (struct wsim_suggestion){.fix = WSIM_FIX_XOR,
                                                         .mask = ((1u << bits) - 1) << base,
                                                         .shift = shift,
                                                         .align = 1u << (base + bits + shift)});
}

static void try_pitch(struct search *search, uint32_t pitch) {
    const uint32_t step = search->whole > 4 ? search->whole : 4;
    for (uint32_t pad = step; pad <= LINE && pad < pitch; pad += step)
        try_fix(search, (struct wsim_suggestion){
                            .fix = WSIM_FIX_PAD, .pitch = pitch, .pad = pad, .align = step});
}

/* Distances of neighbouring lanes; one of them is the pitch of rows. */
static void try_padding(struct search *search) {
    enum { PITCHES = 16, LEAST = 32, MOST = 1 << 16 };
    uint32_t tried[PITCHES];
    size_t n = 0;
    if (search->what->pitch) {
        try_pitch(search, search->what->pitch);
        return;
    }
    for (size_t i = 0; i < search->what->accesses; i++) {
        const struct wsim_suggest_access *access = &search->what->access[i];
        for (unsigned lane = 0; lane + 1 < WSIM_LANES && n < PITCHES; lane++) {
            const uint32_t a = access->addr[lane], b = access->addr[lane + 1];
            const uint32_t pitch = a < b ? b - a : a - b;
            size_t k = 0;
            while (k < n && tried[k] != pitch)
                k++;
            if ((access->mask >> lane & 3) != 3 || k < n || pitch < LEAST || pitch > MOST ||
                pitch % search->whole)
                continue;
            tried[n++] = pitch;
            try_pitch(search, pitch);
        }
    }
}

enum wsim_status wsim_suggest_fixes(const struct wsim_suggest *what, enum wsim_fix fix,
                                    struct wsim_suggestion *out, size_t max, size_t *found,
                                    struct wsim_diag *diag) {
    struct wsim_suggestion now = {.align = 1};
    struct search search = {.what = what, .out = out, .max = max, .whole = 1};
    enum wsim_status status;
    *found = 0;
    for (size_t i = 0; i < what->accesses || !i; i++)
        if (i == what->accesses || !what->access[i].steps)
            return base_refuse(diag, RULE_SUGGEST_ACCESS_NONE, 0, "no access given");
    status = count_all(what, &now, &search.end, diag);
    if (status || !max)
        return status;
    for (size_t i = 0; i < what->accesses; i++)
        if (whole(&what->access[i]) > search.whole)
            search.whole = whole(&what->access[i]);
    search.wavefronts = now.wavefronts;
    if (fix == WSIM_FIX_NONE)
        out[search.kept++] = now;
    else if (fix == WSIM_FIX_XOR)
        try_exclusive_or(&search);
    else
        try_padding(&search);
    *found = search.kept;
    return WSIM_OK;
}
