/* wsim arch: the architectures, and the products that have them. */
#include "../common/names.h"
#include "../common/page.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../common/tool.h"

static const char about[] =
    "Lists the architectures that --arch accepts, the shared memory of a block there, and their\n"
    "other names: generations and products. Give a NAME, or the text printed on a card ('NVIDIA\n"
    "A100-SXM4-80GB'), to list its architecture alone. A product maps to the target with all\n"
    "its features (h100: sm_90a).\n"
    "Code for an 'a' target (sm_90a, for its wgmma) runs on that machine alone. Code for an 'f'\n"
    "target runs on its family. Code for a plain target (sm_90) runs on later machines too.\n";
static const char examples[] = "  wsim arch\n"
                               "  wsim arch 'GeForce RTX 4090' --format json\n";

/* Architectures of a list of names, or all. */
struct chosen {
    const char **names;
    size_t next;
};

/* NULL: there are no more. The names are known. */
static const struct wsim_arch *next(struct chosen *chosen) {
    size_t i = chosen->next++;
    if (!chosen->names[0])
        return wsim_arch_at(i);
    return chosen->names[i] ? wsim_arch_called(chosen->names[i]) : NULL;
}

static void print_text(struct chosen chosen) {
    const struct wsim_arch *arch;
    const char *alias;
    puts("target   KiB  names");
    while ((arch = next(&chosen)) != NULL) {
        char names[512] = "";
        size_t n = 0;
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL && n < sizeof names; k++)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k ? " " : "  ", alias);
        screen_fold(14, "%-8s %3u%s", wsim_arch_name(arch),
                    (unsigned)(wsim_arch_shared_bytes(arch) / 1024), names);
    }
}

static void print_csv(struct chosen chosen) {
    const struct wsim_arch *arch;
    const char *alias;
    puts("target,shared_bytes,names");
    while ((arch = next(&chosen)) != NULL) {
        printf("%s,%u,", wsim_arch_name(arch), (unsigned)wsim_arch_shared_bytes(arch));
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++)
            printf("%s%s", k ? " " : "", alias);
        putchar('\n');
    }
}

static void print_json(struct chosen chosen) {
    json_t *list = json_array();
    const struct wsim_arch *arch;
    const char *alias;
    while ((arch = next(&chosen)) != NULL) {
        json_t *names = json_array();
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++)
            json_array_append_new(names, json_string(alias));
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:o}", "target", wsim_arch_name(arch), "shared_bytes",
                            (json_int_t)wsim_arch_shared_bytes(arch), "names", names));
    }
    tool_print_json(
        json_pack("{s:s, s:i, s:o}", "schema", "wsim.arch", "version", 1, "architectures", list));
}

static int print_page(struct chosen chosen, enum tool_format format) {
    static const char *const heads[] = {"KiB of shared memory", "names", NULL};
    struct grid grid = grid_open("target", heads);
    const struct wsim_arch *arch;
    struct page page;
    int status;
    grid.left = 1;
    while ((arch = next(&chosen)) != NULL) {
        const char *alias;
        char names[GRID_CELL] = "";
        size_t n = 0;
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL && n < sizeof names; k++)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k ? ", " : "", alias);
        grid_row(&grid, "%s", wsim_arch_name(arch));
        grid_cell(&grid, "%u", (unsigned)(wsim_arch_shared_bytes(arch) / 1024));
        grid_cell(&grid, "%s", names);
    }
    page_open(&page, "Architectures");
    page_grid(&page, "", "", &grid);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}

static int run(struct tool *tool) {
    struct chosen chosen = {tool->args, 0};
    const enum tool_format format = tool->format;
    for (size_t i = 0; tool->args[i]; i++)
        if (!tool_arch(tool->args[i]))
            return TOOL_USAGE;
    if (format != TOOL_JSON && format != TOOL_CSV && format != TOOL_TEXT)
        return print_page(chosen, format);
    (format == TOOL_JSON ? print_json : format == TOOL_CSV ? print_csv : print_text)(chosen);
    return TOOL_FINE;
}

/* clang-format off */
const struct tool_command arch_command = {"[NAME...]", about, examples, NULL, 0, TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
