/* Machine code for programs; see assembling.h. */
#include "assembling.h"
#include "../common/assembler.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "wire/assembler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 1 << 30, PATIENCE = 10 }; /* bytes of PTX; seconds without a byte of a question */

struct assembling {
    struct assembler programs;
    char *path;
    int listener;
    pthread_t thread;
    sigset_t mask; /* before; ptxas has it, so that Ctrl-C ends it */
    int runs;      /* the thread has to be joined */
    unsigned modules, failed;
};

static void put_machine(int to, const struct wsim_machine *machine) {
    struct wire_answer answer = {machine->nkernels, machine->naccesses, 0};
    int good;
    for (size_t i = 0; i < machine->nkernels; i++)
        answer.names += strlen(machine->kernels[i].name) + 1;
    good = wire_put(to, &answer, sizeof answer);
    for (size_t i = 0; good && i < machine->nkernels; i++) {
        const struct wsim_machine_kernel *from = &machine->kernels[i];
        const struct wire_kernel kernel = {from->registers, from->stack, from->spill_stores,
                                           from->spill_loads};
        good = wire_put(to, &kernel, sizeof kernel);
    }
    good = good && wire_put(to, machine->accesses, machine->naccesses * sizeof *machine->accesses);
    for (size_t i = 0; good && i < machine->nkernels; i++)
        good = wire_put(to, machine->kernels[i].name, strlen(machine->kernels[i].name) + 1);
}

/* Answers one question. A program whose module cannot be assembled runs without machine code. */
static void answer(struct assembling *a, int socket) {
    struct assembler_failure failure;
    struct wsim_assembly *assembly = NULL;
    struct wire_question question;
    const struct wsim_arch *arch;
    char *text;
    if (!wire_get(socket, &question, sizeof question) || question.size > MOST ||
        question.arch[sizeof question.arch - 1])
        return;
    arch = wsim_arch_called(question.arch);
    text = memory_make((size_t)question.size + 1, 1);
    if (arch && wire_get(socket, text, (size_t)question.size)) {
        const struct assembler_text ptx = {"a module", text, (size_t)question.size};
        if (assembler_assemble(&a->programs, &ptx, arch, &assembly, &failure) == TOOL_GO) {
            a->modules++;
            put_machine(socket, wsim_assembly_machine(assembly));
        } else if (!a->failed++) {
            tool_note("counts of a module follow a rule, because %s", failure.text);
        }
        wsim_assembly_free(assembly);
    }
    free(text);
}

static void *serve(void *context) {
    const struct timeval patience = {.tv_sec = PATIENCE};
    struct assembling *a = context;
    for (;;) {
        const int socket = accept(a->listener, NULL, NULL);
        if (socket < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (socket < 0)
            return NULL; /* assembling_close shut the listener down */
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        answer(a, socket);
        close(socket);
    }
}

/* Signals are for the thread that waits for the program. */
static int start(struct assembling *a) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &a->mask);
    a->programs.mask = &a->mask;
    a->runs = pthread_create(&a->thread, NULL, serve, a) == 0;
    pthread_sigmask(SIG_SETMASK, &a->mask, NULL);
    return a->runs;
}

static int listen_at(struct assembling *a, const char *folder) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    a->path = memory_join(folder, "/assembler", "");
    if (strlen(a->path) >= sizeof at.sun_path)
        return tool_error("--assembler: the path of a socket has at most %zu bytes: %s",
                          sizeof at.sun_path - 1, text_path(a->path).text);
    strcpy(at.sun_path, a->path);
    unlink(a->path);
    a->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (a->listener < 0 || bind(a->listener, (const struct sockaddr *)&at, sizeof at) ||
        listen(a->listener, 64) || !start(a))
        return tool_error("--assembler: %s: %s", text_path(a->path).text, strerror(errno));
    return TOOL_GO;
}

int assembling_open(struct assembling **assembling, const char *which, const char *folder) {
    struct assembling *a = memory_make(1, sizeof *a);
    const char *why = assembler_open(&a->programs, strcmp(which, "auto") == 0 ? NULL : which);
    int status = TOOL_GO;
    a->listener = -1;
    if (why)
        status = tool_error("--assembler '%s': %s", text_path(which).text, why);
    if (status == TOOL_GO)
        status = listen_at(a, folder);
    *assembling = a;
    if (status == TOOL_GO)
        return status;
    assembling_close(a);
    *assembling = NULL;
    return status;
}

const char *assembling_path(const struct assembling *assembling) {
    return assembling->path;
}

void assembling_close(struct assembling *a) {
    if (!a)
        return;
    if (a->runs) {
        shutdown(a->listener, SHUT_RDWR);
        pthread_join(a->thread, NULL);
        if (a->modules || !a->failed)
            tool_note("machine code counts the accesses of shared memory in %u module%s",
                      a->modules, a->modules == 1 ? "" : "s");
    }
    if (a->listener >= 0) {
        close(a->listener);
        unlink(a->path);
    }
    assembler_close(&a->programs);
    free(a->path);
    free(a);
}
