/* The machine code of modules; see assembled.h. */
#include "assembled.h"
#include "state.h"
#include "wire/assembler.h"

#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 1 << 28 }; /* elements and bytes of an answer */

struct assembled {
    struct wsim_machine machine;
    struct wsim_machine_kernel *kernels;
    struct wsim_machine_access *accesses;
    char *names;
};

static int connect_to(const char *path) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || strlen(path) >= sizeof to.sun_path)
        return made < 0 ? -1 : (close(made), -1);
    strcpy(to.sun_path, path);
    if (connect(made, (const struct sockaddr *)&to, sizeof to) == 0)
        return made;
    close(made);
    return -1;
}

static int ask(int socket, const char *text, size_t size, const struct wsim_arch *arch) {
    struct wire_question question = {.size = size};
    strncpy(question.arch, wsim_arch_name(arch), sizeof question.arch - 1);
    return wire_put(socket, &question, sizeof question) && wire_put(socket, text, size);
}

/* Gives each kernel its name. 0: there are fewer names. */
static int name_kernels(struct assembled *made, uint64_t bytes) {
    const char *name = made->names, *end = made->names + bytes;
    for (size_t i = 0; i < made->machine.nkernels; i++) {
        const char *next = name < end ? memchr(name, 0, (size_t)(end - name)) : NULL;
        if (!next)
            return 0;
        made->kernels[i].name = name;
        name = next + 1;
    }
    return 1;
}

static int read_answer(int socket, struct assembled *made) {
    struct wire_answer answer;
    if (!wire_get(socket, &answer, sizeof answer) || !answer.kernels || answer.kernels > MOST ||
        answer.accesses > MOST || answer.names > MOST)
        return 0;
    made->kernels = calloc(answer.kernels, sizeof *made->kernels);
    made->accesses = calloc(answer.accesses + 1, sizeof *made->accesses);
    made->names = calloc(answer.names + 1, 1);
    if (!made->kernels || !made->accesses || !made->names)
        return 0;
    for (uint64_t i = 0; i < answer.kernels; i++) {
        struct wire_kernel kernel;
        if (!wire_get(socket, &kernel, sizeof kernel))
            return 0;
        made->kernels[i] = (struct wsim_machine_kernel){.registers = kernel.registers,
                                                        .stack = kernel.stack,
                                                        .spill_stores = kernel.spill_stores,
                                                        .spill_loads = kernel.spill_loads};
    }
    made->machine =
        (struct wsim_machine){made->kernels, answer.kernels, made->accesses, answer.accesses};
    return wire_get(socket, made->accesses, answer.accesses * sizeof *made->accesses) &&
           wire_get(socket, made->names, answer.names) && name_kernels(made, answer.names);
}

struct assembled *assembled_ask(const char *text, size_t size, const struct wsim_arch *arch) {
    const int socket = core.settings.assembler ? connect_to(core.settings.assembler) : -1;
    struct assembled *made = socket < 0 ? NULL : calloc(1, sizeof *made);
    if (made && !(ask(socket, text, size, arch) && read_answer(socket, made))) {
        assembled_free(made);
        made = NULL;
    }
    if (socket >= 0)
        close(socket);
    return made;
}

const struct wsim_machine *assembled_machine(const struct assembled *assembled) {
    return assembled ? &assembled->machine : NULL;
}

void assembled_free(struct assembled *assembled) {
    if (!assembled)
        return;
    free(assembled->kernels);
    free(assembled->accesses);
    free(assembled->names);
    free(assembled);
}
