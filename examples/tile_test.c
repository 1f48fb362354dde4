/* A test of one's own: does this tile load without conflicts, and with the elements of operand A?
 * The library is the one dependency: cc -std=c11 -Iinclude examples/tile_test.c build/libwsim.a -o
 * tile_test && ./tile_test */
#include <stdio.h>
#include <stdlib.h>
#include <wsim/wsim.h>

/* The function under test: where a lane finds its row of a 16x16 tile of halves. */
static uint32_t my_tile_address(unsigned lane) {
    unsigned row = lane % 16, half = lane / 16;
    return row * 32 + (half ^ row / 4 % 2) * 16;
}

static void must(enum wsim_status status, const struct wsim_diag *diag) {
    if (status != WSIM_OK) {
        fprintf(stderr, "%s: %s\n", wsim_status_name(status), diag->text);
        exit(EXIT_FAILURE);
    }
}

int main(void) {
    const struct wsim_arch *arch = wsim_arch_find("h100");
    struct wsim_op ldm, mma;
    struct wsim_diag diag;
    must(wsim_op_parse("ldmatrix.sync.aligned.m8n8.x4.shared.b16", &ldm, &diag), &diag);
    must(wsim_op_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &mma, &diag), &diag);

    uint32_t addr[32]; /* rows 0 to 15 of the left half, then of the right */
    for (unsigned lane = 0; lane < 32; lane++)
        addr[lane] = my_tile_address(lane);
    struct wsim_banks cost;
    must(wsim_banks_count(&ldm, arch, addr, ~0u, &cost, &diag), &diag);

    uint8_t bytes[512]; /* element (row, col) of the tile is 16 * row + col */
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t at = my_tile_address(i / 16 + i % 16 / 8 * 16) + i % 8 * 2;
        bytes[at] = (uint8_t)i;
        bytes[at + 1] = 0;
    }
    struct wsim_regs a, b = {0}, c = {0}, d;
    must(
        wsim_exec(&ldm, arch, &(struct wsim_operands){.d = &a, .smem = &smem, .addr = addr}, &diag),
        &diag);
    must(wsim_exec(&mma, arch, &(struct wsim_operands){.d = &d, .a = &a, .b = &b, .c = &c}, &diag),
         &diag);

    struct wsim_layout layout; /* does ldmatrix leave what operand A of this mma takes? */
    unsigned wrong = 0;
    must(wsim_op_layout(&mma, NULL, WSIM_A, &layout, &diag), &diag);
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < 8; i++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, i);
            wrong += wsim_regs_get(&layout, &a, wsim_layout_place(&layout, lane, i)) !=
                     16u * at.row + at.col;
        }
    printf("%u conflicts, %u elements wrong\n", (unsigned)cost.conflicts, wrong);
    return cost.conflicts || wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
