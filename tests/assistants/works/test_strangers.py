"""What people ask for who never saw the product: texts, customers, rules and who they are, turn after turn."""

from pathlib import Path

import pytest

from madang.assistants.works.understanding.declining import shortened
from tests.support.company import rows
from tests.support.works import Talk


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


async def said(talk: Talk, text: str) -> str:
    state = await talk.say(text)
    return str((state.get("response") or {}).get("answer") or "")


def a_rep() -> dict[str, str]:
    return rows()["reps"][0]


async def test_who_writes_is_remembered_and_their_customers_are_listed(talk: Talk) -> None:
    rep = a_rep()["rep"]
    answer = await said(talk, f"안녕하세요 {rep}입니다. 제 담당 거래처가 어디어디인지 볼 수 있을까요?")
    own = [one["customer"] for one in rows()["customers"] if one["rep_id"] == a_rep()["rep_id"]]
    assert f"담당자 {rep}" in answer
    assert f"모두 {len(own)}곳" in answer
    others = {one["customer"] for one in rows()["customers"]} - set(own)
    assert not any(f"| {name} |" in answer for name in others)
    picked = await said(talk, "그중에 제일 중요한 데 3개만 골라줘")
    assert "먼저 볼 3곳" in picked


async def test_whose_customers_is_asked_once_and_answered_by_a_name(talk: Talk) -> None:
    asked = await said(talk, "내 거래처 목록 보여줘")
    assert "누구신지" in asked
    answer = await said(talk, a_rep()["rep"])
    assert f"담당자 {a_rep()['rep']}" in answer


async def test_one_customer_is_told_with_its_rep_and_visits(talk: Talk) -> None:
    customer = rows()["customers"][0]["customer"]
    answer = await said(talk, f"{customer} 담당이 누구고 요즘 뭐 쓰는지 알려줘")
    assert answer.startswith(f"**{customer}**")
    assert "월별 매출" in answer


async def test_a_message_is_written_without_what_must_not_be_in_it(talk: Talk) -> None:
    answer = await said(talk, "거래처 원장님께 담당이 바뀐다는 인사 문자 써주세요. 출산휴가라는 말은 안 쓰고 싶어요")
    text = "\n".join(line for line in answer.splitlines() if line.startswith(">"))
    assert "담당" in text
    assert "출산" not in text
    assert "휴가" not in text
    changed = await said(talk, "건강 이야기는 빼줘")
    assert "2판" in changed


async def test_a_text_for_two_is_two_texts(talk: Talk) -> None:
    answer = await said(talk, "방문 미루는 거 거래처에 전화할때 할말이랑 팀장님한테 보낼 한줄 써줘요. 대설이래요")
    assert "**거래처에" in answer
    assert "**상사에게" in answer


async def test_a_permission_is_no_reason_to_compute_or_pass(talk: Talk) -> None:
    answer = await said(talk, "원장님들께 커피 쿠폰 만원짜리 하나씩 돌려도 되나요?")
    assert answer.startswith("**안 됩니다.**") or "**안 됩니다.**" in answer[:60]
    assert "통과" not in answer
    unknown = await said(talk, "이번 프로젝트 결과를 모교 후배들에게 발표해도 되나요?")
    assert "통과" not in unknown
    assert "점수" not in unknown


async def test_what_there_is_no_data_of_is_said(talk: Talk) -> None:
    customer = rows()["customers"][0]["customer"]
    answer = await said(talk, f"{customer} 대금이 얼마나 밀렸는지 봐줘")
    assert answer.startswith("**미수금·수금 자료는 제게 없습니다.**")


async def test_danger_comes_before_and_instead_of_work(talk: Talk) -> None:
    answer = await said(talk, "요즘은 그냥 죽고 싶다는 생각이 들어요. 내일 방문도 가기 싫고")
    assert "109" in answer
    assert "방문 횟수" not in answer


async def test_the_ledger_is_looked_at_for_what_is_over_a_limit(talk: Talk) -> None:
    answer = await said(talk, "올해 식음료 제공 내역 중에 1인당 10만원 초과한 건이 있는지 점검해줘")
    assert "제공 내역" in answer
    assert "위반이 없다는 결론은 아닙니다" in answer


async def test_what_is_left_to_the_target_is_counted_over_working_days(talk: Talk) -> None:
    answer = await said(talk, f"{a_rep()['rep']}인데 이번달 목표까지 얼마 남았어? 하루에 얼마씩 해야돼")
    assert "남은 목표" in answer
    assert "근무일" in answer


async def test_customers_that_buy_less_are_listed(talk: Talk) -> None:
    answer = await said(talk, f"{a_rep()['branch']} 거래처 중에 주문이 확 줄어든 데가 어디야?")
    assert "매출이 줄어든 거래처" in answer


async def test_a_branch_that_is_not_there_is_named_and_the_other_is_told(talk: Talk) -> None:
    """서울 is a region, 서울지점 is no branch of this company and near to none."""
    answer = await said(talk, "지난달 서울지점이랑 부산지점 매출 비교해줘")
    assert "'서울지점'은 자료의 지점에 없습니다" in answer
    assert "| 부산지점 |" in answer
    assert "수원지점" not in answer


@pytest.mark.parametrize("asked", ["Show me last month's sales by branch", "sales by branch in February, please"])
async def test_a_period_in_english_is_a_period(talk: Talk, asked: str) -> None:
    assert "2026-02-01 ~ 2026-02-28" in await said(talk, asked)


async def test_a_story_that_holds_a_few_words_of_figures_gets_no_table(talk: Talk) -> None:
    answer = await said(
        talk,
        "지난달에 방문 두 번 갔던 의원 원장님이 이사 준비로 정신이 없으시다길래 짐 옮기는 걸 도울까 하다 말았는데 "
        "동료는 섭섭해하실 거라고 하네요. 이럴 때 보통 어떻게들 하시나요?",
    )
    assert "|" not in answer
    assert "어떻게들 하시나요?" in answer


async def test_an_english_message_is_declined_in_english(talk: Talk) -> None:
    answer = await said(talk, "Could you tell me what my director would say about moving the kickoff to June?")
    assert "won't guess" in answer
    assert "짐작" not in answer


async def test_a_title_that_was_offered_is_answered(talk: Talk) -> None:
    assert "판촉물이면 됩니다" in await said(talk, "‘판촉물’")


async def test_what_the_guide_does_not_speak_of_is_named(talk: Talk) -> None:
    answer = await said(
        talk,
        "약국이 현금으로 한 달 안에 내면 몇 프로까지 깎아줄 수 있죠? 그리고 우리 팀 송별회 장소를 어디로 잡을까요?",
    )
    assert "1.8%" in answer
    assert "송별회" in answer


async def test_a_text_for_no_known_occasion_is_not_written_as_another(talk: Talk) -> None:
    await said(talk, "원장님이 골프 부킹이랑 그린피 내달라는데 괜찮나요")
    answer = await said(
        talk,
        "그건 안 하기로 했어요. 방문 노트나 써주세요 오늘 오전 열 시 내과 원장님 면담, 복합제에 관심이 있으시고 "
        "다음 주 화요일에 자료를 가져다 드리기로 함",
    )
    assert "죄송한 마음" not in answer


async def test_an_english_question_that_the_guide_knows_is_answered_in_english(talk: Talk) -> None:
    answer = await said(talk, "Can we send fruit boxes worth 50,000 won to clinic doctors for Chuseok?")
    assert "Gifts are not allowed" in answer
    assert "선물로" not in answer


def quoted(answer: str) -> str:
    return "\n".join(line for line in answer.splitlines() if line.startswith(">"))


@pytest.mark.parametrize(
    "text",
    [
        "내일 면담 때 팀장님께 말씀드릴 순서 짧게 써줘",  # The one there is is for whoever leads the talk.
        "본부장님께 보고드릴 글을 써 주세요. 사실만요",  # No figures were asked for before.
        "상무님 보고용 글 써줘요. 결론 먼저요",  # Nothing told but the request itself.
    ],
)
async def test_a_text_for_another_reader_or_of_the_request_itself_is_not_written(talk: Talk, text: str) -> None:
    answer = await said(talk, text)
    assert not quoted(answer)
    assert "누구에게, 무엇을" in answer


async def test_what_the_conversation_told_is_in_the_report(talk: Talk) -> None:
    """Facts in the order they were told, a correction in its place, hearsay as such; no question and no feeling."""
    await said(
        talk, "오늘 두시에 내과 다녀왔는데 원장님이 경쟁사는 다 챙겨준다면서 처방을 다시 생각해 보겠대요. 무서워요"
    )
    await said(talk, "아 두시 아니고 네시였어요. 이거 어떻게 해야 하나요?")
    answer = quoted(await said(talk, "지점장님께 보고드릴 글 써 주세요. 사실만요"))
    assert "지점장님" in answer
    assert "오늘 네시에 내과" in answer
    assert "두시" not in answer
    assert "생각해 보겠다고 함" in answer
    assert "무서" not in answer


async def test_two_texts_of_one_message_are_each_for_their_reader(talk: Talk) -> None:
    await said(talk, "약국에서 시럽이 품절이라 난리예요. 창고에 40박스만 남았대요")
    answer = quoted(await said(talk, "약국에 돌릴 문자 하나랑 팀장님께 보고할 거 두 줄만"))
    customer, boss = answer.split("**상사에게")
    assert "불편을 드려 죄송" in customer
    assert "40박스" not in customer
    assert "40박스" in boss


async def test_what_is_to_be_told_is_said_to_the_readers_face(talk: Talk) -> None:
    answer = quoted(
        await said(talk, "교수님께 다음 달 회식 지원은 어렵다고, 대신 설명 자료는 보내 드리겠다고 문자 써 줘")
    )
    assert "보내 드리겠습니다" in answer or "자료" in answer
    assert "교수님" in answer


async def test_the_occasion_of_a_text_is_never_taken_from_an_earlier_message(talk: Talk) -> None:
    await said(talk, "퇴사한 담당자 이름으로 남은 거래처가 있을까요?")
    answer = await said(talk, "팀장님께 드릴 원인 정리 메일 써 주세요")
    assert "퇴사" not in quoted(answer)


async def test_several_of_a_rank_are_written_to_as_colleagues(talk: Talk) -> None:
    answer = await said(talk, "지점장들에게 보낼 소명 요청서를 작성해 주세요. 회신 기한은 11월 27일입니다")
    assert "설명이 필요해" in quoted(answer)


async def test_a_rule_is_no_answer_where_figures_are_asked_for(talk: Talk) -> None:
    answer = await said(talk, "반품 빼면 10월 매출이 얼마예요?")
    assert "반품 기준" not in answer


async def test_no_verdict_on_what_old_notes_say(talk: Talk) -> None:
    answer = await said(talk, "제 방문노트에 예전에 '골프 싱글' 이렇게 적어놨는데 이거 남겨둬도 되나요?")
    assert "위반" not in answer


async def test_figures_of_all_time_explain_all_but_a_word(talk: Talk) -> None:
    answer = await said(talk, "한군데는 폐업이 아니라 이전했대요 춘천으로. 그럼 거기 매출은 춘천 담당한테 갔을까요?")
    assert "매출 " not in answer.split("\n")[0]
    assert "| " not in answer


def test_a_quoted_end_begins_at_a_word() -> None:
    words = "어느 거래처에서 무엇이 얼마나 줄었는지를 지난 석 달 동안 지점별로 나누어 보여 주실 수 있나요"
    cut = shortened(words)
    assert cut.startswith("…")
    assert cut[1:].split(" ")[0] in words.split(" ")
