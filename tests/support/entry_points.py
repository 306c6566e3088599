"""The checkout's own entry points, though the environment was installed before they changed or elsewhere."""

import os
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import madang

ROOT = Path(__file__).parents[2]


def make_current(folder: Path) -> None:
    """Let this process and those it starts see the entry points of `pyproject.toml`; `folder` is for this run."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups: dict[str, dict[str, str]] = project["entry-points"]
    wanted = {(group, name, value) for group, entries in groups.items() for name, value in entries.items()}
    if wanted <= {(entry.group, entry.name, entry.value) for entry in distribution("madang").entry_points}:
        return
    made = folder / f"madang-{madang.__version__}.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: madang\nVersion: {madang.__version__}\n")
    lines = [f"[{group}]\n" + "".join(f"{n} = {v}\n" for n, v in entries.items()) for group, entries in groups.items()]
    (made / "entry_points.txt").write_text("\n".join(lines))
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
