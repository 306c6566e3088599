"""How a sentence ends: what it does, the same as a note, the same to the reader's face."""

import pytest

from madang.text.endings import kind_of, noted, told


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("교수님은 빠지셨어요", "tell"),
        ("그럼 보고 안 해도 되나요", "ask"),
        ("이거 괜찮은 거예요?", "ask"),
        ("표로 만들어 주세요", "order"),
        ("숫자만 봐", "order"),
        ("변명처럼 안 보이게", "other"),
        ("금요일까지 두 줄", "other"),
        ("", "other"),
    ],
)
def test_what_a_sentence_does_is_seen_by_its_ending(sentence: str, kind: str) -> None:
    assert kind_of(sentence) == kind


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("교수님은 빠지셨어요", "교수님은 빠지셨음"),
        ("물류에서는 3주간 품절이었다고 합니다.", "물류에서는 3주간 품절이었다고 함"),
        ("도시락은 팀장님이 카드로 했대요", "도시락은 팀장님이 카드로 했다고 함"),
        ("다음 주부터 혼자 나가래요", "다음 주부터 혼자 나가라고 함"),
        ("그건 제 잘못이래요", "그건 제 잘못이라고 함"),
        ("매출의 1/4이에요", "매출의 1/4임"),
        ("감소액 3.8억", "감소액 3.8억"),
    ],
)
def test_a_sentence_is_written_as_a_note(sentence: str, note: str) -> None:
    assert noted(sentence) == note


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("대신 학술자료는 갖다드리겠다고", "대신 학술자료는 갖다드리겠습니다."),
        ("금요일까지 회신 달라고", "금요일까지 회신 부탁드립니다."),
        ("차이는 확인 중이라고 쓰고", "차이는 확인 중입니다."),
        ("같이 가자고", "같이 갔으면 합니다."),
        ("참석자를 다 쓰라고", "참석자를 다 써 주시기 바랍니다."),
        ("그냥 그렇다", None),
    ],
)
def test_what_is_to_be_told_is_said_to_the_reader(clause: str, said: str | None) -> None:
    assert told(clause) == said
