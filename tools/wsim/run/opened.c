/* Launch files; see opened.h. */
#include "opened.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../../lib/launch_files.h"
#include "../tma/tma_input.h"

#include <stdlib.h>
#include <string.h>

int opened_refuse(const struct opened *opened, const char *ptx, const struct wsim_diag *diag) {
    const size_t file = strncmp(diag->text, "ptx: ", 5) == 0 ? 5 : 0;
    const char *name = ptx ? ptx : opened->name ? input_name(opened->name) : NULL;
    if (diag->status == WSIM_NO_MEMORY)
        memory_out();
    if (name && diag->line)
        tool_error("%s:%lu:%lu: %s", text_path(name).text, (unsigned long)diag->line,
                   (unsigned long)diag->col, diag->text);
    else
        tool_error("%s%s%s", file ? "" : "the command line: ", diag->text + file,
                   strstr(diag->text, ": unknown buffer ")
                       ? "; make one with --arg or --buffer and NAME@FILE or NAME[BYTES]"
                       : "");
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

/* Notes the strides that were computed. */
static void note_maps(const struct wsim_launch_parts *parts) {
    for (size_t i = 0; i < parts->nlaunches; i++)
        for (size_t k = 0; k < parts->launches[i].nargs; k++)
            for (size_t p = 0; p < parts->launches[i].args[k].npatches; p++) {
                const struct wsim_launch_patch *patch = &parts->launches[i].args[k].patches[p];
                if (patch->packed)
                    tma_note_strides(&patch->tensor);
            }
}

int opened_read(struct opened *opened, const char *name, const json_t *json,
                const struct wsim_launch_files *files) {
    struct wsim_launch_files beside;
    struct wsim_launch_text texts[2];
    struct wsim_diag diag;
    char *text = NULL, *own = json ? json_dumps(json, JSON_COMPACT) : NULL;
    size_t n = 0, length = 0, wrong = 0;
    int status = TOOL_GO;
    *opened = (struct opened){.name = name};
    if (json && !own)
        memory_out();
    if (name) {
        text = input_bytes(name, &length);
        opened->folder = input_folder(name);
        beside = launch_files(opened->folder);
        texts[n++] = (struct wsim_launch_text){text, length, &beside};
        status = text ? TOOL_GO : TOOL_USAGE;
    }
    if (own)
        texts[n++] = (struct wsim_launch_text){own, strlen(own), files};
    if (status == TOOL_GO && wsim_launch_open(texts, n, &opened->file, &wrong, &diag)) {
        if (texts[wrong].bytes == own)
            diag.line = 0;
        status = opened_refuse(opened, NULL, &diag);
    }
    if (status == TOOL_GO) {
        opened->parts = wsim_launch_parts(opened->file);
        note_maps(opened->parts);
    }
    free(text);
    free(own);
    return status;
}

void opened_close(struct opened *opened) {
    wsim_launch_close(opened->file);
    free(opened->folder);
}
