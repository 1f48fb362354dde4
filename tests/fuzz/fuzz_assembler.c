/* Any bytes as PTX, a listing of a disassembler and messages of an assembler, separated by 0xFF.
 * The PTX gets its lines. The listing is read, in order, or refused with a sentence. */
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/assembler.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check(const struct wsim_machine *machine) {
    static const char empty[] = ".version 8.0\n.target sm_90a\n.address_size 64\n";
    const struct wsim_text text = {NULL, empty, sizeof empty, machine};
    struct wsim_module *module;
    need(wsim_module_link(&text, 1, 0, &module, NULL, NULL) == WSIM_OK);
    wsim_module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wsim_diag diag = {.text = ""};
    struct wsim_assembly *assembly;
    char *text = malloc(size + 1), *listing, *messages;
    size_t length;
    need(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    listing = memchr(text, 0xFF, size);
    messages = listing ? memchr(listing + 1, 0xFF, size - (size_t)(listing + 1 - text)) : NULL;
    if (listing)
        *listing++ = '\0';
    if (messages)
        *messages++ = '\0';
    need(wsim_assembly_make(text, strlen(text), &assembly, &diag) == WSIM_OK);
    need(strlen(wsim_assembly_text(assembly, &length)) == length);
    if (wsim_assembly_read(assembly, listing ? listing : "", messages, &diag))
        need(strlen(diag.text) > 0);
    else
        check(wsim_assembly_machine(assembly));
    wsim_assembly_free(assembly);
    free(text);
    return 0;
}
