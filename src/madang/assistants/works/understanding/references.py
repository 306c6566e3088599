"""Who and what is meant without being named: me and my team, the lowest of those shown, the others' average."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from madang.assistants.works.state.documents import LastResult
from madang.assistants.works.state.semantic_query import Dimension, Filter, SemanticQuery
from madang.assistants.works.understanding.meaning import Said
from madang.graph.reading import Claim, Heard

PEERS = re.compile(
    r"(?:다른|나머지|전체|타)?\s?(?P<who>팀원|담당자|사람|직원|애들|동료|지점|거래처|팀)?들?\s?평균(?:이랑|과|하고|보다|대비|에\s?비해)"
)
RANKED = re.compile(r"몇\s?(?:위|등|번째)")
_AMONG = re.compile(r"그\s?중|이\s?중|여기서|거기서|그\s?표에서|이\s?표에서|위\s?표에서")
_LOWEST = re.compile(r"(?:제일|젤|가장|최)\s?(?:낮|적|못|하위|저조|작)|꼴찌|꼴등|최하위|마지막|맨\s?아래")
_HIGHEST = re.compile(r"(?:제일|젤|가장|최)\s?(?:높|많|잘|상위|큰)|1등|일등|1위|일위|첫\s?번째|맨\s?위")
_ASKS_OWN = re.compile(
    r"(?<![가-힣])(?:저|제|내|나|제가|내가)(?:는|의|가)?\s?(?:(?:이번|지난|올해|작년|최근|오늘|어제|\d{1,2}월)\S{0,4}\s?){0,2}(?:매출|실적|방문|목표|달성|판매|성적)"
)
_GLUED = re.compile(r"(?:내|제|저|나의)\s?(?:실적|매출|방문|목표|달성률|성적)")
_SINGLED = re.compile(r"꼴찌|꼴등|최하위|일등|1등|최상위")
OWN_WORD = re.compile(r"(?<![가-힣])(?:내|제|저|나|내꺼|제꺼|저의|나의)(?:가|는|의|꺼|거|도)?(?=\s|$|[?.,])")
OUR_WORD = re.compile(r"(?:우리|저희)\s?(?P<unit>팀|지점|지사|영업소|부서)")
_UNITS = {"팀": "team", "부서": "team", "지점": "branch", "지사": "branch", "영업소": "branch"}
_ENTITY = (
    "rep",
    "customer",
    "product",
    "branch",
    "team",
    "region",
    "product_class",
    "customer_type",
    "specialty",
    "grade",
)


@dataclass(frozen=True)
class Mine:
    """What "my" came to: a filter, or that nobody knows who this is."""

    filters: tuple[Filter, ...] = ()
    unknown: bool = False
    claims: tuple[Claim, ...] = ()


def asks_own(text: str) -> bool:
    """Whether the writer's own figures are asked for in so many words: 내 실적, 제 이번 달 매출."""
    return _GLUED.match(text.strip()) is not None or _ASKS_OWN.search(text) is not None


def mine_of(heard: Heard, said: Said, linked: Mapping[str, str] | None) -> Mine:
    """The filter that 내, 우리 팀 stand for. A name beside it ("우리 강북지점") says it already."""
    text = said.text
    named = {one["field"] for one in said.filters}
    our, own = OUR_WORD.search(text), OWN_WORD.search(text)
    if own and not any(role.name == "mine" for role in heard.roles) and not _ASKS_OWN.search(text):
        own = None
    own = own or _GLUED.match(text.strip())
    found = our or own
    said_so = tuple(heard.claim(role.span, "asked.condition", None, "examples") for role in heard.roles_of("mine"))
    beside = named & {"rep", "team", "branch", "region"}
    if found is None or re.match(r"\s?말고", text[found.end() :]) or beside:
        return Mine(claims=said_so if found or beside else ())
    field = _UNITS[our["unit"]] if our else "rep"
    claim = heard.claim(found.span(), f"asked.{field}", None, "parser")
    if linked is None or not linked.get(field):
        return Mine(unknown=True, claims=(claim,))
    value = linked[field]
    known = heard.claim(found.span(), f"asked.{field}", value, "parser")
    return Mine(({"field": field, "op": "eq", "value": value},), claims=(known,))


def among(heard: Heard, last: LastResult | None) -> tuple[Filter, Claim] | None:
    """The one of the rows shown last that "그중 제일 낮은 사람" means, with the words that say so."""
    text = heard.message.text
    pointing = _AMONG.search(text)
    ranked = _LOWEST.search(text) or _HIGHEST.search(text)
    pointing = pointing or _SINGLED.search(text)
    if not last or not last["rows"] or pointing is None or ranked is None:
        return None
    query = last["query"]
    names = [name for name in query["dimensions"] if name in _ENTITY]
    if not names or not query["metrics"]:
        return None
    metric = query["metrics"][0]
    rows = [row for row in last["rows"] if isinstance(row.get(metric), int | float)]
    if not rows:
        return None
    pick = min if _LOWEST.search(text) else max
    row = pick(rows, key=lambda one: cast(float, one[metric]))
    value = str(row[names[-1]])
    span = (pointing.start(), max(pointing.end(), ranked.end()))
    return {"field": names[-1], "op": "eq", "value": value}, heard.claim(span, f"asked.{names[-1]}", value, "parser")


def with_peers(query: SemanticQuery) -> tuple[SemanticQuery, Filter] | None:
    """The same figures for everyone beside the one that is talked of, and that one."""
    singled = [one for name in _ENTITY for one in query["filters"] if one["field"] == name and one["op"] == "eq"]
    if not singled:
        return None
    focus = singled[0]
    field = cast(Dimension, focus["field"])
    filters = [one for one in query["filters"] if one is not focus]
    metric = query["metrics"][0]
    everyone: SemanticQuery = {
        **query, "dimensions": [field], "filters": filters, "compare": None,
        "sort": {"by": metric, "order": "desc"}, "limit": None,
    }  # fmt: skip
    return everyone, focus
