/* replay.c - the main of a fuzz target without libFuzzer: feeds each seed file unchanged and then
 * with deterministic mutations. It finds crashes, assertions and sanitizer reports, and is not
 * guided by coverage. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16, MUTANTS = 400 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Gives the target an allocation of exactly `size` bytes, so that reading past it is seen. */
static void feed(const uint8_t *data, size_t size) {
    uint8_t *exact = calloc(size ? size : 1, 1);
    if (!exact)
        exit(EXIT_FAILURE);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* One small change at a random place: a bit, a byte, a cut, or a stretch repeated elsewhere. */
static size_t mutate(uint8_t *data, size_t size, uint32_t *random) {
    if (size == 0)
        return 0;
    size_t at = next_random(random) % size, from = next_random(random) % size;
    size_t longest = size - (at > from ? at : from);
    switch (next_random(random) % 4) {
    case 0: data[at] ^= (uint8_t)(1u << next_random(random) % 8); break;
    case 1: data[at] = (uint8_t)next_random(random); break;
    case 2: return at;
    default: memmove(data + at, data + from, next_random(random) % (longest + 1)); break;
    }
    return size;
}

static void replay(const uint8_t *seed, size_t size) {
    static uint8_t mutant[MAX_BYTES];
    uint32_t random = 0x9e3779b9u;
    feed(seed, size);
    for (int i = 0; i < MUTANTS; i++) {
        size_t changed = size;
        memcpy(mutant, seed, size);
        for (uint32_t n = 1 + next_random(&random) % 4; n > 0; n--)
            changed = mutate(mutant, changed, &random);
        feed(mutant, changed);
    }
}

int main(int argc, char **argv) {
    static uint8_t seed[MAX_BYTES];
    feed(seed, 0);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        size_t size = fread(seed, 1, sizeof seed, file);
        fclose(file);
        replay(seed, size);
    }
    printf("%d seeds, %d mutants of each\n", argc - 1, MUTANTS);
    return EXIT_SUCCESS;
}
