/* main.c - prints the operands of the probes as a trace whose results are zeros: what
 * `wsim-hw record --from` takes. */
#include "probe.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*print)(void);
} families[] = {{"singles", probe_singles},
                {"groups", probe_groups},
                {"saturation", probe_saturation},
                {"doubles", probe_doubles},
                {"nibbles", probe_nibbles}};

static int usage(void) {
    fprintf(stderr, "usage: probes FAMILY...; families:");
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        fprintf(stderr, " %s", families[i].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return usage();
    printf("#wsim-trace 1\n#gpu: none\n#arch: sm_90a\n#driver: none\n#toolkit: none\n"
           "#generator: probes\n#seed: none\n#date: none\n");
    for (int i = 1; i < argc; i++) {
        size_t f = 0;
        while (f < sizeof families / sizeof *families && strcmp(families[f].name, argv[i]) != 0)
            f++;
        if (f == sizeof families / sizeof *families)
            return usage();
        families[f].print();
    }
    return fflush(stdout) || ferror(stdout);
}
