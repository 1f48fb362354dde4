/* A stranger's program: one call into each of two rooms, through the front door. */
#include <stdio.h>
#include <string.h>
#include <wsim/wsim.h>

int main(void) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    printf("wsim %s, %s\n", wsim_version(), arch ? wsim_arch_name(arch) : "no sm_90a");
    return arch && strcmp(wsim_arch_name(arch), "sm_90a") == 0 ? 0 : 1;
}
