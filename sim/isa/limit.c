/* Limits of an architecture by number: which row of limit.def, or column of arch.def or
 * product.def, each is. */
#include "isa.h"

static const struct {
    uint8_t least, step;
    uint16_t columns;
} parts[] = {
#define GENERATION(id, part, step, columns) {part, step, columns},
#include "arch.def"
};

uint64_t wsim_arch_limit(const struct wsim_arch *arch, enum wsim_limit limit) {
    const int clusters = arch->features >> FEATURE_HOPPER & 1;
    switch (limit) {
    case WSIM_LIMIT_WARP_LANES: return WSIM_LANES;
    case WSIM_LIMIT_GRID_X: return ISA_GRID_X;
    case WSIM_LIMIT_GRID_Y:
    case WSIM_LIMIT_GRID_Z: return ISA_GRID_YZ;
    case WSIM_LIMIT_CLUSTER_BLOCKS: return clusters ? ISA_CLUSTER_BLOCKS : 1;
    case WSIM_LIMIT_CLUSTER_PORTABLE: return clusters ? ISA_CLUSTER_PORTABLE : 1;
    case WSIM_LIMIT_BLOCK_THREADS:
    case WSIM_LIMIT_BLOCK_X:
    case WSIM_LIMIT_BLOCK_Y: return ISA_BLOCK_THREADS;
    case WSIM_LIMIT_BLOCK_Z: return ISA_BLOCK_Z;
    case WSIM_LIMIT_BLOCK_BARRIERS: return ISA_BLOCK_BARRIERS;
    case WSIM_LIMIT_BLOCK_REGISTERS: return ISA_BLOCK_REGISTERS;
    case WSIM_LIMIT_BLOCK_SHARED: return ISA_BLOCK_SHARED;
    case WSIM_LIMIT_BLOCK_SHARED_OPTIN: return arch->shared_bytes;
    case WSIM_LIMIT_BLOCK_SHARED_RESERVED: return isa_shared_end(arch) - arch->shared_bytes;
    case WSIM_LIMIT_THREAD_REGISTERS: return ISA_THREAD_REGISTERS;
    case WSIM_LIMIT_THREAD_LOCAL: return ISA_LOCAL_BYTES;
    case WSIM_LIMIT_SM_THREADS: return (uint64_t)arch->warps * WSIM_LANES;
    case WSIM_LIMIT_SM_WARPS: return arch->warps;
    case WSIM_LIMIT_SM_BLOCKS: return arch->blocks;
    case WSIM_LIMIT_SM_REGISTERS: return ISA_SM_REGISTERS;
    case WSIM_LIMIT_SM_SHARED: return isa_shared_end(arch);
    case WSIM_LIMIT_CONSTANT: return ISA_CONSTANT_BYTES;
    case WSIM_LIMIT_HEAP: return ISA_HEAP_BYTES;
    case WSIM_LIMIT_SMS: return isa_figure(arch, WSIM_FIGURE_SMS);
    case WSIM_LIMIT_PART_SMS: return parts[arch->generation].least;
    case WSIM_LIMIT_PART_STEP: return parts[arch->generation].step;
    case WSIM_LIMIT_MEMORY_UNIT: return ISA_MEMORY_UNIT;
    case WSIM_LIMIT_MEMORY_SHARES: return ISA_MEMORY_SHARES;
    case WSIM_LIMIT_POOL_PIECE: return ISA_POOL_PIECE;
    case WSIM_LIMIT_TENSOR_COLUMNS: return parts[arch->generation].columns;
    case WSIM_LIMITS: break;
    }
    return 0;
}
