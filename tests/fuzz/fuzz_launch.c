/* Any text as a launch file. A refusal has a sentence and a place. Otherwise every part is sound,
 * and a small file is made ready to run. Files that it names are made up. */
#include <wsim/harness/launch.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20 };

static void need(int truth) {
    if (!truth)
        abort();
}

static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 v[2];\n"
                          ".visible .entry k(.param .u64 a, .param .u32 n) { ret; }\n";
static const char npy[] =
    "\223NUMPY\1\0\066\0{'descr': '>u4', 'fortran_order': False, 'shape': (2)}"
    "\0\0\0\1\0\0\0\2";

/* PTX, an array or eight bytes, by the last letter of the name. */
static enum wsim_status open_any(void *context, const char *name, uint64_t most, void **bytes,
                                 uint64_t *size, struct wsim_diag *diag) {
    const size_t length = strlen(name);
    const char last = name[length - 1];
    const char *from = last == 'x' ? ptx : npy;
    *size = last == 'x' ? sizeof ptx - 1 : last == 'y' ? sizeof npy - 1 : 8;
    need(context == NULL && length > 0 && diag && most <= WSIM_LAUNCH_BYTES + (1 << 20));
    *bytes = malloc((size_t)*size);
    if (!*bytes)
        return WSIM_NO_MEMORY;
    memcpy(*bytes, from, (size_t)*size);
    return WSIM_OK;
}

static void release_any(void *context, void *bytes) {
    need(context == NULL);
    free(bytes);
}

static void check_args(const struct wsim_launch_parts *parts, const struct wsim_launch_one *one) {
    for (size_t i = 0; i < one->nargs; i++) {
        const struct wsim_launch_arg *arg = &one->args[i];
        need(arg->bytes <= WSIM_LAUNCH_PARAMS && (arg->bytes == 0 || arg->value));
        for (size_t k = 0; k < arg->npatches; k++) {
            const struct wsim_launch_patch *patch = &arg->patches[k];
            const uint32_t bytes = patch->is_map ? sizeof(struct wsim_tensor_map) : 8;
            need(patch->buffer < parts->nbuffers && patch->at <= arg->bytes &&
                 bytes <= arg->bytes - patch->at);
            need(patch->offset <= parts->buffers[patch->buffer].bytes);
        }
    }
}

/* Whether all parts are within their limits; the bytes of all buffers. */
static uint64_t check_parts(const struct wsim_launch_parts *parts) {
    uint64_t all = 0;
    need(parts->nptx > 0 && parts->nlaunches > 0 && parts->nlaunches <= WSIM_LAUNCH_LAUNCHES);
    for (size_t i = 0; i < parts->nbuffers; i++) {
        const struct wsim_launch_buffer *buffer = &parts->buffers[i];
        need(buffer->given_bytes <= buffer->bytes && buffer->fill >= -1 && buffer->fill < 256);
        all += buffer->bytes;
    }
    need(all <= WSIM_LAUNCH_BYTES);
    for (size_t i = 0; i < parts->nlaunches; i++)
        check_args(parts, &parts->launches[i]);
    for (size_t i = 0; i < parts->nexpects; i++)
        need(parts->expects[i].symbol ||
             parts->expects[i].size == parts->buffers[parts->expects[i].buffer].bytes);
    for (size_t i = 0; i < parts->nsaves; i++)
        need(parts->saves[i].buffer < parts->nbuffers && parts->saves[i].rank <= 8);
    return all;
}

static void make_ready(const struct wsim_launch_file *file) {
    const struct wsim_launch_options options = {.checks = WSIM_CHECK_ALL, .threads = 1};
    struct wsim_diag diag = {.text = ""};
    struct wsim_session *session;
    enum wsim_status status = wsim_session_make(file, &options, &session, NULL, &diag);
    need(status ? *diag.text != 0 : session != NULL);
    if (!status)
        status = wsim_session_fill(session, &diag);
    if (!status)
        status = wsim_session_check(session, &diag);
    need(!status || *diag.text);
    wsim_session_free(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct wsim_launch_files files = {.open = open_any, .release = release_any};
    const struct wsim_launch_text text = {(const char *)data, size, &files};
    struct wsim_launch_file *file;
    struct wsim_diag diag = {.text = ""};
    struct wsim_tensor tensor;
    int packed;
    if (wsim_launch_open(&text, 1, &file, NULL, &diag)) {
        need(file == NULL && *diag.text && diag.line > 0 && diag.col > 0);
    } else {
        if (check_parts(wsim_launch_parts(file)) <= MOST_BYTES)
            make_ready(file);
        wsim_launch_close(file);
    }
    if (!wsim_launch_tensor((const char *)data, size, &tensor, &packed, &diag))
        need(tensor.rank >= 1 && tensor.rank <= WSIM_TENSOR_RANK);
    return 0;
}
