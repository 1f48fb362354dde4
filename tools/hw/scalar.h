/* scalar.h - scalar instructions, the hardware against the model: what its parts share. */
#ifndef HW_SCALAR_H
#define HW_SCALAR_H

#include "hw.h"
#include "scalar_form.h"

/* The most sources that are run at once, and how many of them are looked at as the GPU drew them.
 */
enum { HW_SCALAR_BATCH = 1 << 22, HW_SCALAR_SAMPLES = 64, HW_SCALAR_NOTES = 4 };

/* Sources with which hardware and model differ. */
struct hw_scalar_note {
    uint64_t number, in[WSIM_SCALAR_IN], hardware[WSIM_SCALAR_OUT], model[WSIM_SCALAR_OUT];
    enum wsim_status refusal; /* of the model; WSIM_OK: it ran */
};

struct hw_scalar_row {
    struct hw_form form;
    uint8_t there; /* 1: the assembler took it and it ran */
    uint64_t cases, differences;
    double seconds;
    struct hw_scalar_note note[HW_SCALAR_NOTES];
    unsigned notes;
    uint64_t digest; /* of the hardware's results: a sum, so that batches may be added */
};

/* scalar_compare.c. The model over sources `first` on, on all cores, against `out`, whose results
 * lie as hw_scalar_run leaves them. 0, or 2 after a word on stderr. */
int hw_scalar_compare(const struct hw_scalar_plan *plan, uint64_t seed, uint64_t first, uint32_t n,
                      const uint64_t *out, struct hw_scalar_row *row);

/* One source of a form, word by word. */
uint64_t hw_scalar_source(const struct hw_scalar_plan *plan, unsigned word, uint64_t seed,
                          uint64_t number);

/* scalar_report.c */
struct hw_scalar_report {
    const struct hw_device *device;
    const struct hw_scalar_row *rows;
    size_t nrows;
    uint64_t seed, cases;
    int counts, every;
    unsigned threads;
    double seconds;
};
void hw_scalar_text(const struct hw_scalar_report *report);
void hw_scalar_json(const struct hw_scalar_report *report);

#endif
