"""A program for mypy only: the types that users annotate are those of the hints."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import wsim

op: wsim.Op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
product: NDArray[Any] = op.run(a=np.zeros((16, 16)), b=np.zeros((16, 8)), arch="h100").d
place: wsim.Place = op.layout("a").places(0, 0)[0]
ways: int = wsim.banks("ld.shared.u32", lambda lane: 4 * lane).groups[0].ways
one: int = wsim.swizzle("128B", 0x1A2)
many: NDArray[Any] = wsim.swizzle("128B", np.arange(4))
mode: wsim.Swizzle = wsim.swizzle("128B")
report: wsim.Report = wsim.Module("saxpy.ptx").kernel()[(2, 1), 64](2.0, np.zeros(4), None, shared=64)
launched: wsim.Launched = wsim.launch_file("launch.json", arch="h100", checks="race")
left: NDArray[Any] = launched.array("out", np.float32)
beyond: int = launched.expectations[0].different
mistakes: list[wsim.LintFinding] = wsim.lint("kernel.cu", arch="h100", ptx="9.0", ignore=["asm"], baseline="known.txt")
known: str = wsim.lint("kernel.cu").baseline()
rules: list[str] = [finding.rule for finding in report.findings]
found: wsim.Comparison = wsim.compare(op, ["a100", "h100"], cases=100)
where: tuple[int, ...] = found.differences[0].at
barrier: wsim.Mbarrier = wsim.Mbarrier(np.zeros(8, np.uint8), count=1)
copied: wsim.Copied = wsim.tensor_map(np.zeros((8, 8)), box=(8, 8)).store(np.zeros((8, 8)), (0, 0), op="add")
