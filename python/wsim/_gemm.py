"""Products of whole matrices."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from . import _formats as formats
from ._core import Array, check, chosen, flag, integer, new_diag, pointer
from ._wsim import ffi, lib


class Product(NamedTuple):
    """An instruction that is prepared, and the bits of an element of A or B in its operands."""

    name: str
    code: Any
    container: int


class How(NamedTuple):
    """The keywords of a product of matrices."""

    sfa: object
    sfb: object
    round: bool
    promote: int
    split_k: int
    jobs: int


class _Factor(NamedTuple):
    """Raw bits of a matrix, in the width that the product needs, and its scale factors."""

    elements: Array
    scales: Array | None


def _elements(array: Array, row: Any, container: int, bytes: int, what: str) -> Array:
    return np.ascontiguousarray(formats.elements_of(array, row, container, what).astype("u%u" % bytes))


def _matrix(value: object, what: str) -> Array:
    array = np.asarray(value)
    if array.ndim != 2:
        raise ValueError("%s has shape %s; it has to be a matrix" % (what, array.shape))
    return array


def _from(factor: _Factor) -> Any:
    fields = {"elements": pointer("const void *", factor.elements), "row": factor.elements.shape[1], "column": 1}
    if factor.scales is not None:
        fields["scales"] = pointer("const uint8_t *", factor.scales)
        fields["scale_row"], fields["scale_column"] = factor.scales.shape[1], 1
    return ffi.new("struct wsim_gemm_from *", fields)


def _is_number(array: Array) -> bool:
    return array.dtype.kind != "u" and formats.is_number(array.dtype)


def _prepared(product: Product, m: int, n: int, k: int, promote: int = 0, split: int = 0) -> Any:
    """A struct wsim_gemm; it points to the code of the product."""
    diag, gemm = new_diag(), ffi.new("struct wsim_gemm *")
    size = ffi.new("struct wsim_gemm_size *", {"m": m, "n": n, "k": k, "promote": promote, "split": split})
    check(lib.wsim_gemm_prepare(product.code, size, gemm, diag), diag)
    return gemm


def _encoded(row: Any, numbers: Array, container: int) -> Array:
    return formats.encode(formats.name_of(row), numbers, container=container if row.pad else None)


def _quantized(gemm: Any, operand: str, numbers: Array) -> _Factor:
    """The elements and scale factors of numbers."""
    if numbers.dtype.kind != "f" or numbers.dtype.itemsize not in (2, 4, 8):
        numbers = numbers.astype(np.float64)
    numbers = np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("="))
    rows, columns = numbers.shape
    k = columns if operand == "a" else rows
    blocks = -(-k // gemm.block_k)
    elements = np.zeros((rows, columns), np.uint8)
    scales = np.zeros((rows, blocks) if operand == "a" else (blocks, columns), np.uint8)
    given = _from(_Factor(numbers, None))
    to = [
        ffi.new("struct wsim_gemm_to *", {"elements": pointer("void *", one), "row": one.shape[1], "column": 1})
        for one in (elements, scales)
    ]
    diag, row = new_diag(), formats.named("f%u" % (8 * numbers.dtype.itemsize))
    which = lib.WSIM_A if operand == "a" else lib.WSIM_B
    check(lib.wsim_gemm_quantize(gemm, which, row, given, to[0], to[1], diag), diag)
    return _Factor(elements, scales)


def quantize(product: Product, operand: str, numbers: object) -> tuple[Array, Array]:
    chosen(operand, "operand", ("a", "b"))
    array = _matrix(numbers, operand)
    if not _is_number(array):
        raise TypeError("%s is an array of %s; numbers are quantised" % (operand, array.dtype))
    m, n, k = (array.shape[0], 0, array.shape[1]) if operand == "a" else (0, array.shape[1], array.shape[0])
    gemm = _prepared(product, m, n, k)
    if gemm.scale == ffi.NULL:
        raise ValueError("%s has no scale factors" % product.name)
    elements, scales = _quantized(gemm, operand, array)
    assert scales is not None
    return elements, scales


def _factor(product: Product, gemm: Any, operand: str, array: Array, scales: object, how: How) -> _Factor:
    """A or B with its scale factors."""
    row, bytes = (gemm.a, gemm.element_a) if operand == "a" else (gemm.b, gemm.element_b)
    name = "sf" + operand
    if gemm.scale == ffi.NULL:
        if scales is not None:
            raise ValueError("%s has no operand %r" % (product.name, name))
        if how.round and _is_number(array):
            array = _encoded(row, array, product.container)
        return _Factor(_elements(array, row, product.container, bytes, operand), None)
    if scales is None:
        if how.round and _is_number(array):
            return _quantized(gemm, operand, array)
        raise ValueError(
            "%s needs %s, the scale factors of %s; round=True quantises numbers, and makes them"
            % (product.name, name, operand)
        )
    if how.round and _is_number(array):
        array = _encoded(row, array, product.container)
    blocks = -(-gemm.size.k // gemm.block_k)
    shape = (gemm.size.m, blocks) if operand == "a" else (blocks, gemm.size.n)
    given = _matrix(scales, name)
    if given.shape != shape:
        raise ValueError(
            "%s has shape %s; it has to be %s: a factor for each %u elements along k"
            % (name, given.shape, shape, gemm.block_k)
        )
    return _Factor(
        _elements(array, row, product.container, bytes, operand),
        _elements(given, gemm.scale, 8, 1, name),
    )


def multiply(product: Product, a: object, b: object, c: object, how: How) -> Array:
    left, right = _matrix(a, "a"), _matrix(b, "b")
    if left.shape[1] != right.shape[0]:
        raise ValueError("a has shape %s and b %s: the columns of a are the rows of b" % (left.shape, right.shape))
    flag(how.round, "round")
    promote, split = integer(how.promote, "promote", 0, 2**62), integer(how.split_k, "split_k", 0, 2**62)
    gemm = _prepared(product, left.shape[0], right.shape[1], left.shape[1], promote, split)
    factors = [_factor(product, gemm, "a", left, how.sfa, how), _factor(product, gemm, "b", right, how.sfb, how)]
    shape = (left.shape[0], right.shape[1])
    if c is not None:
        added = _matrix(c, "c")
        if added.shape != shape:
            raise ValueError("c has shape %s; it has to be %s" % (added.shape, shape))
        if how.round and _is_number(added):
            added = _encoded(gemm.d, added, 8 * gemm.element_d)
        factors.append(_Factor(_elements(added, gemm.d, 8 * gemm.element_d, gemm.element_d, "c"), None))
    sources = [_from(one) for one in factors] + [ffi.NULL]
    result, diag = np.zeros(shape, "u%u" % gemm.element_d), new_diag()
    to = ffi.new("struct wsim_gemm_to *", {"elements": pointer("void *", result), "row": shape[1], "column": 1})
    jobs = integer(how.jobs, "jobs", 0, 256) or min(os.cpu_count() or 1, 256)
    threads = ffi.new("struct wsim_gemm_how *", {"jobs": jobs})
    check(lib.wsim_gemm_multiply(gemm, sources[0], sources[1], sources[2], to, threads, diag), diag)
    return formats.array_of(result, gemm.d, 8 * gemm.element_d)
