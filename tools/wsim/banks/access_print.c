/* What wsim banks prints of an access: a picture of lanes and banks for each group, and the counts.
 */
#include "access_print.h"
#include "lanes.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

static const char *plural(unsigned n) {
    return n == 1 ? "" : "s";
}

/* --- text --- */

static char digit(unsigned turn) {
    static const char digits[WSIM_MAX_WAYS + 2] = ".123456789abcdefghijklmnopqrstuvw";
    return digits[turn];
}

static void print_row(const struct access_run *run, const struct wsim_bank_group *group,
                      unsigned lane, int colour) {
    unsigned bank;
    printf("%4u  0x%08lx  ", lane, (unsigned long)run->addr[lane]);
    for (bank = 0; bank < WSIM_BANKS; bank++) {
        unsigned turn = access_turn(run, group, lane, bank);
        if (turn > 1 && colour)
            printf("\033[1;33m%c\033[0m", digit(turn));
        else
            putchar(digit(turn));
    }
    putchar('\n');
}

/* One character a bank: '.' if nothing passes through it, else how many ways. */
static void print_ways(const struct access_run *run, const struct wsim_bank_group *group) {
    unsigned bank;
    printf("            ways  ");
    for (bank = 0; bank < WSIM_BANKS; bank++)
        putchar(digit(access_ways(run, group, bank)));
    putchar('\n');
}

static void print_worst(const struct wsim_bank_group *group) {
    unsigned i, shown = group->nwords < 8 ? group->nwords : 8u;
    char words[128];
    size_t n = 0;
    if (group->ways <= 1) {
        printf("      no conflict: %s\n",
               group->wavefronts == 1 ? "one wavefront" : "two wavefronts");
        return;
    }
    for (i = 0; i < shown; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, " 0x%lx",
                              4 * (unsigned long)group->words[i]);
    screen_fold(6, "      %u wavefronts; worst is bank %u with %u %s, at%s%s", group->wavefronts,
                group->bank, group->ways,
                group->ways > group->nwords ? "lanes, each on its own" : "distinct words", words,
                group->nwords > shown ? " ..." : "");
}

static void print_group(const struct access_run *run, unsigned index, int colour) {
    const struct wsim_bank_group *group = &run->banks.group[index];
    unsigned lane;
    printf("\ngroup %u of %u: lanes ", index + 1, run->banks.ngroups);
    lanes_print(group->lanes);
    printf("\nlane  address     bank 0  4   8   12  16  20  24  28\n");
    for (lane = 0; lane < WSIM_LANES; lane++)
        if (group->lanes >> lane & 1)
            print_row(run, group, lane, colour);
    print_ways(run, group);
    print_worst(group);
}

static uint32_t lanes_seen(const struct access_run *run) {
    uint32_t lanes = 0;
    unsigned i;
    for (i = 0; i < run->banks.ngroups; i++)
        lanes |= run->banks.group[i].lanes;
    return lanes;
}

void access_print_groups(const struct access_run *run, int colour) {
    unsigned i;
    if (run->banks.merged)
        puts("Groups are merged in pairs: neighbouring lanes of a wide load agree throughout.");
    for (i = 0; i < run->banks.ngroups; i++)
        print_group(run, i, colour);
}

void access_print_text(const struct access_run *run, int colour) {
    const struct wsim_banks *b = &run->banks;
    screen_fold(2, "%s on %s: %u byte%s a %s", run->spelling, wsim_arch_name(run->arch), run->bytes,
                plural(run->bytes), run->rows ? "matrix row" : "lane");
    if (strcmp(run->evidence, "hardware") != 0)
        screen_fold(2, "evidence: %s (%s)", run->evidence, run->source);
    access_print_groups(run, colour);
    if (lanes_seen(run) != UINT32_MAX) {
        printf("\nno part in it: lanes ");
        lanes_print(~lanes_seen(run));
        putchar('\n');
    }
    printf("\nwavefronts %lu   ideal %lu   conflicts %lu%s\n", (unsigned long)b->wavefronts,
           (unsigned long)b->ideal, (unsigned long)b->conflicts,
           b->conflicts ? "" : "   (conflict-free)");
}

/* --- CSV --- */

void access_print_lines(const struct wsim_banks *banks, const char *before) {
    unsigned i, w;
    for (i = 0; i < banks->ngroups; i++) {
        const struct wsim_bank_group *group = &banks->group[i];
        printf("%s%u,0x%08lx,%u,%u,%u,%u,", before, i, (unsigned long)group->lanes,
               group->wavefronts, group->wavefronts / group->ways, group->ways - 1u, group->bank);
        for (w = 0; w < group->nwords; w++)
            printf("%s0x%lx", w ? " " : "", 4 * (unsigned long)group->words[w]);
        putchar('\n');
    }
}

void access_print_csv(const struct access_run *run) {
    puts("group,lanes,wavefronts,ideal,conflicts,bank,words");
    access_print_lines(&run->banks, "");
}

/* --- JSON --- */

static json_t *group_json(const struct wsim_bank_group *group) {
    json_t *words = json_array();
    unsigned i;
    for (i = 0; i < group->nwords; i++)
        json_array_append_new(words, json_integer(4 * (json_int_t)group->words[i]));
    return json_pack("{s:o, s:i, s:i, s:o}", "lanes", lanes_json(group->lanes), "wavefronts",
                     group->wavefronts, "worst_bank", group->bank, "words_there", words);
}

json_t *access_groups_json(const struct wsim_banks *banks) {
    json_t *groups = json_array();
    unsigned i;
    for (i = 0; i < banks->ngroups; i++)
        json_array_append_new(groups, group_json(&banks->group[i]));
    return groups;
}

void access_print_json(const struct access_run *run) {
    const struct wsim_banks *b = &run->banks;
    tool_print_json(json_pack(
        "{s:s, s:i, s:s, s:s, s:I, s:o, s:I, s:I, s:I, s:b, s:s?, s:s?, s:o}", "schema",
        "wsim.banks", "version", 1, "spelling", run->spelling, "arch", wsim_arch_name(run->arch),
        "mask", (json_int_t)run->mask, "addresses", lanes_numbers_json(run->addr), "wavefronts",
        (json_int_t)b->wavefronts, "ideal", (json_int_t)b->ideal, "conflicts",
        (json_int_t)b->conflicts, "merged", b->merged, "evidence", run->evidence, "source",
        run->source, "groups", access_groups_json(b)));
}
