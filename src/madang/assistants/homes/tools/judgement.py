"""A question whether, judged: the rule whose examples it resembles, the case its facts make, the verdict as asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from madang.assistants.homes.data.judgement_rules import Case, Rule, Verdict, load_rules
from madang.assistants.homes.tools.judgement_facts import facts_in, holds
from madang.assistants.homes.tools.judgement_question import Form, asks, form_of, plain, said_back, table, words
from madang.search import Document, HybridIndex, Methods, Tokenizers
from madang.search import morphemes as search_terms
from madang.text.message import Message
from madang.text.money import find_money
from madang.text.morphemes import content_words
from madang.text.rates import find_rates

# Calibrated on near misses and on questions of other things: see tests and bench/data/homes-verdicts.dev.jsonl.
LEAST_SCORE = 0.5
# Below the second, rules that fit nearly as well must agree, and it must be known which way round is asked.
LEAD, CLEAR_SCORE = 0.06, 0.6
# From here a verdict is said as one; below it is what the nearest case would be.
SURE_SCORE = 0.6
OTHER_FIELD = 0.8
NOT_SHOP = 0.93
# What the question's own words count beside the question with what was told for it.
ALONE = 0.3
_NEAR, _ELSEWHERE = "near:", "elsewhere"
TOLD_MOST = 4
FEWEST_WORDS = 2
_CANDIDATES = 40
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
    """A rule applied to a question. `known` tells whether it is known which way round the question was asked,
    `sure` whether the verdict can be said as one."""

    question: str
    rule: Rule
    verdict: Verdict
    say: str
    because: str
    score: float
    sure: bool
    known: bool
    case: Case | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def questions_in(text: str, today: date) -> list[Whether]:
    """The questions whether of a message, each with the clauses told before it (after it, if nothing was before)."""
    clauses = _clauses(Message(plain(text), today))
    asking = [asks(clause) for clause in clauses]
    found = []
    for place, clause in enumerate(clauses):
        if asking[place]:
            told = [one for one, asked in zip(clauses[:place], asking[:place], strict=True) if not asked]
            after = [one for one, asked in zip(clauses[place + 1 :], asking[place + 1 :], strict=True) if not asked]
            found.append(Whether(clause, tuple(told[-TOLD_MOST:] or after[:2])))
    return found


def _clauses(message: Message) -> list[str]:
    """The clauses of a message, marks that stand alone put to the clause before them."""
    found: list[str] = []
    for start, end in message.clauses:
        words_here = message.text[start:end]
        if found and not any(char.isalnum() for char in words_here):
            found[-1] += words_here
        else:
            found.append(words_here)
    return found


class JudgementTool:
    """The rules, found by the likeness of a question to their examples.

    A rule that the question resembles less than one of its near misses is passed over; so are all rules, if it
    resembles a question of another matter most.
    """

    def __init__(self, rules: Sequence[Rule] | None = None, stored_in: Path | None = None) -> None:
        self._rules = {rule.id: rule for rule in (load_rules() if rules is None else rules)}
        documents = [_document(rule) for rule in self._rules.values()]
        documents += [_others(f"{_NEAR}{rule.id}", rule.near_misses) for rule in self._rules.values()]
        documents.append(_others(_ELSEWHERE, sorted(words("elsewhere"))))
        methods = Methods(tokenizers=Tokenizers(terms=_terms, name="judgements-1"))
        self._index = HybridIndex.kept(stored_in, documents, methods)

    def judge(self, asked: Whether, known: Mapping[str, Any], today: date) -> Judged | None:
        """The judgement of a question; None if no rule is like enough."""
        facts = facts_in(asked.text, known, today)
        ranked = self.ranked(asked, bool(facts.get("shop")))
        if not ranked or ranked[0][0] < LEAST_SCORE:
            return None
        if _says_little(asked):
            return None
        judged = [
            _judged(asked, rule, _case(rule, facts, asked.text), phrase, score, facts)
            for score, rule, phrase in ranked
            if score > ranked[0][0] - LEAD
        ]
        torn = {one.verdict for one in judged} != {judged[0].verdict}
        unclear = torn or not judged[0].known
        return None if unclear and judged[0].score < CLEAR_SCORE else judged[0]

    def apply(
        self, rule: str, question: str, text: str, known: Mapping[str, Any], today: date, *, reverse: bool | None
    ) -> Judged:
        """The judgement by a rule that was chosen. `reverse`: the question asks the rule's act the other way round;
        None: the question's own words tell."""
        asked, chosen = Whether(question, (text,)), self._rules[rule]
        facts = facts_in(asked.text, known, today)
        judged = _judged(asked, chosen, _case(chosen, facts, asked.text), None, 1.0, facts)
        if reverse is None:
            return judged
        said = judged.case or chosen
        verdict = _OPPOSITE[said.verdict] if reverse else said.verdict
        return replace(judged, verdict=verdict, say=said.say, sure=True, known=True)

    def nearest(self, question: str) -> tuple[float, str] | None:
        """The rule most like a question, and how like."""
        ranked = self.ranked(Whether(question), is_shop=False)
        return (ranked[0][0], ranked[0][1].id) if ranked else None

    def fit(self, text: str) -> float:
        """How well the best rule fits a question of a message; 0 below what a judgement needs."""
        scores = [self.ranked(asked, is_shop=False)[:1] for asked in questions_in(text, date.min)[:1]]
        best = max((one[0][0] for one in scores if one), default=0.0)
        return best if best >= LEAST_SCORE else 0.0

    def ranked(self, asked: Whether, is_shop: bool) -> list[tuple[float, Rule, str | None]]:
        """Rules by how like the question is to their examples, with the example that is most like it."""
        scores: dict[str, float] = {}
        phrases: dict[str, str | None] = {}
        for share, wording in _wordings(asked):
            for hit in self._index.search(wording, _CANDIDATES):
                key = hit.document.id
                scores[key] = scores.get(key, 0.0) + share * hit.score
                phrases[key] = (hit.explanation.phrase if hit.explanation else None) or phrases.get(key)
        least = scores.pop(_ELSEWHERE, 0.0)
        found = []
        for key, score in scores.items():
            if (rule := self._rules.get(key)) is not None and score > max(least, scores.get(f"{_NEAR}{key}", 0.0)):
                field_share = 1.0 if rule.of_shop == is_shop else OTHER_FIELD if rule.of_shop else NOT_SHOP
                found.append((score * field_share, rule, phrases[key]))
        return sorted(found, key=lambda one: -one[0])


def _document(rule: Rule) -> Document:
    phrases = (*rule.asks, *rule.asks_reversed, rule.act)
    return Document(id=rule.id, title=rule.topic, text=f"{rule.act} {rule.say}", phrases=_same(phrases))


def _others(key: str, questions: Sequence[str]) -> Document:
    return Document(id=key, text="", phrases=_same(questions))


def _same(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts with one name for each thing: 임대인 is 집주인."""
    return tuple(_named_alike(text) for text in texts)


def _named_alike(text: str) -> str:
    for word, first in table("same").items():
        text = text.replace(word, first)
    return text


def _terms(text: str) -> list[str]:
    alike = table("alike")
    return [alike.get(term, term) for term in search_terms(text)]


def _wordings(asked: Whether) -> list[tuple[float, str]]:
    """The question with what was told for it, and by itself, each with its share in the score."""
    question, *told = _same(_without_sums(one) for one in (asked.question, *asked.told))
    if not told:
        return [(1.0, question)]
    nearest = f"{told[-1]} {question}"
    if len(told) == 1:
        return [(ALONE, question), (1 - ALONE, nearest)]
    return [(ALONE, question), ((1 - ALONE) / 2, nearest), ((1 - ALONE) / 2, " ".join([*told, question]))]


def _says_little(asked: Whether) -> bool:
    """Whether there is too little to go by: a word alone, or nothing but sums and empty verbs."""
    own = set(content_words(_without_sums(asked.question))) - words("empty")
    told = set(content_words(" ".join(asked.told))) - words("empty")
    alone = len(own) < FEWEST_WORDS and asked.question.strip("? ").isalpha()
    return alone or len(own | told) < (FEWEST_WORDS if own else FEWEST_WORDS + 1)


def _without_sums(text: str) -> str:
    """The words without sums and rates, which don't tell what is asked."""
    spans = [item.span for item in find_money(text, "housing")] + [item.span for item in find_rates(text)]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _case(rule: Rule, facts: Mapping[str, Any], text: str) -> Case | None:
    return next((one for one in rule.cases if holds(one.when, facts, text)), None)


def _judged(
    asked: Whether, rule: Rule, case: Case | None, phrase: str | None, score: float, facts: Mapping[str, Any]
) -> Judged:
    """The verdict on the act, turned to the question's own terms."""
    said = case or rule
    form = form_of(asked.question)
    way, known = _way(form, rule, phrase)
    verdict = said.verdict if way > 0 else _OPPOSITE[said.verdict]
    say = said.say
    if form and known and verdict != "depends":
        say = said_back(form, (verdict == "yes") == (form.sign > 0)) or say
    sure = known and score >= SURE_SCORE
    return Judged(asked.question, rule, verdict, say, said.because, round(score, 4), sure, known, case, facts)


def _way(form: Form | None, rule: Rule, phrase: str | None) -> tuple[int, bool]:
    """1 if yes to the question is yes to the rule's act, -1 if it is no to it; and whether that is known."""
    if form is None:
        return 1, False
    ways = _ways(rule)
    own = ways.get((form.lemma, _group(form))) or ways.get((form.lemma, ""))
    kin = table("kin")
    own = own or ways.get((f"~{kin.get(form.lemma, form.lemma)}", _group(form)))
    if own and form.lemma not in words("empty"):
        return own * form.sign, True
    if form.lemma in words("against"):
        return -form.sign, True
    act = form_of(rule.act)
    if act and act.frame in ("may", "let"):
        if form.lemma in words("forbidden"):
            return -form.sign * act.sign, True
        if form.lemma in words("allowed"):
            return form.sign * act.sign, True
    if form.lemma in words("empty") and phrase and (like := form_of(phrase)):
        return (-1 if phrase in rule.asks_reversed else 1) * like.sign * form.sign, False
    # Who may is not who must: a question in the other frame is most often asked from the other side.
    return (1 if act and _group(act) == _group(form) else -1) * form.sign, False


def _group(form: Form) -> str:
    return "must" if form.frame == "must" else "may"


@cache
def _ways(rule: Rule) -> Mapping[tuple[str, str], int]:
    """For each verb of the rule's examples which way it goes; by frame, and without where all frames agree."""
    found: dict[tuple[str, str], set[int]] = {}
    labelled = [(text, 1) for text in (*rule.asks, rule.act)] + [(text, -1) for text in rule.asks_reversed]
    for text, label in labelled:
        asked = next((clause for clause in _clauses(Message(text, date.min)) if asks(clause)), text)
        if form := form_of(asked):
            kin = f"~{table('kin').get(form.lemma, form.lemma)}"
            for key in ((form.lemma, _group(form)), (form.lemma, ""), (kin, _group(form))):
                found.setdefault(key, set()).add(label * form.sign)
    return {key: next(iter(ways)) for key, ways in found.items() if len(ways) == 1}
