/* A listener beside the checks hears every byte of every access, in fast steps too, and as often as
 * the instruction is executed. */
#include "launched.h"

enum { TIMES = 100 };

/* Touches of one line. */
struct heard {
    uint32_t line;
    uint64_t touches, bytes, sum; /* sum: of addresses */
    unsigned kind, space;
    uint32_t lanes;
    int engine; /* the copy engine or the tensor core touched */
};

static void hear(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    struct heard *heard = context;
    ck_assert_msg(touch->address >= memory->base && touch->bytes <= memory->size &&
                      touch->address - memory->base <= memory->size - touch->bytes,
                  "line %u: not in its window", touch->where);
    if (touch->where != heard->line)
        return;
    heard->touches++;
    heard->bytes += touch->bytes;
    heard->sum += touch->address - memory->base;
    heard->kind = touch->kind;
    heard->space = memory->space;
    if (touch->lane < 32)
        heard->lanes |= 1u << touch->lane;
    else
        heard->engine = 1;
}

/* %r9 is a word of the box for each thread, %d10 what it is in global memory. */
#define PLACES                                                                                     \
    ".local .align 16 .b8 own[64];\nmov.u32 %r8, box;\nmad.lo.u32 %r9, %r0, 16, %r8;\n"            \
    "mul.wide.u32 %d4, %r0, 16;\nadd.u64 %d10, %d1, %d4;\nadd.u64 %d10, %d10, 8192;\n"             \
    "add.u64 %d11, %d0, %d4;\nmov.u32 %r10, 0;\nst.local.u32 [own], %r0;\n"                        \
    "st.shared.v4.u32 [%r9], {%r0, %r0, %r0, %r0};\nbar.sync 0;\n"
#define LOOP(body)                                                                                 \
    KERNEL(PLACES "AGAIN:\n" body "\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 100;\n"        \
                  "@%p1 bra AGAIN;\n")

static const struct {
    const char *word, *ptx;
    unsigned space, kind, touches, bytes; /* bytes of each touch */
} accesses[] = {
    {"ld.global.u32 %r20, [%d0]", LOOP("ld.global.u32 %r20, [%d0];"), WSIM_GLOBAL, WSIM_TOUCH_READ,
     32, 4},
    {"ld.global.u32 %r20, [%d3]", LOOP("ld.global.u32 %r20, [%d3];"), WSIM_GLOBAL, WSIM_TOUCH_READ,
     32, 4},
    {"ld.global.v4", LOOP("ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%d11];"), WSIM_GLOBAL,
     WSIM_TOUCH_READ, 32, 16},
    {"ld.u32 %r20, [%d3]", LOOP("ld.u32 %r20, [%d3];"), WSIM_GLOBAL, WSIM_TOUCH_READ, 32, 4},
    {"st.global.u32 [%d10]", LOOP("st.global.u32 [%d10], %r0;"), WSIM_GLOBAL, WSIM_TOUCH_WRITE, 32,
     4},
    {"red.global", LOOP("red.global.add.u32 [%d10], 1;"), WSIM_GLOBAL, WSIM_TOUCH_UPDATE, 32, 4},
    {"ld.shared.u32 %r20, [box]", LOOP("ld.shared.u32 %r20, [box];"), WSIM_SHARED, WSIM_TOUCH_READ,
     32, 4},
    {"ld.shared.u32 %r20, [%r9]", LOOP("ld.shared.u32 %r20, [%r9];"), WSIM_SHARED, WSIM_TOUCH_READ,
     32, 4},
    {"st.shared.u8", LOOP("st.shared.u8 [%r9+3], %r0;"), WSIM_SHARED, WSIM_TOUCH_WRITE, 32, 1},
    {"atom.shared", LOOP("atom.shared.exch.b32 %r20, [%r9], %r0;"), WSIM_SHARED, WSIM_TOUCH_UPDATE,
     32, 4},
    {"ld.local", LOOP("ld.local.u32 %r20, [own];"), WSIM_LOCAL, WSIM_TOUCH_READ, 32, 4},
    {"st.local.u16", LOOP("st.local.u16 [own+4], %r0;"), WSIM_LOCAL, WSIM_TOUCH_WRITE, 32, 2},
    {"ld.param.u64 %d12", LOOP("ld.param.u64 %d12, [in];"), WSIM_PARAM, WSIM_TOUCH_READ, 32, 8},
    {"ldmatrix", LOOP("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r9];"),
     WSIM_SHARED, WSIM_TOUCH_READ, 32, 16},
    {"cp.async.ca", LOOP("cp.async.ca.shared.global [%r9], [%d11], 16;\ncp.async.wait_all;"),
     WSIM_GLOBAL, WSIM_TOUCH_READ, 64, 16},
    {"@%p2 ld", LOOP("setp.lt.u32 %p2, %r0, 5;\n@%p2 ld.global.u32 %r20, [%d3];"), WSIM_GLOBAL,
     WSIM_TOUCH_READ, 5, 4},
};
enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

START_TEST(every_byte_of_every_access_is_heard) {
    static const uint32_t checks[] = {0, WSIM_CHECK_INIT, WSIM_CHECK_RACE, WSIM_CHECK_ALL};
    struct heard heard = {.line = line_of(accesses[_i].ptx, accesses[_i].word)};
    const struct wsim_watch watch = {hear, &heard};
    for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        static struct launched launched;
        launched = (struct launched){
            .grid = 1, .block = 32, .checks = checks[i], .threads = 4, .watch = &watch};
        heard = (struct heard){.line = heard.line};
        launch_good(&launched, accesses[_i].ptx);
        ck_assert_uint_eq(heard.touches, (uint64_t)TIMES * accesses[_i].touches);
        ck_assert_uint_eq(heard.bytes, heard.touches * accesses[_i].bytes);
        ck_assert_uint_eq(heard.space, accesses[_i].space);
        ck_assert_uint_eq(heard.kind, accesses[_i].kind);
        ck_assert_uint_eq(heard.lanes, accesses[_i].touches == 5 ? 31u : UINT32_MAX);
        ck_assert_int_eq(heard.engine, 0);
    }
}
END_TEST

START_TEST(the_copy_engine_and_barriers_are_heard) {
    static const char *const ptx =
        LOOP("setp.eq.u32 %p3, %r0, 0;\n@!%p3 bra SKIP;\n"
             "mbarrier.init.shared.b64 [box+512], 1;\n"
             "mbarrier.arrive.expect_tx.shared.b64 %d20, [box+512], 64;\n"
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%d0], 64, "
             "[box+512];\n"
             "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p4, [box+512], 0;\n@!%p4 bra WAIT;\n"
             "mbarrier.inval.shared.b64 [box+512];\nSKIP:\n");
    static const struct {
        const char *word;
        uint64_t touches, bytes;
        int engine;
    } is[] = {{"mbarrier.init", 100, 800, 0},
              {"mbarrier.arrive", 100, 800, 0},
              {"mbarrier.try_wait", 100, 800, 0}};
    for (unsigned i = 0; i < 3; i++) {
        struct heard heard = {.line = line_of(ptx, is[i].word)};
        const struct wsim_watch watch = {hear, &heard};
        static struct launched launched;
        launched = (struct launched){.grid = 1, .block = 32, .watch = &watch};
        launch_good(&launched, ptx);
        ck_assert_uint_eq(heard.touches, is[i].touches);
        ck_assert_uint_eq(heard.bytes, is[i].bytes);
        ck_assert_int_eq(heard.engine, is[i].engine);
    }
    struct heard heard = {.line = line_of(ptx, "cp.async.bulk")};
    const struct wsim_watch watch = {hear, &heard};
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32, .watch = &watch};
    launch_good(&launched, ptx);
    ck_assert_int_eq(heard.engine, 1);
    ck_assert_uint_ge(heard.bytes, 100 * 128); /* read and written */
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{every_byte_of_every_access_is_heard, 0, ACCESSES},
                                       {the_copy_engine_and_barriers_are_heard, 0, 1}};
    return every_run("watch", tests, (int)(sizeof tests / sizeof tests[0]));
}
