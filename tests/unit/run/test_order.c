/* Positions of blocks, on graphs of every kind. */
#include "../../../sim/decode/order.h"
#include "../../every.h"

enum { MOST = 40, EDGES = 4 };

struct graph {
    uint32_t first[MOST + 1], to[MOST * EDGES], rank[MOST];
    uint8_t reach[MOST][MOST]; /* a way of one step or more */
    uint32_t n;
};

static uint32_t draw(uint64_t *seed, uint32_t n) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

static void make(struct graph *graph, uint64_t seed) {
    uint32_t edges = 0;
    memset(graph, 0, sizeof *graph);
    graph->n = 1 + draw(&seed, MOST);
    for (uint32_t i = 0; i < graph->n; i++) {
        graph->first[i] = edges;
        for (uint32_t e = draw(&seed, EDGES); e > 0; e--) {
            uint32_t to = draw(&seed, 3) ? (i + 1) % graph->n : draw(&seed, graph->n);
            graph->reach[i][to] = 1;
            graph->to[edges++] = to;
        }
    }
    graph->first[graph->n] = edges;
    for (uint32_t k = 0; k < graph->n; k++)
        for (uint32_t i = 0; i < graph->n; i++)
            for (uint32_t j = 0; j < graph->n; j++)
                graph->reach[i][j] |= graph->reach[i][k] & graph->reach[k][j];
}

static int is_reached(const struct graph *graph, uint32_t block) {
    return !block || graph->reach[0][block];
}

/* A permutation; what leads to another block outside of a common loop comes before it; a loop is
 * contiguous; what is never reached comes last. */
START_TEST(blocks_are_in_order) {
    struct graph graph;
    struct run_graph given;
    uint32_t at[MOST];
    make(&graph, (uint64_t)_i);
    given = (struct run_graph){graph.n, graph.first, graph.to};
    memset(at, 0xFF, sizeof at);
    ck_assert_int_eq(run_order(&given, graph.rank), 1);
    for (uint32_t i = 0; i < graph.n; i++) {
        expect(graph.rank[i] < graph.n && at[graph.rank[i]] == UINT32_MAX, "no permutation");
        at[graph.rank[i]] = i;
    }
    for (uint32_t a = 0; a < graph.n; a++)
        for (uint32_t b = 0; b < graph.n; b++) {
            int together = graph.reach[a][b] && graph.reach[b][a];
            if (is_reached(&graph, a) && !is_reached(&graph, b))
                expect(graph.rank[a] < graph.rank[b], "%u is never reached", b);
            if (is_reached(&graph, a) && graph.reach[a][b] && !together && a != b)
                expect(graph.rank[a] < graph.rank[b], "%u leads to %u", a, b);
            for (uint32_t r = graph.rank[a]; together && is_reached(&graph, a) && r < graph.rank[b];
                 r++)
                expect(graph.reach[a][at[r]] && graph.reach[at[r]][a],
                       "%u is not in the loop of %u", at[r], a);
        }
    expect(graph.rank[0] == 0 || graph.reach[0][0], "it begins at 0");
}
END_TEST

/* Inside of a loop, without the edges to its head, the same holds: an inner loop is contiguous. */
START_TEST(loops_in_loops) {
    /* 0 1(2(3 4) 5) 6: 4 leaves both loops, 5 the outer one */
    static const uint32_t first[] = {0, 1, 2, 3, 4, 7, 9, 9};
    static const uint32_t to[] = {1, 2, 3, 4, 6, 5, 2, 6, 1};
    struct run_graph graph = {7, first, to};
    uint32_t rank[7];
    ck_assert_int_eq(run_order(&graph, rank), 1);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(rank[i], i);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{blocks_are_in_order, 0, 2000}, {loops_in_loops, 0, 1}};
    return every_run("unit/run/order", tests, COUNT(tests));
}
