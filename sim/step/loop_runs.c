/* Loads of loops that go on in constant steps. */
#include "loop.h"

#include "../state/known.h"

static int are_known(const atomic_ullong *known, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at < to; at = next)
        if (known_missing(&known[at / 64], known_mask(at, to, &next)))
            return 0;
    return 1;
}

int loop_are_known(const struct hear_run *run, const struct loop_load *load) {
    const uint64_t far = load->from + load->far;
    return are_known(run->known, load->from, load->from + load->size) &&
           (!load->far || are_known(run->known, far, far + load->size));
}

void loop_tell_runs(struct loop_runs *runs, struct run_warp *warp) {
    hear_runs(warp, runs->runs, runs->n);
    loop_forget_runs(runs);
}

int loop_runs_on(struct loop_runs *runs, const struct run_op *op, const struct loop_op *in,
                 struct run_warp *warp, struct loop_load load) {
    struct hear_run *run = in->run < runs->n ? &runs->runs[in->run] : NULL;
    const int went = run && run->n;
    if (went && run->n == 1)
        run->step = load.from - run->from, run->next = load.from;
    if (went && loop_goes_on(run, &load)) {
        loop_go_on(run);
        return 1;
    }
    if (went)
        loop_end_runs(runs, warp);
    if (run && (went || !(runs->round & (runs->round - 1)))) {
        *run = (struct hear_run){.op = op,
                                 .buffer = load.buffer,
                                 .from = load.from,
                                 .far = load.far,
                                 .next = load.from,
                                 .size = load.size,
                                 .first = (uint32_t)runs->round};
        if (hear_run_begins(warp, run) && loop_goes_on(run, &load)) {
            run->n = 1;
            runs->going++;
            return 1;
        }
        run->next = UINT64_MAX;
    }
    loop_end_runs(runs, warp);
    return 0;
}
