"""A turn with a model, as it is served: it ends once, and what it cost is told everywhere."""

from pathlib import Path

from httpx import ASGITransport, AsyncClient

from madang.bootstrap import open_runtime
from madang.llm.testing import ScriptedServer, answer
from madang.server.app import create_app
from madang.settings import Settings

CALLS = 12


async def test_turns_with_a_model_end_and_are_accounted(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, db=f"sqlite:///{tmp_path}/m.db", embeddings="")
    with ScriptedServer([answer("좋은 여행이 되겠네요. [G]")] * CALLS) as server:
        models = server.models()
        app = create_app(lambda: open_runtime(settings, only="travel", models=models))
        http = AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1")
        async with app.router.lifespan_context(app), http:
            session = (await http.post("/api/v1/sessions", json={"assistant": "travel"})).json()["session_id"]
            for text in ("오사카 3박4일 둘이 250만원", "아니 4박으로", "고마워요"):
                asked = f"/api/v1/sessions/{session}/messages?wait=true"
                turn = (await http.post(asked, json={"query": text}, timeout=60)).json()
                assert turn["status"] == "completed"
            shown = (await http.get(f"/api/v1/sessions/{session}/conversation")).json()
            metrics = (await http.get("/metrics")).text
    assert all(turn["usage"]["calls"] >= 1 for turn in shown["turns"])
    made = sum(turn["usage"]["calls"] for turn in shown["turns"])
    assert f'madang_model_calls_total{{assistant="travel",model="openai:scripted"}} {made:.1f}' in metrics
