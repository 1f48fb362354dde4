/* Where counts come from; see counted.h. */
#include "counted.h"
#include "kernel_name.h"

#include <string.h>

/* Whether a list "a, b" has a name. */
static int has(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ",");
        if (length == n && memcmp(at, name, n) == 0)
            return 1;
        at += length;
    }
    return 0;
}

void counted_add(struct counted *counted, int by_machine, const char *kernel) {
    enum { MOST = 3 };
    const struct kernel_name name = kernel_name(kernel);
    char *list = counted->kernels[by_machine];
    if (has(list, name.text))
        return;
    if (counted->n[by_machine] == MOST) {
        counted->more[by_machine] = 1;
        return;
    }
    if (counted->n[by_machine]++)
        strcat(list, ", ");
    strcat(list, name.text);
}

void counted_word(struct doc *doc, const struct counted *counted) {
    static const char *const more[] = {"", " and others"};
    if (!counted->n[0])
        return;
    if (counted->n[1])
        doc_line(doc,
                 "wavefronts of shared memory: predicted by a rule for ptxas in %s%s; those of "
                 "machine code in %s%s",
                 counted->kernels[0], more[counted->more[0]], counted->kernels[1],
                 more[counted->more[1]]);
    else
        doc_line(doc,
                 "wavefronts of shared memory in %s%s are predicted by a rule for ptxas "
                 "(--assembler auto counts machine code)",
                 counted->kernels[0], more[counted->more[0]]);
}
