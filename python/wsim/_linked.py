"""Linked PTX."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Sequence

from ._core import check, new_diag, text_of
from ._wsim import ffi, lib


@dataclass(frozen=True)
class Problem:
    """A construct of a module that is not modelled."""

    rule: str
    text: str
    kernel: str
    line: int
    col: int
    count: int
    file: str | None


def _text(source: object) -> tuple[bytes, bytes]:
    """The name and PTX of a text or of a file."""
    if isinstance(source, str) and "__global__" in source:
        raise ValueError("this is CUDA C++, not PTX; nvcc -ptx compiles it to PTX")
    if isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and ".version" not in source):
        with open(source, "rb") as file:
            return os.fsencode(os.path.basename(source)), file.read()
    if isinstance(source, str):
        return b"", source.encode("utf-8", "surrogatepass")
    raise TypeError("PTX has to be a text or a path, not %s" % type(source).__name__)


class Linked:
    """The linked PTX of a `wsim.Module`, which devices and reports need.

    >>> import wsim
    >>> wsim.Module(SAXPY).version
    9.0
    """

    def _link(self, source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], flags: int) -> None:
        sources = list(source) if isinstance(source, (list, tuple)) else [source]
        if not 1 <= len(sources) <= 65536:
            raise ValueError("%u texts were given; a module is linked from 1 to 65536" % len(sources))
        texts, keep = ffi.new("struct wsim_text[]", len(sources)), []
        for i, one in enumerate(sources):
            name, text = _text(one)
            keep += [ffi.new("char[]", name), ffi.from_buffer("char[]", text)]
            texts[i].name = keep[-2] if name else ffi.NULL
            texts[i].bytes, texts[i].size = keep[-1], len(text)
        made, diag = ffi.new("struct wsim_module **"), new_diag()
        check(lib.wsim_module_link(texts, len(sources), flags, made, ffi.NULL, diag), diag)
        self._raw = ffi.gc(made[0], lib.wsim_module_free)
        info = ffi.new("struct wsim_module_info *")
        lib.wsim_module_describe(self._raw, info)
        self.version, self.target = info.version / 10, text_of(info.target)
        paths = [str(one) for one, text in zip(sources, texts) if text.name != ffi.NULL]
        self._folder = os.path.dirname(os.path.abspath(paths[0])) if paths else None

    @property
    def problems(self) -> list[Problem]:
        """Constructs that are not modelled; kernels without them run.

        >>> import wsim
        >>> wsim.Module(SAXPY).problems
        []
        """
        found: list[Problem] = []
        raw = ffi.new("struct wsim_problem *")
        while lib.wsim_module_problem(self._raw, len(found), raw):
            found.append(
                Problem(
                    text_of(raw.rule),
                    text_of(raw.text),
                    text_of(raw.kernel),
                    raw.line,
                    raw.col,
                    raw.count,
                    text_of(raw.file) or None,
                )
            )
        return found
