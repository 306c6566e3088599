"""An assistant for the page's tests: it can be held at a gate, asks, wants approval, and shows figures."""

import asyncio
import os
from pathlib import Path
from typing import Any

from madang import Answer, Assistant, AssistantState, Context, StepRequest, Understanding, Writes, agent
from madang.graph import Ask, NeedsInput

ANSWER = """네, **5%까지는** 가능합니다. 다만 1년 안에는 다시 올릴 수 없습니다.

### 따져 볼 것
- 계약을 갱신할 때만 그렇습니다
- `전월세 전환`은 따로 계산합니다

| 보증금 | 인상 | 합계 |
|---|---|---|
| 400,000,000원 | 20,000,000원 | 420,000,000원 |

<script>window.broken = true</script> <img src=x onerror="window.broken = true">
"""


EVIL = '<img src=x onerror="window.broken = true"><script>window.broken = true</script>'
TRAP = {
    "document": {"document_id": "none", "title": EVIL, "formats": [EVIL]},
    "charts": [{"type": "bar", "title": EVIL, "note": EVIL, "data": {"labels": [EVIL], "values": [1], "unit": EVIL}}],
    "tables": [{"columns": [{"name": "a", "label": EVIL, "unit": ""}], "rows": [{"a": EVIL}]}],
    "files": [{"filename": EVIL, "content": EVIL}],
    "metadata": {"sources": [f"{EVIL} 1", {"title": f"{EVIL} 2", "as_of": EVIL, "content": EVIL}]},
    "choices": [EVIL, {"label": EVIL, "value": EVIL}],
}
LINKS = "[누르세요](javascript:window.broken=true) [자료](data:text/html,x) <https://example.com/?a=1&b=2> [법](https://law.example/7)"


class Law(Writes):
    law: str


class Price(Writes):
    price: str


class Report(Writes):
    report: str


class Contract(Writes):
    contract: str


class Yard(AssistantState, Law, Price, Report, Contract, total=False):
    topic: str


async def gate() -> None:
    """Wait until the test opens the gate, if there is one."""
    place = os.environ.get("MADANG_TEST_GATE")
    while place and not Path(place).exists():
        await asyncio.sleep(0.02)


@agent(task="법률 정보 검색")
async def law(topic: str, ctx: Context) -> Law:
    ctx.progress(40, "읽는 중")
    return {"law": "주택임대차보호법 제7조"}


@agent(task="시세 분석")
async def price(topic: str, ctx: Context) -> Price:
    ctx.progress(62, "비교하는 중")
    await gate()
    return {"price": "4억"}


@agent(task="보고서 작성")
async def report(law: str, price: str) -> Report:
    return {"report": f"{law} · {price}"}


@agent(task="계약서 초안")
async def draft(topic: str, ctx: Context) -> Contract | NeedsInput:
    if "ok" not in ctx.answers:
        draft = {"임대인": "김마당", "보증금": 400_000_000, "특약": "반려동물 **협의**", EVIL: EVIL}
        return NeedsInput(questions=(Ask(id="ok", question="이대로 계약서를 쓸까요?", kind="approval", draft=draft),))
    return {"contract": f"결정: {ctx.answers['ok']['decision']}"}


async def understand(state: Any, _ctx: Any) -> Understanding:
    query = state["query"]
    if "위험" in query:
        return Understanding(answer=Answer(answer=f"{EVIL}\n\n# {EVIL}\n\n- {EVIL}\n\n{LINKS}", structured_data=TRAP))
    if "계약서" in query:
        return Understanding(update={"topic": "계약서"}, steps=[StepRequest("draft")], intent="draft")
    if "전세" not in query:
        choices = ["전세금 5% 인상 가능해?", "계약서 써 줘"]
        return Understanding(
            answer=Answer(type="clarification", answer="무엇이 궁금하세요?", structured_data={"choices": choices})
        )
    return Understanding(update={"topic": query}, steps=[StepRequest("report")], intent="legal", confidence=0.9)


async def respond(state: Any, ctx: Any) -> Answer:
    if state["topic"] == "계약서":
        return Answer(answer=state["contract"])
    for part in ANSWER.split(" "):
        ctx.token(part + " ")
    months = ["1월", "2월", "3월", "4월"]
    charts = [
        {
            "type": "line_chart",
            "title": "마포구 전세 시세",
            "data": {"labels": months, "values": [3.8e8, 3.9e8, 4.05e8, 4.2e8], "unit": "원"},
        },
        {
            "type": "bar_chart",
            "title": "구별 평균",
            "data": {"labels": ["마포구", "은평구"], "values": [4.2e8, 3.1e8], "unit": "원"},
        },
    ]
    metadata = {"sources": ["주택임대차보호법 제7조", {"title": "전월세 실거래가", "as_of": "2026-10-01"}]}
    data = {
        "charts": charts,
        "metadata": metadata,
        "table": [{"동": "합정", "전세": 410_000_000}, {"동": "망원", "전세": 380_000_000}],
    }
    return Answer(answer=ANSWER, structured_data=data, data={"streamed": True})


assistant = Assistant(
    name="yard",
    title="홈즈냥즈 마당",
    description="전세와 계약을 묻는 시험용 도우미",
    greeting="전세, 월세, 계약서에 대해 물어보세요.",
    examples=("전세금 5% 인상 가능해?", "계약서 써 줘"),
    state=Yard,
    inputs=("topic",),
    agents=(law, price, report, draft),
    understand=understand,
    respond=respond,
)
