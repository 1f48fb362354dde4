/* wsim tma: tensor maps. `check` says whether the driver makes a map, and what its copies move.
 * `show` and `load` are one load, `store` is a store or reduction. */
#include "tma_command.h"
#include "../common/text.h"

#include <string.h>

static const char about[] =
    "check: reports whether cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col accepts these\n"
    "parameters. Prints 'accepted' and the bytes of one copy, or 'refused', the parameter, the\n"
    "broken rule and the nearest legal value (exit status 1). The rank is the number of --dims.\n"
    "Lists (64,8 or 64x8) start with the innermost dimension. dims, box and estrides (default 1\n"
    "each) have `rank` numbers. strides are in bytes and start at dimension 1, one less than\n"
    "`rank` (default: no gaps; check prints them). lower, upper, channels or pixels make an\n"
    "im2col map; corners have two numbers less than `rank`, innermost spatial dimension first.\n"
    "\n"
    "FILE ('-': standard input) is a JSON object of these names, at most 8 MiB: {\"dtype\":\n"
    "\"FLOAT16\", \"dims\": [64, 64], ...}; options override it. Names are the driver's, with or\n"
    "without prefix (SWIZZLE_128B); types may be PTX types (f16).\n"
    "\n"
    "show: prints the tile that a load at --coord leaves in shared memory, one line of all\n"
    "banks a row, and the wavefronts of a warp that reads it. A terminal emphasises filled\n"
    "elements. For an im2col map it also lists the pixels of each row. --row and --col locate\n"
    "one element of the tile; --byte names the element at a shared address.\n"
    "\n"
    "load: prints the bytes of the tile. Global memory is --global from the base on; by default\n"
    "every 4 bytes hold their offset from the base.\n"
    "\n"
    "store: prints the bytes that a store of the tile to --coord (a reduction with --reduce)\n"
    "writes, row by row: bytes of the tensor, padding after its rows that is overwritten in\n"
    "pieces of 16, and dropped bytes; and the wavefronts of a warp that wrote the tile.\n"
    "Copies that trap on a GPU are refused.\n";
static const char examples[] =
    "  wsim tma check --dtype FLOAT16 --dims 256,512 --strides 512 --box 64,8 --swizzle 128B\n"
    "  wsim tma show --dtype INT32 --dims 40,40 --strides 160 --box 32,8 --swizzle 128B\n";

enum action { CHECK, SHOW, LOAD, STORE, ACTIONS };

static int find_action(const char *name) {
    static const char *const names[ACTIONS] = {"check", "show", "load", "store"};
    int i = 0;
    while (i < ACTIONS && strcmp(name, names[i]) != 0)
        i++;
    return i;
}

static int is_element(const struct tma_request *request) {
    return request->row || request->col || request->byte;
}

/* Options that the action does not read. */
static void check_options(const struct tma_request *request, enum action action) {
    if (action == CHECK &&
        (request->coord || request->offsets || request->at || request->global || request->reduce))
        tool_fail("tma check uses only the map: --coord, --offsets, --at, --global and "
                  "--reduce apply to show, load and store");
    if (request->reduce && action != STORE)
        tool_fail("--reduce applies to tma store only");
    if (is_element(request) && action != SHOW)
        tool_fail("--row, --col and --byte apply to tma show only");
    if (request->global && action != LOAD)
        tool_fail("--global applies to tma load only");
}

static int answer(enum action action, struct tma_request *request,
                  char *const option[TMA_PARAMETERS], const char *arch, enum tool_format format) {
    struct wsim_tensor tensor;
    struct tma_copy copy;
    const struct wsim_arch *target = tool_target(arch);
    struct doc *doc;
    request->stores = action == STORE;
    if (action == CHECK)
        tma_read(request->file, option, &tensor);
    else
        tma_copy_read(request, option, arch, &copy);
    doc = doc_open(format, "wsim.tma");
    return action == CHECK       ? doc_close(doc, tma_check(doc, &tensor, target))
           : action == LOAD      ? tma_load(doc, request, &copy)
           : action == STORE     ? tma_store(doc, request, &copy)
           : is_element(request) ? tma_where(doc, request, &copy)
                                 : tma_show(doc, request, &copy);
}

static int dispatch(const char **args, struct tma_request *request,
                    char *const option[TMA_PARAMETERS], const char *arch, enum tool_format format) {
    int action;
    if (!args[0])
        tool_fail("no action given, such as wsim tma check");
    action = find_action(args[0]);
    if (action == ACTIONS)
        tool_fail("unknown command 'tma %s': must be check, show, load or store",
                  text_cut(args[0]).text);
    if (args[1] && args[2])
        tool_fail("unexpected argument '%s' after the file", text_cut(args[2]).text);
    request->file = args[1];
    check_options(request, (enum action)action);
    tool_allows(format, is_element(request) ? TOOL_TEXT | TOOL_JSON
                        : action == LOAD    ? TOOL_TEXT | TOOL_JSON | TOOL_CSV
                                            : TOOL_PICTURES | TOOL_JSON);
    return answer((enum action)action, request, option, arch, format);
}

struct options {
    struct tma_request request;
    char *parameter[TMA_PARAMETERS], *arch;
};

static int run(struct tool *tool) {
    struct options *o = tool->options;
    return dispatch(tool->args, &o->request, o->parameter, o->arch, tool->format);
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Tensor map"),
    {"dtype", 0, TOOL_STRING, TOOL_AT(parameter[TMA_DTYPE]), "Type of an element", "NAME"},
    {"dims", 0, TOOL_STRING, TOOL_AT(parameter[TMA_DIMS]), "Elements of each dimension", "LIST"},
    {"strides", 0, TOOL_STRING, TOOL_AT(parameter[TMA_STRIDES]), "Bytes from one index to the next (no gaps)", "LIST"},
    {"box", 0, TOOL_STRING, TOOL_AT(parameter[TMA_BOX]), "Elements of a box", "LIST"},
    {"estrides", 0, TOOL_STRING, TOOL_AT(parameter[TMA_ESTRIDES]), "Element strides: 2 takes every second (1)", "LIST"},
    TOOL_GROUP("Tensor map of images (im2col)"),
    {"lower", 0, TOOL_STRING, TOOL_AT(parameter[TMA_LOWER]), "im2col: lower corner", "LIST"},
    {"upper", 0, TOOL_STRING, TOOL_AT(parameter[TMA_UPPER]), "im2col: upper corner", "LIST"},
    {"channels", 0, TOOL_STRING, TOOL_AT(parameter[TMA_CHANNELS]), "im2col: channels of a pixel", "NUMBER"},
    {"pixels", 0, TOOL_STRING, TOOL_AT(parameter[TMA_PIXELS]), "im2col: pixels of a column", "NUMBER"},
    TOOL_GROUP("Memory"),
    {"base", 0, TOOL_STRING, TOOL_AT(parameter[TMA_BASE]), "Global address (0)", "NUMBER"},
    {"interleave", 0, TOOL_STRING, TOOL_AT(parameter[TMA_INTERLEAVE]), "NONE, 16B or 32B (NONE)", "NAME"},
    {"swizzle", 0, TOOL_STRING, TOOL_AT(parameter[TMA_SWIZZLE]), "NONE, 32B, 64B, 128B, 128B_ATOM_... (NONE)", "NAME"},
    {"l2", 0, TOOL_STRING, TOOL_AT(parameter[TMA_L2]), "L2 promotion: NONE, 64B, 128B, 256B (NONE)", "MODE"},
    {"oob", 0, TOOL_STRING, TOOL_AT(parameter[TMA_OOB]), "Fill outside: ZERO or NAN (ZERO)", "NAME"},
    TOOL_GROUP("Copy"),
    {"coord", 0, TOOL_STRING, TOOL_AT(request.coord), "Coordinates of the copy (0)", "LIST"},
    {"offsets", 0, TOOL_STRING, TOOL_AT(request.offsets), "im2col: offsets (0)", "LIST"},
    {"at", 0, TOOL_STRING, TOOL_AT(request.at), "Shared address of the tile (0)", "NUMBER"},
    {"row", 0, TOOL_STRING, TOOL_AT(request.row), "show: row of the element to locate", "ROW"},
    {"col", 0, TOOL_STRING, TOOL_AT(request.col), "show: column of the element to locate", "COL"},
    {"byte", 0, TOOL_STRING, TOOL_AT(request.byte), "show: element at this shared address", "ADDRESS"},
    {"global", 0, TOOL_STRING, TOOL_AT(request.global), "load: contents of global memory", "FILE"},
    {"reduce", 0, TOOL_STRING, TOOL_AT(request.reduce), "store: reduce with add, min, max ...", "NAME"},
    {"arch", 0, TOOL_STRING, TOOL_AT(arch), "Target (" WSIM_ARCH_USUAL ")", "NAME"},
    TOOL_OPTIONS_END};

const struct tool_command tma_command = {
    "check|show|load|store [FILE]", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
