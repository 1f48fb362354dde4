"""The registers and memory of a GPU warp, bit for bit, and the cost of its accesses; whole kernels too, on any machine.

>>> import numpy as np, wsim
>>> mma = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
>>> a, b = np.ones((16, 16), np.float16), np.eye(16, 8, dtype=np.float16)
>>> mma.run(a=a, b=b, arch="h100").d[0]
array([1., 1., 1., 1., 1., 1., 1., 1.], dtype=float32)

Every refusal of the library is a `wsim.Refused` that names the rule; unmodelled behaviour is refused, never guessed.
"""

from typing import TYPE_CHECKING

from . import desc
from ._arch import Arch, arch, arches
from ._arguments import Parameter
from ._banks import banks
from ._call import fragment, matrix
from ._compare import Comparison, compare
from ._core import Refused, Unmodelled, aligned, rules, version
from ._cost import Cost, Group
from ._device import Device
from ._evidence import Evidence, evidence
from ._fits import Fit
from ._formats import decode, encode
from ._io import Copied
from ._kernels import Kernel, Module
from ._launch_file import Counter, Expectation, Launched, launch_file
from ._layout import Layout, Place
from ._linked import Problem
from ._lint import LintFinding, LintFindings, lint
from ._look import View
from ._mbarrier import Mbarrier
from ._metadata import Metadata, MetaGroup
from ._ops import Atom, Op, atom, op, ops
from ._picture import Picture
from ._report import Finding, Report
from ._result import Result
from ._suggest import Suggestion, suggest
from ._swizzle import Swizzle, swizzle
from ._tensor import Box, TensorMap, tensor_map
from ._tile import Tile
from ._triton import TritonKernel, triton
from ._umma import Umma, UmmaPlace, umma
from ._why import Why
from .testing import assert_bits_equal

__version__ = version()

__all__ = [
    "Arch",
    "Atom",
    "Box",
    "Comparison",
    "Copied",
    "Cost",
    "Counter",
    "Device",
    "Evidence",
    "Expectation",
    "Finding",
    "Fit",
    "Group",
    "Kernel",
    "Launched",
    "Layout",
    "LintFinding",
    "LintFindings",
    "Mbarrier",
    "MetaGroup",
    "Metadata",
    "Module",
    "Op",
    "Parameter",
    "Picture",
    "Place",
    "Problem",
    "Refused",
    "Report",
    "Result",
    "Suggestion",
    "Swizzle",
    "TensorMap",
    "Tile",
    "TritonKernel",
    "Umma",
    "UmmaPlace",
    "Unmodelled",
    "View",
    "Why",
    "aligned",
    "arch",
    "arches",
    "assert_bits_equal",
    "atom",
    "banks",
    "compare",
    "decode",
    "desc",
    "encode",
    "evidence",
    "fragment",
    "launch_file",
    "lint",
    "matrix",
    "op",
    "ops",
    "rules",
    "suggest",
    "swizzle",
    "tensor_map",
    "triton",
    "umma",
    "version",
]


# Commands of the program, and where the package has them.
_COMMANDS = {
    "check": "wsim.op(spelling).legal(arch)",
    "exec": "wsim.op(spelling).run(a=..., b=...)",
    "fits": "wsim.op(move).fits(product, operand)",
    "gemm": "wsim.op(spelling).gemm(a, b)",
    "layout": "wsim.op(spelling).layout(operand)",
    "run": "wsim.Module(file).kernel(name)[grid, block](...)",
    "tma": "wsim.tensor_map(array, box=...)",
    "why": "wsim.op(spelling).why(row, col, a=..., b=...)",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        hint = f": {_COMMANDS[name]}" if name in _COMMANDS else ""
        raise AttributeError(f"module 'wsim' has no attribute '{name}'{hint}")
