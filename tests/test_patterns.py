"""No regular expression of the package takes far longer for a text that is a little longer."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pattern_growth import Counter, growing, hostile

ROOT = Path(__file__).parent.parent


@pytest.mark.timeout(900)
def test_every_pattern_works_in_proportion_to_its_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.pattern_sites", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *sites, end = map(json.loads, done.stdout.splitlines())
    assert end["missed"] == [], "no conversation of tests/support/pattern_sites.py makes the patterns of these places"
    assert len(sites) > 500
    found = {
        f"{site['place']}: {site['pattern']}": why
        for site in sites
        if (why := growing(re.compile(site["pattern"], site["flags"]), at_the_start=site["at_the_start"]))
    }
    assert found == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d+원",
        r"\s*네",
        r"^\s+|\s+$",
        r"계약.*기간",
        r"계약[^.]*?기간.*까지",
        r"(가+)+나",
        r"(?:가나|가)*다",
        r"(\w+)\s+\1",
        r"가{2,}나|다",
        r"특약\s*(.+?)\s*추가",
        r"(?i)select.+from",
        r"가.{0,200}나.{0,200}다",
    ],
)
def test_a_pattern_that_grows_is_found(pattern: str) -> None:
    assert growing(re.compile(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!\d)\d+원",
        r"\A\s*네",
        r"계약.{0,40}기간",
        r"(?<!가)가++나",
        r"계약(?:(?!계약).)*?기간",
        r"\d{1,3}(?:,\d{3}){1,6}",
        r"(?:네|응|그래)[\s.,]*",
    ],
)
def test_a_pattern_that_does_not_grow_is_left_alone(pattern: str) -> None:
    assert growing(re.compile(pattern)) is None


def test_tried_at_one_place_only_it_may_take_all_of_the_text() -> None:
    assert growing(re.compile(r"\s*네"), at_the_start=True) is None
    assert growing(re.compile(r"\s*\s*네"), at_the_start=True)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?P<a>\d+)(?:원|만\s?원)?(?!년)",
        r"(?i)\b(?:ab|a)+?c?\b|x{2,3}|^y|z$",
        r"(?<=가)나(?:다|라)*+[^마-사\s]?",
        r"(가|나)(\d)?\1(?(2)다|라)",
        r"(?>가+)나|(?m:^다)|\Z",
        r"\s*(?:[-*]|\d{1,2}[.)])\s|\W|\D\S|\B바",
    ],
)
def test_the_counter_finds_what_re_finds(pattern: str) -> None:
    compiled = re.compile(pattern)
    counter = Counter(compiled)
    texts = [(before + pump * 9)[:40] for before, pump in hostile(counter)]
    for text in [*texts, "가가나다 12만 원 xx y\nz ab abc 3년 - 1. 가1가다 가가라 바\n"]:
        assert list(counter.spans(text)) == [match.span() for match in compiled.finditer(text)], text
