/* Tiles of wgmma in shared memory: a note where the steps of a sum read the same bytes again.
 *
 * A sum over k is a chain of products with one accumulator, whose descriptors advance from step to
 * step. A step that is too small reads a part of the tile before it. A step of 0 reads one tile
 * again. That is a note if the other operand advances by the k of the product, or for the third
 * time. A split of numbers into halves multiplies one tile by two others, which lie further apart.
 * A benchmark repeats both tiles. */
#include "listeners.h"

#include "../exec/descriptor.h"
#include "../sync/sync.h"

#include <stdlib.h>
#include <wsim/wgmma.h>

enum { CHUNK = 16, CHUNKS = (1 << 18) / CHUNK, CACHED = 64 };
enum { MOST_ALONG = 64 /* chunks along k */ };

enum relation { APART, PARTLY, SAME };

/* Two tiles that follow each other. */
struct pair {
    uint32_t code, operand; /* code + 1; 0: none */
    uint64_t before, after;
    enum relation relation;
    uint32_t at, bytes; /* the first byte that both have, and their number */
    uint8_t advances;   /* the second one is the next along k */
};

/* The last product of a warpgroup. */
struct step {
    uint32_t op, group, d, count; /* count: products of the chain; 0: none */
    uint64_t desc[2];
    uint8_t same[2]; /* products in a row with these bytes */
};

struct tiles {
    uint32_t n_groups; /* warpgroups of a block */
    struct pair pairs[CACHED];
    struct step steps[];
};

static int make_unit(struct run_unit *unit) {
    const uint32_t groups = (unit->blocks[0].n_warps + 3) / 4;
    struct tiles *tiles;
    if (!(unit->worker->launch->program->queues >> SYNC_WGMMA & 1))
        return 1;
    tiles = calloc(1, sizeof *tiles + (size_t)unit->n_blocks * groups * sizeof tiles->steps[0]);
    unit->heard[LISTENER_TILES] = tiles;
    if (tiles)
        tiles->n_groups = groups;
    return tiles != NULL;
}

static void free_unit(struct run_unit *unit) {
    free(unit->heard[LISTENER_TILES]);
}

static void begin_unit(struct run_unit *unit) {
    struct tiles *tiles = unit->heard[LISTENER_TILES];
    for (uint32_t i = 0; tiles && i < unit->n_blocks * tiles->n_groups; i++)
        tiles->steps[i].count = 0;
}

/* Marks the chunks of a tile (`counts` 0), or counts those that are marked. Returns all chunks. */
static uint32_t walk(uint64_t bits, const struct wsim_tile *tile, uint64_t marks[CHUNKS / 64],
                     int counts, struct pair *pair) {
    const unsigned wide = CHUNK * 8u / tile->bits;
    const unsigned rows = tile->mn_major ? wide : 1, ks = tile->mn_major ? 1 : wide;
    struct wsim_descriptor descriptor;
    uint32_t along[MOST_ALONG], all = 0;
    wsim_descriptor_decode(bits, &descriptor, NULL);
    for (unsigned k = 0; k < tile->k; k += ks)
        along[k / ks] = descriptor_k(&descriptor, tile, k);
    for (unsigned row = 0; row < tile->rows; row += rows) {
        const uint32_t across = descriptor_row(&descriptor, tile, row);
        for (unsigned k = 0; k < tile->k; k += ks) {
            const uint32_t at = descriptor_join(&descriptor, across, along[k / ks]);
            const uint32_t chunk = at / CHUNK;
            all++;
            if (chunk >= CHUNKS)
                continue;
            if (!counts) {
                marks[chunk / 64] |= UINT64_C(1) << chunk % 64;
            } else if (marks[chunk / 64] >> chunk % 64 & 1) {
                if (!pair->bytes || at < pair->at)
                    pair->at = at;
                pair->bytes += CHUNK;
            }
        }
    }
    return all;
}

/* Whether a tile begins where k ends in the rows of the one before. */
static int is_next(const struct pair *pair, const struct wsim_tile *tile) {
    struct wsim_descriptor before, after;
    wsim_descriptor_decode(pair->before, &before, NULL);
    wsim_descriptor_decode(pair->after, &after, NULL);
    return !tile->mn_major && after.start == before.start + tile->k * tile->bits / 8u;
}

static void compare(const struct wsim_op *op, int mn_major, struct pair *pair) {
    uint64_t marks[CHUNKS / 64] = {0};
    struct wsim_tile tile;
    uint32_t all;
    pair->relation = APART;
    if (wsim_wgmma_tile(op, pair->operand ? WSIM_B : WSIM_A, mn_major, &tile, NULL))
        return;
    walk(pair->before, &tile, marks, 0, pair);
    all = walk(pair->after, &tile, marks, 1, pair);
    pair->advances = (uint8_t)is_next(pair, &tile);
    if (pair->bytes)
        pair->relation = pair->bytes == all * CHUNK ? SAME : PARTLY;
}

/* How the tile of an operand lies to the one before it; kept, because loops repeat their tiles. */
static const struct pair *relate(struct tiles *tiles, const struct run_warp *warp, uint32_t code,
                                 unsigned operand, const struct run_product *product,
                                 uint64_t before) {
    const uint64_t after = product->desc[operand];
    const uint64_t hash = (before * 0x9E3779B97F4A7C15u ^ after) * 0xBF58476D1CE4E5B9u;
    struct pair *pair = &tiles->pairs[(hash >> 40 ^ code ^ operand) % CACHED];
    if (pair->code == code + 1 && pair->operand == operand && pair->before == before &&
        pair->after == after)
        return pair;
    *pair = (struct pair){.code = code + 1, .operand = operand, .before = before, .after = after};
    compare(warp->program->codes[code], product->trans[operand], pair);
    return pair;
}

static void tell(struct run_warp *warp, const struct run_op *op, const struct step *before,
                 unsigned operand, const struct pair *pair) {
    const uint64_t at = pair->at + ((uint64_t)warp->block->rank << RUN_RANK_SHIFT);
    const struct run_op *other = &warp->program->ops[before->op];
    const struct run_subject subject = {
        .kind = RUN_ADDRESS, .space = PTX_SHARED, .bytes = pair->bytes, .at = at};
    const struct run_words words = run_shared_words(warp, at, "shared address ");
    const char name = operand ? 'B' : 'A';
    if (pair->relation == SAME)
        run_finding_of(warp, op, RUN_LANES, other, RULE_ADVICE_STEP_REPEATED, &subject,
                       "product %u of this sum reads the tile of %c at %s, which product %u has "
                       "read: does its descriptor advance?",
                       before->count + 1, name, words.text, before->count);
    else
        run_finding_of(warp, op, RUN_LANES, other, RULE_ADVICE_STEP_REPEATED, &subject,
                       "product %u of this sum reads %u bytes of %c from %s on, which product %u "
                       "has read: does its descriptor advance by a whole step?",
                       before->count + 1, pair->bytes, name, words.text, before->count);
}

/* Whether a tile should have advanced with that of the other operand. */
static int is_stuck(const struct pair *pair, const struct pair *other, unsigned times) {
    return pair->relation == SAME && other && other->relation == APART &&
           (other->advances || times == 2);
}

static void look(struct run_warp *warp, const struct run_op *op, struct tiles *tiles,
                 const struct step *before, struct step *now, const struct run_product *product) {
    const struct pair *pairs[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2; i++) {
        if (product->in_memory[i])
            pairs[i] = relate(tiles, warp, (uint32_t)op->immediate, i, product, before->desc[i]);
        if (pairs[i] && pairs[i]->relation == SAME)
            now->same[i] = (uint8_t)(before->same[i] < 3 ? before->same[i] + 1 : 3);
    }
    for (unsigned i = 0; i < 2; i++)
        if (pairs[i] &&
            (pairs[i]->relation == PARTLY || is_stuck(pairs[i], pairs[!i], now->same[i])))
            tell(warp, op, before, i, pairs[i]);
}

static void hear_product(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                         enum run_order_kind kind, const void *what) {
    const struct run_product *product = what;
    struct tiles *tiles = warp->block->unit->heard[LISTENER_TILES];
    struct step *step, before;
    (void)lanes, (void)kind;
    if (!tiles || warp->number % 4)
        return;
    step = &tiles->steps[warp->block->rank * tiles->n_groups + warp->number / 4];
    before = *step;
    *step = (struct step){.op = run_number(warp, op),
                          .group = sync_warp_of(warp)->groups[SYNC_WGMMA].committed[0],
                          .d = product->d,
                          .count = 1,
                          .desc = {product->desc[0], product->desc[1]}};
    if (!before.count || !product->adds || before.group != step->group || before.d != step->d ||
        warp->program->ops[before.op].immediate != op->immediate)
        return;
    step->count = before.count + 1;
    look(warp, op, tiles, &before, step, product);
}

const struct run_hears tiles_hears = {.unit_make = make_unit,
                                      .unit_free = free_unit,
                                      .unit_begin = begin_unit,
                                      .order = hear_product};
