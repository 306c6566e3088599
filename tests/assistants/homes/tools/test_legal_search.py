"""Statutes from files: parsing, storing, quoting; and finding articles by everyday words."""

from pathlib import Path

import pytest

from bench.homes import cases
from madang.assistants.homes.data.legal_issues import load_guides, load_issues
from madang.assistants.homes.tools.law_files import load_law, parse_law, read_law, stored_statutes
from madang.assistants.homes.tools.legal_search import HybridLegalSearch
from madang.errors import NotFound, UnreadableData

SHARED = Path("/work/shared/data/law")
LAW = """---
제목: 주택임대차보호법
법령구분: 법률
시행일자: 2026-01-02
출처: https://example.org/law
---

# 주택임대차보호법

## 제1장 총칙

##### 제6조 (계약의 갱신)

**①** 첫째 항의 글이다. <개정 2020.6.9>

**②** 둘째 항의 글이다.

  1\\. 첫째 호
    가\\. 첫째 목

##### 제6조의2 (해지)

해지에 관한 글이다.

##### 제7조
삭제 <1989.12.30>

## 부칙

부칙 <제1호>

##### 제1조 (시행일)

이 조는 부칙이다.
"""


@pytest.fixture(scope="module")
def layer() -> HybridLegalSearch:
    return HybridLegalSearch()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kr" / "주택임대차보호법").mkdir(parents=True)
    (tmp_path / "kr" / "주택임대차보호법" / "법률.md").write_text(LAW, encoding="utf-8")
    return tmp_path


def test_a_statute_is_read_article_by_article() -> None:
    statute = parse_law(LAW)
    assert [article.number for article in statute.articles] == ["제6조", "제6조의2", "제7조"]
    assert [article.deleted for article in statute.articles] == [False, False, True]
    assert statute.article("제6조").text == "① 첫째 항의 글이다.\n② 둘째 항의 글이다.\n  1. 첫째 호\n    가. 첫째 목"
    assert statute.effective == "2026-01-02"


def test_a_quotation_is_exact_and_dated() -> None:
    quotation = parse_law(LAW).quotation("제6조의2")
    assert quotation == "「주택임대차보호법」 제6조의2(해지) [시행 2026-01-02]\n해지에 관한 글이다."
    with pytest.raises(NotFound):
        parse_law(LAW).quotation("제99조")


def test_loading_stores_what_can_be_read_back(folder: Path, tmp_path: Path) -> None:
    stored = load_law(folder, tmp_path / "data")
    assert stored_statutes(tmp_path / "data") == stored
    assert stored_statutes(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# no front matter", "front matter"),
        (LAW.replace("시행일자: 2026-01-02\n", ""), "시행일자"),
        (LAW.replace("제목: 주택임대차보호법\n", ""), "제목"),
        (LAW.replace("#####", "####"), "no article heading"),
        (LAW.replace("제6조의2 (해지)", "제6조 (또)"), "stands twice"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_nothing_is_stored(folder: Path, text: str, reason: str) -> None:
    (folder / "kr" / "주택임대차보호법" / "시행령.md").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableData, match=reason) as error:
        load_law(folder, folder / "data")
    assert "시행령.md" in str(error.value)
    assert stored_statutes(folder / "data") == []


def test_an_empty_folder_and_a_damaged_store_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        load_law(tmp_path, tmp_path / "data")
    with pytest.raises(NotFound):
        load_law(tmp_path / "missing", tmp_path / "data")
    (tmp_path / "x.law.json").write_text("{", encoding="utf-8")
    with pytest.raises(UnreadableData, match=r"x\.law\.json"):
        stored_statutes(tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared statutes here")
def test_the_shared_statutes_have_the_listed_counts() -> None:
    lines = (SHARED / "LIST.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for line in lines:
        path, _, articles, branches, deleted, _, effective = line.split("\t")[:7]
        statute = parse_law((SHARED / path).read_text(encoding="utf-8"), path)
        assert len(statute.articles) == int(articles), path
        assert sum("의" in article.number for article in statute.articles) == int(branches), path
        assert statute.effective == effective, path
        assert abs(sum(article.deleted for article in statute.articles) - int(deleted)) <= 1, path


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared statutes here")
def test_every_issue_names_a_living_article_and_copies_none() -> None:
    articles = {f"{s.name} {a.number}": (s, a) for s in read_law(SHARED) for a in s.articles}
    for issue in load_issues():
        statute, article = articles[issue.id]
        assert not article.deleted, issue.id
        assert issue.as_of == statute.effective, issue.id
        squeezed = article.text.replace(" ", "").replace("\n", "")
        gist = issue.gist.replace(" ", "")
        copied = max((len(gist[i : i + 30]) for i in range(len(gist) - 29) if gist[i : i + 30] in squeezed), default=0)
        assert copied < 30, issue.id


def test_the_layer_covers_enough_with_phrases_of_its_own() -> None:
    issues = load_issues()
    assert len(issues) >= 120
    assert all(len(issue.phrases) >= 3 for issue in issues)
    assert sum(len(issue.phrases) for issue in issues) / len(issues) >= 5


@pytest.mark.parametrize("case", cases("homes-legal", "dev")[:12], ids=lambda case: case["question"][:24])
def test_everyday_questions_find_their_article(layer: HybridLegalSearch, case: dict[str, list[list[str]]]) -> None:
    found = [[result.law_name, result.article] for result in layer.search(str(case["question"]), 5)]
    assert any(gold in found for gold in case["gold"])


def test_five_percent_is_article_seven(layer: HybridLegalSearch) -> None:
    first = layer.search("전세금 5% 인상 가능해?")[0]
    assert first.source == "주택임대차보호법 제7조"
    assert first.calculator == "increase_cap"
    assert first.effective_date == "2026-01-02"
    assert first.matched_phrase


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("주임법 7조의2", "주택임대차보호법 제7조의2"),
        ("민법 623조가 뭐야", "민법 제623조"),
        ("주택임대차보호법 시행령 제10조", "주택임대차보호법 시행령 제10조"),
        ("상임법 10조의4", "상가건물 임대차보호법 제10조의4"),
    ],
)
def test_named_articles_come_first(layer: HybridLegalSearch, query: str, source: str) -> None:
    first = layer.search(query)[0]
    assert (first.source, first.exact) == (source, True)


def test_filters_and_look_up(layer: HybridLegalSearch) -> None:
    decrees = layer.search("최우선변제 금액", kinds=["시행령"])
    assert decrees
    assert {result.kind for result in decrees} == {"시행령"}
    assert {r.law_name for r in layer.search("보증금", laws=["민법"])} == {"민법"}
    found = layer.look_up("민법", "제640조")
    assert found is not None
    assert found.title
    assert layer.look_up("민법", "제9999조") is None


def test_loaded_statutes_are_quoted_and_scores_vary(folder: Path) -> None:
    search = HybridLegalSearch(statutes=read_law(folder))
    result = search.look_up("주택임대차보호법", "제6조")
    assert result is not None
    assert result.quotation
    assert "첫째 항의 글이다" in result.quotation
    scores = {r.relevance_score for q in ("보증금 안 줘요", "복비 얼마", "월세 밀렸어요") for r in search.search(q)}
    assert len(scores) > 5


@pytest.mark.skipif(not SHARED.is_dir(), reason="the statutes are not here")
def test_loading_statutes_never_hides_what_the_layer_finds(layer: HybridLegalSearch) -> None:
    loaded = HybridLegalSearch(statutes=read_law(SHARED))
    issues = {issue.id for issue in (*load_issues(), *load_guides())}
    for case in cases("homes-legal", "dev")[::9]:
        alone = [result.source for result in layer.search(case["question"], 5)]
        together = [result.source for result in loaded.search(case["question"], 5)]
        kept = [source for source in together if source in issues]
        assert kept == alone[: len(kept)]


def test_slang_and_sums_do_not_change_what_is_meant(layer: HybridLegalSearch) -> None:
    plain = layer.search("집주인이 월세를 올려 달래요", 1)[0].source
    assert plain == "주택임대차보호법 제7조"
    assert layer.search("쥔장이 달세를 올려 달래요", 1)[0].source == plain
    assert layer.search("집주인이 월세를 50만원에서 58만원으로 올려 달래요", 1)[0].source == plain
