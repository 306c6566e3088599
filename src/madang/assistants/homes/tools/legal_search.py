"""Finding the article behind an everyday question: the issue layer, and the statutes when they are loaded."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from madang.assistants.homes import data
from madang.assistants.homes.data.legal_issues import Issue, load_guides, load_issues
from madang.assistants.homes.tools.law_files import Article, Statute
from madang.search import Document, Hit, HybridIndex, Methods
from madang.text.laws import find_laws
from madang.text.money import find_money
from madang.text.morphemes import content_words
from madang.text.rates import find_rates

log = logging.getLogger(__name__)

Embed = Callable[[Sequence[str]], Any]

SUMMARY_NOTE = "조문은 요약이며 판례는 찾지 않습니다. 원문은 국가법령정보센터에서, 다툼이 있으면 전문가에게 확인하세요."
_WIDER = 4
_HANGUL, _KOREAN_SHARE = re.compile(r"[가-힣]"), 0.3
MOST_WINDOWS, MOST_BEFORE = 10, 4
_TOLD_FACTOR, _BESIDE_FACTOR, _BEFORE_FACTOR, _AGAIN = 0.9, 0.7, 0.6, 0.15
_NO_WORD, _ONE_WORD, _EACH_WORD, _SAYS_ITSELF = 0.35, 0.6, 0.2, 3
# How much an article counts when the question names none of its field's words, and the words that name it.
_FIELDS: tuple[tuple[str, float, re.Pattern[str]], ...] = (
    (
        "상가건물 임대차보호법",
        0.75,
        re.compile(
            r"(?<![인이])상가|가게|점포|매장|장사|건물주|권리금|사업자\s?등록|영업|사무실|폐업|식당|카페|학원|편의점|음식점|분식|치킨집|술집|호프|주점"
            r"|빵집|제과점|미용실|헤어샵|네일|노래방|PC방|당구장|세탁소|꽃집|공방|스튜디오|프랜차이즈|가맹점|창업|중국집|고깃집|팝업"
        ),
    ),
    (
        "전세사기피해자 지원 및 주거안정에 관한 특별법",
        0.85,
        re.compile(r"사기|피해|빌라왕|신탁|깡통|LH|최소\s?보장|특별법"),
    ),
    (
        "민간임대주택에 관한 특별법",
        0.8,
        re.compile(r"임대\s?사업자|등록\s?임대|민간\s?임대|임대\s?아파트|렌트홈|임대보증금"),
    ),
    ("약관의 규제에 관한 법률", 0.8, re.compile(r"약관|회사|사업자|분양|고시원|공유")),
    (
        "공인중개사법",
        0.8,
        re.compile(r"중개|부동산(?!\s?(?:등기|거래|매매))|복비|수수료|소개[비료]|실장|사무소|허위\s?매물|공인"),
    ),
)
# A question that names the field means it: 임대사업자, 가게, 중개사.
_NAMED_FACTOR = 1.15
# Articles that give way unless their own words are said: registered jeonse (전세권) is rare, who sells answers for
# defects to a buyer, only what was paid is paid back, and a deposit is forfeited by who cancels.
_PARTS: tuple[tuple[re.Pattern[str], float, re.Pattern[str]], ...] = (
    (re.compile(r"민법 제3(?:0[3-9]|1\d)조"), 0.75, re.compile(r"전세권|등기|전전세")),
    (
        re.compile(r"민법 제5(?:6[89]|7\d|8[0-4])조"),
        0.75,
        re.compile(
            r"매매|매도|매수|매입|구입|구매|분양|샀|산\s|사서|사고|살\s?때|집\s?사|팔|전\s?(?:집)?주인|전\s?소유|낙찰|측량|땅|면적|평수"
        ),
    ),
    (
        re.compile(r"주택임대차보호법 제10조의2$"),
        0.75,
        re.compile(r"냈|낸|줬|준\s|드렸|돌려|반환|초과|환급|이미|넘게|더\s?받"),
    ),
    (re.compile(r"부동산 거래신고 등에 관한 법률 제6조의5$"), 0.75, re.compile(r"신고|의제")),
    (
        re.compile(r"부동산 거래신고 등에 관한 법률 제3조(?:의2)?$"),
        0.75,
        re.compile(r"매매|실거래|거래|매도|매수|팔|샀|사고|분양|집값|잔금|해제|아파트\s?계약"),
    ),
    (re.compile(r"민법 제109조$"), 0.75, re.compile(r"착오|착각|잘못|실수|몰랐|모르고|오해|헷갈")),
    (
        re.compile(r"민법 제565조$"),
        0.75,
        re.compile(r"계약금|가계약|해제|취소|파기|깨|무르|물러|위약|배액|포기|변심|마음|해약|파토|엎|없던\s?일"),
    ),
)
# A statute's own words say little about everyday questions, so articles outside the issue layer give way.
_PLAIN_FACTOR = 0.8
# An act comes before the decree that fills in its figures when both fit.
_DECREE_FACTOR = 0.9
_SHOP = _FIELDS[0][2]
_SHOP_HOUSING_FACTOR = 0.7
_HOME = re.compile(r"집주인|아파트|빌라|원룸|전세|주택|오피스텔|전입|살고")
# Where someone lives is the setting, not the question: "미국에 살고 있는데", "원룸에 사는데".
_ASIDE = re.compile(
    r"[가-힣A-Z]{1,6}에서?\s?(?:살고\s?있|사|살|계시|거주하고\s?있|거주하)(?:는데|신데|고\s?있는데)(?=[\s,.])"
)


@dataclass(frozen=True, kw_only=True)
class ArticleHit:
    """An article found, with what it says, why it was found and the date of the text."""

    law_name: str
    article: str
    kind: str
    title: str
    content: str
    relevance_score: float
    source: str
    effective_date: str
    matched_phrase: str | None
    related: tuple[str, ...]
    conditions: tuple[str, ...]
    calculator: str | None
    quotation: str | None
    exact: bool
    steps: tuple[str, ...] = ()


class HybridLegalSearch:
    """Articles by meaning and by number. `statutes` adds the laws' own words to those of the issue layer.

    With `stored_in` the index is kept in that directory and read from there while its documents are the same:
    cutting two thousand articles into words takes seconds, reading them back does not.
    """

    def __init__(
        self,
        issues: Sequence[Issue] | None = None,
        statutes: Sequence[Statute] = (),
        embed: Embed | None = None,
        stored_in: Path | None = None,
    ) -> None:
        self._issues = {issue.id: issue for issue in ((*load_issues(), *load_guides()) if issues is None else issues)}
        self._statutes = {statute.name: statute for statute in statutes}
        self._articles = {
            f"{statute.name} {article.number}": article for statute in statutes for article in statute.articles
        }
        methods = Methods(resolve=self._resolve, embed=embed)
        self._index = HybridIndex.kept(stored_in, self._documents(), methods)
        # The layer is ranked by itself, so that loading statutes never hides what it finds without them.
        self._layer = self._index.without(set(self._index.entries) - set(self._issues))

    def __len__(self) -> int:
        return len(self._index)

    def search(
        self, query: str, k: int = 5, *, laws: Sequence[str] = (), kinds: Sequence[str] = (), min_score: float = 0.0
    ) -> list[ArticleHit]:
        """The `k` articles that fit the question best, named ones first; filters by law and by kind (시행령 …)."""
        filters: dict[str, object] = {}
        if laws:
            filters["law"] = list(laws)
        if kinds:
            filters["law_kind"] = list(kinds)
        words = reworded(query)
        hits = self._layer.search(words, k * _WIDER, filters=filters)
        if len(self._index) > len(self._layer):
            found = self._index.search(words, k * _WIDER, filters=filters)
            hits += [hit for hit in found if hit.document.id not in self._issues]
        ranked = sorted(((self._weigh(query, hit), hit) for hit in hits), key=lambda pair: -pair[0])
        return [self._result(hit, score) for score, hit in ranked[:k] if score >= min_score]

    def search_told(
        self, question: str, told: Sequence[str], k: int = 5, *, before: Sequence[str] = ()
    ) -> list[ArticleHit]:
        """The `k` articles that fit a question asked at the end of a story.

        A story searched whole fits nothing: the question, and each thing that was told with it (`told`) or in earlier
        messages (`before`, the newest last), are searched apart. An article counts by where it fits best, a little
        more if it fits several times.
        """
        found: dict[str, list[ArticleHit]] = {}
        for words, weight in _windows(question, told):
            for hit in self.search(words, k):
                found.setdefault(hit.source, []).append(_weighed(hit, weight))
        for words in before[-MOST_BEFORE:]:
            for hit in self.search(f"{words} {question}", k):
                earlier = _weighed(hit, _BEFORE_FACTOR * _known(words))
                kept = found.setdefault(hit.source, [earlier])
                if earlier.relevance_score > max(one.relevance_score for one in kept):
                    found[hit.source] = [earlier]
        pooled = [_pooled(hits) for hits in found.values()]
        return sorted(pooled, key=lambda hit: (-hit.exact, -hit.relevance_score))[:k]

    def look_up(self, law: str, article: str) -> ArticleHit | None:
        """The article itself, by official names; `None` if neither layer nor statutes have it."""
        key = f"{law} {article}"
        document = next((doc for doc in self._index.documents if doc.id == key), None)
        return self._result(Hit(document=document, score=1.0), 1.0) if document else None

    def quotation(self, law: str, article: str) -> str | None:
        """The article word for word with its date, if that statute is loaded."""
        statute = self._statutes.get(law)
        return statute.quotation(article) if statute and f"{law} {article}" in self._articles else None

    def _documents(self) -> list[Document]:
        documents = [_issue_document(issue) for issue in self._issues.values()]
        for statute in self._home_statutes():
            for article in statute.articles:
                if f"{statute.name} {article.number}" not in self._issues and not article.deleted:
                    documents.append(_plain_document(statute, article))
        return documents

    def _home_statutes(self) -> list[Statute]:
        """Statutes of the laws this assistant deals with: a medical law loaded for others is no answer here."""
        bases = {base_law(issue.law) for issue in self._issues.values()}
        return [statute for statute in self._statutes.values() if base_law(statute.name) in bases]

    def _resolve(self, query: str) -> list[str]:
        """Ids of the articles that the question names: 주임법 7조의2, 민법 623조, 시행령 10조."""
        found = []
        for item in find_laws(query):
            reference = item.value
            if reference.article is None:
                continue
            law = reference.law or ("주택임대차보호법" if reference.kind != "법률" or item.confidence >= 0.8 else None)
            if law:
                name = law if reference.kind == "법률" else f"{law} {reference.kind}"
                found.append(f"{name} {reference.article}")
        return found

    def _weigh(self, query: str, hit: Hit) -> float:
        if hit.explanation and hit.explanation.exact:
            return 1.0 + hit.score
        law = str(hit.document.meta["law"])
        score = hit.score
        for field, factor, words in _FIELDS:
            if law.startswith(field):
                score *= _NAMED_FACTOR if words.search(query) else factor
        if law.startswith("주택임대차보호법") and _SHOP.search(query) and not _HOME.search(query):
            score *= _SHOP_HOUSING_FACTOR
        for part, factor, words in _PARTS:
            if part.match(hit.document.id) and not words.search(query):
                score *= factor
        issue = self._issues.get(hit.document.id)
        score *= issue.prior if issue else _PLAIN_FACTOR
        if hit.document.meta["law_kind"] not in ("법률", "안내"):
            score *= _DECREE_FACTOR
        return score

    def _result(self, hit: Hit, score: float) -> ArticleHit:
        meta: Mapping[str, Any] = hit.document.meta
        law, number = str(meta["law"]), str(meta["article"])
        issue = self._issues.get(hit.document.id)
        article = self._articles.get(hit.document.id)
        statute = self._statutes.get(law)
        return ArticleHit(
            law_name=law,
            article=number,
            kind=str(meta["law_kind"]),
            title=(article.title if article else "") or (issue.topic if issue else ""),
            content=issue.gist if issue else (article.text if article else hit.document.text),
            relevance_score=round(min(1.0, score), 4),
            source=f"{law} {number}",
            effective_date=statute.effective if statute else (issue.as_of if issue else ""),
            matched_phrase=hit.explanation.phrase if hit.explanation else None,
            related=issue.related if issue else (),
            conditions=issue.conditions if issue else (),
            calculator=issue.calculator if issue else None,
            quotation=self.quotation(law, number),
            exact=bool(hit.explanation and hit.explanation.exact),
            steps=issue.steps if issue else (),
        )


def _windows(question: str, told: Sequence[str]) -> list[tuple[str, float]]:
    """What to search for, with its weight: few telling words fit anything, and beside a question that says what it is
    about the story counts less."""
    share = _TOLD_FACTOR if len(telling_words(question)) < _SAYS_ITSELF else _BESIDE_FACTOR
    last = [(f"{told[-1]} {question}", 1.0)] if told else []
    weighed: dict[str, float] = {}
    for words, weight in [(question, 1.0), *last, *((words, share) for words in told if telling_words(words))]:
        weighed.setdefault(words, weight * _known(words))
    return list(weighed.items())[:MOST_WINDOWS]


def _known(words: str) -> float:
    """How far words can be relied on to tell what is meant: by how many of them are telling."""
    count = len(telling_words(words))
    return min(1.0, _ONE_WORD + _EACH_WORD * (count - 1)) if count else _NO_WORD


def _weighed(hit: ArticleHit, weight: float) -> ArticleHit:
    return hit if hit.exact else replace(hit, relevance_score=round(hit.relevance_score * weight, 4))


def telling_words(text: str) -> set[str]:
    """The words that tell which matter it is: not sums, nor what any story of a home has (집, 보증금, 집주인)."""
    return set(content_words(reworded(text))) - _setting_words()


def _pooled(hits: Sequence[ArticleHit]) -> ArticleHit:
    """The best of an article's hits, scored by all."""
    ranked = sorted(hits, key=lambda hit: -hit.relevance_score)
    more = sum(hit.relevance_score for hit in ranked[1:3])
    return replace(ranked[0], relevance_score=round(min(1.0, ranked[0].relevance_score + _AGAIN * more), 4))


def _issue_document(issue: Issue) -> Document:
    return Document(
        id=issue.id,
        title=issue.topic,
        text=f"{issue.topic} {issue.gist} {' '.join(issue.conditions)}",
        phrases=issue.phrases,
        meta={"law": issue.law, "law_kind": issue.kind, "article": issue.article},
    )


def reworded(query: str) -> str:
    """The question without sums and rates, which don't tell the law, and with the layer's words for everyday ones."""
    text = query
    spans = [item.span for item in find_money(query, "housing")] + [item.span for item in find_rates(query)]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    text = _ASIDE.sub(" ", text)
    added = [words for pattern, words in _everyday_words() if pattern.search(text)]
    added += [words for pattern, words in _english_words() if pattern.search(text)]
    if len(_HANGUL.findall(text)) < len(text) * _KOREAN_SHARE and added:
        # English is looked up by the words it was given: its own are in no article.
        return " ".join([*re.findall(r"[가-힣]+", text), *added])
    return " ".join([text, *added])


@cache
@data.well_formed("legal_words.toml")
def _everyday_words() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = data.load("legal_words.toml")["words"]
    return tuple((re.compile(pattern), str(words)) for pattern, words in table.items())


@cache
@data.well_formed("legal_words.toml")
def _english_words() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = data.load("legal_words.toml")["english"]
    return tuple((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), str(words)) for pattern, words in table.items())


@cache
@data.well_formed("legal_words.toml")
def _setting_words() -> frozenset[str]:
    return frozenset(str(data.load("legal_words.toml")["setting"]["words"]).split())


def _plain_document(statute: Statute, article: Article) -> Document:
    return Document(
        id=f"{statute.name} {article.number}",
        title=article.title,
        text=article.text,
        meta={"law": statute.name, "law_kind": statute.kind, "article": article.number},
    )


def base_law(law: str) -> str:
    """The law that a decree or rule belongs to, or the law itself."""
    return re.sub(r"(?<!\s)\s*(?:시행령|시행규칙)$", "", law)
