/* program.c - the main of a test program that has all tests of a folder:
 *     test_FOLDER                 runs every test_NAME.c, one after the other
 *     test_FOLDER NAME            runs test_NAME.c
 *     test_FOLDER NAME FUNCTION   runs one START_TEST of it
 * PROGRAM_TESTS names a file with a line TEST(NAME) for each; the build has renamed their mains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) int test_main_##name(void);
#include PROGRAM_TESTS
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, test_main_##name},
#include PROGRAM_TESTS
#undef TEST
};

enum { TESTS = sizeof tests / sizeof *tests };

static int usage(const char *program) {
    fprintf(stderr, "usage: %s [NAME [FUNCTION]], NAME is one of:", program);
    for (size_t i = 0; i < TESTS; i++)
        fprintf(stderr, " %s", tests[i].name);
    fputc('\n', stderr);
    return 2;
}

int main(int argc, char **argv) {
    int failed = 0, ran = 0;
    if (argc > 3)
        return usage(argv[0]);
    if (argc == 3)
        setenv("CK_RUN_CASE", argv[2], 1); /* each function is a case of its own: run.h */
    for (size_t i = 0; i < TESTS; i++)
        if (argc == 1 || strcmp(argv[1], tests[i].name) == 0) {
            failed |= tests[i].run() != EXIT_SUCCESS;
            ran++;
        }
    return ran == 0 ? usage(argv[0]) : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
