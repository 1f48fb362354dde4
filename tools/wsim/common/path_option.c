/* --path; see path_option.h. */
#include "path_option.h"
#include "names.h"
#include "text.h"
#include "tool.h"

#include <string.h>

/* No path, or one that this machine does not run. */
static int refuse(const char *text, int is_known) {
    char there[128] = "";
    const char *names[WSIM_PATHS];
    size_t used = 0, count = 0;
    for (int i = 0; i < WSIM_PATHS; i++) {
        const char *name = wsim_path_name((enum wsim_path)i);
        if (wsim_path_available((enum wsim_path)i)) {
            used += (size_t)snprintf(there + used, sizeof there - used, " %s", name);
            names[count++] = name;
        }
    }
    if (is_known)
        return tool_error("--path %s: this machine, or this build, has none; there are:%s", text,
                          there);
    return tool_error("--path: unknown path '%s'%s; there are:%s", text_cut(text).text,
                      name_near(text, names, count).text, there);
}

int path_option(const char *text, uint32_t *flags) {
    *flags = 0;
    if (!text)
        return TOOL_GO;
    for (int i = 0; i < WSIM_PATHS; i++)
        if (strcmp(text, wsim_path_name((enum wsim_path)i)) == 0) {
            if (!wsim_path_available((enum wsim_path)i))
                return refuse(text, 1);
            *flags = i == WSIM_PATH_PLAIN ? WSIM_PLAIN : WSIM_UP_TO(i);
            return TOOL_GO;
        }
    return refuse(text, 0);
}
