/* Numbers for pairs of numbers. Refuses to know what they mean. */
#include "map.h"

static uint32_t slot_of(const struct map *map, uint32_t a, uint32_t b) {
    uint64_t h = (((uint64_t)a << 32 | b) + 1) * 0x9E3779B97F4A7C15u;
    return (uint32_t)((h ^ h >> 29) * 0xBF58476D1CE4E5B9u >> 33) & (map->slots - 1);
}

static int grow(struct ptx_arena *arena, struct map *map) {
    struct map larger = {.entries = map->entries, .slots = map->slots ? map->slots * 2 : 64};
    larger.table = arena_take(arena, larger.slots * sizeof *larger.table);
    if (!larger.table)
        return 0;
    for (uint32_t i = 0; i < map->entries.n; i++) {
        const struct map_entry *e = &((const struct map_entry *)map->entries.at)[i];
        uint32_t slot = slot_of(&larger, e->a, e->b);
        while (larger.table[slot])
            slot = (slot + 1) & (larger.slots - 1);
        larger.table[slot] = i + 1;
    }
    *map = larger;
    return 1;
}

uint32_t map_number(struct ptx_arena *arena, struct map *map, uint32_t a, uint32_t b) {
    if (map->entries.n * 2 >= map->slots && !grow(arena, map))
        return UINT32_MAX;
    uint32_t slot = slot_of(map, a, b);
    for (; map->table[slot]; slot = (slot + 1) & (map->slots - 1)) {
        const struct map_entry *e =
            &((const struct map_entry *)map->entries.at)[map->table[slot] - 1];
        if (e->a == a && e->b == b)
            return map->table[slot] - 1;
    }
    struct map_entry *e = arena_push(arena, &map->entries, sizeof *e);
    if (!e)
        return UINT32_MAX;
    *e = (struct map_entry){a, b};
    return (map->table[slot] = map->entries.n) - 1;
}
