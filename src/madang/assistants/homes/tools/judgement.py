"""A question whether, judged: the rule whose examples it resembles, the case its facts make, the verdict as asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.homes.data.judgement_rules import Case, Rule, Verdict, load_rules
from madang.assistants.homes.tools.judgement_facts import facts_in, holds
from madang.assistants.homes.tools.judgement_question import Form, asks, form_of, plain, said_back, words
from madang.search import Document, HybridIndex
from madang.text.message import Message
from madang.text.morphemes import content_words

# Calibrated on near misses and on questions of other things: see tests and bench/data/homes-verdicts.dev.jsonl.
LEAST_SCORE = 0.5
LEAST_LEAD = 0.015
OTHER_FIELD = 0.8
TOLD_MOST = 4
_CANDIDATES = 8
_OPPOSITE: dict[Verdict, Verdict] = {"yes": "no", "no": "yes", "depends": "depends"}


@dataclass(frozen=True)
class Whether:
    """One question whether with what was told for it, the nearest last."""

    question: str
    told: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join([*self.told, self.question])


@dataclass(frozen=True)
class Judged:
    """A rule applied to a question. `sure` tells whether it is known which way round the question was asked."""

    question: str
    rule: Rule
    verdict: Verdict
    say: str
    because: str
    score: float
    sure: bool
    case: Case | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def questions_in(text: str, today: date) -> list[Whether]:
    """The questions whether of a message, each with the clauses told before it (after it, if nothing was before)."""
    message = Message(plain(text), today)
    clauses = [message.text[slice(*span)] for span in message.clauses]
    asking = [asks(clause) for clause in clauses]
    found = []
    for place, clause in enumerate(clauses):
        if asking[place]:
            told = [one for one, asked in zip(clauses[:place], asking[:place], strict=True) if not asked]
            after = [one for one, asked in zip(clauses[place + 1 :], asking[place + 1 :], strict=True) if not asked]
            found.append(Whether(clause, tuple(told[-TOLD_MOST:] or after[:2])))
    return found


class JudgementTool:
    """The rules, found by the likeness of a question to their examples."""

    def __init__(self, rules: Sequence[Rule] | None = None) -> None:
        self._rules = {rule.id: rule for rule in (load_rules() if rules is None else rules)}
        self._index = HybridIndex.build(_document(rule) for rule in self._rules.values())

    def judge(self, asked: Whether, known: Mapping[str, Any], today: date) -> Judged | None:
        """The judgement of a question; None if no rule is like enough."""
        facts = facts_in(asked.text, known, today)
        ranked = self.ranked(asked, bool(facts.get("shop")))
        if not ranked or ranked[0][0] < LEAST_SCORE:
            return None
        score, rule, phrase = ranked[0]
        case = next((one for one in rule.cases if holds(one.when, facts, asked.text)), None)
        return _judged(asked, rule, case, phrase, score, facts)

    def ranked(self, asked: Whether, is_shop: bool) -> list[tuple[float, Rule, str | None]]:
        """Rules by how like the question is to their examples, with the example that is most like it."""
        best: dict[str, tuple[float, Rule, str | None]] = {}
        for query in _wordings(asked):
            for hit in self._index.search(query, _CANDIDATES):
                rule = self._rules[hit.document.id]
                score = hit.score * (1.0 if rule.of_shop == is_shop else OTHER_FIELD if rule.of_shop else 0.95)
                phrase = hit.explanation.phrase if hit.explanation else None
                if rule.id not in best or best[rule.id][0] < score:
                    best[rule.id] = (score, rule, phrase)
        return sorted(best.values(), key=lambda one: -one[0])


def _document(rule: Rule) -> Document:
    phrases = (*rule.asks, *rule.asks_reversed, rule.act)
    return Document(id=rule.id, title=rule.topic, text=f"{rule.act} {rule.say}", phrases=phrases)


def _wordings(asked: Whether) -> list[str]:
    """The question by itself if it says enough, and with what was told for it."""
    alone = [asked.question] if len(set(content_words(asked.question))) >= 3 or not asked.told else []
    return list(dict.fromkeys([*alone, " ".join([*asked.told[-1:], asked.question]), asked.text]))


def _judged(
    asked: Whether, rule: Rule, case: Case | None, phrase: str | None, score: float, facts: Mapping[str, Any]
) -> Judged:
    """The verdict on the act, turned to the question's own terms."""
    said = case or rule
    form = form_of(asked.question)
    way, sure = _way(form, rule, phrase)
    verdict = said.verdict if way > 0 else _OPPOSITE[said.verdict]
    say = said.say
    if form and sure and verdict != "depends":
        say = said_back(form, (verdict == "yes") == (form.sign > 0)) or say
    return Judged(asked.question, rule, verdict, say, said.because, round(score, 4), sure, case, facts)


def _way(form: Form | None, rule: Rule, phrase: str | None) -> tuple[int, bool]:
    """1 if yes to the question is yes to the rule's act, -1 if it is no to it; and whether that is known."""
    if form is None:
        return 1, False
    ways = _ways(rule)
    own = ways.get((form.lemma, _group(form))) or ways.get((form.lemma, ""))
    if own:
        return own * form.sign, True
    if form.lemma in words("against"):
        return -form.sign, True
    act = form_of(rule.act)
    if act and act.frame in ("may", "let"):
        if form.lemma in words("forbidden"):
            return -form.sign * act.sign, True
        if form.lemma in words("allowed"):
            return form.sign * act.sign, True
    reversed_ = phrase in rule.asks_reversed
    like = form_of(phrase) if phrase else None
    base = (-1 if reversed_ else 1) * (like.sign if like else 1)
    return base * form.sign, False


def _group(form: Form) -> str:
    return "must" if form.frame == "must" else "may"


def _ways(rule: Rule) -> Mapping[tuple[str, str], int]:
    """For each verb of the rule's examples which way it goes; by frame, and without where all frames agree."""
    found: dict[tuple[str, str], set[int]] = {}
    labelled = [(text, 1) for text in (*rule.asks, rule.act)] + [(text, -1) for text in rule.asks_reversed]
    for text, label in labelled:
        if form := form_of(text):
            for group in (_group(form), ""):
                found.setdefault((form.lemma, group), set()).add(label * form.sign)
    return {key: next(iter(ways)) for key, ways in found.items() if len(ways) == 1}
