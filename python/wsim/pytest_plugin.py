"""The pytest plugin: marker `gpu`, options --wsim-gpu and --wsim-arch, fixtures. It loads with the package and imports
the library only when a test needs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any, Callable

import pytest

_SKIPPED = pytest.StashKey[int]()
_GPU = pytest.StashKey[str]()


def find_gpu() -> str:
    """The name of the first GPU of this machine; empty if there is none."""
    program = shutil.which("nvidia-smi")
    if program:
        try:
            said = subprocess.run(
                [program, "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, timeout=20
            )
        except (OSError, subprocess.SubprocessError):
            said = None
        if said is not None and said.returncode == 0 and said.stdout.strip():
            return said.stdout.splitlines()[0].strip()
    return "an NVIDIA GPU" if os.path.exists("/dev/nvidia0") else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wsim", "the warp simulator")
    group.addoption(
        "--wsim-gpu",
        choices=("auto", "require", "skip"),
        default="auto",
        help="tests marked gpu: run them if there is a GPU (auto), fail without one (require), or never (skip)",
    )
    group.addoption(
        "--wsim-arch",
        action="append",
        metavar="ARCH",
        help="architectures of the fixture wsim_arch, which runs a test once for each (sm_80, h100 ...; default: "
        "a100, h100)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: needs a GPU; skipped, and counted, where there is none (--wsim-gpu)")
    config.stash[_SKIPPED] = 0


def _gpu(config: pytest.Config) -> str:
    if _GPU not in config.stash:
        config.stash[_GPU] = find_gpu()
    return config.stash[_GPU]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu") is None:
        return
    how = item.config.getoption("--wsim-gpu")
    if how == "skip":
        item.config.stash[_SKIPPED] += 1
        pytest.skip("tests on a GPU are left out (--wsim-gpu=skip)")
    if not _gpu(item.config):
        if how == "require":
            pytest.fail("there is no GPU here, and --wsim-gpu=require", pytrace=False)
        item.config.stash[_SKIPPED] += 1
        pytest.skip("there is no GPU here")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    skipped = config.stash[_SKIPPED]
    if skipped:
        terminalreporter.write_line(
            "wsim: %u test%s marked gpu did not run" % (skipped, "s" * (skipped != 1)), yellow=True
        )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "wsim_arch" in metafunc.fixturenames:
        given = metafunc.config.getoption("--wsim-arch") or ["a100,h100"]
        metafunc.parametrize("wsim_arch", [name for one in given for name in one.split(",") if name])


@pytest.fixture
def bits_equal() -> Callable[..., None]:
    """`wsim.assert_bits_equal`."""
    from .testing import assert_bits_equal

    return assert_bits_equal


@pytest.fixture
def wsim_device(request: pytest.FixtureRequest) -> Any:
    """A new `wsim.Device` for the test, of the architecture of the fixture wsim_arch, or an H100."""
    from ._device import Device

    arch = request.getfixturevalue("wsim_arch") if "wsim_arch" in request.fixturenames else "h100"
    return Device(arch)
