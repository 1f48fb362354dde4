/* What wsim bench prints. */
#include "bench.h"

static double ratio(double ns, double loop) {
    return loop > 0 ? ns / loop : 0;
}

/* Three digits that count. */
static const char *number(double x, char text[16]) {
    if (x <= 0)
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.*f", x < 0.1 ? 4 : x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, x);
    return text;
}

void bench_print_text(const struct bench_form *form) {
    char text[6][16];
    printf("%s on %s\n", form->spelling, wsim_arch_name(form->arch));
    if (form->loop > 0)
        printf("  plain loop, B %s: %s ns; restrict: %s ns (%s)\n", form->order,
               number(form->loop, text[0]), number(form->restricted, text[1]), form->level);
    printf("  %-10s %-7s %9s %8s %12s", "path", "kernel", "ns", "of loop", "of restrict");
    for (int dist = 1; dist < BENCH_DISTS; dist++)
        printf(" %9s", wsim_dist_name(bench_dists[dist]));
    putchar('\n');
    for (int i = 0; i < form->paths; i++) {
        const struct bench_path *path = &form->path[i];
        printf("  %-10s %-7s %9s %8s %12s", wsim_path_name(path->path),
               path->kernel ? path->kernel : "-", number(path->ns[0], text[0]),
               number(ratio(path->ns[0], form->loop), text[1]),
               number(ratio(path->ns[0], form->restricted), text[2]));
        for (int dist = 1; dist < BENCH_DISTS; dist++)
            printf(" %9s", number(path->ns[dist], text[3]));
        putchar('\n');
    }
    putchar('\n');
}

static json_t *or_null(double x) {
    return x > 0 ? json_real(x) : json_null();
}

json_t *bench_json(const struct bench_form *form) {
    json_t *list = json_array();
    for (int i = 0; i < form->paths; i++) {
        const struct bench_path *path = &form->path[i];
        json_t *dists = json_object();
        for (int dist = 0; dist < BENCH_DISTS; dist++)
            json_object_set_new(dists, wsim_dist_name(bench_dists[dist]),
                                json_real(path->ns[dist]));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s?, s:f, s:o, s:o, s:o, s:o, s:o}", "spelling",
                            form->spelling, "arch", wsim_arch_name(form->arch), "path",
                            wsim_path_name(path->path), "kernel", path->kernel, "ns", path->ns[0],
                            "ratio_to_float_loop", or_null(ratio(path->ns[0], form->loop)),
                            "ratio_to_restrict_loop", or_null(ratio(path->ns[0], form->restricted)),
                            "loop_ns", or_null(form->loop), "restrict_loop_ns",
                            or_null(form->restricted), "distributions_ns", dists));
    }
    return list;
}
