/* Joins units into accesses by the rules of ptxas 13.0 and 13.5, as their machine code shows them.
 * lab/merge/README.md has the experiments.
 *
 *  - Loads: of four adjacent units, aligned to their total size, three make one access. Two units
 *    are joined only if both are loaded.
 *  - A unit that is open already, or that the last store wrote, is not loaded again.
 *  - Stores: four or two units, and only in a run of stores into the same four.
 *  - An access is at most 16 bytes wide, and no wider than the known alignment. */
#include "merge_open.h"

#include <stdlib.h>

/* --- lists --- */

static int list_init(struct merge_list *list) {
    list->keys = malloc(MERGE_MOST * sizeof *list->keys);
    list->units = malloc(MERGE_MOST * sizeof *list->units);
    list->pending = malloc(MERGE_MOST * sizeof *list->pending);
    return list->keys && list->units && list->pending;
}

static void list_free(struct merge_list *list) {
    free(list->keys);
    free(list->units);
    free(list->pending);
}

int merge_open_init(struct merge_open *open, struct run_build *build) {
    *open = (struct merge_open){.build = build, .sums = linear_open(build)};
    open->aligned = malloc(MERGE_MOST * sizeof *open->aligned);
    return list_init(&open->loads) & list_init(&open->stores) && open->sums && open->aligned;
}

void merge_open_free(struct merge_open *open) {
    linear_close(open->sums);
    list_free(&open->loads);
    list_free(&open->stores);
    free(open->aligned);
}

static int is_key(const struct merge_key *a, const struct merge_key *b) {
    return a->bytes == b->bytes && a->kind == b->kind && a->joins == b->joins &&
           linear_same_terms(&a->of, &b->of) && (!a->of.n || a->of.base == b->of.base);
}

static uint32_t key_of(struct merge_list *list, const struct merge_key *key) {
    uint32_t k = 0;
    while (k < list->n_keys && !is_key(&list->keys[k], key))
        k++;
    if (k == list->n_keys)
        list->keys[list->n_keys++] = *key;
    return k;
}

static struct merge_pending *pending_add(struct merge_list *list,
                                         const struct merge_access *access) {
    struct merge_pending *pending = &list->pending[list->n_pending++];
    *pending = (struct merge_pending){.instruction = access->instruction,
                                      .at = (int32_t)access->key.of.constant,
                                      .bytes = (uint8_t)(access->n * access->key.bytes)};
    return pending;
}

/* --- alignment --- */

static unsigned log2_of(unsigned bytes) {
    unsigned n = 0;
    while (1u << n < bytes)
        n++;
    return n;
}

/* The known alignment of a sum from its registers and its variables; that of a number is no limit.
 * A vector access raises it: its address is a multiple of its size. NULL: the table is full. */
static struct merge_aligned *aligned_of(struct merge_open *open, const struct linear *of) {
    struct linear terms = *of;
    terms.constant = 0;
    if (!terms.n)
        terms.base = MERGE_NUMBER;
    for (uint32_t i = 0; i < open->n_aligned; i++)
        if (linear_same_terms(&open->aligned[i].of, &terms) &&
            open->aligned[i].of.base == terms.base)
            return &open->aligned[i];
    if (open->n_aligned == MERGE_MOST)
        return NULL;
    open->aligned[open->n_aligned] =
        (struct merge_aligned){.of = terms, .log2 = (uint8_t)linear_alignment(open->sums, &terms)};
    return &open->aligned[open->n_aligned++];
}

static void learn(struct merge_open *open, const struct merge_access *access) {
    const unsigned bytes = access->n * access->key.bytes;
    struct merge_aligned *aligned = aligned_of(open, &access->key.of);
    if (!aligned || 1u << aligned->log2 >= bytes)
        return;
    aligned->log2 = (uint8_t)log2_of(bytes);
    aligned->phase = (0u - access->key.of.constant) & (bytes - 1u);
}

/* Size of the window in which units can be joined, in bytes. */
static unsigned window_bytes(struct merge_open *open, const struct merge_key *key,
                             uint32_t *phase) {
    const struct merge_aligned *aligned = aligned_of(open, &key->of);
    unsigned bytes = key->joins ? 4u * key->bytes : key->bytes;
    *phase = aligned ? aligned->phase : 0;
    if (bytes > MERGE_WIDE)
        bytes = MERGE_WIDE;
    if (!aligned || aligned->log2 < log2_of(key->bytes))
        return key->bytes;
    return aligned->log2 < log2_of(bytes) ? 1u << aligned->log2 : bytes;
}

/* --- what is found --- */

static void add_access(struct merge_pending *pending, int32_t at, unsigned bytes) {
    struct build_merge *merge = &pending->merge;
    merge->access[merge->n].from = at - pending->at;
    merge->access[merge->n++].bytes = (uint8_t)bytes;
}

int merge_keep(struct merge_open *open, uint32_t instruction, const struct build_merge *merge) {
    struct run_build *build = open->build;
    if (!build->merge_of)
        build->merge_of = calloc(build->source->n_code + 1u, sizeof *build->merge_of);
    if (open->n_entries == open->room_entries) {
        const uint32_t room = 2 * open->room_entries + 64;
        struct build_merge *grown = realloc(build->merges, room * sizeof *grown);
        if (!grown)
            return 0;
        build->merges = grown;
        open->room_entries = room;
    }
    if (!build->merge_of)
        return 0;
    build->merges[open->n_entries] = *merge;
    build->merge_of[instruction] = ++open->n_entries;
    return 1;
}

/* Records the result for an instruction if it differs from the PTX. Returns 0 without memory. */
static int commit(struct merge_open *open, const struct merge_pending *pending) {
    const struct build_merge *merge = &pending->merge;
    if (merge->n == 1 && !merge->access[0].from && merge->access[0].bytes == pending->bytes)
        return 1;
    return merge_keep(open, pending->instruction, merge);
}

const struct build_merge *merge_of(const struct run_build *build, uint32_t at) {
    return build->merge_of && build->merge_of[at] ? &build->merges[build->merge_of[at] - 1] : NULL;
}

static int commit_all(struct merge_open *open, struct merge_list *list) {
    int good = 1;
    for (uint32_t i = 0; i < list->n_pending && good; i++)
        good = commit(open, &list->pending[i]);
    list->n_keys = list->n_units = list->n_pending = 0;
    return good;
}

/* --- windows --- */

/* Up to four units of a window, by their places; NULL: none. */
struct window {
    const struct merge_unit *unit[MERGE_UNITS];
    unsigned places; /* that the window has: 1, 2 or 4 */
    int32_t at;      /* of its first byte               */
};

unsigned merge_stored(const struct run_build *build, uint32_t at, unsigned bytes) {
    const struct build_merge *merge = merge_of(build, at);
    merge = merge ? merge_of(build, merge->head - 1) : NULL;
    for (unsigned i = 0; merge && i < merge->n; i++)
        if (merge->access[i].bytes > bytes)
            bytes = merge->access[i].bytes;
    return bytes;
}

/* The units of some places become one access, at its first instruction or at its last. */
static void join(struct merge_list *list, const struct window *window, unsigned first, unsigned n,
                 unsigned bytes, int at_last) {
    struct merge_pending *head = NULL;
    for (unsigned i = first; i < first + n; i++) {
        struct merge_pending *of =
            window->unit[i] ? &list->pending[window->unit[i]->pending] : NULL;
        if (of && (!head || (at_last ? of->instruction > head->instruction
                                     : of->instruction < head->instruction)))
            head = of;
    }
    if (!head)
        return;
    add_access(head, n > 1 ? window->at + (int32_t)(first * bytes) : window->unit[first]->at,
               n * bytes);
    for (unsigned i = first; i < first + n; i++)
        if (window->unit[i])
            list->pending[window->unit[i]->pending].merge.head = head->instruction + 1;
}

static unsigned filled(const struct window *window, unsigned first, unsigned n) {
    unsigned count = 0;
    for (unsigned i = first; i < first + n; i++)
        count += window->unit[i] != NULL;
    return count;
}

static void join_window(struct merge_list *list, const struct window *window, unsigned bytes,
                        int stores) {
    unsigned done = 0;
    if (window->places == 4 && filled(window, 0, 4) >= (stores ? 4u : 3u)) {
        join(list, window, 0, 4, bytes, stores);
        return;
    }
    for (; window->places > 1 && done + 1 < window->places; done += 2) {
        const int both = filled(window, done, 2) == 2;
        join(list, window, done, both ? 2 : 1, bytes, stores);
        if (!both)
            join(list, window, done + 1, 1, bytes, stores);
    }
    if (window->places == 1)
        join(list, window, 0, 1, bytes, stores);
}

/* The window around an address. */
static struct window window_of(struct merge_open *open, const struct merge_key *key, int32_t at) {
    uint32_t phase;
    const unsigned bytes = window_bytes(open, key, &phase);
    const uint32_t from = ((uint32_t)at + phase) & ~(bytes - 1u);
    return (struct window){.places = bytes / key->bytes, .at = (int32_t)(from - phase)};
}

/* --- loads --- */

static int in_order(const void *a, const void *b) {
    const struct merge_unit *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->pending < y->pending ? -1 : x->pending > y->pending;
}

/* The units of one window, of those from `i` on; the number of the next unit after it. A unit that
 * is at no place of it is alone. */
static uint32_t take_window(struct merge_open *open, uint32_t i, struct window *window) {
    const struct merge_list *list = &open->loads;
    const struct merge_unit *units = list->units;
    const struct merge_key *key = &list->keys[units[i].key];
    uint32_t k = i;
    *window = window_of(open, key, units[i].at);
    for (; k < list->n_units && units[k].key == units[i].key; k++) {
        const uint32_t far = (uint32_t)(units[k].at - window->at);
        if (far >= window->places * key->bytes || far % key->bytes)
            break;
        window->unit[far / key->bytes] = &units[k];
    }
    if (k > i)
        return k;
    *window = (struct window){.places = 1, .unit = {&units[i]}};
    return i + 1;
}

int merge_end_loads(struct merge_open *open) {
    struct merge_list *list = &open->loads;
    struct window window;
    if (list->n_units > 1)
        qsort(list->units, list->n_units, sizeof *list->units, in_order);
    for (uint32_t i = 0; i < list->n_units;) {
        const unsigned bytes = list->keys[list->units[i].key].bytes;
        i = take_window(open, i, &window);
        join_window(list, &window, bytes, 0);
    }
    return commit_all(open, list);
}

/* Whether the last store wrote exactly this unit; a load then takes the register. */
static int is_stored(const struct merge_last *last, const struct merge_key *key, int32_t at) {
    const uint32_t far = (uint32_t)at - last->of.constant;
    return last->instruction && key->bytes >= 4 && key->bytes == last->element &&
           linear_same_terms(&last->of, &key->of) && far < last->bytes && far % key->bytes == 0;
}

static const struct merge_unit *loaded(const struct merge_list *list, uint32_t key, int32_t at) {
    for (uint32_t i = 0; i < list->n_units; i++)
        if (list->units[i].key == key && list->units[i].at == at)
            return &list->units[i];
    return NULL;
}

int merge_load(struct merge_open *open, const struct merge_access *access) {
    struct merge_list *list = &open->loads;
    struct merge_pending *pending;
    uint32_t key;
    if ((list->n_units + MERGE_UNITS > MERGE_MOST || list->n_keys == MERGE_MOST ||
         list->n_pending == MERGE_MOST) &&
        !merge_end_loads(open))
        return 0;
    learn(open, access);
    key = key_of(list, &access->key);
    pending = pending_add(list, access);
    for (unsigned i = 0; i < access->n; i++) {
        const int32_t at = pending->at + (int32_t)(i * access->key.bytes);
        const struct merge_unit *unit = loaded(list, key, at);
        pending->merge.head = access->instruction + 1;
        if (!(access->live >> i & 1))
            continue;
        if (is_stored(&open->last, &access->key, at))
            pending->merge.head = open->last.instruction;
        else if (unit)
            pending->merge.head = list->pending[unit->pending].instruction + 1;
        else
            list->units[list->n_units++] =
                (struct merge_unit){key, at, (uint32_t)(pending - list->pending)};
    }
    return 1;
}

/* --- stores --- */

int merge_end_stores(struct merge_open *open) {
    struct merge_list *list = &open->stores;
    if (list->n_units) {
        const struct merge_key *key = &list->keys[0];
        struct window window = window_of(open, key, list->units[0].at);
        for (uint32_t i = 0; i < list->n_units; i++) {
            const uint32_t place = (uint32_t)(list->units[i].at - window.at) / key->bytes;
            window.unit[place % MERGE_UNITS] = &list->units[i];
        }
        join_window(list, &window, key->bytes, 1);
    }
    return commit_all(open, list);
}

/* A store of the whole vector is one unit. */
int merge_store(struct merge_open *open, const struct merge_access *access) {
    struct merge_list *list = &open->stores;
    const int32_t at = (int32_t)access->key.of.constant;
    const struct merge_unit *last = list->n_units ? &list->units[list->n_units - 1] : NULL;
    struct window window;
    int again = 0;
    learn(open, access);
    window = window_of(open, &access->key, at);
    if (last && is_key(&list->keys[0], &access->key) && last->at == at) {
        list->pending[last->pending].merge.head = access->instruction + 1;
        list->n_units--; /* nothing reads what the store before wrote */
        last = list->n_units ? last - 1 : NULL;
    }
    for (uint32_t i = 0; i < list->n_units; i++)
        again |= list->units[i].at == at;
    if (list->n_pending &&
        (!is_key(&list->keys[0], &access->key) || again ||
         (last && window_of(open, &access->key, last->at).at != window.at)) &&
        !merge_end_stores(open))
        return 0;
    if (list->n_pending == MERGE_MOST && !merge_end_stores(open))
        return 0;
    key_of(list, &access->key);
    pending_add(list, access);
    list->units[list->n_units++] = (struct merge_unit){0, at, list->n_pending - 1};
    open->last = (struct merge_last){.of = access->key.of,
                                     .instruction = access->instruction + 1,
                                     .bytes = access->key.bytes,
                                     .element = access->key.kind};
    return 1;
}

int merge_end_block(struct merge_open *open) {
    const int good = merge_end_loads(open) & merge_end_stores(open);
    open->n_aligned = 0;
    open->last.instruction = 0;
    return good;
}
