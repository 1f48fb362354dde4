/* A look sees each instruction once before and once after its lanes execute it. It reads the values
 * of that moment, and changes neither results nor counts. */
#include "launched.h"

static struct launched l;

/* Looks of one line of PTX. */
struct seen {
    uint32_t line, when;
    unsigned calls;
    uint32_t lanes, active, twice; /* all lanes seen; those seen more than once */
    const char *name;
    uint64_t values[32], high[32];
    int found, held;
    int (*more)(struct seen *, const struct wsim_seen *);
    uint32_t warps, depth;
    char text[256];
};

static int at(void *context, const struct wsim_site *site) {
    const struct seen *seen = context;
    ck_assert_ptr_nonnull(site->function);
    return site->ptx_line == seen->line ? (int)seen->when : 0;
}

static int see(void *context, const struct wsim_seen *view) {
    struct seen *seen = context;
    uint32_t index;
    ck_assert_int_eq(view->when, seen->when);
    ck_assert_int_eq(view->site.ptx_line, seen->line);
    seen->calls++;
    seen->twice |= seen->lanes & view->lanes;
    seen->lanes |= view->lanes;
    seen->active |= view->active;
    if (seen->name) {
        uint64_t values[32], high[32];
        seen->found = wsim_seen_find(view, seen->name, &index);
        seen->held = seen->found && wsim_seen_values(view, index, values, high);
        for (unsigned lane = 0; lane < 32; lane++)
            if (view->lanes >> lane & 1)
                seen->values[lane] = values[lane], seen->high[lane] = high[lane];
    }
    return seen->more ? seen->more(seen, view) : 0;
}

static void look_at(struct seen *seen, const char *ptx, const char *word, uint32_t when) {
    const struct wsim_look look = {.at = at, .see = see, .context = seen};
    l = (struct launched){.grid = 1, .block = 32, .checks = WSIM_CHECK_ALL, .look = &look};
    for (unsigned i = 0; i < WORDS; i++)
        l.in[i] = 100 + i;
    seen->line = line_of(ptx, word);
    seen->when = when;
    launch(&l, ptx);
}

#define PLAIN                                                                                      \
    KERNEL("add.u32 %r9, %r2, 7; // plus\nmul.lo.u32 %r3, %r9, 2; // twice\n"                      \
           "add.u32 %r3, %r3, 1; // one\n")

START_TEST(values_before_and_after) {
    struct seen seen = {.name = "%r9"};
    look_at(&seen, PLAIN, "// twice", WSIM_LOOK_BEFORE);
    ck_assert_int_eq(seen.calls, 1);
    ck_assert_uint_eq(seen.lanes, 0xFFFFFFFFu);
    for (unsigned lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(seen.values[lane], 107 + lane);
    seen = (struct seen){.name = "%r9"};
    look_at(&seen, PLAIN, "// plus", WSIM_LOOK_BEFORE); /* not written yet */
    ck_assert_int_eq(seen.held, 0);
    seen = (struct seen){.name = "%r9"};
    look_at(&seen, PLAIN, "// plus", WSIM_LOOK_AFTER);
    ck_assert_int_eq(seen.held, 1);
    ck_assert_uint_eq(seen.values[31], 138);
    seen = (struct seen){.name = "%r9"};
    look_at(&seen, PLAIN, "// one", WSIM_LOOK_BEFORE); /* another register may have its row */
    ck_assert_int_eq(seen.held, 0);
    seen = (struct seen){.name = "%r3"};
    look_at(&seen, PLAIN, "// one", WSIM_LOOK_AFTER);
    ck_assert_uint_eq(seen.values[3], 2 * 110 + 1);
    ck_assert_uint_eq(l.out[3], 2 * 110 + 1);
    seen = (struct seen){.name = "%none"};
    look_at(&seen, PLAIN, "// one", WSIM_LOOK_AFTER);
    ck_assert_int_eq(seen.found, 0);
}
END_TEST

/* The predicate and its guard; a fully guarded-off instruction is looked at, too. */
START_TEST(guards) {
    static const char ptx[] =
        KERNEL("setp.lt.u32 %p1, %r0, 8; // test\n@%p1 mov.u32 %r3, 5; // some\n"
               "setp.gt.u32 %p2, %r0, 99;\n@%p2 mov.u32 %r3, 6; // none\n");
    struct seen seen = {.name = "%p1"};
    look_at(&seen, ptx, "// some", WSIM_LOOK_BEFORE);
    ck_assert_uint_eq(seen.lanes, 0xFFFFFFFFu);
    ck_assert_uint_eq(seen.active, 0xFFu);
    ck_assert_uint_eq(seen.values[7], 1);
    ck_assert_uint_eq(seen.values[8], 0);
    seen = (struct seen){.name = "%r3"};
    look_at(&seen, ptx, "// none", WSIM_LOOK_AFTER);
    ck_assert_int_eq(seen.calls, 1);
    ck_assert_uint_eq(seen.active, 0);
    ck_assert_uint_eq(seen.values[2], 5);
}
END_TEST

/* Diverged lanes come in groups; each lane once, though they wait for each other. */
static const char diverged[] =
    KERNEL("setp.lt.u32 %p1, %r0, 8;\n@%p1 bra LOW;\nmov.u32 %r9, 1; // high\n"
           "shfl.sync.bfly.b32 %r3, %r9, 8, 31, 0xffffffff; // meet one\nbra END;\n"
           "LOW:\nmov.u32 %r9, 2; // low\n"
           "shfl.sync.bfly.b32 %r3, %r9, 8, 31, 0xffffffff; // meet two\nEND:\n"
           "bar.sync 0; // barrier\n");

START_TEST(lanes_once) {
    static const struct {
        const char *word;
        uint32_t lanes;
    } places[] = {{"// high", 0xFFFFFF00u},
                  {"// low", 0xFFu},
                  {"// meet one", 0xFFFFFF00u},
                  {"// meet two", 0xFFu},
                  {"// barrier", 0xFFFFFFFFu}};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        for (uint32_t when = WSIM_LOOK_BEFORE; when <= WSIM_LOOK_AFTER; when++) {
            struct seen seen = {.name = "%r3"};
            look_at(&seen, diverged, places[i].word, when);
            ck_assert_uint_eq(seen.lanes, places[i].lanes);
            ck_assert_uint_eq(seen.twice, 0);
            if (when == WSIM_LOOK_AFTER && strncmp(places[i].word, "// meet", 7) == 0)
                for (unsigned lane = 0; lane < 32; lane++)
                    if (seen.lanes >> lane & 1)
                        ck_assert_uint_eq(seen.values[lane], (lane ^ 8) < 8 ? 2 : 1);
        }
}
END_TEST

/* A product that became part of a sum has no value of its own. */
START_TEST(fused) {
    static const char ptx[] = KERNEL("cvt.rn.f32.u32 %f1, %r0;\nmul.f32 %f2, %f1, %f1; // mul\n"
                                     "add.f32 %f3, %f2, %f1; // add\ncvt.rzi.u32.f32 %r3, %f3;\n");
    struct seen seen = {.name = "%f2"};
    look_at(&seen, ptx, "// add", WSIM_LOOK_BEFORE);
    ck_assert_int_eq(seen.held, 0);
    seen = (struct seen){.name = "%f3"};
    look_at(&seen, ptx, "// add", WSIM_LOOK_AFTER);
    ck_assert_uint_eq(seen.values[2], 0x40C00000u); /* 6 */
}
END_TEST

static int read_memory(struct seen *seen, const struct wsim_seen *view) {
    struct wsim_variable variable;
    struct wsim_diag diag;
    uint64_t params[2], tid[32];
    uint32_t cursor = 0, word, words[32];
    uint64_t inside = 0;
    int shared = 0;
    (void)seen;
    while (wsim_seen_variable(view, &cursor, &variable))
        if (strcmp(variable.name, "box") == 0) {
            shared = 1;
            ck_assert_int_eq(variable.space, WSIM_SHARED);
            ck_assert_uint_eq(variable.bytes, 1024);
            ck_assert_int_eq(
                wsim_seen_read(view, WSIM_SHARED, 0, variable.address, words, sizeof words, NULL),
                WSIM_OK);
            for (unsigned lane = 0; lane < 32; lane++)
                ck_assert_uint_eq(words[lane], 100 + lane);
            ck_assert_int_eq(
                wsim_seen_read(view, WSIM_SHARED, 0, variable.address + 1023, words, 2, &diag),
                WSIM_BOUNDS);
            ck_assert_int_eq(wsim_seen_read(view, WSIM_SPACES, 0,
                                            ((uint64_t)1 << 56) + variable.address + 4, &word, 4,
                                            NULL),
                             WSIM_OK);
            ck_assert_uint_eq(word, 101);
            ck_assert_str_eq(
                wsim_seen_name(view, ((uint64_t)1 << 56) + variable.address + 1023, &inside),
                "box");
            ck_assert_uint_eq(inside, 1023);
            ck_assert_ptr_null(
                wsim_seen_name(view, ((uint64_t)1 << 56) + variable.address + 1024, &inside));
        }
    ck_assert_int_eq(shared, 1);
    ck_assert_int_eq(wsim_seen_read(view, WSIM_PARAM, 0, 0, params, 16, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_seen_read(view, WSIM_GLOBAL, 0, params[0] + 8, &word, 4, NULL), WSIM_OK);
    ck_assert_uint_eq(word, 102);
    ck_assert_str_eq(wsim_seen_name(view, params[0] + 8, &inside), "in");
    ck_assert_uint_eq(inside, 8);
    ck_assert_ptr_null(wsim_seen_name(view, 16, &inside));
    ck_assert_int_eq(wsim_seen_read(view, WSIM_SPACES, 5, params[0], &word, 4, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_seen_read(view, WSIM_GLOBAL, 0, 16, &word, 4, &diag), WSIM_BOUNDS);
    ck_assert_int_eq(wsim_seen_read(view, WSIM_LOCAL, 0, 1 << 20, &word, 4, &diag), WSIM_BOUNDS);
    ck_assert_int_eq(wsim_seen_read(view, WSIM_GLOBAL, 32, params[0], &word, 4, &diag),
                     WSIM_BOUNDS);
    ck_assert_str_eq(diag.rule, "memory.bounds");
    ck_assert_int_eq(wsim_seen_special(view, "%tid.x", tid), 1);
    ck_assert_uint_eq(tid[9], 9);
    ck_assert_int_eq(wsim_seen_special(view, "%ntid.x", tid), 1);
    ck_assert_uint_eq(tid[9], 32);
    ck_assert_int_eq(wsim_seen_special(view, "%nothing", tid), 0);
    return 0;
}

START_TEST(memory) {
    struct seen seen = {.more = read_memory};
    look_at(&seen,
            KERNEL("mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nst.shared.u32 [%r9], %r2;\n"
                   "bar.sync 0; // here\n"),
            "// here", WSIM_LOOK_BEFORE);
    ck_assert_int_eq(seen.calls, 1);
}
END_TEST

/* --- calls --- */

#define CALLEE                                                                                     \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".func (.reg .b32 %y) twice(.reg .b32 %x)\n{\nadd.u32 %y, %x, %x; // inside\nret;\n}\n"

static int look_out(struct seen *seen, const struct wsim_seen *view) {
    struct wsim_seen caller;
    uint64_t values[32];
    uint32_t index;
    ck_assert_int_eq(view->depth, 1);
    ck_assert_str_eq(view->site.function, "twice");
    ck_assert_int_eq(wsim_seen_caller(view, 4, &caller), 1);
    ck_assert_str_eq(caller.site.function, "k");
    ck_assert_str_eq(caller.site.opcode, "call");
    ck_assert_uint_eq(caller.lanes, view->lanes);
    ck_assert_int_eq(wsim_seen_find(&caller, "%r2", &index), 1);
    ck_assert_int_eq(wsim_seen_values(&caller, index, values, NULL), 1);
    ck_assert_uint_eq(values[4], 104);
    ck_assert_int_eq(wsim_seen_caller(&caller, 4, &caller), 0);
    seen->depth++;
    return 0;
}

START_TEST(calls) {
    static const char body[] =
        KERNEL("call (%r3), twice, (%r2);\nadd.u32 %r3, %r3, %r2; // after\n");
    char ptx[8192];
    struct seen seen = {.more = look_out, .name = "%x"};
    snprintf(ptx, sizeof ptx, "%s%s", CALLEE, strstr(body, ".visible"));
    look_at(&seen, ptx, "// inside", WSIM_LOOK_BEFORE);
    ck_assert_int_eq(seen.depth, 1);
    ck_assert_uint_eq(seen.values[3], 103);
    ck_assert_uint_eq(l.out[3], 309);
}
END_TEST

/* --- uses --- */

static int list_uses(struct seen *seen, const struct wsim_seen *view) {
    struct wsim_use use;
    struct wsim_register reg;
    for (uint32_t i = 0; wsim_seen_use(view, i, &use); i++) {
        ck_assert_int_eq(wsim_seen_register(view, use.reg, &reg), 1);
        snprintf(seen->text + strlen(seen->text), sizeof seen->text - strlen(seen->text),
                 "%s:%d.%d%s%s ", reg.name, use.operand == WSIM_USE_GUARD ? -1 : use.operand,
                 use.element, use.writes ? "w" : "r", use.address ? "a" : "");
    }
    return 0;
}

START_TEST(uses) {
    static const struct {
        const char *ptx, *uses;
    } forms[] = {
        {"add.u32 %r3, %r2, %r2", "%r3:0.0w %r2:1.0r %r2:2.0r "},
        {"@%p1 mov.u32 %r3, 1", "%p1:-1.0r %r3:0.0w "},
        {"ld.global.v2.u32 {%r3, %r9}, [%d0+8]", "%r3:0.0w %r9:0.1w %d0:1.0ra "},
        {"st.global.u32 [%d1+4], %r2", "%d1:0.0ra %r2:1.0r "},
        {"setp.lt.u32 %p2|%p3, %r2, 5", "%p2:0.0w %p3:0.1w %r2:1.0r "},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r2,%r2}, {%r0}, "
         "{%f0,%f1,%f2,%f3}",
         "%f0:0.0w %f1:0.1w %f2:0.2w %f3:0.3w %r2:1.0r %r2:1.1r %r0:2.0r %f0:3.0r %f1:3.1r "
         "%f2:3.2r %f3:3.3r "},
    };
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct seen seen = {.more = list_uses};
        char ptx[8192];
        snprintf(ptx, sizeof ptx, "%smov.u32 %%r3, 0;\n%s; // here\n%s", HEAD, forms[i].ptx, TAIL);
        look_at(&seen, ptx, "// here", WSIM_LOOK_BEFORE);
        ck_assert_str_eq(seen.text, forms[i].uses);
    }
}
END_TEST

/* --- warps, findings, stops --- */

static int count_warps(struct seen *seen, const struct wsim_seen *view) {
    struct wsim_seen other = {.warp = 0};
    uint32_t lanes = 0;
    seen->warps = 0;
    while (wsim_seen_next(view, &other)) {
        seen->warps++;
        lanes |= other.lanes;
        ck_assert_int_le(other.warp, 3);
        if (other.warp < view->warp)
            ck_assert_int_eq(other.waits, 1);
    }
    ck_assert_uint_eq(lanes, 0xFFFFFFFFu);
    return view->warp == 2;
}

START_TEST(warps_and_stop) {
    static const char ptx[] = KERNEL("bar.sync 0; // here\n");
    struct seen seen = {.more = count_warps, .line = line_of(ptx, "// here"), .when = 1};
    const struct wsim_look look = {.at = at, .see = see, .context = &seen};
    l = (struct launched){.grid = 1, .block = 128, .checks = WSIM_CHECK_ALL, .look = &look};
    launch_refused(&l, ptx, "launch.stopped", "the caller stopped the launch");
    ck_assert_int_eq(seen.warps, 4);
    ck_assert_int_eq(seen.calls, 3);
    ck_assert_uint_eq(l.line, seen.line);
}
END_TEST

static int see_finding(void *context, const struct wsim_seen *view) {
    struct seen *seen = context;
    ck_assert_int_eq(view->when, WSIM_LOOK_FINDING);
    seen->calls++;
    seen->line = view->site.ptx_line;
    snprintf(seen->text, sizeof seen->text, "%s", view->rule);
    return seen->depth;
}

START_TEST(findings) {
    static const char ptx[] = KERNEL("mov.u32 %r8, box;\nld.shared.u32 %r3, [%r8]; // here\n");
    for (uint32_t stop = 0; stop < 2; stop++) {
        struct seen seen = {.depth = stop};
        const struct wsim_look look = {
            .at = at, .see = see_finding, .context = &seen, .when = WSIM_LOOK_FINDING};
        l = (struct launched){.grid = 1, .block = 32, .checks = WSIM_CHECK_ALL, .look = &look};
        launch(&l, ptx);
        ck_assert_int_ge(seen.calls, 1);
        ck_assert_uint_eq(seen.line, line_of(ptx, "st.global"));
        ck_assert_uint_eq(l.line, line_of(ptx, "ld.shared"));
        ck_assert_str_eq(seen.text, "init.shared");
    }
    ck_assert_int_eq(l.status, WSIM_OPERAND);
}
END_TEST

/* --- places that change --- */

struct moving {
    struct wsim_look look;
    uint32_t line, calls;
};

static int at_moving(void *context, const struct wsim_site *site) {
    const struct moving *moving = context;
    return site->ptx_line == moving->line ? WSIM_LOOK_BEFORE : 0;
}

static int see_moving(void *context, const struct wsim_seen *view) {
    struct moving *moving = context;
    ck_assert_uint_eq(view->site.ptx_line, moving->line);
    moving->calls++;
    moving->line++;
    moving->look.version++;
    return 0;
}

START_TEST(places_change) {
    struct moving moving = {{.at = at_moving, .see = see_moving, .context = &moving}, 0, 0};
    moving.line = line_of(PLAIN, "// plus");
    l = (struct launched){.grid = 1, .block = 32, .checks = WSIM_CHECK_ALL, .look = &moving.look};
    launch_good(&l, PLAIN);
    ck_assert_uint_eq(moving.calls, 3); /* each of the lines that follow, too */
}
END_TEST

/* --- results stay --- */

static int count_all(void *context, const struct wsim_seen *view) {
    uint64_t *counts = context;
    counts[view->when == WSIM_LOOK_AFTER] += 1;
    return 0;
}

START_TEST(nothing_changes) {
    static const char ptx[] = KERNEL(
        "mov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 4, %r8;\nmov.u32 %r10, 0;\n"
        "AGAIN:\nst.shared.u32 [%r9], %r3;\nbar.sync 0;\nxor.b32 %r11, %r9, 64;\n"
        "ld.shared.u32 %r12, [%r11];\nadd.u32 %r3, %r12, %r2;\nand.b32 %r13, %r0, 1;\n"
        "setp.eq.u32 %p2, %r13, 0;\n@%p2 add.u32 %r3, %r3, 5;\n@%p2 bra SKIP;\n"
        "mul.lo.u32 %r3, %r3, 3;\nSKIP:\n"
        "bar.sync 0;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 20;\n@%p1 bra AGAIN;\n");
    uint64_t counts[2] = {0};
    const struct wsim_look look = {
        .see = count_all, .context = counts, .when = WSIM_LOOK_BEFORE | WSIM_LOOK_AFTER};
    uint32_t out[WORDS];
    for (uint64_t seed = 0; seed < 3; seed++) {
        l = (struct launched){.grid = 3, .block = 96, .checks = WSIM_CHECK_ALL, .seed = seed};
        for (unsigned i = 0; i < WORDS; i++)
            l.in[i] = i * 77;
        launch_good(&l, ptx);
        memcpy(out, l.out, sizeof out);
        l.look = &look;
        counts[0] = counts[1] = 0;
        launch_good(&l, ptx);
        ck_assert_int_eq(memcmp(out, l.out, sizeof out), 0);
        ck_assert_uint_ge(counts[0], 9 * 20 * 14);
        ck_assert_uint_eq(counts[0], counts[1]);
    }
}
END_TEST

/* --- launches in flight --- */

START_TEST(in_steps) {
    static const char ptx[] =
        KERNEL("mov.u32 %r9, 0;\nAGAIN:\nadd.u32 %r9, %r9, 1; // here\n"
               "setp.lt.u32 %p1, %r9, 9;\n@%p1 bra AGAIN;\nmov.u32 %r3, %r9;\n");
    struct seen seen = {.line = line_of(ptx, "// here"), .when = WSIM_LOOK_BEFORE};
    const struct wsim_look look = {.at = at, .see = see, .context = &seen};
    struct wsim_report *report = NULL;
    struct wsim_flight *flight[2];
    struct wsim_device *device;
    struct wsim_module *module;
    uint64_t params[2];
    struct wsim_launch how = {
        .grid = {3}, .block = {32}, .params = params, .param_bytes = sizeof params, .look = &look};
    ck_assert_int_eq(wsim_module_load(ptx, strlen(ptx), 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    for (unsigned i = 0; i < 2; i++)
        wsim_device_alloc(device, "box", 4 * WORDS, 0, &params[i], NULL);
    ck_assert_int_eq(wsim_launch_begin(device, module, &how, &flight[0], NULL), WSIM_OK);
    how.look = NULL; /* another launch of the module, without a look */
    ck_assert_int_eq(wsim_launch_begin(device, module, &how, &flight[1], NULL), WSIM_OK);
    for (unsigned i = 0; i < 2; i++)
        while (wsim_launch_step(flight[i]) != WSIM_FLIGHT_DONE) {
        }
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(wsim_launch_finish(flight[i], &report, NULL), WSIM_OK);
        wsim_report_free(report);
    }
    ck_assert_uint_eq(seen.calls, 3 * 9);
    wsim_device_free(device);
    wsim_module_free(module);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        values_before_and_after, guards,   lanes_once,    fused,           memory,  calls, uses,
        warps_and_stop,          findings, places_change, nothing_changes, in_steps};
    return run_tests("look", tests, sizeof tests / sizeof *tests);
}
