"""From a question to its meaning (`semantic_query`), without a model.

Conventions: dates are ISO and whole as named (지난달 is the calendar month, 이번 분기 runs to its last day;
최근 3개월 ends today); one value is `eq`, several are `in`, 빼고 is `ne`; rates are fractions; `compare.period` is null
unless the type is `period`; `sort` is null unless an order was asked for; what was not said is null or empty. A
question that is not computed keeps its kind and nothing else.
"""

from madang.assistants.works.tools.meaning.lexicon import Lexicon, Names
from madang.assistants.works.tools.meaning.reading import Reading, read_question

__all__ = ["Lexicon", "Names", "Reading", "read_question"]
