"""Narrow questions with their answers: the folder `faq` of an assistant's data, and which of them was asked.

A question is asked in several ways (`ask`). How near a message is to one is told by its letters, its words and what its
words mean; what each way is made of is learnt before (`make readers`) and stored beside the folder as `faq.zip`.
"""

import json
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.resources import files
from io import BytesIO
from typing import Any
from zlib import crc32

from madang.errors import UnreadableData
from madang.text.likeness import data_hash, letter_groups
from madang.text.morphemes import telling
from madang.text.word_vectors import WordVectors

FOLDER, LEARNT = "faq", "faq.zip"
# How letters, words and meanings share in a likeness.
LETTERS, WORDS, MEANING = 0.25, 0.35, 0.4
# How the question itself, the message it stands in, and that after the message before share in what was asked.
QUESTION, MESSAGE, AFTER = 0.45, 0.35, 0.2
# Words that a question must have to count so much by itself.
ENOUGH = 4
# What is left of a likeness to a message of hardly any words, and from how many it is whole.
FEW, MANY = 0.7, 6
# What being about the question's topic adds.
TOPIC = 0.3
# By how many deviations from what is usual a likeness of 1 differs.
DEVIATIONS = 10
# From here a question is surely the one that was asked, from there it may be.
SURE, NEAR = 0.5, 0.34
_LONGEST = 1200
_LEAST_DEVIATION = 0.02
_STEPS = 127
_FOREIGN = 1 << 31


@dataclass(frozen=True, kw_only=True)
class Question:
    """One narrow question: how it is asked, the first being how it is shown; its answer and, if a text was wanted, that
    text. `topic` names the wider topic it belongs to; `about` names of which one must have been said."""

    id: str
    ask: tuple[str, ...]
    answer: str
    as_of: str
    topic: str = ""
    law: tuple[str, ...] = ()
    english: str = ""
    text: str = ""
    about: tuple[str, ...] = ()

    def asked_in(self, language: str) -> str:
        """How it is asked in a language: the first way in Korean, the first in Latin letters in English."""
        latin = (way for way in self.ask if way.isascii())
        return next(latin, self.ask[0]) if language == "en" else self.ask[0]


@dataclass(frozen=True)
class Asked:
    """What is looked for: the question's own words, the message it stands in, and the message before."""

    question: str
    message: str
    before: str = ""


@dataclass(frozen=True)
class Near:
    """A question with how near it is to what was asked, about 0 to 1."""

    question: Question
    score: float


def load_questions(package: str) -> tuple[Question, ...]:
    """The questions of a data package, in the order of the files. Raises `UnreadableData` naming the file."""
    found: list[Question] = []
    folder = files(package).joinpath(FOLDER)
    for item in sorted(folder.iterdir(), key=lambda one: one.name) if folder.is_dir() else ():
        if not item.name.endswith(".toml"):
            continue
        try:
            table = tomllib.loads(item.read_text(encoding="utf-8"))
            stem = item.name.removesuffix(".toml")
            found += [_question(f"{stem}-{at}", table["as_of"], one) for at, one in enumerate(table["question"], 1)]
        except (KeyError, TypeError, ValueError) as error:
            raise UnreadableData(f"{FOLDER}/{item.name} can't be read: {error!r}") from error
    return tuple(found)


def _question(key: str, as_of: str, item: Mapping[str, Any]) -> Question:
    unknown = set(item) - {one.name for one in fields(Question)}
    if unknown or not item["ask"] or not item["answer"].strip():
        raise ValueError(f"{key}: {sorted(unknown) or 'ask or answer'} is wrong")
    return Question(
        id=key,
        as_of=item.get("as_of", as_of),
        topic=item.get("topic", ""),
        ask=tuple(" ".join(one.split()) for one in item["ask"]),
        answer=item["answer"].strip(),
        law=tuple(item.get("law", ())),
        english=item.get("english", "").strip(),
        text=item.get("text", "").strip(),
        about=tuple(item.get("about", ())),
    )


class Faq:
    """The questions, ranked for what was asked. `learnt` is what `learn` made of the same questions."""

    def __init__(self, questions: Sequence[Question], learnt: bytes) -> None:
        self.questions = tuple(questions)
        self._learnt = learnt

    @classmethod
    def packaged(cls, package: str) -> "Faq":
        """The questions of a data package with what was learnt of them. Raises `OSError` if nothing was,
        `UnreadableData` if it was of others."""
        questions, learnt = load_questions(package), files(package).joinpath(LEARNT).read_bytes()
        with zipfile.ZipFile(BytesIO(learnt)) as file:
            about = json.loads(file.read("about.json"))
        if about["data_hash"] != ways_hash(questions):
            raise UnreadableData(f"{package}: {LEARNT} was learnt of other questions; `make readers` learns it anew")
        return cls(questions, learnt)

    @cached_property
    def version(self) -> str:
        """Changes when an answer or a way to ask does."""
        return data_hash([(f"{one.answer}{one.english}{one.text}", one.ask) for one in self.questions])

    def find(self, key: str) -> Question | None:
        """The question of that id."""
        return next((one for one in self.questions if one.id == key), None)

    def near(
        self,
        asked: Asked,
        topics: Mapping[str, float] | None = None,
        k: int = 3,
        only: Callable[[Question], bool] | None = None,
    ) -> list[Near]:
        """The `k` nearest questions, best first. `topics` says how much the message is about each topic."""
        import numpy as np

        telling_much = min(1.0, len(_words(asked.question)) / ENOUGH)
        parts = [(QUESTION * telling_much, asked.question), (MESSAGE, asked.message)]
        if asked.before:
            parts.append((AFTER, f"{asked.before} {asked.message}"))
        parts = [(share, text[-_LONGEST:]) for share, text in parts if text.strip()]
        if not parts or not self.questions:
            return []
        whole = sum(share for share, _ in parts)
        rows = sum(share / whole * self._ways.alike(text) for share, text in parts)
        # A few words are like many questions.
        fewness = min(1.0, FEW + (1 - FEW) * len(_words(asked.message)) / MANY)
        scores = fewness * np.maximum.reduceat(rows, self._starts)
        if self._ways.usual is not None:
            scores = (scores - self._ways.usual[0]) / self._ways.usual[1] / DEVIATIONS
        if topics:
            scores = scores + TOPIC * np.array([max(0.0, topics.get(one.topic, 0.0)) for one in self.questions])
        found: list[Near] = []
        for place in np.argsort(-scores, kind="stable").tolist():
            if len(found) == k:
                break
            one = self.questions[place]
            if only is None or only(one):
                found.append(Near(one, round(float(scores[place]), 3)))
        return found

    def usually_like(self, messages: Sequence[str]) -> Any:
        """How like each question is to messages: in the middle, and how much that differs."""
        import numpy as np

        alike = np.array([np.maximum.reduceat(self._ways.alike(one[-_LONGEST:]), self._starts) for one in messages])
        return np.array([alike.mean(axis=0), alike.std(axis=0) + _LEAST_DEVIATION], dtype=np.float32)

    @cached_property
    def _ways(self) -> "_Ways":
        return _Ways.loaded(self._learnt)

    @cached_property
    def _starts(self) -> Any:
        import numpy as np

        return np.cumsum([0, *(len(one.ask) for one in self.questions[:-1])])


def ways_hash(questions: Iterable[Question]) -> str:
    """What changes when a way to ask does."""
    return data_hash([(way, [one.topic]) for one in questions for way in one.ask])


def learn(questions: Sequence[Question], messages: Sequence[str] = ()) -> bytes:
    """What each way to ask is made of, packed. With messages also how like them each question usually is: some
    questions are a little like everything."""
    import numpy as np

    texts = [way for one in questions for way in one.ask]
    words = [_words(text) for text in texts]
    letters = [np.flatnonzero(letter_groups(text)) for text in texts]
    vectors = WordVectors.learn(number for row in words for number in row)
    said = np.concatenate([np.array(row, dtype=np.uint32) for row in words])
    ends = np.cumsum([len(row) for row in words]).astype(np.uint32)
    rarity, otherwise = _Rows(said, ends).rarities()
    meanings = np.array([vectors.meaning(row, rarity, otherwise) for row in words])
    numbers = {
        "letters": np.concatenate(letters).astype(np.uint16),
        "letter_ends": np.cumsum([len(row) for row in letters]).astype(np.uint32),
        "words": said,
        "word_ends": ends,
        "meanings": np.round(meanings * _STEPS).astype(np.int8),
        "centre": vectors.centre,
        "basis": vectors.basis.astype(np.float32),
        "anchors": np.array(vectors.anchors, dtype=np.uint32),
    }
    packed = _packed(numbers, ways_hash(questions), len(texts))
    if messages:
        numbers["usual"] = Faq(questions, packed).usually_like(messages)
    return _packed(numbers, ways_hash(questions), len(texts))


def _packed(numbers: Mapping[str, Any], of: str, size: int) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        about = json.dumps({"data_hash": of, "size": size})
        for name, content in {"about.json": about.encode(), **{k: v.tobytes() for k, v in numbers.items()}}.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


class _Rows:
    """Rows of tokens, each weighted by its rarity and the row's length."""

    def __init__(self, tokens: Any, ends: Any) -> None:
        import numpy as np

        known, places = np.unique(tokens, return_inverse=True)
        often = np.bincount(places)
        self.rarity = np.log(1 + len(ends) / (1 + often)).astype(np.float32)
        self.known = {int(token): at for at, token in enumerate(known.tolist())}
        self._places = places
        self._starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        self._empty = np.diff(np.concatenate([[0], ends])) == 0
        self._lengths = np.sqrt(np.maximum(self._summed(self.rarity**2), 1e-9))

    def rarities(self) -> tuple[Mapping[int, float], float]:
        """How rare each token is, and what isn't there at all."""
        return self._rarities, max(self._rarities.values(), default=1.0)

    @cached_property
    def _rarities(self) -> Mapping[int, float]:
        return {token: float(self.rarity[place]) for token, place in self.known.items()}

    def _summed(self, by_token: Any) -> Any:
        import numpy as np

        values = np.append(by_token[self._places], np.float32(0))
        return np.where(self._empty, 0, np.add.reduceat(values, self._starts))

    def alike(self, tokens: Iterable[int]) -> Any:
        """The cosine of each row with a text of these tokens."""
        import numpy as np

        query = np.zeros(len(self.known), dtype=np.float32)
        for token in set(tokens):
            if (place := self.known.get(token)) is not None:
                query[place] = self.rarity[place] ** 2
        length = float(np.sqrt(query.sum())) or 1.0
        return self._summed(query) / (self._lengths * length)


@dataclass(frozen=True)
class _Ways:
    """Every way to ask, in the questions' order."""

    letters: _Rows
    words: _Rows
    meanings: Any
    vectors: WordVectors
    usual: Any = None

    @classmethod
    def loaded(cls, packed: bytes) -> "_Ways":
        import numpy as np

        with zipfile.ZipFile(BytesIO(packed)) as file:
            size = json.loads(file.read("about.json"))["size"]

            def numbers(name: str, kind: Any) -> Any:
                return np.frombuffer(file.read(name), dtype=kind)

            anchors = numbers("anchors", np.uint32)
            vectors = WordVectors(
                tuple(anchors.tolist()),
                numbers("centre", np.float32),
                numbers("basis", np.float32).reshape(len(anchors), -1),
            )
            return cls(
                _Rows(numbers("letters", np.uint16), numbers("letter_ends", np.uint32)),
                _Rows(numbers("words", np.uint32), numbers("word_ends", np.uint32)),
                numbers("meanings", np.int8).reshape(size, -1).astype(np.float32) / _STEPS,
                vectors,
                numbers("usual", np.float32).reshape(2, -1) if "usual" in file.namelist() else None,
            )

    def alike(self, text: str) -> Any:
        """How near a text is to each way."""
        import numpy as np

        words = _words(text)
        meaning = self.vectors.meaning(words, *self.words.rarities())
        return (
            LETTERS * self.letters.alike(np.flatnonzero(letter_groups(text)).tolist())
            + WORDS * self.words.alike(words)
            + MEANING * (self.meanings @ meaning)
        )


def _words(text: str) -> list[int]:
    """The numbers of a text's telling words; of foreign ones, which have none, one of their letters."""
    return sorted(
        {_FOREIGN | crc32(one.form.lower().encode()) >> 1 if one.tag == "SL" else one.number for one in telling(text)}
    )
