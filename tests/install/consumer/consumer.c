/* A stranger's program: one call into each of two rooms, through the front door. */
#include <stdio.h>
#include <string.h>
#include <wsim/wsim.h>

int main(void) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    char headers[16];
    snprintf(headers, sizeof headers, "%d.%d.%d", WSIM_VERSION_MAJOR, WSIM_VERSION_MINOR,
             WSIM_VERSION_PATCH);
    printf("wsim %s, %s\n", wsim_version(), arch ? wsim_arch_name(arch) : "no sm_90a");
    if (strcmp(wsim_version(), headers) != 0 || wsim_version_number() != WSIM_VERSION_NUMBER)
        return 1;
    return arch && strcmp(wsim_arch_name(arch), "sm_90a") == 0 ? 0 : 1;
}
