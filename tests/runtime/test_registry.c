/* The code of nvcc registers functions before main. Here wrappers, names and handles are wrong.
 * Calls give errors and never end the process. */
#include "cu.h"

/* As nvcc writes it. */
struct wrapper {
    uint32_t magic, version;
    const void *fatbin, *more;
};

static cu_function *find(const char *name) {
    static void *library;
    cu_function *function = NULL;
    void *symbol;
    if (!library)
        library = dlopen(RUNTIME_FOLDER "/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    symbol = dlsym(library, name);
    ck_assert_msg(symbol != NULL, "%s is missing", name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static void **open_wrapper(const void *wrapper) {
    void **(*begin)(const void *) = NULL;
    cu_function *function = find("__cudaRegisterFatBinary");
    memcpy(&begin, &function, sizeof begin);
    return begin(wrapper);
}

static void add(void **handle, const char *host, const char *name) {
    (*find("__cudaRegisterFunction"))(handle, host, name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static int attributes(const char *host) {
    unsigned char out[512];
    return (*find("cudaFuncGetAttributes"))(out, host);
}

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
enum { MAGIC = 0x466243B1, INVALID_FUNCTION = 98 };

START_TEST(wrappers) {
    static const struct wrapper good = {MAGIC, 1, text, NULL}, magic = {7, 1, text, NULL},
                                none = {MAGIC, 1, NULL, NULL},
                                low = {MAGIC, 1, (const void *)16, NULL};
    static const struct wrapper *const all[] = {&good, &magic, &none, &low, NULL};
    static const char hosts[5];
    for (size_t i = 0; i < 5; i++) {
        void **handle = open_wrapper(all[i]);
        add(handle, &hosts[i], "k");
        ck_assert_int_eq(attributes(&hosts[i]), i ? WSIMRT_INVALID_IMAGE : 0);
        (*find("__cudaUnregisterFatBinary"))(handle);
        (*find("__cudaUnregisterFatBinary"))(handle);
        ck_assert_int_eq(attributes(&hosts[i]), INVALID_FUNCTION);
    }
}
END_TEST

START_TEST(names_and_handles) {
    static const struct wrapper good = {MAGIC, 1, text, NULL};
    static const char hosts[5];
    void **handle = open_wrapper(&good), *stray[2] = {NULL, NULL};
    add(handle, &hosts[0], NULL);
    add(handle, &hosts[1], "");
    add(handle, &hosts[2], "k;ret;}.visible .entry z(){");
    add(stray, &hosts[3], "k");
    add(NULL, &hosts[4], "k");
    ck_assert_int_eq(attributes(&hosts[0]), WSIMRT_INVALID_VALUE);
    for (size_t i = 1; i < 5; i++)
        ck_assert_int_eq(attributes(&hosts[i]), i < 3 ? INVALID_FUNCTION : WSIMRT_INVALID_HANDLE);
    (*find("__cudaUnregisterFatBinary"))(stray);
    (*find("__cudaUnregisterFatBinary"))(NULL);
    (*find("__cudaUnregisterFatBinary"))(handle);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("registry");
    tcase_add_test(tcase, wrappers);
    tcase_add_test(tcase, names_and_handles);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("registry", tcase);
}
