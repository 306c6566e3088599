import pytest

from madang.text.laws import LawRef, find_laws, law_titles


def _refs(text: str) -> list[LawRef]:
    return [found.value for found in find_laws(text)]


@pytest.mark.parametrize(
    "text",
    [
        "주임법 7조의2",
        "주택임대차보호법 제7조의2",
        "주택 임대차 보호법 칠조의2",
        "주임법7조의2",
        "임대차보호법 제 7 조의 2",
    ],
)
def test_one_article_in_many_spellings(text: str) -> None:
    assert _refs(text) == [LawRef("주택임대차보호법", "법률", "제7조의2")]


def test_decree_paragraph_item_and_subitem() -> None:
    assert _refs("주임법 시행령 10조 1항 2호 가목") == [LawRef("주택임대차보호법", "시행령", "제10조", 1, 2, "가")]
    assert _refs("민법 제618조 ②") == [LawRef("민법", "법률", "제618조", 2)]


def test_a_law_holds_for_the_articles_that_follow_in_its_sentence() -> None:
    assert [(ref.law, ref.article) for ref in _refs("민법 618조랑 623조")] == [("민법", "제618조"), ("민법", "제623조")]
    assert _refs("민법 618조예요. 제7조는요?")[1].law is None


def test_an_article_without_a_law_is_less_sure() -> None:
    [bare] = find_laws("6조")
    [named] = find_laws("민법 6조")
    assert bare.confidence < named.confidence
    assert bare.value.law is None


@pytest.mark.parametrize(
    "text", ["방법이 있나요", "불법인가요", "10조원", "3조 5천억", "조항이 뭐예요", "2조 2교대", "101호"]
)
def test_words_and_sums_are_not_laws(text: str) -> None:
    assert _refs(text) == []


def test_every_alias_leads_to_its_title() -> None:
    for surface, title in law_titles().items():
        assert _refs(f"{surface} 제3조")[0].law == title
