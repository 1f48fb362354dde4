/* The machine code of launch files; see assembler.h. */
#include "assembler.h"
#include "../common/assembler.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Why the PTX of a launch file cannot be assembled; NULL: it can. */
static const char *hindrance(const struct wsim_launch_parts *parts) {
    struct wsim_fatbin_member member;
    uint64_t cursor = 0;
    if (parts->nptx != 1)
        return "several files are linked, and only one can be assembled";
    if (wsim_fatbin_next(parts->ptx->bytes, (size_t)parts->ptx->size, &cursor, &member))
        return "the file is a fat binary: give its PTX";
    return NULL;
}

int assembler_run(const struct opened *opened, const struct wsim_arch *arch, const char *which,
                  struct wsim_assembly **assembly) {
    const struct wsim_launch_ptx *ptx = opened->parts->ptx;
    const struct assembler_text text = {ptx->name, ptx->bytes, (size_t)ptx->size};
    const char *given = which ? which : getenv("WSIM_ASSEMBLER"), *why;
    const int is_auto = !given || !*given || strcmp(given, "auto") == 0;
    const int shows = isatty(STDERR_FILENO); /* ptxas takes seconds for large files */
    struct assembler programs = {NULL, NULL, NULL};
    struct assembler_failure failure = {""};
    int status = TOOL_GO;
    *assembly = NULL;
    if (!is_auto && strcmp(given, "none") == 0)
        return TOOL_GO;
    why = hindrance(opened->parts);
    if (!why)
        why = assembler_open(&programs, is_auto ? NULL : given);
    if (why && !is_auto)
        status = tool_error("--assembler '%s': %s", text_path(given).text, why);
    if (!why) {
        if (shows)
            fputs("\rassembling with ptxas (--assembler none: not at all)\033[K", stderr);
        status = assembler_assemble(&programs, &text, arch, assembly, &failure);
        if (shows)
            fputs("\r\033[K", stderr);
        if (status != TOOL_GO && is_auto)
            tool_note("counts follow a rule, because %s", failure.text);
        else if (status != TOOL_GO)
            tool_error("--assembler: %s", failure.text);
    }
    assembler_close(&programs);
    return is_auto ? TOOL_GO : status;
}
