/* test_assembler.c - the listing of a disassembler says which accesses machine code has, and a
 * module counts these. fixture.ptx was assembled by ptxas 13.0 and listed by nvdisasm 13.5. */
#include "../../run.h"

#include <wsim/harness/assembler.h>
#include <wsim/wsim.h>

#include <string.h>

static char *read_whole(const char *name) {
    char path[512], *text = malloc(1 << 16);
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/unit/assembler/%s", WSIM_SOURCE_DIR, name);
    file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static struct wsim_assembly *assemble(const char *ptx) {
    struct wsim_assembly *assembly;
    char *listing = read_whole("listing.txt"), *messages = read_whole("messages.txt");
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_assembly_make(ptx, strlen(ptx), &assembly, &diag), WSIM_OK);
    ck_assert_msg(wsim_assembly_read(assembly, listing, messages, &diag) == WSIM_OK, "%s",
                  diag.text);
    free(listing);
    free(messages);
    return assembly;
}

/* Each instruction has a .loc of its own, several in a line too; those of the text are gone. */
START_TEST(a_line_for_each_instruction) {
    char *ptx = read_whole("fixture.ptx");
    struct wsim_assembly *assembly;
    size_t size, places = 0;
    const char *text;
    wsim_assembly_make(ptx, strlen(ptx), &assembly, NULL);
    text = wsim_assembly_text(assembly, &size);
    ck_assert_uint_eq(size, strlen(text));
    for (const char *at = text; (at = strstr(at, ".loc 1 ")); at++)
        ck_assert_uint_eq(strtoul(at + 7, NULL, 10), ++places);
    ck_assert_uint_eq(places, 23);
    ck_assert_ptr_nonnull(strstr(text, "\n.loc 1 10 0\nst.shared.f32 [%r2+4]"));
    ck_assert_ptr_nonnull(strstr(text, "\n.loc 1 19 0\n@%p1 ld.shared.f32"));
    ck_assert_ptr_nonnull(strstr(text, ".local .align 4 .b8 depot[16];"));
    ck_assert_ptr_null(strstr(text, "x.cu"));
    wsim_assembly_free(assembly);
    free(ptx);
}
END_TEST

START_TEST(accesses_of_machine_code) {
    char *ptx = read_whole("fixture.ptx");
    struct wsim_assembly *assembly = assemble(ptx);
    const struct wsim_machine *machine = wsim_assembly_machine(assembly);
    static const struct wsim_machine_access expected[] = {
        {0, 19, 27, 8}, {0, 22, 1, 8}, {0, 26, 1, 4}};
    ck_assert_uint_eq(machine->nkernels, 1);
    ck_assert_str_eq(machine->kernels[0].name, "pairs");
    ck_assert_uint_eq(machine->kernels[0].registers, 12);
    ck_assert_uint_eq(machine->naccesses, 3);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(machine->accesses[i].line, expected[i].line);
        ck_assert_uint_eq(machine->accesses[i].col, expected[i].col);
        ck_assert_uint_eq(machine->accesses[i].bytes, expected[i].bytes);
    }
    wsim_assembly_free(assembly);
    free(ptx);
}
END_TEST

static struct wsim_totals run_with(const char *ptx, const struct wsim_machine *machine) {
    const struct wsim_text text = {NULL, ptx, strlen(ptx), machine};
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_kernel_info info;
    struct wsim_totals totals;
    struct wsim_diag diag;
    uint64_t out;
    struct wsim_launch launch = {.name = NULL,
                                 .grid = {1},
                                 .block = {32},
                                 .params = &out,
                                 .param_bytes = sizeof out,
                                 .count = 1};
    ck_assert_msg(wsim_module_link(&text, 1, 0, &module, NULL, &diag) == WSIM_OK, "%s", diag.text);
    wsim_kernel_describe(wsim_module_kernel(module, 0), &info);
    ck_assert_int_eq(info.assembled, machine != NULL);
    wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag);
    wsim_device_alloc(device, "out", 128, 0, &out, &diag);
    ck_assert_msg(wsim_launch_run(device, module, &launch, &report, &diag) == WSIM_OK, "%s",
                  diag.text);
    wsim_report_totals(report, &totals);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
    return totals;
}

/* The guarded load of %f2 keeps its place, the load before it becomes part of 8 bytes or none. */
START_TEST(a_module_counts_them) {
    char *ptx = read_whole("fixture.ptx");
    struct wsim_assembly *assembly = assemble(ptx);
    struct wsim_totals machine = run_with(ptx, wsim_assembly_machine(assembly));
    ck_assert_uint_eq(machine.st.accesses, 1);
    ck_assert_uint_eq(machine.ld.accesses, 2);
    ck_assert_uint_eq(machine.ld.wavefronts, 5);
    ck_assert_uint_eq(machine.ld_written.accesses, 4);
    ck_assert_uint_eq(run_with(ptx, NULL).ld.accesses, 2);
    wsim_assembly_free(assembly);
    free(ptx);
}
END_TEST

/* A loop of four turns in which one 16-byte access serves all. */
START_TEST(turns_share_an_access) {
    static const char ptx[] =
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .f32 %f<3>;\n.reg .b32 %r<4>;\n.reg .b64 "
        "%rd<3>;\n"
        ".reg .pred %p<2>;\n.shared .align 16 .b8 S[64];\n"
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, S;\nmov.f32 %f1, 0f00000000;\n"
        "st.shared.v4.f32 [%r1], {%f1,%f1,%f1,%f1};\nst.shared.v4.f32 [%r1+16], "
        "{%f1,%f1,%f1,%f1};\n"
        "mov.u32 %r2, 0;\n"
        "L:\nld.shared.f32 %f2, [%r1];\nadd.f32 %f1, %f1, %f2;\nadd.u32 %r1, %r1, 4;\n"
        "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 8;\n@%p1 bra L;\n"
        "st.global.f32 [%rd1], %f1;\nret;\n}\n";
    static const struct wsim_machine_kernel kernel = {.name = "k"};
    static const struct wsim_machine_access accesses[] = {
        {0, 13, 1, 16}, {0, 14, 1, 16}, {0, 17, 1, 16}, {0, 17, 1, 16}};
    static const struct wsim_machine machine = {&kernel, 1, accesses, 4};
    struct wsim_totals totals = run_with(ptx, &machine);
    ck_assert_uint_eq(totals.ld.accesses, 2);
    ck_assert_uint_eq(totals.ld_written.accesses, 8);
    ck_assert_uint_eq(totals.unrolls, 0);
    ck_assert_uint_eq(run_with(ptx, NULL).unrolls, 1);
}
END_TEST

/* Loads of a kernel whose machine code has `accesses`: pairs of the last letter of a name, such as
 * %fa, and bytes. %r1 is 16 bytes times the thread in S, %p1 holds for 8 threads, %r2 is what S has
 * behind. */
static struct wsim_totals load_with(const char *body, const char *accesses) {
    static const struct wsim_machine_kernel kernel = {.name = "k"};
    struct wsim_machine_access list[8];
    const struct wsim_machine machine = {&kernel, 1, list, strlen(accesses) / 2};
    char ptx[2048];
    snprintf(ptx, sizeof ptx,
             ".version 8.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 p) {\n.reg .f32 %%f, %%fa, %%fb, %%fc, %%fd;\n"
             ".reg .b32 %%r<5>;\n.reg .b64 %%rd<3>;\n.reg .pred %%p<3>;\n"
             ".shared .align 16 .b8 S[2048];\nld.param.u64 %%rd1, [p];\nmov.u32 %%r0, %%tid.x;\n"
             "shl.b32 %%r3, %%r0, 4;\nmov.u32 %%r4, S;\nadd.u32 %%r1, %%r3, %%r4;\n"
             "add.u32 %%r2, %%r4, 1024;\nsetp.lt.u32 %%p1, %%r0, 8;\nmov.f32 %%fa, 0f00000000;\n"
             "mov.f32 %%fb, %%fa;\nmov.f32 %%fd, %%fa;\n%s\nadd.f32 %%f, %%fa, %%fb;\n"
             "add.f32 %%f, %%f, %%fc;\nadd.f32 %%f, %%f, %%fd;\nst.global.f32 [%%rd1], %%f;\n"
             "ret;\n}\n",
             body);
    for (size_t i = 0; i < machine.naccesses; i++) {
        const char name[] = {'.', 'f', '3', '2', ' ', '%', 'f', accesses[2 * i], ',', ' ', '[', 0};
        const char *at = strstr(ptx, name), *line = at;
        uint32_t number = 1;
        ck_assert_ptr_nonnull(at);
        while (line > ptx && line[-1] != '\n')
            line--;
        for (const char *c = ptx; c < line; c++)
            number += *c == '\n';
        list[i] = (struct wsim_machine_access){0, number, 1, (uint8_t)(accesses[2 * i + 1] - '0')};
    }
    return run_with(ptx, &machine);
}

/* Two words of what was a wide load are named after its first one. */
START_TEST(words_of_a_wide_load) {
    static const char loads[] = "ld.shared.f32 %fa, [%r1];\nld.shared.f32 %fb, [%r2];\n"
                                "ld.shared.f32 %fc, [%r1+12];";
    static const char far[] = "ld.shared.f32 %fa, [%r1];\nld.shared.f32 %fb, [%r2];\n"
                              "ld.shared.f32 %fc, [%r1+16];";
    ck_assert_uint_eq(load_with(loads, "a4b4c4").ld.accesses, 3);
    ck_assert_uint_eq(load_with(loads, "a4a4b4").ld.accesses, 3);
    ck_assert_uint_eq(load_with(loads, "a4a4b4b4").ld.accesses, 2); /* a loop was unrolled */
    ck_assert_uint_eq(load_with(far, "a4a4b4").ld.accesses, 2);
}
END_TEST

/* A load comes out of a branch, because a load behind the branch needs the word too. */
START_TEST(load_before_its_branch) {
    static const char join[] = "@!%p1 bra L;\nld.shared.f32 %fa, [%r1];\nL:\n"
                               "ld.shared.f32 %fc, [%r1];";
    static const char guard[] = "@%p1 ld.shared.f32 %fa, [%r1];\nld.shared.f32 %fc, [%r1];";
    static const char sides[] = "@!%p1 bra L;\nld.shared.f32 %fa, [%r1];\nmov.f32 %fc, %fa;\n"
                                "bra M;\nL:\nld.shared.f32 %fc, [%r1];\nM:";
    static const char all[] = "ld.shared.f32 %fa, [%r1];\n@!%p1 bra L;\nmov.f32 %fb, %fa;\nL:\n"
                              "ld.shared.f32 %fc, [%r1];";
    const struct wsim_totals joined = load_with(join, "a4");
    ck_assert_uint_eq(joined.ld.accesses, 1);
    ck_assert_uint_eq(joined.ld.wavefronts, 4); /* of 32 lanes */
    ck_assert_uint_eq(load_with(join, "a4c4").ld.wavefronts, 5);
    ck_assert_uint_eq(load_with(guard, "a4").ld.wavefronts, 4);
    ck_assert_uint_eq(load_with(sides, "a4").ld.wavefronts, 1);
    ck_assert_uint_eq(load_with(all, "a4").ld.wavefronts, 4);
}
END_TEST

static void refused(const char *listing, const char *words) {
    char *ptx = read_whole("fixture.ptx");
    struct wsim_assembly *assembly;
    struct wsim_diag diag;
    wsim_assembly_make(ptx, strlen(ptx), &assembly, NULL);
    ck_assert_int_eq(wsim_assembly_read(assembly, listing, NULL, &diag), WSIM_SYNTAX);
    ck_assert_str_eq(diag.rule, "module.machine.listing");
    ck_assert_msg(strstr(diag.text, words) != NULL, "%s", diag.text);
    wsim_assembly_free(assembly);
    free(ptx);
}

START_TEST(other_texts) {
    static const struct wsim_machine_kernel kernel = {.name = "k"};
    static const struct wsim_machine_access falling[] = {{0, 2, 1, 4}, {0, 1, 1, 4}};
    static const struct wsim_machine_access foreign[] = {{1, 2, 1, 4}};
    const struct wsim_machine wrong[] = {{&kernel, 1, falling, 2}, {&kernel, 1, foreign, 1}};
    refused("", "no function");
    refused("//## File \"k.ptx\", line 24\n", "line 24");
    refused("//## File \"k.ptx\", line 0\n", "line 0");
    refused("//## File \"k.ptx\", line 99999999999999999999\n", "line");
    for (unsigned i = 0; i < 2; i++) {
        const struct wsim_text text = {NULL, ".version 8.0\n", 13, &wrong[i]};
        struct wsim_module *module;
        struct wsim_diag diag;
        ck_assert_int_eq(wsim_module_link(&text, 1, 0, &module, NULL, &diag), WSIM_OPERAND);
        ck_assert_str_eq(diag.rule, "module.machine.order");
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_line_for_each_instruction,
                                  accesses_of_machine_code,
                                  a_module_counts_them,
                                  turns_share_an_access,
                                  words_of_a_wide_load,
                                  load_before_its_branch,
                                  other_texts};
    return run_tests("unit/assembler", tests, sizeof tests / sizeof *tests);
}
