/* test_kernels.c - which products are computed on the plain path alone: those of plain.txt, and no
 * others. Skipped where this machine has no path of vectors. */
#include "../every.h"

enum { MOST = 256, NAME = 256 };

static struct line {
    char name[NAME];
    int is_said, is_so;
} lines[MOST];
static int count;

/* The line of a row and shape; a new one if there is none. */
static struct line *line_of(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(lines[i].name, name) == 0)
            return &lines[i];
    expect(count < MOST, "more lines than %d", MOST);
    snprintf(lines[count].name, NAME, "%s", name);
    return &lines[count++];
}

static void read_said(void) {
    char text[256];
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/rows/plain.txt", "r");
    expect(file != NULL, "no tests/rows/plain.txt");
    while (fgets(text, sizeof text, file)) {
        text[strcspn(text, "#\n")] = '\0';
        while (*text && text[strlen(text) - 1] == ' ')
            text[strlen(text) - 1] = '\0';
        if (*text)
            line_of(text)->is_said = 1;
    }
    fclose(file);
}

/* wgmma has one row for all widths, which are alike here; Volta has fragments of its own. */
static void look(const struct wsim_op *op, const struct wsim_arch *arch) {
    struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_code code;
    char name[NAME];
    if (wsim_prepare(op, arch, 0, &code, NULL) || wsim_code_path(&code) != WSIM_PATH_PLAIN)
        return;
    if (info.does & WSIM_DOES_WMMA)
        snprintf(name, sizeof name, "%s m%un%uk%u", info.row, info.m, info.n, info.k);
    else
        snprintf(name, sizeof name, "%s", info.row);
    line_of(name)->is_so = 1;
}

START_TEST(plain_products_are_those_of_the_list) {
    struct wsim_op op;
    int wrong = 0;
    if (!wsim_path_available(WSIM_PATH_AVX2))
        return;
    read_said();
    for (int i = 0; every_op(i, &op); i++) {
        for (size_t a = 0; wsim_arch_at(a); a++)
            if (wsim_op_describe(&op).does & WSIM_DOES_MULTIPLY)
                look(&op, wsim_arch_at(a));
    }
    for (int i = 0; i < count; i++)
        if (lines[i].is_said != lines[i].is_so) {
            printf("%s: %s\n", lines[i].name,
                   lines[i].is_so ? "has no kernel, and plain.txt does not say so"
                                  : "has kernels everywhere: not a line of plain.txt");
            wrong++;
        }
    expect(!wrong, "%d lines", wrong);
}
END_TEST

int main(void) {
    struct every_test tests[] = {{plain_products_are_those_of_the_list, 0, 1}};
    return every_run("kernels", tests, COUNT(tests));
}
