"""The operands of an instruction, declared once: names, types and defaults. Signatures, checks and the fields of the
library derive from them."""

from __future__ import annotations

from typing import Annotated, Any, Mapping, Optional, TypedDict, Union

from ._arch import DEFAULT, ArchLike
from ._core import Array, flag, integer, keywords_of
from ._cost import Addresses
from ._mbarrier import Mbarrier
from ._tensor import Coords, TensorMap
from ._wsim import ffi


class More(TypedDict, total=False):
    """Operands except a, b and c, memory, and options of the execution; docs/python.md says which instruction has
    which. The second argument of `Annotated` is the default; others default to None. A number or truth value sets the
    field with its name in the view of `struct wsim_io`."""

    r: object
    e: object
    sfa: object
    sfb: object
    selector: Annotated[int, 0]
    bid_a: Annotated[int, 0]
    tid_a: Annotated[int, 0]
    bid_b: Annotated[int, 0]
    tid_b: Annotated[int, 0]
    shared: Optional[Array]
    shared_base: Annotated[int, 0]
    global_memory: Optional[Array]
    global_base: Optional[int]
    addresses: Optional[Addresses]
    stride: Annotated[int, 0]
    source: Optional[Addresses]
    source_size: object
    bytes: Annotated[int, 0]
    mask: object
    scale_d: Optional[int]
    negate_a: Annotated[bool, False]
    negate_b: Annotated[bool, False]
    trans_a: Annotated[bool, False]
    trans_b: Annotated[bool, False]
    map: Optional[TensorMap]
    coords: Optional[Coords]
    offsets: Optional[Coords]
    shared_at: Annotated[int, 0]
    global_at: Annotated[int, 0]
    byte_mask: Annotated[int, 0]
    barrier: Union[Mbarrier, int, None]
    round: Annotated[bool, False]
    arch: Annotated[ArchLike, DEFAULT]
    plain: Annotated[bool, False]


class Operands(More, total=False):
    """All operands by name."""

    a: object
    b: object
    c: object


REGISTERS = ("a", "b", "c", "r", "e", "sfa", "sfb")
WGMMA = ("scale_d", "negate_a", "negate_b", "trans_a", "trans_b")

# Numbers of the views of struct wsim_io by the same name: whether it is a truth value, and the largest that fits.
_NUMBERS = {
    name: (keywords_of(Operands)[name].annotation == "bool", (1 << 8 * ffi.sizeof(field.type)) - 1)
    for view in ("mma", "wgmma", "move", "copy", "bulk")
    for name, field in ffi.typeof("struct wsim_io_" + view).fields
    if name in keywords_of(Operands) and keywords_of(Operands)[name].annotation in ("int", "bool")
}


def set_numbers(view: Any, given: Mapping[str, Any]) -> None:
    """Checks the numeric operands and sets those of the view."""
    for name, (truth, most) in _NUMBERS.items():
        value = flag(given[name], name) if truth else integer(given[name], name, 0, most)
        if hasattr(view, name):
            setattr(view, name, value)
