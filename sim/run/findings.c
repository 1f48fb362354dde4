/* The order of findings: causes first.
 *
 * A thread that reads too early reads uninitialised bytes, and the write that comes later is a race
 * or lacks a fence. Both are one mistake, and the uninitialised read is its symptom: the two
 * findings share a source line and a variable. A barrier that is missing between warps is missing
 * between the lanes of a warp too. Without the wait for a wgmma, accesses of its accumulator and of
 * its tiles are too early, and it may be pending at the exit. A tcgen05 operation that comes too
 * early reads tensor memory that is uninitialised. Warps that arrive once too often at an mbarrier
 * move its phases, and then its parities mislead, or a wait never ends. A damaged mbarrier is none
 * any more. Lanes that pass a barrier by do not order what they did before it. An uninitialised
 * address is out of bounds. Several lines often lack the same barrier: the first one stands for the
 * others. */
#include "report.h"

#include <stdlib.h>

/* Rules are the names of rule.def themselves. */
static int is_rule(const struct launch_finding *finding, enum base_rule rule) {
    return finding->rule == base_rule_name(rule);
}

/* Sorts of findings, which each pair of them asks for. */
enum { UNINITIALISED = 1, UNORDERED = 2, TENSOR_ORDER = 4 };

static uint8_t sorts_of(const struct launch_finding *finding) {
    return (
        uint8_t)((base_rule_in(finding->rule, "init") ? UNINITIALISED : 0) |
                 (base_rule_in(finding->rule, "race") || is_rule(finding, RULE_PROXY_FENCE_MISSING)
                      ? UNORDERED
                      : 0) |
                 (base_rule_in(finding->rule, "tcgen.order") ? TENSOR_ORDER : 0));
}

static int is_unordered(const struct launch_finding *finding) {
    return finding->sorts & UNORDERED;
}

static int shares_line(const struct launch_finding *a, const struct launch_finding *b) {
    return launch_same_line(&a->line, &b->line) || launch_same_line(&a->line, &b->other_line) ||
           (a->other_line.line && (launch_same_line(&a->other_line, &b->line) ||
                                   launch_same_line(&a->other_line, &b->other_line)));
}

static const struct run_placed *variable_of(const struct wsim_report *report,
                                            const struct launch_finding *finding) {
    return run_shared_variable(report->program,
                               (finding->low & ((1u << RUN_RANK_SHIFT) - 1)) - report->shared_base);
}

static int is_same_pair(const struct launch_finding *a, const struct launch_finding *b) {
    return (launch_same_line(&a->line, &b->line) &&
            launch_same_line(&a->other_line, &b->other_line)) ||
           (launch_same_line(&a->line, &b->other_line) &&
            launch_same_line(&a->other_line, &b->line));
}

/* The two lines of a finding, of which `at` is one: the other one comes after it. */
static int is_after(const struct launch_finding *finding, const struct launch_line *at) {
    const struct launch_line *other =
        launch_same_line(&finding->line, at) ? &finding->other_line : &finding->line;
    return other->line > at->line;
}

/* Two races have a line in common, and their other lines are both before or both behind. One
 * missing barrier explains both. */
static int is_same_side(const struct launch_finding *a, const struct launch_finding *b) {
    const struct launch_line *at[] = {&a->line, &a->other_line};
    for (int i = 0; i < 2; i++)
        if ((launch_same_line(at[i], &b->line) || launch_same_line(at[i], &b->other_line)) &&
            a->line.file == a->other_line.file && b->line.file == b->other_line.file &&
            is_after(a, at[i]) == is_after(b, at[i]))
            return 1;
    return 0;
}

/* A barrier orders the lanes of its warps too. */
static void leave_remedy(struct launch_finding *symptom, const struct launch_finding *cause) {
    static const char too[] = "; that barrier repairs this too";
    char *at =
        symptom->text && is_rule(cause, RULE_RACE_SHARED) && strstr(cause->text, "__syncthreads")
            ? strstr(symptom->text, "; missing: __syncwarp")
            : NULL;
    if (at && strlen(at) >= sizeof too - 1)
        memcpy(at, too, sizeof too);
}

/* A line is between the two of a race. */
static int is_between(const struct launch_line *line, const struct launch_finding *race) {
    const uint32_t a = race->line.line, b = race->other_line.line;
    return line->file == race->line.file && line->file == race->other_line.file &&
           line->line > (a < b ? a : b) && line->line < (a < b ? b : a);
}

/* An mbarrier whose phases go wrong. */
static int misleads(const struct launch_finding *cause, const struct launch_finding *symptom) {
    if (is_rule(cause, RULE_MBARRIER_ARRIVE_EXCESS))
        return is_rule(symptom, RULE_SYNC_DEADLOCK) || is_rule(symptom, RULE_RACE_PARITY) ||
               (is_rule(symptom, RULE_RACE_SHARED) && shares_line(symptom, cause));
    if (is_rule(cause, RULE_RACE_PARITY))
        return is_rule(symptom, RULE_SYNC_DEADLOCK);
    return is_rule(cause, RULE_MBARRIER_STATE_DAMAGED) &&
           (is_rule(symptom, RULE_MBARRIER_STATE_UNINITIALISED) ||
            is_rule(symptom, RULE_SYNC_DEADLOCK));
}

/* A copy that completes an mbarrier is read too early, and is still pending at the exit. */
static int is_read_early(const struct launch_finding *cause, const struct launch_finding *symptom) {
    return symptom->note && is_rule(cause, RULE_RACE_SHARED) &&
           launch_same_line(&cause->other_line, &symptom->line);
}

static int explains(const struct wsim_report *report, const struct launch_finding *cause,
                    const struct launch_finding *symptom) {
    if (is_rule(symptom, RULE_SYNC_GROUP_LEAK))
        return !cause->note &&
               ((cause->waits && cause->waits == symptom->waits) || is_read_early(cause, symptom));
    if (is_rule(symptom, RULE_ADVICE_RACE_ACQUIRE))
        return is_rule(cause, RULE_RACE_GLOBAL) && is_same_pair(cause, symptom);
    if (is_rule(cause, RULE_WGMMA_WAIT_MISSING))
        return is_unordered(symptom) && cause->waits == symptom->waits &&
               shares_line(symptom, cause);
    if (cause->sorts & TENSOR_ORDER)
        return is_rule(symptom, RULE_INIT_TENSOR) && launch_same_line(&cause->line, &symptom->line);
    if (misleads(cause, symptom))
        return 1;
    if (is_rule(cause, RULE_SYNC_BARRIER_EXIT))
        return is_rule(symptom, RULE_RACE_SHARED) && is_between(&cause->line, symptom);
    if (cause->sorts & UNINITIALISED)
        return (is_rule(symptom, RULE_MEMORY_BOUNDS) || is_rule(symptom, RULE_ACCESS_ALIGN)) &&
               shares_line(symptom, cause);
    if (!is_unordered(cause) || cause->space != symptom->space)
        return 0;
    if (is_rule(symptom, RULE_RACE_WARP) && is_rule(cause, RULE_RACE_SHARED) &&
        is_same_side(cause, symptom))
        return 1;
    if ((cause->space == PTX_SHARED && variable_of(report, cause) != variable_of(report, symptom)))
        return 0;
    if (is_rule(symptom, RULE_RACE_WARP))
        return !is_rule(cause, RULE_RACE_WARP) && is_same_pair(cause, symptom);
    return (symptom->sorts & UNINITIALISED) && shares_line(symptom, cause);
}

/* One mistake at several lines: two pairs of lines that nothing orders have a line in common. The
 * barrier or the wait between these lines is missing once. */
static int is_same_mistake(const struct wsim_report *report, const struct launch_finding *a,
                           const struct launch_finding *b) {
    return (is_unordered(a) || is_rule(a, RULE_WGMMA_WAIT_MISSING) ||
            is_rule(a, RULE_MBARRIER_ARRIVE_EXCESS) || is_rule(a, RULE_ADVICE_RACE_ACQUIRE)) &&
           a->rule == b->rule && a->note == b->note && a->waits == b->waits &&
           a->space == b->space && a->other_line.line && b->other_line.line && shares_line(a, b) &&
           (a->space != PTX_SHARED || variable_of(report, a) == variable_of(report, b));
}

/* By block, and in one block by time: threads of the host change neither. */
static int is_earlier(const struct launch_finding *a, const struct launch_finding *b) {
    return a->block != b->block ? a->block < b->block : a->when < b->when;
}

/* Writes findings in their final order, with symptoms after their cause. */
static int compare(const void *a, const void *b) {
    const struct launch_finding *x = a, *y = b;
    if (x->note != y->note)
        return x->note ? 1 : -1;
    return is_earlier(y, x) - is_earlier(x, y);
}

void report_order(struct wsim_report *report) {
    struct launch_finding *findings = report->findings;
    const uint32_t n = (uint32_t)report->n_findings;
    if (!n)
        return;
    for (uint32_t i = 0; i < n; i++)
        findings[i].sorts = sorts_of(&findings[i]);
    qsort(findings, n, sizeof *findings, compare);
    /* The first finding that explains a symptom moves before it, if it came later. The cause may be
     * a symptom too, so its place is looked at again. */
    for (uint32_t i = 0; i < n;) {
        uint32_t cause = 0;
        while (cause < n && !explains(report, &findings[cause], &findings[i]))
            cause++;
        if (cause < n && cause > i) {
            const struct launch_finding moved = findings[cause];
            memmove(&findings[i + 1], &findings[i], (cause - i) * sizeof *findings);
            findings[i] = moved;
        } else {
            i++;
        }
    }
    /* Symptoms follow their cause. Each move keeps the order of the others. */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = i + 1;
        for (uint32_t k = i + 1; k < n; k++)
            if (!findings[k].cause && (explains(report, &findings[i], &findings[k]) ||
                                       is_same_mistake(report, &findings[i], &findings[k]))) {
                struct launch_finding moved = findings[k];
                moved.cause = i + 1;
                leave_remedy(&moved, &findings[i]);
                memmove(&findings[next + 1], &findings[next], (k - next) * sizeof *findings);
                findings[next++] = moved;
            }
    }
}
