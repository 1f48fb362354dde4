/* The program without a GPU: the hardware side of wsim-hw (hardware.h) made of the model, so that
 * everything around it can be tested anywhere. Its recordings are marked as worthless.
 * MODEL_GPU names the architecture that it is (sm_90a); MODEL_GPU_WRONG is a spelling of which
 * every 1000th case comes out wrong. */
#include "../../tools/hw/access_launch.h"
#include "../../tools/hw/hw.h"
#include "../../tools/hw/scalar_form.h"
#include "model_engine.h"

#include <stdlib.h>
#include <string.h>

#define HW_KNOWN(ptx) 1
const struct hw_kernel hw_kernels[] = {
#include "kernel_list.inc"
};
const size_t hw_kernel_count = sizeof hw_kernels / sizeof *hw_kernels;

static const struct wsim_arch *arch;

const struct wsim_arch *model_arch(void) {
    const char *name = getenv("MODEL_GPU");
    return wsim_arch_find(name ? name : "sm_90a");
}

const char *hw_open(struct hw_device *device) {
    const char *name;
    arch = model_arch();
    if (!arch)
        return "MODEL_GPU is no architecture";
    name = wsim_arch_name(arch);
    snprintf(device->gpu, sizeof device->gpu, "none (the model of %s)", name);
    snprintf(device->driver, sizeof device->driver, "none");
    snprintf(device->toolkit, sizeof device->toolkit, "none");
    device->capability = device->code = (unsigned)strtoul(name + 3, NULL, 10);
    return NULL;
}

/* The kernel of hw_run and hw_run_blocks, prepared. */
static const char *prepare(const struct hw_kernel *kernel, struct wsim_code *code) {
    static struct wsim_diag diag;
    struct wsim_op op;
    if (wsim_op_parse(kernel->spelling, &op, &diag) || wsim_prepare(&op, arch, 0, code, &diag))
        return diag.text;
    return NULL;
}

static const char *run_one(const struct wsim_code *code, const struct wsim_plan *plan,
                           const uint32_t *in, uint32_t *out) {
    static struct wsim_case_scratch scratch;
    static struct wsim_diag diag;
    return wsim_case_run(code, plan, in, out, &scratch, &diag) ? diag.text : NULL;
}

const char *hw_run(const struct hw_kernel *kernel, const struct wsim_plan *plan, uint64_t seed,
                   unsigned dist, uint64_t first, uint32_t cases, uint32_t *out, uint32_t *in,
                   uint32_t sampled) {
    static uint32_t block[WSIM_LANES * WSIM_CASE_ROWS];
    struct wsim_code code;
    const char *wrong = getenv("MODEL_GPU_WRONG"), *why = prepare(kernel, &code);
    uint32_t words = plan->in_rows * WSIM_LANES;
    wrong = wrong && strcmp(wrong, kernel->spelling) == 0 ? wrong : NULL;
    for (uint32_t i = 0; i < cases && !why; i++, out += plan->out_rows * WSIM_LANES) {
        struct wsim_case c = wsim_case_at(plan, seed, first + i, dist);
        wsim_case_fill(plan, &c, block);
        if (i < sampled)
            memcpy(in + (size_t)i * words, block, words * sizeof *block);
        why = run_one(&code, plan, block, out);
        if (wrong && (first + i) % 1000 == 0)
            out[5] ^= 4;
    }
    return why;
}

const char *hw_run_blocks(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                          const uint32_t *in, uint32_t cases, uint32_t *out) {
    struct wsim_code code;
    const char *why = prepare(kernel, &code);
    for (uint32_t i = 0; i < cases && !why; i++)
        why = run_one(&code, plan, in + (size_t)i * plan->in_rows * WSIM_LANES,
                      out + (size_t)i * plan->out_rows * WSIM_LANES);
    return why;
}

/* Scalar instructions: a form is found by its number, which is its kernel's name. */
const void *const hw_scalar_images[] = {0};

static const struct hw_form *form_of(const char *symbol) {
    static struct hw_form form;
    const unsigned number = (unsigned)strtoul(symbol + 1, NULL, 10);
    if (form.op.row && form.number == number)
        return &form;
    if (form.number > number || !form.op.row)
        memset(&form, 0, sizeof form);
    while (hw_form_next(&form))
        if (form.number == number)
            return &form;
    return NULL;
}

/* MODEL_GPU_LACKS is a spelling that its assembler refuses. */
int hw_scalar_has(unsigned part, const char *symbol) {
    const char *lacks = getenv("MODEL_GPU_LACKS");
    const struct hw_form *form = form_of(symbol);
    char name[HW_FORM_NAME];
    if (!form || form->number / HW_FORM_PART != part)
        return 0;
    hw_form_name(form, name);
    return !lacks || strcmp(lacks, name) != 0;
}

/* MODEL_GPU_ENGINE is a folder with the kernels as PTX, which the engine of whole kernels then
 * runs. */
static const char *run_engine(const struct hw_scalar_plan *plan, const char *folder, unsigned part,
                              const char *symbol, uint64_t seed, uint64_t first, uint32_t n,
                              uint64_t *out, uint64_t *in, uint32_t sampled) {
    uint64_t *words = malloc(((size_t)plan->words * n + 1) * sizeof *words);
    const char *why = "out of memory";
    for (unsigned w = 0; words && w < plan->words; w++)
        for (uint32_t i = 0; i < n; i++) {
            words[(size_t)w * n + i] = plan->counts && w == 0
                                           ? wsim_scalar_count(&plan->word[0], first + i)
                                           : wsim_scalar_draw(plan->word, w, seed, first + i);
            if (i < sampled)
                in[w * sampled + i] = words[(size_t)w * n + i];
        }
    if (words)
        why = model_engine_run(folder, part, symbol, words, plan->words, n, out, plan->results);
    free(words);
    return why;
}

enum { TOGETHER = 256 }; /* lanes for which an operation is looked up once */

const char *hw_scalar_run(const struct hw_scalar_plan *plan, unsigned part, const char *symbol,
                          uint64_t seed, uint64_t first, uint32_t n, uint64_t *out, uint64_t *in,
                          uint32_t sampled) {
    static uint64_t some[WSIM_SCALAR_IN * TOGETHER], left[WSIM_SCALAR_OUT * TOGETHER];
    const char *wrong = getenv("MODEL_GPU_WRONG");
    const char *folder = getenv("MODEL_GPU_ENGINE");
    const struct hw_form *form = form_of(symbol);
    char name[HW_FORM_NAME];
    if (folder)
        return run_engine(plan, folder, part, symbol, seed, first, n, out, in, sampled);
    hw_form_name(form, name);
    wrong = wrong && strcmp(wrong, name) == 0 ? wrong : NULL;
    for (uint32_t from = 0; from < n; from += TOGETHER) {
        const uint32_t lanes = n - from < TOGETHER ? n - from : TOGETHER;
        for (unsigned w = 0; w < plan->words; w++)
            for (uint32_t i = 0; i < lanes; i++) {
                const uint64_t number = first + from + i;
                some[w * lanes + i] = plan->counts && w == 0
                                          ? wsim_scalar_count(&plan->word[0], number)
                                          : wsim_scalar_draw(plan->word, w, seed, number);
                if (from + i < sampled)
                    in[w * sampled + from + i] = some[w * lanes + i];
            }
        if (wsim_scalar_run_lanes(&form->op, lanes, some, plan->words, left, plan->results, NULL))
            return "the model refuses";
        for (unsigned r = 0; r < plan->results; r++)
            memcpy(out + (size_t)r * n + from, left + r * lanes, lanes * sizeof *out);
        for (uint32_t i = 0; i < lanes; i++)
            if (wrong && (first + from + i) % 1000 == 7)
                out[from + i] ^= 1;
    }
    return NULL;
}

void *hw_results_alloc(size_t bytes) {
    return malloc(bytes);
}

void hw_results_free(void *memory) {
    free(memory);
}

/* No accesses: what they cost is counted by tools of the hardware. */
const struct hw_kernel hw_accesses[] = {{0}};
const size_t hw_access_count = 0;

const char *hw_access_launch(const struct hw_kernel *kernel, const uint32_t *in, uint32_t *out) {
    (void)kernel, (void)in, (void)out;
    return "the model counts accesses and does not launch them";
}
