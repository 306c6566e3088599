"""Customers in words and tables: a list, one customer, who was visited, where to go first, a week of visits."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.tools.accounts import Account, Span, covered, ranked
from madang.assistants.works.tools.analysis_text import compact, filter_words
from madang.text.particles import with_topic

SHOWN = 20
_WEEKDAYS = "월화수목금토일"
_TIMES = ("14:00", "15:30", "16:30", "13:30", "17:00")
Shown = tuple[str, list[str], list[list[str]]]
"""A sentence, the table's titles and its rows."""


def scope_words(request: AccountRequest) -> str:
    """Whose customers these are, in words."""
    parts = [filter_words(one) for one in request.get("filters") or ()]
    if request.get("name_part"):
        parts.append(f"이름에 ‘{request['name_part']}’")
    parts += [f"{name} 씀" for name in request.get("uses") or ()]
    parts += [f"{name} 안 씀" for name in request.get("uses_not") or ()]
    parts += [{"rep": "담당자 없음", "grade": "등급 없음"}[name] for name in request.get("lacking") or ()]
    parts += ["방문 없음"] if request.get("unvisited") else []
    return ", ".join(parts) or "전체"


def listed(request: AccountRequest, found: Sequence[Account], span: Span) -> Shown:
    """The customers with type, grade, products, sales and last visit."""
    by_product = bool(request.get("uses"))
    if request.get("by_branch"):
        return _by_branch(found, by_product=by_product)
    several = len({one.rep for one in found}) > 1
    titles = [
        "거래처",
        "유형",
        "등급",
        "진료과",
        "지역",
        *(["담당자"] if several else []),
        "주요 제품",
        "매출(원)",
        "직전 대비",
        "마지막 방문",
    ]
    if by_product:
        titles[titles.index("매출(원)")] = f"{'·'.join(request['uses'])} 매출(원)"
    rows = [
        [
            one.customer, one.customer_type, one.grade or "-", one.specialty or "-", one.region,
            *([one.rep or "없음"] if several else []), one.products or "-",
            f"{(one.of_product if by_product else one.sales):,}", _percent(one), str(one.last_visit or "없음"),
        ]
        for one in found
    ]  # fmt: skip
    total = sum(one.of_product if by_product else one.sales for one in found)
    types: dict[str, int] = {}
    for one in found:
        types[one.customer_type] = types.get(one.customer_type, 0) + 1
    kinds = ", ".join(f"{name} {count}곳" for name, count in sorted(types.items(), key=lambda item: -item[1]))
    return f"거래처는 모두 {len(found)}곳({kinds})이고, {span.words} 매출은 {total:,}원입니다.", titles, rows


def _by_branch(found: Sequence[Account], *, by_product: bool) -> Shown:
    rows: dict[str, list[int]] = {}
    for one in found:
        entry = rows.setdefault(one.branch or "미지정", [0, 0])
        entry[0] += 1
        entry[1] += one.of_product if by_product else one.sales
    ordered = sorted(rows.items(), key=lambda item: -item[1][1])
    table = [[name, f"{count}", f"{amount:,}"] for name, (count, amount) in ordered]
    table.append(["합계", str(sum(c for c, _ in rows.values())), f"{sum(a for _, a in rows.values()):,}"])
    return f"지점 {len(rows)}곳에 거래처 {len(found)}곳이 있습니다.", ["지점", "거래처 수", "매출(원)"], table


def _percent(one: Account) -> str:
    return f"{one.change:+.0%}" if one.change is not None else "-"


def profile(
    one: Account, months: Sequence[tuple[str, int]], products: Sequence[tuple[str, int, int]],
    visits: Sequence[tuple[date, str, str]], today: date,
) -> tuple[str, str]:  # fmt: skip
    """One customer: the first sentence, and the lines that follow."""
    about = " · ".join(
        filter(None, (one.customer_type, one.specialty, one.region, f"{one.grade}등급" if one.grade else ""))
    )
    served = f"{one.team} {one.rep}" if one.rep else "자료에 없음"
    first = f"{one.customer}({about})의 담당자는 {served}, 마지막 방문은 {_visited(visits)}입니다."
    whole = [amount for month, amount in months if month != today.strftime("%Y-%m")]
    trend = ""
    if len(whole) >= _HALF * 2:
        early, late = sum(whole[:_HALF]), sum(whole[-_HALF:])
        if early:
            moved = (late - early) / early
            word = "줄었습니다" if moved < -_SAME else "늘었습니다" if moved > _SAME else "비슷합니다"
            trend = f" 끝난 달끼리 보면 앞보다 {moved:+.0%}로 {word}."
    lines = [
        "**월별 매출**: " + ", ".join(f"{month[5:]}월 {compact(amount, '원')}" for month, amount in months)
        + f" (이번 달은 {today.month}월 {today.day}일까지).{trend}"
    ]  # fmt: skip
    used = [f"{name} {compact(now, '원')}" for name, now, _ in products if now > 0][:6]
    gone = [name for name, now, before in products if now <= 0 < before][:4]
    lines.append("**최근 3개월에 쓰는 제품**: " + (", ".join(used) or "매출 없음"))
    if gone:
        lines.append("**그 전 3개월에는 있었는데 없어진 제품**: " + ", ".join(gone))
    if visits:
        told = ", ".join(f"{day} {who}({what})" if what else f"{day} {who}" for day, who, what in visits)
        lines.append(f"**최근 방문**: {told}")
    return first, "\n".join(f"- {line}" for line in lines)


_HALF, _SAME = 2, 0.05


def _visited(visits: Sequence[tuple[date, str, str]]) -> str:
    return f"{visits[0][0]}({visits[0][1]})" if visits else "기록이 없는 것"


def coverage(found: Sequence[Account], span: Span) -> Shown:
    """How many of the customers were visited at least once."""
    total, seen = len(found), sum(bool(one.visits) for one in found)
    rows = [[name, str(many), str(visited), _rate(visited, many)] for name, many, visited in covered(found)]
    rows.append(["합계", str(total), str(seen), _rate(seen, total)])
    told = (
        f"{total}곳 가운데 {span.words}에 한 번이라도 방문한 곳은 {seen}곳, "
        f"커버리지는 {_rate(seen, total)}입니다(방문한 곳 ÷ 전체 곳)."
    )
    return told, ["담당자", "거래처 수", "방문한 곳", "커버리지"], rows


def _rate(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def priority(found: Sequence[Account], count: int, today: date) -> Shown:
    """The customers to see first, with why."""
    chosen = ranked(found, today)[:count]
    rows = [
        [one.customer, one.customer_type, one.grade or "-", one.region, one.products or "-", ", ".join(why)]
        for one, why in chosen
    ]
    told = (
        f"{len(found)}곳 가운데 먼저 볼 {len(chosen)}곳입니다. 최근 매출, 등급, 줄어든 폭, 마지막 방문으로 골랐습니다."
    )
    return told, ["거래처", "유형", "등급", "지역", "주요 제품", "이유"], rows


def plan(found: Sequence[Account], request: AccountRequest, today: date) -> Shown:
    """Visits over the days that are wanted, those that matter most first, never at a blocked hour."""
    days = [date.fromisoformat(day) for day in request.get("days") or ()]
    chosen = ranked(found, today)[: request.get("limit") or len(days)]
    each = max(1, -(-len(chosen) // max(1, len(days))))
    rows = []
    for number, (one, why) in enumerate(chosen):
        day, place = days[number // each], number % each
        taken = [hour for hour in request.get("blocked") or () if hour.startswith(_WEEKDAYS[day.weekday()])]
        free = [time for time in _TIMES if not any(_near(time, hour[1:]) for hour in taken)]
        rows.append(
            [
                f"{day.month}/{day.day}({_WEEKDAYS[day.weekday()]})",
                free[place % len(free)],
                one.customer,
                one.region,
                ", ".join(why),
            ]
        )
    told = "방문 일정 초안입니다. 오후 시간으로 잡았고 바꿀 수 있습니다. 달력에 등록하지는 않았습니다."
    return told, ["날짜", "시각", "거래처", "지역", "이유"], rows


def _near(time: str, hour: str) -> bool:
    """Whether a visit at `time` would meet something at `hour`."""
    return abs(int(time[:2]) * 60 + int(time[3:]) - int(hour) * 60) < _APART


_APART = 75


def review(rows: Sequence[dict[str, Any]], who: str) -> Shown:
    """A rep beside the others of the team: sales, target, visits, customers and their grades."""
    titles = ["담당자", "매출(원)", "목표(원)", "달성률", "방문(회)", "거래처(곳)", "A등급(곳)"]
    shown = [
        [
            row["rep"], f"{row['sales']:,}", f"{row['target']:,}", _rate(row["sales"], row["target"]),
            str(row["visits"]), str(row["customers"]), str(row["grade_a"]),
        ]
        for row in rows
    ]  # fmt: skip
    names = ("sales", "target", "visits", "customers", "grade_a")
    mean = {name: sum(row[name] for row in rows) / max(1, len(rows)) for name in names}
    shown.append(
        [
            "평균", f"{mean['sales']:,.0f}", f"{mean['target']:,.0f}", _rate(int(mean["sales"]), int(mean["target"])),
            f"{mean['visits']:.1f}", f"{mean['customers']:.1f}", f"{mean['grade_a']:.1f}",
        ]
    )  # fmt: skip
    own = next((row for row in rows if row["rep"] == who), None)
    if own is None:
        return f"담당자 {len(rows)}명을 나란히 놓았습니다.", titles, shown
    told = (
        f"{with_topic(who)} 달성률 {_rate(own['sales'], own['target'])}"
        f"(평균 {_rate(int(mean['sales']), int(mean['target']))}), 방문 {own['visits']}회(평균 {mean['visits']:.1f}), "
        f"거래처 {own['customers']}곳(평균 {mean['customers']:.1f}), "
        f"A등급 {own['grade_a']}곳(평균 {mean['grade_a']:.1f})입니다."
    )
    return told, titles, shown


def falling(found: Sequence[Account], span: Span, *, yearly: bool) -> Shown:
    """The customers that buy less than before, the largest fall first."""
    other = span.year_before if yearly else span.before
    fell = sorted((one for one in found if one.sales < one.before), key=lambda one: one.sales - one.before)
    rows = [
        [
            one.customer, one.customer_type, one.grade or "-", one.rep or "없음", f"{one.before:,}", f"{one.sales:,}",
            f"{one.sales - one.before:,}", _percent(one), str(one.last_visit or "없음"),
        ]
        for one in fell
    ]  # fmt: skip
    lost = sum(one.before - one.sales for one in fell)
    told = (
        f"{len(found)}곳 가운데 {len(fell)}곳의 매출이 {other.words}보다 줄었고, 줄어든 금액은 모두 {lost:,}원입니다."
    )
    titles = ["거래처", "유형", "등급", "담당자", "이전(원)", "이번(원)", "증감(원)", "증감률", "마지막 방문"]
    return told, titles, rows


def pace(now: int, goal: int, days: int, *, visits: bool, today: date) -> str:
    """What is left to a goal and how much a day that is."""
    unit, what = ("회", "지난달 방문") if visits else ("원", "이번 달 목표")
    done = "방문" if visits else "매출"
    left = max(0, goal - now)
    told = f"{today.month}월 {today.day}일까지 {with_topic(done)} {now:,}{unit}"
    if not goal:
        return f"{told}입니다. 견줄 {what} 자료가 없습니다."
    told += f", {with_topic(what)} {goal:,}{unit}{'' if visits else '으'}"
    if not left:
        return f"{told}로 이미 채웠습니다({now / goal:.1%})."
    each = -(-left // max(1, days))
    daily = f"내일부터 이달 말까지 근무일 {days}일로 나누면 하루 {each:,}{unit}입니다."
    return f"{told}로 {left:,}{unit} 남았습니다({now / goal:.1%} 달성). {daily}"


def headcount(rows: Sequence[dict[str, Any]], branches: dict[str, str]) -> Shown:
    """Sales of each branch over its people."""
    sums: dict[str, list[int]] = {}
    for row in rows:
        entry = sums.setdefault(branches.get(row["rep"], "미지정"), [0, 0, 0])
        entry[0] += row["sales"]
        entry[1] += 1
        entry[2] += row["target"]
    ordered = sorted(sums.items(), key=lambda item: -item[1][0] / item[1][1])
    shown = [
        [str(place), name, f"{sales:,}", str(people), f"{sales // people:,}", _rate(sales, target)]
        for place, (name, (sales, people, target)) in enumerate(ordered, 1)
    ]
    best, last = ordered[0][0], ordered[-1][0]
    told = f"매출을 담당자 수로 나눈 1인당 매출은 {best}이 가장 많고 {last}이 가장 적습니다."
    return told, ["순위", "지점", "매출(원)", "담당자(명)", "1인당 매출(원)", "달성률"], shown


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], most: int = SHOWN) -> str:
    """A Markdown table; rows beyond `most` are counted, not dropped in silence."""
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows[:most]]
    if len(rows) > most:
        lines.append(f"\n나머지 {len(rows) - most}곳은 줄였습니다. 엑셀(CSV)이나 조건을 더 말씀해 주세요.")
    return "\n".join(lines)
