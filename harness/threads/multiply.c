/* Multiplies matrices with several threads: each takes the next free part or block. */
#include "../../sim/base/base.h"

#include <wsim/harness/multiply.h>

#include <stdatomic.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define THREADS 1
#endif

/* Shared by all threads. */
struct work {
    const struct wsim_gemm *gemm;
    const struct wsim_gemm_from *a, *b, *c;
    const struct wsim_gemm_to *d;
    const struct wsim_gemm_how *how;
    uint8_t *packed_a, *packed_b;
    enum wsim_status (*step)(struct work *work, size_t number, void *own, struct wsim_diag *diag);
    size_t steps;
    atomic_size_t next;
    atomic_ullong elements; /* finished elements of D     */
    atomic_int failed;      /* no thread starts a step    */
};

/* Private to a thread. */
struct worker {
    struct work *work;
    void *own;
    int is_caller;
    enum wsim_status status;
    struct wsim_diag diag;
};

static enum wsim_status pack(struct work *work, size_t number, void *own, struct wsim_diag *diag) {
    size_t parts = work->gemm->parts_a;
    (void)own;
    return number < parts
               ? wsim_gemm_pack_a(work->gemm, work->a, number, work->packed_a, diag)
               : wsim_gemm_pack_b(work->gemm, work->b, number - parts, work->packed_b, diag);
}

static enum wsim_status run(struct work *work, size_t number, void *own, struct wsim_diag *diag) {
    struct wsim_gemm_block block = wsim_gemm_locate(work->gemm, number);
    enum wsim_status status = wsim_gemm_run(work->gemm, work->packed_a, work->packed_b, work->c,
                                            work->d, number, own, diag);
    atomic_fetch_add(&work->elements, (unsigned long long)block.rows * block.columns);
    return status;
}

static void *take_steps(void *argument) {
    struct worker *worker = argument;
    struct work *work = worker->work;
    const struct wsim_gemm_size *size = &work->gemm->size;
    size_t number;
    while (!atomic_load(&work->failed) &&
           (number = atomic_fetch_add(&work->next, 1)) < work->steps) {
        worker->status = work->step(work, number, worker->own, &worker->diag);
        if (worker->status)
            atomic_store(&work->failed, 1);
        if (worker->is_caller && work->how->progress)
            work->how->progress(work->how->context, atomic_load(&work->elements),
                                (uint64_t)size->m * size->n);
    }
    return NULL;
}

/* Runs all steps of one kind. The calling thread works too, so they finish even if no other thread
 * can start. */
static enum wsim_status take_all(struct work *work, struct worker *workers, unsigned jobs,
                                 struct wsim_diag *diag) {
    unsigned started = 0;
#ifdef THREADS
    pthread_t threads[WSIM_GEMM_JOBS];
    while (started + 1 < jobs && started + 1 < work->steps &&
           pthread_create(&threads[started], NULL, take_steps, &workers[started + 1]) == 0)
        started++;
#else
    (void)jobs;
#endif
    take_steps(&workers[0]);
#ifdef THREADS
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
#endif
    for (unsigned i = 0; i <= started; i++)
        if (workers[i].status) {
            if (diag)
                *diag = workers[i].diag;
            return workers[i].status;
        }
    return WSIM_OK;
}

static enum wsim_status multiply(struct work *work, struct worker *workers, unsigned jobs,
                                 struct wsim_diag *diag) {
    const struct wsim_gemm *gemm = work->gemm;
    enum wsim_status status;
    work->step = pack;
    work->steps = gemm->parts_a + gemm->parts_b;
    status = take_all(work, workers, jobs, diag);
    if (status)
        return status;
    work->step = run;
    work->steps = gemm->blocks;
    atomic_store(&work->next, 0);
    return take_all(work, workers, jobs, diag);
}

/* The memory of the threads. */
struct room {
    uint8_t *a, *b, *own;
    struct worker *workers;
};

/* Allocates at least one byte, so that NULL always means failure. */
static void *make(size_t count, size_t size) {
    if (!count || !size)
        count = size = 1;
    return size > SIZE_MAX / count ? NULL : malloc(count * size);
}

/* `own` of each begins at a multiple of what malloc aligns to. */
static size_t own_bytes(const struct wsim_gemm *gemm) {
    enum { ALIGN = 64 };
    return (gemm->bytes_own + ALIGN - 1) / ALIGN * ALIGN;
}

static int open_room(struct room *room, const struct wsim_gemm *gemm, unsigned jobs) {
    room->a = make(1, gemm->bytes_a);
    room->b = make(1, gemm->bytes_b);
    room->own = make(jobs, own_bytes(gemm));
    room->workers = make(jobs, sizeof *room->workers);
    return room->a && room->b && room->own && room->workers;
}

static void close_room(struct room *room) {
    free(room->a);
    free(room->b);
    free(room->own);
    free(room->workers);
}

enum wsim_status wsim_gemm_multiply(const struct wsim_gemm *gemm, const struct wsim_gemm_from *a,
                                    const struct wsim_gemm_from *b, const struct wsim_gemm_from *c,
                                    const struct wsim_gemm_to *d, const struct wsim_gemm_how *how,
                                    struct wsim_diag *diag) {
    struct work work = {.gemm = gemm, .a = a, .b = b, .c = c, .d = d, .how = how};
    unsigned jobs = how->jobs ? how->jobs : 1;
    enum wsim_status status;
    struct room room;
    if (jobs > WSIM_GEMM_JOBS)
        return base_refuse(diag, RULE_GEMM_JOBS_RANGE, 0, "%u jobs: there can be %u", jobs,
                           (unsigned)WSIM_GEMM_JOBS);
    if (open_room(&room, gemm, jobs)) {
        work.packed_a = room.a;
        work.packed_b = room.b;
        for (unsigned i = 0; i < jobs; i++)
            room.workers[i] = (struct worker){
                .work = &work, .own = room.own + i * own_bytes(gemm), .is_caller = i == 0};
        status = multiply(&work, room.workers, jobs, diag);
    } else {
        status =
            base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0,
                        "no memory for packed matrices of %llu and %llu bytes and %u threads",
                        (unsigned long long)gemm->bytes_a, (unsigned long long)gemm->bytes_b, jobs);
    }
    close_room(&room);
    return status;
}
