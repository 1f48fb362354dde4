/* Outcomes of launches; see outcome.h.
 *
 * Each write gives an allocation a new version. Where versions are known, no byte is looked at. The
 * host may write managed memory at any time, which therefore has none. With checks, findings also
 * depend on which bytes are initialised. If all that a launch reads are, an earlier one without
 * findings says that it has none either. Otherwise it is only left out if it would leave all as it
 * is. All else that checks keep lasts for one launch.
 */
#include "outcome.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (UINT64_C(1) << 30) /* of all outcomes; of one at most half of them */
enum { MOST_WORDS = 64, SAMPLES = 64, SAMPLE = 64 };
#define MOST_VARIABLE (UINT64_C(1) << 20)

/* An allocation that a launch accesses, and copies of its bytes before the launch. */
struct place {
    uint64_t base, bytes, id;
    uint64_t read, written; /* versions with the bytes that were read, with those written */
    unsigned char *before;  /* NULL: none */
    uint64_t reads;         /* how many bytes */
    uint8_t is_versioned, changes;
    uint8_t needs;        /* states, as state_of */
    uint8_t is_blind;     /* its reads are not kept */
    uint8_t state, wrote; /* of a launch that is left out */
};

/* Bytes of a place side by side; those that were read, before those that were written. */
struct span {
    uint64_t at, bytes;
    uint32_t place;
};

struct outcome {
    struct outcome *older, *newer; /* in the order of their last use */
    struct outcome **owner;        /* NULL: it is not complete */
    struct wsim_report *report;
    struct wsimrt_context *context;
    uint8_t is_checked; /* by all checks of the process, and without findings */
    struct place *places;
    size_t n, room;
    struct span *spans;
    size_t n_read, n_spans;
    unsigned char *bytes; /* of all spans */
    uint64_t read_bytes, size;
    uint64_t variables, versions, flights; /* when it began */
};

/* All outcomes together take at most an eighth of the host's memory. */
static uint64_t most_bytes(void) {
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    const uint64_t most = pages / 8 * (uint64_t)sysconf(_SC_PAGESIZE);
    return most < MOST_BYTES ? most : MOST_BYTES;
}

/* --- versions --- */

static int has_versions(const struct allocation *memory) {
    return memory->kind == WSIMRT_DEVICE || memory->kind == WSIMRT_VARIABLE;
}

/* Whether outcomes can have its bytes. Checks may protect managed memory from reads. */
static int is_kept(const struct allocation *memory) {
    return !memory->imported && !memory->mapped &&
           (has_versions(memory) || (memory->kind == WSIMRT_MANAGED && !core.settings.checks));
}

uint64_t outcome_version(struct allocation *memory) {
    if (memory->version <= core.unknown)
        memory->version = ++core.versions;
    return memory->version;
}

void outcome_wrote(struct allocation *memory) {
    memory->version = ++core.versions;
}

void outcome_wrote_by(const struct wsim_report *report) {
    struct wsim_touched touched;
    if (!report)
        core.unknown = ++core.versions;
    for (size_t i = 0; report && wsim_report_touched(report, i, &touched); i++) {
        struct allocation *memory =
            touched.kind == WSIM_TOUCHED_READ ? NULL : memory_find(touched.address, touched.bytes);
        if (memory)
            outcome_wrote(memory);
    }
}

static unsigned char *host_of(uint64_t address) {
    return memory_host(address);
}

/* --- allocations of parameters --- */

/* The next parameter from *word on that points to memory of a device; NULL: no more. */
static struct allocation *next_pointer(const struct wsim_launch *launch, unsigned *word) {
    while (*word < launch->param_bytes / 8 && *word < MOST_WORDS) {
        struct allocation *memory;
        uint64_t address;
        memcpy(&address, (const unsigned char *)launch->params + 8 * (size_t)(*word)++, 8);
        memory = address ? memory_find(address, 1) : NULL;
        if (memory && is_kept(memory))
            return memory;
    }
    return NULL;
}

static uint64_t mix(uint64_t number, const unsigned char *bytes, size_t n) {
    for (uint64_t word; n; bytes += sizeof word, n -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        number = (number ^ word) * 0x9E3779B97F4A7C15u;
        number ^= number >> 29;
    }
    return number;
}

uint64_t outcome_sample(const struct wsim_launch *launch) {
    const struct allocation *memory;
    uint64_t number = 1;
    unsigned word = 0;
    while ((memory = next_pointer(launch, &word))) {
        const uint64_t room = memory->bytes / SAMPLE;
        const uint64_t step = room > SAMPLES ? room / SAMPLES : 1;
        const unsigned char *bytes = host_of(memory->base);
        for (uint64_t i = 0; i < room && i < step * SAMPLES; i += step)
            number = mix(number, bytes + i * SAMPLE, SAMPLE);
        number = mix(number, bytes + room * SAMPLE, memory->bytes % SAMPLE / 8 * 8);
    }
    return number;
}

/* --- the launch runs --- */

/* The number of a place; that of the last one is likely. SIZE_MAX: no memory. */
static size_t place_of(struct outcome *outcome, struct allocation *memory, size_t last) {
    size_t at = 0;
    if (last < outcome->n && outcome->places[last].base == memory->base)
        return last;
    while (at < outcome->n && outcome->places[at].base != memory->base)
        at++;
    if (at < outcome->n)
        return at;
    if (outcome->n == outcome->room) {
        const size_t room = outcome->room ? 2 * outcome->room : 8;
        struct place *grown = realloc(outcome->places, room * sizeof *grown);
        if (!grown)
            return SIZE_MAX;
        outcome->places = grown;
        outcome->room = room;
    }
    outcome->places[outcome->n++] = (struct place){.base = memory->base,
                                                   .bytes = memory->bytes,
                                                   .id = memory->id,
                                                   .is_versioned = (uint8_t)has_versions(memory)};
    return at;
}

/* Keeps a copy of the bytes of an allocation, if there is memory for it. */
static void keep_before(struct outcome *outcome, struct allocation *memory, uint64_t *kept) {
    const size_t at = place_of(outcome, memory, 0);
    struct place *place = at < SIZE_MAX ? &outcome->places[at] : NULL;
    if (!place || place->before || memory->bytes > most_bytes() / 2 - *kept)
        return;
    place->before = malloc((size_t)memory->bytes + 1);
    if (!place->before)
        return;
    memcpy(place->before, host_of(memory->base), (size_t)memory->bytes);
    *kept += memory->bytes;
}

struct outcome *outcome_begin(const struct work *work) {
    const struct wsim_launch *launch = &work->is.launch.launch;
    struct outcome *outcome = calloc(1, sizeof *outcome);
    struct allocation *memory;
    uint64_t kept = 0;
    unsigned word = 0;
    if (!outcome || core.flying) {
        free(outcome);
        return NULL;
    }
    while ((memory = next_pointer(launch, &word)))
        keep_before(outcome, memory, &kept);
    for (size_t i = 0; i < core.memory.n; i++)
        if (core.memory.list[i]->kind == WSIMRT_VARIABLE &&
            core.memory.list[i]->bytes <= MOST_VARIABLE)
            keep_before(outcome, core.memory.list[i], &kept);
    outcome->context = work->context;
    outcome->is_checked = work->is.launch.checked;
    outcome->variables = core.variables;
    outcome->versions = core.versions;
    outcome->flights = core.flights;
    return outcome;
}

/* --- it has ended --- */

/* Instructions have no inputs or outputs beside memory, parameters and constants. */
static int is_closed(const struct wsim_report *report) {
    struct wsim_totals totals;
    struct wsim_line line;
    size_t size = 0;
    wsim_report_totals(report, &totals);
    wsim_report_output(report, &size);
    if (totals.clock || size)
        return 0;
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        if (line.outside)
            return 0;
    return 1;
}

/* The places and spans of what the report has touched: reads, or writes. 0: one is not of the
 * kernel alone, or there is no memory. */
static int list_spans(struct outcome *outcome, int writes) {
    const uint8_t not = writes ? WSIM_TOUCHED_READ : WSIM_TOUCHED_WRITTEN;
    struct wsim_touched touched;
    size_t at = 0;
    for (size_t i = 0; wsim_report_touched(outcome->report, i, &touched); i++) {
        struct allocation *memory;
        struct place *place;
        if (touched.kind == not || touched.kind == WSIM_TOUCHED_UPDATED)
            continue;
        if (at >= outcome->n || touched.address < outcome->places[at].base ||
            touched.address + touched.bytes >
                outcome->places[at].base + outcome->places[at].bytes) {
            memory = memory_find(touched.address, touched.bytes);
            if (!memory || !is_kept(memory))
                return 0;
            at = place_of(outcome, memory, at);
            if (at == SIZE_MAX)
                return 0;
        }
        place = &outcome->places[at];
        if (!place->is_versioned && touched.kind == WSIM_TOUCHED_STRONG)
            return 0; /* the host may take part */
        if ((outcome->n_spans & (outcome->n_spans - 1)) == 0) {
            const size_t room = outcome->n_spans ? 2 * outcome->n_spans : 1;
            struct span *grown = realloc(outcome->spans, room * sizeof *grown);
            if (!grown)
                return 0;
            outcome->spans = grown;
        }
        outcome->spans[outcome->n_spans++] =
            (struct span){touched.address, touched.bytes, (uint32_t)at};
    }
    return 1;
}

/* Looks at which places change, and at which no bytes of reads can be kept. 0: the outcome is of no
 * use. */
static int look_at_places(struct outcome *outcome) {
    const uint64_t most = most_bytes() / 2;
    uint64_t written = 0;
    for (size_t i = outcome->n_read; i < outcome->n_spans; i++) {
        const struct span *span = &outcome->spans[i];
        struct place *place = &outcome->places[span->place];
        written += span->bytes;
        place->needs |= 2;
        place->changes |=
            (uint8_t)(!place->before || memcmp(place->before + (span->at - place->base),
                                               host_of(span->at), (size_t)span->bytes));
    }
    for (size_t i = 0; i < outcome->n_read; i++)
        outcome->places[outcome->spans[i].place].reads += outcome->spans[i].bytes;
    outcome->size = written + outcome->n_spans * sizeof *outcome->spans;
    if (outcome->size > most)
        return 0;
    for (size_t i = 0; i < outcome->n; i++) {
        struct place *place = &outcome->places[i];
        place->is_blind = (uint8_t)((place->reads && place->changes && !place->before) ||
                                    place->reads > most - outcome->size);
        if (place->is_blind && (place->changes || !place->is_versioned))
            return 0;
        place->needs |= (uint8_t)(place->reads > 0);
        outcome->read_bytes += place->is_blind ? 0 : place->reads;
        outcome->size += place->is_blind ? 0 : place->reads;
    }
    return 1;
}

/* Keeps the bytes of all spans. */
static int keep_bytes(struct outcome *outcome) {
    unsigned char *to;
    to = outcome->bytes =
        malloc((size_t)(outcome->size - outcome->n_spans * sizeof *outcome->spans) + 1);
    for (size_t i = 0; i < outcome->n_spans && to; i++) {
        const struct span *span = &outcome->spans[i];
        const struct place *place = &outcome->places[span->place];
        if (i < outcome->n_read && place->is_blind)
            continue;
        memcpy(to,
               i < outcome->n_read && place->before ? place->before + (span->at - place->base)
                                                    : host_of(span->at),
               (size_t)span->bytes);
        to += span->bytes;
    }
    return to != NULL;
}

static void take_out(struct outcome *outcome) {
    *(outcome->older ? &outcome->older->newer : &core.oldest) = outcome->newer;
    *(outcome->newer ? &outcome->newer->older : &core.newest) = outcome->older;
}

static void put_in(struct outcome *outcome) {
    outcome->older = core.newest;
    outcome->newer = NULL;
    *(core.newest ? &core.newest->newer : &core.oldest) = outcome;
    core.newest = outcome;
}

int outcome_end(struct outcome *outcome, struct wsim_report *report, struct outcome **owner) {
    struct wsim_totals totals;
    int good = outcome->versions == core.versions && outcome->flights + 1 == core.flights &&
               is_closed(report);
    wsim_report_totals(report, &totals);
    outcome->is_checked &= !totals.findings && !totals.notes;
    outcome->report = report;
    good = good && list_spans(outcome, 0);
    outcome->n_read = outcome->n_spans;
    good = good && list_spans(outcome, 1) && look_at_places(outcome) && keep_bytes(outcome);
    if (!good) {
        outcome->report = NULL;
        return 0;
    }
    for (size_t i = 0; i < outcome->n; i++) {
        struct place *place = &outcome->places[i];
        struct allocation *memory = memory_find(place->base, 1);
        free(place->before);
        place->before = NULL;
        if (!memory || !place->is_versioned)
            continue;
        place->read = outcome_version(memory);
        if (place->changes)
            outcome_wrote(memory);
        place->written = outcome_version(memory);
    }
    while (core.oldest && core.outcomes > most_bytes() - outcome->size)
        outcome_free(core.oldest);
    core.outcomes += outcome->size;
    outcome->owner = owner;
    *owner = outcome;
    put_in(outcome);
    return 1;
}

/* --- again --- */

/* Bit 0 of a state: the allocation has the version that the launch read. Bit 1: the version that
 * the launch left. */
enum { GONE = 4 };

static uint8_t state_of(const struct place *place) {
    struct allocation *memory = memory_find(place->base, 1);
    uint64_t version;
    if (!memory || memory->base != place->base || memory->bytes != place->bytes ||
        !is_kept(memory) || has_versions(memory) != place->is_versioned)
        return GONE;
    if (!place->is_versioned || memory->id != place->id || core.flying)
        return 0;
    version = outcome_version(memory);
    return (uint8_t)((version == place->read) | (version == place->written) << 1);
}

/* Whether the launch has to leave all as it is. */
static int is_bound(const struct outcome *outcome) {
    return core.settings.checks && (!outcome->is_checked || core.flying);
}

static int is_initialised(const struct outcome *outcome, const struct span *span) {
    return !core.settings.checks || wsim_device_written(outcome->context->device, span->at,
                                                        span->bytes) == span->bytes;
}

/* Whether all bytes that the launch would read are those that it read. 2: and those that it would
 * write are there. */
static int is_same(struct outcome *outcome) {
    const unsigned char *bytes = outcome->bytes;
    int known = 2;
    if (outcome->variables != core.variables)
        return 0;
    for (size_t i = 0; i < outcome->n; i++) {
        struct place *place = &outcome->places[i];
        place->state = state_of(place);
        if (place->state == GONE || (place->is_blind && !(place->state & 1)) ||
            (is_bound(outcome) && (place->changes || !(place->state & 1))))
            return 0;
        if (place->needs & ~place->state)
            known = 1;
    }
    for (size_t i = 0; i < outcome->n_read && known < 2; i++) {
        const struct span *span = &outcome->spans[i];
        const struct place *place = &outcome->places[span->place];
        if (place->is_blind)
            continue;
        if (!(place->state & 1) && (!is_initialised(outcome, span) ||
                                    memcmp(bytes, host_of(span->at), (size_t)span->bytes) != 0))
            return 0;
        bytes += span->bytes;
    }
    return known;
}

/* Writes what is not there yet. With checks, equal bytes become initialised too. */
static void write_spans(struct outcome *outcome) {
    struct wsim_diag diag;
    const unsigned char *bytes = outcome->bytes + outcome->read_bytes;
    for (size_t i = outcome->n_read; i < outcome->n_spans; i++) {
        const struct span *span = &outcome->spans[i];
        struct place *place = &outcome->places[span->place];
        const int differs = !(place->state & 2) &&
                            memcmp(host_of(span->at), bytes, (size_t)span->bytes) != 0;
        if (differs || (core.settings.checks && !(place->state & 2)))
            wsim_device_write(outcome->context->device, span->at, bytes, span->bytes, &diag);
        place->wrote |= (uint8_t)differs;
        bytes += span->bytes;
    }
}

int outcome_apply(struct outcome *outcome) {
    const int same = is_same(outcome);
    if (same == 1)
        write_spans(outcome);
    for (size_t i = 0; i < outcome->n && same == 1; i++) {
        struct place *place = &outcome->places[i];
        struct allocation *memory = memory_find(place->base, 1);
        if (place->is_versioned) {
            place->id = memory->id;
            place->read = outcome_version(memory);
            if (place->wrote)
                outcome_wrote(memory);
            place->written = outcome_version(memory);
        }
        place->wrote = 0;
    }
    if (same) {
        take_out(outcome);
        put_in(outcome);
    }
    return same > 0;
}

const struct wsim_report *outcome_report(const struct outcome *outcome) {
    return outcome->report;
}

void outcome_free(struct outcome *outcome) {
    if (!outcome)
        return;
    if (outcome->owner) {
        *outcome->owner = NULL;
        take_out(outcome);
        core.outcomes -= outcome->size;
        wsim_report_free(outcome->report);
    }
    for (size_t i = 0; i < outcome->n; i++)
        free(outcome->places[i].before);
    free(outcome->places);
    free(outcome->spans);
    free(outcome->bytes);
    free(outcome);
}
