/* Kernels by name; see kernel_name.h. */
#include "kernel_name.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <ctype.h>
#include <string.h>

enum { NAMES = 64, LIST = 640 };

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Whether `name` has the words of `text` ("ns::scale(float *)": ns, scale) one behind the other, up
 * to the parameters: those are mangled to other words. */
static int holds(const char *name, const char *text) {
    const char *end = text + strcspn(text, "(");
    while (text < end) {
        size_t length = 0;
        while (text < end && !is_word(*text))
            text++;
        while (text + length < end && is_word(text[length]))
            length++;
        if (length == 0)
            break;
        while (*name && strncmp(name, text, length) != 0)
            name++;
        if (!*name)
            return 0;
        name += length;
        text += length;
    }
    return 1;
}

static const char *name_of(const struct wsim_kernel *kernel) {
    struct wsim_kernel_info info;
    wsim_kernel_describe(kernel, &info);
    return info.name;
}

/* "; it has a, b, c". */
static void list_names(const struct wsim_module *module, char out[LIST]) {
    const struct wsim_kernel *kernel;
    size_t used = 0;
    for (size_t i = 0; (kernel = wsim_module_kernel(module, i)) && used + 80 < LIST; i++)
        used += (size_t)snprintf(out + used, LIST - used, "%s%s", i ? ", " : "; it has ",
                                 text_cut(name_of(kernel)).text);
    if (!used)
        snprintf(out, LIST, "; it has no kernel");
    else if (used + 80 >= LIST)
        snprintf(out + used, LIST - used, " ...");
}

static struct name_hint near(const struct wsim_module *module, const char *name) {
    const char *names[NAMES];
    const struct wsim_kernel *kernel;
    size_t n = 0;
    while (n < NAMES && (kernel = wsim_module_kernel(module, n)))
        names[n++] = name_of(kernel);
    return name_near(name, names, n);
}

static int refuse(const struct wsim_module *module, const char *name, size_t found,
                  const struct place *at) {
    char list[LIST];
    struct name_hint hint = name && !found ? near(module, name) : (struct name_hint){""};
    list_names(module, list);
    if (!name)
        return place_error(at, "name a kernel: the PTX does not have exactly one%s", list);
    return place_error(at,
                       found ? "several kernels have '%s' in their names%s%s"
                             : "the PTX has no kernel '%s'%s%s",
                       text_cut(name).text, hint.text, *hint.text ? "" : list);
}

int kernel_find(const struct wsim_module *module, const char *name, int partial,
                const struct place *at, const struct wsim_kernel **kernel) {
    const struct wsim_kernel *one;
    size_t found = 0;
    *kernel = wsim_module_find(module, name);
    if (*kernel)
        return TOOL_GO;
    for (size_t i = 0; name && partial && (one = wsim_module_kernel(module, i)); i++)
        if (holds(name_of(one), name)) {
            *kernel = one;
            found++;
        }
    return found == 1 ? TOOL_GO : refuse(module, name, found, at);
}
