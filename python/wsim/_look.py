"""A look inside a running kernel: functions that are called at its lines, with registers as arrays."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Union

import numpy as np

from . import _formats as formats
from ._core import Array, c_text, new_diag, owned, shown, text_of
from ._instruction import spelled
from ._layout import of as layout_of
from ._wsim import ffi, lib

Place = Union[str, int]


class View:
    """A warp at an instruction, good while the function runs that got it.

    `file`, `line`, `ptx_line` and `opcode` are the place, `kernel` the name of the function. `block` and `warp` say
    which warp it is. `lanes` has True for the lanes that execute the instruction. `before` is False after it.
    `registers` names the registers of the instruction.

    `view["%f1"]` is a register as an array of 32 lanes, `view["%r1/f32"]` its bits as another type, `view["tid.x"]` a
    special register. `view["tile"]` is a variable as an array, `view["tile/f32x16"]` a variable as f32 in rows of 16.
    `view["a"]` to `view["d"]` are the matrices of an mma, ldmatrix or wgmma with registers of this warp.

    >>> import numpy as np, wsim
    >>> x, y = wsim.aligned(np.arange(32, dtype=np.float32)), wsim.aligned(np.ones(32, np.float32))
    >>> def show(view):
    ...     if view.opcode == "fma.rn.f32":
    ...         print(view.registers, view["%f2"][:4])
    >>> _ = wsim.Module(SAXPY).kernel()[1, 32](np.float32(2), x, y, 32, look={"saxpy.cu:5": show})
    ['%f4', '%f2', '%f1', '%f3'] [0. 1. 2. 3.]
    """

    def __init__(self, raw: Any) -> None:
        owned(raw, "struct wsim_seen const *", "wsim.View", "kernel[grid, block](..., look=...)")
        site = raw.site
        self._given: Any = raw
        self.kernel, self.opcode = text_of(site.function), text_of(site.opcode)
        self.file, self.line, self.ptx_line = text_of(site.file) or None, int(site.line), int(site.ptx_line)
        self.block, self.warp = tuple(int(one) for one in raw.block), int(raw.warp)
        self.lanes = self._mask(raw.active)
        self.before = raw.when == 1
        self._uses: dict[str, str] = {}
        use, register, index = ffi.new("struct wsim_use *"), ffi.new("struct wsim_register *"), 0
        while lib.wsim_seen_use(raw, index, use):
            lib.wsim_seen_register(raw, use.reg, register)
            kind = "address" if use.address else "write" if use.writes else "read"
            self._uses.setdefault(text_of(register.name), kind)
            index += 1

    @property
    def registers(self) -> list[str]:
        """The names of the registers that the instruction uses, in its order.

        >>> import numpy as np, wsim
        >>> x, y, names = wsim.aligned(np.ones(32, np.float32)), wsim.aligned(np.ones(32, np.float32)), []
        >>> look = {"saxpy.cu:5": lambda view: names.append(view.registers)}
        >>> _ = wsim.Module(SAXPY).kernel()[1, 32](np.float32(2), x, y, 32, look=look)
        >>> names[-1]
        ['%rd7', '%f4']
        """
        return list(self._uses)

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str):
            raise TypeError("a view has registers, variables and operands by name, not by %s" % shown(name))
        plain, _, kind = name.partition("/")
        found = self._operand(plain) if name in ("a", "b", "c", "d") else None
        if found is None:
            found = self._variable(plain, kind)
        if found is None:
            found = self._register(plain, kind)
        if found is None and not plain.startswith("%"):
            found = self._register("%" + plain, kind)
        if found is None:
            raise KeyError("there is no register, operand or variable %s with a value here" % shown(name))
        return found

    def __repr__(self) -> str:
        place = "%s:%u" % (self.file, self.line) if self.file else "PTX line %u" % self.ptx_line
        return "View of %s at %s: block %s, warp %u" % (self.opcode, place, self.block, self.warp)

    @property
    def _raw(self) -> Any:
        if self._given is None:
            raise RuntimeError("a view is good while the function runs that got it")
        return self._given

    @staticmethod
    def _mask(lanes: int) -> Array:
        return np.array([lanes >> lane & 1 for lane in range(32)], np.bool_)

    def _register(self, name: str, kind: str) -> Array | None:
        index, register = ffi.new("uint32_t *"), ffi.new("struct wsim_register *")
        low, high = np.zeros(32, np.uint64), np.zeros(32, np.uint64)
        words = ffi.from_buffer("uint64_t[32]", low), ffi.from_buffer("uint64_t[32]", high)
        text = c_text(name, "the name")
        if not lib.wsim_seen_find(self._raw, text, index):
            return low.astype(np.uint32) if lib.wsim_seen_special(self._raw, text, words[0]) else None
        if not lib.wsim_seen_values(self._raw, index[0], *words):
            return None
        lib.wsim_seen_register(self._raw, index[0], register)
        if register.bits == 1:
            return low.astype(np.bool_)
        if register.bits == 128:
            return np.stack([low, high], axis=1)
        kind = kind or self._kind(name, text_of(register.type), register.bits)
        return low.astype("u%u" % (register.bits // 8)).view(self._type(kind, register.bits // 8))

    def _kind(self, name: str, declared: str, bits: int) -> str:
        """The type of a register; for one of bits, that of the instruction."""
        use = self._uses.get(name)
        if declared[0] != "b" or use not in ("read", "write"):
            return declared
        found = [
            word for word in self.opcode.split(".") if word[1:].isdigit() and word[0] in "fsu" and int(word[1:]) == bits
        ]
        return (found or [declared])[0 if use == "write" else -1]

    @staticmethod
    def _type(kind: str, bytes_: int) -> np.dtype[Any]:
        if kind == "bf16":
            return formats.ml_type("bf16") or np.dtype(np.uint16)
        letter = {"b": "u", "u": "u", "s": "i", "f": "f"}.get(kind[:1])
        if letter is None or not kind[1:].isdigit() or kind in ("f8", "f128"):
            raise ValueError("%s is no type; there are u s b with 8 to 64 bits, f16, bf16, f32 and f64" % shown(kind))
        found = np.dtype("%s%u" % (letter, int(kind[1:]) // 8))
        if bytes_ and found.itemsize != bytes_:
            raise ValueError("%s has %u bytes, and the register %u" % (kind, found.itemsize, bytes_))
        return found

    def _variable(self, name: str, kind: str) -> Array | None:
        cursor, variable = ffi.new("uint32_t *"), ffi.new("struct wsim_variable *")
        while lib.wsim_seen_variable(self._raw, cursor, variable):
            full = text_of(variable.name)
            if full == name or (full.startswith("_Z") and "E%u%s" % (len(name), name) in full):
                break
        else:
            return None
        data, diag = np.zeros(variable.bytes, np.uint8), new_diag()
        lane = int(np.argmax(self.lanes))
        lib.wsim_seen_read(
            self._raw, variable.space, lane, variable.address, ffi.from_buffer(data), variable.bytes, diag
        )
        element, _, columns = kind.partition("x")
        try:
            view = data.view(self._type(element or text_of(variable.type), 0))
        except ValueError:
            if element:
                raise
            return data
        return view.reshape(-1, int(columns)) if columns else view

    def _operand(self, letter: str) -> Array | None:
        try:
            op = spelled(self.opcode)
            layout = layout_of(op, letter)
        except ValueError:
            return None
        place = 0 if letter == "d" else " abc".index(letter)
        use, names = ffi.new("struct wsim_use *"), []  # type: tuple[Any, list[int]]
        while lib.wsim_seen_use(self._raw, len(names), use):
            names.append(use.reg if use.operand == place and not use.address else -1)
        wanted = [one for one in names if one >= 0]
        if layout.lanes != 32 or not wanted:
            return None
        words = np.zeros((32, layout.regs), np.uint32)
        for i, register in enumerate(wanted):
            low = np.zeros(32, np.uint64)
            lib.wsim_seen_values(self._raw, register, ffi.from_buffer("uint64_t[32]", low), ffi.NULL)
            for half in range(layout.regs // len(wanted)):
                words[:, i * layout.regs // len(wanted) + half] = (low >> np.uint64(32 * half)).astype(np.uint32)
        return layout.values(layout.unpack(words))


class Looks:
    """The places of a launch and their functions, as the library calls them. An exception in one ends the launch and is
    raised again."""

    def __init__(self, launch: Any, look: Mapping[Place, Callable[[View], object]] | None) -> None:
        self.error: BaseException | None = None
        self._places: list[tuple[str | None, int, Callable[[View], object]]] = []
        self._found: set[int] = set()
        if look is None:
            return
        if not isinstance(look, Mapping):
            raise TypeError("look is a dict of places and functions, not %s" % shown(look))
        for place, function in look.items():
            self._add(place, function)
        self._at = ffi.callback("int(void *, const struct wsim_site *)", self._choose, error=0, onerror=self._failed)
        self._see = ffi.callback("int(void *, const struct wsim_seen *)", self._call, error=1, onerror=self._failed)
        self._raw = ffi.new("struct wsim_look *")
        self._raw.at, self._raw.see = self._at, self._see
        launch.look = self._raw

    def _add(self, place: Place, function: Callable[[View], object]) -> None:
        if not callable(function):
            raise TypeError("look[%s] has to be a function, not %s" % (shown(place), shown(function)))
        file, line = (None, place) if isinstance(place, int) else ("", 0)
        if isinstance(place, str):
            file, _, number = place.rpartition(":")
            line = int(number) if number.isdecimal() else 0
        if line < 1 or isinstance(place, bool) or file == "":
            raise ValueError('a place is "FILE:LINE" or a line of the PTX, not %s' % shown(place))
        self._places.append((file, int(line), function))

    def _matches(self, site: Any) -> list[int]:
        file = text_of(site.file)
        return [
            i
            for i, (name, line, _) in enumerate(self._places)
            if (site.ptx_line if name is None else site.line) == line
            and (name is None or file == name or file.endswith("/" + name))
        ]

    def _choose(self, context: object, site: Any) -> int:
        found = self._matches(site)
        self._found.update(found)
        return 1 if found else 0

    def _call(self, context: object, raw: Any) -> int:
        view = View(raw)
        try:
            for i in self._matches(raw.site):
                self._places[i][2](view)
        finally:
            view._given = None
        return 0

    def _failed(self, kind: object, error: BaseException, trace: object) -> None:
        self.error = self.error or error

    def __enter__(self) -> Looks:
        return self

    def __exit__(self, *unused: object) -> None:
        if self.error is not None:
            raise self.error
        for i, (file, line, _) in enumerate(self._places):
            if i not in self._found and unused[0] is None:
                place = "PTX line %u" % line if file is None else "%s:%u" % (os.path.basename(file), line)
                raise ValueError("look: no instruction of the kernel has the place %s" % place)
