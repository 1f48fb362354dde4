/* Asks the driver for a table that is not public, as a CUDA runtime without names does. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *symbol = NULL;
    int (*ask)(const void **, const void *);
    const void *table = &driver;
    if (driver)
        symbol = dlsym(driver, "cuGetExportTable");
    if (!symbol) {
        printf("%s\n", dlerror());
        return 2;
    }
    *(void **)&ask = symbol;
    return ask(&table, "0123456789abcdef") == 0 || ask(&table, "fedcba9876543210") == 0 || table;
}
