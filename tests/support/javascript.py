"""JavaScript packages for tests: installed by name when the tests run, outside the repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

INSTALLING = 180


def installed(folder: Path, *packages: str) -> Path:
    """A folder with these packages; skips, saying why, where they can't be had."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    try:
        made = subprocess.run(command, cwd=folder, capture_output=True, timeout=INSTALLING, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("the npm registry doesn't answer")
    if made.returncode:
        pytest.skip(f"npm can't install {packages[0]}: {made.stderr.decode()[-200:]}")
    return folder


def bundled(folder: Path, source: Path) -> str:
    """A page's script as one text that a browser runs."""
    shutil.copy(source, folder / source.name)
    command = ["node_modules/.bin/esbuild", source.name, "--bundle", "--format=esm", "--define:process.env={}"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout
