/* Milliseconds for reading the PTX of tests/kernels: all files in turn, several times
 * over, as modules of one text. Argument: another file to read instead. */
#include "../sim/ptx/ptx.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

struct text {
    char *at;
    size_t n;
};

static void append(struct text *text, const char *path) {
    enum { PIECE = 1 << 16 };
    FILE *file = fopen(path, "rb");
    for (size_t read = 1; file && read; text->n += read) {
        char *larger = realloc(text->at, text->n + PIECE);
        if (!larger)
            break;
        text->at = larger;
        read = fread(text->at + text->n, 1, PIECE, file);
    }
    if (file)
        fclose(file);
}

/* FOLDER/NAME/NAME.ptx of all names. */
static void append_folder(struct text *text, const char *folder) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/%s.ptx", folder, entry->d_name, entry->d_name);
        append(text, path);
    }
    if (dir)
        closedir(dir);
}

int main(int argc, char **argv) {
    enum { ROUNDS = 15 };
    struct text text = {NULL, 0};
    double best = 1e30;
    size_t lines = 0, instructions = 0;
    if (argc > 1)
        append(&text, argv[1]);
    else
        append_folder(&text, "tests/kernels");
    for (int round = 0; round < ROUNDS && text.n; round++) {
        struct ptx_module module;
        struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
        double start = now();
        enum wsim_status status = ptx_read(text.at, text.n, &module, &diag);
        double spent = now() - start;
        best = spent < best ? spent : best;
        lines = instructions = 0;
        for (const struct ptx_module *m = &module; m; m = m->next) {
            lines += m->lines - (m->next != NULL);
            for (uint32_t i = 0; i < m->n_functions; i++)
                instructions += m->functions[i].n_code;
        }
        if (status)
            printf("%u:%u: %s\n", (unsigned)diag.line, (unsigned)diag.col, diag.text);
        ptx_free(&module);
    }
    printf("%zu lines, %zu instructions, %zu bytes: %.2f ms, %.2f ms for 20,000 lines\n", lines,
           instructions, text.n, best, lines ? best * 20000.0 / (double)lines : 0.0);
    free(text.at);
    return 0;
}
