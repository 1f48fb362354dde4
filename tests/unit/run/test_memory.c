/* Loads, stores and atomics of all spaces and widths. */
#include "kernel.h"

/* Loads of 1, 2 and 4 bytes of 0x...8081 8283 into a wider register. */
START_TEST(loads_extend_as_their_type_says) {
    static const struct {
        const char *load;
        uint64_t is;
    } loads[] = {
        {"ld.global.u8 %r1, [%rd1];", 0x83},
        {"ld.global.s8 %r1, [%rd1];", 0xffffff83},
        {"ld.global.b8 %r1, [%rd1];", 0x83},
        {"ld.global.u16 %r1, [%rd1];", 0x8283},
        {"ld.global.s16 %r1, [%rd1];", 0xffff8283},
        {"ld.global.s8 %h1, [%rd1]; cvt.u32.u16 %r1, %h1;", 0xff83},
        {"ld.global.s32 %rd2, [%rd1]; mov.b64 {%r1, %r2}, %rd2;", 0x80818283},
        {"ld.global.s32 %rd2, [%rd1]; mov.b64 {%r2, %r1}, %rd2;", 0xffffffff},
        {"ld.global.u32 %rd2, [%rd1]; mov.b64 {%r2, %r1}, %rd2;", 0},
        {"ld.global.s8 %rd2, [%rd1+3]; mov.b64 {%r2, %r1}, %rd2;", 0xffffffff},
        {"ld.global.v2.s8 {%r2, %r1}, [%rd1+2];", 0xffffff80},
        {"ld.global.v4.u8 {%r4, %r3, %r2, %r1}, [%rd1];", 0x80},
        {"ld.global.v2.b16 {%r2, %r1}, [%rd1];", 0x8081},
        {"ld.global.nc.f32 %f1, [%rd1]; mov.b32 %r1, %f1;", 0x80818283},
        {"ld.volatile.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+16]; add.u32 %r1, %r1, %r4;", 9},
        {"ldu.global.u32 %r1, [%rd1+28];", 7},
        {".local .align 8 .b32 l[2]; mov.u32 %r4, 5; mov.u32 %r5, 6; "
         "st.volatile.local.v2.u32 [l], {%r4, %r5}; ld.volatile.local.u32 %r1, [l+4];",
         6},
        {"ld.u16 %r1, [%rd1+2];", 0x8081},
    };
    char text[2048];
    struct kernel kernel = {.text = text};
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data]; add.s64 %rd1, %rd0, 256;\n",
             loads[_i].load, "\nst.global.u32 [%rd0], %r1;\n}\n");
    kernel.words[64] = 0x80818283;
    kernel.words[68] = 2, kernel.words[69] = 100, kernel.words[70] = 1000, kernel.words[71] = 7;
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[0] == loads[_i].is, "%s: %x", loads[_i].load, (unsigned)kernel.words[0]);
}
END_TEST
enum { LOADS = 18 };

/* Bytes that are written are those of the type, and no others. */
START_TEST(stores_write_what_their_type_has) {
    struct kernel kernel = {
        .text = KERNEL("mov.u32 %r1, 0x11223344; mov.u32 %r2, 0x55667788;\n"
                       "mov.b64 %rd1, {%r1, %r2};\n"
                       "st.global.u8 [%rd0+1], %r1; st.global.u16 [%rd0+6], %r1;\n"
                       "st.global.v2.u8 [%rd0+8], {%r1, %r2}; st.global.b64 [%rd0+16], %rd1;\n"
                       "st.global.v2.b64 [%rd0+32], {%rd1, %rd1};\n"
                       "st.global.v4.u16 [%rd0+48], {%r1, %r2, %r1, %r2};\n"
                       "st.global.b8 [%rd0+56], -2;")};
    static const uint32_t is[16] = {0xffff44ff, 0x3344ffff, 0xffff8844, 0xffffffff,
                                    0x11223344, 0x55667788, 0xffffffff, 0xffffffff,
                                    0x11223344, 0x55667788, 0x11223344, 0x55667788,
                                    0x77883344, 0x77883344, 0xfffffffe, 0xffffffff};
    memset(kernel.words, 0xff, sizeof kernel.words);
    kernel_good(&kernel, 1, 1);
    for (int i = 0; i < 16; i++)
        expect(kernel.words[i] == is[i], "word %d: %x", i, (unsigned)kernel.words[i]);
}
END_TEST

/* One generic access of a warp that goes to four spaces, and what isspacep says of each. */
START_TEST(generic_addresses_go_to_all_spaces) {
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".const .b32 c[2] = {11, 12}; .global .b32 g[2] = {21, 22}; .global .u64 t[2] = {g+4, "
        "generic(c)+4};\n"
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
        ".shared .b32 s[2]; .local .b32 l[2];\n"
        "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n"
        "mov.u32 %r1, 31; st.shared.u32 [s+4], %r1; mov.u32 %r1, 41; st.local.u32 [l+4], %r1;\n"
        "and.b32 %r2, %r0, 3; mov.u64 %rd2, t; ld.global.u64 %rd1, [%rd2];\n"
        "setp.eq.u32 %p1, %r2, 1; @%p1 ld.global.u64 %rd1, [%rd2+8];\n"
        "setp.eq.u32 %p1, %r2, 2; @%p1 mov.u64 %rd1, s; @%p1 cvta.shared.u64 %rd1, %rd1;\n"
        "@%p1 add.s64 %rd1, %rd1, 4;\n"
        "setp.eq.u32 %p1, %r2, 3; @%p1 mov.u64 %rd1, l; @%p1 cvta.local.u64 %rd1, %rd1;\n"
        "@%p1 add.s64 %rd1, %rd1, 4;\n"
        "ld.u32 %r3, [%rd1]; isspacep.shared %p2, %rd1; @%p2 add.u32 %r3, %r3, 100;\n"
        "isspacep.local %p2, %rd1; @%p2 add.u32 %r3, %r3, 200;\n"
        "isspacep.global %p2, %rd1; @%p2 add.u32 %r3, %r3, 400;\n"
        "isspacep.const %p2, %rd1; @%p2 add.u32 %r3, %r3, 800;\n" STORE_AT("%r0", "%r3") "}\n"};
    static const uint32_t is[4] = {422, 812, 131, 241};
    kernel_good(&kernel, 1, 32);
    for (int i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], is[i & 3]);
}
END_TEST

/* The window of kernel parameters is part of global memory (PTX ISA 9.0, "Generic Addressing"; an
 * H200). */
START_TEST(parameters_are_global) {
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
        "ld.param.u64 %rd0, [data];\nmov.u32 %r0, 0; mov.u32 %r3, 0;\n"
        "mov.u64 %rd1, data; cvta.param.u64 %rd1, %rd1;\n"
        "isspacep.param %p2, %rd1; @%p2 add.u32 %r3, %r3, 100;\n"
        "isspacep.global %p2, %rd1; @%p2 add.u32 %r3, %r3, 200;\n"
        "isspacep.const %p2, %rd1; @%p2 add.u32 %r3, %r3, 400;\n"
        "isspacep.param %p2, %rd0; @%p2 add.u32 %r3, %r3, 800;\n" STORE_AT("%r0", "%r3") "}\n"};
    kernel_good(&kernel, 1, 1);
    ck_assert_uint_eq(kernel.words[0], 300);
}
END_TEST

/* Atomics: of a word with what it was, and of 32 lanes of a warp on one word. */
START_TEST(atomics) {
    static const struct {
        const char *type, *rest;
        uint32_t before, operand, behind;
    } atoms[] = {
        {"add.u32", "", 5, 7, 12},
        {"add.s32", "", 5, 0xfffffff0, 0xfffffff5},
        {"min.s32", "", 5, 0xfffffff0, 0xfffffff0},
        {"min.u32", "", 5, 0xfffffff0, 5},
        {"max.s32", "", 5, 0xfffffff0, 5},
        {"max.u32", "", 5, 0xfffffff0, 0xfffffff0},
        {"inc.u32", "", 5, 7, 6},
        {"inc.u32", "", 7, 7, 0},
        {"inc.u32", "", 9, 7, 0},
        {"dec.u32", "", 5, 7, 4},
        {"dec.u32", "", 0, 7, 7},
        {"dec.u32", "", 9, 7, 7},
        {"and.b32", "", 0xc, 0xa, 0x8},
        {"or.b32", "", 0xc, 0xa, 0xe},
        {"xor.b32", "", 0xc, 0xa, 0x6},
        {"exch.b32", "", 5, 7, 7},
        {"cas.b32", ", 9", 5, 5, 9},
        {"cas.b32", ", 9", 5, 6, 5},
        {"add.f32", "", 0x3f800000, 0x40000000, 0x40400000},
        {"add.f32", "", 0x00000001, 0x00000001, 0x00000000}, /* global memory flushes */
        {"add.noftz.f16x2", "", 0x3c000001, 0x40000001, 0x42000002},
        {"add.noftz.bf16x2", "", 0x3f800001, 0x40000001, 0x40400002},
    };
    char text[2048];
    struct kernel kernel = {.text = text};
    snprintf(text, sizeof text, "%s%x;\natom.global.%s %s%s;\n%s",
             KERNEL_HEAD ".entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data]; mov.b32 %r2, 0x",
             (unsigned)atoms[_i].operand, atoms[_i].type, "%r1, [%rd0], %r2", atoms[_i].rest,
             "st.global.u32 [%rd0+4], %r1;\n}\n");
    kernel.words[0] = atoms[_i].before;
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[1] == atoms[_i].before, "%s: was %x", atoms[_i].type,
           (unsigned)kernel.words[1]);
    expect(kernel.words[0] == atoms[_i].behind, "%s: is %x", atoms[_i].type,
           (unsigned)kernel.words[0]);
}
END_TEST
enum { ATOMS = 22 };

/* Shared memory keeps subnormals; 16, 64 and 128 bits; vectors; red; all lanes on one word. */
START_TEST(atomics_of_other_widths_and_spaces) {
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS ".shared .align 16 .b32 s[8];\n"
        ".reg .b128 %q<4>;\n"
        "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %laneid; setp.eq.u32 %p1, %r0, 0;\n"
        "mov.u32 %r1, 1; st.shared.u32 [s], %r1; mov.b32 %f1, %r1;\n"
        "@%p1 atom.shared.add.f32 %f2, [s], %f1; ld.shared.u32 %r2, [s];\n"
        "st.global.u32 [%rd0+4], %r2;\n"
        "red.global.add.u32 [%rd0], %r0;\n"
        "mov.b16 %h1, 0x5678; mov.b16 %h2, 0x9abc;\n"
        "@%p1 atom.global.cas.b16 %h3, [%rd0+8], %h1, %h2; cvt.u32.u16 %r3, %h3;\n"
        "@%p1 st.global.u32 [%rd0+12], %r3;\n"
        "mov.u64 %rd1, 0x100000000; red.global.add.u64 [%rd0+16], %rd1;\n"
        "mov.f32 %f3, 0f3F800000; mov.f32 %f4, 0f40000000;\n"
        "red.global.add.v2.f32 [%rd0+24], {%f3, %f4};\n"
        "mov.u64 %rd2, 7; mov.u64 %rd3, 8; mov.b128 %q1, {%rd2, %rd3};\n"
        "mov.u64 %rd4, 5; mov.u64 %rd5, 6; mov.b128 %q2, {%rd4, %rd5};\n"
        "@%p1 atom.global.cas.b128 %q3, [%rd0+32], %q1, %q2;\n"
        "@%p1 atom.global.exch.b128 %q3, [%rd0+32], %q1; mov.b128 {%rd6, %rd7}, %q3;\n"
        "@%p1 st.global.v2.u64 [%rd0+48], {%rd6, %rd7}; ret;\n}\n"};
    static const uint32_t is[16] = {
        32 * 31 / 2, 2, 0x12349abc, 0x5678, 0, 32, 0x42000000, 0x42800000, 7, 0, 8, 0, 5, 0, 6, 0};
    kernel.words[2] = 0x12345678;
    kernel.words[8] = 7, kernel.words[10] = 8;
    kernel_good(&kernel, 1, 32);
    for (int i = 0; i < 16; i++)
        expect(kernel.words[i] == is[i], "word %d: %x", i, (unsigned)kernel.words[i]);
}
END_TEST

/* The results of a vector may be in registers of its operands. */
START_TEST(atomics_over_their_operands) {
    struct kernel kernel = {
        .text =
            KERNEL("mad.lo.u32 %r1, %r0, 16, 0; cvt.u64.u32 %rd1, %r1; add.u64 %rd0, %rd0, %rd1;\n"
                   "cvt.rn.f32.u32 %f1, %r0; add.f32 %f2, %f1, 0f42C80000;\n"
                   "atom.global.add.v2.f32 {%f2, %f3}, [%rd0], {%f1, %f2};\n"
                   "mov.b32 %r3, 0x40003C00; mov.b32 %r4, 0x44004200;\n"
                   "atom.global.add.noftz.v2.f16x2 {%r4, %r3}, [%rd0+8], {%r3, %r4};")};
    kernel_good(&kernel, 1, 32);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t *words = kernel.words + 4 * lane;
        const float first = (float)lane, second = first + 100;
        ck_assert_int_eq(memcmp(words, &first, 4), 0);
        ck_assert_int_eq(memcmp(words + 1, &second, 4), 0);
        ck_assert_uint_eq(words[2], 0x40003C00);
        ck_assert_uint_eq(words[3], 0x44004200);
    }
}
END_TEST

/* Blocks on several threads of the host count every addition. */
START_TEST(atomics_of_threads_of_the_host) {
    struct kernel kernel = {.text = KERNEL("mov.u32 %r1, 0;\n"
                                           "LOOP: red.global.add.u32 [%rd0], 1;\n"
                                           "atom.global.add.u64 %rd1, [%rd0+8], 3;\n"
                                           "atom.global.max.u32 %r3, [%rd0+4], %r0;\n"
                                           "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 200;\n"
                                           "@%p1 bra LOOP;"),
                            .launch = {.threads = 4}};
    kernel_good(&kernel, 64, 32);
    ck_assert_uint_eq(kernel.words[0], 64 * 32 * 200);
    ck_assert_uint_eq(kernel.words[1], 31);
    ck_assert_uint_eq(kernel.words[2], 3 * 64 * 32 * 200);
    ck_assert_uint_eq(kernel.totals.order, 1);
}
END_TEST

/* Even blocks write words whose bytes are equal, odd ones read them. A thread of the host that runs
 * another block sees all bytes of a store or none. Odd lanes alone make partial warps. */
START_TEST(stores_are_whole_for_threads_of_the_host) {
    static const char *const moves[][2] = {
        {"st.release.gpu.global.u32 [%rd1], %r3;",
         "ld.acquire.gpu.global.u32 %r4, [%rd1]; mov.b64 %rd4, {%r4, %r4}; mov.b64 %rd5, %rd4;"},
        {"st.release.gpu.global.u64 [%rd1], %rd3;",
         "ld.acquire.gpu.global.u64 %rd4, [%rd1]; mov.b64 %rd5, %rd4;"},
        {"st.volatile.global.v2.u32 [%rd1], {%r3, %r3};",
         "ld.volatile.global.v2.u32 {%r4, %r5}, [%rd1]; mov.b64 %rd4, {%r4, %r5};"
         "mov.b64 %rd5, %rd4;"},
        {"st.relaxed.gpu.global.v2.u64 [%rd1], {%rd3, %rd3};",
         "ld.relaxed.gpu.global.v2.u64 {%rd4, %rd5}, [%rd1];"},
        {"st.global.v2.u64 [%rd1], {%rd3, %rd3};", "ld.global.v2.u64 {%rd4, %rd5}, [%rd1];"},
        {"st.global.v4.u32 [%rd1], {%r3, %r3, %r3, %r3};",
         "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1]; mov.b64 %rd4, {%r4, %r5};"
         "mov.b64 %rd5, {%r6, %r7};"},
    };
    const unsigned move = (unsigned)_i / 2;
    const char *odd = _i % 2 ? "and.b32 %r1, %r0, 1; setp.eq.u32 %p3, %r1, 0; @%p3 bra END;\n" : "";
    char text[4096];
    struct kernel kernel = {.text = text, .launch = {.threads = 4}};
    snprintf(
        text, sizeof text, "%s%s%s%s%s%s",
        KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                    "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r9, %ctaid.x;\n"
                    "mul.wide.u32 %rd1, %r0, 16; add.s64 %rd1, %rd1, %rd0;\n"
                    "mov.u32 %r2, 0; and.b32 %r9, %r9, 1; setp.ne.u32 %p1, %r9, 0;\n",
        odd,
        "@%p1 bra READS;\nWRITES: and.b32 %r3, %r2, 255; mul.lo.u32 %r3, %r3, 0x01010101; mov.b64 "
        "%rd3, {%r3, %r3};\n",
        moves[move][0],
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 1000; @%p2 bra WRITES; bra END;\nREADS:\n",
        moves[move][1]);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
             "mov.b64 {%r10, %r11}, %rd4; mov.b64 {%r12, %r13}, %rd5;\n"
             "shf.l.wrap.b32 %r14, %r10, %r10, 8; setp.ne.u32 %p4, %r14, %r10;\n"
             "setp.ne.or.u32 %p4, %r10, %r11, %p4; setp.ne.or.u32 %p4, %r10, %r12, %p4;\n"
             "setp.ne.or.u32 %p4, %r10, %r13, %p4; @%p4 red.global.add.u32 [%rd0+2048], 1;\n"
             "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 1000; @%p2 bra READS;\nEND: ret;\n}\n");
    kernel_good(&kernel, 64, 32);
    ck_assert_uint_eq(kernel.words[512], 0);
}
END_TEST
#if defined(__SSE2__)
enum { WHOLE = 12 };
#else
enum { WHOLE = 4 }; /* a vector is several accesses of the host */
#endif

/* Where threads are; and that dynamic shared memory follows static shared memory. */
START_TEST(special_registers) {
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".extern .shared .align 64 .b8 dynamic[];\n"
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS ".shared .b32 own[3];\n"
        "ld.param.u64 %rd0, [data]; st.shared.u32 [own+8], 1;\n"
        "mov.u32 %r1, %tid.z; mov.u32 %r2, %ntid.y; mov.u32 %r8, %tid.y;\n"
        "mad.lo.u32 %r1, %r1, %r2, %r8; mov.u32 %r2, %ntid.x; mov.u32 %r8, %tid.x;\n"
        "mad.lo.u32 %r1, %r1, %r2, %r8;\n"
        "mov.u32 %r2, %ctaid.y; mov.u32 %r8, %nctaid.x; mov.u32 %r9, %ctaid.x;\n"
        "mad.lo.u32 %r2, %r2, %r8, %r9; mad.lo.u32 %r3, %r2, 60, %r1;\n"
        "mov.u32 %r4, %warpid; shl.b32 %r4, %r4, 5; mov.u32 %r8, %laneid;\n"
        "add.u32 %r4, %r4, %r8; sub.u32 %r4, %r4, %r1;\n"
        "mov.u32 %r5, %lanemask_lt; popc.b32 %r5, %r5; sub.u32 %r5, %r5, %r8;\n"
        "or.b32 %r4, %r4, %r5; mov.u32 %r6, dynamic;\n"
        "shl.b32 %r6, %r6, 8; or.b32 %r4, %r4, %r6; mov.u32 %r7, %nwarpid;\n"
        "shl.b32 %r7, %r7, 24; or.b32 %r4, %r4, %r7;\n" STORE_AT("%r3", "%r4") "}\n",
        .launch = {.grid = {3, 2}, .block = {5, 4, 3}, .shared = 100}};
    kernel_good(&kernel, 6, 60);
    for (int i = 0; i < 360; i++)
        ck_assert_uint_eq(kernel.words[i], 64u << 24 | (1024 + 64) << 8);
    ck_assert_uint_eq(kernel.words[360], 0);
}
END_TEST

/* Special registers of shared memory, with the values of an H200 for 12 static and 100 dynamic
 * bytes from 64 on. */
START_TEST(registers_of_shared_memory) {
    static const uint32_t want[] = {256, 1024 + 164, 100, 0, 0x120, 1024};
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".extern .shared .align 64 .b8 dynamic[];\n"
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS ".shared .b32 own[3];\n"
        "ld.param.u64 %rd0, [data]; st.shared.u32 [own+8], 1; st.shared.u32 [dynamic], 1;\n"
        "mov.u32 %r1, %total_smem_size; st.global.u32 [%rd0], %r1;\n"
        "mov.u32 %r1, %aggr_smem_size; st.global.u32 [%rd0+4], %r1;\n"
        "mov.u32 %r1, %dynamic_smem_size; st.global.u32 [%rd0+8], %r1;\n"
        "mov.b32 %r1, %reserved_smem_offset_begin; st.global.u32 [%rd0+12], %r1;\n"
        "mov.b32 %r1, %reserved_smem_offset_end; st.global.u32 [%rd0+16], %r1;\n"
        "mov.b32 %r1, %reserved_smem_offset_cap; st.global.u32 [%rd0+20], %r1;\nret;\n}\n",
        .launch = {.shared = 100}};
    kernel_good(&kernel, 1, 1);
    for (size_t i = 0; i < COUNT(want); i++)
        ck_assert_uint_eq(kernel.words[i], want[i]);
}
END_TEST

/* Programs may use the bytes at %reserved_smem_offset_1, as cooperative groups of several warps do.
 */
START_TEST(reserved_shared_memory_is_there) {
    struct kernel kernel = {
        .text =
            KERNEL(".shared .b32 own; .reg .b32 %at; mov.u32 %at, %reserved_smem_offset_1;\n"
                   "st.shared.u32 [own], 77; and.b32 %r1, %at, 3; st.shared.u32 [%at+284], %r0;\n"
                   "red.shared.and.b32 [%at], 0; ld.shared.u32 %r2, [%at];\n"
                   "add.u32 %r1, %r1, %r2; ld.shared.u32 %r2, [own];\n"
                   "add.u32 %r1, %r1, %r2;\n" STORE_AT("%r0", "%r1"))};
    kernel_good(&kernel, 1, 1);
    ck_assert_uint_eq(kernel.words[0], 77);
}
END_TEST

/* Each lane gets memory of the largest requested size, and freed memory is used again.
 */
START_TEST(stack_memory) {
    struct kernel kernel = {
        .text = KERNEL(".local .b32 own; .reg .b64 %keep; mov.u32 %r5, 0;\n"
                       "createpolicy.fractional.L2::evict_last.b64 %rd9, 1.0;\n"
                       "LOOP: stacksave.u64 %keep; mul.wide.u32 %rd1, %r0, 64;\n"
                       "add.s64 %rd1, %rd1, 64; alloca.u64 %rd2, %rd1, 32;\n"
                       "alloca.u64 %rd4, %rd1;\n"
                       "add.s64 %rd3, %rd2, %rd1; st.local.u32 [%rd3+-4], %r0;\n"
                       "st.local.u32 [%rd4], %r5; st.local.u32 [own], %r5;\n"
                       "ld.local.u32 %r1, [%rd3+-4]; cvt.u32.u64 %r2, %rd2; and.b32 %r2, %r2, 31;\n"
                       "add.u32 %r1, %r1, %r2; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 1000;\n"
                       "stackrestore.u64 %keep; @%p1 bra LOOP;\n"
                       "ld.local.u32 %r3, [own]; add.u32 %r1, %r1, %r3;\n" STORE_AT("%r0", "%r1"))};
    kernel_good(&kernel, 1, 32);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(kernel.words[i], i + 999);
}
END_TEST

/* A generic address of shared memory is none of global memory: error 717 of an H200. */
START_TEST(spaces_keep_apart) {
    struct kernel kernel = {.text = KERNEL(".shared .b32 s[4]; mov.u64 %rd1, s;\n"
                                           "cvta.shared.u64 %rd1, %rd1;\n"
                                           "st.global.u32 [%rd1], 1;")};
    kernel_run(&kernel, 1, 1);
    ck_assert_str_eq(kernel.rule, "memory.space");
    ck_assert_int_eq(kernel.status, WSIM_OPERAND);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{loads_extend_as_their_type_says, 0, LOADS},
                                       {stores_write_what_their_type_has, 0, 1},
                                       {spaces_keep_apart, 0, 1},
                                       {generic_addresses_go_to_all_spaces, 0, 1},
                                       {parameters_are_global, 0, 1},
                                       {atomics, 0, ATOMS},
                                       {atomics_of_other_widths_and_spaces, 0, 1},
                                       {atomics_over_their_operands, 0, 1},
                                       {atomics_of_threads_of_the_host, 0, 1},
                                       {stores_are_whole_for_threads_of_the_host, 0, WHOLE},
                                       {special_registers, 0, 1},
                                       {registers_of_shared_memory, 0, 1},
                                       {reserved_shared_memory_is_there, 0, 1},
                                       {stack_memory, 0, 1}};
    return every_run("unit/run/memory", tests, COUNT(tests));
}
