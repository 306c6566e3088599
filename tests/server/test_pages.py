"""The page where the app was not built, and how long its files are kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from madang.server import pages
from tests.support.served import ROOT
from tests.support.serving import serving


async def test_without_the_app_the_page_says_what_to_do_and_the_api_works(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "APP", tmp_path)
    assert not pages.app_is_built()
    async with serving(sqlite_url) as site:
        page = await site.http.get("/")
        assert page.status_code == 200
        assert "make setup" in page.text
        assert (await site.http.get("/api/v1/assistants")).status_code == 200


async def test_the_page_is_checked_again_and_its_files_are_kept(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<p>app</p>")
    (tmp_path / "app-ABC.js").write_text("1")
    (tmp_path / ".sources").write_text("hash")
    monkeypatch.setattr(pages, "APP", tmp_path)
    async with serving(sqlite_url) as site:
        assert (await site.http.get("/")).headers["cache-control"] == "no-cache"
        script = await site.http.get("/static/app-ABC.js")
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert (await site.http.get("/static/.sources")).status_code == 404


@pytest.mark.skipif((Path(sys.executable).parent / "node").exists(), reason="this environment brings its own Node.js")
def test_what_cannot_be_built_is_said_in_one_line(tmp_path: Path) -> None:
    """No Node.js on the path, and none to be had."""
    (tmp_path / "web" / "src").mkdir(parents=True)
    for name in ("build.py", "build.mjs", "package-lock.json", "tsconfig.json"):
        shutil.copy(ROOT / "web" / name, tmp_path / "web" / name)
    (tmp_path / "constraints.txt").touch()
    environment = {**os.environ, "PATH": str(tmp_path), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "web" / "build.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0
    assert len(done.stderr.strip().splitlines()) == 1
    assert "the API and the command line work without it" in done.stderr
