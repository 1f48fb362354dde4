/* harness.h - libwsim-harness: operands by number, recordings of GPUs, and their replay: what a
 * test of the model against a GPU needs. And what allocates or has threads: products of matrices.
 */
#ifndef WSIM_HARNESS_HARNESS_H
#define WSIM_HARNESS_HARNESS_H

#include "beside.h"
#include "cases.h"
#include "multiply.h"
#include "plan.h"
#include "stream.h"
#include "stream_memory.h"
#include "stream_number.h"
#include "trace.h"

#endif
