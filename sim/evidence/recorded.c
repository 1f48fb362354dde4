/* The contents of the recordings under traces/, as numbers without a pointer. Written out of
 * traces/held.tsv by tests/golden/record.sh; the one file that is optional. */
#include "evidence.h"

#include <string.h>

uint32_t evidence_hash(enum wsim_claim claim, const char *spelling) {
    uint32_t hash = (UINT32_C(2166136261) ^ (claim == WSIM_RESULTS ? 'R' : 'C')) * 16777619u;
    for (; *spelling; spelling++)
        hash = (hash ^ (unsigned char)*spelling) * 16777619u;
    return hash;
}

#ifdef WSIM_NO_RECORDINGS

int evidence_row(size_t index, struct evidence_row *row) {
    (void)index;
    (void)row;
    return 0;
}

int wsim_recording_at(size_t index, struct wsim_recording *recording) {
    (void)index;
    (void)recording;
    return 0;
}

#else

static const uint32_t hashes[] = {
#define HELD(hash, recording, number) hash,
#include "recorded.def"
};

static const uint8_t recordings[] = {
#define HELD(hash, recording, number) recording,
#include "recorded.def"
};

static const uint32_t numbers[] = {
#define HELD(hash, recording, number) number,
#include "recorded.def"
};

static const struct {
    char file[48], gpu[24], arch[12], driver[16], date[12];
} files[] = {
#define RECORDING(file, gpu, arch, driver, date) {file, gpu, arch, driver, date},
#include "recorded.def"
};

int evidence_row(size_t index, struct evidence_row *row) {
    if (index >= sizeof hashes / sizeof hashes[0])
        return 0;
    *row = (struct evidence_row){hashes[index], numbers[index], recordings[index]};
    return 1;
}

int wsim_recording_at(size_t index, struct wsim_recording *recording) {
    if (index >= sizeof files / sizeof files[0])
        return 0;
    *recording = (struct wsim_recording){.file = files[index].file,
                                         .gpu = files[index].gpu,
                                         .driver = files[index].driver,
                                         .date = files[index].date,
                                         .arch = wsim_arch_find(files[index].arch)};
    return 1;
}

#endif
