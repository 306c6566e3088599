"""A message or letter, written from what was told; what is not known stays a named blank."""

from datetime import date, timedelta
from typing import Annotated, Any

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import LeaseFacts, LetterRequest
from madang.assistants.homes.state.teams import LetterDraft
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.letters import AGREEMENT, GENERAL, composed, day_in_words, noted, write
from madang.assistants.homes.tools.situation_figures import contract_end
from madang.graph import At, Context, Reads, Writes, agent

DAYS = 14
LEAST_RENT = 100_000


class LetterFields(Reads):
    letter_request: LetterRequest
    lease_facts: LeaseFacts | None
    deposit: int | None
    monthly_rent: int | None
    contract_end: str | None
    said: list[str] | None


class LetterWritten(Writes):
    letter: Annotated[LetterDraft, At("team_results.document.letter")]


@agent(
    team="document",
    agent_name="document_team",
    task="문자·내용증명 초안",
    description="들은 내용으로 보낼 글을 씀",
    timeout=15,
)
async def letter(wanted: LetterFields, ctx: Context[HomesServices]) -> LetterWritten:
    asked = wanted.letter_request
    values, says = _values(wanted, ctx.today), asked.get("says") or []
    if asked["kind"] in (GENERAL, AGREEMENT) and says:
        to, matter = asked.get("to", ""), asked.get("matter", "")
        made = composed(asked["kind"], says, to, matter, values, short=asked["short"])
    else:
        made = write(asked["kind"], values, ctx.today, short=asked["short"], says=says)
    ctx.source("letter", tool="letters", source=made.article or None)
    return {
        "letter": {
            "title": made.title,
            "text": made.text,
            "open": list(made.open),
            "article": made.article or None,
            "short": asked["short"],
            "wishes": asked["wishes"],
        }
    }


def _values(wanted: LetterFields, today: date) -> dict[str, str]:
    asked, facts = wanted.letter_request, wanted.lease_facts or {}
    due = asked["deadline"] or (today + timedelta(days=DAYS)).isoformat()
    end = facts.get("end_date") or wanted.contract_end or contract_end(wanted.said or [], today)
    return {
        "sender": asked["sender"] or "",
        "receiver": asked["receiver"] or "",
        "address": str(facts.get("address") or ""),
        "deposit": _sum(wanted.deposit or facts.get("old_deposit")),
        "rent": _sum(_rent(wanted.monthly_rent) or _rent(facts.get("old_rent"))),
        "cost": _sum(facts.get("cost") or asked.get("amount")),
        "arrears": str(facts.get("arrears") or ""),
        "end_date": day_in_words(end) if end else "",
        "deadline": day_in_words(due),
        "until": day_in_words(asked["deadline"]) if asked["deadline"] else "",
        "today": day_in_words(today.isoformat()),
        "told": ", ".join(noted(text) for text in asked["told"]) + ("." if asked["told"] else ""),
    }


def _rent(amount: Any) -> int | None:
    """A month's rent, if it can be one."""
    return int(amount) if amount and int(amount) >= LEAST_RENT else None


def _sum(amount: Any) -> str:
    return won(int(amount)) if amount else ""
