// gpu.h - what the probe programs of one GPU share: errors end the program, the head of a trace.
#ifndef PROBE_GPU_H
#define PROBE_GPU_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline void must(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 77 : 2);
}

// The driver's version: the first word of /proc/driver/nvidia/version that starts with a digit.
static inline void read_driver(char *text, size_t size) {
    char line[256] = "", *word = NULL;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    snprintf(text, size, "unknown");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        word = strtok(line, " ");
    while (word && !(*word >= '0' && *word <= '9'))
        word = strtok(NULL, " ");
    if (word)
        snprintf(text, size, "%s", word);
    fclose(file);
}

static inline void trace_head(const char *generator) {
    cudaDeviceProp properties;
    char driver[64], date[16];
    time_t now = time(NULL);
    must(cudaGetDeviceProperties(&properties, 0));
    read_driver(driver, sizeof driver);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("#wsim-trace 1\n#gpu: %s\n#arch: sm_%d%da\n#driver: %s\n#toolkit: %d.%d\n"
           "#generator: %s\n#seed: none\n#date: %s\n",
           properties.name, properties.major, properties.minor, driver, CUDART_VERSION / 1000,
           CUDART_VERSION % 1000 / 10, generator, date);
}

#endif
