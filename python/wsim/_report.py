"""Findings, output and costs of a launch."""

from __future__ import annotations

import os
from typing import Any, Iterator

import numpy as np

from ._core import Array, masked, owned, text_of
from ._linked import Linked
from ._picture import Drawn, Picture
from ._wsim import ffi, lib

DIFFERENT = {
    "addresses": "address",
    "registers": "register",
    "warps": "warp",
    "blocks": "block",
    "ptx_lines": "PTX line",
}


class Finding(Exception):
    """A mistake of a kernel: out of bounds, a data race, uninitialised memory, a deadlock ... It stands for all
    occurrences of its rule at one source line, or at one pair of lines.

    `rule`, `text`, `kernel`, `block` and `thread` describe the first. `ptx_line` (of `ptx_file`, if several were
    linked) and `file` and `line` of the source (None and 0 without .loc) give its place. The other side of a race is
    `other_ptx_line`, `other_file`, `other_line`. `count` is the number of occurrences, `different` the number of
    addresses, registers, warps, blocks and PTX lines among them. `fatal` says whether a GPU stops.

    `explains` lists the findings that this one causes; theirs is `explained`. `severity` is "mistake" or "note"; a note
    raises no exception. The exception of a launch is its first finding, and causes come first. `findings` has all,
    `report` the report.

    >>> import numpy as np, wsim
    >>> x, y = np.zeros(16, np.float32), np.zeros(64, np.float32)
    >>> try:
    ...     wsim.Module(SAXPY).kernel()[1, 64](2.0, x, y, 64)
    ... except wsim.Finding as found:
    ...     print(found.rule, found.thread, found.text)
    memory.bounds (16, 0, 0) reads 4 bytes at byte 64 of 'args[1]', which has 64
    """

    def __init__(self, raw: Any) -> None:
        owned(raw, "struct wsim_finding *", "wsim.Finding", "a launch")
        self.rule, self.text, self.kernel = text_of(raw.rule), text_of(raw.text), text_of(raw.kernel)
        self.block, self.thread = tuple(raw.block), tuple(raw.thread)
        self.ptx_line, self.line, self.file = int(raw.ptx_line), int(raw.line), text_of(raw.file) or None
        self.other_ptx_line, self.other_line = int(raw.other_ptx_line), int(raw.other_line)
        self.other_file = text_of(raw.other_file) or None
        self.ptx_file = text_of(raw.ptx_file) or None
        self.count, self.fatal, self.advice = int(raw.count), bool(raw.fatal), bool(raw.advice)
        self.severity = "note" if raw.severity == lib.WSIM_SEVERITY_NOTE else "mistake"
        self.different = {name: int(getattr(raw, name)) for name in DIFFERENT}
        self.explained: bool = raw.cause > 0
        self.explains: list[Finding] = []
        self.findings: list[Finding] = [self]
        self.report: Report | None = None
        super().__init__(self.text)

    def __reduce__(self) -> Any:
        """Pickles the finding for another process, such as those of pytest-xdist, without its report."""
        kept = {**self.__dict__, "report": None}
        kept["findings"] = [one for one in self.findings if one is not self]
        return _found, (self.args, kept)

    def __str__(self) -> str:
        place = _place(self.file, self.line, self.ptx_line)
        said = "%s: %s: %s\n  kernel %s, block %s, thread %s, PTX line %u" % (
            place,
            self.rule,
            self.text,
            self.kernel,
            self.block,
            self.thread,
            self.ptx_line,
        )
        if self.other_ptx_line:
            role = "use" if self.rule.startswith("init.") else "other"
            said += "; the %s: %s" % (role, _place(self.other_file, self.other_line, self.other_ptx_line))
        said += "; the launch ends here" if self.fatal else ""
        said += "\n  " + self._more() if self.count > 1 else ""
        for one in self.explains:
            said += "\n  explains: %s: %s" % (one.rule, one.text)
        others = [one for one in self.findings[1:] if not one.explained]
        if others:
            said += "\n  and %u more of other kinds or places: .findings" % len(others)
        return masked(said)

    def _more(self) -> str:
        """ "and 31 more addresses, 3 more warps (176 times)" """
        lines = 2 if self.other_ptx_line and self.different["ptx_lines"] > 1 else 1
        said = []
        for name, one in DIFFERENT.items():
            count = self.different[name] - (lines if name == "ptx_lines" else 1)
            if count > 0:
                least = "at least " if self.different[name] == lib.WSIM_FINDING_MOST else ""
                plural = "" if count == 1 else "es" if one.endswith("s") else "s"
                said.append("%s%u more %s%s" % (least, count, one, plural))
        return "and %s (%u times)" % (", ".join(said), self.count) if said else "%u times" % self.count


def _found(args: tuple[str, ...], kept: dict[str, Any]) -> Finding:
    """A finding that came from another process."""
    found = Finding.__new__(Finding, *args)
    found.args = args
    found.__dict__.update(kept, findings=[found, *kept["findings"]])
    return found


class Report(Drawn):
    """The findings, output and costs of a launch.

    >>> import numpy as np, wsim
    >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
    >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
    >>> report.totals["instructions"], len(report.findings), report.output
    (40, 0, '')
    """

    def __init__(self, raw: Any, module: Linked, kernel: str) -> None:
        self._raw = owned(raw, "struct wsim_report *", "wsim.Report", "a launch")
        self._module, self.kernel = module, kernel
        found, self.findings = ffi.new("struct wsim_finding *"), []  # type: tuple[Any, list[Finding]]
        while lib.wsim_report_finding(raw, len(self.findings), found):
            self.findings.append(Finding(found))
            if found.cause:
                self.findings[found.cause - 1].explains.append(self.findings[-1])
        size = ffi.new("size_t *")
        output = lib.wsim_report_output(raw, size)
        self.output: str = bytes(ffi.buffer(output, size[0])).decode("utf-8", "replace")

    @property
    def totals(self) -> dict[str, Any]:
        """Sums over the launch, with the names of `wsim run --json`. "shared" has "ld", "st", "atom" and "copy", each a
        dictionary of accesses, wavefronts, ideal and conflicts, and "uncounted"; "global" has requests, sectors, ideal
        and lines.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64).totals["global"]["sectors"]
        24
        """
        raw = ffi.new("struct wsim_totals *")
        lib.wsim_report_totals(self._raw, raw)
        totals: dict[str, Any] = {}
        for name, field in ffi.typeof("struct wsim_totals").fields:
            value = getattr(raw, name)
            group = "shared" if field.type.kind == "struct" or name == "uncounted" else name.partition("_")[0]
            if group in ("shared", "global"):
                found = _counts(value) if field.type.kind == "struct" else int(value)
                totals.setdefault(group, {})[name.replace("global_", "")] = found
            else:
                totals[name] = int(value)
        for name in ("approximate", "contracted", "unrolls", "clock", "order"):
            totals[name] = bool(totals[name])
        return totals

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The counts of each executed instruction, in PTX order.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
        >>> [(one["line"], one["opcode"], one["sectors"]) for one in report.lines if one["sectors"]]
        [(5, 'ld.global.f32', 8), (5, 'ld.global.f32', 8), (5, 'st.global.f32', 8)]
        """
        found: list[dict[str, Any]] = []
        raw = ffi.new("struct wsim_line *")
        while lib.wsim_report_line(self._raw, len(found), raw):
            one = {
                "kernel": text_of(raw.kernel),
                "opcode": text_of(raw.opcode),
                "ptx_line": int(raw.ptx_line),
                "ptx_file": text_of(raw.ptx_file) or None,
                "file": text_of(raw.file) or None,
                "line": int(raw.line),
                "executed": int(raw.executed),
                "threads": int(raw.threads),
                **_counts(raw.shared),
                "uncounted": int(raw.uncounted),
                "requests": int(raw.requests),
                "sectors": int(raw.sectors),
                "sectors_ideal": int(raw.sectors_ideal),
                "cache_lines": int(raw.lines),
                "inlined": list(self._inlined(raw)),
            }
            found.append(one)
        return found

    def picture(self, source: str | os.PathLike[str] | None = None) -> Picture:
        """The counts of each source line (of PTX without .loc): executions, wavefronts and sectors, and their ideals.
        `source` is the folder of the source files; the default is the folder of the PTX file.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
        >>> print(report.picture().write("csv").splitlines()[-2])
        0,saxpy.cu:5,ld.global.f32 ...,14,-,-,24,24
        """
        rows, keep = self._sums(), []  # type: tuple[list[dict[str, Any]], list[Any]]
        raw = ffi.new("struct wsim_cost_line[]", max(len(rows), 1))
        folder = self._module._folder if source is None else os.fspath(source)
        texts: dict[str, list[str]] = {}
        for one, row in zip(raw, rows):
            file = row["file"] or row["ptx_file"] or "PTX"
            number = row["line"] if row["file"] else row["ptx_line"]
            text = _line_of(folder, file, number, texts) or row["opcode"] + (" ..." if row["several"] else "")
            place = "%s:%u" % (os.path.basename(file) or file, number)
            keep += [ffi.new("char[]", place.encode("utf-8", "replace")[:400])]
            keep += [
                ffi.new("char[]", text.encode("utf-8", "replace")[:400]),
                ffi.new("char[]", row["opcode"].encode()),
            ]
            one.place, one.text, one.counts.opcode = keep[-3:]
            one.counts.ptx_line = row["ptx_line"]
            for name in ("executed", "threads", "uncounted", "requests", "sectors", "sectors_ideal"):
                setattr(one.counts, name, row[name])
            one.counts.lines = row["cache_lines"]
            for name in ("accesses", "wavefronts", "ideal", "conflicts"):
                setattr(one.counts.shared, name, row[name])
        words = repr(self).partition(" of ")[2]
        title, said = ffi.new("char[]", self.kernel.encode()), ffi.new("char[]", words[:400].encode())
        launch = ffi.new("char *[]", [said])
        fields = {"title": title, "line": raw, "count": len(rows), "launch": launch, "launches": 1}
        lines, made = ffi.new("struct wsim_cost_lines *", fields), ffi.new("struct wsim_picture *")
        lib.wsim_picture_lines(lines, made)
        return Picture(made, lines, raw, keep, title, said, launch)

    def _sums(self) -> list[dict[str, Any]]:
        """Counts summed by source line, in line order."""
        sums: dict[tuple[Any, ...], dict[str, Any]] = {}
        for line in self.lines:
            key = (line["file"] or "", line["line"] if line["file"] else line["ptx_line"], line["ptx_file"] or "")
            if key not in sums:
                sums[key] = {**line, "several": False}
                continue
            known = sums[key]
            for name, value in line.items():
                if isinstance(value, int) and name not in ("line", "ptx_line"):
                    known[name] += value
            known["several"] = True
            if line["requests"] + line["accesses"] and not known["opcode"].startswith(("ld.", "st.")):
                known["opcode"] = line["opcode"]
        return [sums[key] for key in sorted(sums)]

    def _inlined(self, line: Any) -> Iterator[tuple[str, int, str]]:
        file, number, function = ffi.new("char const **"), ffi.new("uint32_t *"), ffi.new("char const **")
        for i in range(line.inlined):
            if lib.wsim_report_inlined(self._raw, line.id, i, file, number, function):
                yield text_of(file[0]), int(number[0]), text_of(function[0])

    @property
    def counters(self) -> Array:
        """The lines as a structured array: one row per instruction, without inlining.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> counters = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64).counters
        >>> int(counters["sectors"].sum()), int(counters["executed"].max())
        (24, 2)
        """
        lines = self.lines
        names = [name for name in lines[0] if name != "inlined"] if lines else []
        columns = [np.array(["" if line[name] is None else line[name] for line in lines]) for name in names]
        table = np.zeros(len(lines), [(name, column.dtype) for name, column in zip(names, columns)])
        for name, column in zip(names, columns):
            table[name] = column
        return table

    def __repr__(self) -> str:
        totals = self.totals
        shared = [totals["shared"][name] for name in ("ld", "st", "atom", "copy")]
        return (
            "Report of %s: %u blocks, %u warps, %u instructions; shared %u wavefronts (ideal %u), global %u sectors; "
            "%u finding%s"
            % (
                self.kernel,
                totals["blocks"],
                totals["warps"],
                totals["instructions"],
                sum(one["wavefronts"] for one in shared),
                sum(one["ideal"] for one in shared),
                totals["global"]["sectors"],
                totals["findings"],
                "s" * (totals["findings"] != 1),
            )
        )


def raise_first(report: Report) -> None:
    """Raises the finding that stopped the launch, or else the first one."""
    mistakes = [one for one in report.findings if one.severity == "mistake"]
    if mistakes:
        first = next((one for one in mistakes if one.fatal), mistakes[0])
        first.findings = [first] + [one for one in report.findings if one is not first]
        first.report = report
        raise first


def _place(file: str | None, line: int, ptx_line: int) -> str:
    """As messages of the program: "saxpy.cu:5". The attributes of a finding have the whole path."""
    return "%s:%u" % (os.path.basename(file) or file, line) if file else "PTX line %u" % ptx_line


def _line_of(folder: str | None, file: str, number: int, texts: dict[str, list[str]]) -> str:
    """A source line, or "". The file name comes from the PTX, so only files of the folder are read."""
    name = os.path.basename(file)
    if folder is None or not number or name in ("", ".", ".."):
        return ""
    if name not in texts:
        path, texts[name] = os.path.join(folder, name), []
        if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) < 1 << 24:
            with open(path, encoding="utf-8", errors="replace") as opened:
                texts[name] = opened.read().splitlines()
    return texts[name][number - 1].strip() if number <= len(texts[name]) else ""


def _counts(raw: Any) -> dict[str, int]:
    return {name: int(getattr(raw, name)) for name in ("accesses", "wavefronts", "ideal", "conflicts")}
