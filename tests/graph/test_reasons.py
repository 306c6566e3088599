"""What people are told of a step that failed: a sentence written for them, never a library's."""

from typing import Any

import pytest

from madang.graph.reasons import excuse

OURS = "처리하는 중에 문제가 생겼습니다."


def told(error: str, kind: str | None, language: str = "ko") -> str:
    failures = [{"step_id": "s1", "error_type": kind}] if kind else []
    state: dict[str, Any] = {"failures": failures, "language": language}
    return excuse({"step_id": "s1", "error": error}, state)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("division by zero", "ZeroDivisionError"),
        ("'마포구'", "KeyError"),
        ('duplicate key value violates unique constraint "시세_pkey"', "UniqueViolation"),
        ("agent 시세 read an undeclared field", "UndeclaredRead"),
        ("[Errno 111] Connect call failed ('10.0.0.7', 5432)", "ConnectionRefusedError"),
    ],
)
def test_what_a_program_wrote_for_programs_is_not_said(error: str, kind: str) -> None:
    assert told(error, kind) == OURS
    assert told(error, kind, "en") == "Something went wrong while this was being worked on."


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("외부 도구 서버에 연결하지 못했어요", "ServiceUnavailable"),
        ("3초 안에 끝나지 않았습니다", "NodeTimeoutError"),
        ("건너뛰었습니다", None),
    ],
)
def test_what_was_written_for_people_is_said(error: str, kind: str | None) -> None:
    assert told(error, kind) == error
