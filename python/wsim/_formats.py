"""Number formats and the array types that hold them.

An array of unsigned integers with the width of an element holds raw bits of any format. Every other array holds values:
values of the format's own type (float16, ml_dtypes.bfloat16 ...) are taken as they are; values of another type must be
exact in the format. Only `wsim.encode` rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Array, c_text, chosen, integer, pointer, shown, text_of
from ._wsim import ffi, lib

ROUNDINGS = {"rn": "WSIM_RN", "rz": "WSIM_RZ", "rm": "WSIM_RM", "rp": "WSIM_RP", "rna": "WSIM_RNA"}

# The types of ml_dtypes; those of NumPy itself are derived.
ML_TYPES = {
    "bf16": "bfloat16",
    "e5m2": "float8_e5m2",
    "e4m3": "float8_e4m3fn",
    "e3m2": "float6_e3m2fn",
    "e2m3": "float6_e2m3fn",
    "e2m1": "float4_e2m1fn",
    "ue8m0": "float8_e8m0fnu",
    "s4": "int4",
    "u4": "uint4",
}


def named(name: str) -> Any:
    """The row of a format."""
    if not isinstance(name, str):
        raise TypeError("the format comes first and is a str, such as 'f16', not %s" % type(name).__name__)
    row = lib.wsim_format_find(c_text(name, "format"))
    if row == ffi.NULL:
        raise ValueError(
            "%s is not a number format; known are f16, bf16, tf32, f32, f64, e4m3, e5m2, e3m2, e2m3, "
            "e2m1, ue8m0, ue4m3, s8, u8, s4, u4, b1, s32 ..." % shown(name)
        )
    return row


def name_of(row: Any) -> str:
    return text_of(row.name)


def raw_type(bits: int) -> np.dtype[Any]:
    """The unsigned integer type for an element of `bits` bits."""
    return np.dtype("u%u" % (1 if bits <= 8 else bits // 8))


def ml_type(name: str) -> np.dtype[Any] | None:
    """The ml_dtypes type of a format, or None if it is not installed or has no such type."""
    try:
        import ml_dtypes
    except ImportError:
        return None
    found = getattr(ml_dtypes, ML_TYPES.get(name, ""), None)
    return None if found is None else np.dtype(found)


def value_type(row: Any) -> np.dtype[Any] | None:
    """The type of arrays whose elements are numbers of the format, or None."""
    name = name_of(row)
    if name == "b1":
        return np.dtype(np.bool_)
    if name in ML_TYPES:
        return ml_type(name)
    if row.kind == lib.WSIM_BINARY and row.specials == lib.WSIM_SPECIALS_IEEE and row.bits in (16, 32, 64):
        return np.dtype("f%u" % (row.bits // 8))
    if row.kind == lib.WSIM_INT and row.bits in (8, 16, 32, 64):
        return np.dtype("%s%u" % ("i" if row.is_signed else "u", row.bits // 8))
    return np.dtype(np.float32) if name == "tf32" else None


def round_to(row: Any, numbers: Array, rounding: str = "rn") -> Array:
    """The bits of each number rounded once, as uint64."""
    chosen(rounding, "rounding", ROUNDINGS)
    doubles = np.asarray(numbers, np.float64, order="C")
    bits = np.empty(doubles.shape, np.uint64)
    lib.loop_encode(
        row,
        getattr(lib, ROUNDINGS[rounding]),
        pointer("const double *", doubles),
        doubles.size,
        pointer("uint64_t *", bits),
    )
    return bits


def numbers_of(row: Any, bits: Array) -> Array:
    """Each element (right-aligned, uint64) as a double."""
    bits = np.asarray(bits, np.uint64, order="C")
    numbers = np.empty(bits.shape, np.float64)
    lib.loop_decode(row, pointer("const uint64_t *", bits), bits.size, pointer("double *", numbers))
    return numbers


def is_number(dtype: np.dtype[Any]) -> bool:
    """True if elements are real numbers of NumPy or of a package like ml_dtypes."""
    return dtype.kind in "biuf" or (dtype.kind == "V" and dtype.fields is None and dtype.type is not np.void)


def encode(name: str, numbers: object, rounding: str = "rn", container: int | None = None) -> Array:
    """Rounds each number once to a format and returns the bits. `rounding` is "rn" to nearest even, "rz" toward zero,
    "rm" down, "rp" up, or "rna" to nearest with ties away from zero. Numbers out of range become infinity or the
    largest number, as the format defines. `container` is the width of an element in bits, if a format has several. e2m1
    is shifted by two bits in 8; tf32 is always in 32. `Op.encode` chooses it.

    >>> import wsim
    >>> wsim.encode("e4m3", [1.0, 0.3, -448.0])
    array([ 56,  42, 254], dtype=uint8)
    >>> hex(wsim.encode("tf32", 1 / 3))
    '0x3eaaa000'
    """
    row = named(name)
    given = np.asarray(numbers)
    if not is_number(given.dtype):
        raise TypeError("numbers have to be an array of numbers, not of %s" % given.dtype)
    if container is None:
        container = 32 if name == "tf32" else int(row.bits)
    container = integer(container, "container", 1, 64)
    fitting = sorted({int(row.bits), *(width for width in (8, 16, 32, 64) if width >= row.bits + row.pad)})
    if container not in fitting:
        raise ValueError(
            "container is %r; an element of %s is in %s bits" % (container, name, " or ".join(map(str, fitting)))
        )
    pad = int(row.pad) if container > row.bits else 0
    bits: Array = np.asarray(round_to(row, given.astype(np.float64), rounding) << np.uint64(pad)).astype(
        raw_type(container)
    )
    return bits


def decode(name: str, bits: object) -> Array:
    """The value of each element as float64; bits beyond the width of the format are ignored.

    >>> import wsim
    >>> wsim.decode("e4m3", [0x38, 0x7e, 0x7f])
    array([  1., 448.,  nan])
    """
    given = np.asarray(bits)
    if given.dtype.kind not in "iub":
        raise TypeError("bits have to be an array of whole numbers, not of %s" % given.dtype)
    row = named(name)
    return numbers_of(row, given.astype(np.uint64) >> np.uint64(row.pad if name == "tf32" else 0))


def describe(row: Any, bits: int) -> str:
    """The array types that an operand of this format can have, for messages."""
    own, raw = value_type(row), raw_type(bits)
    missing = (
        ""
        if own is not None or name_of(row) not in ML_TYPES
        else " (ml_dtypes.%s with ml_dtypes installed)" % ML_TYPES[name_of(row)]
    )
    if own is None or own == raw:
        return "%s (raw bits)%s" % (raw, missing)
    return "%s, or %s (raw bits)" % (own, raw)


def _exactly(row: Any, array: Array, what: str) -> Array:
    """The bits of values of another type, each of which must be exact in the format."""
    numbers = array.astype(np.float64)
    bits = round_to(row, numbers)
    back = numbers_of(row, bits)
    # A NaN is a number of the formats that have one.
    wrong = ~((back == numbers) | (np.isnan(back) & np.isnan(numbers)))
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        wrong |= numbers.astype(array.dtype) != array
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            "%s[%s] is %s, which %s has not; round with wsim.encode(%r, ...), run and gemm with round=True"
            % (what, ", ".join(map(str, at)), array[at], name_of(row), name_of(row))
        )
    return bits


def elements_of(array: Array, row: Any, container: int, what: str) -> Array:
    """The raw bits of each element, uint64, of an array of raw bits or values; `container` is their width."""
    own, raw = value_type(row), raw_type(container)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype == raw:
        bits = array.astype(np.uint64)
        if container < 8 and array.size and int(array.max()) >> container:
            raise ValueError(
                "%s has %d in it; an element of %s has %d bits" % (what, int(array.max()), name_of(row), container)
            )
        return bits
    if row.kind == lib.WSIM_BITS:
        raise TypeError(
            "%s is an array of %s; it has to be %s, or another type of that width viewed as it"
            % (what, array.dtype, raw)
        )
    pad = int(row.pad) if container > row.bits else 0
    if own is not None and array.dtype == own:
        if name_of(row) == "tf32":
            pad = 0  # all 32 bits are given: the instruction ignores the low ones itself
        # Types of less than a byte, as ml_dtypes has them, are in the low bits of one.
        mask = np.uint64(0xFFFFFFFF if name_of(row) == "tf32" else (1 << row.bits) - 1)
        held: Array = (array.view("u%u" % own.itemsize).astype(np.uint64) & mask) << np.uint64(pad)
        return held
    if not is_number(array.dtype):
        raise TypeError("%s is an array of %s; it has to be %s" % (what, array.dtype, describe(row, container)))
    if array.dtype.kind == "u":
        raise TypeError(
            "%s is an array of %s, neither raw bits of %s, which are %s, nor a type of signed numbers"
            % (what, array.dtype, name_of(row), raw)
        )
    exact: Array = _exactly(row, array, what) << np.uint64(pad)
    return exact


def array_of(bits: Array, row: Any, container: int) -> Array:
    """Raw bits as an array of the format's own type; without one, the raw bits."""
    raw, own = bits.astype(raw_type(container)), value_type(row)
    if row.kind == lib.WSIM_BITS or own is None:
        return raw
    pad = int(row.pad) if container > row.bits and name_of(row) != "tf32" else 0
    shifted = raw >> pad if pad else raw
    if name_of(row) == "b1":
        return shifted.astype(np.bool_)
    return shifted.view(own) if own.itemsize == raw.dtype.itemsize else raw
