/* list.c - what there is to run. */
#include "hw.h"

#include <string.h>

#ifndef HW_TARGETS
#define HW_TARGETS "" /* build.sh has the targets that it compiled for */
#endif

static const struct hw_option options[] = {
    HW_OPTION_OPS,
    {"--arch", "NAME", "of another architecture; no GPU is needed", HW_ARCH, HW_AT(arch)},
    {"--targets", NULL, "the targets that this program has code for, nothing else", HW_FLAG,
     HW_AT(targets)},
    {0},
};

/* Selectors of a spelling are kernels one after the other. */
static int list(const struct hw_session *session) {
    size_t next, found = 0;
    for (size_t i = 0; i < hw_kernel_count; i = next) {
        const struct hw_kernel *kernel = &hw_kernels[i];
        for (next = i; next < hw_kernel_count; next++)
            if (strcmp(hw_kernels[next].spelling, kernel->spelling) != 0)
                break;
        if (!hw_matches(session->options.ops, kernel->spelling) || !hw_has_code(session, kernel))
            continue;
        printf("%zu  %s\n", next - i, kernel->spelling);
        found++;
    }
    return found ? 0 : hw_fail("--ops", "no operation matches");
}

static int run_on(struct hw_session *session) {
    int status;
    for (unsigned i = 0; wsim_arch_at(i); i++)
        if (wsim_arch_at(i) == session->options.arch) {
            session->code = i;
            return list(session);
        }
    status = hw_session_open(session);
    if (!status)
        status = list(session);
    hw_session_close(session);
    return status;
}

static int run(int argc, char **argv) {
    struct hw_session session = {.options = {.shard = {0, 1}}};
    int status = hw_options_read(&hw_list_command, &session.options, &argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    if (!session.options.targets)
        return run_on(&session);
    printf("%s\n", HW_TARGETS);
    return 0;
}

const struct hw_command hw_list_command = {
    "list",
    "[options]",
    "the instructions of this GPU, each with its number of selectors (1 if it has none)",
    "\nexit status: 0 done, 2 error, 77 no GPU\n",
    options,
    0,
    run,
};
