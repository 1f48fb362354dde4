/* The public names of NVRTC and nvJitLink, as a library has them that a program opens. Function
 * `run` calls them: 0 if those that return machine code return PTX. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME __attribute__((visibility("default"), noinline)) int
#define CHECK(truth)                                                                               \
    do {                                                                                           \
        if (!(truth)) {                                                                            \
            printf("line %d: %s\n", __LINE__, #truth);                                             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* --- NVRTC --- */

static volatile int calls;

NAME nvrtcGetPTXSize(void *program, size_t *size);
NAME nvrtcGetPTX(void *program, char *code);
NAME nvrtcGetCUBINSize(void *program, size_t *size);
NAME nvrtcGetCUBIN(void *program, char *code);

NAME nvrtcGetPTXSize(void *program, size_t *size) {
    *size = strlen(program) + 1;
    return calls++ < 0;
}

NAME nvrtcGetPTX(void *program, char *code) {
    memcpy(code, program, strlen(program) + 1);
    return calls++ < 0;
}

NAME nvrtcGetCUBINSize(void *program, size_t *size) {
    *size = strlen(program) + 100;
    return calls++ >= 0;
}

NAME nvrtcGetCUBIN(void *program, char *code) {
    memcpy(code, program, 1);
    return calls++ >= 0;
}

static int run_nvrtc(void) {
    char program[] = ".version 8.0", code[16] = "";
    size_t size = 0;
    CHECK(nvrtcGetCUBINSize(program, &size) == 0 && size == sizeof program);
    CHECK(nvrtcGetCUBIN(program, code) == 0 && strcmp(code, program) == 0);
    CHECK(calls == 2);
    return 0;
}

/* --- nvJitLink: plain names fail, those with a version are genuine --- */

#define BOTH(name, parameters, arguments)                                                          \
    NAME nvJitLink##name parameters;                                                               \
    NAME __nvJitLink##name##_9_9 parameters;                                                       \
    NAME nvJitLink##name parameters {                                                              \
        calls++;                                                                                   \
        return 1000 + __nvJitLink##name##_9_9 arguments;                                           \
    }                                                                                              \
    NAME __nvJitLink##name##_9_9 parameters

static char linked[1024];

BOTH(Create, (void **handle, uint32_t n, const char **options), (handle, n, options)) {
    strcpy(linked, "//");
    for (uint32_t i = 0; i < n; i++)
        strcat(strcat(linked, options[i]), " ");
    strcat(linked, "\n");
    *handle = linked;
    return 0;
}
BOTH(Destroy, (void **handle), (handle)) {
    *handle = NULL;
    return 0;
}
BOTH(AddData, (void *handle, int type, const void *data, size_t size, const char *name),
     (handle, type, data, size, name)) {
    (void)size, (void)name;
    strcat(handle, type == 3 ? data : "?");
    return 0;
}
BOTH(AddFile, (void *handle, int type, const char *path), (handle, type, path)) {
    (void)handle, (void)type, (void)path;
    return 0;
}
BOTH(Complete, (void *handle), (handle)) {
    return handle != linked;
}
BOTH(GetLinkedCubinSize, (void *handle, size_t *size), (handle, size)) {
    (void)handle, (void)size;
    return 2;
}
BOTH(GetLinkedCubin, (void *handle, char *code), (handle, code)) {
    (void)handle, (void)code;
    return 2;
}
BOTH(GetLinkedPtxSize, (void *handle, size_t *size), (handle, size)) {
    *size = strlen(handle) + 1;
    return 0;
}
BOTH(GetLinkedPtx, (void *handle, char *code), (handle, code)) {
    memcpy(code, handle, strlen(handle) + 1);
    return 0;
}
BOTH(GetErrorLogSize, (void *handle, size_t *size), (handle, size)) {
    (void)handle;
    *size = 1;
    return 0;
}
BOTH(GetErrorLog, (void *handle, char *text), (handle, text)) {
    (void)handle, (void)text;
    return 0;
}
BOTH(GetInfoLogSize, (void *handle, size_t *size), (handle, size)) {
    (void)handle, (void)size;
    return 0;
}
BOTH(GetInfoLog, (void *handle, char *text), (handle, text)) {
    (void)handle, (void)text;
    return 0;
}

static const char caller[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                             ".extern .func (.param .b32 r) f;\n"
                             ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<2>;\n"
                             "{ .param .b32 r; call (r), f; ld.param.b32 %r1, [r]; }\nret;\n}\n";
static const char callee[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                             ".visible .func (.param .b32 r) f\n{\n"
                             "st.param.b32 [r], 42;\nret;\n}\n";

/* The library of the device runtime, as an archive has it. */
static const char runtime[] = "!<arch>\ncuda_device_runtime.o/  0  0  0  644  8  `\n\x7f"
                              "ELF";

static int run_link(void) {
    const char *options[] = {"-arch=sm_90"};
    char text[4096];
    void *handle = NULL;
    size_t size = 0;
    CHECK(nvJitLinkCreate(&handle, 1, options) == 0 && handle && handle != (void *)linked);
    CHECK(nvJitLinkAddData(handle, 1,
                           "\x7f"
                           "ELF",
                           4, "a.cubin") != 0);
    CHECK(nvJitLinkGetErrorLogSize(handle, &size) == 0 && size > 1 && size < sizeof text);
    CHECK(nvJitLinkGetErrorLog(handle, text) == 0 && strstr(text, "a.cubin is no PTX"));
    CHECK(nvJitLinkGetLinkedCubinSize(handle, &size) != 0);
    CHECK(nvJitLinkAddData(handle, 2, caller, sizeof caller, "caller") == 0);
    CHECK(nvJitLinkAddData(handle, 2, callee, sizeof callee, "callee") == 0);
    CHECK(nvJitLinkAddData(handle, 6, runtime, sizeof runtime, "libcudadevrt.a") == 0);
    CHECK(nvJitLinkAddData(handle, 6, runtime, 12, "other.a") != 0);
    CHECK(nvJitLinkComplete(handle) == 0);
    CHECK(nvJitLinkGetLinkedCubinSize(handle, &size) == 0 && size < sizeof text);
    CHECK(nvJitLinkGetLinkedCubin(handle, text) == 0 && strlen(text) == size - 1);
    CHECK(strstr(text, ".entry k") && strstr(text, "[r], 42"));
    CHECK(nvJitLinkDestroy(&handle) == 0 && !handle);
    CHECK(nvJitLinkCreate(&handle, 1, options) == 0);
    CHECK(nvJitLinkAddData(handle, 2, caller, sizeof caller, "caller") == 0);
    CHECK(nvJitLinkAddData(handle, 2, "nonsense", 9, "nonsense") != 0);
    CHECK(nvJitLinkGetErrorLogSize(handle, &size) == 0 && size > 1);
    CHECK(nvJitLinkComplete(handle) != 0);
    CHECK(nvJitLinkDestroy(&handle) == 0);
    return 0;
}

/* The genuine library makes PTX of the LTO IR, here the text of the unit itself. */
static int run_lto(void) {
    const char *options[] = {"-lto", "-O3"};
    char text[4096];
    void *handle = NULL;
    size_t size = 0;
    CHECK(nvJitLinkCreate(&handle, 2, options) == 0 && strcmp(linked, "//-lto -O3 -ptx \n") == 0);
    CHECK(nvJitLinkAddData(handle, 3, callee, sizeof callee, "a.ltoir") == 0);
    CHECK(nvJitLinkAddData(handle, 2, caller, sizeof caller, "caller") == 0);
    CHECK(nvJitLinkComplete(handle) == 0);
    CHECK(nvJitLinkGetLinkedCubinSize(handle, &size) == 0 && size < sizeof text);
    CHECK(nvJitLinkGetLinkedCubin(handle, text) == 0 && strlen(text) == size - 1);
    CHECK(strstr(text, ".entry k") && strstr(text, "[r], 42") && strstr(text, "-ptx"));
    CHECK(nvJitLinkDestroy(&handle) == 0);
    return 0;
}

NAME run(void);
NAME run(void) {
    calls = 0;
    return run_nvrtc() || run_link() || run_lto() || calls != 2;
}
