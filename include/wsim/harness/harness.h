/* harness.h - libwsim-harness: operands by number, recordings of GPUs, and their replay: what a
 * test of the model against a GPU needs. What allocates or has threads: products of matrices. And
 * tables and pictures of all that wsim says.
 */
#ifndef WSIM_HARNESS_HARNESS_H
#define WSIM_HARNESS_HARNESS_H

#include "beside.h"
#include "cases.h"
#include "cute.h"
#include "multiply.h"
#include "picture.h"
#include "plan.h"
#include "stream.h"
#include "stream_memory.h"
#include "stream_number.h"
#include "trace.h"

#endif
