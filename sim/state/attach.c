/* The variables of a module on a device: .global ones are buffers, .const ones share a window. */
#include "../isa/isa.h"
#include "../memory/memory.h"
#include "device.h"
#include "module.h"

#include <stdlib.h>

#define HOST_PAGE UINT64_C(4096)

/* The value of an initialiser that is the address of a variable or a function. */
static uint64_t symbol_address(const struct wsim_module *module,
                               const struct run_attached *attached,
                               const struct ptx_relocation *relocation) {
    const struct ptx_variable *variable;
    uint64_t address;
    if (relocation->is_function)
        return run_function_address(relocation->symbol);
    variable = &module->ptx.variables[relocation->symbol];
    address = attached->symbols[relocation->symbol];
    if (variable->space == PTX_CONST && relocation->generic)
        address += RUN_CONST_WINDOW;
    return address;
}

/* `bytes` are zeros. */
static void initialise(const struct wsim_module *module, const struct run_attached *attached,
                       const struct ptx_variable *variable, uint8_t *bytes) {
    struct wsim_memory memory = wsim_memory_over(WSIM_GLOBAL, bytes, variable->bytes, 0);
    if (variable->init)
        memcpy(bytes, variable->init, (size_t)variable->bytes);
    for (uint32_t i = 0; i < variable->n_relocations; i++) {
        const struct ptx_relocation *relocation = &variable->relocations[i];
        uint64_t address = symbol_address(module, attached, relocation);
        address = (address + (uint64_t)relocation->offset) >> relocation->shift;
        memory_put(&memory, relocation->at, relocation->bytes, address);
    }
}

static int is_global(const struct ptx_variable *variable) {
    return run_has_memory(variable) && variable->space == PTX_GLOBAL && !variable->open;
}

/* Refuses .global variables that have more bytes together than the device allows. */
static enum wsim_status check_size(const struct wsim_device *device, const struct ptx_module *ptx,
                                   struct wsim_diag *diag) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < ptx->n_variables; i++) {
        const struct ptx_variable *variable = &ptx->variables[i];
        if (!is_global(variable))
            continue;
        if (variable->bytes > device->most_variables - all)
            return base_refuse(diag, RULE_DEVICE_VARIABLES_LARGE, 0,
                               "variable '%.64s' has %llu bytes: the .global variables of a module "
                               "may have %llu together",
                               variable->name, (unsigned long long)variable->bytes,
                               (unsigned long long)device->most_variables);
        all += variable->bytes;
    }
    return WSIM_OK;
}

static uint64_t align_of(const struct ptx_variable *variable) {
    const uint64_t least = variable->managed ? ISA_MANAGED_ALIGN : ISA_VARIABLE_ALIGN;
    return variable->align > least ? variable->align : least;
}

/* The next of the variables that are managed, or are not, with memory of their own; NULL: none. */
static const struct ptx_variable *next_global(const struct ptx_module *ptx, uint32_t *i,
                                              int managed) {
    for (; *i < ptx->n_variables; ++*i)
        if (is_global(&ptx->variables[*i]) && ptx->variables[*i].managed == managed)
            return &ptx->variables[*i];
    return NULL;
}

/* Places the .global variables of a block, with zeros between them. Returns the bytes. */
static uint64_t lay_out(const struct ptx_module *ptx, int managed, uint64_t *places,
                        uint64_t *align) {
    const struct ptx_variable *variable;
    uint64_t end = 0;
    *align = ISA_VARIABLE_ALIGN;
    for (uint32_t i = 0; (variable = next_global(ptx, &i, managed)) != NULL; i++) {
        places[i] = (end + align_of(variable) - 1) / align_of(variable) * align_of(variable);
        end = places[i] + variable->bytes;
        *align = align_of(variable) > *align ? align_of(variable) : *align;
    }
    return (end + ISA_VARIABLE_ALIGN - 1) / ISA_VARIABLE_ALIGN * ISA_VARIABLE_ALIGN;
}

/* The managed variables of a module that another device of the space has; NULL: none has them. */
static struct run_variables *find_block(const struct run_space *space, uint64_t stamp) {
    struct run_variables *block = space->managed;
    while (block && block->stamp != stamp)
        block = block->next;
    return block;
}

/* The caller may protect managed variables, so they share no page of the host with other memory. */
static struct run_variables *make_block(uint64_t stamp, uint64_t bytes, uint64_t align,
                                        int managed) {
    struct run_variables *block = calloc(1, sizeof *block);
    const uint64_t unit = managed ? HOST_PAGE : 1;
    align = align > unit ? align : unit;
    if (block)
        block->owned = calloc(1, (size_t)((bytes + unit - 1) / unit * unit + align));
    if (!block || !block->owned) {
        free(block);
        return NULL;
    }
    block->stamp = stamp;
    block->base = ((uint64_t)(uintptr_t)block->owned + align - 1) / align * align;
    block->bytes = bytes;
    return block;
}

/* Memory of the .global variables of a block. */
static enum wsim_status place_globals(struct wsim_device *device, const struct ptx_module *ptx,
                                      int managed, struct run_attached *attached,
                                      struct wsim_diag *diag) {
    struct run_space *const space = device->space;
    enum wsim_status status = WSIM_OK;
    const struct ptx_variable *variable;
    uint64_t align;
    const uint64_t bytes = lay_out(ptx, managed, attached->symbols, &align);
    struct run_variables *block = managed ? find_block(space, attached->stamp) : NULL;
    const int is_new = !block;
    if (!bytes)
        return WSIM_OK;
    if (is_new && !(block = make_block(attached->stamp, bytes, align, managed)))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for variables");
    if (is_new && managed) {
        block->next = space->managed;
        space->managed = block;
    }
    block->devices++;
    attached->blocks[managed] = block;
    attached->is_new[managed] = (uint8_t)is_new;
    for (uint32_t i = 0; (variable = next_global(ptx, &i, managed)) != NULL; i++) {
        attached->symbols[i] += block->base;
        if (is_new && !status)
            status = run_buffer_variable(device, block, variable->name, attached->symbols[i],
                                         variable->bytes, diag);
    }
    return status;
}

/* Memory of all variables; their addresses have to be known before any initialiser is written. */
static enum wsim_status place(struct wsim_device *device, const struct wsim_module *module,
                              struct run_attached *attached, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    if (module->constant_bytes) {
        uint8_t *bytes = calloc(1, (size_t)module->constant_bytes);
        if (!bytes)
            return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for constants");
        attached->constant =
            wsim_memory_over(WSIM_CONST, bytes, (uint64_t)module->constant_bytes, 0);
    }
    for (uint32_t i = 0; i < ptx->n_variables; i++) {
        const struct ptx_variable *variable = &ptx->variables[i];
        if (!run_has_memory(variable))
            continue;
        if (variable->space == PTX_CONST)
            attached->symbols[i] = module->constant_at[i];
    }
    for (int managed = 0; managed < 2; managed++) {
        const enum wsim_status status = place_globals(device, ptx, managed, attached, diag);
        if (status)
            return status;
    }
    return WSIM_OK;
}

static void fill(const struct wsim_module *module, const struct run_attached *attached) {
    const struct ptx_module *ptx = &module->ptx;
    for (uint32_t i = 0; i < ptx->n_variables; i++) {
        const struct ptx_variable *variable = &ptx->variables[i];
        if (!run_has_memory(variable))
            continue;
        if (variable->space == PTX_CONST && attached->constant.bytes) /* g[0] has none */
            initialise(module, attached, variable, attached->constant.bytes + attached->symbols[i]);
        if (variable->space == PTX_GLOBAL && attached->is_new[variable->managed] &&
            attached->symbols[i])
            initialise(module, attached, variable, (uint8_t *)(uintptr_t)attached->symbols[i]);
    }
}

enum wsim_status run_attach(struct wsim_device *device, const struct wsim_module *module,
                            struct run_attached **attached, struct wsim_diag *diag) {
    struct run_attached *fresh, **bucket = &device->attached[run_bucket(module->stamp)];
    enum wsim_status status = WSIM_OK;
    for (*attached = *bucket; *attached; *attached = (*attached)->next)
        if ((*attached)->stamp == module->stamp)
            return WSIM_OK;
    fresh = calloc(1, sizeof *fresh);
    if (fresh)
        fresh->symbols = calloc(module->ptx.n_variables + 1u, sizeof *fresh->symbols);
    if (!fresh || !fresh->symbols) {
        free(fresh);
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for variables");
    }
    fresh->stamp = module->stamp;
    status = check_size(device, &module->ptx, diag);
    if (!status)
        status = place(device, module, fresh, diag);
    if (status) {
        run_detach(device, fresh);
        return status;
    }
    fill(module, fresh);
    fresh->next = *bucket;
    *bucket = *attached = fresh;
    return WSIM_OK;
}

int wsim_module_is_managed(const struct wsim_module *module, const char *name) {
    for (; module; module = module->next)
        for (uint32_t i = 0; i < module->ptx.n_variables; i++)
            if (module->ptx.variables[i].managed && !strcmp(module->ptx.variables[i].name, name))
                return 1;
    return 0;
}

enum wsim_status wsim_device_symbol(struct wsim_device *device, struct wsim_module *module,
                                    const char *name, uint64_t *address, uint64_t *bytes,
                                    struct wsim_diag *diag) {
    for (const struct wsim_module *m = module; m; m = m->next)
        for (uint32_t i = 0; i < m->ptx.n_variables; i++) {
            const struct ptx_variable *variable = &m->ptx.variables[i];
            struct run_attached *attached;
            enum wsim_status status;
            if (!run_has_memory(variable) || strcmp(variable->name, name))
                continue;
            status = run_attach(device, m, &attached, diag);
            if (status)
                return status;
            *address = attached->symbols[i];
            if (variable->space == PTX_CONST)
                *address += (uint64_t)(uintptr_t)attached->constant.bytes;
            *bytes = variable->bytes;
            return WSIM_OK;
        }
    return base_refuse(diag, RULE_DEVICE_SYMBOL_UNKNOWN, 0,
                       "the module has no .global or .const variable '%.64s'", name);
}

int wsim_device_variable(const struct wsim_device *device, uint64_t address, uint64_t *base,
                         uint64_t *bytes) {
    const struct run_buffer *buffer = run_buffer_of(device, address, 1);
    const struct run_attached *attached = NULL;
    if (!buffer || !buffer->among)
        return 0;
    for (size_t i = 0; i < RUN_BUCKETS && !attached; i++)
        for (attached = device->attached[i]; attached; attached = attached->next)
            if (attached->blocks[0] == buffer->among)
                break;
    *base = buffer->base;
    *bytes = buffer->size;
    return attached != NULL;
}
