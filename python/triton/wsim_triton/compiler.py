"""The compiler of the target "wsim", which Triton asks every backend for. It stops at PTX and needs no ptxas.

Programs compile for the target "cuda": the driver of wsim says that it is an NVIDIA GPU, and shortens the stages.
"""

from __future__ import annotations

from typing import Any

from triton.backends.compiler import GPUTarget
from triton.backends.nvidia import compiler as nvidia


class WsimBackend(nvidia.CUDABackend):
    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return bool(target.backend == "wsim")

    def __init__(self, target: GPUTarget) -> None:
        super().__init__(target)
        self.binary_ext = "ptx"

    def add_stages(self, stages: dict[str, Any], *rest: Any) -> None:
        super().add_stages(stages, *rest)
        end_with_ptx(stages)
        del stages["cubin"]
        text = stages["ptx"]
        stages["ptx"] = lambda source, metadata: text(source, metadata).encode()


def end_with_ptx(stages: dict[str, Any]) -> None:
    """The last stage passes the PTX on in the place of machine code, which wsim does not run."""
    stages["cubin"] = lambda source, metadata: source.encode()
