"""A company's flat export, as its order system writes it: loaded with a guessed mapping, then asked."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import CHECKOUT, Row

COMPANY = "exporter"
TODAY = date(2026, 3, 11)
QUESTION = "작년 지점별 매출 알려줘"
HEADINGS = (
    "전표일자,전표번호,지점,팀,담당자,거래처코드,거래처명,거래처구분,지역,"
    "품목코드,품목명,품목분류,수량,단가,공급가액,부가세,비고"
)
BAD = ("날짜", "금액", "따옴표", "글자", "칸")
BRANCHES = ("강남지점", "강북지점", "부산지점", "대구지점", "광주지점", "대전지점")
KINDS = ("상급종합", "종합병원", "병원", "의원", "약국")
CLASSES = ("소화기제", "순환기제", "항생제", "비뇨기제", "피부과제")


@dataclass
class Export:
    """What was written: sums by branch and year of the good rows, and the lines that are bad, with what is in them."""

    by_branch: dict[tuple[str, int], int] = field(default_factory=dict)
    bad: dict[int, str] = field(default_factory=dict)
    rows: int = 0


def write_export(path: Path, count: int, seed: int = 11) -> Export:
    """A cp949 file of `count` good rows, a few bad ones between them, a title above and a total below."""
    rng, made = random.Random(seed), Export(rows=count)
    with path.open("wb") as opened:
        opened.write(f"매출 상세 내역 (조회일 {TODAY})\r\n\r\n{HEADINGS}\r\n".encode("cp949"))
        line = 3
        for index in range(count):
            line += 1
            if index % (count // 5) == count // 10:
                made.bad[line] = BAD[index * 5 // count]
                opened.write(_bad_row(rng, index, made.bad[line]))
                line += 1
            cells, branch, day, amount = _sale(rng, index)
            made.by_branch[branch, day.year] = made.by_branch.get((branch, day.year), 0) + amount
            opened.write((",".join(cells) + "\r\n").encode("cp949"))
        opened.write(f"합계{',' * 14}{sum(made.by_branch.values())},,\r\n".encode("cp949"))
    return made


def _sale(rng: random.Random, index: int) -> tuple[list[str], str, date, int]:
    customer, product = rng.randrange(4000), rng.randrange(60)
    rep, kind = customer % 48, KINDS[customer % 5]
    branch = BRANCHES[rep % 6]
    day = date(2024, 1, 1) + timedelta(days=rng.randrange(800))
    quantity, price = rng.randrange(1, 40), 1000 + 100 * product
    amount = quantity * price
    who = [branch, f"{rep % 12 + 1}팀", f"담당{rep:02d}", f"C{customer:05d}", f"푸른{customer}{kind}", kind, "서울"]
    what = [str(9000 + product), f"시험{product}정", CLASSES[product % 5], str(quantity), str(price)]
    sums = [f'"{amount:,}"' if index % 3 else str(amount), str(amount // 10), ""]
    return [f"{day:%Y.%m.%d}", f"S{index // 4:07d}", *who, *what, *sums], branch, day, amount


def _bad_row(rng: random.Random, index: int, why: str) -> bytes:
    cells = _sale(rng, index)[0]
    changes = {"날짜": (0, "2025.02.30"), "금액": (14, "천원"), "따옴표": (16, '"비고')}
    if why in changes:
        at, text = changes[why]
        cells[at] = text
    return (
        (",".join(cells[:12] if why == "칸" else cells)).encode("cp949") + (b"\xff" if why == "글자" else b"") + b"\r\n"
    )


def load_export(path: Path, data: Path) -> tuple[dict[str, Any], float, float]:
    """What `madang data load sales --guess --load` reports, the seconds it took and its largest memory in MB."""
    command = ["data", "load", "sales", str(path), "--guess", "--company", COMPANY, "--load", "--skip-bad", "--json"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "madang", *command],
        env={**os.environ, "MADANG_DATA_DIR": str(data)},
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _pid, status, usage = os.wait4(process.pid, 0)
    with suppress(ChildProcessError):
        process.wait()
    if status:
        raise RuntimeError(f"madang data load sales ended with {status}: {output}")
    return json.loads(output), time.perf_counter() - started, usage.ru_maxrss / 1000


async def ask(data: Path, text: str) -> tuple[dict[str, Any], float]:
    """The state after a question to works, by someone of the company; and the seconds it took."""
    from langchain_core.messages import HumanMessage
    from langgraph.checkpoint.memory import InMemorySaver

    from madang.assistants.works.graph import assistant
    from madang.assistants.works.services import WorksServices
    from madang.graph import Deployment, TurnContext, build

    services = WorksServices(Deployment(data_dir=data))
    graph = build(assistant, InMemorySaver())
    given = {"query": text, "session_id": "s", "request_id": "r", "messages": [HumanMessage(text)]}
    context = TurnContext(today=TODAY, services=services, company_id=COMPANY, user_id=1)
    started = time.perf_counter()
    state = await graph.ainvoke(given, {"configurable": {"thread_id": "s"}}, context=context)
    took = time.perf_counter() - started
    services.warehouse.close()
    return dict(state), took


def answered(state: dict[str, Any]) -> dict[str, int]:
    """Sales by branch, as the turn computed them."""
    found = state["data_analysis"]["raw_data"]
    return {row["branch"]: row["sales_amount"] for row in found}


def sales_load() -> list[Row]:
    """Loaded by the command in a process of its own, with a guessed mapping; the first question's sums are compared."""
    count = int(os.environ.get("MADANG_BENCH_EXPORT_ROWS", "1000000"))
    with TemporaryDirectory() as folder:
        path, data = Path(folder) / "export.csv", Path(folder) / "data"
        made = write_export(path, count)
        loaded, seconds, memory = load_export(path, data)
        report = loaded["report"]
        named = {int(p["field"].split("행")[0].split()[-1]) for p in report["problems"]}
        state, took = asyncio.run(ask(data, QUESTION))
        right = {branch: total for (branch, year), total in made.by_branch.items() if year == TODAY.year - 1}
        megabytes = path.stat().st_size / 1e6
        return [
            Row(measure="good rows loaded", value=loaded["rows"]["sales"], goal=f"{count:,}"),
            Row(measure="bad rows named by line", value=len(named & set(made.bad)), goal=str(len(made.bad))),
            Row(measure="other rows called bad", value=len(named - set(made.bad)), goal="0"),
            Row(measure="reading, report and load", value=seconds, unit="s", note=f"{megabytes:.0f} MB of cp949"),
            Row(measure="largest memory of the command", value=memory, unit="MB"),
            Row(measure="first question (from cold)", value=took, unit="s", note=QUESTION),
            Row(
                measure="its sums that are right",
                value=sum(answered(state)[b] == t for b, t in right.items()),
                goal=str(len(right)),
            ),
        ]


SUITES = {"sales-load": sales_load}
