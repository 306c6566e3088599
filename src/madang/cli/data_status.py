"""`madang data status`: what is loaded, and which live services are on."""

from collections.abc import Iterator
from typing import Any

import typer

from madang.cli.data_sales import sales_status
from madang.cli.data_services import homes_services
from madang.cli.opening import print_json
from madang.cli.options import Json


def status(as_json: Json = False) -> None:
    """무엇이 불려 와 있는지, 어떤 실시간 자료가 켜져 있는지 보여줍니다."""
    from madang.settings import Settings

    found = {
        "law": _law_status(),
        "prices": _prices_status(),
        "sales": sales_status(Settings().data_dir),
        "live": _live_status(),
    }
    if as_json:
        print_json(found)
        return
    for line in _status_lines(found):
        typer.echo(line)


def _status_lines(found: dict[str, Any]) -> Iterator[str]:
    law, prices = found["law"], found["prices"]
    if law["statutes"]:
        yield f"법령 {law['statutes']}개, 조문 {law['articles']:,}개 (시행일 {law['oldest']} ~ {law['newest']})"
    else:
        yield "법령 원문 없음: 쟁점 요약만 씁니다 (madang data load law DIR)"
    where = "불러온 자료" if prices["loaded"] else "내장 자료"
    yield f"시세 {prices['as_of']} 기준, 자치구 {prices['districts']}곳 ({where})"
    if not found["sales"]:
        yield "판매 자료 없음: 예시 회사만 씁니다 (madang data load sales MAPPING)"
    for company in found["sales"]:
        if company.get("error"):
            yield f"판매 {company['company_id']}: 읽을 수 없습니다 ({company['error']})"
            continue
        rows = ", ".join(f"{table} {count:,}" for table, count in company["rows"].items())
        yield f"판매 {company['company_id']}: {rows} ({company['as_of'] or '날짜 없음'} 기준)"
    for service in found["live"]:
        state = f"켜짐 ({service['url']})" if service["on"] else f"꺼짐 ({service['setting']})"
        yield f"실시간 {service['title']}: {state}"


def _live_status() -> list[dict[str, Any]]:
    """Which live services are on; never their keys."""
    from madang.assistants.homes.tools.providers.configured import SERVICES
    from madang.settings import redact_url

    on = homes_services().providers
    return [
        {
            "name": name,
            "title": service.title,
            "on": name in on,
            "url": redact_url(on[name].base_url) if name in on else None,
            "setting": service.key,
        }
        for name, service in SERVICES.items()
    ]


def _law_status() -> dict[str, Any]:
    from madang.assistants.homes.services import LAW_FOLDER
    from madang.assistants.homes.tools.law_files import stored_statutes

    services = homes_services()
    assert services.data_dir is not None
    statutes = stored_statutes(services.data_dir / LAW_FOLDER)
    dates = sorted(statute.effective for statute in statutes)
    return {
        "statutes": len(statutes),
        "articles": sum(len(statute.articles) for statute in statutes),
        "oldest": dates[0] if dates else None,
        "newest": dates[-1] if dates else None,
        "names": [statute.name for statute in statutes],
    }


def _prices_status() -> dict[str, Any]:
    from madang.assistants.homes.services import PRICES_FILE

    services = homes_services()
    assert services.data_dir is not None
    prices = services.market.prices
    return {
        "loaded": (services.data_dir / PRICES_FILE).is_file(),
        "as_of": prices["as_of"],
        "districts": len(prices["districts"]),
        "source": prices["source"],
    }
