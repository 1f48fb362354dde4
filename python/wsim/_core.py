"""Shared by all modules: the library, its refusals as exceptions, arrays as memory."""

from __future__ import annotations

import difflib
import functools
import inspect
import itertools
import operator
import re
import reprlib
from typing import Annotated, Any, Callable, Iterable, Mapping, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ._wsim import ffi, lib

Array = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])


class Refused(ValueError):
    """The library refused a call and wrote nothing. `status` is a word ("illegal", "operand" ...), `rule` the name of
    the broken rule (`wsim.rules`), `text` one sentence. `line` and `col` are the place in a text, from 1, or 0.

    >>> import wsim
    >>> try:
    ...     wsim.op("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
    ... except wsim.Refused as why:
    ...     print(why.status, why.rule)
    illegal spelling.form.none
    """

    def __init__(self, text: str, status: str = "operand", rule: str = "", line: int = 0, col: int = 0) -> None:
        super().__init__(text, status, rule, line, col)
        self.text, self.status, self.rule, self.line, self.col = text, status, rule, line, col

    def __str__(self) -> str:
        place = "line %u, column %u: " % (self.line, self.col) if self.line else ""
        return masked(place + self.text) + (" [%s]" % self.rule if self.rule else "")


class Unmodelled(Refused):
    """Legal on hardware, but the library has no model for it and does not guess.

    >>> import wsim
    >>> try:
    ...     wsim.op("tcgen05.mma.cta_group::1.kind::f16")
    ... except wsim.Unmodelled as why:
    ...     print(why.status)
    unmodelled
    """


def text_of(pointer: Any) -> str:
    """A string of the library; NULL is the empty string."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer != ffi.NULL else ""


def masked(text: str) -> str:
    """A text from outside, safe for a terminal: unprintable characters (escapes, direction marks) are spelled out."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def new_diag() -> Any:
    return ffi.new("struct wsim_diag *")


def refusal(status: int, diag: Any) -> Refused | MemoryError:
    """The exception for a status that is not OK."""
    text = text_of(diag.text)
    if status == lib.WSIM_NO_MEMORY:
        return MemoryError(text)
    kind = Unmodelled if status == lib.WSIM_UNMODELLED else Refused
    return kind(text, text_of(lib.wsim_status_name(status)), text_of(diag.rule), diag.line, diag.col)


def check(status: int, diag: Any) -> None:
    """Raises an exception unless the status is OK."""
    if status:
        raise refusal(status, diag)


def owned(raw: object, kind: str, who: str, maker: str) -> Any:
    """A pointer that the library filled. Anything else is refused, because C would follow it: cffi takes a list for an
    array."""
    if not isinstance(raw, ffi.CData) or ffi.typeof(raw) is not ffi.typeof(kind) or raw == ffi.NULL:
        raise TypeError("%s cannot be made of %s; %s makes it" % (who, shown(raw), maker))
    return raw


def shown(value: object) -> str:
    """An argument in a few characters, for messages."""
    return reprlib.repr(value)


def c_text(text: object, what: str) -> bytes:
    """A text for the library: a str without NUL."""
    if not isinstance(text, str):
        raise TypeError("%s has to be a str, not %s" % (what, type(text).__name__))
    if "\0" in text:
        raise ValueError("%s has a NUL character in it" % what)
    return text.encode("utf-8", "surrogatepass")


def chosen(value: object, what: str, names: Iterable[str]) -> str:
    """Checks that a value is one of `names`."""
    if not isinstance(value, str) or value not in names:
        raise ValueError("%s is %s; it has to be one of %s" % (what, shown(value), ", ".join(names)))
    return value


@functools.lru_cache(maxsize=None)
def keywords_of(kind: type) -> dict[str, inspect.Parameter]:
    """The parameters that a TypedDict declares. The second argument of `Annotated` is the default; others have None."""
    found = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        default = get_args(hint)[1] if get_origin(hint) is Annotated else None
        written = getattr(kind.__annotations__[name], "__forward_arg__", "object")  # as in the source, for help()
        plain = re.sub(r"^Annotated\[(.*), [^,]*\]$", r"\1", written)
        found[name] = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=plain)
    return found


def written_out(kind: type) -> Callable[[Function], Function]:
    """Gives a function that takes **keywords of a TypedDict a signature with each keyword, for help() and editors."""

    def dress(function: Function) -> Function:
        given = inspect.signature(function)
        own = [one for one in given.parameters.values() if one.kind is not one.VAR_KEYWORD]
        function.__signature__ = given.replace(  # type: ignore[attr-defined]
            parameters=own + [one for name, one in keywords_of(kind).items() if name not in given.parameters]
        )
        return function

    return dress


def completed(kind: type, given: Mapping[str, object], who: str) -> dict[str, Any]:
    """Keywords with defaults for the missing ones; raises TypeError for an unknown one."""
    known = keywords_of(kind)
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        near = difflib.get_close_matches(unknown, known, 1)
        hint = "; did you mean %r?" % near[0] if near else "; known are " + ", ".join(known)
        raise TypeError("%s has no argument %s%s" % (who, shown(unknown), hint))
    return {name: given.get(name, one.default) for name, one in known.items()}


def flag(value: object, what: str) -> bool:
    """A truth value, or 1 or 0."""
    return bool(integer(value, what, 0, 1))


def integer(value: object, what: str, low: int, high: int) -> int:
    """A whole number in low .. high; raises TypeError or ValueError for anything else."""
    if isinstance(value, (bool, np.bool_)):
        value = int(value)
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError("%s has to be a whole number, not %s" % (what, type(value).__name__)) from None
    if not low <= number <= high:
        raise ValueError("%s is %d; it has to be %d to %d" % (what, number, low, high))
    return number


def numbers(values: object, what: str, count: int, low: int, high: int, fewer: bool = False) -> list[int]:
    """A list of `count` whole numbers (`fewer`: at most `count`)."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError("%s has to be a list of numbers, not %s" % (what, type(values).__name__))
    listed = values.reshape(-1).tolist() if isinstance(values, np.ndarray) else values
    given = list(itertools.islice(listed, count + 1))
    if len(given) > count or (len(given) < count and not fewer):
        has = "more than %u" % count if len(given) > count else str(len(given))
        wanted = "at most %u" % count if fewer else str(count)
        raise ValueError("%s has %s number%s; it needs %s" % (what, has, "s" * (has != "1"), wanted))
    return [integer(value, "number %u of %s" % (i, what), low, high) for i, value in enumerate(given)]


def words(values: object, what: str, counts: tuple[int, ...]) -> Array:
    """A list of 32-bit numbers (addresses, a register of all lanes) of one of these lengths, as a new array."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.ndim != 1 or array.size not in counts:
        raise ValueError(
            "%s has to be %s whole numbers in a row, not %s of shape %s"
            % (what, " or ".join("%u" % count for count in counts), array.dtype, array.shape)
        )
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > 0xFFFFFFFF:
        raise ValueError("%s has %d in it; all have to be 0 to 0xffffffff" % (what, low if low < 0 else high))
    return np.array(array, np.uint32)


def memory_of(array: object, what: str, write: bool = True) -> Array:
    """Checks an array whose bytes the library uses in place; never copies it."""
    if not isinstance(array, np.ndarray):
        raise TypeError(
            "%s has to be a NumPy array, not %s; of a tensor of another package pass .numpy(), which shares its memory"
            % (what, type(array).__name__)
        )
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("%s is a masked array; pass its .data or .filled()" % what)
    array = np.asarray(array)
    if array.dtype.hasobject:
        raise TypeError(
            "%s is an array of Python objects (dtype %s); device memory holds numbers" % (what, array.dtype)
        )
    if not array.dtype.isnative:
        raise TypeError(
            "%s has dtype %s in the other order of bytes; convert it with .astype(%s)"
            % (what, array.dtype, array.dtype.newbyteorder("="))
        )
    if not array.flags.c_contiguous:
        raise ValueError(
            "%s is not contiguous (strides %s of shape %s); pass np.ascontiguousarray of it"
            % (what, array.strides, array.shape)
        )
    if write and not array.flags.writeable:
        raise ValueError("%s is read-only; pass a copy" % what)
    return array


def aligned(array: object, alignment: int = 256) -> Array:
    """A copy whose first byte is at a multiple of `alignment`, like GPU memory. NumPy aligns arrays to 16 bytes only,
    which changes the counts of global memory sectors.

    >>> import numpy as np, wsim
    >>> wsim.aligned(np.arange(8)).ctypes.data % 256
    0
    """
    given: Array = np.asarray(array)
    if given.dtype.hasobject:
        raise TypeError("an array of Python objects cannot be device memory")
    alignment = integer(alignment, "alignment", 1, 1 << 20)
    room = np.empty(given.nbytes + alignment, np.uint8)
    at = -address_of(room) % alignment
    copy: Array = room[at : at + given.nbytes].view(given.dtype).reshape(given.shape)
    copy[...] = given
    return copy


def address_of(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def reach_of(array: Array) -> int:
    """Bytes from the start of an array to its end, including the gaps of a strided view."""
    return (
        sum((count - 1) * stride for count, stride in zip(array.shape, array.strides)) + array.itemsize
        if array.size
        else 0
    )


def pointer(kind: str, array: Array) -> Any:
    """A pointer to the elements; the array must outlive it."""
    return ffi.cast(kind, address_of(array))


def window_of(array: Array, space: str, base: int) -> Any:
    """A memory window over a checked array or tensor, which must outlive it."""
    window = ffi.new("struct wsim_memory *")
    window.bytes, window.size, window.base = ffi.cast("uint8_t *", address_of(array)), reach_of(array), base
    window.space = lib.WSIM_SHARED if space == "shared" else lib.WSIM_GLOBAL
    window.read_only = not array.flags.writeable
    return window


def version() -> str:
    """The version of the library.

    >>> import wsim
    >>> wsim.version().count(".")
    2
    """
    return text_of(lib.wsim_version())


def rules() -> dict[str, str]:
    """All rules of the library, and those of `wsim.lint` with advice, by name.

    >>> import wsim
    >>> wsim.rules()["memory.bounds"]
    'Every accessed byte lies in the given window.'
    >>> wsim.rules()["order.tested"]
    'try_wait and test_wait do not wait; their predicate is used. Use the predicate: ...'
    """
    found, cursor, rule = {}, ffi.new("uint32_t *"), ffi.new("struct wsim_rule *")
    while lib.wsim_rule_next(cursor, rule):
        found[text_of(rule.name)] = text_of(rule.meaning)
    lint, cursor = ffi.new("struct wsim_lint_rule *"), ffi.new("uint32_t *")
    while lib.wsim_lint_rule_next(cursor, lint):
        found[text_of(lint.name)] = "%s %s" % (text_of(lint.meaning), text_of(lint.help))
    return found
