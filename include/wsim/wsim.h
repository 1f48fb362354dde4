/* wsim.h - the whole front door of the warp simulator.
 *
 *     const struct wsim_arch *arch = wsim_arch_find("sm_90a");
 *     struct wsim_op op;
 *     wsim_op_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &op, &diag);
 *     struct wsim_operands io = {0};
 *     io.d = &d, io.a = &a, io.b = &b, io.c = &c;    // struct wsim_regs: 32-bit registers of 32
 * lanes wsim_exec(&op, arch, &io, &diag);
 */
#ifndef WSIM_WSIM_H
#define WSIM_WSIM_H

#include "banks.h"
#include "bulk.h"
#include "code.h"
#include "evidence.h"
#include "exec.h"
#include "fatbin.h"
#include "format.h"
#include "gemm.h"
#include "isa.h"
#include "kernel.h"
#include "layout.h"
#include "look.h"
#include "mbarrier.h"
#include "memory.h"
#include "meta.h"
#include "number.h"
#include "path.h"
#include "scalar.h"
#include "sectors.h"
#include "status.h"
#include "swizzle.h"
#include "tensor.h"
#include "texture.h"
#include "umma.h"
#include "warp.h"
#include "wgmma.h"
#include "why.h"

#endif
