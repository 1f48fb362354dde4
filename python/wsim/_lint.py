"""Mistakes in inline assembly and PTX, found without a compiler."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any, Iterable, List

from ._arch import ArchLike, row_of
from ._core import check, masked, new_diag, text_of
from ._wsim import ffi, lib


@dataclass(frozen=True)
class LintFinding:
    """A finding of `wsim.lint`. `severity` is "error", "warning" or "note", which is advice. `suggestion` is code to write
    instead or to insert, or "". Lines and columns count from 1; `end_column` follows the word at `column`. `fingerprint`
    is that of the rule and the statement, for a baseline.
    """

    severity: str
    rule: str
    message: str
    suggestion: str
    line: int
    column: int
    end_column: int
    file: str | None
    fingerprint: str = ""

    def __str__(self) -> str:
        place = "%s:%u:%u" % (self.file or "<text>", self.line, self.column)
        return masked("%s: %s: %s [%s]" % (place, self.severity, self.message, self.rule))


class LintFindings(List[LintFinding]):
    """A list of `wsim.LintFinding`, by place. `statements` is the number of asm statements. `hidden` ones are not
    judged because a macro hides a part. `judged` and `unmodelled` count instructions that are judged and that are not.
    `ignored` counts findings that a comment or `ignore` leaves out, `known` those of the baseline.

    >>> import wsim
    >>> found = wsim.lint('asm volatile("mma.sync." SHAPE " %0;" : "+f"(x));')
    >>> found, found.statements, found.hidden, found.judged, found.unmodelled
    ([], 1, 1, 0, 0)
    """

    statements: int = 0
    hidden: int = 0
    judged: int = 0
    unmodelled: int = 0
    ignored: int = 0
    known: int = 0

    def baseline(self) -> str:
        """The lines of a baseline with these findings, which are of a file.

        >>> import wsim
        >>> wsim.LintFindings().baseline()
        ''
        """
        lines = ["%s %s %s\n" % (one.rule, one.fingerprint, _recorded(one.file)) for one in self if one.file]
        return "".join(sorted(lines, key=lambda line: (line.split(" ", 2)[2], line)))


def lint(
    source: str | os.PathLike[str],
    arch: ArchLike | None = None,
    *,
    ptx: str | None = None,
    ignore: str | Iterable[str] = (),
    baseline: str | os.PathLike[str] | None = None,
) -> LintFindings:
    """Checks the asm statements of CUDA C++, or PTX, and lists the mistakes by place. `source` is a text or a path; a str
    without a newline and without ';' is a path. Without `arch`, an instruction of any target is legal, and PTX has its
    own. Statements that a macro hides in part and instructions without a model are counted, not judged.

    Unknown spellings are notes, because a newer PTX may have them. `ptx`, the version of the compiler, such as "8.7",
    makes them errors. `ignore` names rules ("asm.memory") and areas of rules ("asm"). `baseline` is a file with known
    findings: of `wsim check --write-baseline`, or with the text of `LintFindings.baseline`.

    >>> import wsim
    >>> found = wsim.lint('asm("add.u32 %0, %0, %1;" : "=r"(x) : "r"(y));')
    >>> [(one.severity, one.rule, one.line, one.column, one.suggestion) for one in found]
    [('warning', 'asm.operand.unset', 1, 18, '"+r"')]
    >>> for one in wsim.lint('asm volatile("wgmma.fence.sync.aligned;" ::: "memory");', arch="a100"):
    ...     print(one)
    <text>:1:15: error: ...
    >>> wsim.lint('asm volatile("bar.sync 0;");', ignore="asm.memory").ignored
    1
    """
    name, text = _text(source)
    options, made = ffi.new("struct wsim_lint_options *"), ffi.new("struct wsim_lint **")
    # A text in Python is CUDA more often than assembly of the host.
    kept = ffi.new("char[]", os.fsencode(_recorded(name)) if name else b"text.cu")
    words = [ffi.new("char[]", word.encode("utf-8")) for word in ([ignore] if isinstance(ignore, str) else ignore)]
    rules, known = ffi.new("char *[]", words + [ffi.NULL]), _baseline(baseline)
    options.arch, options.name = ffi.NULL if arch is None else row_of(arch), kept
    options.ptx, options.ignore, options.baseline = _version(ptx), rules, known
    diag = new_diag()
    check(lib.wsim_lint_text(text, len(text), options, made, diag), diag)
    raw = ffi.gc(made[0], lib.wsim_lint_free)
    one, counts = ffi.new("struct wsim_lint_finding *"), ffi.new("struct wsim_lint_counts *")
    found = LintFindings()
    while lib.wsim_lint_at(raw, len(found), one):
        found.append(_finding(one, name))
    lib.wsim_lint_count(raw, counts)
    for field in ("statements", "hidden", "judged", "unmodelled", "ignored", "known"):
        setattr(found, field, getattr(counts, field))
    return found


def _recorded(name: str) -> str:
    """The name of a file in baselines: one below the current folder is relative."""
    inside = os.path.isabs(name) and name.startswith(os.path.join(os.getcwd(), ""))
    return os.path.relpath(name) if inside else name


def _version(ptx: str | None) -> int:
    if ptx is None:
        return 0
    if not isinstance(ptx, str) or not re.fullmatch(r"[1-9]\d?\.\d", ptx):
        raise ValueError("ptx has to be a version such as '9.0', not %r" % (ptx,))
    return int(ptx.replace(".", ""))


def _baseline(path: str | os.PathLike[str] | None) -> Any:
    if path is None:
        return ffi.NULL
    with open(path, "rb") as file:
        text = file.read()
    made, diag = ffi.new("struct wsim_lint_baseline **"), new_diag()
    check(lib.wsim_lint_baseline_read(text, len(text), made, diag), diag)
    return ffi.gc(made[0], lib.wsim_lint_baseline_free)


def _finding(one: Any, name: str | None) -> LintFinding:
    return LintFinding(
        text_of(lib.wsim_lint_severity_name(one.severity)),
        text_of(one.rule),
        text_of(one.text),
        text_of(one.suggestion),
        one.line,
        one.col,
        one.end_col,
        name,
        "%016x" % one.fingerprint,
    )


def _text(source: object) -> tuple[str | None, bytes]:
    """The path, if there is one, and the text."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and ";" not in source):
        with open(source, "rb") as file:
            return os.fsdecode(source), file.read()
    if isinstance(source, str):
        return None, source.encode("utf-8", "surrogatepass")
    raise TypeError("source has to be a text or a path, not %s" % type(source).__name__)
