#include "case.h"

#include <dirent.h>

/* The next field of *at, ended by '|', without blanks around it. */
static char *field(char **at) {
    char *start = *at, *end = strchr(start, '|');
    *at = end ? end + 1 : start + strlen(start);
    if (!end)
        end = *at;
    while (*start == ' ')
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    *end = 0;
    return start;
}

static int cut(struct reject_case *what) {
    char *at = what->fields, *arch, *col, *rule;
    what->action = field(&at);
    what->spelling = field(&at);
    what->changes = field(&at);
    what->status = field(&at);
    what->words = field(&at);
    rule = strchr(what->status, ' ');
    if (!rule)
        return 0;
    *rule = 0;
    what->rule = rule + 1;
    what->arch = "";
    arch = strchr(what->action, ' ');
    if (arch) {
        *arch = 0;
        what->arch = arch + 1;
    }
    col = strchr(what->status, ':');
    if (col) {
        *col = 0;
        what->col = (unsigned)strtoul(col + 1, &col, 10);
        if (*col == ':') {
            what->at_line = what->col;
            what->col = (unsigned)strtoul(col + 1, NULL, 10);
        }
    }
    return *what->words != 0;
}

static struct { char name[16], fields[CASE_LINE]; } lets[32];

const char *reject_let(const char *name) {
    int i;
    for (i = 0; i < COUNT(lets); i++)
        if (strcmp(lets[i].name, name) == 0)
            return lets[i].fields;
    return NULL;
}

/* let name = fields */
static int put_down(const char *line) {
    int i = 0, at = 0;
    while (i < COUNT(lets) && *lets[i].name)
        i++;
    if (i == COUNT(lets) || sscanf(line, "let %15[a-z0-9_] = %n", lets[i].name, &at) != 1 || !at)
        return 0;
    snprintf(lets[i].fields, sizeof lets[i].fields, "%.*s", (int)strcspn(line + at, "\n"),
             line + at);
    return 1;
}

static int read_file(const char *folder, const char *name, struct reject_case *cases, int max) {
    char path[1024], line[CASE_LINE];
    FILE *file;
    int n = 0, number = 0, good = 1;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r");
    while (file && good && n < max && fgets(line, sizeof line, file)) {
        number++;
        if (*line == '#' || *line == '\n')
            continue;
        if (strncmp(line, "let ", 4) == 0) {
            good = put_down(line);
            continue;
        }
        memset(&cases[n], 0, sizeof cases[n]);
        snprintf(cases[n].file, sizeof cases[n].file, "%s", name);
        strcpy(cases[n].text, line);
        strcpy(cases[n].fields, line);
        cases[n].line = number;
        good = cut(&cases[n]);
        n++;
    }
    if (file)
        fclose(file);
    if (!good)
        fprintf(stderr, "%s:%d: five fields wanted, of which the fourth is status and rule\n", path,
                number);
    return file && good ? n : -1;
}

int reject_read(const char *folder, struct reject_case *cases, int max) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;
    while (dir && n >= 0 && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        int more = 0;
        if (dot && strcmp(dot, ".txt") == 0)
            more = read_file(folder, entry->d_name, cases + n, max - n);
        n = more < 0 ? -1 : n + more;
    }
    if (dir)
        closedir(dir);
    return dir ? n : -1;
}

/* --- operands --- */

static void valid(struct reject_operands *o) {
    uint64_t seed = 7;
    int l;
    every_fill(o, sizeof *o, &seed);
    for (l = 0; l < WSIM_LANES; l++) {
        o->e[l] = 0x44444444;
        o->sf[l] = 0x38383838;
        o->addr[l] = 16u * (uint32_t)l;
    }
    o->mask = UINT32_MAX;
    o->operand = o->full = 0;
    for (l = 0; l < WSIM_LANES; l++) {
        o->src[l] = 16u * (uint32_t)l;
        o->src_size[l] = 16;
    }
    o->copy = (struct wsim_copy){.bytes = 16, .dst = o->addr, .src = o->src};
    o->smem = wsim_memory_over(WSIM_SHARED, o->bytes, sizeof o->bytes, 0);
    o->io = (struct wsim_operands){.d = &o->d,
                                   .a = &o->a,
                                   .b = &o->b,
                                   .c = &o->c,
                                   .r = &o->r,
                                   .e = o->e,
                                   .sfa = o->sf,
                                   .sfb = o->sf,
                                   .smem = &o->smem,
                                   .addr = o->addr};
}

static int remove_operand(const char *name, struct reject_operands *o) {
    struct wsim_operands *io = &o->io;
    static const char *const names[] = {"d", "a", "b", "c", "r", "e", "sfa", "sfb", "smem", "addr"};
    int i = 0;
    while (i < COUNT(names) && strcmp(name, names[i]) != 0)
        i++;
    switch (i) {
    case 0: io->d = NULL; break;
    case 1: io->a = NULL; break;
    case 2: io->b = NULL; break;
    case 3: io->c = NULL; break;
    case 4: io->r = NULL; break;
    case 5: io->e = NULL; break;
    case 6: io->sfa = NULL; break;
    case 7: io->sfb = NULL; break;
    case 8: io->smem = NULL; break;
    case 9: io->addr = o->copy.dst = NULL; break;
    default: return 0;
    }
    return 1;
}

static int set_number(const char *name, unsigned value, struct reject_operands *o) {
    unsigned *numbers[] = {&o->io.selector, &o->io.bid_a, &o->io.tid_a, &o->io.bid_b, &o->io.tid_b};
    static const char *const names[] = {"selector", "bid_a", "tid_a", "bid_b", "tid_b"};
    int i;
    for (i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *numbers[i] = value;
            return 1;
        }
    if (strcmp(name, "mask") == 0)
        o->mask = value;
    else if (strcmp(name, "bytes") == 0)
        o->copy.bytes = value;
    else if (strcmp(name, "warm") == 0)
        o->copy.warm = (int)value;
    else if (strcmp(name, "page") == 0)
        o->copy.counters = value ? WSIM_SOURCE_PAGE : WSIM_HARDWARE_COUNTERS;
    else if (strcmp(name, "smem") == 0)
        o->smem.size = value;
    else if (strcmp(name, "operand") == 0)
        o->operand = (int)value;
    else
        return 0;
    return 1;
}

static int set_lane(const char *name, unsigned lane, unsigned value, struct reject_operands *o) {
    if (lane >= WSIM_LANES)
        return 0;
    if (strcmp(name, "e") == 0)
        o->e[lane] = value;
    else if (strcmp(name, "addr") == 0)
        o->addr[lane] = value;
    else if (strcmp(name, "src") == 0)
        o->src[lane] = value;
    else if (strcmp(name, "srcsize") == 0) {
        o->copy.src_size = o->src_size;
        o->src_size[lane] = value;
    } else
        return 0;
    return 1;
}

/* One word of the changes. */
static int change(const char *word, struct reject_operands *o) {
    const char *equals = strchr(word, '=');
    unsigned value = equals ? (unsigned)strtoul(equals + 1, NULL, 0) : 0, lane;
    char name[16];
    if (*word == '-')
        return remove_operand(word + 1, o);
    if (strcmp(word, "dense=full") == 0)
        return o->full = 1;
    if (sscanf(word, "%15[a-z_][%u]=", name, &lane) == 2)
        return set_lane(name, lane, value, o);
    if (!equals || sscanf(word, "%15[a-z_]=", name) != 1)
        return 0;
    if (strcmp(name, "e") != 0)
        return set_number(name, value, o);
    for (lane = 0; lane < WSIM_LANES; lane++)
        o->e[lane] = value;
    return 1;
}

void reject_change(const struct reject_case *what, struct reject_operands *operands) {
    char words[CASE_LINE], *word, *rest = words;
    strcpy(words, what->changes);
    valid(operands);
    while ((word = strtok_r(rest, " ", &rest)) != NULL)
        expect(change(word, operands), "%s:%d: unknown change %s", what->file, what->line, word);
}
