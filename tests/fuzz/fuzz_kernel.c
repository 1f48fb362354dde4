/* Any text as a program, and its first kernels run: every check, both kinds of asynchronous work, a
 * few thousand instructions. A kernel only changes memory of the device. Lines
 * of "====" part texts that are linked. */
#include <wsim/kernel.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    TEXTS = 3,
    KERNELS = 3,
    BYTES = 4096,
    PARAMS = 256,
    INSTRUCTIONS = 3000,
    MOST_SHARED = 65536
};

static void need(int truth) {
    if (!truth)
        abort();
}

static struct wsim_module *load(const char *data, size_t size) {
    static const char part[] = "====\n";
    const size_t length = sizeof part - 1;
    struct wsim_text texts[TEXTS];
    struct wsim_module *module;
    struct wsim_diag diag;
    size_t n = 0, wrong;
    for (size_t from = 0, at = 0; at <= size; at++) {
        const int parted = size - at >= length && !memcmp(data + at, part, length);
        if (at < size && (!parted || n + 1 == TEXTS))
            continue;
        texts[n] = (struct wsim_text){n ? "text" : NULL, data + from, at - from, NULL};
        n++;
        from = at + length;
    }
    enum wsim_status status = wsim_module_link(texts, n, 0, &module, &wrong, &diag);
    need((status == WSIM_OK) == (module != NULL) && wrong < n);
    return module;
}

/* Everything that a report can say. */
static void read_report(const struct wsim_report *report) {
    struct wsim_totals totals;
    struct wsim_line line;
    struct wsim_finding finding;
    size_t lines = 0, findings = 0, length;
    wsim_report_totals(report, &totals);
    for (; wsim_report_line(report, lines, &line); lines++)
        need(line.executed > 0 && line.opcode && line.ptx_line);
    for (; wsim_report_finding(report, findings, &finding); findings++)
        need(finding.rule && finding.text && finding.count > 0);
    need(totals.findings + totals.notes >= findings && (lines || !totals.instructions));
    need(strlen(wsim_report_output(report, &length)) <= length);
}

static void run(struct wsim_device *device, struct wsim_module *module, uint64_t buffer,
                const struct wsim_kernel *handle, uint64_t seed) {
    struct wsim_kernel_info kernel;
    uint64_t params[PARAMS / 8];
    wsim_kernel_describe(handle, &kernel);
    struct wsim_launch launch = {.kernel = handle,
                                 .grid = {2},
                                 .block = {40},
                                 .shared = 512,
                                 .params = params,
                                 .param_bytes = kernel.param_bytes,
                                 .checks = seed & 1 ? WSIM_CHECK_ALL : 0,
                                 .count = seed >> 1 & 1,
                                 .async = seed >> 2 & 1,
                                 .seed = seed >> 3 & 3,
                                 .threads = 1,
                                 .max_instructions = INSTRUCTIONS,
                                 .cooperative = seed >> 5 & 1};
    struct wsim_report *report;
    struct wsim_diag diag;
    for (size_t i = 0; i < PARAMS / 8; i++)
        params[i] = buffer + i * 8;
    for (int i = 0; i < 3; i++)
        if (kernel.reqntid[i])
            launch.block[i] = kernel.reqntid[i];
    if (kernel.param_bytes > PARAMS || kernel.shared > MOST_SHARED || kernel.local > MOST_SHARED)
        return;
    enum wsim_status status = wsim_launch_run(device, module, &launch, &report, &diag);
    need(status == WSIM_OK || *diag.text);
    if (report)
        read_report(report);
    wsim_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wsim_module *module = load((const char *)data, size);
    struct wsim_device *device;
    const struct wsim_kernel *kernel;
    uint64_t buffer, seed = size;
    if (!module)
        return 0;
    for (size_t i = 0; i < size; i++)
        seed = seed * 31 + data[i];
    need(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    need(!wsim_device_alloc(device, "buffer", BYTES, 0, &buffer, NULL));
    for (size_t i = 0; i < KERNELS && (kernel = wsim_module_kernel(module, i)) != NULL; i++)
        run(device, module, buffer, kernel, seed >> i);
    wsim_device_free(device);
    wsim_module_free(module);
    return 0;
}
