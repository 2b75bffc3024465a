"""What all tests share: a user's directory of their own, and memories."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import twiceshy


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user's directory; compiled components are shared by all tests."""
    home = tmp_path / "home"
    # Whoever runs the tests again need not compile again.
    shared = Path(os.environ.get("TWICESHY_TEST_CACHE") or tmp_path_factory.getbasetemp() / "cache").absolute()
    shared.mkdir(parents=True, exist_ok=True)
    home.mkdir()
    (home / "cache").symlink_to(shared)
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    monkeypatch.delenv("TWICESHY_OFF", raising=False)
    return home


@pytest.fixture
def memory() -> Iterator[twiceshy.Memory]:
    """A memory of the process."""
    with twiceshy.in_memory() as memory:
        yield memory


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of a project, which is the working directory."""
    directory = tmp_path / "project"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory
