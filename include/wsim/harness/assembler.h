/* assembler.h - the machine code of PTX, for exact counts of shared memory (wsim_text.machine).
 *
 * An assembler joins, drops and unrolls accesses. With line information a disassembler names the
 * PTX instruction of each machine instruction. The library runs no program. The caller assembles
 * the text of wsim_assembly_text and passes the listing on.
 *
 *     wsim_assembly_make(ptx, strlen(ptx), &assembly, &diag);
 *     fputs(wsim_assembly_text(assembly, &size), file);    // k.ptx: see below
 *     wsim_assembly_read(assembly, listing, messages, &diag);
 *     struct wsim_text text = {NULL, ptx, strlen(ptx), wsim_assembly_machine(assembly)};
 *     wsim_module_link(&text, 1, 0, &module, NULL, &diag);
 *
 * Between the second and the third line run
 * `ptxas -v -O3 -lineinfo -arch=sm_90a k.ptx -o k.cubin 2>messages` and
 * `nvdisasm -c -g k.cubin >listing`.
 */
#ifndef WSIM_HARNESS_ASSEMBLER_H
#define WSIM_HARNESS_ASSEMBLER_H

#include "../kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_assembly;

/* Reads the instructions of `size` bytes of PTX text, which a NUL may end earlier. The text is not
 * kept. Errors: WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_assembly_make(const char *ptx, size_t size,
                                             struct wsim_assembly **assembly,
                                             struct wsim_diag *diag);

/* Frees an assembly, which may be NULL, and its machine code. */
WSIM_API void wsim_assembly_free(struct wsim_assembly *assembly);

/* The PTX with a .loc of its own before each instruction: *size bytes and a NUL. */
WSIM_API const char *wsim_assembly_text(const struct wsim_assembly *assembly, size_t *size);

/* Reads the listing of `nvdisasm -c -g`, and the messages of `ptxas -v` (NULL: registers and spills
 * are unknown). Both are untrusted text with a NUL at the end. Errors: WSIM_SYNTAX (the listing has
 * no function, or a line number of no instruction), WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_assembly_read(struct wsim_assembly *assembly, const char *listing,
                                             const char *messages, struct wsim_diag *diag);

/* The machine code; valid until wsim_assembly_free. */
WSIM_API const struct wsim_machine *wsim_assembly_machine(const struct wsim_assembly *assembly);

#ifdef __cplusplus
}
#endif
#endif
