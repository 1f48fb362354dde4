/* WSIM_ARCH names a product: programs see its name, SMs, memory, caches and clocks, and kernels its
 * SMs. */
#include "cu.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLOCK = 13, SMS = 16, MEMORY_CLOCK = 36, BUS = 37, L2 = 38, MAJOR = 75, PERSISTING = 108 };

static const struct {
    const char *arch, *memory, *name; /* memory: WSIM_DEVICE_MEMORY */
    int sms, clock, memory_clock, bus, l2, major;
    size_t bytes;
} rows[] = {
    {"rtx4090", NULL, "NVIDIA GeForce RTX 4090", 128, 2520000, 10501000, 384, 75497472, 8,
     (size_t)24 << 30},
    {"rtx4090", "1G", "NVIDIA GeForce RTX 4090", 128, 2520000, 10501000, 384, 75497472, 8,
     (size_t)1 << 30},
    {"NVIDIA H100 PCIe", NULL, "NVIDIA H100 PCIe", 114, 1755000, 1593000, 5120, 52428800, 9,
     (size_t)80 << 30},
    {"t4", NULL, "Tesla T4", 40, 1590000, 5001000, 256, 4194304, 7, (size_t)16 << 30},
    {"sm_90", NULL, "NVIDIA H200", 132, 1980000, 3201000, 6016, 62914560, 9, (size_t)150109880320u},
};

static const char text[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p) {\n"
                           ".reg .u64 %a; .reg .u32 %r;\n"
                           "ld.param.u64 %a, [p]; mov.u32 %r, %nsmid;\n"
                           "st.global.u32 [%a], %r; ret; }\n";

static int get(int attribute) {
    int value = -7;
    ck_cu(OK, CU(cuDeviceGetAttribute)(&value, attribute, 0));
    return value;
}

static void look(int i) {
    void *context, *module = NULL, *function = NULL;
    uint64_t address = 0;
    void *params[] = {&address};
    uint32_t sms = 0;
    char name[64] = "";
    size_t bytes = 0;
    setenv("WSIM_ARCH", rows[i].arch, 1);
    if (rows[i].memory)
        setenv("WSIM_DEVICE_MEMORY", rows[i].memory, 1);
    context = cu_begin();
    ck_cu(OK, CU(cuDeviceGetName)(name, 64, 0));
    ck_assert_str_eq(name, rows[i].name);
    ck_assert_int_eq(get(SMS), rows[i].sms);
    ck_assert_int_eq(get(CLOCK), rows[i].clock);
    ck_assert_int_eq(get(MEMORY_CLOCK), rows[i].memory_clock);
    ck_assert_int_eq(get(BUS), rows[i].bus);
    ck_assert_int_eq(get(L2), rows[i].l2);
    ck_assert_int_eq(get(PERSISTING), rows[i].major > 7 ? rows[i].l2 / 8 * 5 : 0);
    ck_assert_int_eq(get(MAJOR), rows[i].major);
    ck_cu(OK, CU(cuDeviceTotalMem_v2)(&bytes, 0));
    ck_assert_uint_eq(bytes, rows[i].bytes);
    ck_cu(OK, CU(cuModuleLoadData)(&module, text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, (size_t)4));
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&sms, address, (size_t)4));
    ck_assert_uint_eq(sms, (unsigned)rows[i].sms);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}

/* A process has one set of variables. */
START_TEST(a_program_sees_its_product) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        look(_i);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(status == 0, "%s", rows[_i].arch);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("product");
    tcase_add_loop_test(tcase, a_program_sees_its_product, 0, (int)(sizeof rows / sizeof rows[0]));
    setenv("WSIM_REPORT", "none", 1);
    return run_case("product", tcase);
}
