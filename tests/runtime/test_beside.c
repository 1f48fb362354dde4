/* Modules of machine code with PTX in the folder WSIM_PTX. The machine code is an ELF file as the
 * assembler lays it out: names and numbers of kernels in section .nv.info, and no code. */
#define _DEFAULT_SOURCE /* MAP_ANON */
#include "cu.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { REGISTERS = 77, SECTIONS = 5 };

static char folder[] = "/tmp/wsim-beside-XXXXXX";

static struct {
    Elf64_Ehdr head;
    Elf64_Shdr sections[SECTIONS]; /* none, names, text of symbols, symbols, .nv.info */
    char names[48], text[64];
    Elf64_Sym symbols[3]; /* none, the kernel, a function of the assembler */
    struct {
        uint8_t format, attribute;
        uint16_t size;
        uint32_t symbol, value;
    } info[2];
} image;

#define AT(member) ((Elf64_Off)((const char *)(member) - (const char *)&image))

static void section(unsigned i, const char *name, unsigned type, const void *at, size_t size,
                    unsigned link) {
    static size_t used;
    used = i == 1 ? 1 : used;
    image.sections[i] = (Elf64_Shdr){.sh_name = (Elf64_Word)used,
                                     .sh_type = type,
                                     .sh_offset = AT(at),
                                     .sh_size = size,
                                     .sh_link = link};
    strcpy(image.names + used, name);
    used += strlen(name) + 1;
}

/* Machine code with one kernel. */
static const void *machine_code(const char *kernel) {
    static const char added[] = "$__internal_0_$__cuda_sm90_guard";
    memset(&image, 0, sizeof image);
    memcpy(image.head.e_ident, ELFMAG, SELFMAG);
    image.head.e_ident[EI_CLASS] = ELFCLASS64;
    image.head.e_ident[EI_DATA] = ELFDATA2LSB;
    image.head.e_shoff = AT(image.sections);
    image.head.e_shentsize = sizeof(Elf64_Shdr);
    image.head.e_shnum = SECTIONS;
    image.head.e_shstrndx = 1;
    strcpy(image.text + 1, kernel);
    strcpy(image.text + 30, added);
    section(1, ".shstrtab", SHT_STRTAB, image.names, sizeof image.names, 0);
    section(2, ".strtab", SHT_STRTAB, image.text, sizeof image.text, 0);
    section(3, ".symtab", SHT_SYMTAB, image.symbols, sizeof image.symbols, 2);
    section(4, ".nv.info", SHT_PROGBITS, image.info, sizeof image.info, 0);
    image.symbols[1].st_name = 1;
    image.symbols[2].st_name = 30;
    for (unsigned i = 0; i < 2; i++) {
        image.info[i].format = 4;
        image.info[i].attribute = 0x2F;
        image.info[i].size = 8;
        image.info[i].symbol = i + 1;
        image.info[i].value = REGISTERS;
    }
    return &image;
}

static void write_file(const char *name, const char *kernel, unsigned value, size_t zeros) {
    char path[128];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry %s(.param .u64 p) {\n"
            ".reg .u64 %%a;\nld.param.u64 %%a, [p];\nst.global.u32 [%%a], %u;\nret; }\n",
            kernel, value);
    while (zeros--)
        fputc(0, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* The word that the kernel writes; launches fail with `error`. */
static uint32_t run_kernel(const char *name, int error) {
    void *module = NULL, *function = NULL;
    uint64_t at = 0;
    uint32_t word = 0;
    int registers = 0;
    void *params[] = {&at};
    ck_cu(OK, CU(cuModuleLoadData)(&module, machine_code(name)));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, name));
    ck_cu(OK, CU(cuFuncGetAttribute)(&registers, 4, function));
    ck_assert_int_eq(registers, REGISTERS);
    ck_cu(OK, CU(cuMemAlloc_v2)(&at, (size_t)4));
    ck_cu(OK, CU(cuMemsetD32_v2)(at, 1u, (size_t)1));
    ck_assert_int_eq(cu_launch(function, 1, NULL, params), error);
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(&word, at, (size_t)4));
    ck_cu(OK, CU(cuModuleUnload)(module));
    return word;
}

START_TEST(machine_code_runs_from_ptx) {
    void *context = cu_begin();
    write_file("a.ptx", "kernel_1", 1001, 3);
    write_file("b.ptx", "kernel_10", 1010, 0);
    write_file("c.txt", "kernel_2", 1002, 0);
    ck_assert_uint_eq(run_kernel("kernel_1", 0), 1001);
    ck_assert_uint_eq(run_kernel("kernel_10", 0), 1010);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Warps get registers by 256: 25 warps with 80 a thread fit, and 26 do not. */
START_TEST(a_block_has_registers_for_so_many_threads) {
    void *context = cu_begin(), *module = NULL, *function = NULL;
    uint64_t at = 0;
    void *params[] = {&at};
    write_file("a.ptx", "kernel_1", 1001, 3);
    ck_cu(OK, CU(cuModuleLoadData)(&module, machine_code("kernel_1")));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "kernel_1"));
    ck_cu(OK, CU(cuMemAlloc_v2)(&at, (size_t)4));
    ck_cu(OK, cu_launch(function, 25 * 32, NULL, params));
    ck_cu(LAUNCH_OUT_OF_RESOURCES, cu_launch(function, 25 * 32 + 1, NULL, params));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Sections that all are the same long list take no more time than one, and symbols that many
 * attributes name no more than one attribute. */
START_TEST(machine_code_of_many_lists) {
    enum { LISTS = 30000, ATTRIBUTES = 60000 };
    const size_t bytes =
        sizeof image + LISTS * sizeof(Elf64_Shdr) + ATTRIBUTES * sizeof image.info[0];
    void *context = cu_begin(), *module = NULL;
    unsigned char *file = malloc(bytes);
    Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(file + sizeof image);
    clock_t before;
    memcpy(file, machine_code("kernel_1"), sizeof image);
    ((Elf64_Ehdr *)(void *)file)->e_shoff = sizeof image;
    ((Elf64_Ehdr *)(void *)file)->e_shnum = LISTS;
    for (unsigned i = 0; i < LISTS; i++)
        sections[i] = image.sections[i < SECTIONS ? i : SECTIONS - 1];
    for (unsigned i = SECTIONS; i < LISTS; i++) {
        sections[i].sh_offset = sizeof image + LISTS * sizeof(Elf64_Shdr);
        sections[i].sh_size = ATTRIBUTES * sizeof image.info[0];
    }
    for (unsigned i = 0; i < ATTRIBUTES; i++)
        memcpy(file + sizeof image + LISTS * sizeof(Elf64_Shdr) + i * sizeof image.info[0],
               &image.info[0], sizeof image.info[0]);
    write_file("a.ptx", "kernel_1", 1001, 3);
    before = clock();
    ck_cu(OK, CU(cuModuleLoadData)(&module, file));
    ck_assert(clock() - before < 2 * CLOCKS_PER_SEC);
    ck_cu(OK, CU(cuModuleUnload)(module));
    free(file);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(without_ptx_no_launch) {
    void *context = cu_begin();
    ck_assert_uint_eq(run_kernel("kernel_2", WSIMRT_NO_BINARY_FOR_GPU), 1);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(two_texts_are_no_text) {
    void *context = cu_begin();
    write_file("d.ptx", "kernel_3", 1003, 0);
    write_file("e.ptx", "kernel_3", 1003, 1); /* the text is equal */
    ck_assert_uint_eq(run_kernel("kernel_3", 0), 1003);
    write_file("f.ptx", "kernel_3", 1004, 0);
    ck_assert_uint_eq(run_kernel("kernel_3", WSIMRT_NO_BINARY_FOR_GPU), 1);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* The last bytes of readable memory. */
static void *at_the_end(const void *bytes, size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (size / page + 1) * page;
    char *memory = mmap(NULL, all + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert_int_eq(mprotect(memory + all, page, PROT_NONE), 0);
    return memcpy(memory + all - size, bytes, size);
}

static void refuse(const void *bytes, size_t size, int error) {
    void *module = NULL;
    ck_assert_int_eq(CU(cuModuleLoadData)(&module, at_the_end(bytes, size)), error);
}

/* The size of an image is unknown: fields of its header that name bytes behind readable memory are
 * wrong. */
START_TEST(damaged_images_end_with_memory) {
    static const uint64_t fatbin[3] = {0x00100001BA55ED50u, UINT64_C(1) << 60, 2};
    void *context = cu_begin();
    const struct {
        uint32_t magic, version;
        const void *fatbin, *more;
    } wrapper = {0x466243B1u, 1, at_the_end(fatbin, sizeof fatbin), NULL},
      nowhere = {0x466243B1u, 1, (const char *)at_the_end(fatbin, 8) + 8, NULL};
    write_file("a.ptx", "kernel_1", 1001, 0);
    machine_code("kernel_1");
    refuse(&image, sizeof image.head, WSIMRT_NO_BINARY_FOR_GPU);
    image.head.e_shoff = UINT64_C(1) << 40;
    refuse(&image, sizeof image, WSIMRT_NO_BINARY_FOR_GPU);
    machine_code("kernel_1");
    image.head.e_shnum = 0xFFFF;
    refuse(&image, sizeof image, WSIMRT_NO_BINARY_FOR_GPU);
    machine_code("kernel_1");
    image.sections[4].sh_size = UINT64_MAX - image.sections[4].sh_offset;
    refuse(&image, sizeof image, WSIMRT_NO_BINARY_FOR_GPU);
    refuse(fatbin, sizeof fatbin, WSIMRT_INVALID_IMAGE);
    refuse(fatbin, 8, WSIMRT_INVALID_IMAGE);
    refuse(&wrapper, sizeof wrapper, WSIMRT_INVALID_IMAGE);
    refuse(&nowhere, sizeof nowhere, WSIMRT_INVALID_IMAGE);
    refuse(&wrapper, 12, WSIMRT_INVALID_IMAGE);
    refuse(".version 9.0", 12, WSIMRT_INVALID_PTX);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

static void remove_files(void) {
    static const char *const names[] = {"a.ptx", "b.ptx", "c.txt", "d.ptx", "e.ptx", "f.ptx"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

int main(void) {
    static const TTest *const *const tests[] = {
        &machine_code_runs_from_ptx, &a_block_has_registers_for_so_many_threads,
        &machine_code_of_many_lists, &without_ptx_no_launch,
        &two_texts_are_no_text,      &damaged_images_end_with_memory};
    TCase *tcase = tcase_create("beside");
    int failed;
    if (!mkdtemp(folder) || setenv("WSIM_PTX", folder, 1))
        return 1;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    failed = run_case("beside", tcase);
    remove_files();
    return failed;
}
