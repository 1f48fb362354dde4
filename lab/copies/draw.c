/* draw.c - wsim-copies: cases of tensor copies by number, as lines without expectations, for
 * wsim-copies-gpu to run. The model checks the maps, but not whether the hardware executes the
 * copy: many cases test just that. */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind *const lists[] = {tile_kinds,  trap_kinds,  edge_kinds,    number_kinds,
                                           pixel_kinds, plain_kinds, spelling_kinds};
enum { LISTS = sizeof lists / sizeof lists[0] };

static uint64_t state;

uint32_t draw(uint32_t n) { /* 0 to n - 1 */
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % n);
}

int is_map(const struct wsim_tensor *t) {
    return wsim_tensor_check(t, wsim_arch_find("sm_90a"), NULL) == WSIM_OK;
}

static void usage(void) {
    const struct kind *k;
    unsigned l;
    fputs("usage: wsim-copies SEED KIND=N...\nkinds:", stderr);
    for (l = 0; l < LISTS; l++)
        for (k = lists[l]; k->name; k++)
            fprintf(stderr, " %s", k->name);
    fputc('\n', stderr);
}

/* KIND=N; 0: there is no such kind. */
static int run(const char *order) {
    size_t n = strcspn(order, "=");
    const struct kind *k;
    unsigned l;
    int i;
    for (l = 0; l < LISTS; l++)
        for (k = lists[l]; k->name; k++)
            if (strlen(k->name) == n && strncmp(order, k->name, n) == 0) {
                for (i = 0; order[n] && i < atoi(order + n + 1); i++)
                    k->one();
                return 1;
            }
    return 0;
}

int main(int argc, char **argv) {
    int a;
    if (argc < 2) {
        usage();
        return 2;
    }
    state = strtoull(argv[1], NULL, 0);
    printf("#seed: %s\n", argv[1]);
    for (a = 2; a < argc; a++)
        if (!run(argv[a])) {
            usage();
            return 2;
        }
    return 0;
}
