/* model_engine.h - scalar kernels in the engine of whole kernels. */
#ifndef MODEL_ENGINE_H
#define MODEL_ENGINE_H

#include <stdint.h>

/* Runs kernel `symbol` of FOLDER/scalarPART.ptx: word w of lane i at in[w * n + i], results so too.
 * NULL, or the error. */
const char *model_engine_run(const char *folder, unsigned part, const char *symbol,
                             const uint64_t *in, unsigned words, uint32_t n, uint64_t *out,
                             unsigned results);

/* The architecture that the model is: MODEL_GPU, or sm_90a. NULL: there is none of that name. */
struct wsim_arch;
const struct wsim_arch *model_arch(void);

#endif
