/* harness.h - libwsim-harness: all headers of this folder.
 *
 * It has operands by number, recordings of GPUs and their replay, for tests of the model against a
 * GPU. It has launch files, lint, and products of matrices by several threads. It has tables and
 * pictures of all answers of wsim.
 */
#ifndef WSIM_HARNESS_HARNESS_H
#define WSIM_HARNESS_HARNESS_H

#include "address.h"
#include "beside.h"
#include "cases.h"
#include "cute.h"
#include "launch.h"
#include "lint.h"
#include "multiply.h"
#include "npy.h"
#include "picture.h"
#include "plan.h"
#include "statement.h"
#include "stream.h"
#include "stream_memory.h"
#include "stream_number.h"
#include "suppress.h"
#include "trace.h"

#endif
