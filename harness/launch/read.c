/* A whole launch file; see file.h. */
#include "file.h"

#include <stdlib.h>
#include <string.h>

const char *wsim_launch_counter_name(enum wsim_launch_counter counter) {
    static const char *const names[WSIM_LAUNCH_COUNTERS] = {
        "ld_wavefronts",      "ld_conflicts",       "st_wavefronts",
        "st_conflicts",       "atom_wavefronts",    "atom_conflicts",
        "sass_ld_wavefronts", "sass_st_wavefronts", "sass_atom_wavefronts"};
    return (unsigned)counter < WSIM_LAUNCH_COUNTERS ? names[counter] : NULL;
}

/* --- launches --- */

/* One to three numbers, the missing ones 1; `rest` without the field. */
static enum wsim_status read_extent(const struct lf_node *up, const char *key, uint32_t rest,
                                    uint32_t out[3], struct wsim_diag *diag) {
    const struct lf_node *list = lf_member(up, key);
    enum wsim_status status = WSIM_OK;
    out[0] = out[1] = out[2] = list ? 1 : rest;
    if (!list)
        return WSIM_OK;
    if (list->kind != LF_ARRAY || list->count < 1 || list->count > 3)
        return lf_refuse(diag, list, RULE_LAUNCH_FIELD_WRONG, "expected a list of 1 to 3 numbers");
    for (const struct lf_node *one = list->first; one && !status; one = one->next) {
        uint64_t number = 1;
        status = lf_whole(one, UINT32_MAX, &number, diag);
        if (!status && number == 0)
            status = lf_refuse(diag, one, RULE_LAUNCH_NUMBER_RANGE, "expected at least 1");
        out[one->index] = (uint32_t)number;
    }
    return status;
}

static enum wsim_status read_counters(const struct lf_node *at, struct wsim_launch_one *one,
                                      struct wsim_diag *diag) {
    const char *names[WSIM_LAUNCH_COUNTERS + 1] = {NULL};
    enum wsim_status status;
    for (int i = 0; i < WSIM_LAUNCH_COUNTERS; i++)
        names[i] = wsim_launch_counter_name((enum wsim_launch_counter)i);
    status = lf_fields(at, names, diag);
    for (int i = 0; i < WSIM_LAUNCH_COUNTERS && !status; i++) {
        const struct lf_node *value = lf_member(at, names[i]);
        one->counted[i] = value != NULL;
        if (value)
            status = lf_whole(value, INT64_MAX, &one->counter[i], diag);
    }
    for (int i = WSIM_LAUNCH_SASS_LD_WAVEFRONTS; i < WSIM_LAUNCH_COUNTERS; i++)
        if (one->counted[i]) {
            const int kind = 2 * (i - WSIM_LAUNCH_SASS_LD_WAVEFRONTS);
            one->counted[kind] *= 2;
            one->counted[kind + 1] = 0;
        }
    return status;
}

static enum wsim_status read_args(struct wsim_launch_file *file, const struct lf_node *at,
                                  struct wsim_launch_one *one) {
    struct wsim_launch_arg *args;
    enum wsim_status status =
        at->kind == LF_ARRAY
            ? lf_entries(at, WSIM_LAUNCH_ENTRIES, file->diag)
            : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG, "expected a list of arguments");
    if (status)
        return status;
    args = lf_take(&file->memory, at->count, sizeof *args);
    if (!args)
        return lf_no_memory(file->diag);
    one->args = args;
    for (const struct lf_node *arg = at->first; arg && !status; arg = arg->next)
        status = lf_arg(file, arg, &args[one->nargs++]);
    return status;
}

static enum wsim_status read_sizes(const struct lf_node *at, struct wsim_launch_one *one,
                                   struct wsim_diag *diag) {
    const struct lf_node *value;
    uint64_t shared = 0;
    enum wsim_status status = read_extent(at, "grid", 1, one->grid, diag);
    if (!status)
        status = read_extent(at, "block", 1, one->block, diag);
    one->unsized = !lf_member(at, "block");
    if (!status)
        status = read_extent(at, "cluster", 0, one->cluster, diag);
    if (!status && (value = lf_member(at, "shared")) != NULL)
        status = lf_whole(value, UINT32_MAX, &shared, diag);
    one->shared = (uint32_t)shared;
    return status;
}

static enum wsim_status read_launch(struct wsim_launch_file *file, const struct lf_node *at,
                                    struct wsim_launch_one *one) {
    static const char *const fields[] = {"kernel", "grid",     "block",       "cluster", "shared",
                                         "args",   "counters", "cooperative", NULL};
    const struct lf_node *value;
    enum wsim_status status = lf_fields(at, fields, file->diag);
    if (!status && (value = lf_member(at, "kernel")) != NULL)
        status = lf_text(value, &one->kernel, file->diag);
    if (!status)
        status = read_sizes(at, one, file->diag);
    if (!status && (value = lf_member(at, "cooperative")) != NULL) {
        one->cooperative = value->kind == LF_TRUE;
        if (value->kind != LF_TRUE && value->kind != LF_FALSE)
            status =
                lf_refuse(file->diag, value, RULE_LAUNCH_FIELD_WRONG, "expected true or false");
    }
    if (!status && (value = lf_member(at, "args")) != NULL)
        status = read_args(file, value, one);
    if (!status && (value = lf_member(at, "counters")) != NULL)
        status = read_counters(value, one, file->diag);
    return status;
}

static enum wsim_status read_launches(struct wsim_launch_file *file, const struct lf_node *at) {
    enum wsim_status status =
        at->kind == LF_ARRAY && at->count
            ? lf_entries(at, WSIM_LAUNCH_LAUNCHES, file->diag)
            : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG, "expected a list of launches");
    if (status)
        return status;
    file->launches = lf_take(&file->memory, at->count, sizeof *file->launches);
    file->launch_at = lf_take(&file->memory, at->count, sizeof *file->launch_at);
    if (!file->launches || !file->launch_at)
        return lf_no_memory(file->diag);
    for (const struct lf_node *one = at->first; one && !status; one = one->next) {
        file->launch_at[file->parts.nlaunches] = one;
        status = read_launch(file, one, &file->launches[file->parts.nlaunches++]);
    }
    return status;
}

/* --- PTX --- */

/* PTX in a fat binary that the library cannot unpack alone. */
static enum wsim_status unpack(struct wsim_launch_file *file, size_t source, struct lf_bytes *ptx) {
    const struct wsim_launch_files *files = &file->sources[source].files;
    size_t room;
    char *text;
    if (wsim_fatbin_text(ptx->bytes, (size_t)ptx->size, NULL, files->unpack, files->context, NULL,
                         &room, NULL) ||
        room > WSIM_LAUNCH_PTX)
        return WSIM_OK;
    text = lf_take(&file->memory, room + 1, 1);
    if (!text)
        return lf_no_memory(file->diag);
    if (wsim_fatbin_text(ptx->bytes, (size_t)ptx->size, NULL, files->unpack, files->context, text,
                         &room, NULL) == WSIM_OK) {
        ptx->bytes = text;
        ptx->size = room;
    }
    return WSIM_OK;
}

/* One file of PTX; all together have at most WSIM_LAUNCH_PTX bytes. */
static enum wsim_status read_ptx(struct wsim_launch_file *file, size_t source,
                                 const struct lf_node *at) {
    struct wsim_launch_ptx *one = &file->ptx[file->parts.nptx];
    uint64_t room = WSIM_LAUNCH_PTX;
    struct lf_bytes found;
    char *text;
    enum wsim_status status;
    for (size_t i = 0; i < file->parts.nptx; i++)
        room -= file->ptx[i].size < room ? file->ptx[i].size : room;
    status = lf_open(file, source, at, room, "bytes of PTX", &found);
    if (!status)
        status = unpack(file, source, &found);
    if (status)
        return status;
    text = lf_copy(&file->memory, found.bytes ? found.bytes : "", (size_t)found.size);
    if (!text)
        return lf_no_memory(file->diag);
    *one = (struct wsim_launch_ptx){at->text, text, found.size};
    file->parts.nptx++;
    return WSIM_OK;
}

/* "a.ptx", or ["a.ptx", "b.ptx"]. */
static enum wsim_status read_code(struct wsim_launch_file *file, size_t source,
                                  const struct lf_node *at) {
    const size_t n = at->kind == LF_ARRAY ? at->count : 1;
    enum wsim_status status = n ? lf_entries(at, WSIM_LAUNCH_ENTRIES, file->diag)
                                : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                                            "expected a file or a list of files");
    if (status)
        return status;
    file->ptx = lf_take(&file->memory, n, sizeof *file->ptx);
    if (!file->ptx)
        return lf_no_memory(file->diag);
    if (at->kind != LF_ARRAY)
        return read_ptx(file, source, at);
    for (const struct lf_node *one = at->first; one && !status; one = one->next)
        status = read_ptx(file, source, one);
    return status;
}

static enum wsim_status read_arch(struct wsim_launch_file *file, const struct lf_node *at) {
    const char *name;
    enum wsim_status status = lf_text(at, &name, file->diag);
    if (status)
        return status;
    file->parts.arch = wsim_arch_called(name);
    return file->parts.arch
               ? WSIM_OK
               : lf_refuse(file->diag, at, RULE_LAUNCH_NAME_UNKNOWN,
                           "unknown architecture '%s' (wsim arch lists them)", lf_cut(name).text);
}

/* --- the whole --- */

/* A field that the last text with it decides. */
static const struct lf_node *last_of(const struct wsim_launch_file *file, const char *key,
                                     size_t *source) {
    const struct lf_node *found = NULL;
    for (size_t i = 0; i < file->nsources; i++) {
        const struct lf_node *one = lf_member(&file->sources[i].root, key);
        if (one) {
            found = one;
            *source = i;
        }
    }
    return found;
}

static enum wsim_status read_start(struct wsim_launch_file *file, size_t *wrong) {
    const struct lf_node *root = &file->sources[0].root, *value;
    size_t source = 0;
    enum wsim_status status;
    value = last_of(file, "ptx", &source);
    *wrong = source;
    status = value ? read_code(file, source, value)
                   : lf_refuse(file->diag, root, RULE_LAUNCH_FIELD_WRONG,
                               "the field ptx is missing: name the file of the kernels");
    if (!status && (value = last_of(file, "arch", &source)) != NULL) {
        *wrong = source;
        status = read_arch(file, value);
    }
    if (status)
        return status;
    *wrong = 0;
    if ((value = lf_member(root, "buffers")) != NULL)
        status = lf_buffers(file, value);
    if (!status && (value = lf_member(root, "symbols")) != NULL)
        status = lf_symbols(file, value);
    if (status)
        return status;
    value = lf_member(root, "launches");
    return value ? read_launches(file, value)
                 : lf_refuse(file->diag, root, RULE_LAUNCH_FIELD_WRONG,
                             "the field launches is missing");
}

/* The number of entries in all texts together. */
static enum wsim_status count_entries(const struct wsim_launch_file *file, const char *key,
                                      size_t *count, size_t *wrong) {
    enum wsim_status status = WSIM_OK;
    *count = 0;
    for (size_t i = 0; i < file->nsources && !status; i++) {
        const struct lf_node *list = lf_member(&file->sources[i].root, key);
        *wrong = i;
        if (!list)
            continue;
        status = list->kind == LF_OBJECT ? lf_entries(list, WSIM_LAUNCH_ENTRIES, file->diag)
                                         : lf_refuse(file->diag, list, RULE_LAUNCH_FIELD_WRONG,
                                                     "expected an object of names and files");
        *count += list->count;
    }
    return status;
}

static enum wsim_status read_expects(struct wsim_launch_file *file, size_t *wrong) {
    size_t count;
    enum wsim_status status = count_entries(file, "expect", &count, wrong);
    if (status)
        return status;
    file->expects = lf_take(&file->memory, count, sizeof *file->expects);
    file->expect_at = lf_take(&file->memory, count, sizeof *file->expect_at);
    if (!file->expects || !file->expect_at)
        return lf_no_memory(file->diag);
    for (size_t i = 0; i < file->nsources && !status; i++) {
        const struct lf_node *list = lf_member(&file->sources[i].root, "expect");
        *wrong = i;
        for (const struct lf_node *one = list ? list->first : NULL; one && !status;
             one = one->next) {
            file->expect_at[file->parts.nexpects] = one;
            status = lf_expect(file, i, one, &file->expects[file->parts.nexpects++]);
        }
    }
    return status;
}

static enum wsim_status read_saves(struct wsim_launch_file *file, size_t *wrong) {
    size_t count;
    enum wsim_status status = count_entries(file, "save", &count, wrong);
    if (status)
        return status;
    file->saves = lf_take(&file->memory, count, sizeof *file->saves);
    if (!file->saves)
        return lf_no_memory(file->diag);
    for (size_t i = 0; i < file->nsources && !status; i++) {
        const struct lf_node *list = lf_member(&file->sources[i].root, "save");
        *wrong = i;
        for (const struct lf_node *one = list ? list->first : NULL; one && !status; one = one->next)
            status = lf_save(file, i, one, &file->saves[file->parts.nsaves++]);
    }
    return status;
}

static enum wsim_status read_output(struct wsim_launch_file *file) {
    const struct lf_node *value = lf_member(&file->sources[0].root, "stdout");
    struct lf_bytes found;
    enum wsim_status status;
    if (!value)
        return WSIM_OK;
    status = lf_open(file, 0, value, WSIM_LAUNCH_PTX, "the expected output", &found);
    if (status)
        return status;
    file->parts.output_name = value->text;
    file->parts.output = found.bytes;
    file->parts.output_bytes = found.size;
    return WSIM_OK;
}

static enum wsim_status read_trees(struct wsim_launch_file *file,
                                   const struct wsim_launch_text *texts, size_t n, size_t *wrong) {
    static const char *const fields[] = {"ptx",    "arch", "buffers", "symbols", "launches",
                                         "expect", "save", "stdout",  NULL};
    static const char *const further[] = {"ptx", "arch", "expect", "save", NULL};
    enum wsim_status status = WSIM_OK;
    file->sources = lf_take(&file->memory, n, sizeof *file->sources);
    if (!file->sources)
        return lf_no_memory(file->diag);
    file->nsources = n;
    for (size_t i = 0; i < n && !status; i++) {
        struct lf_source *source = &file->sources[i];
        *wrong = i;
        if (texts[i].files)
            source->files = *texts[i].files;
        status = texts[i].size > WSIM_LAUNCH_TEXT
                     ? base_refuse(file->diag, RULE_LAUNCH_FILE_SIZE, 0,
                                   "a launch file has at most %u bytes", WSIM_LAUNCH_TEXT)
                     : lf_json_read(texts[i].bytes, texts[i].size, &file->memory, &source->root,
                                    file->diag);
        source->root.index = (uint32_t)i;
        if (!status)
            status = lf_fields(&source->root, i ? further : fields, file->diag);
    }
    return status;
}

static enum wsim_status read_all(struct wsim_launch_file *file,
                                 const struct wsim_launch_text *texts, size_t n, size_t *wrong) {
    enum wsim_status status = read_trees(file, texts, n, wrong);
    if (!status)
        status = read_start(file, wrong);
    if (!status)
        status = read_expects(file, wrong);
    if (!status)
        status = read_saves(file, wrong);
    if (!status) {
        *wrong = 0;
        status = read_output(file);
    }
    file->parts.ptx = file->ptx;
    file->parts.buffers = file->buffers;
    file->parts.symbols = file->symbols;
    file->parts.launches = file->launches;
    file->parts.expects = file->expects;
    file->parts.saves = file->saves;
    return status;
}

enum wsim_status wsim_launch_open(const struct wsim_launch_text *texts, size_t n,
                                  struct wsim_launch_file **file, size_t *wrong,
                                  struct wsim_diag *diag) {
    struct wsim_launch_file *made = calloc(1, sizeof *made);
    struct wsim_diag unused;
    size_t which = 0;
    enum wsim_status status;
    *file = NULL;
    if (!made)
        return lf_no_memory(diag);
    made->diag = diag ? diag : &unused;
    status = read_all(made, texts, n, &which);
    made->diag = NULL;
    if (wrong)
        *wrong = which;
    if (status)
        wsim_launch_close(made);
    else
        *file = made;
    return status;
}

void wsim_launch_close(struct wsim_launch_file *file) {
    if (!file)
        return;
    for (struct lf_opened *one = file->opened; one; one = one->next)
        if (one->files.release)
            one->files.release(one->files.context, one->bytes);
    lf_drop(&file->memory);
    free(file);
}

const struct wsim_launch_parts *wsim_launch_parts(const struct wsim_launch_file *file) {
    return &file->parts;
}
