/* assembler.h - messages between the runtime of a program and the process that started the program,
 * which assembles modules for it.
 *
 * The runtime asks with one PTX text, and gets its machine code as structs, in the order of bytes
 * of the machine. Both sides are of one build (WSIM_ASSEMBLER_SOCKET). */
#ifndef WSIM_WIRE_ASSEMBLER_H
#define WSIM_WIRE_ASSEMBLER_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifndef MSG_NOSIGNAL /* the runtime is for Linux, which has it */
#define MSG_NOSIGNAL 0
#endif

/* The question; `size` bytes of PTX follow. */
struct wire_question {
    uint64_t size;
    char arch[24]; /* name of the architecture, with a NUL */
};

/* The answer. Kernels, accesses (struct wsim_machine_access) and names (each with a NUL) follow. No
 * kernels: there is no machine code. */
struct wire_answer {
    uint64_t kernels, accesses, names; /* numbers of the first two, bytes of the last */
};
struct wire_kernel {
    uint32_t registers, stack, spill_stores, spill_loads;
};

/* All of `size` bytes from or to a socket. 0: the other side is gone, or its time is over. */
static inline int wire_get(int from, void *bytes, size_t size) {
    for (char *at = bytes; size;) {
        const ssize_t n = recv(from, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static inline int wire_put(int to, const void *bytes, size_t size) {
    for (const char *at = bytes; size;) {
        const ssize_t n = send(to, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

#endif
