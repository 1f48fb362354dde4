/* opener LIBRARY - calls function `run` of a library that it opens twice, and closes between. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    for (int round = 0; round < 2; round++) {
        void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
        int (*run)(void) = NULL;
        if (library)
            *(void **)&run = dlsym(library, "run");
        if (!run) {
            printf("%s\n", dlerror());
            return 2;
        }
        if (run())
            return 1;
        if (dlclose(library))
            return 3;
    }
    return 0;
}
