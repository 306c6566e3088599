"""Understanding one message."""

import re
from datetime import date

from madang.assistants.travel.state.slots import Slots
from madang.assistants.travel.understanding.slots.budget import read_budget
from madang.assistants.travel.understanding.slots.budget_checks import ask_basis, total_from_people
from madang.assistants.travel.understanding.slots.chat_spelling import respelled
from madang.assistants.travel.understanding.slots.city_nights import find_shares, keep_fitting_nights, settle_shares
from madang.assistants.travel.understanding.slots.dates import read_dates, set_return_date
from madang.assistants.travel.understanding.slots.destinations import read_destinations
from madang.assistants.travel.understanding.slots.glued_words import respaced
from madang.assistants.travel.understanding.slots.masks import NAME, SUM, masked
from madang.assistants.travel.understanding.slots.party import read_people
from madang.assistants.travel.understanding.slots.preferences import read_preferences, sure_places
from madang.assistants.travel.understanding.slots.questions import next_question
from madang.assistants.travel.understanding.slots.removals import read_removals
from madang.assistants.travel.understanding.slots.side_prices import without_side_prices
from madang.assistants.travel.understanding.slots.slot_update import Draft, SlotUpdate
from madang.assistants.travel.understanding.slots.unknown_cities import refuse_unknown
from madang.text.dates import find_dates
from madang.text.normalise import normalise

_CORRECTS = re.compile(r"^\s?아(?:니|냐)|아니다|잘못|정정|다시\s?(?:할|바꿔)|바꿔|바꿀|변경|말고|수정")
_GLUED = re.compile(r"(?<=[가-힣])(or|vs)(?=[가-힣])", re.IGNORECASE)
_SHORTENED = re.compile(r"(?<=[가-힣])에선(?=\s)")
_FROM = re.compile(r"(?<=[가-힣]{2})(?<![에해와])서(?=\s(?:제일\s)?(?:가까|출발|떠나|뱅기|비행기))")
_DAY_OF_MONTH = re.compile(r"\d\s?월\s?\d{1,2}\s?(?:일|~|-)")
_LONGEST = 1_000
_ASKS = re.compile(r"\?\s*$|어때|뭐야|알려\s?줘|인가요|일까요|차이")


def read_slots(message: str, slots: Slots, today: date, pending_question: str | None = None) -> SlotUpdate:
    """What a message changes in the slots, read in the light of the question it may answer.

    Only the first thousand letters are read: nobody describes a trip in more, and patterns take their time.
    A value out of its range is refused by name and the slot keeps what it had; good values beside it are taken.
    """
    text = _GLUED.sub(r" \1 ", respaced(respelled(normalise(message[:_LONGEST]))))
    text = _FROM.sub("에서", _SHORTENED.sub("에서는", text))
    draft = Draft(slots)
    names = read_destinations(text, draft, pending_question)
    # names hide no numbers and no holidays: 세부 isn't 세, 오설록 isn't 설
    plain = without_side_prices(masked(text, [name.span for name in (*names, *sure_places(text, draft))], NAME))
    shares, plain = find_shares(plain, draft, names)
    read_dates(plain, draft, today, pending_question)
    settle_shares(draft, shares)
    read_people(plain, draft, pending_question)
    read_budget(_without_days(plain, today), draft, pending_question)
    read_preferences(text, draft, names)
    read_removals(plain, draft)
    refuse_unknown(text, draft, names, today, pending_question)
    total_from_people(draft)
    set_return_date(draft)
    keep_fitting_nights(draft)
    ask_basis(draft)
    _general_cues(text, draft)
    changes, removals = draft.changes()
    return SlotUpdate(
        changes=changes,
        removals=removals,
        problems=tuple(draft.problems),
        questions=tuple(draft.questions),
        next_question=next_question(draft.now, draft.problems, draft.questions),
        cues=frozenset(draft.cues),
    )


def _without_days(text: str, today: date) -> str:
    """12월 11~14일 is no sum."""
    days = [item.span for item in find_dates(text, today) if _DAY_OF_MONTH.search(item.text)]
    return masked(text, days, SUM)


def _general_cues(text: str, draft: Draft) -> None:
    if _CORRECTS.search(text):
        draft.cues.add("correction")
    if _ASKS.search(text):
        draft.cues.add("question")
