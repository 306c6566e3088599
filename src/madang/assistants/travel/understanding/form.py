"""What can be told to travel and what can be wanted of it, declared: the form, and the words for what was heard."""

from madang.assistants.travel.state.travel_state import BUDGET, FLIGHT_HOURS, NIGHTS, OUTINGS, PEOPLE
from madang.graph.inputs import Input
from madang.state.fields import Range

TASKS = {
    "plan": "여행 계획 짜기",
    "recommend": "여행지 추천",
    "ask_place": "여행지에 대해 묻기",
    "ask_plan": "계획에 대해 묻기",
    "change": "계획 바꾸기",
    "export": "정리해서 받기",
}
_PACES = (("relaxed", "여유롭게"), ("normal", "보통"), ("packed", "꽉 차게"))
_MODES = (("flight", "비행기"), ("train", "기차"), ("bus", "버스"), ("car", "자동차"))
_STAYS = (("hotel", "호텔"), ("guesthouse", "게스트하우스"), ("airbnb", "에어비앤비"))
_BOOKED = (("flights", "교통편"), ("hotel", "숙소"))
_PLANS = ("plan", "change")

FORM = (
    Input(path="destination", title="목적지", help="도시 이름", serves=(*_PLANS, "ask_place")),
    Input(path="destinations", title="여러 도시", many=True, help="도는 차례대로", serves=_PLANS),
    Input(path="duration", title="기간", kind="count", unit="박", limits=NIGHTS, serves=_PLANS),
    Input(path="num_people", title="인원", kind="count", unit="명", limits=PEOPLE, serves=_PLANS),
    Input(path="adults", title="어른", kind="count", unit="명", limits=Range(0, 10, "명"), serves=_PLANS),
    Input(path="children", title="아이", kind="count", unit="명", limits=Range(0, 10, "명"), serves=_PLANS),
    Input(path="infants", title="24개월 미만", kind="count", unit="명", limits=Range(0, 10, "명"), serves=_PLANS),
    Input(path="budget", title="예산", kind="money", unit="원", limits=BUDGET, help="모두 합쳐서", serves=_PLANS),
    Input(path="origin", title="출발지", serves=(*_PLANS, "recommend")),
    Input(path="depart_date", title="출발일", kind="date", serves=(*_PLANS, "recommend")),
    Input(path="return_date", title="돌아오는 날", kind="date", serves=_PLANS),
    Input(path="travel_style", title="여행 스타일", many=True, serves=(*_PLANS, "recommend")),
    Input(path="pace", title="일정 속도", kind="choice", choices=_PACES, serves=_PLANS),
    Input(path="must_visit_places", title="꼭 갈 곳", many=True, serves=_PLANS),
    Input(path="avoid_places", title="뺄 곳", many=True, serves=_PLANS),
    Input(path="avoid", title="피할 것", many=True, serves=_PLANS),
    Input(path="preferred_airline", title="항공사", serves=_PLANS),
    Input(path="accommodation_preference", title="숙소 종류", kind="choice", choices=_STAYS, serves=_PLANS),
    Input(path="lodging_budget", title="1박 상한", kind="money", unit="원", serves=_PLANS),
    Input(path="transport", title="이동 수단", kind="choice", choices=_MODES, serves=(*_PLANS, "recommend")),
    Input(
        path="no_transport",
        title="피할 이동 수단",
        kind="choice",
        choices=_MODES,
        many=True,
        serves=(*_PLANS, "recommend"),
    ),
    Input(
        path="max_flight",
        title="가장 긴 비행",
        kind="number",
        unit="시간",
        limits=FLIGHT_HOURS,
        serves=("recommend", *_PLANS),
    ),
    Input(path="arrive_time", title="도착 시각", help="HH:MM", serves=_PLANS),
    Input(path="leave_time", title="돌아가는 시각", help="HH:MM", serves=_PLANS),
    Input(path="rest_times", title="쉬는 시간", many=True, help="HH:MM-HH:MM", serves=_PLANS),
    Input(path="outings_a_day", title="하루 나들이", kind="count", unit="곳", limits=OUTINGS, serves=_PLANS),
    Input(path="booked", title="이미 예약한 것", kind="choice", choices=_BOOKED, many=True, serves=_PLANS),
    Input(
        path="climate",
        title="날씨",
        kind="choice",
        choices=(("warm", "따뜻한 곳"), ("cool", "시원한 곳")),
        serves=("recommend",),
    ),
    Input(path="scope", title="지역", help="국내, 해외, 일본, 동남아 …", serves=("recommend",)),
    Input(path="diet", title="음식", many=True, serves=_PLANS),
    Input(path="access", title="몸 상태", many=True, serves=_PLANS),
    Input(path="pets", title="반려동물", many=True, serves=_PLANS),
    Input(path="wishes", title="그 밖의 바람", many=True, serves=_PLANS),
)
