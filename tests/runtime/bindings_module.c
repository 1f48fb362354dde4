/* A module of Python as the one of cuda-python with the CUDA runtime inside: other modules take
 * functions from capsules in its dictionary __pyx_capi__. `count()` calls one of them, as they do.
 * Declarations: the stable interface of Python. */
#include <stddef.h>
#include <stdint.h>

typedef struct object object;
typedef object *function(object *self, object *arguments);

object *PyModuleDef_Init(void *definition);
object *PyDict_New(void);
int PyDict_SetItemString(object *dictionary, const char *key, object *value);
object *PyCapsule_New(void *pointer, const char *name, void (*destructor)(object *));
void *PyCapsule_GetPointer(object *capsule, const char *name);
int PyObject_SetAttrString(object *owner, const char *name, object *value);
object *PyLong_FromLong(long value);

#define NAME __attribute__((visibility("default")))
static const char signature[] = "cudaError_t (int *)";
static object *counter, *unknown;

/* Cython names a variable after the module. */
NAME extern int __pyx_module_is_main_cuda__bindings___internal__runtime;
int __pyx_module_is_main_cuda__bindings___internal__runtime;

static int inside(int *count) {
    *count = -1;
    return 500;
}

static object *call(object *capsule) {
    int (*get)(int *), count = -2, error;
    *(void **)&get = PyCapsule_GetPointer(capsule, signature);
    error = get(&count);
    return PyLong_FromLong(error ? -error : count);
}

static object *count(object *self, object *arguments) {
    (void)self, (void)arguments;
    return call(counter);
}

static object *other(object *self, object *arguments) {
    (void)self, (void)arguments;
    return call(unknown);
}

static int fill(object *module) {
    object *dictionary = PyDict_New();
    void *pointer;
    int (*const genuine)(int *) = inside;
    *(int (**)(int *)) & pointer = genuine;
    counter = PyCapsule_New(pointer, signature, NULL);
    unknown = PyCapsule_New(pointer, signature, NULL);
    if (!dictionary || !counter || !unknown)
        return -1;
    PyDict_SetItemString(dictionary, "_cudaGetDeviceCount", counter);
    PyDict_SetItemString(dictionary, "_cudaOfAnotherVersion", unknown);
    return PyObject_SetAttrString(module, "__pyx_capi__", dictionary);
}

static struct {
    const char *name;
    function *call;
    int flags;
    const char *text;
} functions[] = {{"count", count, 4, NULL}, {"other", other, 4, NULL}, {NULL, NULL, 0, NULL}};

static struct {
    int id;
    void *value;
} slots[2] = {{2, NULL}, {0, NULL}};

static struct {
    intptr_t references;
    void *type, *init;
    intptr_t index;
    void *copy;
    const char *name, *text;
    intptr_t size;
    void *methods, *slots, *traverse, *clear, *release;
} definition = {.references = 1, .name = "runtime", .methods = functions, .slots = slots};

NAME object *PyInit_runtime(void);
object *PyInit_runtime(void) {
    int (*const filler)(object *) = fill;
    *(int (**)(object *)) & slots[0].value = filler;
    return PyModuleDef_Init(&definition);
}
