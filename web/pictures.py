"""Takes the pictures of docs/screenshots (`make pictures`): a real server, a real Chromium, a fixed day."""

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browsing import FLAGS, PHONE, chromium  # noqa: E402
from tests.support.served import served  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
DESK: ViewportSize = {"width": 1360, "height": 850}
GAP = 24
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = 192
CONTRACT = (
    "월세 계약서 만들어줘. 소재지 서울 마포구 합정동 1-2 101호, 보증금 5천만원, 월세 60만원, 계약금 500만원, "
    "잔금 4500만원, 계약일 2026-11-20, 잔금일 2026-12-01, 시작 2026-12-01, 종료 2028-11-30, "
    "임대인 김마당, 임차인 이세입"
)


def ask(page: Page, text: str) -> None:
    """Ask, and wait for the answer's end."""
    before = page.locator(".answer").count()
    page.get_by_label("질문", exact=True).fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_have_count(before + 1)
    expect(page.locator(".actions").last).to_be_visible()


def keep(page: Page, name: str, at: str | None = None, *, panel: bool = False) -> None:
    """A picture of a view: at a desk and on a phone, in light and in dark, with few colours so that it stays small.

    On a phone the panel slides over the talk: `panel` opens it there.
    """
    sheet = Image.new("RGB", (DESK["width"] + PHONE["width"] + GAP, 2 * DESK["height"] + GAP), "#888")
    for down, scheme in enumerate(SCHEMES):
        for across, size in ((0, DESK), (DESK["width"] + GAP, PHONE)):
            page.set_viewport_size({"width": size["width"], "height": DESK["height"]})
            page.emulate_media(color_scheme=scheme)
            expect(page.locator(f":root[data-theme={scheme}]")).to_have_count(1)
            settle(page)
            opener = page.get_by_role("button", name="계획 열기")
            if panel and opener.is_visible() and opener.get_attribute("aria-expanded") == "false":
                opener.click()
                settle(page)
            elif at:
                top(page, at)
            with Image.open(io.BytesIO(page.screenshot())) as taken:
                sheet.paste(taken, (across, down * (DESK["height"] + GAP)))
    sheet.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    page.set_viewport_size(DESK)


def settle(page: Page) -> None:
    """Until everything has come and nothing moves."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")


def top(page: Page, place: str) -> None:
    """Scroll to the beginning of the last of something."""
    page.locator(place).last.evaluate("one => one.scrollIntoView({ block: 'start' })")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def homes(page: Page, address: str) -> None:
    keep(page, "welcome")
    page.goto(f"{address}/#/new/homes")
    ask(page, "전세금 5% 인상 가능해? 보증금 4억")
    here = page.url
    keep(page, "answer", ".turn")
    page.locator(".answer .cite").first.click()
    expect(page.locator(".source-body blockquote")).to_be_visible()
    keep(page, "source", ".turn", panel=True)
    page.goto(f"{here}/plan")
    keep(page, "plan", ".turn", panel=True)
    page.get_by_label("질문", exact=True).fill(CONTRACT)
    page.keyboard.press("Enter")
    expect(page.locator(".sheet")).to_be_visible()
    page.goto(here)
    keep(page, "draft-sheet", ".sheet")


def form(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/homes")
    page.get_by_label("질문", exact=True).fill("월세 계약서 만들어줘")
    page.keyboard.press("Enter")
    expect(page.locator(".ask-form")).to_be_visible()
    keep(page, "form", ".ask-form")


def travel(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/travel")
    ask(page, "오사카 3박4일 둘이 250만원, 맛집 위주로")
    here = page.url
    keep(page, "three-plans", ".plans")
    keep(page, "day-plan-and-map", ".days")
    page.goto(f"{here}/understood")
    page.locator("[data-field=num_people] input").fill("3")
    expect(page.locator(".redone li").first).to_be_visible()
    keep(page, "understood", panel=True)


def works(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/works")
    ask(page, "지난달 지점별 매출 상위 5개 보여줘")
    ask(page, "작년 같은 달이랑 비교해줘")
    expect(page.locator("figure canvas").last).to_be_visible()
    keep(page, "sales", ".turn")


def inside(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/travel")
    ask(page, "제주 2박3일 넷이 150만원")
    ask(page, "숙소를 더 좋은 곳으로 바꿔줘")
    here = page.url
    page.goto(f"{here}/state?path=budget_breakdown")
    expect(page.locator(".field-view pre")).to_be_visible()
    keep(page, "state", panel=True)
    page.goto(f"{here}/graph")
    expect(page.locator(".flow-step").first).to_be_visible()
    expect(page.locator(".matrix")).to_be_visible()
    keep(page, "graph", panel=True)
    page.goto(f"{here}/events")
    page.locator(".event", has_text="plan_ready").first.click()
    expect(page.locator(".events pre")).to_be_visible()
    keep(page, "events", panel=True)
    page.goto(f"{here}/history")
    page.locator(".checkpoint").first.click()
    page.locator(".checkpoint").nth(4).click()
    expect(page.locator(".diff li").first).to_be_visible()
    keep(page, "history-and-difference", panel=True)
    page.goto(f"{address}/#/settings")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    keep(page, "settings")


def plain(page: Page, _address: str) -> None:
    page.locator(".pick").first.click()
    ask(page, "안녕하세요")
    page.get_by_label("질문", exact=True).fill("approve this order")
    page.keyboard.press("Enter")
    expect(page.locator(".sheet")).to_be_visible()
    page.goto(f"{page.url}/graph")
    expect(page.locator(".flow-step.asks")).to_be_visible()
    keep(page, "plain-graph", panel=True)


def take(browser: Browser, address: str, what: Callable[[Page, str], None]) -> None:
    """One visitor's pictures."""
    context = browser.new_context(viewport=DESK, locale="ko-KR")
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".pick").first).to_be_visible()
    what(page, address)
    context.close()


def main() -> None:
    """Every picture, or those whose maker is named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=120_000)
    visits = {one.__name__: one for one in (homes, form, travel, works, inside, plain)}
    wanted = sys.argv[1:] or list(visits)
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as other,
        served(Path(folder), None, MADANG_TODAY="2026-11-16") as address,
        served(Path(other), "tests.support.plain_graph:graph") as elsewhere,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for name in wanted:
            take(browser, elsewhere if name == "plain" else address, visits[name])
        browser.close()


if __name__ == "__main__":
    main()
