"""Legal citations in a text: articles of laws, laws by name, court decisions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from madang.text.laws import LawRef, find_laws

_DECISION = re.compile(
    r"(?<!\d)(?:19|20)?\d{2}\s?(?:가합|가단|가소|나|다카|다|라|마|카합|구합|구단|누|두|노|도|고합|고단|헌가|헌나|헌다|헌라|헌마|헌바)\s?\d{2,7}(?!\d)"
)
# Laws that our table doesn't have: quoted, before an article, or a word that can only be a law's name.
_QUOTED = re.compile(r"[「『]([^」』]{2,60})[」』]")
_BEFORE_ARTICLE = re.compile(r"([가-힣]{2,30}(?:법률|법|시행령|시행규칙|조례|규정))\s?(?:상|의)?\s?$")
_LAW_WORD = re.compile(
    r"(?<![가-힣])[가-힣]{2,30}(?:에관한법률|보호법|특별법|특례법|거래법|기본법|관리법|규제법|처벌법|촉진법|지원법|등기법|소득세법|"
    r"소송법|집행법|건축법|금지법|방지법|주택법|교통법)(?![가-힣]{3})"
)
_SAME = re.compile(r"(?:같은|동|위|이)\s?법\s?$")


@dataclass(frozen=True)
class Citation:
    """What is cited: a law (without blanks) and its article, or a court decision."""

    text: str
    span: tuple[int, int]
    law: str | None = None
    article: str | None = None
    paragraph: int | None = None
    decision: str | None = None


def find_citations(text: str, law: str | None = None) -> list[Citation]:
    """Every citation in `text`, in order. `law` is the one spoken of before, which "같은 법 제6조" and "제6조" mean."""
    found = [_decision(match) for match in _DECISION.finditer(text)]
    taken = [citation.span for citation in found]
    current = law
    for item in find_laws(text):
        if _overlaps(item.span, taken):
            continue
        citation = _cited(text, item.span, item.value)
        named = _BEFORE_ARTICLE.search(text, 0, item.span[0]) if not _names_law(item.text) else None
        if named and not _SAME.search(text, 0, item.span[0]):
            citation = replace(
                citation,
                law=_plain(named[1]),
                span=(named.start(), item.span[1]),
                text=text[named.start() : item.span[1]],
            )
        elif not _names_law(item.text):
            citation = replace(citation, law=current)
        current = citation.law or current
        found.append(citation)
        taken.append(citation.span)
    for pattern, group in ((_QUOTED, 1), (_LAW_WORD, 0)):
        for match in pattern.finditer(text):
            if not _overlaps(match.span(), taken) and (
                group == 0 or _plain(match[1]).endswith(("법", "법률", "령", "규칙"))
            ):
                found.append(Citation(match.group(), match.span(), law=_plain(match[group])))
                taken.append(match.span())
    return sorted(found, key=lambda citation: citation.span)


def is_cited(claim: Citation, allowed: Iterable[Citation]) -> bool:
    """Whether something allowed covers the claim: a whole article covers its paragraphs, any article its law."""
    return any(_covers(source, claim) for source in allowed)


def _covers(source: Citation, claim: Citation) -> bool:
    if claim.decision or source.decision:
        return claim.decision == source.decision
    if claim.law is not None and source.law != claim.law:
        return False
    if claim.article is None:
        return claim.law is not None
    return source.article == claim.article and (source.paragraph is None or claim.paragraph in {None, source.paragraph})


def _cited(text: str, span: tuple[int, int], reference: LawRef) -> Citation:
    law = _plain(reference.law) if reference.law else None
    if law and reference.kind in {"시행령", "시행규칙"} and not law.endswith(reference.kind):
        law += reference.kind
    return Citation(text[slice(*span)], span, law, reference.article, reference.paragraph)


def _decision(match: re.Match[str]) -> Citation:
    return Citation(match.group(), match.span(), decision=_plain(match.group()))


def _names_law(text: str) -> bool:
    """Whether a citation says its own law, or is a decree of the law before it."""
    return not re.match(r"\s*(?:제\s?)?[\d일이삼사오육칠팔구십백]+\s?조", text)


def _plain(name: str) -> str:
    return re.sub(r"\s", "", name)


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)
