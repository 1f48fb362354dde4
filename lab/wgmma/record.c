/* record.c - runs the kernels of kernels.c on random descriptors and prints a trace.
 *     record SEED all KERNELS.cubin... >wgmma_sweep.trace   every form
 *     record SEED odd KERNELS.cubin... >wgmma_odd.trace     base offsets, bits that mean nothing,
 *                                                           addresses outside of the block
 * DRIVER and DATE in the environment go into the header. A case that traps ends its process, and
 * the next one starts in another. */
#include "case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct launch launch;

/* --- descriptors --- */

static uint32_t highest(const struct wsim_descriptor *d, const struct wsim_tile *tile) {
    uint32_t most = 0;
    for (unsigned row = 0; row < tile->rows; row++)
        for (unsigned k = 0; k < tile->k; k++) {
            uint32_t at = wsim_descriptor_address(d, tile, row, k);
            most = at > most ? at : most;
        }
    return most;
}

static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B, WSIM_SWIZZLE_64B,
                                          WSIM_SWIZZLE_128B};

/* Any that stays inside the window. */
static struct wsim_descriptor random_descriptor(const struct wsim_tile *tile, uint64_t *state) {
    for (;;) {
        uint64_t r = form_random(state), q = form_random(state);
        struct wsim_descriptor d = {0};
        unsigned spread = 1u << (3 + (q >> 40) % 9);
        d.mode = modes[r & 3];
        d.start = (uint32_t)(r >> 8) % (FORM_WINDOW / 16) * 16;
        if (r >> 2 & 1)
            d.start &= ~1023u;
        d.leading = (uint32_t)q % spread * 16;
        d.stride = (uint32_t)(q >> 20) % spread * 16;
        if (r >> 3 & 1)
            d.stride = 8 * (d.mode == WSIM_SWIZZLE_NONE ? 16 : wsim_swizzle_span(d.mode));
        if (highest(&d, tile) + 4 <= FORM_WINDOW)
            return d;
    }
}

/* Any bits, with all elements inside the block, or one outside. Below the window is the KiB of
 * the system, which can be read; what it holds no trace can say. */
static uint64_t anywhere(const struct wsim_tile *tile, int inside, uint64_t *state) {
    for (;;) {
        uint64_t bits = form_random(state), q = form_random(state);
        struct wsim_descriptor d;
        if (q & 1)
            bits &= ~(UINT64_C(0x3000) << 16); /* short steps, or few fit */
        if (q & 2)
            bits &= ~(UINT64_C(0x3800) << 32);
        wsim_descriptor_decode(bits, &d, NULL);
        if (d.start < 0x40000 - 1024 && (highest(&d, tile) + 4 <= FORM_BLOCK) == inside)
            return bits;
    }
}

static void choose_descriptors(uint64_t *state) {
    for (int i = 0; i < 2; i++) {
        const struct form *form = launch.form;
        struct wsim_descriptor descriptor;
        struct wsim_tile tile;
        wsim_wgmma_tile(&form->op, i ? WSIM_B : WSIM_A, (int)form->trans[i], &tile, NULL);
        descriptor = random_descriptor(&tile, state);
        wsim_descriptor_encode(&descriptor, &launch.desc[i], NULL);
    }
}

static struct operands choose(const struct form *form, unsigned turn, uint64_t *state) {
    const struct wsim_layout *d = &form->d;
    enum dist dist = (enum dist)(turn % DISTS);
    struct operands with;
    struct wsim_tile tile;
    unsigned exponent;
    launch.form = form;
    launch.size = FORM_WINDOW;
    choose_descriptors(state);
    wsim_wgmma_tile(&form->op, WSIM_B, 0, &tile, NULL);
    exponent = tile.bits == 16 && !strstr(form->spelling, "bf16") ? 5 : tile.bits == 8 ? 4 : 8;
    with.window = case_numbers(tile.bits, exponent, form->signs, dist, form_random(state));
    with.a = case_numbers(tile.bits, exponent, form->signs, dist, form_random(state));
    with.c = case_numbers(d->elem_bits, d->elem_bits == 16 ? 5 : 8, form->signs, dist,
                          form_random(state));
    with.e = case_metadata(form, state);
    launch.scale_d = form_random(state) % 4 != 0;
    return with;
}

/* --- what is recorded --- */

/* Cases are counted; those before `first` are drawn and not run. */
struct list {
    unsigned at, first;
    int reached; /* where the number of the case goes                                          */
};

enum { TRAPPED = 3 };

static void run(struct list *list, const struct operands *with) {
    enum gpu_answer answer;
    if (list->at++ < list->first)
        return;
    if (write(list->reached, &list->at, sizeof list->at) != (ssize_t)sizeof list->at)
        _exit(2);
    answer = case_execute(with, &launch);
    if (answer != GPU_REFUSED)
        case_print(with, &launch, answer == GPU_TRAPPED);
    fflush(stdout);
    if (answer == GPU_TRAPPED)
        _exit(TRAPPED);
}

static void record_all(struct list *list, uint64_t seed) {
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number * UINT64_C(1000003);
        unsigned first = form.number % DISTS;
        for (unsigned i = 0; i < (form.few ? 1u : 4u); i++) {
            struct operands with = choose(&form, form.few ? first : i, &state);
            run(list, &with);
        }
    }
}

/* Values that no canonical descriptor has. */
enum odd { BASE_OFFSET, MEANINGLESS, INSIDE, OUTSIDE, ODDS };

static void make_odd(enum odd odd, uint64_t *state) {
    uint64_t r = form_random(state);
    for (int i = 0; i < 2; i++, r >>= 24) {
        const struct form *form = launch.form;
        struct wsim_tile tile;
        wsim_wgmma_tile(&form->op, i ? WSIM_B : WSIM_A, (int)form->trans[i], &tile, NULL);
        if (odd == BASE_OFFSET)
            launch.desc[i] |= (r % 7 + 1) << 49;
        if (odd == MEANINGLESS)
            launch.desc[i] |= form_random(state) & UINT64_C(0x3FF1C000C000C000);
        if (odd >= INSIDE)
            launch.desc[i] = anywhere(&tile, odd == INSIDE || i != launch.outside, state);
    }
}

static void record_odd(struct list *list, uint64_t seed) {
    static const unsigned times[ODDS] = {3, 1, 2, 1};
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number * UINT64_C(1000003);
        for (unsigned i = 0; form_is_odd(&form) && i < ODDS; i++)
            for (unsigned turn = 0; turn < times[i]; turn++) {
                struct operands with = choose(&form, NEAR_ONE, &state);
                launch.size = i >= INSIDE ? FORM_BLOCK : FORM_WINDOW;
                launch.outside = form.in_registers || form_random(&state) & 1;
                make_odd((enum odd)i, &state);
                if (i != OUTSIDE || form.number % 3 == 0) /* a trap takes its time */
                    run(list, &with);
            }
    }
}

/* --- processes --- */

static const char *setting(const char *name) {
    return getenv(name) ? getenv(name) : "unknown";
}

static void print_header(uint64_t seed) {
    char name[128];
    gpu_name(name, sizeof name);
    printf("#wsim-trace 1\n#gpu: %s\n#arch: sm_90a\n#driver: %s\n#toolkit: 13.0\n"
           "#generator: lab/wgmma\n#seed: %" PRIu64 "\n#date: %s\n",
           name, setting("DRIVER"), seed, setting("DATE"));
}

struct order {
    uint64_t seed;
    int odd, cubins;
    char **cubin;
};

/* From case list->first on; does not return. */
static void serve(const struct order *order, struct list *list) {
    if (!gpu_open(order->cubin, order->cubins))
        _exit(77);
    if (list->first == 0)
        print_header(order->seed);
    (order->odd ? record_odd : record_all)(list, order->seed);
    fflush(stdout);
    _exit(0);
}

/* In a process of its own. Answers its exit status, and in list->first where to go on. */
static int batch(const struct order *order, struct list *list) {
    int ends[2], status = 0;
    unsigned reached;
    pid_t child;
    if (pipe(ends) || (child = fork()) < 0)
        return 2;
    if (child == 0) {
        close(ends[0]);
        list->reached = ends[1];
        serve(order, list);
    }
    close(ends[1]);
    while (read(ends[0], &reached, sizeof reached) == (ssize_t)sizeof reached)
        list->first = reached;
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv) {
    struct order order = {0};
    struct list list = {0};
    int status;
    if (argc < 3 || (strcmp(argv[2], "odd") != 0 && strcmp(argv[2], "all") != 0)) {
        fprintf(stderr, "usage: record SEED all|odd KERNELS.cubin...\n");
        return 2;
    }
    order.seed = strtoull(argv[1], NULL, 0);
    order.odd = strcmp(argv[2], "odd") == 0;
    order.cubins = argc - 3;
    order.cubin = argv + 3;
    do
        status = batch(&order, &list);
    while (status == TRAPPED);
    if (status == 77)
        fprintf(stderr, "skipped: no GPU\n");
    return status;
}
