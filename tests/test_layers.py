"""Imports go down only."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_layers() -> None:
    linted = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout


def test_every_module_is_in_a_layer() -> None:
    layers = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for module in (ROOT / "src" / "madang").iterdir():
        name = module.stem
        if not name.startswith("_") and module.suffix in ("", ".py") and name != "py":
            assert f"madang.{name}" in layers, f"{name} is in no layer"
