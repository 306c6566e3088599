"""The first page and the health checks."""

from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from madang.server.sessions import describe

router = APIRouter(include_in_schema=False)

PAGE = """<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>마당</title>
<style>
body {{ font: 16px/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem; color: #222;
background: #faf8f3 }}
h2 {{ margin: 2rem 0 .2rem; color: #2e6b4f }} code {{ background: #eee9dd; padding: .1rem .3rem }}
</style></head>
<body><h1>마당</h1><p>LangGraph 위의 상태 계층과 도우미들입니다. API 문서는 <a href="/docs">/docs</a>에 있습니다.</p>
{assistants}
</body></html>"""


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Alive."""
    return {"status": "ok"}


@router.get("/", response_class=HTMLResponse)
async def index(request: Request) -> str:
    """Which assistants there are."""
    shown = [describe(served) for served in request.app.state.runtime.served.values()]
    parts = [
        f"<section><h2>{escape(a['title'])} <code>{escape(a['name'])}</code></h2><p>{escape(a['description'])}</p>"
        + "".join(f"<p>예: {escape(example)}</p>" for example in a["examples"][:2])
        + "</section>"
        for a in shown
    ]
    return PAGE.format(assistants="\n".join(parts))
