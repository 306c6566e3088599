"""What a process remembers is bounded by weight, whatever people write."""

from madang.caches import remembered, sizes
from madang.text.morphemes import morphemes


def test_a_function_remembers_its_last_results_up_to_a_weight() -> None:
    asked: list[str] = []

    @remembered("letters of the test", 80, lambda text, _: len(text))
    def letters(text: str) -> frozenset[str]:
        asked.append(text)
        return frozenset(text)

    for number in range(100):
        assert letters(f"text {number:04}") == frozenset(f"text {number:04}")
        assert sizes()["letters of the test"] <= 80
    letters("text 0099")
    letters("text 0000")
    assert asked[-2:] == ["text 0099", "text 0000"]
    letters("a text that is larger than its share")
    letters("a text that is larger than its share")
    assert asked.count("a text that is larger than its share") == 2


def test_morphemes_of_many_long_texts_are_not_kept() -> None:
    for number in range(40):
        morphemes(f"{number}번 임대차 계약의 보증금은 다음과 같이 정한다. " * 40)
    assert 0 < sizes()["morphemes"] <= 32 << 20
