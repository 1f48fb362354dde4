"""Ctrl-C ends a launch."""

import signal
import threading
import time

import numpy as np
import pytest

import wsim

LOOP = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a) {
    .reg .b64 %d; .reg .pred %p;
    mov.u64 %d, 0;
L:  add.u64 %d, %d, 1;
    setp.ne.u64 %p, %d, 0;
    @%p bra L;
    ret;
}
"""


@pytest.mark.parametrize("grid", [1, 64])
def test_interrupt(grid):
    kernel, words = wsim.Module(LOOP).kernel("k"), wsim.aligned(np.zeros(8, np.uint32))
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        kernel[grid, 32](words)
    assert time.monotonic() - begin < 30
    timer.join()


def test_goes_on():
    """The device is good for the next launch."""
    kernel, words = wsim.Module(LOOP.replace("ne.u64", "eq.u64")).kernel("k"), wsim.aligned(np.zeros(8, np.uint32))
    assert kernel[1, 32](words).findings == []


def test_launch_file(tmp_path):
    (tmp_path / "loop.ptx").write_text(LOOP)
    launches = ", ".join(['{"args": [{"buffer": "a"}]}'] * 2)
    text = '{"ptx": "loop.ptx", "buffers": {"a": {"bytes": 32}}, "launches": [%s]}' % launches
    (tmp_path / "l.json").write_text(text)
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        wsim.launch_file(tmp_path / "l.json")
    timer.join()
