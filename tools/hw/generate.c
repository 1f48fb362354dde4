/* generate.c - prints kernels.cu: a kernel for every instruction that has cases (generate_case.c),
 * one for every counted access (generate_access.c), and the lists of kernels. Kernels of a
 * warpgroup go into files of PTX (generate_group.c). The public API gives the instructions, their
 * registers and their targets; there is no list of instructions here. */
#include "generate_access.h"
#include "generate_case.h"
#include "generate_group.h"
#include "generate_scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

/* As the compiler tells targets apart: sm_90, sm_90a, sm_100f. */
static void print_target(const struct wsim_arch *arch, size_t index) {
    const char *name = wsim_arch_name(arch);
    char suffix = name[strlen(name) - 1];
    unsigned number = 0;
    sscanf(name, "sm_%u", &number);
    printf("#if __CUDA_ARCH__ == %u0 && ", number);
    if (suffix == 'a')
        printf("defined(__CUDA_ARCH_FEAT_SM%u_ALL)", number);
    else if (suffix == 'f')
        printf("!defined(__CUDA_ARCH_FEAT_SM%u_ALL) && defined(__CUDA_ARCH_FAMILY_SPECIFIC__)",
               number);
    else
        printf("!defined(__CUDA_ARCH_FEAT_SM%u_ALL) && !defined(__CUDA_ARCH_FAMILY_SPECIFIC__)",
               number);
    printf("\n#define HW_TARGET %zu /* %s */\n#endif\n", index, name);
}

static void print_head(void) {
    printf("/* Printed by tools/hw/generate.c, wsim %s. */\n", wsim_version());
    printf("#ifdef __CUDA_ARCH__\n");
    for (size_t i = 0; wsim_arch_at(i); i++)
        print_target(wsim_arch_at(i), i);
    printf("#endif\n#include \"kernel.h\"\n");
}

static int usage(void) {
    fprintf(stderr,
            "usage: generate [--every N] FILE PREFIX PARTS: kernels as CUDA into FILE, those\n"
            "of a warpgroup as PTX into PREFIX0.ptx and so on, one in N of the latter\n"
            "       generate [--all] [--every N] PREFIX TARGET: those of scalar instructions\n"
            "as PTX that are legal on TARGET, or legal or not; one in N\n");
    return 2;
}

int main(int argc, char **argv) {
    unsigned every = 1, parts;
    int at = 1, all = 0;
    if (at < argc && strcmp(argv[at], "--all") == 0)
        all = 1, at++;
    if (at + 1 < argc && strcmp(argv[at], "--every") == 0)
        every = (unsigned)strtoul(argv[at + 1], NULL, 10), at += 2;
    if (argc - at == 2 && every)
        return generate_scalars(argv[at], argv[at + 1], all, every);
    parts = !all && every && argc - at == 3 ? (unsigned)strtoul(argv[at + 2], NULL, 10) : 0;
    if (!parts || !freopen(argv[at], "w", stdout))
        return usage();
    print_head();
    generate_cases();
    generate_accesses();
    return fflush(stdout) || ferror(stdout) ? 2 : generate_groups(argv[at + 1], parts, every);
}
