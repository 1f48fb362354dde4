/* bench_first.c - a kernel of 5,000 lines before its first instruction: its text becomes a module,
 * and its first launch decodes it. Prints the least CPU time of both, and of another launch. */
#include "bench.h"

#include <wsim/kernel.h>

#include <stdio.h>
#include <string.h>

enum { LINES = 5000, ROUNDS = 30 };

static char text[LINES * 64];

/* Loads, stores, products and branches, with 200 registers. */
static void write_text(void) {
    char *at = text;
    at += sprintf(at, ".version 8.5\n.target sm_90a\n.address_size 64\n.visible .entry first("
                      ".param .u64 p)\n{\n.reg .pred %%p<9>;\n.reg .b32 %%r<200>;\n"
                      ".reg .f32 %%f<200>;\n.reg .b64 %%rd<4>;\nld.param.u64 %%rd1, [p];\n");
    for (int line = 10, label = 0; line < LINES - 2; line++) {
        const int a = line * 7 % 199, b = line * 11 % 197, c = line % 193;
        switch (line % 8) {
        case 0: at += sprintf(at, "add.s32 %%r%d, %%r%d, %%r%d;\n", a, b, c); break;
        case 1: at += sprintf(at, "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", a, b, c, a); break;
        case 2: at += sprintf(at, "ld.global.u32 %%r%d, [%%rd1+%d];\n", a, 4 * b); break;
        case 3: at += sprintf(at, "setp.lt.s32 %%p1, %%r%d, %d;\n", a, b); break;
        case 4: at += sprintf(at, "@%%p1 bra L%d;\n", label); break;
        case 5: at += sprintf(at, "mul.lo.s32 %%r%d, %%r%d, 3;\n", a, b); break;
        case 6: at += sprintf(at, "st.global.f32 [%%rd1+%d], %%f%d;\n", 4 * c, b); break;
        default: at += sprintf(at, "L%d:\n", label++); break;
        }
    }
    sprintf(at, "L%d:\nret;\n}\n", (LINES - 10) / 8);
}

static double launch(struct wsim_device *device, struct wsim_module *module, uint64_t *buffer) {
    const struct wsim_launch launch = {.name = "first",
                                       .params = buffer,
                                       .param_bytes = 8,
                                       .threads = 1,
                                       .grid = {1},
                                       .block = {32}};
    struct wsim_report *report;
    struct wsim_diag diag;
    double time = now();
    if (wsim_launch_run(device, module, &launch, &report, &diag))
        stop(&diag);
    time = now() - time;
    wsim_report_free(report);
    return time;
}

int main(void) {
    double least[3] = {1, 1, 1};
    keep_heap();
    write_text();
    for (int round = 0; round < ROUNDS; round++) {
        struct wsim_module *module;
        struct wsim_device *device;
        struct wsim_diag diag;
        uint64_t buffer;
        double times[3];
        if (wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag) ||
            wsim_device_alloc(device, "p", 1024, 256, &buffer, &diag))
            stop(&diag);
        times[0] = now();
        if (wsim_module_load(text, strlen(text), 0, &module, &diag))
            stop(&diag);
        times[0] = now() - times[0];
        times[1] = launch(device, module, &buffer);
        times[2] = launch(device, module, &buffer);
        for (int i = 0; i < 3; i++)
            least[i] = times[i] < least[i] ? times[i] : least[i];
        wsim_module_free(module);
        wsim_device_free(device);
    }
    puts("| lines | module, ms | first launch, ms | another launch, ms |");
    puts("| --- | --- | --- | --- |");
    printf("| %d | %.2f | %.2f | %.3f |\n", LINES, least[0] * 1e3, least[1] * 1e3, least[2] * 1e3);
    return 0;
}
