/* Threads that take shares of numbered work; see crew.h. */
#include "crew.h"

void crew_help(struct crew *crew, void *worker) {
    uint32_t from;
    while ((from = (uint32_t)atomic_fetch_add(&crew->next, crew->share)) < crew->n)
        if (!crew->work(worker, from,
                        crew->share < crew->n - from ? crew->share : crew->n - from)) {
            atomic_store(&crew->next, crew->n);
            return;
        }
}

static void *run(void *argument) {
    struct crew_member *member = argument;
    crew_help(member->crew, member->worker);
    return NULL;
}

unsigned crew_start(struct crew *crew, unsigned threads, void *workers, size_t size) {
    atomic_init(&crew->next, 0);
    crew->started = 0;
    while (crew->started < threads && crew->started < CREW_MOST) {
        struct crew_member *member = &crew->member[crew->started];
        member->crew = crew;
        member->worker = (char *)workers + crew->started * size;
        if (pthread_create(&member->thread, NULL, run, member))
            break;
        crew->started++;
    }
    return crew->started;
}

void crew_end(struct crew *crew) {
    while (crew->started)
        pthread_join(crew->member[--crew->started].thread, NULL);
}
