/* closed.c - the type that family.sh plants: legal, computed, and of inferred evidence. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

#define NEED(what)                                                                                 \
    if (!(what)) {                                                                                 \
        printf("closed.c:%d: %s\n", __LINE__, #what);                                              \
        return 1;                                                                                  \
    }

static const char *evidence_of(const char *spelling, const char *arch, const char **source) {
    struct wsim_op op;
    if (wsim_op_parse(spelling, &op, NULL))
        return "unknown spelling";
    return wsim_op_evidence(&op, wsim_arch_find(arch), WSIM_RESULTS, source);
}

int main(void) {
    const char *source = "", *word;
    word = evidence_of("mma.sync.aligned.m16n8k32.row.col.f32.e3m4.e3m4.f32", "sm_89", &source);
    printf("e3m4: %s (%s)\n", word ? word : "not modelled", source);
    NEED(word && strcmp(word, "inferred") == 0 && strstr(source, "no source covers"));
    word = evidence_of("mma.sync.aligned.m16n8k32.row.col.f32.e3m4.e3m4.f32", "sm_90a", &source);
    printf("e3m4 on sm_90a: %s (%s)\n", word ? word : "not modelled", source);
    NEED(word && strcmp(word, "inferred") == 0 && strstr(source, "was not recorded"));
    word = evidence_of("mma.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", "sm_89", &source);
    printf("m16n8k64: %s (%s)\n", word ? word : "not modelled", source);
    NEED(word && strcmp(word, "inferred") == 0 && strstr(source, "no source covers"));
    word = evidence_of("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89", &source);
    NEED(word && strcmp(word, "published") == 0);
    return 0;
}
