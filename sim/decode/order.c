/* Positions of blocks: the weak topological order of Bourdoncle ("Efficient chaotic iteration
 * strategies with widenings", 1993), without recursion.
 *
 * Strongly connected components (Tarjan) of the graph come in topological order. A component of
 * more than one block is a loop. Its head, where the search entered, goes first. The rest is
 * ordered in the same way without the edges back to the head. So loops are contiguous whatever the
 * order of the text, even with several entries. */
#include "order.h"

#include <stdlib.h>

#define NONE UINT32_MAX
/* Loops inside of loops beyond this depth are left in the order that their outer loop gave. */
#define DEEPEST 256
/* Nor are loops ordered once blocks have been ordered this often on average. Graphs that no
 * compiler makes would otherwise take up to DEEPEST times longer. */
#define MOST_OFTEN 16

struct range {
    uint32_t begin, end, depth;
};

struct search {
    const struct run_graph *graph;
    uint32_t *list;  /* the order so far                                        */
    uint32_t *part;  /* number of the range that a block is in; NONE: in none   */
    uint32_t *index; /* when the search came to it; 0: not yet                  */
    uint32_t *low;   /* the earliest block on the stack that it leads to        */
    uint32_t *edge;  /* the next one to look at                                 */
    uint32_t *path;  /* blocks that the search is in                            */
    uint32_t *stack; /* blocks whose component is not known yet                 */
    uint8_t *stacked;
    struct range *ranges; /* loops to be ordered                                 */
    uint32_t n_ranges, clock, parts, n_stack, fill;
    uint64_t left; /* blocks that may be ordered again                    */
};

static void enter(struct search *search, uint32_t block) {
    search->index[block] = search->low[block] = ++search->clock;
    search->edge[block] = search->graph->first[block];
    search->stack[search->n_stack++] = block;
    search->stacked[block] = 1;
}

/* The component of `root` is complete: it precedes the components found before. */
static void take_component(struct search *search, uint32_t root, uint32_t depth) {
    uint32_t end = search->fill, block;
    do {
        block = search->stack[--search->n_stack];
        search->stacked[block] = 0;
        search->list[--search->fill] = block;
    } while (block != root);
    /* The root was pushed first, so it is popped last and comes first, as the head. */
    if (end - search->fill > 1 && depth < DEEPEST)
        search->ranges[search->n_ranges++] = (struct range){search->fill, end, depth + 1};
}

/* Everything that `root` leads to within its part, but not over edges back to `head`. */
static void search_from(struct search *search, uint32_t root, uint32_t head, uint32_t depth) {
    uint32_t n_path = 0;
    enter(search, root);
    search->path[n_path++] = root;
    while (n_path) {
        uint32_t block = search->path[n_path - 1];
        if (search->edge[block] < search->graph->first[block + 1]) {
            uint32_t next = search->graph->to[search->edge[block]++];
            if (next == head || search->part[next] != search->part[block])
                continue;
            if (!search->index[next]) {
                enter(search, next);
                search->path[n_path++] = next;
            } else if (search->stacked[next] && search->index[next] < search->low[block]) {
                search->low[block] = search->index[next];
            }
            continue;
        }
        n_path--;
        if (n_path && search->low[block] < search->low[search->path[n_path - 1]])
            search->low[search->path[n_path - 1]] = search->low[block];
        if (search->low[block] == search->index[block])
            take_component(search, block, depth);
    }
}

/* A loop: list[begin] is its head, from which all of it can be reached. */
static void order_loop(struct search *search, struct range range) {
    uint32_t part = ++search->parts, head = search->list[range.begin];
    if (range.end - range.begin > search->left)
        return;
    search->left -= range.end - range.begin;
    for (uint32_t i = range.begin; i < range.end; i++) {
        search->part[search->list[i]] = part;
        search->index[search->list[i]] = 0;
    }
    search->fill = range.end;
    search_from(search, head, head, range.depth);
}

static void order_all(struct search *search) {
    uint32_t blocks = search->graph->blocks, kept;
    search->fill = blocks;
    search_from(search, 0, NONE, 0);
    /* Unreachable blocks follow in the order of the text. */
    kept = blocks - search->fill;
    for (uint32_t i = 0; i < kept; i++)
        search->list[i] = search->list[search->fill + i];
    for (uint32_t i = 0; i < search->n_ranges; i++) {
        search->ranges[i].begin -= search->fill;
        search->ranges[i].end -= search->fill;
    }
    for (uint32_t block = 0; block < blocks; block++)
        if (!search->index[block])
            search->list[kept++] = block;
    while (search->n_ranges)
        order_loop(search, search->ranges[--search->n_ranges]);
}

int run_order(const struct run_graph *graph, uint32_t *rank) {
    size_t n = graph->blocks;
    struct search search = {.graph = graph, .left = (uint64_t)n * MOST_OFTEN};
    uint32_t *words = calloc(7 * n + 1, sizeof *words);
    search.stacked = calloc(n + 1, 1);
    /* Ranges that wait are disjoint and have two blocks at least. */
    search.ranges = calloc(n + 1, sizeof *search.ranges);
    if (!words || !search.stacked || !search.ranges) {
        free(words), free(search.stacked), free(search.ranges);
        return 0;
    }
    search.list = words, search.part = words + n, search.index = words + 2 * n;
    search.low = words + 3 * n, search.edge = words + 4 * n;
    search.path = words + 5 * n, search.stack = words + 6 * n;
    if (n)
        order_all(&search);
    for (uint32_t i = 0; i < n; i++)
        rank[search.list[i]] = i;
    free(words), free(search.stacked), free(search.ranges);
    return 1;
}
