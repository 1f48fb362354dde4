/* generate.c - prints kernels.cu: a kernel for every instruction that has cases (generate_case.c),
 * one for every counted access (generate_access.c), and the lists of them; those of a warpgroup go
 * into files of PTX (generate_group.c). What exists, what its
 * registers are and where it is legal comes from the public API; there is no list of instructions
 * here. */
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

/* generate FILE PREFIX PARTS, generate PREFIX TARGET, generate --all PREFIX TARGET */
int main(int argc, char **argv) {
    unsigned parts = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    if (argc == 4 && strcmp(argv[1], "--all") == 0)
        return generate_all_scalars(argv[2], argv[3]);
    if (argc == 3)
        return generate_scalars(argv[1], argv[2]);
    if (!parts || !freopen(argv[1], "w", stdout)) {
        fprintf(stderr,
                "usage: generate FILE PREFIX PARTS: kernels as CUDA into FILE, those of a\n"
                "warpgroup as PTX into PREFIX0.ptx and so on\n"
                "       generate [--all] PREFIX TARGET: those of scalar instructions as PTX\n"
                "that are legal on TARGET, or legal or not\n");
        return 2;
    }
    print_head();
    generate_cases();
    generate_accesses();
    return fflush(stdout) || ferror(stdout) ? 2 : generate_groups(argv[2], parts);
}
