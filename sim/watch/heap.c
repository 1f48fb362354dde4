/* Accesses to the heap of malloc: outside of its pieces, or to freed ones. A GPU does not notice
 * these either, so no finding stops the launch. Pieces that a launch leaves are notes: a later
 * launch may free them. */
#include "listeners.h"

#include "../reach/hear.h"
#include "../state/device.h"
#include "../state/heap.h"

static void tell(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                 unsigned lane, uint64_t at) {
    const struct wsim_device *device = warp->worker->launch->device;
    const struct run_subject subject = {RUN_ADDRESS, PTX_GLOBAL, access->bytes, at, 0};
    const char *verb = access->kind == RUN_READ ? "reads" : "writes";
    uint64_t base;
    const struct heap_piece *piece = heap_piece_at(device, at, &base);
    if (!piece)
        run_finding_of(warp, op, lane, NULL, RULE_MEMORY_HEAP_BOUNDS, &subject,
                       "%s %u bytes of the heap that malloc did not return", verb, access->bytes);
    else if (piece->freed)
        run_finding_of(warp, op, lane, NULL, RULE_MEMORY_HEAP_FREED, &subject,
                       "%s %u bytes at byte %llu of a block of malloc of %u bytes, after its free",
                       verb, access->bytes, (unsigned long long)(at - base), piece->bytes);
    else
        run_finding_of(warp, op, lane, NULL, RULE_MEMORY_HEAP_BOUNDS, &subject,
                       "%s %u bytes at byte %llu of a block of malloc, which has %u", verb,
                       access->bytes, (unsigned long long)(at - base), piece->bytes);
}

static int is_good(const struct wsim_device *device, uint64_t at, uint32_t bytes) {
    uint64_t base;
    const struct heap_piece *piece = heap_piece_at(device, at, &base);
    return piece && !piece->freed && at - base + bytes <= piece->bytes;
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    const struct wsim_device *device = warp->worker->launch->device;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = run_access_at(access, lane);
        if (at - device->heap < device->heap_bytes && !is_good(device, at, access->bytes))
            tell(warp, op, access, access->for_lane ? access->for_lane - 1u : lane, at);
    }
}

static void hear_launch(const struct run_launch *launch, int asked) {
    (void)asked;
    if (launch->device->heap)
        launch->device->heap_launch++;
}

static void tell_left(void *context, const struct heap_piece *piece, uint64_t base) {
    struct run_launch *launch = context;
    const struct run_subject subject = {RUN_ADDRESS, PTX_GLOBAL, piece->bytes, base, 0};
    launch_find_pair(launch, launch->first_unit, 0, 0, piece->op, RUN_NOWHERE,
                     RULE_MEMORY_HEAP_LEAK, &subject,
                     "%u bytes of malloc are not freed when the launch ends", piece->bytes);
}

static void hear_end(struct run_launch *launch, const struct run_worker *workers, unsigned n) {
    (void)workers, (void)n;
    heap_left(launch, tell_left, launch);
}

const struct run_hears heap_hears = {
    .launch = hear_launch, .launch_end = hear_end, .access = hear_access_of};
