/* launch_record.c - writes the results of a GPU into the launch file and files beside it. */
#include "launch.h"
#include "command.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "FOLDER/NAME.json" without ".json", and without the folder. */
static void stem_of(const char *path, char *whole, const char **name, size_t size) {
    char *end;
    snprintf(whole, size, "%s", path);
    end = strrchr(whole, '.');
    if (end && strcmp(end, ".json") == 0)
        *end = 0;
    *name = strrchr(whole, '/') ? strrchr(whole, '/') + 1 : whole;
}

static int write_file(const char *path, const void *bytes, uint64_t size) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return hw_fail(path, strerror(errno));
    if (size && fwrite(bytes, 1, (size_t)size, file) != size) {
        fclose(file);
        return hw_fail(path, "cannot be written");
    }
    return fclose(file) ? hw_fail(path, "cannot be written") : 0;
}

/* Writes the bytes of one expectation into the file that its entry names. `key` is "out" or
 * "symbol:NAME". */
static int record_one(const struct launch_run *run, json_t *expect, const char *key,
                      const uint8_t *bytes, uint64_t size) {
    char whole[4096], path[4352];
    const char *stem, *plain = strncmp(key, "symbol:", 7) == 0 ? key + 7 : key;
    json_t *entry = json_object_get(expect, key);
    const char *named = json_string_value(json_object_get(entry, "file"));
    stem_of(run->path, whole, &stem, sizeof whole);
    if (!entry) {
        char file[4352];
        snprintf(file, sizeof file, "%s.%s.expected.bin", stem, plain);
        entry = json_pack("{s:s}", "file", file);
        if (!entry || json_object_set_new(expect, key, entry))
            return hw_fail(run->path, "out of memory");
        named = json_string_value(json_object_get(entry, "file"));
    }
    snprintf(path, sizeof path, "%.*s%s", (int)(stem - whole), whole, named ? named : "");
    printf("%s: recorded in %s\n", key, path);
    return write_file(path, bytes, size);
}

/* Whether the launches changed a buffer. */
static int changed(const struct launch_run *run, size_t i) {
    return memcmp(run->before[i], run->after[i], (size_t)run->launch->buffers[i].bytes) != 0;
}

/* Records all expectations; without any, every buffer that changed. */
static int record_bytes(const struct launch_run *run, json_t *root) {
    const struct wsim_launch_parts *launch = run->launch;
    json_t *expect = json_object_get(root, "expect");
    int status = 0;
    for (size_t i = 0; i < launch->nexpects && !status; i++) {
        const struct wsim_launch_expect *e = &launch->expects[i];
        status = e->symbol ? record_one(run, expect, e->name, run->symbols[i], run->symbol_bytes[i])
                           : record_one(run, expect, e->name, run->after[e->buffer],
                                        launch->buffers[e->buffer].bytes);
    }
    if (launch->nexpects || status)
        return status;
    expect = json_object();
    if (json_object_set_new(root, "expect", expect))
        return hw_fail(run->path, "out of memory");
    for (size_t i = 0; i < launch->nbuffers && !status; i++)
        if (changed(run, i))
            status = record_one(run, expect, launch->buffers[i].name, run->after[i],
                                launch->buffers[i].bytes);
    return status;
}

static int record_counters(const struct launch_run *run, json_t *root) {
    json_t *launches = json_object_get(root, "launches");
    for (size_t i = 0; i < run->ncounted; i++) {
        json_t *counters = json_object();
        for (unsigned c = 0; c < WSIM_LAUNCH_COUNTERS; c++)
            if (json_object_set_new(counters, wsim_launch_counter_name((enum wsim_launch_counter)c),
                                    json_integer((json_int_t)run->counted[i][c])))
                return hw_fail(run->path, "out of memory");
        if (json_object_set_new(json_array_get(launches, i), "counters", counters))
            return hw_fail(run->path, "out of memory");
    }
    return 0;
}

/* Records the output of the kernels, if there is any. */
static int record_output(const struct launch_run *run, json_t *root) {
    char whole[4096], path[4352];
    const char *stem, *named = run->launch->output_name;
    if (!named && !run->output_size)
        return 0;
    stem_of(run->path, whole, &stem, sizeof whole);
    if (!named) {
        char file[4352];
        snprintf(file, sizeof file, "%s.stdout", stem);
        if (json_object_set_new(root, "stdout", json_string(file)))
            return hw_fail(run->path, "out of memory");
        named = json_string_value(json_object_get(root, "stdout"));
    }
    snprintf(path, sizeof path, "%.*s%s", (int)(stem - whole), whole, named);
    return write_file(path, run->output, run->output_size);
}

int launch_record(struct launch_run *run) {
    json_t *root = json_load_file(run->path, 0, NULL);
    int status = root ? record_bytes(run, root) : hw_fail(run->path, "out of memory");
    if (!status)
        status = record_counters(run, root);
    if (!status)
        status = record_output(run, root);
    if (!status && json_dump_file(root, run->path, JSON_INDENT(1)))
        status = hw_fail(run->path, "cannot be written");
    json_decref(root);
    return status;
}
