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

static void print_row(const struct wsim_cost_access *access, unsigned lane,
                      uint8_t (*turn)[WSIM_LANES], int colour) {
    printf("%4u  0x%08lx  ", lane, (unsigned long)access->addr[lane]);
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
        if (turn[bank][lane] > 1 && colour)
            printf("\033[1;33m%c\033[0m", digit(turn[bank][lane]));
        else
            putchar(digit(turn[bank][lane]));
    putchar('\n');
}

/* A row a lane, and below how many ways; one character a bank: '.' if nothing passes through it. */
static void print_banks(const struct wsim_cost_access *access, uint32_t lanes, int colour) {
    uint8_t turn[WSIM_BANKS][WSIM_LANES], passes[WSIM_BANKS];
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
        passes[bank] = (uint8_t)wsim_cost_turns(access, lanes, bank, turn[bank]);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        if (lanes >> lane & 1)
            print_row(access, lane, turn, colour);
    printf("            ways  ");
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
        putchar(digit(passes[bank]));
    putchar('\n');
}

static void print_worst(const struct wsim_cost_group *group, int folds) {
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
                group->bank, group->ways, folds ? "distinct words" : "lanes, each on its own",
                words, group->nwords > shown ? " ..." : "");
}

static void print_group(const struct wsim_cost_access *access, const struct wsim_cost_group *group,
                        unsigned index, unsigned count, int colour) {
    printf("\ngroup %u of %u: lanes ", index + 1, count);
    lanes_print(group->lanes);
    printf("\nlane  address     bank 0  4   8   12  16  20  24  28\n");
    print_banks(access, group->lanes, colour);
    print_worst(group, access->folds);
}

static uint32_t lanes_seen(const struct access_run *run) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < run->cost.groups; i++)
        lanes |= run->group[i].lanes;
    return lanes;
}

unsigned access_groups(const struct access_run *run, unsigned access,
                       const struct wsim_cost_group **first) {
    unsigned at = 0, end;
    while (at < run->cost.groups && run->group[at].access < access)
        at++;
    for (end = at; end < run->cost.groups && run->group[end].access == access;)
        end++;
    *first = run->group + at;
    return end - at;
}

void access_print_groups(const struct access_run *run, unsigned access, int colour) {
    const struct wsim_cost_group *group;
    unsigned count = access_groups(run, access, &group);
    if (run->access[access].merged)
        puts("Groups are merged in pairs: neighbouring lanes of a wide load agree throughout.");
    for (unsigned i = 0; i < count; i++)
        print_group(&run->access[access], group + i, i, count, colour);
}

void access_print_counts(const struct wsim_cost *cost) {
    printf("wavefronts %lu   ideal %lu   conflicts %lu%s\n", (unsigned long)cost->wavefronts,
           (unsigned long)cost->ideal, (unsigned long)cost->conflicts,
           cost->conflicts ? "" : "   (conflict-free)");
}

void access_print_text(const struct access_run *run, int colour) {
    const struct wsim_cost_access *access = &run->access[0];
    screen_fold(2, "%s on %s: %u byte%s a %s", run->spelling, wsim_arch_name(run->arch),
                access->bytes, plural(access->bytes), access->rows ? "matrix row" : "lane");
    if (strcmp(run->evidence, "hardware") != 0)
        screen_fold(2, "evidence: %s (%s)", run->evidence, run->source);
    access_print_groups(run, 0, colour);
    if (lanes_seen(run) != UINT32_MAX) {
        printf("\nno part in it: lanes ");
        lanes_print(~lanes_seen(run));
        putchar('\n');
    }
    putchar('\n');
    access_print_counts(&run->cost);
}

/* --- CSV --- */

void access_print_lines(const struct access_run *run, unsigned access, const char *before) {
    const struct wsim_cost_group *group;
    unsigned count = access_groups(run, access, &group);
    for (unsigned i = 0; i < count; i++, group++) {
        printf("%s%u,0x%08lx,%u,%u,%u,%u,", before, i, (unsigned long)group->lanes,
               group->wavefronts, group->wavefronts / group->ways, group->ways - 1u, group->bank);
        for (unsigned w = 0; w < group->nwords; w++)
            printf("%s0x%lx", w ? " " : "", 4 * (unsigned long)group->words[w]);
        putchar('\n');
    }
}

void access_print_csv(const struct access_run *run) {
    puts("group,lanes,wavefronts,ideal,conflicts,bank,words");
    access_print_lines(run, 0, "");
}

/* --- JSON --- */

static json_t *group_json(const struct wsim_cost_group *group) {
    json_t *words = json_array();
    for (unsigned i = 0; i < group->nwords; i++)
        json_array_append_new(words, json_integer(4 * (json_int_t)group->words[i]));
    return json_pack("{s:o, s:i, s:i, s:o}", "lanes", lanes_json(group->lanes), "wavefronts",
                     group->wavefronts, "worst_bank", group->bank, "words_there", words);
}

json_t *access_groups_json(const struct access_run *run, unsigned access) {
    const struct wsim_cost_group *group;
    unsigned count = access_groups(run, access, &group);
    json_t *groups = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(groups, group_json(group + i));
    return groups;
}

void access_print_json(const struct access_run *run) {
    const struct wsim_cost *cost = &run->cost;
    tool_print_json(json_pack(
        "{s:s, s:i, s:s, s:s, s:I, s:o, s:I, s:I, s:I, s:b, s:s?, s:s?, s:o}", "schema",
        "wsim.banks", "version", 1, "spelling", run->spelling, "arch", wsim_arch_name(run->arch),
        "mask", (json_int_t)run->mask, "addresses", lanes_numbers_json(run->addr), "wavefronts",
        (json_int_t)cost->wavefronts, "ideal", (json_int_t)cost->ideal, "conflicts",
        (json_int_t)cost->conflicts, "merged", cost->merged, "evidence", run->evidence, "source",
        run->source, "groups", access_groups_json(run, 0)));
}
