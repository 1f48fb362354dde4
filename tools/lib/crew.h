/* crew.h - threads that take shares of numbered work.
 *
 *     struct crew crew = {.n = cases, .share = 64, .work = compare};
 *     crew_start(&crew, threads, workers, sizeof workers[0]);
 *     crew_end(&crew); */
#ifndef TOOLS_CREW_H
#define TOOLS_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CREW_MOST 256 /* threads */

struct crew;
struct crew_member {
    pthread_t thread;
    struct crew *crew;
    void *worker;
};

struct crew {
    uint32_t n, share; /* numbers 0 to n - 1; a thread takes `share` of them at a time */
    /* Does numbers from .. from + n - 1 with the struct of a thread. 0: no thread goes on. */
    int (*work)(void *worker, uint32_t from, uint32_t n);
    atomic_uint_fast32_t next; /* n or more: all numbers are taken */
    unsigned started;
    struct crew_member member[CREW_MOST];
};

/* Starts at most `threads` threads. Thread i works with number i of an array of structs of `size`
 * bytes. Returns the number of threads that run, in crew->started too. */
unsigned crew_start(struct crew *crew, unsigned threads, void *workers, size_t size);

/* Takes shares on the calling thread, beside the threads that were started. */
void crew_help(struct crew *crew, void *worker);

/* Waits for all threads. */
void crew_end(struct crew *crew);

#endif
