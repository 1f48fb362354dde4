/* The text around instructions: versions, targets, functions and their parameters, directives of
 * performance, lines of source, several modules in a text. */
#include "text.h"

START_TEST(header) {
    struct ptx_module m;
    text_read(".version 8.7\n.target sm_100a, texmode_independent, debug\n.address_size 64\n", &m);
    ck_assert_uint_eq(m.version, 87);
    ck_assert_str_eq(m.target, "sm_100a");
    ck_assert_uint_eq(m.address_size, 64);
    ck_assert_uint_eq(m.debug, 1);
    ck_assert_uint_eq(m.n_functions + m.n_variables + m.n_opcodes, 0);
    ck_assert_uint_eq(m.lines, 4);
    ptx_free(&m);
    text_read("// what made it\n/* and\n when */ .version 10.1 .target sm_20", &m);
    ck_assert_uint_eq(m.version, 101);
    ck_assert_str_eq(m.target, "sm_20");
    ptx_free(&m);
}
END_TEST

START_TEST(text_ends_at_a_zero) {
    static const char text[] = HEADER ".entry a() { ret; }\n\0.entry b() { rot; }";
    struct ptx_module m;
    ck_assert_int_eq(ptx_read(text, sizeof text, &m, NULL), WSIM_OK);
    ck_assert_uint_eq(m.n_functions, 1);
    ptx_free(&m);
}
END_TEST

/* Offsets are aligned as each parameter is. */
START_TEST(parameters) {
    static const struct {
        const char *name, *type;
        uint32_t bytes, align, offset;
        uint8_t pointer;
        enum ptx_space space;
        uint32_t pointer_align;
    } wanted[] = {
        {"p0", "u8", 1, 1, 0, 0, PTX_REG, 0},       {"p1", "u64", 8, 8, 8, 1, PTX_GLOBAL, 16},
        {"p2", "b8", 20, 4, 16, 0, PTX_REG, 0},     {"p3", "f64", 8, 8, 40, 0, PTX_REG, 0},
        {"p4", "b8", 128, 64, 64, 0, PTX_REG, 0},   {"p5", "u64", 8, 8, 192, 1, PTX_GENERIC, 1},
        {"p6", "f32", 16, 16, 208, 0, PTX_REG, 0},  {"p7", "b32", 24, 4, 224, 0, PTX_REG, 0},
        {"p8", "u64", 8, 8, 248, 1, PTX_SHARED, 0}, {"p9", "b8", 1, 1, 256, 0, PTX_REG, 0},
        {"p10", "b8", 8, 1, 257, 0, PTX_REG, 8},
    };
    struct ptx_module m;
    text_read(HEADER
              ".visible .entry k(.param .u8 p0, .param .u64 .ptr .global .align 16 p1,\n"
              ".param .align 4 .b8 p2[20], .param .f64 p3, .param .align 64 .b8 p4[128],\n"
              ".param .u64 .ptr .align 1 p5, .param .align 16 .f32 p6[4], .param .b32 p7[6],\n"
              ".param .u64 .ptr .shared p8, .param .b8 p9, .param .b8 .align 8 p10[8]) { ret; }",
              &m);
    const struct ptx_function *f = text_function(&m, "k");
    ck_assert_uint_eq(f->n_params, sizeof wanted / sizeof wanted[0]);
    ck_assert_uint_eq(f->is_entry, 1);
    ck_assert_int_eq(f->linkage, PTX_VISIBLE);
    ck_assert_uint_eq(f->param_bytes, 265);
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct ptx_param *p = &f->params[i];
        ck_assert_str_eq(p->name, wanted[i].name);
        ck_assert_str_eq(p->type.name, wanted[i].type);
        ck_assert_uint_eq(p->bytes, wanted[i].bytes);
        ck_assert_uint_eq(p->align, wanted[i].align);
        ck_assert_uint_eq(p->offset, wanted[i].offset);
        ck_assert_uint_eq(p->pointer, wanted[i].pointer);
        ck_assert_uint_eq(p->in_register, 0);
        if (p->pointer)
            ck_assert_int_eq(p->pointer_space, wanted[i].space);
        ck_assert_uint_eq(p->pointer_align, wanted[i].pointer_align);
    }
    ptx_free(&m);
}
END_TEST

START_TEST(settings) {
    struct ptx_module m;
    text_read(".version 9.0\n.target sm_90a\n.address_size 64\n"
              ".entry k()\n.maxntid 128, 2\n.minnctapersm 3 .maxnreg 40\n"
              ".explicitcluster\n.maxclusterrank 8\n.pragma \"nounroll\";\n{ ret; }\n"
              ".entry r() .reqntid 64\n.reqnctapercluster 2, 1, 1 .blocksareclusters\n{ exit; }\n"
              ".func f() .noreturn .abi_preserve 4 { trap; }\n",
              &m);
    const struct ptx_function *k = text_function(&m, "k"), *r = text_function(&m, "r");
    ck_assert_uint_eq(k->maxntid[0], 128);
    ck_assert_uint_eq(k->maxntid[1], 2);
    ck_assert_uint_eq(k->maxntid[2], 1);
    ck_assert_uint_eq(k->minnctapersm, 3);
    ck_assert_uint_eq(k->maxnreg, 40);
    ck_assert_uint_eq(r->reqnctapercluster[0], 2);
    ck_assert_uint_eq(k->explicitcluster, 1);
    ck_assert_uint_eq(r->blocksareclusters, 1);
    ck_assert_uint_eq(k->maxclusterrank, 8);
    ck_assert_uint_eq(k->reqntid[0], 0);
    ck_assert_uint_eq(r->reqntid[0], 64);
    ck_assert_uint_eq(r->reqntid[2], 1);
    ck_assert_uint_eq(r->maxntid[0], 0);
    ck_assert_uint_eq(r->explicitcluster, 0);
    ck_assert_uint_eq(text_function(&m, "f")->no_return, 1);
    ck_assert_uint_eq(text_function(&m, "f")->abi_preserve, 4);
    ptx_free(&m);
}
END_TEST

/* A function that is declared, called and then defined is one. */
START_TEST(functions) {
    struct ptx_module m;
    text_read(HEADER ".extern .func (.param .b32 out) vprintf(.param .b64 f, .param .b64 v);\n"
                     ".func (.reg .u32 %res) add(.reg .u32 %x, .param .align 8 .b8 s[16]);\n"
                     ".weak .func many(.param .b32 n, .param .align 8 .b8 rest[]);\n"
                     ".func (.reg .u32 %res) add(.reg .u32 %x, .param .align 8 .b8 s[16])\n"
                     "{ .reg .u32 %y; ld.param.u32 %y, [s+12]; add.u32 %res, %x, %y; ret; }\n",
              &m);
    ck_assert_uint_eq(m.n_functions, 3);
    const struct ptx_function *f = text_function(&m, "add");
    ck_assert_uint_eq(f->is_defined, 1);
    ck_assert_uint_eq(f->line, 7);
    ck_assert_uint_eq(f->n_results, 1);
    ck_assert_uint_eq(f->results[0].in_register, 1);
    ck_assert_uint_eq(f->params[1].bytes, 16);
    ck_assert_uint_eq(f->n_code, 3);
    ck_assert_uint_eq(text_operand(f, 1, 0)->index, f->results[0].reg);
    ck_assert_uint_eq(text_operand(f, 1, 1)->index, f->params[0].reg);
    ck_assert_str_eq(f->registers[f->params[0].reg].name, "%x");
    ck_assert_int_eq(text_function(&m, "vprintf")->linkage, PTX_EXTERN);
    ck_assert_uint_eq(text_function(&m, "vprintf")->is_defined, 0);
    ck_assert_uint_eq(text_function(&m, "many")->params[1].open, 1);
    ck_assert_uint_eq(text_function(&m, "many")->params[1].bytes, 0);
    ptx_free(&m);
}
END_TEST

/* As the compiler of CUDA 3 wrote them. */
START_TEST(functions_without_semicolons) {
    struct ptx_module m;
    text_read(
        ".version 2.1\n.target sm_20\n.visible .func (.param .f32 r) f (.param .f32 x)\n"
        ".visible .func g (.param .f32 x)\n.file 1 \"a\"\n.extern .func h\n.entry k { ret; }\n",
        &m);
    ck_assert_uint_eq(m.n_functions, 4);
    ck_assert_uint_eq(text_function(&m, "f")->n_results, 1);
    ck_assert_uint_eq(text_function(&m, "h")->is_defined, 0);
    ck_assert_uint_eq(text_function(&m, "k")->is_defined, 1);
    ptx_free(&m);
}
END_TEST

START_TEST(aliases) {
    struct ptx_module m;
    text_read(HEADER ".func two(.param .b32 x);\n.func one(.param .b32 x) { trap; ret; }\n"
                     ".alias two, one;\n",
              &m);
    const struct ptx_function *two = text_function(&m, "two");
    ck_assert_uint_eq(two->is_defined, 1);
    ck_assert_uint_eq(two->n_code, 2);
    ck_assert_ptr_eq(two->code, text_function(&m, "one")->code);
    ptx_free(&m);
}
END_TEST

/* Inlined code leads back to its kernel through the last .loc of the call. */
START_TEST(lines) {
    struct ptx_module m;
    text_read(HEADER
              ".entry k()\n{\n.loc 7 10 3\nret;\n"
              ".loc 2 20 5, function_name $L__info0, inlined_at 7 10 3\nret;\n"
              ".loc 2 30 6, function_name $L__info0+4, inlined_at 2 20 5\nret;\n"
              ".loc 7 10 3\nret;\n.loc 9 1 0, function_name $L__other, inlined_at 8 1 1\nret; }\n"
              ".file 2 \"b.h\", 123456, 99\n.file 7 \"a.cu\"\n"
              ".section .debug_abbrev\n{\n.b8 1,2\n$L__x:\n.b32 .debug_str\n.b64 $L__x\n}\n"
              ".section .debug_str\n{\n$L__info0:\n.b8 97,98,99,0\n.b8 100\n.b8 0\n$L__other: .b8 "
              "0x7a,0\n}\n",
              &m);
    const struct ptx_function *f = text_function(&m, "k");
    const struct ptx_loc *l[5];
    for (uint32_t i = 0; i < 5; i++)
        l[i] = &m.locs[f->code[i].loc];
    ck_assert_uint_eq(l[0]->line, 10);
    ck_assert_uint_eq(l[0]->col, 3);
    ck_assert_str_eq(m.files[l[0]->file], "a.cu");
    ck_assert_uint_eq(m.file_numbers[l[0]->file], 7);
    ck_assert_uint_eq(l[0]->inlined_at, 0);
    ck_assert_ptr_null(l[0]->function);
    ck_assert_uint_eq(l[1]->inlined_at, f->code[0].loc);
    ck_assert_str_eq(l[1]->function, "abc");
    ck_assert_str_eq(m.files[l[1]->file], "b.h");
    ck_assert_uint_eq(l[2]->inlined_at, f->code[1].loc);
    ck_assert_str_eq(l[2]->function, "d");
    ck_assert_ptr_eq(l[3], l[0]);
    ck_assert_str_eq(l[4]->function, "z");
    ck_assert_ptr_null(m.files[l[4]->file]);
    ck_assert_uint_eq(m.file_numbers[m.locs[l[4]->inlined_at].file], 8);
    ptx_free(&m);
}
END_TEST

/* nvcc escapes the bytes of a path that are no ASCII, and backslashes. */
START_TEST(paths_with_escapes) {
    static const struct {
        const char *written, *path;
    } rows[] = {{"gr\\303\\266.cu", "gr\303\266.cu"},
                {"a\\\\303b", "a\\303b"},
                {"a\\30", "a\\30"},
                {"a\\000b", "a\\000b"},
                {"a\\777", "a\\777"},
                {"\\", "\\"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptx_module m;
        char text[256];
        snprintf(text, sizeof text, HEADER ".file 1 \"%s\"\n.entry k()\n{\n.loc 1 10 3\nret; }\n",
                 rows[i].written);
        text_read(text, &m);
        ck_assert_str_eq(m.files[0], rows[i].path);
        ptx_free(&m);
    }
}
END_TEST

/* Code of the toolkit's headers has the place of its call, except if the toolkit itself calls. */
START_TEST(lines_of_the_toolkit) {
    static const char *const headers[] = {
        "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp",
        "/usr/local/cuda-13.0/include/cooperative_groups.h", "/usr/include/cuda_fp16.hpp",
        "/v/lib/python3.11/site-packages/nvidia/cuda_runtime/include/cuda_fp16.hpp",
        "C:\\\\NVIDIA GPU Computing Toolkit\\\\CUDA\\\\v13.0\\\\include\\\\cuda_fp16.hpp"};
    static const char *const others[] = {"/home/me/cuda-kernels/include/a.cuh", "include/a.h",
                                         "/usr/local/include/cutlass/a.h", "/opt/cuda/a.h"};
    const size_t n = sizeof headers / sizeof *headers;
    for (size_t i = 0; i < n + sizeof others / sizeof *others; i++) {
        const char *name = i < n ? headers[i] : others[i - n];
        struct ptx_module m;
        char text[1024];
        snprintf(text, sizeof text,
                 HEADER ".entry k()\n{\n.loc 1 10 3\nret;\n"
                        ".loc 3 5 5, function_name $L__i, inlined_at 1 10 3\nret;\n"
                        ".loc 2 20 5, function_name $L__i, inlined_at 3 5 5\nret;\n"
                        ".loc 2 30 6, function_name $L__i+2, inlined_at 2 20 5\nret;\n"
                        ".loc 3 7 5, function_name $L__i, inlined_at 2 30 6\nret;\n"
                        ".loc 2 9 1\nret;\n.loc 2 11 1, function_name $L__i, inlined_at 2 9 1\n"
                        "ret; }\n.file 1 \"a.cu\"\n.file 2 \"%s\"\n.file 3 \"b.cuh\"\n"
                        ".section .debug_str\n{\n$L__i:\n.b8 97,0,98,0\n}\n",
                 name);
        text_read(text, &m);
        const struct ptx_instruction *code = text_function(&m, "k")->code;
        for (uint32_t k = 2; k < 4; k++) {
            const struct ptx_loc *l = &m.locs[code[k].loc];
            ck_assert_uint_eq(l->line, i < n ? 5 : 10 * k);
            ck_assert_uint_eq(m.file_numbers[l->file], i < n ? 3 : 2);
            ck_assert_uint_eq(m.locs[l->inlined_at].line, i < n ? 10 : k == 2 ? 5 : 20);
        }
        ck_assert_uint_eq(m.locs[code[4].loc].line, 7);
        ck_assert_uint_eq(m.locs[m.locs[code[4].loc].inlined_at].line, i < n ? 5 : 30);
        ck_assert_uint_eq(m.locs[code[6].loc].line, 11);
        ptx_free(&m);
    }
}
END_TEST

/* A line counts for one function only. */
START_TEST(lines_end_with_a_function) {
    struct ptx_module m;
    text_read(HEADER ".entry a() { .loc 1 2 3\n ret; }\n.entry b() { ret; }", &m);
    ck_assert_uint_ne(text_function(&m, "a")->code[0].loc, 0);
    ck_assert_uint_eq(text_function(&m, "b")->code[0].loc, 0);
    ptx_free(&m);
}
END_TEST

/* Each has names, numbers and lines of its own; lines go on. */
START_TEST(several_modules) {
    struct ptx_module m;
    text_read(HEADER ".global .u32 x = 5;\n.entry k() { trap; ret; }\n" HEADER
                     ".entry k() { exit; }\n.global .u32 x = 6;\n",
              &m);
    ck_assert_ptr_nonnull(m.next);
    ck_assert_ptr_null(m.next->next);
    ck_assert_uint_eq(m.variables[0].init[0], 5);
    ck_assert_uint_eq(m.next->variables[0].init[0], 6);
    ck_assert_uint_eq(m.functions[0].n_code, 2);
    ck_assert_uint_eq(m.next->functions[0].n_code, 1);
    ck_assert_uint_eq(m.next->functions[0].line, 9);
    ck_assert_str_eq(m.next->opcodes[m.next->functions[0].code[0].opcode].text, "exit");
    ck_assert_uint_eq(m.next->line, 6);
    ptx_free(&m);
}
END_TEST

/* Each spelling is looked up once, with its kind. */
START_TEST(opcodes) {
    struct ptx_module m;
    const struct ptx_function *f = text_body(
        "add.s32 %r1, %r2, %r3; add.s32 %r1, %r2, 4; add .ftz\n.f32 %f1, %f2, %f3;\n"
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2]; ld.shared.u32 %r1, [%r2];",
        &m);
    const struct ptx_opcode *o = m.opcodes;
    ck_assert_uint_eq(m.n_opcodes, 4);
    ck_assert_uint_eq(f->code[0].opcode, f->code[1].opcode);
    ck_assert_str_eq(o[0].text, "add.s32");
    ck_assert_uint_eq(o[0].uses, 2);
    ck_assert_uint_eq(o[0].kind, PTX_SCALAR);
    ck_assert_str_eq(o[1].text, "add.ftz.f32");
    ck_assert_uint_eq(o[2].kind, PTX_MATRIX);
    ck_assert_uint_eq(wsim_op_describe(&o[2].op).matrices, 1);
    ck_assert_uint_eq(o[3].kind, PTX_SCALAR);
    ck_assert_uint_ne(o[3].op.form, 0);
    ptx_free(&m);
}
END_TEST

/* All problems are listed, each kind once with a count, in the order of the text. */
START_TEST(problems) {
    struct ptx_module m;
    struct wsim_diag diag;
    const char *text = HEADER ".entry k() { .reg .b32 %r<4>; .reg .u64 t;\n"
                              "multimem.red.relaxed.gpu.global.add.u32 [t], %r0;\n"
                              "multimem.red.relaxed.gpu.global.add.u32 [t], %r0;\n"
                              "add.s32 %r1, %r2, %r9;\nadd.s32 %r1, %r2, %r9\nret; }\n"
                              ".entry l() { ret; }\n";
    ck_assert_int_eq(ptx_read(text, strlen(text), &m, &diag), WSIM_ILLEGAL);
    ck_assert_uint_eq(m.n_problems, 3);
    ck_assert_int_eq(m.problems[0].status, WSIM_UNMODELLED);
    ck_assert_uint_eq(m.problems[0].count, 2);
    ck_assert_uint_eq(m.problems[0].line, 5);
    ck_assert_int_eq(m.problems[0].function, 0);
    ck_assert_str_eq(m.problems[1].rule, "ptx.name.unknown");
    ck_assert_uint_eq(m.problems[1].count, 2);
    ck_assert_uint_eq(m.problems[1].line, 7);
    ck_assert_uint_eq(m.problems[1].col, 19);
    ck_assert_str_eq(m.problems[2].rule, "ptx.text.missing");
    ck_assert_uint_eq(m.problems[2].line, 8);
    ck_assert_uint_eq(m.problems[2].col, 22);
    ck_assert_uint_eq(diag.line, 7);
    ck_assert_str_eq(diag.text, m.problems[1].text);
    ck_assert_uint_eq(m.functions[0].problems, 5);
    ck_assert_uint_eq(m.functions[1].problems, 0);
    ck_assert_uint_eq(m.functions[1].n_code, 1);
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {header,
                                  text_ends_at_a_zero,
                                  parameters,
                                  settings,
                                  functions,
                                  functions_without_semicolons,
                                  aliases,
                                  lines,
                                  paths_with_escapes,
                                  lines_of_the_toolkit,
                                  lines_end_with_a_function,
                                  several_modules,
                                  opcodes,
                                  problems};
    return run_tests("unit/ptx/module", tests, sizeof tests / sizeof tests[0]);
}
