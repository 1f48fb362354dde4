/* A case as a block: lines of wsim_trace_case_text read back word by word, for every operation.
 * A larger window keeps its meaning; a case without a block gives the reason.
 */
#include "../../every.h"
#include "../../../tools/lib/execute.h"
#include "helper.h"

#include <string.h>

enum { WORDS = WSIM_CASE_ROWS * WSIM_LANES, LARGE = 4096 };

static char text[WSIM_CASE_TEXT];

struct block {
    struct wsim_plan plan;
    uint32_t in[WORDS], out[WORDS];
};

static void read_case(struct wsim_trace *trace, const char *line) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int is_case = 0;
    enum wsim_status status = wsim_trace_line(trace, line, strlen(line), &is_case, &diag);
    expect(status == WSIM_OK && is_case, "column %u: %s", (unsigned)diag.col, diag.text);
}

/* A wgmma whose A is in shared memory does not say what registers hold. */
static void forget_registers(struct block *one) {
    const struct wsim_plan_input *a = &one->plan.input[WSIM_IN_A];
    const uint32_t *how = one->in + one->plan.input[WSIM_IN_HOW].first * WSIM_LANES;
    if (one->plan.variants && !(how[WSIM_CHOICE_WORD] & WSIM_CHOICE_REGISTERS))
        memset(one->in + a->first * WSIM_LANES, 0, a->rows * sizeof(uint32_t[WSIM_LANES]));
}

/* To text and back, and the model agrees with itself on the way. */
static void round_trip(const struct wsim_op *op, unsigned selector, unsigned number) {
    const struct wsim_arch *arch = every_first_model(op);
    struct wsim_trace *trace = reader(wsim_arch_name(arch));
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_replay replay;
    static struct block one, two;
    struct wsim_case c;
    wsim_plan_make(op, selector, &one.plan, NULL);
    c = wsim_case_at(&one.plan, 3, number, WSIM_DISTS);
    wsim_case_fill(&one.plan, &c, one.in);
    forget_registers(&one);
    expect(!execute_case(op, arch, &one.plan, one.in, one.out, &diag), "%s", diag.text);
    expect(wsim_trace_case_text(op, &one.plan, one.in, one.out, text, sizeof text) < sizeof text,
           "WSIM_CASE_TEXT is too small");
    read_case(trace, text);
    wsim_trace_replay(trace, NULL, &replay);
    expect(replay.verdict == WSIM_EQUAL, "%.150s: not equal: %s", text, replay.why.text);
    expect(!wsim_trace_block(trace, &two.plan, two.in, two.out, &diag), "%s", diag.text);
    expect(two.plan.key == one.plan.key && two.plan.selector == selector, "another plan");
    expect(memcmp(one.in, two.in, one.plan.in_rows * 128) == 0, "%.150s: other inputs", text);
    expect(memcmp(one.out, two.out, one.plan.out_rows * 128) == 0, "%.150s: other result", text);
    wsim_trace_free(trace);
}

START_TEST(every_operation_round_trips) {
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        unsigned n = wsim_op_describe(&op).n;
        if (wsim_op_describe(&op).threads > WSIM_LANES && n > 24 && n != 256)
            continue; /* wide ones take long */
        for (unsigned s = 0; wsim_plan_make(&op, s, &plan, NULL) == WSIM_OK; s++)
            round_trip(&op, s, cursor % WSIM_DISTS);
    }
}
END_TEST

/* The length is that of the whole line; the written text ends with a 0 and fits. */
START_TEST(text_is_bounded) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    static char shorter[20];
    static struct block one;
    size_t length;
    wsim_plan_make(&op, 0, &one.plan, NULL);
    length = wsim_trace_case_text(&op, &one.plan, one.in, one.out, NULL, 0);
    ck_assert_uint_eq(wsim_trace_case_text(&op, &one.plan, one.in, one.out, text, sizeof text),
                      length);
    ck_assert_uint_eq(strlen(text), length);
    memset(shorter, 'x', sizeof shorter);
    ck_assert_uint_eq(wsim_trace_case_text(&op, &one.plan, one.in, one.out, shorter, 10), length);
    ck_assert_uint_eq(strlen(shorter), 9);
    ck_assert_int_eq(strncmp(shorter, text, 9), 0);
    ck_assert_int_eq(shorter[10], 'x');
}
END_TEST

static void mix(uint8_t bytes[LARGE]) {
    uint64_t word = 0;
    for (unsigned i = 0; i < LARGE; i++) {
        word = i % 8 ? word >> 8 : wsim_hash_mix(7 + i);
        bytes[i] = (uint8_t)word;
    }
}

static void put_words(struct text *line, const char *name, const uint32_t *words, unsigned n) {
    text_add(line, "\t%s=", name);
    for (unsigned i = 0; i < n; i++)
        text_add(line, "%08x", (unsigned)words[i]);
}

static void put_bytes(struct text *line, const char *name, const uint8_t *bytes) {
    text_add(line, "\t%s=", name);
    for (unsigned i = 0; i < LARGE; i++)
        text_add(line, "%02x", bytes[i]);
}

/* A load from a window of 4 KiB, some rows twice; lane 9 gives no row and says nonsense. */
START_TEST(large_window_of_a_load) {
    static struct text line;
    struct wsim_op op = every_parse("ldmatrix.sync.aligned.m8n8.x1.shared.b16");
    struct wsim_trace *trace = reader("sm_90a");
    static uint8_t bytes[LARGE];
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, bytes, LARGE, 0);
    struct wsim_regs d = {0};
    static struct block one;
    static uint32_t out[WORDS];
    uint32_t addr[WSIM_LANES];
    mix(bytes);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = lane % 3 * 2000 / 16 * 16;
    addr[9] = 0xffffffff;
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("sm_90a"),
                               &(struct wsim_operands){.d = &d, .smem = &smem, .addr = addr}, NULL),
                     WSIM_OK);
    text_start(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@mix:7:%d", LARGE);
    put_words(&line, "addr", addr, WSIM_LANES);
    put_words(&line, "d", d.r[0], WSIM_LANES);
    read_case(trace, line.at);
    ck_assert_int_eq(wsim_trace_block(trace, &one.plan, one.in, one.out, NULL), WSIM_OK);
    ck_assert_mem_eq(one.out, d.r[0], 128);
    ck_assert_int_eq(execute_case(&op, wsim_arch_find("sm_90a"), &one.plan, one.in, out, NULL),
                     WSIM_OK);
    ck_assert_mem_eq(one.out, out, 128);
    ck_assert_uint_eq(one.in[one.plan.input[WSIM_IN_ADDR].first * WSIM_LANES + 4], 16);
    wsim_trace_free(trace);
}
END_TEST

static void store_line(struct text *line, const uint32_t *addr, const uint32_t *r,
                       const uint8_t *after) {
    text_start(line, "stmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@mix:7:%d", LARGE);
    put_words(line, "addr", addr, WSIM_LANES);
    put_words(line, "r", r, WSIM_LANES);
    put_bytes(line, "smem_after", after);
}

START_TEST(large_window_of_a_store) {
    static struct text line;
    struct wsim_op op = every_parse("stmatrix.sync.aligned.m8n8.x1.shared.b16");
    struct wsim_trace *trace = reader("sm_90a");
    static uint8_t bytes[LARGE];
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, bytes, LARGE, 0);
    struct wsim_regs r = {0};
    struct wsim_diag diag;
    static struct block one;
    static uint32_t out[WORDS];
    uint32_t addr[WSIM_LANES];
    mix(bytes);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        addr[lane] = LARGE - 16 - 480 * (lane % 8);
        r.r[0][lane] = 0x01010101 * lane;
    }
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("sm_90a"),
                               &(struct wsim_operands){.r = &r, .smem = &smem, .addr = addr}, NULL),
                     WSIM_OK);
    store_line(&line, addr, r.r[0], bytes);
    read_case(trace, line.at);
    ck_assert_int_eq(wsim_trace_block(trace, &one.plan, one.in, one.out, NULL), WSIM_OK);
    ck_assert_int_eq(execute_case(&op, wsim_arch_find("sm_90a"), &one.plan, one.in, out, NULL),
                     WSIM_OK);
    ck_assert_mem_eq(one.out, out, one.plan.out_rows * 128);
    bytes[addr[3] + 5] ^= 0x40; /* a wrong byte of row 3 stays one, in the row's new place */
    store_line(&line, addr, r.r[0], bytes);
    read_case(trace, line.at);
    ck_assert_int_eq(wsim_trace_block(trace, &one.plan, one.in, one.out, NULL), WSIM_OK);
    ck_assert_uint_eq(one.out[3 * 4 + 1], out[3 * 4 + 1] ^ 0x4000);
    bytes[100] ^= 1; /* where nothing is stored */
    store_line(&line, addr, r.r[0], bytes);
    read_case(trace, line.at);
    ck_assert_int_eq(wsim_trace_block(trace, &one.plan, one.in, one.out, &diag), WSIM_BOUNDS);
    ck_assert_ptr_nonnull(strstr(diag.text, "byte 0x64"));
    wsim_trace_free(trace);
}
END_TEST

/* The line is a case that has no block, for this reason; nothing is written. */
static void no_block(const char *line, enum wsim_status status, const char *part) {
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    static struct block one, before;
    if (line)
        read_case(trace, line);
    memset(&one, 0x5a, sizeof one);
    memset(&before, 0x5a, sizeof before);
    ck_assert_int_eq(wsim_trace_block(trace, &one.plan, one.in, one.out, &diag), status);
    expect(diag.status == status && strstr(diag.text, part), "'%s' is not in: %s", part, diag.text);
    ck_assert_mem_eq(&one, &before, sizeof one);
    wsim_trace_free(trace);
}

static const char *load(uint32_t address, const char *expected) {
    static struct text line;
    text_start(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:00:64\taddr=");
    text_same(&line, address, 32, 8);
    text_add(&line, "\t%s", expected);
    if (expected[0] == 'd')
        text_same(&line, 0, 32, 8);
    return line.at;
}

START_TEST(no_block_of) {
    static struct text line;
    no_block(NULL, WSIM_SYNTAX, "no current case");
    no_block(load(0, "wavefronts=1"), WSIM_UNMODELLED, "not counts");
    no_block(load(8, "trap=1"), WSIM_UNMODELLED, "trap=1");
    no_block(load(8, "d="), WSIM_ALIGN, "0x8 of lane 0");
    no_block(load(64, "d="), WSIM_BOUNDS, "0x40 of lane 0");
    no_block("movmatrix.sync.aligned.m8n8.trans.b16\tstream=2\tdist=raw\tseed=5\tfirst=0\tcases=9"
             "\tdigest=0123456789abcdef",
             WSIM_UNMODELLED, "of 9 cases");
    no_block("multimem.red\tsmem=00\ttrap=1", WSIM_UNMODELLED, "multimem");
    text_start(&line, "mma.sync.aligned.m16n8k99.row.col.f32.f16.f16.f32\td=");
    text_same(&line, 0, 32, 8);
    no_block(line.at, WSIM_SYNTAX, "m16n8k99");
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {every_operation_round_trips, 0, 1},
        {text_is_bounded, 0, 1},
        {large_window_of_a_load, 0, 1},
        {large_window_of_a_store, 0, 1},
        {no_block_of, 0, 1},
    };
    return every_run("blocks of traces", tests, COUNT(tests));
}
