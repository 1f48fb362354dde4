/* wsim banks for a fragment of wmma: the accesses it is in machine code, each as if it were alone.
 */
#include "fragment.h"
#include "access_print.h"
#include "../common/input.h"
#include "lanes.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

/* The whole warp takes part, and there is one side. */
static int check_options(const struct banks_options *options) {
    if (options->size || options->src || options->src_size || options->lines)
        return tool_error("--size, --src, --src-size and --lines belong to cp.async");
    if (options->mask)
        return tool_error("--mask: a fragment is moved by the whole warp");
    return TOOL_GO;
}

int fragment_count(struct fragment_run *run, const struct wsim_op *op,
                   const struct banks_options *options) {
    struct wsim_diag diag;
    int status = check_options(options);
    if (status == TOOL_GO)
        status = input_addresses("--addr", options->addr ? options->addr : "0", run->addr);
    if (status == TOOL_GO)
        status = tool_number("--stride", options->stride, UINT32_MAX, &run->stride);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(op, run->spelling);
    if (wsim_banks_fragment(op, run->arch, run->addr, run->stride, &run->banks, &diag))
        return tool_refused(NULL, &diag);
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    return TOOL_GO;
}

/* --- text --- */

/* What it would be as an access of its own. */
static struct access_run access_of(const struct fragment_run *run, unsigned i) {
    const struct wsim_fragment_access *from = &run->banks.access[i];
    struct access_run access = {.arch = run->arch, .bytes = from->bytes, .rows = from->rows != 0};
    memcpy(access.addr, from->addr, sizeof access.addr);
    access.banks = from->banks;
    return access;
}

static void print_access(const struct fragment_run *run, unsigned i, int colour) {
    const struct access_run access = access_of(run, i);
    unsigned rows = run->banks.access[i].rows;
    printf("\naccess %u of %u: ", i + 1, run->banks.naccesses);
    if (rows)
        printf("%u rows of 16 bytes, as ldmatrix\n", rows);
    else
        printf("%u byte%s a lane\n", access.bytes, access.bytes == 1 ? "" : "s");
    access_print_groups(&access, colour);
}

void fragment_print_text(const struct fragment_run *run, int colour) {
    const struct wsim_fragment_banks *b = &run->banks;
    unsigned i;
    screen_fold(2, "%s on %s: %u access%s", run->spelling, wsim_arch_name(run->arch), b->naccesses,
                b->naccesses == 1 ? "" : "es");
    if (strcmp(run->evidence, "hardware") != 0)
        screen_fold(2, "evidence: %s (%s)", run->evidence, run->source);
    for (i = 0; i < b->naccesses; i++)
        print_access(run, i, colour);
    printf("\nwavefronts %lu   ideal %lu   conflicts %lu%s\n", (unsigned long)b->wavefronts,
           (unsigned long)b->ideal, (unsigned long)b->conflicts,
           b->conflicts ? "" : "   (conflict-free)");
}

/* --- CSV and JSON --- */

void fragment_print_csv(const struct fragment_run *run) {
    char before[16];
    unsigned i;
    puts("access,group,lanes,wavefronts,ideal,conflicts,bank,words");
    for (i = 0; i < run->banks.naccesses; i++) {
        snprintf(before, sizeof before, "%u,", i);
        access_print_lines(&run->banks.access[i].banks, before);
    }
}

static json_t *access_json(const struct wsim_fragment_access *access) {
    return json_pack("{s:i, s:i, s:o, s:I, s:I, s:I, s:b, s:o}", "bytes", access->bytes, "rows",
                     access->rows, "addresses", lanes_numbers_json(access->addr), "wavefronts",
                     (json_int_t)access->banks.wavefronts, "ideal", (json_int_t)access->banks.ideal,
                     "conflicts", (json_int_t)access->banks.conflicts, "merged",
                     access->banks.merged, "groups", access_groups_json(&access->banks));
}

void fragment_print_json(const struct fragment_run *run) {
    const struct wsim_fragment_banks *b = &run->banks;
    json_t *accesses = json_array();
    unsigned i;
    for (i = 0; i < b->naccesses; i++)
        json_array_append_new(accesses, access_json(&b->access[i]));
    tool_print_json(
        json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:s?, s:s?, s:o}", "schema",
                  "wsim.banks", "version", 1, "spelling", run->spelling, "arch",
                  wsim_arch_name(run->arch), "address", (json_int_t)run->addr[0], "stride",
                  (json_int_t)run->stride, "wavefronts", (json_int_t)b->wavefronts, "ideal",
                  (json_int_t)b->ideal, "conflicts", (json_int_t)b->conflicts, "evidence",
                  run->evidence, "source", run->source, "accesses", accesses));
}
