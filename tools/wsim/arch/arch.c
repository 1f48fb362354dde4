/* wsim arch: the architectures, and the products that have them. */
#include "../common/doc.h"

static const char about[] =
    "Lists the architectures that --arch accepts, the shared memory of a block there, and their\n"
    "other names: generations and products. Give a NAME, or the text printed on a card ('NVIDIA\n"
    "A100-SXM4-80GB'), to list its architecture alone, with the GPU that --arch NAME gives\n"
    "programs and kernels. A product maps to the target with all its features (h100: sm_90a).\n"
    "Code for an 'a' target (sm_90a, for its wgmma) runs on that machine alone. Code for an 'f'\n"
    "target runs on its family. Code for a plain target (sm_90) runs on later machines too.\n";
static const char examples[] = "  wsim arch\n"
                               "  wsim arch 'GeForce RTX 4090' --format json\n";

enum { NAMES_TEXT = 512 };

/* The other names of an architecture, as JSON and in a line. */
static json_t *list_names(const struct wsim_arch *arch, char text[NAMES_TEXT]) {
    json_t *names = json_array();
    const char *alias;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; (alias = wsim_arch_alias(arch, i)) != NULL && used < NAMES_TEXT; i++) {
        json_array_append_new(names, json_string(alias));
        used += (size_t)snprintf(text + used, NAMES_TEXT - used, "%s%s", i ? " " : "", alias);
    }
    return names;
}

static void add_arch(struct doc *doc, const struct wsim_arch *arch) {
    const uint32_t bytes = wsim_arch_shared_bytes(arch);
    char text[NAMES_TEXT];
    json_t *names = list_names(arch, text);
    doc_row(doc);
    doc_word(doc, wsim_arch_name(arch));
    doc_cell(doc, json_integer(bytes), "%u", (unsigned)bytes / 1024);
    doc_cell(doc, names, "%s", text);
}

/* --- products --- */

static const char *const figures[WSIM_FIGURES] = {"sms",       "memory_bytes",     "l2_bytes",
                                                  "clock_khz", "memory_clock_khz", "bus_bits"};

/* A figure in its unit; one that no source has is marked. */
static void add_figure(struct doc *doc, const struct wsim_product *product, enum wsim_figure which,
                       unsigned unit) {
    doc_cell(doc, json_integer((json_int_t)product->figures[which]), "%s%llu",
             product->derived >> which & 1 ? "~" : "",
             (unsigned long long)product->figures[which] / unit);
}

static void add_product(struct doc *doc, const struct wsim_arch *arch) {
    static const unsigned units[WSIM_FIGURES] = {1, 1u << 30, 1u << 20, 1000, 1000, 1};
    const struct wsim_product product = wsim_arch_product(arch);
    json_t *derived = json_array();
    doc_row(doc);
    doc_word(doc, *product.alias ? product.alias : wsim_arch_name(arch));
    doc_word(doc, wsim_arch_name(arch));
    for (unsigned i = 0; i < WSIM_FIGURES; i++) {
        add_figure(doc, &product, (enum wsim_figure)i, units[i]);
        if (product.derived >> i & 1)
            json_array_append_new(derived, json_string(figures[i]));
    }
    doc_word(doc, product.name);
    doc_set(doc, "derived", derived);
    doc_set(doc, "sources", json_string(product.sources));
}

/* The GPUs that --arch gives by these names. */
static void add_products(struct doc *doc, const char *const *names) {
    static const struct doc_column columns[] = {{"product", "product", DOC_LEFT},
                                                {"target", "target", DOC_LEFT | DOC_HIDDEN},
                                                {"sms", "SMs", 0},
                                                {"memory_bytes", "GiB", 0},
                                                {"l2_bytes", "L2 MiB", 0},
                                                {"clock_khz", "MHz", 0},
                                                {"memory_clock_khz", "memory", DOC_HIDDEN},
                                                {"bus_bits", "bits", 0},
                                                {"name", "name", DOC_LEFT | DOC_FOLD},
                                                {NULL, NULL, 0}};
    uint32_t derived = 0;
    doc_gap(doc);
    doc_table(doc, "products", columns);
    for (; *names; names++) {
        const struct wsim_arch *arch = wsim_arch_called(*names);
        add_product(doc, arch);
        derived |= wsim_arch_product(arch).derived;
    }
    doc_leave(doc);
    if (derived)
        doc_line(doc, "~: no source has the figure; it is that of the usual GPU of the target");
}

static int run(struct tool *tool) {
    static const struct doc_column columns[] = {{"target", "target", DOC_LEFT},
                                                {"shared_bytes", "KiB", DOC_LEFT},
                                                {"names", "names", DOC_LEFT | DOC_FOLD | DOC_KEEP},
                                                {NULL, NULL, 0}};
    const int is_named = tool->args[0] != NULL;
    const struct wsim_arch *arch;
    struct doc *doc;
    for (const char **name = tool->args; *name; name++)
        if (!tool_arch(*name))
            return TOOL_USAGE;
    doc = doc_open(tool->format, "wsim.arch");
    doc_title(doc, "Architectures");
    doc_table(doc, "architectures", columns);
    for (const char **name = tool->args; *name; name++)
        add_arch(doc, wsim_arch_called(*name));
    for (size_t i = 0; !is_named && (arch = wsim_arch_at(i)) != NULL; i++)
        add_arch(doc, arch);
    doc_leave(doc);
    if (is_named)
        add_products(doc, tool->args);
    return doc_close(doc, TOOL_FINE);
}

/* clang-format off */
const struct tool_command arch_command = {"[NAME...]", about, examples, NULL, 0, TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
