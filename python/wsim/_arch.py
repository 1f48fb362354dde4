"""Architectures by their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

from ._core import Refused, c_text, shown, text_of
from ._wsim import ffi, lib

DEFAULT = "h100"


@dataclass(frozen=True)
class Arch:
    """An architecture: "sm_90a", and what else it is called."""

    name: str
    aliases: tuple[str, ...]
    product: str = field(default="", compare=False)
    """The GPU that it was called by, or else the usual one of the target: "rtx4090". "" for a target that no public GPU
    has.

    >>> import wsim
    >>> wsim.arch("GeForce RTX 4090").product, wsim.arch("sm_90").product
    ('rtx4090', 'h200')
    """

    def __str__(self) -> str:
        return self.name

    @property
    def limits(self) -> dict[str, int]:
        """The limits of a launch, a block, a thread and an SM, with the names of `enum wsim_limit`.

        >>> import wsim
        >>> wsim.arch("h100").limits["block_shared_optin"]
        232448
        >>> wsim.arch("rtx4090").limits["sms"], wsim.arch("l4").limits["sms"]
        (128, 58)
        """
        row, names = row_of(self), ffi.typeof("enum wsim_limit").relements
        return {
            name[len("WSIM_LIMIT_") :].lower(): int(lib.wsim_arch_limit(row, number))
            for name, number in names.items()
            if name != "WSIM_LIMITS"
        }

    @property
    def _row(self) -> Any:
        return lib.wsim_arch_find(self.name.encode())


ArchLike = Union[str, Arch]


def _of(row: Any) -> Arch:
    aliases: list[str] = []
    while lib.wsim_arch_alias(row, len(aliases)) != ffi.NULL:
        aliases.append(text_of(lib.wsim_arch_alias(row, len(aliases))))
    product = text_of(lib.wsim_arch_product(row).alias)
    return Arch(text_of(lib.wsim_arch_name(row)), tuple(aliases), product)


def arch(name: ArchLike) -> Arch:
    """The architecture of a name: of a target, a product or a generation, also as it is printed on a card.

    >>> import wsim
    >>> print(wsim.arch("h100"), wsim.arch("Ampere"), wsim.arch("NVIDIA GeForce RTX 4090"))
    sm_90a sm_80 sm_89
    """
    row = row_of(name)
    return _of(row)


def arches() -> list[Arch]:
    """All architectures that the library knows, in the order of its table.

    >>> import wsim
    >>> "sm_80" in [a.name for a in wsim.arches()]
    True
    """
    found: list[Arch] = []
    while lib.wsim_arch_at(len(found)) != ffi.NULL:
        found.append(_of(lib.wsim_arch_at(len(found))))
    return found


def row_of(name: ArchLike) -> Any:
    """The row of the library's table."""
    if isinstance(name, Arch):
        product = lib.wsim_arch_called(name.product.encode())
        if product != ffi.NULL and text_of(lib.wsim_arch_name(product)) == name.name:
            return product
    row = lib.wsim_arch_called(c_text(str(name), "arch") if isinstance(name, Arch) else c_text(name, "arch"))
    if row == ffi.NULL:
        known = ", ".join(one.name for one in arches())
        raise Refused(
            "unknown architecture %s; known are %s, and their aliases (wsim.arches())"
            % (shown(str(name)), known),
            "illegal",
            "arch.missing",
        )
    return row


def name_of(arch: ArchLike) -> str:
    """A name that finds the same row of the table: of the product, or of the target."""
    row = row_of(arch)
    product = lib.wsim_arch_product(row).alias
    return text_of(product if lib.wsim_arch_called(product) == row else lib.wsim_arch_name(row))


def number_of(target: str) -> int:
    digits = "".join(c for c in target[3:] if c.isdigit()) if target.startswith("sm_") else ""
    return int(digits) if digits else 0


def for_target(target: str) -> Any:
    """The architecture of a PTX target; for an unknown older target, the first known one that runs its code."""
    row = lib.wsim_arch_find(target.encode())
    if row != ffi.NULL:
        return row
    wanted = number_of(target)
    able = [one for one in arches() if wanted and number_of(one.name) >= wanted]
    return min(able, key=lambda one: number_of(one.name))._row if able else row_of(target)
