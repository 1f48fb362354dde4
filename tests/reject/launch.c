/* Kernels that must not be launched, and what ends those that are. */
#include "case.h"

#include <wsim/kernel.h>

int reject_is_launch(const struct reject_case *what) {
    return strcmp(what->action, "launch") == 0 || strcmp(what->action, "module") == 0;
}

/* "4x2": up to three numbers. */
static void read_size(const char *at, uint32_t size[3]) {
    for (int i = 0; i < 3; i++) {
        char *end;
        size[i] = (uint32_t)strtoul(at, &end, 0);
        at = *end == 'x' ? end + 1 : end;
    }
}

static int stop(void *context, uint64_t done, uint64_t all) {
    (void)context;
    return done <= all;
}

/* One field; fails the test if there is no such. */
static void change(const char *field, char *kernel, struct wsim_launch *launch, uint32_t *flags) {
    const char *value = strchr(field, '=');
    size_t n = value ? (size_t)(value - field) : 0;
    ck_assert_msg(value != NULL, "what is '%s'?", field);
    value++;
    if (strncmp(field, "grid", n) == 0)
        read_size(value, launch->grid);
    else if (strncmp(field, "block", n) == 0)
        read_size(value, launch->block);
    else if (strncmp(field, "cluster", n) == 0)
        read_size(value, launch->cluster);
    else if (strncmp(field, "shared", n) == 0)
        launch->shared = (uint32_t)strtoul(value, NULL, 0);
    else if (strncmp(field, "params", n) == 0)
        launch->param_bytes = (uint32_t)strtoul(value, NULL, 0);
    else if (strncmp(field, "checks", n) == 0)
        launch->checks = (uint32_t)strtoul(value, NULL, 0);
    else if (strncmp(field, "max", n) == 0)
        launch->max_instructions = strtoul(value, NULL, 0);
    else if (strncmp(field, "stop", n) == 0)
        launch->progress = stop;
    else if (strncmp(field, "first", n) == 0)
        launch->first = strtoul(value, NULL, 0);
    else if (strncmp(field, "units", n) == 0)
        launch->units = strtoul(value, NULL, 0);
    else if (strncmp(field, "flags", n) == 0)
        *flags = (uint32_t)strtoul(value, NULL, 0);
    else if (strncmp(field, "cooperative", n) == 0)
        launch->cooperative = (uint8_t)strtoul(value, NULL, 0);
    else if (strncmp(field, "primary", n) == 0) /* bytes of the data that another kernel writes,
                                                   negative: one further before */
        launch->n_primary = (size_t)strtol(value, NULL, 0);
    else if (strncmp(field, "kernel", n) == 0)
        launch->name = strcpy(kernel, value);
    else
        ck_abort_msg("what is '%s'?", field);
}

static void change_all(const char *changes, char *kernel, struct wsim_launch *launch,
                       uint32_t *flags) {
    char field[64];
    int n;
    for (; sscanf(changes, "%63s%n", field, &n) == 1; changes += n)
        change(field, kernel, launch, flags);
}

/* The first problem of a module as a refusal. */
static enum wsim_status first_problem(const struct wsim_module *module, struct wsim_diag *diag) {
    struct wsim_problem problem;
    if (!wsim_module_problem(module, 0, &problem))
        return WSIM_OK;
    if (diag) {
        *diag = (struct wsim_diag){problem.status, problem.line, problem.col, problem.rule, ""};
        snprintf(diag->text, sizeof diag->text, "%s", problem.text);
    }
    return problem.status;
}

/* The first finding of a launch that went on. */
static enum wsim_status first_finding(const struct wsim_report *report, struct wsim_diag *diag) {
    struct wsim_finding finding;
    struct wsim_rule rule;
    if (!wsim_report_finding(report, 0, &finding) || !wsim_rule_find(finding.rule, &rule))
        return WSIM_OK;
    if (diag) {
        *diag = (struct wsim_diag){rule.status, 0, 0, rule.name, ""};
        snprintf(diag->text, sizeof diag->text, "%s", finding.text);
    }
    return rule.status;
}

static enum wsim_status run(struct wsim_module *module, const char *arch,
                            struct wsim_launch *launch, struct wsim_diag *diag) {
    static const uint8_t zeros[60]; /* the last word is uninitialised */
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_touched primary;
    long written;
    uint64_t params[2] = {0};
    enum wsim_status status;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find(arch), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", 64, 0, &params[0], NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_write(device, params[0], zeros, sizeof zeros, NULL), WSIM_OK);
    launch->params = params;
    written = (long)launch->n_primary;
    primary = (struct wsim_touched){params[0], (uint64_t)labs(written), WSIM_TOUCHED_WRITTEN};
    if (written < 0)
        primary.kind += WSIM_TOUCHED_KINDS;
    if (launch->n_primary) {
        launch->primary = &primary;
        launch->n_primary = 1;
    }
    status = wsim_launch_run(device, module, launch, &report, diag);
    if (!status)
        status = first_finding(report, diag);
    wsim_report_free(report);
    wsim_device_free(device);
    return status;
}

enum wsim_status reject_launch(const struct reject_case *what, struct wsim_diag *diag) {
    static char text[8 * CASE_LINE], kernel[64];
    struct wsim_launch launch = {.param_bytes = 8, .threads = 1, .checks = WSIM_CHECK_ALL};
    struct wsim_module *module;
    enum wsim_status status;
    uint32_t flags = 0;
    int is_module = strcmp(what->action, "module") == 0;
    size_t n = is_module ? reject_write(what->spelling, text) : reject_kernel(what->spelling, text);
    change_all(what->changes, kernel, &launch, &flags);
    status = wsim_module_load(text, n, flags, &module, diag);
    if (status)
        return status;
    status = is_module ? first_problem(module, diag) : WSIM_OK;
    if (!status)
        status = run(module, what->arch, &launch, diag);
    wsim_module_free(module);
    return status;
}

/* --- devices --- */

static struct wsim_device *device;
static uint64_t address;

static void open_device(void) {
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", 64, 0, &address, NULL), WSIM_OK);
}

static enum wsim_status close_device(enum wsim_status status) {
    wsim_device_free(device);
    return status;
}

static enum wsim_status no_device(struct wsim_diag *diag) {
    enum wsim_status status = wsim_device_make(NULL, &device, diag);
    ck_assert_ptr_eq(device, NULL);
    return status;
}

static enum wsim_status align_odd(struct wsim_diag *diag) {
    uint64_t other = 7;
    enum wsim_status status;
    open_device();
    status = wsim_device_alloc(device, NULL, 64, 24, &other, diag);
    ck_assert_uint_eq(other, 7);
    return close_device(status);
}

static enum wsim_status release_inside(struct wsim_diag *diag) {
    open_device();
    return close_device(wsim_device_release(device, address + 1, diag));
}

/* Device 65 of an address space. */
static enum wsim_status close_late(struct wsim_diag *diag) {
    struct wsim_device *late[64];
    enum wsim_status status;
    open_device();
    for (size_t i = 0; i < COUNT(late); i++)
        ck_assert_int_eq(wsim_device_make_peer(device, wsim_arch_find("sm_90a"), &late[i], NULL),
                         WSIM_OK);
    status = wsim_device_close(late[COUNT(late) - 1], address, 1, diag);
    for (size_t i = 0; i < COUNT(late); i++)
        wsim_device_free(late[i]);
    return close_device(status);
}

/* A kernel reads a buffer that is closed to its device. */
static enum wsim_status read_closed(struct wsim_diag *diag) {
    static const char text[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                               ".entry k(.param .u64 p) { .reg .u64 %a; .reg .u32 %r;\n"
                               "ld.param.u64 %a, [p]; ld.u32 %r, [%a]; st.u32 [%a], %r; ret; }\n";
    struct wsim_module *module;
    struct wsim_report *report;
    const struct wsim_launch launch = {.params = &address, .param_bytes = 8};
    enum wsim_status status;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_close(device, address, 1, NULL), WSIM_OK);
    status = wsim_launch_run(device, module, &launch, &report, diag);
    wsim_report_free(report);
    close_device(status);
    wsim_module_free(module);
    return status;
}

static enum wsim_status read_past_end(struct wsim_diag *diag) {
    uint8_t bytes[65];
    open_device();
    return close_device(wsim_device_read(device, address, bytes, 65, diag));
}

static enum wsim_status copy_onto(struct wsim_diag *diag) {
    open_device();
    return close_device(wsim_device_copy(device, address, address + 31, 32, diag));
}

static enum wsim_status fill_by_three(struct wsim_diag *diag) {
    open_device();
    return close_device(wsim_device_fill(device, address, 0, 3, 12, diag));
}

static enum wsim_status fill_odd(struct wsim_diag *diag) {
    open_device();
    return close_device(wsim_device_fill(device, address + 2, 0, 4, 12, diag));
}

static enum wsim_status pitch_short(struct wsim_diag *diag) {
    open_device();
    return close_device(wsim_device_fill_2d(device, address, 7, 0, 1, 8, 2, diag));
}

static enum wsim_status no_symbol(struct wsim_diag *diag) {
    static const char text[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                               ".shared .b32 shared;\n";
    struct wsim_module *module;
    uint64_t at, bytes;
    enum wsim_status status;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    status = wsim_device_symbol(device, module, "shared", &at, &bytes, diag);
    close_device(status);
    wsim_module_free(module);
    return status;
}

/* The kernel of one module, and another module. */
static enum wsim_status other_module(struct wsim_diag *diag) {
    static const char text[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                               ".entry k() { ret; }\n";
    struct wsim_module *first, *second;
    enum wsim_status status;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &first, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &second, NULL), WSIM_OK);
    struct wsim_launch launch = {.kernel = wsim_module_kernel(first, 0)};
    ck_assert_int_eq(wsim_launch_check(device, first, &launch, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_launch_check(device, NULL, &launch, NULL), WSIM_OK);
    status = wsim_launch_check(device, second, &launch, diag);
    close_device(status);
    wsim_module_free(first);
    wsim_module_free(second);
    return status;
}

static enum wsim_status no_kernel(struct wsim_diag *diag) {
    const struct wsim_launch launch = {.name = "k"};
    open_device();
    return close_device(wsim_launch_check(device, NULL, &launch, diag));
}

static enum wsim_status no_texts(struct wsim_diag *diag) {
    struct wsim_module *module;
    return wsim_module_link(NULL, 0, 0, &module, NULL, diag);
}

/* A text with more different problems than are listed: `line` has a number for each. */
static enum wsim_status more(const char *line, const char *rule, struct wsim_diag *diag) {
    enum { MANY = 1100 };
    static char text[MANY * 64];
    struct wsim_module *module = NULL;
    struct wsim_problem problem = {.status = WSIM_OK};
    size_t n = (size_t)sprintf(text, ".version 9.0\n.target sm_90a\n.address_size 64\n.entry k()\n{"
                                     " .reg .b32 %%r<2>;\n");
    for (int i = 0; i < MANY; i++)
        n += (size_t)sprintf(text + n, line, i);
    n += (size_t)sprintf(text + n, "}\n");
    wsim_module_load(text, n, WSIM_MODULE_DIAGNOSE, &module, NULL);
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        if (strcmp(problem.rule, rule) == 0)
            break;
    expect(problem.count == MANY - 1000 && problem.line == 1000 + 6, "%s: %u from line %u on",
           problem.rule, (unsigned)problem.count, (unsigned)problem.line);
    if (diag) {
        *diag = (struct wsim_diag){problem.status, problem.line, problem.col, rule, ""};
        snprintf(diag->text, sizeof diag->text, "%s", problem.text);
    }
    wsim_module_free(module);
    return problem.status;
}

static enum wsim_status more_wrong(struct wsim_diag *diag) {
    return more("mov.u32 %%r1, name%d;\n", "ptx.more.wrong", diag);
}

static enum wsim_status more_unmodelled(struct wsim_diag *diag) {
    return more("multimem.red.x%d [%%r1], %%r1;\n", "ptx.more.unmodelled", diag);
}

const struct reject_direct reject_devices[] = {{"arch.missing", no_device},
                                               {"device.align.power", align_odd},
                                               {"device.buffer.missing", release_inside},
                                               {"device.bytes.outside", read_past_end},
                                               {"device.copy.overlap", copy_onto},
                                               {"device.fill.align", fill_odd},
                                               {"device.fill.size", fill_by_three},
                                               {"device.number", close_late},
                                               {"device.pitch.range", pitch_short},
                                               {"device.symbol.unknown", no_symbol},
                                               {"launch.kernel.unknown", other_module},
                                               {"launch.kernel.unknown", no_kernel},
                                               {"memory.peer", read_closed},
                                               {"module.texts.range", no_texts},
                                               {"ptx.more.unmodelled", more_unmodelled},
                                               {"ptx.more.wrong", more_wrong}};
const int reject_devices_count = COUNT(reject_devices);
