"""What `make test` says about a machine that lacks something."""

from pathlib import Path

import pytest

from tests.support import prepare


def test_what_is_missing_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = (
        prepare.Need("Chromium", lambda: False, ("chromium",), "browser tests"),
        prepare.Need("a font", lambda: True, ("fonts",), "pages"),
    )
    monkeypatch.setattr(prepare, "NEEDS", needs)
    monkeypatch.setattr(prepare, "can_install", lambda: False)
    prepare.main()
    assert capsys.readouterr().err == "skipped: browser tests, no Chromium (not root on Debian)\n"


def test_only_what_is_missing_is_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    there: set[str] = set()
    needs = (
        prepare.Need("one", lambda: "one" in there, ("one",), "some tests"),
        prepare.Need("two", lambda: True, ("two",), "other tests"),
    )

    def install(packages: list[str]) -> None:
        there.update(packages)

    monkeypatch.setattr(prepare, "NEEDS", needs)
    monkeypatch.setattr(prepare, "can_install", lambda: True)
    monkeypatch.setattr(prepare, "install", install)
    prepare.main()
    assert there == {"one"}
    assert "skipped" not in capsys.readouterr().err


def test_fonts_are_found_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prepare, "FONT_FOLDERS", (tmp_path,))
    assert not prepare.has_korean_font()
    (tmp_path / "truetype").mkdir()
    (tmp_path / "truetype" / "NanumGothic.ttf").touch()
    assert prepare.has_korean_font()
