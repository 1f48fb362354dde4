/* Launches in flight: kernels that wait for each other, in every order of begin and finish. */
#include "kernel.h"

#include <pthread.h>

#define CHECKS (WSIM_CHECK_MEMORY | WSIM_CHECK_INIT | WSIM_CHECK_RACE | WSIM_CHECK_SYNC)

static struct wsim_device *device;
static struct wsim_module *module;
static uint64_t data;

/* `ping` sets word 0, waits for word 1, and doubles word 2 into word 3. `pong` waits for word 0,
 * writes word 2 and sets word 1. `wait` waits for word 4. `store` sets word 4. Block b of `relay`
 * waits for word b and sets word b + 1. `count` adds 1 to word 0 a hundred thousand times. */
#define ENTRY(name, body)                                                                          \
    ".visible .entry " name "(.param .u64 data)\n{\n" KERNEL_REGISTERS                             \
    "ld.param.u64 %rd0, [data];\nmov.u32 %r9, 1;\n" body "\nret;\n}\n"
#define AWAIT(label, at)                                                                           \
    label ":\nld.acquire.gpu.global.u32 %r1, [%rd0+" at "];\nsetp.eq.u32 %p1, %r1, 0;\n"           \
          "@%p1 bra " label ";\n"
#define SIGNAL(at) "st.release.gpu.global.u32 [%rd0+" at "], %r9;\n"
static const char text[] = KERNEL_HEAD ENTRY(
    "ping", SIGNAL("0") AWAIT("A", "4") "ld.global.u32 %r2, [%rd0+8];\nadd.u32 %r2, %r2, "
                                        "%r2;\nst.global.u32 [%rd0+12], %r2;\n")
    ENTRY("pong", AWAIT("B", "0") "mov.u32 %r2, 21;\nst.global.u32 [%rd0+8], %r2;\n" SIGNAL("4"))
        ENTRY("wait", AWAIT("C", "16")) ENTRY("store", SIGNAL("16"))
            ENTRY("grid", "mov.u32 %r3, %ctaid.x;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra D;\n" SIGNAL(
                              "16") "D:\n" AWAIT("E", "16") AWAIT("F", "20"))
                ENTRY("relay", "mov.u32 %r3, %ctaid.x;\nmad.wide.u32 %rd0, %r3, 4, %rd0;\n" AWAIT(
                                   "G", "0") SIGNAL("4"))
                    ENTRY("count", "mov.u32 %r3, 100000;\nH:\n"
                                   "atom.global.add.u32 %r1, [%rd0], %r9;\nsub.u32 %r3, %r3, 1;\n"
                                   "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra H;\n");

static void open_all(void) {
    static const uint32_t zeros[16];
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", sizeof zeros, 0, &data, NULL), WSIM_OK);
    wsim_device_write(device, data, zeros, sizeof zeros, NULL);
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%u: %s", diag.line,
                  diag.text);
}

static void close_all(void) {
    wsim_device_free(device);
    wsim_module_free(module);
}

static struct wsim_flight *begin_on(struct wsim_device *on, const char *name, uint32_t blocks,
                                    uint32_t threads) {
    uint64_t params = data;
    struct wsim_launch launch = {.name = name,
                                 .grid = {blocks},
                                 .block = {32},
                                 .params = &params,
                                 .param_bytes = 8,
                                 .checks = CHECKS,
                                 .threads = threads};
    struct wsim_flight *flight;
    struct wsim_diag diag;
    ck_assert_msg(!wsim_launch_begin(on, module, &launch, &flight, &diag), "%s", diag.text);
    params = 0; /* it is copied */
    return flight;
}

static struct wsim_flight *begin(const char *name) {
    return begin_on(device, name, 1, 1);
}

/* Ends well and without findings. */
static void finish(struct wsim_flight *flight) {
    struct wsim_report *report;
    struct wsim_finding finding;
    struct wsim_diag diag;
    enum wsim_status status = wsim_launch_finish(flight, &report, &diag);
    ck_assert_msg(!status, "%s", diag.text);
    ck_assert_msg(!wsim_report_finding(report, 0, &finding), "%s", finding.text);
    wsim_report_free(report);
}

static void finish_dead(struct wsim_flight *flight) {
    struct wsim_report *report;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_launch_finish(flight, &report, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "sync.deadlock");
    wsim_report_free(report);
}

static uint32_t word(uint32_t index) {
    uint32_t value;
    ck_assert_int_eq(wsim_device_read(device, data + 4 * index, &value, 4, NULL), WSIM_OK);
    return value;
}

/* Steps a launch until it is not at work. */
static enum wsim_flight_state settle(struct wsim_flight *flight) {
    enum wsim_flight_state state = WSIM_FLIGHT_RUNS;
    for (int i = 0; i < 100 && state == WSIM_FLIGHT_RUNS; i++)
        state = wsim_launch_step(flight);
    return state;
}

/* Both orders of begin, both of finish: a kernel that waits is no deadlock while the other one can
 * write. */
START_TEST(both_wait) {
    open_all();
    struct wsim_flight *first = begin(_i & 1 ? "ping" : "pong");
    struct wsim_flight *second = begin(_i & 1 ? "pong" : "ping");
    finish(_i & 2 ? first : second);
    finish(_i & 2 ? second : first);
    ck_assert_uint_eq(word(3), 42);
    close_all();
}
END_TEST

/* The same by steps alone, one after the other. */
START_TEST(by_steps) {
    enum wsim_flight_state ping_state, pong_state;
    int steps = 0;
    open_all();
    struct wsim_flight *ping = begin("ping"), *pong = begin("pong");
    do {
        ping_state = wsim_launch_step(ping);
        pong_state = wsim_launch_step(pong);
        ck_assert_int_ne(ping_state, WSIM_FLIGHT_STUCK);
        ck_assert_int_lt(++steps, 100);
    } while (ping_state != WSIM_FLIGHT_DONE || pong_state != WSIM_FLIGHT_DONE);
    ck_assert_uint_eq(word(3), 42);
    finish(pong);
    finish(ping);
    close_all();
}
END_TEST

/* The states of a launch that waits: for another launch, for nothing, and after the host wrote. */
START_TEST(states) {
    const uint32_t one = 1;
    open_all();
    struct wsim_flight *wait = begin("wait"), *ping = begin("ping");
    ck_assert_int_eq(settle(wait), WSIM_FLIGHT_WAITS);
    ck_assert_int_eq(settle(ping), WSIM_FLIGHT_WAITS); /* it wrote since */
    ck_assert_int_eq(settle(wait), WSIM_FLIGHT_STUCK);
    ck_assert_int_eq(settle(ping), WSIM_FLIGHT_STUCK);
    wsim_device_fill(device, data + 16, 1, 4, 4, NULL);
    ck_assert_int_eq(settle(wait), WSIM_FLIGHT_DONE);
    ck_assert_int_eq(wsim_launch_step(wait), WSIM_FLIGHT_DONE);
    ck_assert_int_eq(settle(ping), WSIM_FLIGHT_STUCK);
    wsim_device_write(device, data + 8, &one, 4, NULL);
    wsim_device_write(device, data + 4, &one, 4, NULL);
    ck_assert_int_eq(settle(ping), WSIM_FLIGHT_DONE);
    finish(ping);
    finish(wait);
    close_all();
}
END_TEST

/* Two that wait for what neither writes: each is found, whichever is finished first; with many
 * blocks on several threads of the host as well. */
START_TEST(deadlock) {
    const uint32_t blocks = _i & 2 ? 40 : 1;
    open_all();
    struct wsim_flight *first = begin_on(device, "wait", blocks, _i & 2 ? 4 : 1);
    struct wsim_flight *second = begin("ping");
    finish_dead(_i & 1 ? first : second);
    finish_dead(_i & 1 ? second : first);
    close_all();
}
END_TEST

/* A launch in flight goes on while another one runs, and wsim_launch_run waits for it. */
START_TEST(run_beside) {
    struct wsim_launch launch = {
        .name = "wait", .params = &data, .param_bytes = 8, .checks = CHECKS};
    struct wsim_report *report;
    struct wsim_diag diag;
    open_all();
    struct wsim_flight *store = begin("store");
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s", diag.text);
    wsim_report_free(report);
    finish(store);
    close_all();
}
END_TEST

/* Blocks on several threads of the host wait for a kernel of another device. */
START_TEST(peers) {
    struct wsim_device *other;
    open_all();
    ck_assert_int_eq(wsim_device_make_peer(device, wsim_arch_find("sm_80"), &other, NULL), WSIM_OK);
    struct wsim_flight *grid = begin_on(device, "grid", 64, _i ? 4 : 1);
    while (wsim_launch_step(grid) != WSIM_FLIGHT_STUCK) {
    }
    ck_assert_uint_eq(word(4), 1);
    data += 4; /* "store" sets word 5 */
    struct wsim_flight *store = begin_on(other, "store", 1, 1);
    data -= 4;
    ck_assert_int_eq(settle(grid), WSIM_FLIGHT_WAITS);
    finish(grid);
    ck_assert_uint_eq(word(5), 1);
    finish(store);
    wsim_device_free(other);
    close_all();
}
END_TEST

static void adopt(volatile uint32_t *words, size_t size) {
    memset((void *)(uintptr_t)words, 0, size);
    open_all();
    ck_assert_int_eq(wsim_device_adopt(device, "words", (void *)(uintptr_t)words, size, NULL),
                     WSIM_OK);
    data = (uint64_t)(uintptr_t)words;
}

/* The host may write adopted memory, so a kernel that polls beside some only waits. */
START_TEST(adopted) {
    static volatile uint32_t words[8];
    adopt(words, sizeof words);
    struct wsim_flight *wait = begin("wait");
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(settle(wait), WSIM_FLIGHT_WAITS);
    words[4] = 1;
    ck_assert_int_eq(settle(wait), WSIM_FLIGHT_DONE);
    finish(wait);
    close_all();
}
END_TEST

/* Every block sees what the host wrote while all of them waited. */
START_TEST(adopted_by_blocks) {
    static volatile uint32_t words[8];
    adopt(words, sizeof words);
    struct wsim_flight *relay = begin_on(device, "relay", 4, 1);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(settle(relay), WSIM_FLIGHT_WAITS);
    words[0] = 1;
    ck_assert_int_eq(settle(relay), WSIM_FLIGHT_DONE);
    ck_assert_uint_eq(words[4], 1);
    finish(relay);
    close_all();
}
END_TEST

struct counter {
    volatile uint32_t word;
    uint32_t count, ends;
};

static void *count_too(void *argument) {
    struct counter *counter = argument;
    while (!__atomic_load_n(&counter->ends, __ATOMIC_SEQ_CST)) {
        __atomic_fetch_add(&counter->word, 1, __ATOMIC_SEQ_CST);
        counter->count++;
    }
    return NULL;
}

/* Atomics of a kernel are atomic for threads of the program too. */
START_TEST(adopted_atomics) {
    static struct counter counter;
    pthread_t thread;
    adopt(&counter.word, sizeof counter.word);
    struct wsim_flight *count = begin("count");
    ck_assert_int_eq(pthread_create(&thread, NULL, count_too, &counter), 0);
    finish(count);
    __atomic_store_n(&counter.ends, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(counter.word, counter.count + 32 * 100000);
    close_all();
}
END_TEST

/* Buffers come and go between steps; those of before are still checked. */
START_TEST(buffers) {
    uint64_t before, after;
    open_all();
    ck_assert_int_eq(wsim_device_alloc(device, "before", 64, 0, &before, NULL), WSIM_OK);
    struct wsim_flight *ping = begin("ping");
    ck_assert_int_eq(settle(ping), WSIM_FLIGHT_STUCK);
    ck_assert_int_eq(wsim_device_release(device, before, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "after", 1 << 20, 0, &after, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_device_written(device, after, 1), 0);
    struct wsim_flight *pong = begin("pong");
    finish(ping);
    finish(pong);
    ck_assert_uint_eq(word(3), 42);
    close_all();
}
END_TEST

/* A mistake is found in the launch that makes it, and the other one ends well. */
START_TEST(finding) {
    struct wsim_report *report;
    struct wsim_diag diag;
    const uint64_t good = data;
    open_all();
    struct wsim_flight *store = begin("store");
    data = 16;
    struct wsim_flight *wrong = begin("store");
    data = good;
    ck_assert_int_eq(wsim_launch_finish(wrong, &report, &diag), WSIM_BOUNDS);
    wsim_report_free(report);
    finish(store);
    close_all();
}
END_TEST

START_TEST(refused) {
    const struct wsim_launch launch = {.name = "none"};
    struct wsim_flight *flight;
    struct wsim_diag diag;
    open_all();
    ck_assert_int_eq(wsim_launch_begin(device, module, &launch, &flight, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "launch.kernel.unknown");
    ck_assert_ptr_null(flight);
    close_all();
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {both_wait, 0, 4}, {by_steps, 0, 1},          {states, 0, 1},
        {deadlock, 0, 4},  {run_beside, 0, 1},        {peers, 0, 2},
        {buffers, 0, 1},   {adopted, 0, 1},           {finding, 0, 1},
        {refused, 0, 1},   {adopted_by_blocks, 0, 1}, {adopted_atomics, 0, 1}};
    return every_run("unit/run/flight", tests, COUNT(tests));
}
