/* context.h - what examples of public headers use and do not declare (examples.sh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(EXAMPLE_CHECK_H)
#include <check.h>
#include <wsim/check.h>
#endif
#include <wsim/harness/address.h>
#include <wsim/harness/assembler.h>
#include <wsim/harness/launch.h>
#include <wsim/harness/lint.h>
#include <wsim/harness/multiply.h>
#include <wsim/harness/picture.h>
#include <wsim/harness/suppress.h>
#include <wsim/wsim.h>

extern struct wsim_diag diag;
#if !defined(EXAMPLE_GTEST_HPP)
extern struct wsim_op op;
#endif
extern const struct wsim_arch *arch;
extern struct wsim_code code;
extern struct wsim_cost cost;
extern struct wsim_regs a, b, c, d;
extern struct wsim_report *report;
extern uint64_t in, bits;
extern struct wsim_io io;

#if defined(EXAMPLE_HARNESS_ASSEMBLER_H)
extern const char *ptx, *listing, *messages;
extern size_t size;
extern FILE *file;
extern struct wsim_assembly *assembly;
extern struct wsim_module *module;
#elif defined(EXAMPLE_LOOK_H)
extern int at(void *context, const struct wsim_site *site);
extern int see(void *context, const struct wsim_seen *view);
extern const struct wsim_seen *view;
#elif defined(EXAMPLE_TEXTURE_H)
extern struct wsim_device *device;
extern uint64_t handle;
#elif defined(EXAMPLE_CODE_H)
extern struct wsim_cost_group groups[4];
extern unsigned max;
#elif defined(EXAMPLE_FATBIN_H)
extern const void *file;
extern size_t size, count;
#elif defined(EXAMPLE_GEMM_H)
extern struct wsim_gemm_from from_a, from_b, from_c;
extern struct wsim_gemm_to to_d;
#elif defined(EXAMPLE_HARNESS_LAUNCH_H)
extern const char json[];
#elif defined(EXAMPLE_HARNESS_LINT_H)
extern const char text[];
extern size_t size;
#elif defined(EXAMPLE_HARNESS_SUPPRESS_H)
extern const struct wsim_suppress_finding finding;
#elif defined(EXAMPLE_HARNESS_MULTIPLY_H)
extern struct wsim_gemm gemm;
extern uint16_t halves_a[], halves_b[];
extern float floats[];
extern size_t k, n;
#elif defined(EXAMPLE_HARNESS_PICTURE_H)
extern int write(void *user, const char *text, size_t n);
extern void *file;
#elif defined(EXAMPLE_KERNEL_H)
extern const char ptx[];
extern unsigned char params[16];
#elif defined(EXAMPLE_CHECK_H)
extern struct wsim_layout layout;
extern struct wsim_regs actual, expected;
extern uint32_t addresses[WSIM_LANES];
#elif defined(EXAMPLE_WSIM_HPP)
#include <wsim/wsim.hpp>
extern const char ptx[];
extern std::vector<float> values;
#elif defined(EXAMPLE_INDEX_HPP)
#include <wsim/index.hpp>
#elif defined(EXAMPLE_GTEST_HPP)
#include <wsim/gtest.hpp>
extern wsim::op op;
extern wsim_regs actual, expected;
extern std::vector<uint32_t> addresses;
extern wsim::launch launch;
extern wsim::device gpu;
extern wsim::ptx_module kernels;
extern wsim::buffer<float> x;
#endif
