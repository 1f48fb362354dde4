/* Findings of a launch, each kept once for its rule and source lines. */
#include "launch.h"
#include "module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_FINDINGS 1000 /* that are kept one by one */

static void lock(struct run_shared *shared) {
    while (atomic_flag_test_and_set_explicit(&shared->lock, memory_order_acquire)) {
    }
}

static void unlock(struct run_shared *shared) {
    atomic_flag_clear_explicit(&shared->lock, memory_order_release);
}

enum run_next run_no_memory(struct run_warp *warp) {
    struct run_shared *shared = warp->worker->launch->shared;
    shared->no_memory = 1;
    atomic_store(&shared->stop, 1);
    return RUN_STOP;
}

/* Doubles a list if it is full. */
static int make_room(void **list, size_t used, size_t *room, size_t size) {
    size_t more = *room ? 2 * *room : 8;
    void *grown;
    if (used < *room)
        return 1;
    grown = realloc(*list, more * size);
    if (!grown)
        return 0;
    *list = grown;
    *room = more;
    return 1;
}

/* --- different numbers --- */

static uint64_t *slot_of(const struct launch_set *set, uint64_t key) {
    uint64_t at = key * 0x9E3779B97F4A7C15u;
    for (at ^= at >> 32;; at++)
        if (!set->slots[at % set->room] || set->slots[at % set->room] == key)
            return &set->slots[at % set->room];
}

/* 0 stands for a free slot, so a number is kept plus 1. Returns 0 without memory. */
static int set_add(struct launch_set *set, uint64_t number) {
    const uint64_t key = number + 1;
    uint64_t *slot;
    if (set->n >= WSIM_FINDING_MOST || !key)
        return 1;
    if (2 * set->n >= set->room) {
        const struct launch_set before = *set;
        const uint32_t room = before.room ? 4 * before.room : 8;
        uint64_t *slots = calloc(room, sizeof *slots);
        if (!slots)
            return 0;
        set->slots = slots;
        set->room = room;
        for (uint32_t i = 0; i < before.room; i++)
            if (before.slots[i])
                *slot_of(set, before.slots[i]) = before.slots[i];
        free(before.slots);
    }
    slot = slot_of(set, key);
    set->n += !*slot;
    *slot = key;
    return 1;
}

void launch_finding_free(struct launch_finding *finding) {
    free(finding->addresses.slots);
    free(finding->registers.slots);
    free(finding->blocks.slots);
    free(finding->warps.slots);
    free(finding->ptx_lines.slots);
    free(finding->text);
}

/* --- one finding for a rule and its source lines --- */

/* One occurrence. */
struct occurrence {
    struct launch_finding finding; /* without counts */
    const struct run_program *program;
    struct run_subject subject;
    uint32_t warp;
};

static struct launch_line line_of(const struct run_program *program, uint32_t op) {
    const struct ptx_module *ptx = program->module;
    const struct ptx_instruction *at = op == RUN_NOWHERE ? NULL : run_instruction_of(program, op);
    struct launch_line out = {.line = 0};
    if (!at)
        return out;
    out.traffic = program->ops[op].traffic;
    if (at->loc) {
        const struct ptx_loc *loc = &ptx->locs[at->loc];
        out.file = loc->file < ptx->n_files ? ptx->files[loc->file] : NULL;
        out.line = loc->line;
        return out;
    }
    out.file = run_part(ptx, run_function_of(program, op)->source->part);
    out.line = at->line;
    out.is_ptx = 1;
    return out;
}

int launch_same_line(const struct launch_line *a, const struct launch_line *b) {
    return a->line == b->line && a->is_ptx == b->is_ptx &&
           (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* A read and a write of one line are two. */
static int same_access(const struct launch_line *a, const struct launch_line *b) {
    return launch_same_line(a, b) && a->traffic == b->traffic;
}

/* Either side of a race may come first. An uninitialised value may have several uses, of which one
 * is named. */
static int is_same(const struct launch_finding *a, const struct launch_finding *b) {
    if (a->rule != b->rule)
        return 0;
    if (base_rule_once(a->rule))
        return 1;
    if (base_rule_in(a->rule, "init"))
        return launch_same_line(&a->line, &b->line);
    if (same_access(&a->line, &b->line) && same_access(&a->other_line, &b->other_line))
        return 1;
    return base_rule_in(a->rule, "race") && same_access(&a->line, &b->other_line) &&
           same_access(&a->other_line, &b->line);
}

static struct launch_finding *find(struct run_shared *shared, const struct launch_finding *like) {
    for (size_t i = 0; i < shared->n_findings; i++)
        if (is_same(&shared->findings[i], like))
            return &shared->findings[i];
    return NULL;
}

static int add_line(struct launch_finding *known, const struct run_program *program, uint32_t op) {
    const struct ptx_instruction *at = op == RUN_NOWHERE ? NULL : run_instruction_of(program, op);
    return !at || set_add(&known->ptx_lines,
                          (uint64_t)run_function_of(program, op)->source->part << 32 | at->line);
}

/* Counts an occurrence of a finding that is kept. */
static void count(struct run_shared *shared, struct launch_finding *known,
                  const struct occurrence *one) {
    const struct run_subject *subject = &one->subject;
    int good = set_add(&known->blocks, one->finding.block) && set_add(&known->warps, one->warp) &&
               add_line(known, one->program, one->finding.op) &&
               add_line(known, one->program, one->finding.other);
    known->count++;
    known->fatal |= one->finding.fatal;
    if (subject->kind == RUN_REGISTER)
        good &= set_add(&known->registers, subject->at);
    if (subject->kind == RUN_ADDRESS) {
        const uint64_t end = subject->at + subject->bytes;
        good &= set_add(&known->addresses, subject->at);
        known->low = known->high && known->low < subject->at ? known->low : subject->at;
        known->high = known->high > end ? known->high : end;
        known->space = subject->space;
    }
    if (!good)
        shared->no_memory = 1;
}

/* The words of an occurrence: those that name a missing wait, then those of the lowest block. */
static int is_better(const struct launch_finding *found, const struct launch_finding *known) {
    if (!known->text || !found->waits != !known->waits)
        return !known->text || found->waits;
    return found->block < known->block;
}

/* Counts an occurrence whose words are not needed. Returns 0 if they are. */
static int count_again(struct run_shared *shared, const struct occurrence *one) {
    struct launch_finding *known = find(shared, &one->finding);
    if (!known || is_better(&one->finding, known))
        return 0;
    *(known->note ? &shared->all_notes : &shared->all_findings) += 1;
    count(shared, known, one);
    return 1;
}

/* Keeps it if it is the first, or of a lower block than the one that was kept. */
static void keep(struct run_shared *shared, const struct occurrence *one, const char *text) {
    const struct launch_finding *found = &one->finding;
    struct launch_finding *known = find(shared, found);
    size_t size = strlen(text) + 1;
    void *list = shared->findings;
    *(found->note ? &shared->all_notes : &shared->all_findings) += 1;
    if (!known) {
        if (shared->n_findings >= MOST_FINDINGS)
            return;
        if (!make_room(&list, shared->n_findings, &shared->room_findings, sizeof *known)) {
            shared->no_memory = 1;
            return;
        }
        shared->findings = list;
        known = &shared->findings[shared->n_findings++];
        *known = *found;
    }
    count(shared, known, one);
    if (!is_better(found, known))
        return;
    free(known->text);
    known->op = found->op, known->other = found->other;
    known->line = found->line, known->other_line = found->other_line;
    known->block = found->block;
    known->waits = found->waits;
    known->when = shared->when++;
    memcpy(known->id, found->id, sizeof known->id);
    memcpy(known->thread, found->thread, sizeof known->thread);
    known->text = malloc(size);
    if (known->text)
        memcpy(known->text, text, size);
    else
        shared->no_memory = 1;
}

/* --- of a warp that runs --- */

/* The subject of a finding. */
struct about {
    const struct run_op *op, *other;
    const struct run_subject *subject;
    unsigned lane;
    int fatal, late;
};

static struct occurrence occurrence_of(const struct run_warp *warp, const struct about *about,
                                       const struct wsim_diag *diag) {
    const struct run_op *op = about->op, *other = about->other;
    const unsigned first = warp->born ? run_lowest(warp->born) : 0;
    const unsigned lane = about->lane < RUN_LANES ? about->lane : first;
    struct occurrence one = {.program = warp->program,
                             .warp = warp->number,
                             .finding = {.rule = diag->rule,
                                         .status = diag->status,
                                         .op = op ? run_number(warp, op) : RUN_NOWHERE,
                                         .other = other ? run_number(warp, other) : RUN_NOWHERE,
                                         .block = warp->block->number,
                                         .fatal = (uint8_t)about->fatal,
                                         .note = diag->status == WSIM_OK}};
    struct launch_finding *found = &one.finding;
    found->line = line_of(warp->program, found->op);
    found->other_line = line_of(warp->program, found->other);
    if (about->subject) {
        one.subject = *about->subject;
        found->waits = about->subject->waits;
    }
    memcpy(found->id, warp->block->id, sizeof found->id);
    for (unsigned i = 0; i < 3; i++)
        found->thread[i] = warp->tid[i][lane];
    return one;
}

/* A fatal finding ends the launch. */
static enum run_next go_on(const struct run_warp *warp, const struct about *about) {
    warp->worker->judged++;
    if (!about->fatal)
        return RUN_ON;
    atomic_store(&warp->worker->launch->shared->stop, 1);
    return RUN_STOP;
}

static enum run_next keep_finding(struct run_warp *warp, const struct about *about,
                                  const struct wsim_diag *diag) {
    const struct run_launch *launch = warp->worker->launch;
    const struct occurrence one = occurrence_of(warp, about, diag);
    lock(launch->shared);
    keep(launch->shared, &one, diag->text);
    unlock(launch->shared);
    if (launch->look && about->op)
        launch->look->finding(warp, about->late ? about->other : about->op, diag);
    return go_on(warp, about);
}

/* Most occurrences of a finding are only counted, so words are made last. A look hears all words.
 */
static enum run_next word_finding(struct run_warp *warp, const struct about *about,
                                  enum base_rule rule, const char *format, va_list values) {
    const struct run_launch *launch = warp->worker->launch;
    char text[WSIM_DIAG_TEXT];
    struct wsim_diag diag;
    base_refuse(&diag, rule, 0, "%s", "");
    if (!launch->look) {
        const struct occurrence one = occurrence_of(warp, about, &diag);
        int counted;
        lock(launch->shared);
        counted = count_again(launch->shared, &one);
        unlock(launch->shared);
        if (counted)
            return go_on(warp, about);
    }
    vsnprintf(text, sizeof text, format, values);
    base_refuse(&diag, rule, 0, "%s", text);
    return keep_finding(warp, about, &diag);
}

/* Gives the values after `format` to word_finding. */
#define WORD_FINDING(about, rule, format)                                                          \
    va_list values;                                                                                \
    enum run_next next;                                                                            \
    va_start(values, format);                                                                      \
    next = word_finding(warp, &(about), rule, format, values);                                     \
    va_end(values);                                                                                \
    return next

enum run_next run_finding(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          enum base_rule rule, int fatal, const char *format, ...) {
    const struct about about = {.op = op, .lane = lane, .fatal = fatal};
    WORD_FINDING(about, rule, format);
}

enum run_next run_finding_pair(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct run_op *other, enum base_rule rule, int fatal,
                               const char *format, ...) {
    const struct about about = {.op = op, .other = other, .lane = lane, .fatal = fatal};
    WORD_FINDING(about, rule, format);
}

enum run_next run_finding_of(struct run_warp *warp, const struct run_op *op, unsigned lane,
                             const struct run_op *other, enum base_rule rule,
                             const struct run_subject *subject, const char *format, ...) {
    const struct about about = {.op = op, .other = other, .lane = lane, .subject = subject};
    WORD_FINDING(about, rule, format);
}

enum run_next run_finding_late(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct run_op *other, enum base_rule rule,
                               const struct run_subject *subject, const char *format, ...) {
    const struct about about = {
        .op = op, .other = other, .lane = lane, .subject = subject, .late = 1};
    WORD_FINDING(about, rule, format);
}

void launch_find_pair(struct run_launch *launch, uint64_t unit, uint32_t rank, uint32_t thread,
                      uint32_t op, uint32_t other, enum base_rule rule,
                      const struct run_subject *subject, const char *format, ...) {
    struct run_shared *shared = launch->shared;
    struct occurrence one = {.program = launch->program,
                             .subject = *subject,
                             .warp = thread / RUN_LANES,
                             .finding = {.op = op, .other = other}};
    struct launch_finding *found = &one.finding;
    char text[WSIM_DIAG_TEXT];
    struct wsim_diag diag;
    va_list values;
    base_refuse(&diag, rule, 0, "%s", "");
    found->rule = diag.rule;
    found->status = diag.status;
    found->note = diag.status == WSIM_OK;
    found->line = line_of(launch->program, op);
    found->other_line = line_of(launch->program, other);
    block_locate(launch, unit, rank, found->id);
    found->block = found->id[0] + launch->grid[0] * ((uint64_t)found->id[1] +
                                                     (uint64_t)launch->grid[1] * found->id[2]);
    found->thread[0] = thread % launch->block[0];
    found->thread[1] = thread / launch->block[0] % launch->block[1];
    found->thread[2] = thread / launch->block[0] / launch->block[1];
    lock(shared);
    if (!count_again(shared, &one)) {
        va_start(values, format);
        vsnprintf(text, sizeof text, format, values);
        va_end(values);
        keep(shared, &one, text);
    }
    unlock(shared);
}

/* Rooms below have addresses and no variables: "shared address 0x5180" becomes "tile+0x180". The
 * words of an alignment compare addresses and keep them. */
static struct wsim_diag name_address(const struct run_warp *warp, const struct wsim_diag *diag) {
    static const char plain[] = "shared address ";
    const char *at = diag->status == WSIM_ALIGN ? NULL : strstr(diag->text, plain);
    struct wsim_diag named = *diag;
    struct base_text text = {named.text, sizeof named.text, 0};
    char *end;
    if (!at)
        return named;
    const uint64_t address = strtoull(at + strlen(plain), &end, 16);
    base_put(&text, "%.*s%s%s", (int)(at - diag->text), diag->text,
             run_shared_words(warp, address, plain).text, end);
    return named;
}

enum run_next run_refused(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          const struct wsim_diag *diag) {
    const struct about about = {.op = op, .lane = lane, .fatal = 1};
    const struct wsim_diag named = name_address(warp, diag);
    return keep_finding(warp, &about, &named);
}

enum run_next run_print(struct run_warp *warp, const char *text, size_t size) {
    struct run_block *block = warp->block;
    if (size > block->text_size - block->text_used) {
        size_t room = (block->text_size + size) * 2;
        char *grown = realloc(block->text, room);
        if (!grown)
            return run_no_memory(warp);
        block->text = grown;
        block->text_size = room;
    }
    memcpy(block->text + block->text_used, text, size);
    block->text_used += size;
    return RUN_ON;
}

int launch_print(struct run_launch *launch, struct run_block *block) {
    struct run_shared *shared = launch->shared;
    void *list;
    int kept;
    lock(shared);
    list = shared->outputs;
    kept = make_room(&list, shared->n_outputs, &shared->room_outputs, sizeof *shared->outputs);
    shared->outputs = list;
    if (kept)
        shared->outputs[shared->n_outputs++] =
            (struct launch_output){block->number, block->text, block->text_used};
    unlock(shared);
    if (kept) {
        block->text = NULL;
        block->text_used = block->text_size = 0;
    }
    return kept;
}
