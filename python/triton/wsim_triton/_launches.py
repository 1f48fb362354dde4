"""The launches of the process, and the report at its end."""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any

import wsim


class Launches:
    """Counts of each kernel, and findings. A finding that several launches have is one."""

    def __init__(self, environment: Any = os.environ) -> None:
        self.arch = environment.get("WSIM_ARCH") or "h100"
        check = environment.get("WSIM_CHECK") or "all"
        self.options: dict[str, Any] = {
            "checks": {"all": True, "none": False}.get(check, check),
            "count": False,
            "seed": int(environment.get("WSIM_SEED") or "0", 0),
            "threads": int(environment.get("WSIM_THREADS") or 0),
        }
        self.silent = environment.get("WSIM_REPORT") == "none"
        self.device: Any = None
        self.kernels: dict[str, list[int]] = {}  # name: launches, blocks, warp instructions
        self.findings: dict[tuple[Any, ...], tuple[wsim.Finding, int]] = {}
        self.skipped = 0

    def run(self, kernel: wsim.TritonKernel, grid: Any, args: Any) -> None:
        """Runs a launch. Raises a finding at which a GPU stops."""
        if self.device is None:
            self.device = wsim.Device(self.arch)
        report = kernel.launch(grid, args, device=self.device, raise_findings=False, **self.options)
        if report is None:
            return
        if report.output:
            sys.stdout.write(report.output)
        counts = self.kernels.setdefault(kernel.name, [0, 0, 0])
        for i, one in enumerate((1, report.totals["blocks"], report.totals["instructions"])):
            counts[i] += int(one)
        fatal = None
        for finding in report.findings:
            if not finding.explained and finding.severity != "note":
                key = (finding.rule, finding.kernel, finding.file, finding.line, finding.ptx_line, finding.other_line)
                self.findings[key] = (finding, self.findings.get(key, (finding, 0))[1] + 1)
            fatal = fatal or (finding if finding.fatal else None)
        if fatal is not None:
            raise fatal

    def text(self) -> str:
        """The report."""
        lines = []
        for finding, launches in self.findings.values():
            lines.append(str(finding) + ("\n  in %u launches" % launches if launches > 1 else ""))
        if self.kernels:
            lines.append("launches  blocks  warp instructions  kernel")
        for name, counts in self.kernels.items():
            lines.append("%8u  %6u  %17u  %s" % (*counts, name))
        if self.skipped:
            lines.append("%u launches of benchmarks did not run: times of a simulation mean nothing" % self.skipped)
        lines.append(
            "kernels %u launches %u findings %u"
            % (len(self.kernels), sum(one[0] for one in self.kernels.values()), len(self.findings))
        )
        return "\n".join(lines)

    def report(self) -> None:
        if not self.silent and (self.kernels or self.skipped):
            sys.stdout.flush()
            print(self.text(), file=sys.stderr)


launches = Launches()
atexit.register(launches.report)
