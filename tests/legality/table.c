/* Reads tests/data/legality.tsv. The file is sorted by spelling, which table_find relies on and
 * table_read checks. */
#include "table.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[TABLE_CLASSES] = {
    "isa", "order", "repeat", "later", "undocumented", "ignored", "rejected"};

/* "70 75 80 ... 121f" */
static void read_targets(struct table *table, char *names) {
    size_t n = 0;
    char *name;
    for (name = strtok(names, " "); name; name = strtok(NULL, " "), n++) {
        ck_assert_uint_lt(n, TABLE_TARGETS);
        table->targets[n] = wsim_arch_find(name);
        ck_assert_msg(table->targets[n] != NULL, "no architecture '%s'", name);
    }
    ck_assert_uint_eq(n, TABLE_TARGETS);
}

static enum table_class read_class(const char *name) {
    unsigned c;
    for (c = 0; c < TABLE_CLASSES; c++)
        if (strcmp(class_names[c], name) == 0)
            return (enum table_class)c;
    ck_abort_msg("no class '%s'", name);
}

static void read_line(struct table *table, char *text) {
    struct table_line *line = &table->lines[table->count];
    char *accepted = strchr(text, '\t'), *class = accepted ? strchr(accepted + 1, '\t') : NULL;
    ck_assert_msg(class != NULL, "not three columns: %s", text);
    *accepted++ = 0;
    *class ++ = 0;
    if (strcmp(text, "spelling") == 0) {
        read_targets(table, accepted);
        return;
    }
    ck_assert_uint_eq(strspn(accepted, "1."), TABLE_TARGETS);
    ck_assert_uint_eq(strlen(accepted), TABLE_TARGETS);
    memcpy(line->accepted, accepted, TABLE_TARGETS + 1);
    line->class = read_class(class);
    line->spelling = strdup(text);
    ck_assert_msg(table->count == 0 || strcmp(line[-1].spelling, text) < 0, "not sorted: %s", text);
    table->count++;
}

void table_read(struct table *table) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/data/legality.tsv", "r");
    char text[512];
    size_t room = 0;
    memset(table, 0, sizeof *table);
    ck_assert_msg(file != NULL, "tests/data/legality.tsv cannot be read");
    while (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = 0;
        if (table->count == room) {
            room = 2 * room + 1024;
            table->lines = realloc(table->lines, room * sizeof *table->lines);
        }
        if (text[0] != '#')
            read_line(table, text);
    }
    fclose(file);
    ck_assert(table->targets[0] != NULL);
}

void table_free(struct table *table) {
    while (table->count)
        free(table->lines[--table->count].spelling);
    free(table->lines);
}

int table_legal(const struct table_line *line, size_t target) {
    return line->class <= LATER && line->accepted[target] == '1';
}

static int compare(const void *spelling, const void *line) {
    return strcmp(spelling, ((const struct table_line *)line)->spelling);
}

const struct table_line *table_find(const struct table *table, const char *spelling) {
    return bsearch(spelling, table->lines, table->count, sizeof *table->lines, compare);
}
