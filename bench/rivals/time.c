/* Times: all rivals run in turns, round after round, and the minimum of each counts, so that a busy
 * machine slows all alike. */
#include "rivals.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILES = 16, GROUP_TILES = 4, ROUNDS = 60, LOOPS = 3 };
static const double slice = 20e3; /* about the ns of a rival in a round */

const unsigned bench_dists[BENCH_DISTS] = {WSIM_DIST_NEAR_ONE, WSIM_DIST_WIDE, WSIM_DIST_SUBNORMAL,
                                           WSIM_DIST_RAW};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Operands of one case. */
struct tile {
    uint32_t *in, *out;
    struct wsim_case_scratch *scratch;
    struct wsim_io io;
};

struct timing {
    struct wsim_code code[WSIM_PATHS];
    int codes, tiles;
    struct tile tile[BENCH_DISTS][TILES];
    const struct loop *loop[LOOPS];
    int loops;
    void *a, *b, *c, *d;
    int has_failed; /* no memory */
};

/* --- operands --- */

static void *make(struct timing *t, size_t count, size_t size) {
    void *memory = calloc(count, size);
    t->has_failed |= !memory;
    return memory;
}

/* Draws again until no operand in memory is transposed. */
static void draw(const struct wsim_plan *plan, unsigned dist, uint64_t *number, struct tile *tile) {
    do {
        struct wsim_case c = wsim_case_at(plan, 1, (*number)++, dist);
        wsim_case_fill(plan, &c, tile->in);
        wsim_case_bind(plan, tile->in, tile->out, tile->scratch, &tile->io);
    } while (plan->variants && (tile->io.wgmma.trans_a || tile->io.wgmma.trans_b));
}

static void open_tiles(struct timing *t, const struct wsim_plan *plan) {
    t->tiles = plan->threads > WSIM_LANES ? GROUP_TILES : TILES;
    for (int dist = 0; dist < BENCH_DISTS; dist++) {
        uint64_t number = 0;
        for (int i = 0; i < t->tiles; i++) {
            struct tile *tile = &t->tile[dist][i];
            tile->in = make(t, ((size_t)plan->in_rows + 1) * WSIM_LANES, sizeof *tile->in);
            tile->out = make(t, ((size_t)plan->out_rows + 1) * WSIM_LANES, sizeof *tile->out);
            tile->scratch = make(t, 1, sizeof *tile->scratch);
            if (!t->has_failed)
                draw(plan, bench_dists[dist], &number, tile);
        }
    }
}

/* Small integers, which all types hold. */
static void *open_matrix(struct timing *t, enum loop_type type, size_t elements) {
    void *matrix = make(t, elements, sizeof(double));
    for (size_t i = 0; matrix && i < elements; i++)
        if (type == LOOP_FLOAT)
            ((float *)matrix)[i] = (float)(i % 7) - 3;
        else if (type == LOOP_DOUBLE)
            ((double *)matrix)[i] = (double)(i % 7) - 3;
        else
            ((int32_t *)matrix)[i] = (int32_t)(i % 7) - 3;
    return matrix;
}

static void open_loops(struct timing *t, const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_layout d;
    enum loop_type type;
    if (wsim_op_layout(op, NULL, WSIM_D, &d, NULL))
        return;
    type = d.format->kind == WSIM_INT ? LOOP_INT : d.elem_bits == 64 ? LOOP_DOUBLE : LOOP_FLOAT;
    while (t->loops < LOOPS &&
           (t->loop[t->loops] = loop_find(type, info.m, info.n, info.k, t->loops)) != NULL)
        t->loops++;
    if (!t->loops)
        return;
    t->a = open_matrix(t, type, (size_t)info.m * info.k);
    t->b = open_matrix(t, type, (size_t)info.n * info.k);
    t->c = open_matrix(t, type, (size_t)info.m * info.n);
    t->d = open_matrix(t, type, (size_t)info.m * info.n);
}

static void close_timing(struct timing *t) {
    for (int dist = 0; dist < BENCH_DISTS; dist++)
        for (int i = 0; i < t->tiles; i++) {
            free(t->tile[dist][i].in);
            free(t->tile[dist][i].out);
            free(t->tile[dist][i].scratch);
        }
    free(t->a);
    free(t->b);
    free(t->c);
    free(t->d);
    free(t);
}

/* --- rivals --- */

static void least(double *best, double ns) {
    if (*best == 0 || ns < *best)
        *best = ns;
}

/* Runs a code for a slice; the number of runs adapts to the best so far. */
static enum wsim_status time_code(const struct timing *t, int code, int dist, double *best,
                                  struct wsim_diag *diag) {
    int count = *best > 0 && *best < slice ? (int)(slice / *best) : 1;
    double start;
    count = (count + t->tiles - 1) / t->tiles * t->tiles;
    if (*best > slice)
        count = 1;
    start = now();
    for (int i = 0; i < count; i++) {
        enum wsim_status status = wsim_run(&t->code[code], &t->tile[dist][i % t->tiles].io, diag);
        if (status)
            return status;
    }
    least(best, (now() - start) / count);
    return WSIM_OK;
}

static void time_loop(const struct timing *t, loop_run *run, double *best) {
    int count = *best > 0 && *best < slice ? (int)(slice / *best) : 1;
    double start = now();
    for (int i = 0; i < count; i++)
        run(t->a, t->b, t->c, t->d);
    least(best, (now() - start) / count);
}

/* The plain path is slow and depends little on the operands: it takes part in fewer rounds. */
static int takes_part(const struct bench_path *path, int round) {
    return path->path != WSIM_PATH_PLAIN || round % 8 == 0;
}

static enum wsim_status time_rounds(struct timing *t, struct bench_form *form,
                                    struct wsim_diag *diag) {
    double rows[LOOPS] = {0}, columns[LOOPS] = {0}, restricted[LOOPS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < form->paths; i++)
            for (int dist = 0; dist < BENCH_DISTS && takes_part(&form->path[i], round); dist++)
                if (time_code(t, i, dist, &form->path[i].ns[dist], diag))
                    return diag->status;
        for (int i = 0; i < t->loops; i++) {
            time_loop(t, t->loop[i]->by_rows, &rows[i]);
            time_loop(t, t->loop[i]->by_columns, &columns[i]);
            time_loop(t, t->loop[i]->restricted, &restricted[i]);
        }
    }
    for (int i = 0; i < t->loops; i++) {
        int by_rows = rows[i] < columns[i];
        double best = by_rows ? rows[i] : columns[i];
        if (form->loop == 0 || best < form->loop) {
            form->loop = best;
            form->order = by_rows ? "by rows" : "by columns";
            form->level = t->loop[i]->level;
        }
        least(&form->restricted, restricted[i]);
    }
    return WSIM_OK;
}

/* --- forms --- */

static enum wsim_status prepare(struct timing *t, const struct wsim_op *op, uint32_t only,
                                struct bench_form *form, struct wsim_diag *diag) {
    for (unsigned p = 0; p < WSIM_PATHS; p++) {
        struct wsim_code *code = &t->code[form->paths];
        uint32_t flags = p == WSIM_PATH_PLAIN ? WSIM_PLAIN : WSIM_UP_TO(p);
        if (only && flags != only)
            continue;
        if (wsim_prepare(op, form->arch, flags, code, diag))
            return diag->status;
        if (wsim_code_path(code) == (enum wsim_path)p || only)
            form->path[form->paths++] =
                (struct bench_path){.path = wsim_code_path(code), .kernel = wsim_code_kernel(code)};
    }
    return WSIM_OK;
}

enum wsim_status bench_time(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t only,
                            struct bench_form *form, struct wsim_diag *diag) {
    struct timing *t = calloc(1, sizeof *t);
    struct wsim_plan plan;
    enum wsim_status status;
    *form = (struct bench_form){.arch = arch};
    wsim_op_spell(op, form->spelling);
    if (!t)
        return WSIM_NO_MEMORY;
    status = prepare(t, op, only, form, diag);
    if (!status)
        status = wsim_plan_make(op, 0, &plan, diag);
    if (!status) {
        open_tiles(t, &plan);
        open_loops(t, op);
        status = t->has_failed ? WSIM_NO_MEMORY : time_rounds(t, form, diag);
    }
    close_timing(t);
    return status;
}
