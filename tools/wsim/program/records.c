/* Records of processes; see records.h. Source of their form: runtime/core/record.c. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "records.h"
#include "../common/child.h"
#include "../common/members.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "wire/variables.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ending[] = ".wsim.json", unwritten[] = ".wsim.json.lost",
                  end_name[] = "/end.json";

/* --- addition --- */

/* Adds the numbers `keys` of `from` to `to`. */
static void add_numbers(json_t *to, const json_t *from, const char *const *keys) {
    for (; *keys; keys++)
        json_object_set_new(to, *keys, json_integer(number(to, *keys) + number(from, *keys)));
}

static void add_one(json_t *to, const char *key) {
    json_object_set_new(to, key, json_integer(number(to, key) + 1));
}

/* Whether two objects agree in all `keys`. */
static int is_same(const json_t *a, const json_t *b, const char *const *keys) {
    for (; *keys; keys++)
        if (!(get(a, *keys) == get(b, *keys) || json_equal(get(a, *keys), get(b, *keys))))
            return 0;
    return 1;
}

/* Adds an object to the one of the list that agrees in `keys`, or to the list. The search begins at
 * `first`: records often agree in their order. The index. */
static size_t add_object_at(json_t *list, size_t first, json_t *object, const char *const *keys,
                            const char *const *sums) {
    const size_t n = json_array_size(list);
    for (size_t i = 0; i < n; i++) {
        const size_t at = (first + i) % n;
        json_t *one = json_array_get(list, at);
        if (is_same(one, object, keys)) {
            add_numbers(one, object, sums);
            return at;
        }
    }
    json_array_append(list, object);
    return n;
}

static size_t add_object(json_t *list, json_t *object, const char *const *keys,
                         const char *const *sums) {
    return add_object_at(list, 0, object, keys, sums);
}

static void add_kernels(json_t *list, const json_t *from) {
    static const char *const keys[] = {"kernel", NULL};
    static const char *const sums[] = {
        "launches", "blocks", "instructions", "findings", "predicted", "assembled", NULL};
    static const char *const line_keys[] = {"ptx_line", "opcode", "file", "line", NULL};
    static const char *const line_sums[] = {"executed", "wavefronts",    "wavefronts_ideal",
                                            "sectors",  "sectors_ideal", NULL};
    json_t *kernel, *line;
    size_t i, k;
    json_array_foreach(from, i, kernel) {
        json_t *const lines = json_incref(get(kernel, "lines"));
        const size_t before = json_array_size(list);
        const size_t at = add_object(list, kernel, keys, sums);
        json_t *known = get(json_array_get(list, at), "lines");
        size_t next = 0;
        if (at < before)
            json_array_foreach(lines, k, line) next =
                add_object_at(known, next, line, line_keys, line_sums) + 1;
        json_decref(lines);
    }
}

/* Adds findings; a cause is the number of another finding of the record, from 1 on. Without a line
 * of the source, findings of two programs differ. */
static void add_findings(json_t *list, const json_t *record) {
    const json_t *from = get(record, "findings");
    static const char *const keys[] = {"program", "rule",   "kernel",     "ptx_line",
                                       "file",    "line",   "other_line", "other_ptx_line",
                                       "object",  "offset", "outer",      NULL};
    static const char *const sums[] = {"count", "launches", NULL};
    size_t *places = memory_make(json_array_size(from) + 1, sizeof *places), i;
    json_t *finding;
    json_array_foreach(from, i, finding) {
        const json_int_t cause = number(finding, "cause");
        const int is_before = cause > 0 && (size_t)cause <= i;
        json_object_set_new(finding, "cause",
                            json_integer(is_before ? (json_int_t)places[cause - 1] + 1 : 0));
        json_object_set(finding, "program", get(record, "program"));
        json_object_set(finding, "process", get(record, "process"));
        places[i] = add_object(list, finding, number(finding, "line") ? keys + 1 : keys, sums);
    }
    free(places);
}

/* Adds a state of a place of --print to that of other processes. */
static void add_place(json_t *known, const json_t *place) {
    static const char *const sums[] = {"times", NULL}, *const flags[] = {"known", "executed"};
    size_t i;
    json_t *why;
    add_numbers(known, place, sums);
    for (i = 0; i < 2; i++)
        if (json_is_true(get(place, flags[i])))
            json_object_set_new(known, flags[i], json_true());
    json_array_foreach(get(place, "why"), i, why) {
        if (json_is_true(get(place, "executed")) && !*text_in(why))
            json_array_set(get(known, "why"), i, why);
    }
}

static void add_print(struct records *records, const json_t *record) {
    json_t *one, *known = NULL;
    size_t i, k;
    json_array_foreach(get(record, "visits"), i, one) {
        json_object_set(one, "process", get(record, "process"));
        json_array_append(records->visits, one);
    }
    json_array_foreach(get(record, "printed"), i, one) {
        json_array_foreach(records->printed, k, known) {
            if (json_equal(get(known, "at"), get(one, "at")))
                break;
        }
        if (k < json_array_size(records->printed))
            add_place(known, one);
        else
            json_array_append(records->printed, one);
    }
}

static void add_record(struct records *records, const json_t *record, long main) {
    static const char *const keys[] = {"function", NULL}, *const sums[] = {"calls", NULL};
    static const char *const lack_keys[] = {"what", "text", NULL};
    static const char *const lack_sums[] = {"count", NULL};
    json_t *one;
    size_t i;
    add_kernels(records->kernels, get(record, "kernels"));
    add_findings(records->findings, record);
    add_print(records, record);
    json_array_foreach(get(record, "missing"), i, one)
        add_object(records->missing, one, keys, sums);
    json_array_foreach(get(record, "lacks"), i, one)
        add_object(records->lacks, one, lack_keys, lack_sums);
    json_object_set_new(records->programs, string(record, "program"), json_true());
    records->launches += (uint64_t)number(record, "launches");
    records->processes++;
    records->died += !json_is_true(get(record, "whole"));
    records->wrong += json_is_true(get(record, "wrong"));
    if (*string(record, "running"))
        json_object_set_new(records->running, string(record, "running"), json_true());
    if (main && number(record, "process") == main && json_is_true(get(record, "whole")))
        records->fine = number(record, "status") == 0;
}

/* --- folders --- */

/* Whether all integers are small enough to be added. */
static int is_addable(json_t *value) {
    const json_int_t most = (json_int_t)1 << 53;
    const char *key;
    json_t *one;
    size_t i;
    if (json_is_integer(value))
        return json_integer_value(value) <= most && json_integer_value(value) >= -most;
    json_array_foreach(value, i, one) if (!is_addable(one)) return 0;
    json_object_foreach(value, key, one) if (!is_addable(one)) return 0;
    return 1;
}

static int read_record(struct records *records, const char *path, long main) {
    json_error_t error;
    json_t *record;
    struct stat there;
    if (stat(path, &there) == 0 && there.st_size == 0)
        return records->processes++, records->died++, TOOL_GO; /* only its name was chosen */
    record = json_load_file(path, 0, &error);
    if (!record)
        return tool_error("%s: %s", text_path(path).text, error.text);
    if (strcmp(string(record, "schema"), "wsim.process") != 0 || !is_addable(record)) {
        json_decref(record);
        return tool_error("%s: this is no record of a process", text_path(path).text);
    }
    add_record(records, record, main);
    json_decref(record);
    return TOOL_GO;
}

/* Reads the records of one folder, in the order of their names. */
static int read_folder(struct records *records, const char *folder, long main) {
    struct dirent **list;
    const int n = scandir(folder, &list, NULL, alphasort);
    int status = n < 0 ? tool_error("%s: %s", text_path(folder).text, strerror(errno)) : TOOL_GO;
    for (int i = 0; i < n; i++) {
        const int whole = text_ends(list[i]->d_name, ending);
        if (status == TOOL_GO && (whole || text_ends(list[i]->d_name, unwritten))) {
            char *path = memory_join(folder, "/", list[i]->d_name);
            status = read_record(records, path, main);
            records->unwritten += !whole;
            free(path);
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return status;
}

/* The number of parts of a folder: that in the names I-of-N; 0: it has none. */
static unsigned count_parts(const char *folder) {
    DIR *list = opendir(folder);
    unsigned part, parts, most = 0;
    for (struct dirent *one; list && (one = readdir(list));)
        if (sscanf(one->d_name, "%u-of-%u", &part, &parts) == 2 && parts > most &&
            parts <= WIRE_PARTS)
            most = parts;
    if (list)
        closedir(list);
    return most;
}

static int read_parts(struct records *records, const char *folder) {
    int status = TOOL_GO;
    for (unsigned i = 0; i < records->of && status == TOOL_GO; i++) {
        char name[32], *path;
        int ended;
        snprintf(name, sizeof name, "%u-of-%u", i, records->of);
        path = memory_join(folder, "/", name);
        if (records_status(path, &ended)) {
            const unsigned one =
                (unsigned)(WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended));
            records->parts++;
            if (one > records->status)
                records->status = one, records->worst = i;
            status = read_folder(records, path, 0);
        } else {
            const size_t used = strlen(records->lost), left = sizeof records->lost - used;
            if (left > sizeof " 65535 ...")
                snprintf(records->lost + used, left, "%s%u", used ? " " : "", i);
            else if (records->lost[used - 1] != '.')
                snprintf(records->lost + used, left, " ...");
        }
        free(path);
    }
    return status;
}

/* A mistake counts once, with its symptoms. */
static void count_findings(struct records *records) {
    json_t *finding;
    size_t i;
    json_array_foreach(records->findings, i, finding) {
        const json_int_t cause = number(finding, "cause");
        const json_t *first = cause ? json_array_get(records->findings, (size_t)cause - 1) : NULL;
        if (get(finding, "suppressed"))
            continue;
        if (json_is_true(get(finding, "note")))
            records->notes++;
        else if (!first || json_is_true(get(first, "note")) || get(first, "suppressed"))
            records->mistakes++;
    }
}

/* --- places of calls --- */

/* Whether a file is a header of CUDA, or a stub that nvcc makes for a launch. Its lines are none of
 * the program. */
static int is_wrapper(const char *file) {
    static const char *const names[] = {"cuda_runtime", "device_functions", "host_runtime",
                                        "device_launch"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(text_name(file), names[i], strlen(names[i])) == 0)
            return 1;
    return strstr(file, ".cudafe1.stub.c") != NULL ||
           (strstr(file, "/targets/") != NULL && strstr(file, "/include/") != NULL);
}

enum { NAME = 1024 };
#define STUB "__device_stub_"

/* The name that a stub has its kernel by: _Z3sumPf in _Z22__device_stub__Z3sumPfPf, where 22
 * counts the letters of __device_stub__Z3sumPf. */
static void read_kernel(const char *function, const char *stub, char kernel_name[NAME]) {
    const size_t skip = strlen(STUB);
    const char *digits = stub;
    size_t letters;
    while (digits > function && isdigit((unsigned char)digits[-1]))
        digits--;
    letters = digits < stub ? strtoul(digits, NULL, 10) : strlen(stub);
    kernel_name[0] = '\0';
    if (letters > skip && letters - skip < NAME)
        snprintf(kernel_name, NAME, "%.*s", (int)(letters - skip), stub + skip);
}

/* Whether nvcc made a function for a kernel: a stub, or the function with the name of the kernel
 * that calls it. `kernel_name` keeps that name, behind a "_" in C. */
static int is_stub(const char *function, const json_t *finding, char kernel_name[NAME]) {
    const char *kernel = strstr(string(finding, "text"), " (kernel ");
    const char *stub = strstr(function, STUB);
    if (stub)
        read_kernel(function, stub, kernel_name);
    if (stub ||
        (*kernel_name && (!strcmp(function, kernel_name) ||
                          (!strncmp(kernel_name, "_", 1) && !strcmp(function, kernel_name + 1)))))
        return 1;
    if (!kernel)
        return 0;
    kernel += strlen(" (kernel ");
    return (strncmp(kernel, function, strlen(function)) == 0 && kernel[strlen(function)] == ':');
}

/* Reads a "FILE:LINE" of addr2line into two members. It has a line for each function that the
 * compiler put into its caller, and one with its name before. They come from the inside out; the
 * first of the program is taken. Returns 0 if there is none. */
static int read_place(json_t *finding, const char *log, const char *file_key, const char *line_key,
                      char kernel_name[NAME]) {
    char text[NAME], function[NAME], *colon = NULL, *whole;
    int found = 0;
    FILE *file = fopen(log, "r");
    if (!file)
        return 0;
    while (fgets(function, sizeof function, file) && fgets(text, sizeof text, file)) {
        function[strcspn(function, "\n")] = '\0';
        text[strcspn(text, "\n")] = '\0';
        colon = strrchr(text, ':');
        if (!colon || *text == '?' || strtoul(colon + 1, NULL, 10) == 0)
            continue;
        *colon = '\0';
        whole = realpath(text, NULL); /* compilers write build/../src */
        json_object_set_new(finding, file_key, tool_json_text(whole ? whole : text));
        free(whole);
        json_object_set_new(finding, line_key,
                            json_integer((json_int_t)strtoul(colon + 1, NULL, 10)));
        found = !is_stub(function, finding, kernel_name) && !is_wrapper(text);
        if (found)
            break;
    }
    fclose(file);
    return found;
}

struct places {
    char *program; /* addr2line */
    struct child_folder folder;
};

/* The members of a call: its file of code, and where they say the line. */
struct place_keys {
    const char *object, *offset, *outer, *file, *line, *further;
};

static int find_at(const struct places *places, json_t *finding, const struct place_keys *keys,
                   json_int_t at, char kernel_name[NAME]) {
    int found = 0;
    char *log = child_path(&places->folder, "place"), offset[24];
    char *const object = (char *)string(finding, keys->object);
    snprintf(offset, sizeof offset, "0x%llx", (unsigned long long)at);
    if (child_run((char *[]){places->program, "-f", "-i", "-e", object, offset, NULL},
                  places->folder.path, log, &places->folder.mask) == 0)
        found = read_place(finding, log, keys->file, keys->line, kernel_name);
    free(log);
    return found;
}

/* Without optimisation, cudaMalloc(T **, size_t) is a function; its own call is in the program. */
static void find_place(const struct places *places, json_t *finding,
                       const struct place_keys *keys) {
    char kernel_name[NAME] = "";
    json_t *at;
    size_t i;
    int found;
    if (!*string(finding, keys->object) || number(finding, keys->line) > 0)
        return;
    found = find_at(places, finding, keys, number(finding, keys->offset), kernel_name);
    if (!found && number(finding, keys->outer))
        found = find_at(places, finding, keys, number(finding, keys->outer), kernel_name);
    json_array_foreach(keys->further ? get(finding, keys->further) : NULL, i, at) {
        if (found || !json_integer_value(at))
            break;
        found = find_at(places, finding, keys, json_integer_value(at), kernel_name);
    }
}

/* Finds the lines of calls by the debugging information of the program. binutils and
 * LLVM have a program that prints them alike. */
static void find_places(const struct records *records) {
    static const struct place_keys own = {"object", "offset", "outer", "file", "line", "further"};
    static const struct place_keys other = {"other_object", "other_offset", "other_outer",
                                            "other_file",   "other_line",   "other_further"};
    static const struct place_keys buffer = {"buffer_object", "buffer_offset", "buffer_outer",
                                             "buffer_file",   "buffer_line",   NULL};
    struct places places = {.program = child_find("addr2line")};
    json_t *finding;
    size_t i, calls = 0;
    json_array_foreach(records->findings, i, finding) calls +=
        *string(finding, "object") || *string(finding, "buffer_object");
    if (!places.program)
        places.program = child_find("llvm-addr2line");
    if (places.program && calls && child_open_folder(&places.folder) == TOOL_GO) {
        json_array_foreach(records->findings, i, finding) {
            find_place(&places, finding, &own);
            find_place(&places, finding, &other);
            find_place(&places, finding, &buffer);
        }
        child_close_folder(&places.folder);
    }
    free(places.program);
}

/* --- findings that are left out --- */

const char *records_text(void *user, const char *file) {
    struct records_source *source = user;
    FILE *stream;
    if (source->name && strcmp(source->name, file) == 0)
        return source->text;
    free(source->name);
    free(source->text);
    *source = (struct records_source){memory_text(file, strlen(file)), NULL};
    stream = fopen(file, "r");
    if (stream) {
        enum { MOST = 1 << 24 };
        source->text = memory_make(MOST + 1, 1);
        source->text[fread(source->text, 1, MOST, stream)] = '\0';
        source->text = memory_grow(source->text, strlen(source->text) + 1);
        fclose(stream);
    }
    return source->text;
}

static const char *known_text(const json_t *finding, const char *key) {
    const char *text = string(finding, key);
    return *text ? text : NULL;
}

/* As the process names its place: runtime/core/suppress.c. */
static struct wsim_suppress_finding place_of(const json_t *finding) {
    const int is_call = *string(finding, "meaning") != 0, line = number(finding, "line") > 0;
    const int other = number(finding, "other_line") > 0;
    struct wsim_suppress_finding out = {
        .rule = string(finding, "rule"),
        .kernel = known_text(finding, is_call ? "function" : "kernel"),
        .object = known_text(finding, "object"),
        .fingerprint = strtoull(string(finding, "fingerprint"), NULL, 16),
        .place = is_call ? (uint64_t)number(finding, "offset") + 1 : 0};
    out.file = known_text(finding, is_call ? "object" : line ? "file" : "kernel");
    out.line = is_call ? 0 : (uint32_t)number(finding, line ? "line" : "ptx_line");
    if (!is_call && number(finding, "other_ptx_line")) {
        out.other_file = known_text(finding, other ? "other_file" : "kernel");
        out.other_line = (uint32_t)number(finding, other ? "other_line" : "other_ptx_line");
    }
    return out;
}

/* The process judged too, but did not know the line of a call. */
static void judge(struct records *records, json_t *finding) {
    struct suppress *s = records->suppress;
    struct wsim_suppress_finding place = place_of(finding);
    const json_int_t first = number(finding, "cause"), own = number(finding, "suppressed");
    const json_t *cause = first ? json_array_get(records->findings, (size_t)first - 1) : NULL;
    const json_t *outer = cause ? get(cause, "suppressed") : NULL;
    const char *reason, *file = place.file;
    enum wsim_suppress_kind kind = wsim_suppress_find(s->list, &place, &reason);
    json_t *why;
    if (!kind && *string(finding, "meaning") && number(finding, "line") > 0) {
        place.file = string(finding, "file");
        place.line = (uint32_t)number(finding, "line");
        kind = wsim_suppress_find(s->list, &place, &reason);
    }
    if (!kind && own > 0 && own <= WSIM_SUPPRESS_KNOWN) {
        kind = (enum wsim_suppress_kind)own;
        reason = string(finding, "reason");
    }
    if (!kind && outer && strcmp(string(cause, "rule"), place.rule) != 0) {
        kind = suppress_kind_called(string(outer, "kind"));
        reason = string(outer, "reason");
    }
    why = suppress_json(kind, reason);
    json_object_del(finding, "suppressed");
    json_object_del(finding, "reason");
    if (why)
        json_object_set_new(finding, "suppressed", why);
    else if (s->options.write && file)
        suppress_record_run(s, file, &place);
    s->counts[kind] += !outer;
}

static void judge_all(struct records *records) {
    json_t *finding;
    size_t i;
    json_array_foreach(records->findings, i, finding) judge(records, finding);
}

/* Calls of one line with one mistake are one finding; "more_calls" counts the others. */
static void join_calls(struct records *records) {
    static const char *const keys[] = {"rule",       "meaning",    "file", "line",
                                       "other_file", "other_line", NULL};
    static const char *const sums[] = {"count", "more_calls", NULL};
    json_t *joined = json_array(), *finding;
    const size_t n = json_array_size(records->findings);
    size_t *places = memory_make(n + 1, sizeof *places), i;
    json_array_foreach(records->findings, i, finding) {
        const size_t before = json_array_size(joined);
        const json_int_t cause = number(finding, "cause");
        if (cause)
            json_object_set_new(finding, "cause", json_integer((json_int_t)places[cause - 1] + 1));
        if (*string(finding, "meaning") && number(finding, "line") && !get(finding, "suppressed")) {
            places[i] = add_object(joined, finding, keys, sums);
            if (places[i] < before)
                add_one(json_array_get(joined, places[i]), "more_calls");
        } else {
            json_array_append(joined, finding);
            places[i] = before;
        }
    }
    free(places);
    json_decref(records->findings);
    records->findings = joined;
}

int records_read(struct records *records, const char *folder, struct suppress *suppress,
                 long main) {
    int status;
    *records = (struct records){.kernels = json_array(),
                                .findings = json_array(),
                                .missing = json_array(),
                                .lacks = json_array(),
                                .programs = json_object(),
                                .running = json_object(),
                                .visits = json_array(),
                                .printed = json_array(),
                                .suppress = suppress,
                                .of = count_parts(folder)};
    status = read_folder(records, folder, main);
    if (status == TOOL_GO)
        status = read_parts(records, folder);
    if (status == TOOL_GO) {
        find_places(records);
        judge_all(records);
        join_calls(records);
    }
    count_findings(records);
    return status;
}

int records_missing(const struct records *records) {
    if (records->unwritten)
        return tool_error("%u of %u processes could not write their whole record: make space, "
                          "and run the program again",
                          records->unwritten, records->processes);
    return records->wrong ? tool_error("%u of %u processes ran nothing: a variable WSIM_... of the "
                                       "environment is wrong",
                                       records->wrong, records->processes)
                          : TOOL_GO;
}

void records_close(struct records *records) {
    json_decref(records->kernels);
    json_decref(records->findings);
    json_decref(records->missing);
    json_decref(records->lacks);
    json_decref(records->programs);
    json_decref(records->running);
    json_decref(records->visits);
    json_decref(records->printed);
}

/* --- parts --- */

int records_end(const char *folder, int ended, const char *command, const char *whole) {
    char *path = memory_join(folder, end_name, "");
    json_t *end = json_pack("{s:i, s:o}", "ended", ended, "command", tool_json_text(command));
    int status = TOOL_GO;
    if (json_dump_file(end, path, 0) ||
        (rename(folder, whole) && errno != EEXIST && errno != ENOTEMPTY))
        status = tool_error("%s: %s", text_path(whole).text, strerror(errno));
    json_decref(end);
    free(path);
    return status;
}

int records_status(const char *whole, int *ended) {
    char *path = memory_join(whole, end_name, "");
    json_t *end = json_load_file(path, 0, NULL);
    const int there = json_is_integer(get(end, "ended"));
    *ended = (int)number(end, "ended");
    json_decref(end);
    free(path);
    return there;
}

int records_are_of(const char *whole, const char *command) {
    char *path = memory_join(whole, end_name, "");
    json_t *end = json_load_file(path, 0, NULL), *text = tool_json_text(command);
    const int same = json_equal(get(end, "command"), text);
    json_decref(text);
    json_decref(end);
    free(path);
    return same;
}
