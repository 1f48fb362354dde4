"""Products of whole matrices."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _formats as formats
from . import _layout
from ._arch import ArchLike
from ._core import Array, check, integer, new_diag, pointer
from ._instruction import Instruction
from ._wsim import ffi, lib


def _elements(array: Array, row: Any, container: int, bytes: int, what: str) -> Array:
    """Raw bits of a matrix, in the width that the product needs."""
    return np.ascontiguousarray(formats.elements_of(array, row, container, what).astype("u%u" % bytes))


def _matrix(value: object, what: str) -> Array:
    array = np.asarray(value)
    if array.ndim != 2:
        raise ValueError("%s has shape %s; it has to be a matrix" % (what, array.shape))
    return array


def _from(elements: Array) -> Any:
    return ffi.new(
        "struct wsim_gemm_from *",
        {"elements": pointer("const void *", elements), "row": elements.shape[1], "column": 1},
    )


def multiply(
    op: Instruction, a: object, b: object, c: object, promote: int, split_k: int, jobs: int, arch: ArchLike
) -> Array:
    left, right = _matrix(a, "a"), _matrix(b, "b")
    if left.shape[1] != right.shape[0]:
        raise ValueError("a has shape %s and b %s: the columns of a are the rows of b" % (left.shape, right.shape))
    code, diag, gemm = op._prepare(arch, False), new_diag(), ffi.new("struct wsim_gemm *")
    size = ffi.new(
        "struct wsim_gemm_size *",
        {
            "m": left.shape[0],
            "n": right.shape[1],
            "k": left.shape[1],
            "promote": integer(promote, "promote", 0, 2**62),
            "split": integer(split_k, "split_k", 0, 2**62),
        },
    )
    check(lib.wsim_gemm_prepare(code, size, gemm, diag), diag)
    container = _layout.of(op, "a", arch).elem_bits
    elements = [
        _elements(left, gemm.a, container, gemm.element_a, "a"),
        _elements(right, gemm.b, container, gemm.element_b, "b"),
    ]
    shape = (left.shape[0], right.shape[1])
    if c is not None:
        added = _matrix(c, "c")
        if added.shape != shape:
            raise ValueError("c has shape %s; it has to be %s" % (added.shape, shape))
        elements.append(_elements(added, gemm.d, 8 * gemm.element_d, gemm.element_d, "c"))
    sources = [_from(array) for array in elements] + [ffi.NULL]
    result = np.zeros(shape, "u%u" % gemm.element_d)
    to = ffi.new("struct wsim_gemm_to *", {"elements": pointer("void *", result), "row": shape[1], "column": 1})
    how = ffi.new("struct wsim_gemm_how *", {"jobs": integer(jobs, "jobs", 0, 256) or min(os.cpu_count() or 1, 256)})
    check(lib.wsim_gemm_multiply(gemm, sources[0], sources[1], sources[2], to, how, diag), diag)
    return formats.array_of(result, gemm.d, 8 * gemm.element_d)
