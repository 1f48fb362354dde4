/* plain.c - copies of bytes, and reductions of numbers, without a map. */
#include "draw.h"

#include <inttypes.h>
#include <stdio.h>

const char *const plain_words[PLAIN_WORDS] = {
    "add.u32", "add.s32", "add.u64", "add.f32", "add.f64",  "add.noftz.f16", "add.noftz.bf16",
    "min.u32", "min.s32", "min.u64", "min.s64", "min.f16",  "min.bf16",      "max.u32",
    "max.s32", "max.u64", "max.s64", "max.f16", "max.bf16", "inc.u32",       "dec.u32",
    "and.b32", "and.b64", "or.b32",  "or.b64",  "xor.b32",  "xor.b64"};

void print_plain(const char *word, uint32_t global_at, uint32_t at, uint32_t bytes, int load) {
    printf("%s\tbytes=%" PRIu32 "\tglobal_at=%" PRIu32 "\tglobal=@mix:%" PRIu32
           ":16384\tsmem_at=%" PRIu32 "\tsmem=",
           word, bytes, global_at, draw(1000000), at);
    if (load)
        printf("@fill:cd:%" PRIu32 "\n", round_up(at + bytes + !(at + bytes), 128));
    else
        printf("@mix:%" PRIu32 ":%" PRIu32 "\n", draw(1000000),
               round_up(at + bytes + !(at + bytes), 128));
}

static void plains(void) {
    static unsigned turn;
    char word[96];
    int load = turn % 3 == 0;
    snprintf(word, sizeof word,
             load            ? "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
             : turn % 3 == 1 ? "cp.async.bulk.global.shared::cta.bulk_group"
                             : "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s",
             plain_words[turn / 3 % PLAIN_WORDS]);
    turn++;
    print_plain(word, 16 * draw(500), 16 * draw(32), 16 * (1 + draw(60)), load);
}

static void plain_traps(void) {
    static unsigned turn;
    unsigned kind = turn++ % 4;
    print_plain(turn & 4 ? "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         : "cp.async.bulk.global.shared::cta.bulk_group",
                16 * draw(500) + (kind == 0 ? 8 : 0), 16 * draw(32) + (kind == 1 ? 8 : 0),
                kind == 3 ? 0 : 16 * (1 + draw(30)) + (kind == 2 ? 8 : 0), turn & 4);
}

static const char *const ways[] = {
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
    "cp.async.bulk.global.shared::cta.bulk_group",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
};

/* Sizes about multiples of 16, and beyond 2 to the n. */
static void sizes(void) {
    static const uint32_t beyond[] = {1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20,
                                      1u << 21, 1u << 24, 1u << 28, 1u << 31};
    static unsigned turn;
    unsigned n = turn++, way = n % 3, size = n / 3 % 41;
    uint32_t bytes = size < 32 ? size : beyond[size - 32] + 64;
    if (bytes < 32)
        print_plain(ways[way], 16 * draw(500), 16 * draw(32), bytes, way == 0);
    else
        printf("%s\tbytes=%" PRIu32 "\tglobal_at=0\tglobal=@mix:%" PRIu32
               ":%d\tsmem_at=16\tsmem=@fill:cd:%d\n",
               ways[way], bytes, draw(1000000), 1 << 18, (1 << 17) + 256);
}

/* Addresses that are no multiples of 16. */
static void places(void) {
    static unsigned turn;
    unsigned n = turn++, off = 1u << n / 3 % 4, shared = n / 12 % 2;
    print_plain(ways[n % 3], 16 * draw(500) + (shared ? 0 : off),
                16 * draw(32) + (shared ? off : 0), n / 24 % 2 ? 8 * draw(2) : 16 * (1 + draw(4)),
                n % 3 == 0);
}

const struct kind plain_kinds[] = {
    {"plains", plains}, {"plain_traps", plain_traps}, {"sizes", sizes}, {"places", places},
    {NULL, NULL},
};
