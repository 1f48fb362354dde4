/* Launches whose outcome is known; see repeat.h.
 *
 * A kernel is launched again with equal sizes and parameters, and some bytes of the memory that
 * they point to are equal too? Then the launch records its outcome, which takes longer. Later ones
 * need not run where it applies. Memory that changes from launch to launch ends that soon.
 */
#include "repeat.h"
#include "look.h"
#include "outcome.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 256, RECORDS = 4, CHANGES = 8, LOST = 1024 };

/* Launches of a kernel with equal sizes and parameters. */
struct key {
    uint64_t hash, used; /* used: the number of the last launch */
    uint64_t sample;     /* of memory before that one */
    struct outcome *outcome;
    unsigned records, changes; /* that were of no use */
    struct shape {
        const void *context;
        uint32_t grid[3], block[3], cluster[3], shared;
        uint8_t cooperative, checked;
    } shape;
    unsigned char params[];
};

struct repeat {
    struct key **keys;
    size_t n;
    unsigned lost; /* keys that made room for others, and were never used again */
};

/* --- what the host writes --- */

void repeat_wrote(uint64_t address, uint64_t bytes) {
    struct allocation *memory = memory_find(address, bytes);
    if (!memory)
        return;
    outcome_wrote(memory);
    if (memory->kind == WSIMRT_VARIABLE)
        core.variables = core.versions;
}

int repeat_is_filled(const struct wsimrt_fill *fill) {
    struct allocation *memory = memory_find(fill->to.address, 1);
    return memory && memory->kind == WSIMRT_DEVICE && memory->filled && !memory->imported &&
           !core.shared && memory->filled == outcome_version(memory) &&
           memcmp(&memory->fill, fill, sizeof *fill) == 0;
}

void repeat_filled(const struct wsimrt_fill *fill) {
    struct allocation *memory = memory_find(fill->to.address, 1);
    repeat_wrote(fill->to.address, 1);
    if (!memory)
        return;
    memory->fill = *fill;
    memory->filled = outcome_version(memory);
}

/* --- keys --- */

static void free_key(struct key *key) {
    outcome_free(key->outcome);
    free(key);
}

void repeat_free(struct repeat *repeat) {
    if (!repeat)
        return;
    for (size_t i = 0; i < repeat->n; i++)
        free_key(repeat->keys[i]);
    free(repeat->keys);
    free(repeat);
}

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

/* All bytes of *shape, those between its fields too. */
static uint64_t shape_of(const struct work *work, struct shape *shape) {
    const struct wsim_launch *launch = &work->is.launch.launch;
    memset(shape, 0, sizeof *shape);
    shape->context = work->context;
    memcpy(shape->grid, launch->grid, sizeof shape->grid);
    memcpy(shape->block, launch->block, sizeof shape->block);
    memcpy(shape->cluster, launch->cluster, sizeof shape->cluster);
    shape->shared = launch->shared;
    shape->cooperative = launch->cooperative;
    shape->checked = work->is.launch.checked;
    return hash_of(hash_of(0xCBF29CE484222325u, shape, sizeof *shape), launch->params,
                   launch->param_bytes);
}

/* The key of a launch; NULL: it has none. */
static struct key *find(const struct repeat *repeat, const struct work *work) {
    const struct wsim_launch *launch = &work->is.launch.launch;
    struct shape shape;
    const uint64_t hash = shape_of(work, &shape);
    for (size_t i = 0; i < repeat->n; i++) {
        struct key *key = repeat->keys[i];
        if (key->hash == hash && memcmp(&key->shape, &shape, sizeof shape) == 0 &&
            (!launch->param_bytes || memcmp(key->params, launch->params, launch->param_bytes) == 0))
            return key;
    }
    return NULL;
}

/* A place for another key; NULL: no memory. */
static struct key **room_for(struct repeat *repeat) {
    size_t at = 0;
    if (repeat->n < KEYS) {
        if ((repeat->n & (repeat->n - 1)) == 0) {
            struct key **grown =
                realloc(repeat->keys, (repeat->n ? 2 * repeat->n : 1) * sizeof *grown);
            if (!grown)
                return NULL;
            repeat->keys = grown;
        }
        repeat->keys[repeat->n] = NULL;
        return &repeat->keys[repeat->n++];
    }
    for (size_t i = 1; i < KEYS; i++)
        if (repeat->keys[i]->used < repeat->keys[at]->used)
            at = i;
    repeat->lost += !repeat->keys[at]->records && !repeat->keys[at]->changes;
    free_key(repeat->keys[at]);
    return &repeat->keys[at];
}

static void add(struct repeat *repeat, const struct work *work) {
    const struct wsim_launch *launch = &work->is.launch.launch;
    struct key *key = calloc(1, sizeof *key + launch->param_bytes), **at;
    if (!key)
        return;
    key->hash = shape_of(work, &key->shape);
    key->used = work->is.launch.number;
    key->sample = outcome_sample(launch);
    if (launch->param_bytes)
        memcpy(key->params, launch->params, launch->param_bytes);
    at = room_for(repeat);
    if (at)
        *at = key;
    else
        free_key(key);
}

/* --- launches --- */

const struct wsim_report *repeat_begin(struct work *work) {
    struct repeat *repeat = work->is.launch.function->repeat;
    const struct wsim_launch *launch = &work->is.launch.launch;
    struct key *key;
    uint64_t sample;
    if (core.settings.seed || core.settings.runs_all || core.shared || launch->primary ||
        (look_is_on() && work->is.launch.function->wanted))
        return NULL;
    if (!repeat)
        repeat = work->is.launch.function->repeat = calloc(1, sizeof *repeat);
    if (!repeat || repeat->lost >= LOST)
        return NULL;
    key = find(repeat, work);
    if (!key) {
        add(repeat, work);
        return NULL;
    }
    key->used = work->is.launch.number;
    if (key->outcome && outcome_apply(key->outcome))
        return outcome_report(key->outcome);
    if (key->records >= RECORDS || key->changes >= CHANGES)
        return NULL;
    sample = outcome_sample(launch);
    if (sample == key->sample) {
        key->records++;
        work->is.launch.outcome = outcome_begin(work);
        work->is.launch.launch.touched |= work->is.launch.outcome != NULL;
    } else {
        key->sample = sample;
        key->changes++;
    }
    return NULL;
}

int repeat_end(struct work *work, struct wsim_report *report, int error) {
    struct repeat *repeat = work->is.launch.function->repeat;
    struct outcome *outcome = work->is.launch.outcome;
    struct key *key = repeat && outcome ? find(repeat, work) : NULL;
    work->is.launch.outcome = NULL;
    if (key && !error && !work->stuck) {
        outcome_free(key->outcome);
        if (outcome_end(outcome, report, &key->outcome))
            return 1;
        key->records = RECORDS;
    }
    outcome_free(outcome);
    outcome_wrote_by(work->is.launch.launch.touched ? report : NULL);
    return 0;
}
