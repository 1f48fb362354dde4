"""Comparing bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Array
from ._layout import Layout
from ._result import Result


def _bits(array: Array) -> Array:
    """Elements as unsigned integers of their width."""
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects has no bits to compare")
    if array.dtype.kind == "b":
        return array.view(np.uint8)
    if array.dtype.itemsize in (1, 2, 4, 8):
        return np.ascontiguousarray(array).view(
            array.dtype.str[0] + "u%u" % array.dtype.itemsize
            if array.dtype.str[0] in "<>"
            else "u%u" % array.dtype.itemsize
        )
    return np.ascontiguousarray(array).view(np.uint8).reshape(*array.shape, array.dtype.itemsize)


def _element(array: Array, bits: Array, at: tuple[int, ...]) -> str:
    raw = bits[at]
    digits = "".join("%02x" % byte for byte in raw) if raw.ndim else "%0*x" % (2 * bits.dtype.itemsize, int(raw))
    return "%s (0x%s)" % (array[at], digits)


def _where(layout: Layout, at: tuple[int, ...]) -> str:
    if at and len(at) == len(layout.shape) and all(i < size for i, size in zip(at, layout.shape)):
        held = layout.places(*at)
        if held:
            return ", lane %u register %u bits %u-%u" % (
                held[0].lane,
                held[0].reg,
                held[0].lsb,
                held[0].lsb + min(layout.elem_bits, 32) - 1,
            )
    return ""


def difference(got: Any, want: Any, layout: Layout | None = None) -> str | None:
    """The message of `assert_bits_equal`, or None if all bits are equal.

    >>> import numpy as np
    >>> from wsim.testing import difference
    >>> difference(np.float32([0.0, 1.0]), np.float32([-0.0, 1.0]))
    '1 of 2 elements differs, first [0]: 0.0 (0x00000000), expected -0.0 (0x80000000)'
    """
    for result in (got, want):
        if isinstance(result, Result) and layout is None:
            layout = result.layout
    x, y = (np.asarray(value.d if isinstance(value, Result) else value) for value in (got, want))
    if x.dtype != y.dtype:
        return "dtype is %s, expected %s" % (x.dtype, y.dtype)
    if x.shape != y.shape:
        return "shape is %s, expected %s" % (x.shape, y.shape)
    a, b = _bits(x), _bits(y)
    wrong = a != b
    if wrong.ndim > x.ndim:
        wrong = wrong.any(axis=-1)
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    count = int(wrong.sum())
    return "%u of %u element%s differ%s, first [%s]%s: %s, expected %s" % (
        count,
        x.size,
        "s" * (x.size != 1),
        "s" * (count == 1),
        ", ".join(map(str, at)),
        "" if layout is None else _where(layout, at),
        _element(x, a, at),
        _element(y, b, at),
    )


def assert_bits_equal(got: Any, want: Any, layout: Layout | None = None) -> None:
    """Raises AssertionError unless two arrays (or results of `Op.run`) have equal types, shapes and bits. -0 differs
    from 0, and NaNs are equal only if their bits are. The message has the number of differences and the first one:
    index, both values and their bits. With a `layout` or a result, it also has lane, register and bits.

    >>> import numpy as np, wsim
    >>> mma = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
    >>> r = mma.run(a=np.eye(16, 8), b=np.eye(8))
    >>> wsim.assert_bits_equal(r, np.eye(16, 8, dtype=np.float16))
    >>> try:
    ...     wsim.assert_bits_equal(r, np.zeros((16, 8), np.float16))
    ... except AssertionError as why:
    ...     print(why)
    8 of 128 elements differ, first [0, 0], lane 0 register 0 bits 0-15: 1.0 (0x3c00), expected 0.0 (0x0000)
    """
    __tracebackhide__ = True
    said = difference(got, want, layout)
    if said is not None:
        raise AssertionError(said)
