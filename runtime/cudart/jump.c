/* Jumps in code: see jump.h. */
#define _GNU_SOURCE
#include "jump.h"

#include <string.h>
#include <sys/mman.h>

#if defined __x86_64__ || defined __aarch64__

#if defined __x86_64__

/* movabs $to, %rax; jmp *%rax: no argument of a function without variable arguments is in rax. */
void jump_write(unsigned char *at, uint64_t to) {
    static const unsigned char code[JUMP_LONG] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};
    memcpy(at, code, sizeof code);
    memcpy(at + 2, &to, sizeof to);
}

/* A page within the reach of short jumps from `from`; NULL: there is none. */
unsigned char *jump_page(uint64_t from) {
    const uint64_t page = 4096, reach = UINT64_C(1) << 30;
    for (uint64_t step = page; step < reach; step += step / 2 / page * page + page) {
        const uint64_t places[2] = {(from - step) & ~(page - 1), (from + step) & ~(page - 1)};
        for (unsigned i = 0; i < 2; i++) {
            void *at = mmap((void *)(uintptr_t)places[i], page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (at != MAP_FAILED && (uint64_t)(uintptr_t)at == places[i])
                return at;
            if (at != MAP_FAILED)
                munmap(at, page);
        }
    }
    return NULL;
}

void jump_write_short(unsigned char *at, const unsigned char *to) {
    const int32_t distance = (int32_t)(to - (at + JUMP_SHORT));
    at[0] = 0xE9;
    memcpy(at + 1, &distance, sizeof distance);
}

/* Where the jump goes that is at an address; 0: none is there. */
uint64_t jump_target(uint64_t at) {
    const unsigned char *code = (const unsigned char *)(uintptr_t)at;
    int32_t distance;
    memcpy(&distance, code + 1, sizeof distance);
    return *code == 0xE9 ? at + JUMP_SHORT + (uint64_t)(int64_t)distance : 0;
}

#else

/* ldr x16, .+8; br x16 */
void jump_write(unsigned char *at, uint64_t to) {
    static const uint32_t code[2] = {0x58000050, 0xD61F0200};
    memcpy(at, code, sizeof code);
    memcpy(at + 8, &to, sizeof to);
}

unsigned char *jump_page(uint64_t from) {
    (void)from;
    return NULL;
}

void jump_write_short(unsigned char *at, const unsigned char *to) {
    (void)at, (void)to;
}

uint64_t jump_target(uint64_t at) {
    uint32_t code; /* b: a distance in instructions, 26 bits */
    at += JUMP_SHORT - sizeof code;
    memcpy(&code, (const void *)(uintptr_t)at, sizeof code);
    return code >> 26 == 5 ? at + (uint64_t)((int64_t)(int32_t)(code << 6) >> 4) : 0;
}

#endif

static int allow(uint64_t at, size_t bytes, int protection) {
    const uint64_t from = at & ~UINT64_C(4095), to = (at + bytes + 4095) & ~UINT64_C(4095);
    return mprotect((void *)(uintptr_t)from, (size_t)(to - from), protection);
}

int patch_set(struct patch *patch, uint64_t at, any_function *to) {
    unsigned char *const code = (unsigned char *)(uintptr_t)at;
    if (allow(at, sizeof patch->before, PROT_READ | PROT_WRITE | PROT_EXEC))
        return 0;
    patch->at = at;
    memcpy(patch->before, code, JUMP_LONG);
    jump_write(code, (uint64_t)(uintptr_t)to);
    allow(at, sizeof patch->before, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)code, (char *)code + JUMP_LONG);
    return 1;
}

int patch_undo(const struct patch *patch) {
    unsigned char *const code = (unsigned char *)(uintptr_t)patch->at;
    if (allow(patch->at, sizeof patch->before, PROT_READ | PROT_WRITE | PROT_EXEC))
        return 0;
    memcpy(code, patch->before, JUMP_LONG);
    allow(patch->at, sizeof patch->before, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)code, (char *)code + JUMP_LONG);
    return 1;
}

#endif
