/* The log of errors of the driver. It has no messages. Source: documentation of cuLogs... */
#include "cu.h"

#include <stdio.h>
#include <unistd.h>

static unsigned calls;

static void on_message(void *data, int level, char *message, size_t length) {
    (void)data, (void)level, (void)message, (void)length;
    calls++;
}

START_TEST(callbacks_are_registered_once_each) {
    void *first = NULL, *second = NULL, *context = cu_begin();
    ck_cu(INVALID_VALUE, CU(cuLogsRegisterCallback)(NULL, NULL, &first));
    ck_cu(OK, CU(cuLogsRegisterCallback)(on_message, NULL, &first));
    ck_cu(OK, CU(cuLogsRegisterCallback)(on_message, NULL, &second));
    ck_cu(OK, CU(cuLogsRegisterCallback)(on_message, NULL, NULL));
    ck_assert_ptr_ne(first, second);
    ck_cu(INVALID_VALUE, CU(cuMemFree_v2)((uint64_t)5));
    ck_assert_uint_eq(calls, 0);
    ck_cu(OK, CU(cuLogsUnregisterCallback)(first));
    ck_cu(INVALID_VALUE, CU(cuLogsUnregisterCallback)(first));
    ck_cu(INVALID_VALUE, CU(cuLogsUnregisterCallback)(NULL));
    ck_cu(OK, CU(cuLogsUnregisterCallback)(second));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(dumps_have_no_message) {
    char text[8] = "text", path[] = "/tmp/wsim-log-XXXXXX";
    unsigned iterator = 7;
    size_t size = sizeof text;
    const int file = mkstemp(path);
    ck_assert(file >= 0 && unlink(path) == 0);
    close(file);
    ck_cu(OK, CU(cuLogsCurrent)(&iterator, 0u));
    ck_cu(OK, CU(cuLogsCurrent)(&iterator, 1u));
    ck_cu(INVALID_VALUE, CU(cuLogsCurrent)(NULL, 0u));
    ck_cu(OK, CU(cuLogsDumpToMemory)(&iterator, text, &size, 0u));
    ck_assert_uint_eq(size, 0);
    ck_assert_str_eq(text, "");
    size = sizeof text;
    ck_cu(OK, CU(cuLogsDumpToMemory)(NULL, text, &size, 0u));
    ck_cu(INVALID_VALUE, CU(cuLogsDumpToMemory)(NULL, NULL, &size, 0u));
    ck_cu(INVALID_VALUE, CU(cuLogsDumpToMemory)(NULL, text, NULL, 0u));
    ck_cu(OK, CU(cuLogsDumpToMemory)(NULL, text, &size, 1u));
    ck_cu(OK, CU(cuLogsDumpToFile)(&iterator, path, 0u));
    ck_assert_int_eq(access(path, R_OK), 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_cu(INVALID_VALUE, CU(cuLogsDumpToFile)(NULL, NULL, 0u));
    ck_cu(INVALID_VALUE, CU(cuLogsDumpToFile)(NULL, "/nowhere/file", 0u));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&callbacks_are_registered_once_each,
                                                &dumps_have_no_message};
    TCase *tcase = tcase_create("log");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("log", tcase);
}
