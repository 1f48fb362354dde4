/* cuda-python. One of its modules has the CUDA runtime inside, without names. Its other modules take
 * each function from a capsule in the dictionary `__pyx_capi__` of that module (Cython, "C-level
 * sharing of declarations"). When the module has filled the dictionary, each capsule gets the
 * function here with its name.
 *
 * PyInit_NAME returns the definition of a module (PEP 489). A slot of the definition is a function
 * that fills the module. */
#define _GNU_SOURCE
#include "python.h"
#include "jump.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SLOT_EXEC = 2, MOST_SLOTS = 16 };

/* Layouts of Python's stable interface: PyModuleDef_Slot and PyModuleDef. */
struct slot {
    int id;
    void *value;
};

struct definition {
    intptr_t references;
    void *type, *init;
    intptr_t index;
    void *copy;
    const char *name, *text;
    intptr_t size;
    void *methods;
    struct slot *slots;
};

typedef int fill_function(void *module);

static struct module {
    struct patch patch;
    fill_function *genuine;
    struct slot slots[MOST_SLOTS];
} modules[2]; /* the second one for streams of each thread */

static python_find *find;

/* Functions of Python that are called here. */
static struct {
    const char *(*version)(void);
    void *(*attribute)(void *object, const char *name);
    int (*next)(void *dictionary, intptr_t *position, void **key, void **value);
    const char *(*text)(void *string);
    int (*set_pointer)(void *capsule, void *pointer);
    void (*release)(void *object);
    void (*clear)(void);
    void *definition_type;
} python;

static int find_python(void) {
    static const struct {
        const char *name;
        void *at;
    } needs[] = {{"Py_GetVersion", &python.version},
                 {"PyObject_GetAttrString", &python.attribute},
                 {"PyDict_Next", &python.next},
                 {"PyUnicode_AsUTF8", &python.text},
                 {"PyCapsule_SetPointer", &python.set_pointer},
                 {"Py_DecRef", &python.release},
                 {"PyErr_Clear", &python.clear},
                 {"PyModuleDef_Type", &python.definition_type}};
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        void *const found = dlsym(RTLD_DEFAULT, needs[i].name);
        if (!found)
            return 0;
        memcpy(needs[i].at, &found, sizeof found);
    }
    return 1;
}

/* The function for a capsule named _cudaX: its twin for streams of each thread, if that is wanted.
 */
static any_function *function_for(const char *name, int is_12, int per_thread) {
    static const char *const twins[] = {"_ptds", "_ptsz"};
    any_function *function = NULL;
    char twin[128];
    for (unsigned i = 0; per_thread && !function && i < 2; i++)
        if (snprintf(twin, sizeof twin, "%s%s", name + 1, twins[i]) < (int)sizeof twin)
            function = find(twin, is_12);
    return function ? function : find(name + 1, is_12);
}

/* The header of CUDA 12 alone names this function. */
static int has_version_12(void *dictionary) {
    void *key, *value;
    intptr_t position = 0;
    while (python.next(dictionary, &position, &key, &value)) {
        const char *name = python.text(key);
        if (name && strcmp(name, "_cudaGetDeviceProperties_v2") == 0)
            return 1;
    }
    return 0;
}

static void fill_capsules(void *module, int per_thread) {
    void *dictionary = python.attribute(module, "__pyx_capi__"), *key, *value;
    intptr_t position = 0;
    int is_12;
    if (!dictionary) {
        python.clear();
        return;
    }
    is_12 = has_version_12(dictionary);
    while (python.next(dictionary, &position, &key, &value)) {
        const char *name = python.text(key);
        any_function *function =
            name && strncmp(name, "_cuda", 5) == 0 ? function_for(name, is_12, per_thread) : NULL;
        void *pointer;
        memcpy(&pointer, &function, sizeof pointer);
        if (pointer)
            python.set_pointer(value, pointer);
    }
    python.clear();
    python.release(dictionary);
}

static int fill(void *module, int i) {
    const int error = modules[i].genuine(module);
    if (!error)
        fill_capsules(module, i);
    return error;
}

static int fill_plain(void *module) {
    return fill(module, 0);
}

static int fill_per_thread(void *module) {
    return fill(module, 1);
}

/* Puts our function in the place of the slot that fills the module. */
static void change(struct definition *definition, int i) {
    struct module *module = &modules[i];
    size_t n = 0;
    while (definition->slots && n < MOST_SLOTS && definition->slots[n].id)
        n++;
    if (!n || n == MOST_SLOTS)
        return;
    memcpy(module->slots, definition->slots, (n + 1) * sizeof module->slots[0]);
    for (size_t k = 0; k < n; k++) {
        fill_function *const ours = i ? fill_per_thread : fill_plain;
        if (module->slots[k].id != SLOT_EXEC || module->genuine)
            continue;
        memcpy(&module->genuine, &module->slots[k].value, sizeof module->genuine);
        memcpy(&module->slots[k].value, &ours, sizeof ours);
    }
    if (module->genuine)
        definition->slots = module->slots;
}

static void *initialise(int i) {
    void *(*genuine)(void);
    const uint64_t at = modules[i].patch.at;
    struct definition *definition;
    patch_undo(&modules[i].patch);
    memcpy(&genuine, &at, sizeof genuine);
    definition = genuine();
    /* Builds without the global lock have other layouts. */
    if (definition && find_python() && !strstr(python.version(), "free-threading") &&
        definition->type == python.definition_type && !modules[i].genuine)
        change(definition, i);
    return definition;
}

static void *initialise_plain(void) {
    return initialise(0);
}

static void *initialise_per_thread(void) {
    return initialise(1);
}

void python_take(uint64_t at, int per_thread, python_find *finder) {
    void *(*const ours)(void) = per_thread ? initialise_per_thread : initialise_plain;
    find = finder;
    if (!modules[per_thread].patch.at)
        patch_set(&modules[per_thread].patch, at, (any_function *)ours);
}
