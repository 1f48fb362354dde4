/* The parameters of a tensor map out of JSON, of a file or of options; the library reads them. */
#include "tma_input.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/launch.h>

/* Lines and columns count from 1; where JSON just ends there is no column. */
static void complain(const char *name, const json_error_t *error) {
    char column[16] = "";
    if (error->column > 0)
        snprintf(column, sizeof column, ":%d", error->column);
    tool_error("%s:%d%s: %s", text_path(name).text, error->line, column, error->text);
}

static json_t *load(const char *file) {
    size_t length;
    char *text = file ? input_bytes(file, &length) : NULL;
    json_error_t error;
    json_t *object;
    if (!file)
        return json_object();
    if (!text)
        return NULL;
    object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!object)
        complain(input_name(file), &error);
    else if (!json_is_object(object))
        tool_error("%s: a tensor map is a JSON object, {\"dtype\": ...}",
                   text_path(input_name(file)).text);
    else
        return object;
    json_decref(object);
    return NULL;
}

void tma_note_strides(const struct wsim_tensor *t) {
    char list[128] = "";
    size_t n = 0;
    for (uint32_t i = 0; i + 1 < t->rank; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%llu", i ? "," : "",
                              (unsigned long long)t->strides[i]);
    tool_note("strides are not given: without gaps they are %s bytes, from dimension 1 on", list);
}

static int read_object(const json_t *object, struct wsim_tensor *tensor) {
    char *text = json_dumps(object, JSON_COMPACT);
    struct wsim_diag diag;
    int packed = 0;
    enum wsim_status status;
    if (!text)
        memory_out();
    status = wsim_launch_tensor(text, strlen(text), tensor, &packed, &diag);
    free(text);
    if (status == WSIM_NO_MEMORY)
        memory_out();
    if (status)
        return tool_error("%s", diag.text);
    if (packed)
        tma_note_strides(tensor);
    return TOOL_GO;
}

int tma_read(const char *file, char *const option[TMA_PARAMETERS], struct wsim_tensor *tensor) {
    json_t *object = load(file);
    int status = object ? tma_put_options(option, object) : TOOL_USAGE;
    if (status == TOOL_GO)
        status = read_object(object, tensor);
    json_decref(object);
    return status;
}
