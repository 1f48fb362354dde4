/* Devices and their attributes. */
#include "state.h"

#include <stdio.h>
#include <string.h>

/* 90 of sm_90a. */
int device_capability(void) {
    return (int)wsim_target_number(wsim_arch_name(core.settings.arch));
}

int core_device(int device) {
    return device < 0 || device >= core.settings.devices ? WSIMRT_INVALID_DEVICE : 0;
}

int wsimrt_device_count(int *count) {
    int error = core_enter(NULL);
    if (!error && !count)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *count = core.settings.devices;
    return core_leave(error);
}

int wsimrt_device_info(int device, struct wsimrt_device_info *info) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error && !info)
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        const int number = device_capability();
        *info = (struct wsimrt_device_info){
            .memory = core.settings.memory, .major = number / 10, .minor = number % 10};
        snprintf(info->arch, sizeof info->arch, "%s", wsim_arch_name(core.settings.arch));
        snprintf(info->name, sizeof info->name, "%s", wsim_arch_product(core.settings.arch).name);
        memcpy(info->uuid, "wsim simulated", 14);
        info->uuid[15] = (uint8_t)device;
        snprintf(info->pci, sizeof info->pci, "0000:00:%02x.0", (unsigned)(6 + device));
        info->processors = (int)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_SMS);
        info->part = (unsigned)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_PART_SMS);
        info->step = (unsigned)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_PART_STEP);
    }
    return core_leave(error);
}

/* Needs no device: a call that is wrong gives its error before the core begins. */
int wsimrt_pitch(uint64_t width, uint64_t *pitch) {
    const struct wsim_arch *arch =
        core.settings.arch ? core.settings.arch : wsim_arch_called(WSIM_ARCH_USUAL);
    const uint64_t unit = wsim_arch_limit(arch, WSIM_LIMIT_MEMORY_UNIT);
    if (width > SIZE_MAX - unit)
        return WSIMRT_INVALID_VALUE;
    *pitch = (width + unit - 1) / unit * unit;
    return 0;
}

int device_attribute(int *value, int attribute, int ordinal) {
    const struct wsim_arch *arch = core.settings.arch;
    const struct wsim_product product = wsim_arch_product(arch);
    const int major = device_capability() / 10, minor = device_capability() % 10;
    switch (attribute) {
#define ATTRIBUTE(number, expression)                                                              \
    case number:                                                                                   \
        *value = expression;                                                                       \
        return 1;
#include "attribute.def"
    default: return 0;
    }
}

int wsimrt_device_attribute(int *value, int attribute, int device) {
    int error = core_enter(NULL);
    if (!error && (!value || attribute < 1))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_device(device);
    if (!error && !device_attribute(value, attribute, device))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error);
}
