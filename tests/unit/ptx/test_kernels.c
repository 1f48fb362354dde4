/* All kernels of tests/kernels are read, and nothing in them is a problem; of one the parts are
 * known. */
#include "text.h"

#include <dirent.h>

static char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    *size = 0;
    for (size_t room = 1 << 16, n = 1; n; room *= 2) {
        text = realloc(text, room);
        ck_assert_ptr_nonnull(text);
        n = fread(text + *size, 1, room - *size, file);
        *size += n;
    }
    fclose(file);
    return text;
}

START_TEST(kernels) {
    DIR *dir = opendir(WSIM_SOURCE_DIR "/tests/kernels");
    struct dirent *entry;
    int n = 0;
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, WSIM_SOURCE_DIR "/tests/kernels/%s/%s.ptx", entry->d_name,
                 entry->d_name);
        char *text = slurp(path, &size);
        struct ptx_module m;
        struct wsim_diag diag;
        if (!text)
            continue;
        n++;
        ck_assert_msg(ptx_read(text, size, &m, &diag) == WSIM_OK, "%s:%u:%u: %s", path,
                      (unsigned)diag.line, (unsigned)diag.col, diag.text);
        ck_assert_msg(m.n_problems == 0, "%s:%u: %s", path, (unsigned)m.problems[0].line,
                      m.problems[0].text);
        ck_assert_uint_gt(m.n_functions, 0);
        for (uint32_t i = 0; i < m.n_opcodes; i++)
            ck_assert_uint_ne(m.opcodes[i].kind, PTX_UNKNOWN);
        ptx_free(&m);
        free(text);
    }
    closedir(dir);
    ck_assert_int_ge(n, 32);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {kernels};
    return run_tests("unit/ptx/kernels", tests, 1);
}
