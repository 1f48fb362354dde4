/* A program on an architecture: what it does not have is refused, what it has is prepared, once. */
#include "../isa/scalar.h"
#include "../state/device.h"
#include "../state/heap.h"
#include "../state/run.h"

#include <stdlib.h>
#include <wsim/code.h>

static enum wsim_status check_opcode(const struct ptx_opcode *opcode, const struct wsim_arch *arch,
                                     struct wsim_diag *diag) {
    struct wsim_diag why;
    enum wsim_status status = WSIM_OK;
    if (opcode->needs & ~arch->features)
        status = wsim_scalar_check(&opcode->scalar, arch, &why);
    if (opcode->kind == PTX_MATRIX)
        status = wsim_op_check(&opcode->op, arch, &why);
    return status ? base_repeat(diag, &why, 0, "%.60s: %.240s", opcode->text, why.text) : WSIM_OK;
}

static enum wsim_status prepare_codes(struct run_prepared *prepared, const struct wsim_arch *arch,
                                      struct wsim_diag *diag) {
    const struct run_program *program = prepared->program;
    for (uint32_t i = 0; i < program->n_codes; i++) {
        enum wsim_status status;
        prepared->codes[i] = malloc(sizeof *prepared->codes[i]);
        if (!prepared->codes[i])
            return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a program");
        status = wsim_prepare(program->codes[i], arch, WSIM_CLUSTER, prepared->codes[i], diag);
        if (status == WSIM_UNMODELLED && !isa_door(program->codes[i])->does) {
            /* Only its cost has no model: it runs uncounted (count.h). */
            free(prepared->codes[i]);
            prepared->codes[i] = NULL;
            continue;
        }
        if (status)
            return status;
    }
    return WSIM_OK;
}

enum wsim_status run_prepare(struct wsim_device *device, const struct run_program *program,
                             struct wsim_code *const **codes, struct wsim_diag *diag) {
    struct run_prepared *prepared, **bucket = &device->prepared[run_bucket(program->stamp)];
    enum wsim_status status = WSIM_OK;
    for (prepared = *bucket; prepared; prepared = prepared->next)
        if (prepared->program == program && prepared->stamp == program->stamp)
            return *codes = prepared->codes, WSIM_OK;
    for (uint32_t i = 0; i < program->n_opcodes && !status; i++)
        status = check_opcode(&program->module->opcodes[program->opcodes[i]], device->arch, diag);
    if (!status && program->again)
        status = isa_scalar_need_again(program->again, device->arch, diag);
    if (!status && program->uses_heap)
        status = heap_make(device, diag);
    if (status)
        return status;
    prepared = calloc(1, sizeof *prepared);
    if (prepared)
        prepared->codes = calloc(program->n_codes + 1u, sizeof(struct wsim_code *));
    if (!prepared || !prepared->codes) {
        free(prepared);
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a program");
    }
    prepared->program = program;
    prepared->stamp = program->stamp;
    prepared->n_codes = program->n_codes;
    status = prepare_codes(prepared, device->arch, diag);
    if (status) {
        run_prepared_free(prepared);
        return status;
    }
    prepared->next = *bucket;
    *bucket = prepared;
    *codes = prepared->codes;
    return WSIM_OK;
}
