/* Small kernels of tests. */
#include "kernel.h"

#include "../../apart.h"

static void take_report(struct kernel *kernel, struct wsim_report *report) {
    struct wsim_finding finding;
    struct wsim_line line;
    size_t size;
    const char *output = wsim_report_output(report, &size);
    ck_assert_uint_lt(size, sizeof kernel->output);
    memcpy(kernel->output, output, size + 1);
    wsim_report_totals(report, &kernel->totals);
    if (wsim_report_finding(report, 0, &finding))
        snprintf(kernel->rule, sizeof kernel->rule, "%s", finding.rule);
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        if (line.ptx_line < COUNT(kernel->executed))
            kernel->executed[line.ptx_line] += line.executed;
}

void kernel_run(struct kernel *kernel, uint32_t blocks, uint32_t threads) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    uint64_t address = APART_BASE;
    void *owned;
    enum wsim_status status =
        wsim_module_load(kernel->text, strlen(kernel->text), kernel->flags, &module, &kernel->diag);
    ck_assert_msg(!status, "%u:%u: %s", kernel->diag.line, kernel->diag.col, kernel->diag.text);
    ck_assert_int_eq(
        wsim_device_make(wsim_arch_find(kernel->arch ? kernel->arch : "sm_90a"), &device, NULL),
        WSIM_OK);
    owned = apart_buffer(device, "data", address, sizeof kernel->words);
    wsim_device_write(device, address, kernel->words, sizeof kernel->words, NULL);
    kernel->launch.params = &address;
    kernel->launch.param_bytes = 8;
    if (!kernel->launch.grid[0])
        kernel->launch.grid[0] = blocks;
    if (!kernel->launch.block[0])
        kernel->launch.block[0] = threads;
    if (!kernel->launch.threads)
        kernel->launch.threads = 1;
    if (!kernel->launch.max_instructions)
        kernel->launch.max_instructions = 50000000;
    kernel->status = wsim_launch_run(device, module, &kernel->launch, &report, &kernel->diag);
    if (report)
        take_report(kernel, report);
    ck_assert_int_eq(wsim_device_read(device, address, kernel->words, sizeof kernel->words, NULL),
                     WSIM_OK);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
    free(owned);
}

void kernel_good(struct kernel *kernel, uint32_t blocks, uint32_t threads) {
    kernel_run(kernel, blocks, threads);
    ck_assert_msg(!kernel->status, "%s: %s", kernel->diag.rule, kernel->diag.text);
}

uint64_t kernel_executed(const struct kernel *kernel, const char *word) {
    const char *at = strstr(kernel->text, word);
    int line = 1;
    ck_assert_msg(at != NULL, "no %s", word);
    for (const char *c = kernel->text; c < at; c++)
        line += *c == '\n';
    ck_assert_int_lt(line, COUNT(kernel->executed));
    return kernel->executed[line];
}
