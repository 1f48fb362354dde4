"""The results of one instruction on several architectures, and their first difference."""

import numpy as np

import wsim
from wsim.testing import difference

mma = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
a, b = np.zeros((16, 16)), np.ones((16, 8))
a[3, :8] = [2.0**15] + [2.0**-10] * 7  # a large product, and small ones that are cut where bits end

results = {arch: mma.run(a=a, b=b, arch=arch) for arch in ("a100", "l40", "h100", "b200")}
for arch, result in results.items():
    print("%-5s %.7f 0x%08x" % (arch, result.d[3, 0], result.bits[3, 0]))
print("a100, h100:", difference(results["a100"], results["h100"]))
