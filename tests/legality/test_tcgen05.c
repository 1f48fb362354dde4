/* test_tcgen05.c - statements of tcgen05 and of clusterlaunchcontrol with operands: wsim takes
 * those that the assembler takes, and no others, on every target of tests/data/..._legality.tsv. */
#include "../every.h"

enum { MOST_LINE = 1024, MOST_TEXT = 8192, TARGETS = 11, MOST_SHOWN = 20 };

static const struct wsim_arch *targets[TARGETS];
static unsigned n_targets;

static void read_targets(char *names) {
    n_targets = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        ck_assert_uint_lt(n_targets, TARGETS);
        targets[n_targets] = wsim_arch_find(name);
        ck_assert_msg(targets[n_targets++] != NULL, "no target %s", name);
    }
}

/* Writes out {%r0..3}. */
static void expand(const char *text, char *to, size_t size) {
    size_t n = 0;
    while (*text && n + 1 < size) {
        char name[16];
        unsigned first, last;
        int used = 0;
        if (sscanf(text, "{%15[%a-z]%u..%u}%n", name, &first, &last, &used) == 3 && used) {
            for (unsigned i = first; i <= last; i++)
                n += (size_t)snprintf(to + n, size - n, "%s%s%u%s", i == first ? "{" : "", name, i,
                                      i == last ? "}" : ", ");
            text += used;
        } else {
            to[n++] = *text++;
        }
    }
    to[n] = 0;
}

/* A kernel with the statement; NULL: it is no PTX. *open is set if wsim knows no source of its
 * effect. */
static struct wsim_module *load(const char *statement, int *open, struct wsim_diag *diag) {
    static char text[MOST_TEXT + 512];
    struct wsim_module *module = NULL;
    struct wsim_problem problem;
    int n = snprintf(text, sizeof text,
                     ".version 9.0\n.target sm_100a\n.address_size 64\n"
                     ".visible .entry k(.param .b64 pp) {\n"
                     ".reg .b16 %%rs<8>; .reg .b32 %%r<512>; .reg .f32 %%f<512>;\n"
                     ".reg .b64 %%rd<16>; .reg .pred %%p<8>; .reg .b128 %%q<8>;\n"
                     ".shared .align 16 .b8 sm[4096];\n%s\nret; }\n",
                     statement);
    *open = 0;
    if (wsim_module_load(text, (size_t)n, 0, &module, diag))
        return NULL;
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++) {
        *open = 1;
        if (problem.status == WSIM_UNMODELLED)
            continue;
        wsim_module_free(module);
        return NULL;
    }
    return module;
}

/* Whether a target has the instruction. A kernel that cannot be launched anywhere is judged by its
 * spelling. */
static int takes(const struct wsim_arch *arch, struct wsim_module *module, const char *statement,
                 int open, struct wsim_diag *diag) {
    const uint64_t param = 0;
    struct wsim_launch launch = {.block = {32, 1, 1}, .params = &param, .param_bytes = 8};
    struct wsim_device *device;
    enum wsim_status status;
    if (open) {
        char spelling[WSIM_SPELLING_MAX];
        struct wsim_instruction instruction;
        snprintf(spelling, sizeof spelling, "%.*s", (int)strcspn(statement, " ;"), statement);
        return wsim_instruction_parse(spelling, &instruction, diag) == WSIM_OK &&
               wsim_instruction_check(&instruction, arch, diag) == WSIM_OK;
    }
    ck_assert_int_eq(wsim_device_make(arch, &device, NULL), WSIM_OK);
    launch.kernel = wsim_module_kernel(module, 0);
    status = wsim_launch_check(device, module, &launch, diag);
    wsim_device_free(device);
    return status == WSIM_OK;
}

static unsigned judged, wrong;

static void judge(const char *line, const char *answers) {
    static char statement[MOST_TEXT];
    struct wsim_diag diag = {0};
    struct wsim_module *module;
    int open;
    expand(line, statement, sizeof statement);
    module = load(statement, &open, &diag);
    for (unsigned i = 0; i < n_targets; i++) {
        int legal = answers[i] == '1', got;
        if (answers[i] == '-')
            continue;
        got = module && takes(targets[i], module, statement, open, &diag);
        judged++;
        if (got != legal && wrong++ < MOST_SHOWN)
            fprintf(stderr, "%s %s: %s (%s)\n", wsim_arch_name(targets[i]),
                    legal ? "is refused" : "is taken", line, diag.text);
    }
    wsim_module_free(module);
}

static void judge_all(const char *name, unsigned all) {
    static char line[MOST_LINE];
    char path[512];
    unsigned number = 0;
    FILE *file;
    judged = wrong = 0;
    snprintf(path, sizeof path, "%s/tests/data/%s_legality.tsv", WSIM_SOURCE_DIR, name);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab)
            continue;
        line[strcspn(line, "\n")] = 0;
        *tab = 0;
        if (strcmp(line, "targets") == 0)
            read_targets(tab + 1);
        else if (number++ % run_sample() == 0)
            judge(line, tab + 1);
    }
    fclose(file);
    ck_assert_msg(!wrong, "%u of %u statements are judged otherwise", wrong, judged);
    ck_assert(run_sample() > 1 || judged == all);
}

START_TEST(statements) {
    judge_all("tcgen05", 16199);
}
END_TEST

START_TEST(cancellations) {
    judge_all("cancel", 3388);
}
END_TEST

START_TEST(copies) {
    judge_all("copies", 2000);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{statements, 0, 1}, {cancellations, 0, 1}, {copies, 0, 1}};
    return every_run("legality/tcgen05", tests, COUNT(tests));
}
