"""Rules that depend on days and ages: what an agency may keep, papers for a child."""

import re
from datetime import date

from madang.assistants.travel.data.facts import facts_source
from madang.assistants.travel.data.ways import source_of, table
from madang.text.dates import find_dates
from madang.text.money import find_money

Said = tuple[str, tuple[str, str]]
# 국외여행 표준약관, 여행자가 취소할 때: 며칠 전까지 통보하면 요금의 몇 %
_SHARES = ((30, 0), (20, 10), (10, 15), (8, 20), (1, 30), (0, 50))
_LEAVES = re.compile(r"\s?(?:\([^)]*\))?\s?(?:에\s?)?(?:출발|떠나)")
_CLAIMED = re.compile(r"(?P<share>\d{1,2})\s?(?:%|퍼)")


def agency_refund(text: str, today: date) -> Said:
    """What the standard terms let an agency keep, on the day and the sum that are told."""
    days = {
        item.value.start
        for item in find_dates(text, today)
        if item.value.start > today and _LEAVES.match(text, item.span[1])
    }
    sums = [item.value.won for item in find_money(text, context="travel") if item.value.won]
    lead = "화가 나실 만해요. 기준부터 볼게요."
    terms = "30일 전까지 전액 환급, 29~20일 전 10%, 19~10일 전 15%, 9~8일 전 20%, 7~1일 전 30%, 당일 50%"
    rule = f"**국외여행 표준약관**에서 여행자가 취소할 때 여행사가 뗄 수 있는 몫은 통보한 날로 정해져요: {terms}."
    if len(days) == 1:
        ahead = (min(days) - today).days
        share = next(percent for least, percent in _SHARES if ahead >= least)
        amount = f"(요금 {sums[0]:,}원이면 {sums[0] * share // 100:,}원)" if len(sums) == 1 else ""
        said = _CLAIMED.search(text)
        verdict = ""
        if said and int(said["share"]) > share:
            verdict = f" 그러니 표준약관대로라면 **{said['share']}%는 많아요.**"
        rule += f" 오늘 통보하면 출발 {ahead}일 전이라 **{share}%**{amount}예요.{verdict}"
    rest = (
        "다만 더 높은 비율의 **특별약관**을 미리 설명받고 동의했다면 달라질 수 있고(항공 특가·전세기 상품), 그 동의는 "
        "여행사가 보여 줘야 해요. 아이나 본인이 아파서 못 가는 것이면 배상 없이 해제할 수 있는 사유가 될 수 있으니 "
        "진단서·입원확인서를 받아 두세요. 취소는 전화로만 하지 말고 **오늘 문자나 메일로 통보**해 날짜를 남기세요. "
        "도움: 1372 소비자상담센터, 한국여행업협회 여행불편처리센터."
    )
    return f"{lead} {rule}\n\n{rest}", facts_source()


def child_papers(country: str | None) -> Said:
    """Papers for a child who travels with one parent or with relatives."""
    papers = table("phrases")["papers"]
    return f"{papers.get(country or '', papers['*'])} {papers['all']}", source_of("phrases")
