"""The fixed words of an answer, and what articles say, in English: for those who asked in it."""

import re
from collections.abc import Sequence

from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.data.legal_issues import in_english
from madang.assistants.homes.state.conversation import LegalQuestion
from madang.assistants.homes.state.results import LegalResult
from madang.assistants.homes.state.supervisor import ResponseSection
from madang.text.blocks import spaced

_ARTICLE = re.compile(r"제(\d+)조(?:의(\d+))?(?:제\d+항)?")


def law(shown: Sequence[LegalResult]) -> str:
    """What the articles say, those first that are told in English."""
    if not shown:
        return _text("not_found")
    told = [item for item in shown if item["source"] in in_english()["gists"]] or list(shown[:1])
    return "\n".join(f"- {_said(item)}" for item in told[:2]) if len(told) > 1 else _said(told[0])


def each(questions: Sequence[LegalQuestion], articles: Sequence[LegalResult]) -> str:
    """Each question with what answers it; an article that answers two is told once."""
    lines: list[str] = []
    seen: set[str] = set()
    for number, question in enumerate(questions):
        mine = to_show([item for item in articles if number in item.get("answers", ())])
        best = next((item for item in mine if item["source"] in in_english()["gists"]), next(iter(mine), None))
        asked = " ".join(question["question"].split())
        if best is None:
            lines.append(f"- **{asked}** {_text('no_article')}")
        elif best["source"] in seen:
            lines.append(f"- **{asked}** {_text('as_above').format(source=best['source'])}")
        else:
            seen.add(best["source"])
            lines.append(f"- **{asked}** {_said(best)}")
    return "\n".join(lines)


def titled(parts: Sequence[ResponseSection], articles: Sequence[LegalResult]) -> list[ResponseSection]:
    """The sections of an answer under English titles, what to do in English where it is known."""
    titles = {"legal": "articles", "next": "steps", "notes": "notes"}
    steps = [line for item in to_show(articles) for line in in_english()["steps"].get(item["source"], ())]
    made: list[ResponseSection] = []
    for part in parts:
        title = _text(titles[part["type"]]) if part["type"] in titles else part["title"]
        content = part["content"]
        if part["type"] == "next" and steps:
            content = spaced(f"- {line}" for line in steps[:5])
        if part["type"] == "notes":
            content = f"- {_text('summary_note')}"
        made.append({**part, "title": title, "content": content})
    return made


def citation(source: str) -> str:
    """민법 제618조 as Civil Act Art. 618; a law whose English name we don't have keeps its own."""
    law, _, number = source.rpartition(" ")
    article = _ARTICLE.fullmatch(number)
    if not article:
        return source
    of = "-".join(part for part in article.groups() if part)
    return f"{in_english()['laws'].get(law, law)} Art. {of}"


def _said(item: LegalResult) -> str:
    gist = in_english()["gists"].get(item["source"]) or item.get("summary") or item["content"]
    return _text("says").format(source=item["source"], gist=gist)


def _text(name: str) -> str:
    return str(in_english()["texts"][name])
