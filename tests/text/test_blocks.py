"""Blocks of an answer as a CommonMark parser sees them."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from madang.text.blocks import spaced
from madang.text.rendering import read_blocks

WORDS = st.text("가나다 0123,.%", min_size=1, max_size=12).map(lambda text: f"말{text}끝")
LINES = st.lists(
    st.one_of(
        WORDS.map(lambda word: ("paragraph", word, word)),
        WORDS.map(lambda word: ("item", f"- {word}", word)),
        WORDS.map(lambda word: ("heading", f"### {word}", word)),
    ),
    max_size=8,
)


@given(LINES)
def test_every_line_is_the_block_it_looks_like(lines: list[tuple[str, str, str]]) -> None:
    found = read_blocks(spaced(line for _, line, _ in lines))
    assert [(block.kind, block.text) for block in found] == [(kind, word) for kind, _, word in lines]


@given(LINES)
def test_spacing_twice_changes_nothing(lines: list[tuple[str, str, str]]) -> None:
    once = spaced(line for _, line, _ in lines)
    assert spaced([once]) == once


def test_a_list_with_items_within_items_stays_one_list() -> None:
    assert spaced(["- 하나", "  - 하나의 하나", "    이어지는 말", "- 둘"]).count("\n\n") == 0


def test_a_table_is_apart_from_what_stands_around_it() -> None:
    kinds = [b.kind for b in read_blocks(spaced(["앞", "| 가 | 나 |", "|---|---|", "| 1 | 2 |", "뒤"]))]
    assert kinds == ["paragraph", "table", "paragraph"]


def test_lines_of_a_quotation_are_its_paragraphs_and_the_next_line_is_outside() -> None:
    html = MarkdownIt("commonmark").render(spaced(["> ① 첫째", "> ② 둘째", "밖"]))
    assert html.count("<blockquote>") == 1
    assert "<p>① 첫째</p>\n<p>② 둘째</p>\n</blockquote>\n<p>밖</p>" in html
