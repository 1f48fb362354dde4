/* launch_count.c - counts shared memory accesses of a launch file: runs this program again under
 * Nsight Compute. */
#include "launch.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of enum wsim_launch_counter: each is the sum of one or two. */
static const char *const metrics[WSIM_LAUNCH_COUNTERS][2] = {
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}};

enum { LINE = 1 << 16, COLUMNS = 4096 }; /* ncu 2025.3 prints more than 300 */

/* Splits a line of quoted fields in place; how many there are. */
static size_t split(char *line, char **fields) {
    size_t n = 0;
    for (char *at = line; *at == '"' && n < COLUMNS;) {
        char *end = strchr(at + 1, '"');
        if (!end)
            break;
        *end = 0;
        fields[n++] = at + 1;
        at = end[1] == ',' ? end + 2 : end + 1;
    }
    return n;
}

/* "1,056" or "1056": with the commas that a locale may put into numbers. */
static uint64_t number_of(const char *text) {
    uint64_t value = 0;
    for (; *text && *text != '.'; text++)
        if (*text >= '0' && *text <= '9')
            value = value * 10 + (uint64_t)(*text - '0');
    return value;
}

/* The columns of all metrics. */
static int find_columns(char *const *names, size_t n, size_t column[WSIM_LAUNCH_COUNTERS][2]) {
    for (unsigned c = 0; c < 2 * WSIM_LAUNCH_COUNTERS; c++) {
        const char *metric = metrics[c / 2][c % 2];
        size_t i = 0;
        while (metric && i < n && strcmp(names[i], metric) != 0)
            i++;
        if (metric && i == n)
            return hw_fail(metric, "the report of ncu lacks this metric");
        column[c / 2][c % 2] = metric ? i : 0;
    }
    return 0;
}

/* The raw page: a line of names, one of units, then a line a launch. */
static int read_page(struct launch_run *run, FILE *page) {
    static char line[LINE], *fields[COLUMNS];
    size_t column[WSIM_LAUNCH_COUNTERS][2] = {{0}};
    int named = 0;
    run->ncounted = 0;
    while (fgets(line, sizeof line, page)) {
        const size_t n = split(line, fields);
        if (n && !named && strcmp(fields[0], "ID") == 0) {
            const int status = find_columns(fields, n, column);
            if (status)
                return status;
            named = 1;
            continue;
        }
        if (!named || !n || !*fields[0] || run->ncounted == LAUNCH_COUNTED)
            continue;
        memset(run->counted[run->ncounted], 0, sizeof run->counted[0]);
        for (unsigned c = 0; c < 2 * WSIM_LAUNCH_COUNTERS; c++) {
            const size_t at = column[c / 2][c % 2];
            run->counted[run->ncounted][c / 2] += at && at < n ? number_of(fields[at]) : 0;
        }
        run->ncounted++;
    }
    return 0;
}

/* A text as one word of the shell. */
static void quote(char *out, size_t size, const char *text) {
    size_t used = strlen(out);
    if (used + 1 < size)
        out[used++] = '\'';
    for (; *text && used + 6 < size; text++)
        if (*text == '\'')
            used += (size_t)snprintf(out + used, size - used, "'\\''");
        else
            out[used++] = *text;
    if (used + 2 < size)
        out[used++] = '\'';
    out[used] = 0;
}

int launch_count(struct launch_run *run, const char *ncu) {
    static char command[1 << 14];
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    FILE *page;
    int status;
    if (length <= 0)
        return hw_fail("--counters", "this program does not know where it is");
    self[length] = 0;
    snprintf(command, sizeof command,
             "%s --csv --page raw --print-units base --cache-control none --clock-control none "
             "--metrics ",
             ncu);
    for (unsigned c = 0; c < 2 * WSIM_LAUNCH_COUNTERS; c++)
        if (metrics[c / 2][c % 2])
            snprintf(command + strlen(command), sizeof command - strlen(command), "%s%s",
                     c ? "," : "", metrics[c / 2][c % 2]);
    snprintf(command + strlen(command), sizeof command - strlen(command), " ");
    quote(command, sizeof command, self);
    snprintf(command + strlen(command), sizeof command - strlen(command), " launch --rounds 1 ");
    quote(command, sizeof command, run->path);
    page = popen(command, "r");
    if (!page)
        return hw_fail(ncu, "cannot be run");
    status = read_page(run, page);
    pclose(page); /* 1 if a file differs; this is printed elsewhere */
    if (!status && run->ncounted != run->launch->nlaunches) {
        char text[96];
        snprintf(text, sizeof text, "it counted %zu launches of %zu", run->ncounted,
                 run->launch->nlaunches);
        return hw_fail(ncu, text);
    }
    return status;
}
