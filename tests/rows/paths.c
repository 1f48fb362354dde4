#include "../../sim/exec/work.h"
#include "paths.h"

#include "../../sim/isa/isa.h"

/* Eight floating-point modes of a caller: four roundings, with and without flushed subnormals. None
 * affects a kernel. */
#if defined(__SSE2__)
#include <xmmintrin.h>
enum { ROUNDING_BIT = 13, FLUSH = 0x8040 };

static unsigned change_floats(unsigned long number) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | (unsigned)(number & 3) << ROUNDING_BIT | (number & 4 ? FLUSH : 0));
    return before;
}

static void restore_floats(unsigned before) {
    _mm_setcsr(before);
}
#else
static unsigned change_floats(unsigned long number) {
    return (unsigned)number;
}

static void restore_floats(unsigned before) {
    (void)before;
}
#endif

static struct wsim_case_scratch scratch;
static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
static uint32_t judged[WSIM_CASE_RESULTS * WSIM_LANES], out[WSIM_CASE_RESULTS * WSIM_LANES];

/* The plain path of f64 takes thirty times as long as others: fewer results are asked for. */
enum { SLOW = 8 };

static unsigned long wanted(void) {
    const char *text = getenv("WSIM_PATH_RESULTS");
    return (unsigned long)run_turns(text ? atoi(text) : 10000);
}

static int prepare(const struct wsim_op *op, const struct wsim_arch *arch, struct paths *paths) {
    paths->n = 0;
    if (wsim_prepare(op, arch, WSIM_PLAIN, &paths->plain, NULL))
        return 0;
    expect(wsim_code_path(&paths->plain) == WSIM_PATH_PLAIN, "WSIM_PLAIN is not plain");
    for (unsigned p = WSIM_PATH_PLAIN + 1; p < WSIM_PATHS; p++) {
        struct wsim_code *code = &paths->fast[paths->n];
        expect(!wsim_prepare(op, arch, WSIM_UP_TO(p), code, NULL), "refused on a path");
        if (wsim_code_path(code) == (enum wsim_path)p)
            paths->n++;
    }
    return paths->n;
}

static void compare_path(const struct wsim_code *code, const struct wsim_plan *plan,
                         const char *dist, unsigned long number) {
    size_t words = (size_t)plan->out_rows * WSIM_LANES;
    char text[WSIM_SPELLING_MAX];
    enum wsim_status status;
    unsigned floats;
    memset(out, 0xA5, words * sizeof *out);
    floats = change_floats(number);
    status = wsim_case_run(code, plan, in, out, &scratch, NULL);
    restore_floats(floats);
    expect(!status, "refused on a path");
    for (size_t w = 0; w < words; w++)
        if (out[w] != judged[w]) {
            wsim_op_spell(&code->op, text);
            expect(0,
                   "%s on %s, %s kernel of %s: %s case %lu, register %zu, lane %zu: %08x, "
                   "plain %08x",
                   text, code->arch->name, wsim_code_kernel(code),
                   wsim_path_name(wsim_code_path(code)), dist, number, w / WSIM_LANES,
                   w % WSIM_LANES, (unsigned)out[w], (unsigned)judged[w]);
        }
}

static void compare_case(const struct paths *paths, const struct wsim_plan *plan,
                         const struct paths_dists *dists, unsigned dist, unsigned long number) {
    struct wsim_case c = wsim_case_at(plan, 20, number, dist);
    wsim_case_fill(plan, &c, in);
    if (dists->fill)
        dists->fill(paths, plan, dist, in);
    expect(!wsim_case_run(&paths->plain, plan, in, judged, &scratch, NULL), "refused");
    for (int i = 0; i < paths->n; i++)
        compare_path(&paths->fast[i], plan, dists->name(dist), number);
}

static void compare(const struct wsim_op *op, const struct paths *paths,
                    const struct paths_dists *dists) {
    unsigned selectors = wsim_op_describe(op).selectors;
    unsigned long each = wanted(), cases;
    struct wsim_plan plan;
    for (unsigned s = 0; s < (selectors ? selectors : 1); s++) {
        expect(!wsim_plan_make(op, s, &plan, NULL), "no plan");
        if (dists->knows && !dists->knows(&plan))
            continue;
        cases = each / (plan.out_rows * WSIM_LANES) + 1;
        if (plan.input[WSIM_IN_A].elem_bits == 64)
            cases = cases / SLOW + 1;
        for (unsigned dist = 0; dist < dists->count; dist++)
            for (unsigned long number = 0; number < cases; number++)
                compare_case(paths, &plan, dists, dist, number);
    }
}

/* Whether code was compared that does the same: wmma of other layouts in memory, an architecture
 * with the same arithmetic. */
static int is_done(const struct wsim_code_work *work) {
    enum { MOST = 4096 };
    static struct wsim_code_work *done;
    static int n;
    if (!done)
        done = calloc(MOST, sizeof *done);
    expect(done != NULL, "out of memory");
    for (int i = 0; i < n; i++)
        if (memcmp(&done[i], work, sizeof *work) == 0)
            return 1;
    if (n < MOST)
        done[n++] = *work;
    return 0;
}

/* Whether an architecture before this one has the same arithmetic. */
static int is_seen(const struct wsim_op *op, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (wsim_arch_at(i)->generation == wsim_arch_at(index)->generation &&
            !wsim_op_check(op, wsim_arch_at(i), NULL))
            return 1;
    return 0;
}

void paths_each(int index, void (*visit)(const struct paths *)) {
    static struct paths paths;
    struct wsim_op op;
    every_op(index, &op);
    for (size_t i = 0; wsim_arch_at(i); i++)
        if (!is_seen(&op, i) && prepare(&op, wsim_arch_at(i), &paths))
            visit(&paths);
}

static int is_wanted(const struct wsim_op *op) {
    const char *only = getenv("WSIM_PATH_ONLY");
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(op, text);
    return !only || strstr(text, only);
}

void paths_compare(int index, const struct paths_dists *dists, int sets) {
    static struct paths paths;
    struct wsim_op op;
    every_op(index, &op);
    if (!is_wanted(&op))
        return;
    for (size_t i = 0; wsim_arch_at(i); i++)
        if (!is_seen(&op, i) && prepare(&op, wsim_arch_at(i), &paths) &&
            !is_done(work_of(&paths.plain)))
            for (int set = 0; set < sets; set++)
                compare(&op, &paths, dists + set);
}
