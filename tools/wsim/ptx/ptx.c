/* wsim ptx: what is in files of PTX, and what of it is not modelled. */
#include "print.h"

#include "../common/memory.h"
#include "../common/text.h"
#include "../../lib/launch_files.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of one file; the largest that compilers are known to have made have a tenth of it. */
#define MOST_BYTES ((uint64_t)256 << 20)

static const char about[] =
    "Lists the kernels of PTX files, plain or packed (.zst, .xz, .gz), with their parameters\n"
    "and resources, and counts everything that is not modelled or not PTX. '-' is standard\n"
    "input. A kernel is modelled if wsim models all of it and of the functions that it calls:\n"
    "wsim run then accepts it, whatever else the file holds. Instruction counts include called\n"
    "functions; register counts are of registers in use. --link reads all files as one program,\n"
    "as wsim run does, and resolves .extern. Exit status 2 if a file cannot be read or is not\n"
    "PTX, else 3 if something is not modelled, else 0.\n";
static const char examples[] = "  wsim ptx tests/kernels/divergence/divergence.ptx\n"
                               "  wsim ptx --quiet tests/kernels/reductions/reductions.ptx\n";

struct file {
    void *bytes; /* of the heap */
    uint64_t size;
};

/* Reads all of standard input. */
static int read_stdin(struct file *out) {
    enum { FIRST = 1 << 16 };
    size_t room = FIRST, n = 1;
    for (; n; room *= 2) {
        out->bytes = memory_grow(out->bytes, room + 1);
        n = fread((char *)out->bytes + out->size, 1, room - (size_t)out->size, stdin);
        out->size += n;
        if (out->size > MOST_BYTES)
            return tool_error("<stdin> has more than %lu bytes", (unsigned long)MOST_BYTES);
    }
    return ferror(stdin) ? tool_error("<stdin> cannot be read") : TOOL_GO;
}

static int read_file(const char *name, struct file *out) {
    const struct wsim_launch_files files = launch_files(NULL);
    struct wsim_diag diag;
    enum wsim_status status;
    if (strcmp(name, "-") == 0)
        return read_stdin(out);
    status = files.open(NULL, name, MOST_BYTES, &out->bytes, &out->size, &diag);
    if (status == WSIM_NO_MEMORY)
        memory_out();
    if (status)
        return tool_error("%s", diag.text);
    return out->size <= MOST_BYTES ? TOOL_GO
                                   : tool_error("%s has more than %lu bytes", text_path(name).text,
                                                (unsigned long)MOST_BYTES);
}

/* Bad input is worse than what is not modelled. */
static int worse(int a, int b) {
    static const int rank[] = {[TOOL_FINE] = 0, [TOOL_UNMODELLED] = 1, [TOOL_USAGE] = 2};
    return rank[a] >= rank[b] ? a : b;
}

/* The name of a file in messages. */
static const char *shown(const char *name) {
    return strcmp(name, "-") == 0 ? "<stdin>" : name;
}

/* Files that make one program: their exit status. */
static int describe(const char *const *names, size_t n, const struct print *print) {
    struct file *files = memory_make(n, sizeof *files);
    struct wsim_text *texts = memory_make(n, sizeof *texts);
    struct wsim_module *module = NULL;
    struct wsim_diag diag = {0};
    enum wsim_status loaded;
    size_t wrong = 0;
    int status = TOOL_GO;
    for (size_t i = 0; i < n && status == TOOL_GO; i++) {
        status = read_file(names[i], &files[i]);
        if (status == TOOL_GO && launch_files_unpack(&files[i].bytes, &files[i].size, MOST_BYTES))
            memory_out();
        texts[i] = (struct wsim_text){shown(names[i]), (const char *)files[i].bytes,
                                      (size_t)files[i].size};
    }
    if (status == TOOL_GO) {
        loaded =
            wsim_module_link(texts, n, print->flags | WSIM_MODULE_DIAGNOSE, &module, &wrong, &diag);
        status = module ? print_module(print, shown(names[0]), module, loaded)
                        : tool_refused(text_path(names[wrong]).text, &diag);
    }
    wsim_module_free(module);
    for (size_t i = 0; i < n; i++)
        free(files[i].bytes);
    free(files);
    free(texts);
    return status;
}

static size_t count(const char *const *names) {
    size_t n = 0;
    while (names[n])
        n++;
    return n;
}

struct options {
    struct print print;
    int lenient, together;
};

static int run(struct tool *tool) {
    const char *const *args = (const char *const *)tool->args;
    struct options *o = tool->options;
    int status = TOOL_FINE;
    if (!args[0])
        return tool_error("no file given ('-' reads standard input)");
    o->print.flags = o->lenient ? WSIM_MODULE_LENIENT : 0;
    o->print.json = tool->format == TOOL_JSON ? json_array() : NULL;
    if (o->together)
        status = describe(args, count(args), &o->print);
    for (; !o->together && *args; args++)
        status = worse(status, describe(args, 1, &o->print));
    if (o->print.json)
        tool_print_json(json_pack("{s:o}", "files", o->print.json));
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(print.quiet), "List only unmodelled and invalid code", NULL},
    {"link", 0, TOOL_FLAG, TOOL_AT(together), "Link the files into one program", NULL},
    {"lenient", 0, TOOL_FLAG, TOOL_AT(lenient), "Take what compilers write and no assembler takes (rcp.approx.f64)", NULL},
    TOOL_OPTIONS_END};

const struct tool_command ptx_command = {
    "FILE... | -", about, examples, rows, sizeof(struct options), TOOL_TEXT | TOOL_JSON | TOOL_JSON_FLAG, NULL, run};
/* clang-format on */
