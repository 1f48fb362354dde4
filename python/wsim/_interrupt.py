"""Ctrl-C ends a launch: the library asks now and then whether it may go on, and Python looks for signals there."""

from __future__ import annotations

from typing import Any

from ._wsim import ffi


class Interruptible:
    """Within it a launch ends early when a signal handler raises, as that of SIGINT does; leaving it raises again."""

    def __init__(self, launch: Any, kind: str = "int(void *, uint64_t, uint64_t)") -> None:
        self.error: BaseException | None = None
        self._callback = ffi.callback(kind, self._go_on, error=1, onerror=self._failed)
        launch.progress = self._callback

    def _go_on(self, *progress: object) -> int:
        return 0  # a pending signal is handled before this line, or after it

    def _failed(self, kind: object, error: BaseException, trace: object) -> None:
        self.error = error

    def __enter__(self) -> Interruptible:
        return self

    def __exit__(self, *unused: object) -> None:
        if self.error is not None:
            raise self.error
