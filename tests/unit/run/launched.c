/* Kernels of the tests, launched. */
#include "launched.h"

static struct wsim_module *load(const char *ptx) {
    struct wsim_module *module = NULL;
    struct wsim_diag diag;
    enum wsim_status status = wsim_module_load(ptx, strlen(ptx), 0, &module, &diag);
    ck_assert_msg(status == WSIM_OK, "%u:%u: %s", diag.line, diag.col, diag.text);
    return module;
}

static uint64_t buffer(struct wsim_device *device, const char *name) {
    uint64_t address = 0;
    struct wsim_diag diag;
    ck_assert_msg(wsim_device_alloc(device, name, 4 * WORDS, 0, &address, &diag) == WSIM_OK, "%s",
                  diag.text);
    return address;
}

static uint64_t mix(uint64_t digest, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001B3);
    return digest;
}

static void add_race(struct launched *launched, const struct wsim_finding *finding) {
    const uint64_t numbers[] = {finding->ptx_line, finding->other_ptx_line, finding->count};
    if (strncmp(finding->rule, "race.", 5) != 0)
        return;
    launched->races = mix(launched->races, finding->rule, strlen(finding->rule));
    launched->races = mix(launched->races, finding->text, strlen(finding->text));
    launched->races = mix(launched->races, numbers, sizeof numbers);
}

static void look(struct launched *launched, const struct wsim_report *report) {
    struct wsim_finding finding;
    struct wsim_totals totals = {.findings = 0};
    if (report)
        wsim_report_totals(report, &totals);
    launched->counted = totals.findings;
    launched->blocks = totals.blocks;
    launched->findings = launched->lack_atomics = launched->races = 0;
    launched->rule[0] = launched->text[0] = 0;
    while (report && wsim_report_finding(report, launched->findings, &finding)) {
        add_race(launched, &finding);
        launched->lack_atomics += strstr(finding.text, "missing: an atomic") != NULL;
        if (!launched->findings++) {
            snprintf(launched->rule, sizeof launched->rule, "%s", finding.rule);
            snprintf(launched->text, sizeof launched->text, "%s", finding.text);
            launched->line = finding.ptx_line;
            launched->other = finding.other_ptx_line;
        }
    }
}

void launch(struct launched *launched, const char *ptx) {
    struct wsim_module *module = load(ptx);
    struct wsim_device *device = NULL;
    struct wsim_report *report = NULL;
    struct wsim_problem problem;
    const struct wsim_arch *arch = wsim_arch_find(launched->arch ? launched->arch : "sm_90a");
    uint64_t params[2];
    struct wsim_launch how = {.grid = {launched->grid, launched->grid_y, launched->grid_z},
                              .block = {launched->block},
                              .cluster = {launched->cluster, launched->cluster_y},
                              .params = params,
                              .param_bytes = sizeof params,
                              .checks = launched->checks,
                              .async = launched->async,
                              .seed = launched->seed,
                              .threads = launched->threads ? launched->threads : 1,
                              .watch = launched->watch,
                              .look = launched->look,
                              .max_instructions = 20000000};
    ck_assert_msg(!wsim_module_problem(module, 0, &problem), "%u: %s", problem.line, problem.text);
    ck_assert_int_eq(wsim_device_make(arch, &device, NULL), WSIM_OK);
    params[0] = buffer(device, "in");
    params[1] = buffer(device, "out");
    memset(launched->out, 0, sizeof launched->out);
    wsim_device_write(device, params[0], launched->in, sizeof launched->in, NULL);
    if (!launched->blank)
        wsim_device_write(device, params[1], launched->out, sizeof launched->out, NULL);
    memset(&launched->diag, 0, sizeof launched->diag);
    launched->status = wsim_launch_run(device, module, &how, &report, &launched->diag);
    wsim_device_read(device, params[1], launched->out, sizeof launched->out, NULL);
    look(launched, report);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
}

void launch_good(struct launched *launched, const char *ptx) {
    launch(launched, ptx);
    ck_assert_msg(launched->status == WSIM_OK, "%s: %s", launched->diag.rule, launched->diag.text);
    ck_assert_msg(!launched->findings, "%s: %s", launched->rule, launched->text);
}

void launch_refused(struct launched *launched, const char *ptx, const char *rule,
                    const char *words) {
    launch(launched, ptx);
    ck_assert_int_ne(launched->status, WSIM_OK);
    ck_assert_str_eq(launched->diag.rule, rule);
    ck_assert_msg(strstr(launched->text, words) != NULL, "no \"%s\" in: %s", words, launched->text);
}

void launch_problem(const char *ptx, const char *words) {
    struct wsim_module *module = load(ptx);
    struct wsim_problem problem;
    ck_assert(wsim_module_problem(module, 0, &problem));
    ck_assert_msg(strstr(problem.text, words) != NULL, "no \"%s\" in: %s", words, problem.text);
    wsim_module_free(module);
}
