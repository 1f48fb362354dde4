"""Which pitch of a tile does ldmatrix read without conflicts? Prints the wavefronts of each pitch and of the
swizzle."""

import wsim

load = wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
print("pitch wavefronts conflicts")
for pitch in range(128, 192, 8):
    if pitch % 16:
        continue  # a row has to begin at a multiple of 16
    cost = load.cost(lambda lane: pitch * (lane % 16) + lane // 16 * 16)
    print("%5u %10u %9u" % (pitch, cost.wavefronts, cost.conflicts))

cost = load.cost(lambda lane: wsim.swizzle("128B", 128 * (lane % 16) + lane // 16 * 16))
print(" 128B %10u %9u" % (cost.wavefronts, cost.conflicts))
