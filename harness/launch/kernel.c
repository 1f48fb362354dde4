/* Kernels by name; see file.h. */
#include "file.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 64, LIST = 200 };

static int is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

/* Whether `name` has the words of `text` ("ns::scale(float *)": ns, scale) one after the other, up
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
    struct base_text text = {out, LIST, 0};
    for (size_t i = 0; (kernel = wsim_module_kernel(module, i)) && text.used + 80 < LIST; i++)
        base_put(&text, "%s%s", i ? ", " : "; it has ", lf_cut(name_of(kernel)).text);
    if (!text.used)
        base_put(&text, "; it has no kernel");
    else if (text.used + 80 >= LIST)
        base_put(&text, " ...");
}

static struct lf_hint near(const struct wsim_module *module, const char *name) {
    const char *names[NAMES];
    const struct wsim_kernel *kernel;
    size_t n = 0;
    while (n < NAMES && (kernel = wsim_module_kernel(module, n)))
        names[n++] = name_of(kernel);
    return lf_near(name, names, n);
}

static enum wsim_status refuse(const struct wsim_module *module, const char *name, size_t found,
                               const struct lf_node *at, struct wsim_diag *diag) {
    char list[LIST];
    struct lf_hint hint = name && !found ? near(module, name) : (struct lf_hint){""};
    list_names(module, list);
    if (!name)
        return lf_refuse(diag, at, RULE_LAUNCH_KERNEL_UNKNOWN,
                         "name a kernel: the PTX does not have exactly one%s", list);
    return lf_refuse(diag, at, RULE_LAUNCH_KERNEL_UNKNOWN,
                     found ? "several kernels have '%s' in their names%s%s"
                           : "the PTX has no kernel '%s'%s%s",
                     lf_cut(name).text, hint.text, *hint.text ? "" : list);
}

enum wsim_status lf_kernel(const struct wsim_module *module, const char *name, int partial,
                           const struct lf_node *at, const struct wsim_kernel **kernel,
                           struct wsim_diag *diag) {
    const struct wsim_kernel *one;
    size_t found = 0;
    *kernel = wsim_module_find(module, name);
    if (*kernel)
        return WSIM_OK;
    for (size_t i = 0; name && partial && (one = wsim_module_kernel(module, i)); i++)
        if (holds(name_of(one), name)) {
            *kernel = one;
            found++;
        }
    return found == 1 ? WSIM_OK : refuse(module, name, found, at, diag);
}
