/* Lanes of one store that write the same bytes: which of them stays. An H200 with CUDA 13.0 gave
 * the rows of `recorded` in shared and global memory. */
#include "kernel.h"

/* Slot of each lane; lanes with 32 or more do not store. */
#define STORE(space, opened, store)                                                                \
    KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS                        \
                ".reg .b128 %q<4>;\n.shared .align 16 .b8 box[512];\n"                             \
                "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n"                               \
                "mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd2, %rd0, %rd1;\n"                          \
                "ld.global.u32 %r1, [%rd2+3072];\nsetp.lt.u32 %p1, %r1, 32;\n"                     \
                "add.u32 %r2, %r0, 1;\nmov.b64 %rd3, {%r2, %r2};\nmov.b128 %q1, {%rd3, %rd3};\n"   \
                "mov.u32 %r5, box;\n" opened "\n@%p1 " store "\n"                                  \
                "bar.warp.sync -1;\nmov.u32 %r3, 0;\n@%p1 ld" space ".u8 %r3, [ADDRESS];\n"        \
                "st.global.u32 [%rd2+2048], %r3;\nret;\n}\n"

static const struct store {
    const char *words, *value; /* of the instruction */
    unsigned bytes;
} stores[] = {
    {".u8", "%r2", 1},
    {".v2.u8", "{%r2, %r2}", 2},
    {".u16", "%r2", 2},
    {".v4.u8", "{%r2, %r2, %r2, %r2}", 4},
    {".v2.u16", "{%h1, %h1}", 4},
    {".u32", "%r2", 4},
    {".v4.u16", "{%h1, %h1, %h1, %h1}", 8},
    {".v2.u32", "{%r2, %r2}", 8},
    {".u64", "%rd3", 8},
    {".v4.u32", "{%r2, %r2, %r2, %r2}", 16},
    {".v2.u64", "{%rd3, %rd3}", 16},
    {".b128", "%q1", 16},
};
enum { STORES = sizeof stores / sizeof stores[0] };

static const struct space {
    const char *name, *address;
} spaces[] = {
    {".global", "mad.wide.u32 %rd9, %r1, BYTES, %rd0;"},
    {".shared", "mad.lo.u32 %r9, %r1, BYTES, %r5;"},
    {"", "mad.wide.u32 %rd9, %r1, BYTES, %rd0;"},
    {"", "mad.lo.u32 %r9, %r1, BYTES, %r5; cvt.u64.u32 %rd9, %r9; cvta.shared.u64 %rd9, %rd9;"},
};
enum { SPACES = sizeof spaces / sizeof spaces[0] };
static const uint32_t flags[] = {0, WSIM_MODULE_ONE_BY_ONE, WSIM_MODULE_PLAIN};
enum { FLAGS = sizeof flags / sizeof flags[0] };

/* Lanes that share a slot, and the lane + 1 that each of the first slots held on an H200. */
static const struct {
    unsigned by, modulo;
    uint8_t narrow[4], eight[4], sixteen[4];
} recorded[] = {
    {1, 1, {1}, {17}, {25}},
    {1, 4, {1, 2, 3, 4}, {17, 18, 19, 20}, {25, 26, 27, 28}},
    {4, 8, {1, 5, 9, 13}, {1, 5, 9, 13}, {1, 5, 9, 13}},
    {1, 8, {1, 2, 3, 4}, {17, 18, 19, 20}, {25, 26, 27, 28}},
    {1, 16, {1, 2, 3, 4}, {17, 18, 19, 20}, {17, 18, 19, 20}},
    {1, 2, {1, 2}, {17, 18}, {25, 26}},
};
enum { RECORDED = sizeof recorded / sizeof recorded[0] };

static void replace(char *text, size_t room, const char *from, const char *to) {
    for (char *at; (at = strstr(text, from)) != NULL;) {
        ck_assert_uint_lt(strlen(text) + strlen(to), room);
        memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
        memcpy(at, to, strlen(to));
    }
}

static void write_kernel(char *text, size_t room, const struct store *store,
                         const struct space *space) {
    char bytes[8];
    snprintf(bytes, sizeof bytes, "%u", store->bytes);
    snprintf(text, room, "%s", STORE("SPACE", "OPENED", "stSPACEWORDS [ADDRESS], VALUE;"));
    replace(text, room, "mov.u32 %r5", "cvt.u16.u32 %h1, %r2;\nmov.u32  %r5");
    replace(text, room, "OPENED", space->address);
    replace(text, room, "BYTES", bytes);
    replace(text, room, "ADDRESS", strstr(space->address, "%rd9") ? "%rd9" : "%r9");
    replace(text, room, "SPACE", space->name);
    replace(text, room, "WORDS", store->words);
    replace(text, room, "VALUE", store->value);
}

/* The lane that stays in a slot: of the last group with lanes of the slot, the lowest. */
static unsigned stays(const uint32_t slots[32], uint32_t slot, unsigned bytes) {
    const unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    for (unsigned first = 32 - group;; first -= group)
        for (unsigned lane = first; lane < first + group; lane++)
            if (slots[lane] == slot)
                return lane;
}

static void expect_slots(struct kernel *kernel, const struct store *store,
                         const uint32_t slots[32]) {
    memset(kernel->words, 0, sizeof kernel->words);
    memcpy(kernel->words + 768, slots, 32 * sizeof slots[0]);
    kernel_good(kernel, 1, 32);
    for (unsigned lane = 0; lane < 32; lane++) {
        const uint32_t is = kernel->words[512 + lane];
        const uint32_t want = slots[lane] < 32 ? 1 + stays(slots, slots[lane], store->bytes) : 0;
        expect(is == want, "st%s, flags %u, lane %u, slot %u: %u, not %u\n%s", store->words,
               kernel->flags, lane, slots[lane], is, want, kernel->text);
    }
}

START_TEST(lanes_that_store_to_one_place_stay_as_on_an_h200) {
    const struct store *store = &stores[_i / SPACES];
    char text[2048];
    struct kernel kernel = {.text = text};
    uint64_t state = 0x9E3779B97F4A7C15u + (unsigned)_i;
    write_kernel(text, sizeof text, store, &spaces[_i % SPACES]);
    for (unsigned way = 0; way < FLAGS; way++) {
        uint32_t slots[32];
        kernel.flags = flags[way];
        for (unsigned r = 0; r < RECORDED; r++) {
            const uint8_t *held = store->bytes <= 4   ? recorded[r].narrow
                                  : store->bytes == 8 ? recorded[r].eight
                                                      : recorded[r].sixteen;
            for (unsigned lane = 0; lane < 32; lane++)
                slots[lane] = lane / recorded[r].by % recorded[r].modulo;
            expect_slots(&kernel, store, slots);
            for (unsigned lane = 0; lane < 32; lane++)
                if (slots[lane] < 4)
                    expect(kernel.words[512 + lane] == held[slots[lane]], "recorded row %u", r);
        }
        for (unsigned round = 0; round < 8; round++) {
            for (unsigned lane = 0; lane < 32; lane++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                slots[lane] = (uint32_t)(state >> 33) % (round < 6 ? 40 >> round : 12);
                if (round == 7 && lane % 3 == 1)
                    slots[lane] = 99;
            }
            expect_slots(&kernel, store, slots);
        }
    }
}
END_TEST

/* Two stores that machine code has as one of 8 bytes are ordered as one of 8 bytes. */
START_TEST(joined_stores_are_ordered_as_one) {
    static const char text[] =
        KERNEL(".shared .align 16 .b8 box[256];\nadd.u32 %r2, %r0, 1;\nmov.u32 %r5, box;\n"
               "and.b32 %r6, %r0, 1;\nmad.lo.u32 %r9, %r6, 8, %r5;\n"
               "st.shared.u32 [%r9], %r2;\nst.shared.u32 [%r9+4], %r2;\n"
               "bar.warp.sync -1;\nld.shared.v2.u32 {%r3, %r4}, [%r9];\n"
               "add.u32 %r3, %r3, %r4;\n" STORE_AT("%r0", "%r3"));
    struct kernel kernel = {.text = text};
    for (unsigned way = 0; way < FLAGS; way++)
        for (unsigned written = 0; written < 2; written++) {
            kernel.flags = flags[way] | (written ? WSIM_MODULE_AS_WRITTEN : 0);
            kernel_good(&kernel, 1, 32);
            for (unsigned lane = 0; lane < 32; lane++)
                ck_assert_uint_eq(kernel.words[lane], 2 * (lane % 2 + (written ? 1 : 17)));
        }
}
END_TEST

/* Both halves of the warp store one row, again and again. */
START_TEST(halves_store_one_row_in_a_loop) {
    static const struct {
        const char *body;
        unsigned step, first; /* words from round to round, lane + 1 that stays in word 0 */
    } cases[] = {
        {"and.b32 %r6, %r0, 15;\nmad.wide.u32 %rd9, %r6, 4, %rd0;\n"
         "ROUND:\nst.global.u32 [%rd9], %r2;\nadd.u32 %r2, %r2, 100;\nadd.s64 %rd9, %rd9, 128;\n"
         "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, 31;\n@%p1 bra ROUND;\n",
         32, 1},
        {"and.b32 %r6, %r0, 15;\nmad.wide.u32 %rd9, %r6, 8, %rd0;\ncvt.u64.u32 %rd2, %r2;\n"
         "ROUND:\nst.global.u64 [%rd9], %rd2;\nadd.u64 %rd2, %rd2, 100;\n"
         "add.s64 %rd9, %rd9, 128;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, 31;\n"
         "@%p1 bra ROUND;\n",
         32, 17},
        {"and.b32 %r6, %r0, 15;\nshr.u32 %r8, %r0, 4;\nadd.u32 %r6, %r6, %r8;\n"
         "mad.wide.u32 %rd9, %r6, 4, %rd0;\n"
         "ROUND:\nst.global.u32 [%rd9], %r2;\nadd.u32 %r2, %r2, 100;\nadd.s64 %rd9, %rd9, 128;\n"
         "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, 31;\n@%p1 bra ROUND;\n",
         32, 1},
    };
    char text[2048];
    struct kernel kernel = {.text = text};
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n"
                         "add.u32 %r2, %r0, 1;\nmov.u32 %r7, 0;\n",
             cases[_i].body, "ret;\n}\n");
    for (unsigned way = 0; way < FLAGS; way++) {
        kernel.flags = flags[way];
        memset(kernel.words, 0, sizeof kernel.words);
        kernel_good(&kernel, 1, 32);
        for (unsigned round = 0; round < 31; round++) {
            const uint32_t *row = kernel.words + round * cases[_i].step;
            const unsigned apart = _i == 1 ? 2 : 1;
            for (unsigned i = 0; i < 16; i++)
                ck_assert_uint_eq(row[i * apart], cases[_i].first + i + 100 * round);
            if (_i == 2)
                ck_assert_uint_eq(row[16], 32 + 100 * round);
        }
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {lanes_that_store_to_one_place_stay_as_on_an_h200, 0, STORES * SPACES},
        {joined_stores_are_ordered_as_one, 0, 1},
        {halves_store_one_row_in_a_loop, 0, 3}};
    return every_run("unit/run/one_place", tests, COUNT(tests));
}
