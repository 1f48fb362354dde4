"""Shared by the tests. They test the package that is installed, not the source beside them."""

import os
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("WSIM_SOURCE") or Path(__file__).resolve().parents[2])


@pytest.fixture
def ptx():
    """The path of a kernel of examples/kernels."""
    return lambda name: SOURCE / "examples" / "kernels" / (name + ".ptx")
