/* A launch file made of options; see command.h. All values are strings, which the reader of launch
 * files checks. */
#include "command.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {"u8",  "s8",  "b8",  "u16", "s16", "b16", "f16", "bf16",
                                         "u32", "s32", "b32", "f32", "u64", "s64", "b64", "f64"};

static int is_type(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strlen(type_names[i]) == length && memcmp(type_names[i], text, length) == 0)
            return 1;
    return 0;
}

/* The type of PTX for one of C: "unsigned int" is u32. NULL: it is none. */
static const char *type_of_c(const char *text, size_t length) {
    static const struct {
        const char *c, *ptx;
    } rows[] = {{"char", "s8"},          {"unsigned char", "u8"},
                {"short", "s16"},        {"unsigned short", "u16"},
                {"int", "s32"},          {"unsigned", "u32"},
                {"unsigned int", "u32"}, {"uint", "u32"},
                {"long", "s64"},         {"unsigned long", "u64"},
                {"long long", "s64"},    {"unsigned long long", "u64"},
                {"size_t", "u64"},       {"int8_t", "s8"},
                {"uint8_t", "u8"},       {"int16_t", "s16"},
                {"uint16_t", "u16"},     {"int32_t", "s32"},
                {"uint32_t", "u32"},     {"int64_t", "s64"},
                {"uint64_t", "u64"},     {"half", "f16"},
                {"__half", "f16"},       {"__nv_bfloat16", "bf16"},
                {"float", "f32"},        {"double", "f64"},
                {"bool", "u8"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].c) == length && memcmp(rows[i].c, text, length) == 0)
            return rows[i].ptx;
    return NULL;
}

static int is_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && !strchr("_-.", text[i]))
            return 0;
    return length > 0;
}

static int is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return (isdigit((unsigned char)*text) || strchr("+-.", *text)) && end > text && !*end;
}

static json_t *text_json(const char *text, size_t length) {
    return json_stringn(text, length);
}

/* "4,8" or "4x8". */
static json_t *extent_json(const char *text) {
    json_t *list = json_array();
    for (;;) {
        size_t length = strcspn(text, ",x");
        json_array_append_new(list, text_json(text, length));
        if (!text[length])
            return list;
        text += length + 1;
    }
}

/* --- buffers and arguments --- */

static int wrong_arg(const char *text) {
    return tool_error(
        "--arg '%s': expected TYPE:VALUE (s32:5), NAME@FILE, NAME[BYTES], "
        "NAME[BYTES]=FILL, 'TYPE NAME[COUNT]', NAME or NAME+OFFSET of another buffer, or JSON",
        text_cut(text).text);
}

static int wrong_buffer(const char *text) {
    return tool_error("--buffer '%s': expected NAME@FILE, NAME[BYTES] or NAME[BYTES]=FILL",
                      text_cut(text).text);
}

/* "NAME[BYTES]" or "NAME[BYTES]=FILL". */
static json_t *memory_json(const char *text) {
    size_t digits = strcspn(text, "]");
    json_t *buffer = json_object();
    json_object_set_new(buffer, "bytes", text_json(text, digits));
    if (text[digits] == ']' && text[digits + 1] == '=')
        json_object_set_new(buffer, "fill", json_string(text + digits + 2));
    else if (strcmp(text + digits, "]") != 0)
        json_object_clear(buffer);
    return buffer;
}

/* Adds the buffer of "NAME@FILE", "NAME[BYTES]" or "NAME[BYTES]=FILL", whose name has `length`
 * characters. `wrong` is the message about another text. */
static int add_buffer(json_t *buffers, const char *option, const char *text, size_t length,
                      int (*wrong)(const char *text)) {
    json_t *name = text_json(text, length);
    json_t *buffer = text[length] == '[' ? memory_json(text + length + 1)
                                         : json_pack("{s:s}", "file", text + length + 1);
    int status = TOOL_GO;
    if (!json_object_size(buffer))
        status = wrong(text);
    else if (json_object_get(buffers, json_string_value(name)))
        status = tool_error("%s '%s': another buffer has this name", option, text_cut(text).text);
    json_object_set(buffers, json_string_value(name), buffer);
    json_decref(name);
    json_decref(buffer);
    return status;
}

/* "float x[64]=0" is "x[256]=0": behind a type, as in C, brackets count elements. A text without a
 * type is copied. NULL: it is wrong, and the message is printed. */
static char *count_bytes(const char *option, const char *text) {
    const size_t bracket = strcspn(text, "["), name = strcspn(text, "@[:+{=");
    const char *type, *last = text;
    char *end, *out;
    unsigned long long count;
    for (size_t i = 0; i < bracket && bracket == name; i++)
        if (text[i] == ' ' && text[i + 1] != '[')
            last = text + i;
    if (last == text || !text[bracket])
        return memory_text(text, strlen(text));
    type = type_of_c(text, (size_t)(last - text));
    if (!type && is_type(text, (size_t)(last - text)))
        type = text;
    count = strtoull(text + bracket + 1, &end, 10);
    if (!type || !isdigit((unsigned char)text[bracket + 1]) || *end != ']' || count > UINT32_MAX) {
        tool_error("%s '%s': expected TYPE NAME[COUNT], such as 'float x[64]=0'", option,
                   text_cut(text).text);
        return NULL;
    }
    if (end[1] && strcmp(end, "]=0") != 0) {
        tool_error("%s '%s': an array with a type is filled with =0 only; NAME@FILE.npy has other "
                   "values",
                   option, text_cut(text).text);
        return NULL;
    }
    count *= strtoul(type + strcspn(type, "0123456789"), NULL, 10) / 8;
    out = memory_make(strlen(text) + 24, 1);
    sprintf(out, "%.*s[%llu%s", (int)(text + bracket - last) - 1, last + 1, count, end);
    return out;
}

/* Passes a text on, with brackets that count bytes. */
static int with_bytes(const char *option, const char *text, json_t *buffers, json_t *args,
                      int (*add)(const char *text, json_t *buffers, json_t *args)) {
    char *bytes = count_bytes(option, text);
    const int status = bytes ? add(bytes, buffers, args) : TOOL_USAGE;
    free(bytes);
    return status;
}

static int define_buffer(const char *text, json_t *buffers, json_t *unused) {
    const size_t name = strcspn(text, "@[");
    (void)unused;
    if (!text[name] || !is_name(text, name))
        return wrong_buffer(text);
    return add_buffer(buffers, "--buffer", text, name, wrong_buffer);
}

static json_t *use_json(const char *text, size_t name) {
    json_t *use = json_object();
    json_object_set_new(use, "buffer", text_json(text, name));
    if (text[name] == '+')
        json_object_set_new(use, "offset", json_string(text + name + 1));
    return use;
}

static int add_arg(const char *text, json_t *buffers, json_t *args) {
    size_t name = strcspn(text, ":@[+");
    json_t *use = NULL;
    int status = TOOL_GO;
    if (*text == '{') {
        json_error_t error;
        use = json_loads(text, JSON_REJECT_DUPLICATES, &error);
        if (!use)
            return tool_error("--arg '%s': %s", text_cut(text).text, error.text);
    } else if (text[name] == ':' && (is_type(text, name) || type_of_c(text, name))) {
        const char *c = type_of_c(text, name);
        json_t *type = c ? json_string(c) : text_json(text, name);
        use = json_object();
        json_object_set_new(use, json_string_value(type), json_string(text + name + 1));
        json_decref(type);
    } else if (is_number(text) && !json_object_get(buffers, text)) {
        return tool_error("--arg '%s': write the type of the parameter before a number: "
                          "s32:5 or f32:0.5",
                          text_cut(text).text);
    } else if (text[name] == ':' || !is_name(text, name)) {
        return wrong_arg(text);
    } else {
        use = use_json(text, name);
        if (text[name] == '@' || text[name] == '[')
            status = add_buffer(buffers, "--arg", text, name, wrong_arg);
    }
    json_array_append_new(args, use);
    return status;
}

static int add_symbol(const char *text, json_t *symbols) {
    const char *equal = strchr(text, '=');
    json_t *name;
    if (!equal || equal == text)
        return tool_error("--symbol '%s': expected NAME=FILE", text_cut(text).text);
    name = text_json(text, (size_t)(equal - text));
    json_object_set_new(symbols, json_string_value(name), json_pack("{s:s}", "file", equal + 1));
    json_decref(name);
    return TOOL_GO;
}

/* --- --out and --expect --- */

/* Reads a word after the name of a file: a type, a limit, a shape. Returns 0 for other words. */
static int read_part(const char *text, size_t length, json_t *out) {
    static const char *const limits[] = {"abs", "rel"};
    char *part = memory_text(text, length), *end = NULL;
    int known = 1;
    if (is_type(part, length))
        json_object_set_new(out, "type", json_string(part));
    else if (strncmp(part, "ulp=", 4) == 0)
        json_object_set_new(out, "ulp", json_string(part + 4));
    else if (isdigit((unsigned char)*part) && strspn(part, "0123456789x") == length)
        json_object_set_new(out, "shape", extent_json(part));
    else
        known = 0;
    for (int i = 0; i < 2 && !known; i++)
        if (strncmp(part, limits[i], 3) == 0 && part[3] == '=') {
            double number = strtod(part + 4, &end);
            known = end > part + 4 && !*end;
            if (known)
                json_object_set_new(out, limits[i], json_real(number));
        }
    free(part);
    return known;
}

/* "NAME=FILE", and after commas the words that read_part knows. */
static int add_end(const char *option, const char *text, json_t *ends) {
    const char *equal = strchr(text, '=');
    size_t length = strlen(text);
    json_t *end, *name;
    int status = TOOL_GO;
    if (!equal || equal == text || !equal[1])
        return tool_error("%s '%s': expected NAME=FILE or NAME=FILE,TYPE", option,
                          text_cut(text).text);
    end = json_object();
    for (;;) {
        size_t comma = length - 1;
        while (text + comma > equal && text[comma] != ',')
            comma--;
        if (text + comma <= equal || !read_part(text + comma + 1, length - comma - 1, end))
            break;
        length = comma;
    }
    json_object_set_new(end, "file", text_json(equal + 1, (size_t)(text + length - equal) - 1));
    name = text_json(text, (size_t)(equal - text));
    if (json_object_get(ends, json_string_value(name)))
        status = tool_error("%s '%s': another option names a file for this buffer", option,
                            text_cut(text).text);
    json_object_set_new(ends, json_string_value(name), end);
    json_decref(name);
    return status;
}

static int read_ends(struct command *command) {
    json_t *expect = json_object(), *save = json_object();
    int status = TOOL_GO;
    command->ends = json_pack("{s:o, s:o}", "expect", expect, "save", save);
    for (char **at = command->expects; at && *at && status == TOOL_GO; at++)
        status = add_end("--expect", *at, expect);
    for (char **at = command->outs; at && *at && status == TOOL_GO; at++)
        status = add_end("--out", *at, save);
    return status;
}

/* --- the whole --- */

static int launch_json(const struct command *command, json_t *buffers, json_t *out) {
    static const char *const keys[] = {"grid", "block", "cluster"};
    const char *extents[] = {command->grid, command->block, command->cluster};
    json_t *args = json_array();
    int status = TOOL_GO;
    json_object_set_new(out, "args", args);
    if (command->kernel)
        json_object_set_new(out, "kernel", json_string(command->kernel));
    for (int i = 0; i < 3; i++)
        if (extents[i])
            json_object_set_new(out, keys[i], extent_json(extents[i]));
    if (command->shared)
        json_object_set_new(out, "shared", json_string(command->shared));
    if (command->cooperative)
        json_object_set_new(out, "cooperative", json_true());
    for (char **at = command->buffers; at && *at && status == TOOL_GO; at++)
        status = with_bytes("--buffer", *at, buffers, NULL, define_buffer);
    for (char **at = command->args; at && *at && status == TOOL_GO; at++)
        status = with_bytes("--arg", *at, buffers, args, add_arg);
    return status;
}

static json_t *names_json(const char *const *names) {
    json_t *list = json_array();
    for (; *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

static int read_options(struct command *command, struct opened *opened) {
    json_t *root = json_object(), *buffers = json_object(), *symbols = json_object();
    json_t *one = json_object();
    struct wsim_launch_files files = compile_files(&command->compiled);
    int status = launch_json(command, buffers, one);
    json_object_set_new(root, "ptx",
                        command->ptx[1] ? names_json(command->compiled.names)
                                        : json_string(*command->compiled.names));
    json_object_set_new(root, "buffers", buffers);
    json_object_set_new(root, "symbols", symbols);
    json_object_set_new(root, "launches", json_pack("[o]", one));
    json_object_update(root, command->ends);
    if (command->arch)
        json_object_set_new(root, "arch", json_string(command->arch));
    for (char **at = command->symbols; at && *at && status == TOOL_GO; at++)
        status = add_symbol(*at, symbols);
    if (status == TOOL_GO)
        status = opened_read(opened, NULL, root, &files);
    json_decref(root);
    return status;
}

/* The launch file; PTX and architecture of the options replace its own. */
static int read_file(struct command *command, struct opened *opened) {
    const void *const given[] = {
        command->kernel,  command->grid,    command->block,
        command->cluster, command->shared,  command->cooperative ? command : NULL,
        command->args,    command->buffers, command->symbols};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i])
            return tool_error(
                "a launch file has its own arguments: --kernel, --grid, --block, "
                "--cluster, --shared, --cooperative, --arg, --buffer and --symbol need a PTX file");
    struct wsim_launch_files files = compile_files(&command->compiled);
    if (command->ptx)
        json_object_set_new(command->ends, "ptx", names_json(command->compiled.names));
    if (command->arch)
        json_object_set_new(command->ends, "arch", json_string(command->arch));
    return opened_read(opened, command->launch, command->ends, &files);
}

/* Options become JSON, whose texts are UTF-8. `texts` ends with NULL, or is NULL. */
static int check_texts(const char *const *texts) {
    for (; texts && *texts; texts++) {
        json_t *string = json_string(*texts);
        if (!string)
            return tool_error("'%s' is not UTF-8: a launch is JSON, so give another name",
                              text_cut(*texts).text);
        json_decref(string);
    }
    return TOOL_GO;
}

static int check_options(const struct command *command) {
    const char *const *const lists[] = {command->ptx,
                                        (const char *const *)command->args,
                                        (const char *const *)command->buffers,
                                        (const char *const *)command->symbols,
                                        (const char *const *)command->outs,
                                        (const char *const *)command->expects};
    const char *const alone[] = {command->kernel,  command->grid,   command->block,
                                 command->cluster, command->shared, command->arch};
    int status = TOOL_GO;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == TOOL_GO; i++)
        status = check_texts(lists[i]);
    for (size_t i = 0; i < sizeof alone / sizeof *alone && status == TOOL_GO; i++)
        status = check_texts((const char *const[]){alone[i], NULL});
    return status;
}

int command_read(struct command *command, struct opened *opened) {
    int status = check_options(command);
    *opened = (struct opened){0};
    if (status == TOOL_GO)
        status = read_ends(command);
    if (status != TOOL_GO)
        return status;
    if (!command->launch && !command->ptx)
        return tool_error(
            "nothing to run: give a PROGRAM, FILE.ptx, FILE.cu or --launch FILE.json");
    status = compile_open(&command->compiled, command->ptx, command->arch, command->nvcc);
    if (status == TOOL_GO)
        status = command->launch ? read_file(command, opened) : read_options(command, opened);
    compile_clean(&command->compiled);
    return status;
}

void command_close(struct command *command) {
    compile_close(&command->compiled);
    json_decref(command->ends);
}
