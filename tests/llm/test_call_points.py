"""What is found when an assistant is built, not when a user is waiting."""

import pytest

from madang.errors import InvalidAssistant
from madang.llm import Budget, CallPoint, parse_prompt, read_prompt
from tests.support.call_points import plain_answer


def make(prompt: str, inputs: tuple[str, ...], **more: object) -> CallPoint[str]:
    return CallPoint(name="p", prompt=parse_prompt(prompt), schema=str, inputs=inputs, twin=plain_answer, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prompt", "inputs", "named"),
    [
        ("{query} {unknown}", ("query",), "unknown"),
        ("{query}", ("query", "history"), "history"),
        ("hi", ("query",), "query"),
    ],
)
def test_prompt_and_inputs_must_fit(prompt: str, inputs: tuple[str, ...], named: str) -> None:
    with pytest.raises(InvalidAssistant, match=named):
        make(prompt, inputs)


def test_braces_of_json_examples_are_no_placeholders() -> None:
    point = make('예: {"a": {"b": 1}} {} { query } {query}', ("query",))
    assert point.prompt.render({"query": "{other}"})[1] == '예: {"a": {"b": 1}} {} { query } {other}'


def test_the_system_part_stands_above_the_line() -> None:
    prompt = parse_prompt("규칙\n---\n질문 {query}\n---\n꼬리")
    assert prompt.system == "규칙"
    assert prompt.user == "질문 {query}\n---\n꼬리"


def test_an_empty_prompt_is_refused() -> None:
    with pytest.raises(InvalidAssistant):
        parse_prompt("규칙\n---\n  ")


def test_a_prompt_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidAssistant, match=r"prompts/none\.md"):
        read_prompt("madang.llm", "prompts/none.md")


@pytest.mark.parametrize("wrong", [{"timeout": 0}, {"budget": Budget(0, 10)}, {"budget": Budget(10, -1)}])
def test_limits_must_be_positive(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidAssistant):
        make("{query}", ("query",), **wrong)
