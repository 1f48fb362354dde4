/* test_metadata.c - every path reads every nibble of metadata. Each nibble in turn becomes
 * undefined or another one, and all paths agree with the plain one. One operation of each row. */
#include "../every.h"

enum { NIBBLES = 8, GOOD = 4, REGS = 40 };

static uint32_t zeros[REGS][WSIM_LANES], results[REGS][WSIM_LANES], e[WSIM_LANES],
    factors[WSIM_LANES];
static const uint32_t *sources[REGS];
static uint32_t *targets[REGS];

static enum wsim_status run(const struct wsim_code *code, unsigned selector) {
    const uint32_t *metadata[] = {e}, *scales[] = {factors};
    struct wsim_io io = {.mma = {.d = targets,
                                 .a = sources,
                                 .b = sources,
                                 .c = sources,
                                 .e = metadata,
                                 .sfa = scales,
                                 .sfb = scales,
                                 .selector = selector}};
    return wsim_run(code, &io, NULL);
}

static void look(const struct wsim_code *plain, const struct wsim_code *fast, unsigned selector,
                 unsigned lane, unsigned nibble, unsigned value) {
    e[lane] ^= (GOOD ^ value) << 4 * nibble;
    expect(run(plain, selector) == run(fast, selector),
           "%s, selector %u: nibble %u of lane %u is %x", wsim_path_name(wsim_code_path(fast)),
           selector, nibble, lane, value);
    e[lane] ^= (GOOD ^ value) << 4 * nibble;
}

static void look_everywhere(const struct wsim_op *op, const struct wsim_arch *arch, unsigned path) {
    unsigned selectors = wsim_op_describe(op).selectors;
    struct wsim_code plain, fast;
    expect(!wsim_prepare(op, arch, WSIM_PLAIN, &plain, NULL), "plain");
    expect(!wsim_prepare(op, arch, WSIM_UP_TO(path), &fast, NULL), "fast");
    for (unsigned selector = 0; selector < selectors; selector++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            for (unsigned nibble = 0; nibble < NIBBLES; nibble++) {
                look(&plain, &fast, selector, lane, nibble, 0);
                if ((lane * NIBBLES + nibble) % 11 == path)
                    look(&plain, &fast, selector, lane, nibble, (lane + 5 * nibble) % 16);
            }
}

START_TEST(every_nibble_counts) {
    const char *last = "";
    struct wsim_op op;
    int rows = 0;
    for (int i = 0; i < REGS; i++)
        sources[i] = zeros[i], targets[i] = results[i];
    for (int lane = 0; lane < WSIM_LANES; lane++)
        e[lane] = GOOD * UINT32_C(0x11111111);
    for (int i = 0; every_op(i, &op); i++) {
        struct wsim_op_info info = wsim_op_describe(&op);
        const struct wsim_arch *arch = NULL;
        struct wsim_code code;
        if (info.threads != WSIM_LANES || !info.selectors || strcmp(info.row, last) == 0)
            continue;
        for (size_t a = 0; wsim_arch_at(a) && !arch; a++)
            if (!wsim_prepare(&op, wsim_arch_at(a), 0, &code, NULL))
                arch = wsim_arch_at(a);
        if (!arch)
            continue;
        last = info.row;
        rows++;
        for (unsigned p = WSIM_PATH_PLAIN + 1; p < WSIM_PATHS; p++)
            if (wsim_path_available((enum wsim_path)p))
                look_everywhere(&op, arch, p);
    }
    expect(rows > 10, "%d sparse rows", rows);
}
END_TEST

int main(void) {
    struct every_test tests[] = {{every_nibble_counts, 0, 1}};
    return every_run("metadata", tests, COUNT(tests));
}
