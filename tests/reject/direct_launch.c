/* Refusals of launch files and of headers of .npy files. */
#include "case.h"

#include <wsim/harness/launch.h>
#include <wsim/harness/npy.h>

static const char ptx[] = ".version 8.0 .target sm_90a .address_size 64 "
                          ".visible .entry k(.param .u64 a) { ret; }";

/* Reads "k.ptx", and sixteen bytes of any other file but "none". */
static enum wsim_status open_here(void *context, const char *name, uint64_t most, void **bytes,
                                  uint64_t *size, struct wsim_diag *diag) {
    static char data[16], text[sizeof ptx];
    (void)context;
    (void)most;
    memcpy(text, ptx, sizeof text);
    *bytes = strcmp(name, "k.ptx") == 0 ? text : data;
    *size = strcmp(name, "k.ptx") == 0 ? sizeof text - 1 : sizeof data;
    if (strcmp(name, "none") != 0)
        return WSIM_OK;
    strcpy(diag->text, "there is no such file");
    return WSIM_SYNTAX;
}

/* Reads a launch file and makes a session; returns the first error. */
static enum wsim_status read_file(const char *json, struct wsim_diag *diag) {
    const struct wsim_launch_files files = {.open = open_here};
    const struct wsim_launch_text text = {json, strlen(json), &files};
    const struct wsim_launch_options options = {0};
    struct wsim_launch_file *file;
    struct wsim_session *session = NULL;
    enum wsim_status status = wsim_launch_open(&text, 1, &file, NULL, diag);
    if (!status)
        status = wsim_session_make(file, &options, &session, NULL, diag);
    wsim_session_free(session);
    wsim_launch_close(file);
    return status;
}

#define KERNEL "{\"ptx\": \"k.ptx\", "

static enum wsim_status no_json(struct wsim_diag *diag) {
    return read_file("{\"ptx\": \"k.ptx\",}", diag);
}

static enum wsim_status twice(struct wsim_diag *diag) {
    return read_file(KERNEL "\"ptx\": \"k.ptx\"}", diag);
}

static enum wsim_status field(struct wsim_diag *diag) {
    return read_file(KERNEL "\"launches\": [{\"gird\": [1]}]}", diag);
}

static enum wsim_status size(struct wsim_diag *diag) {
    return read_file(KERNEL "\"buffers\": {\"a\": {\"bytes\": 4, \"file\": \"sixteen\"}}}", diag);
}

static enum wsim_status unreadable(struct wsim_diag *diag) {
    return read_file(KERNEL "\"buffers\": {\"a\": {\"file\": \"none\"}}}", diag);
}

static enum wsim_status name(struct wsim_diag *diag) {
    return read_file(KERNEL "\"arch\": \"sm_1\"}", diag);
}

static enum wsim_status number(struct wsim_diag *diag) {
    return read_file(KERNEL "\"launches\": [{\"args\": [{\"u8\": 256}]}]}", diag);
}

static enum wsim_status kernel(struct wsim_diag *diag) {
    return read_file(KERNEL "\"launches\": [{\"kernel\": \"K\"}]}", diag);
}

static enum wsim_status argument(struct wsim_diag *diag) {
    return read_file(KERNEL "\"launches\": [{\"args\": [{\"u32\": 1}]}]}", diag);
}

static enum wsim_status array(struct wsim_diag *diag) {
    struct wsim_npy array;
    return wsim_npy_read("{'descr': '<f3'}", 16, &array, diag);
}

const struct reject_direct reject_launches[] = {
    {"launch.file.json", no_json},          {"launch.file.json", twice},
    {"launch.field.wrong", field},          {"launch.file.size", size},
    {"launch.file.unreadable", unreadable}, {"launch.name.unknown", name},
    {"launch.number.range", number},        {"launch.kernel.unknown", kernel},
    {"launch.params.size", argument},       {"npy.header.wrong", array},
};

const int reject_launches_count = COUNT(reject_launches);
