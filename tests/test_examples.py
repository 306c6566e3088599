"""The example is a whole assistant in under 40 lines, and it works."""

import json
import subprocess
import sys
from pathlib import Path

import httpx

from madang.bootstrap import open_runtime
from madang.runtime import TurnRequest
from madang.runtime.loading import load_object
from madang.settings import Settings

ROOT = Path(__file__).parent.parent
EXAMPLE = f"{ROOT}/examples/packing.py:assistant"


def test_it_is_short() -> None:
    assert len((ROOT / "examples" / "packing.py").read_text(encoding="utf-8").splitlines()) < 40


async def test_it_answers(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    async with open_runtime(settings, apps={"packing": load_object(EXAMPLE)}, only="packing") as runtime:
        session = await runtime.sessions.create(assistant="packing")
        run = await runtime.start(session.session_id, TurnRequest(text="삿포로 가는데 뭐 챙길까?"))
        outcome = await runtime.outcome(run.run_id)
        assert outcome["response"] is not None
        assert outcome["response"]["answer"] == "삿포로: 여권, 코트"
        asked = await runtime.start(session.session_id, TurnRequest(text="안녕"))
        assert (await runtime.outcome(asked.run_id))["response"]["type"] == "clarification"  # type: ignore[index]


def test_it_is_served(tmp_path: Path) -> None:
    """`madang serve --app` in a real process, asked over HTTP."""
    madang = Path(sys.executable).parent / "madang"
    with subprocess.Popen(
        [madang, "serve", "--app", EXAMPLE, "--only-app", "--port", "0"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stderr is not None
            line = next(text for text in server.stderr if "http://" in text)
            root = "http://" + line.split("http://", 1)[1].split()[0]
            with httpx.Client(base_url=root, timeout=60) as client:
                made = client.post("/api/v1/sessions", json={"assistant": "packing"}).json()
                url = f"/api/v1/sessions/{made['session_id']}/messages"
                answered = client.post(url, params={"wait": "true"}, json={"query": "제주 짐 싸줘"})
                assert answered.status_code == 200
                assert answered.json()["response"]["answer"] == "제주: 신분증, 셔츠"
                assert "짐 싸기" in client.get("/api/v1/assistants").text
                assert json.loads(client.get("/healthz").text)["status"] == "ok"
        finally:
            server.terminate()
