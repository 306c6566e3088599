"""A conversation in agent-chat-ui itself, in a browser: ask, ask on, edit the first message, switch branches, reload.

git clone https://github.com/langchain-ai/agent-chat-ui && cd agent-chat-ui && pnpm install
NEXT_PUBLIC_API_URL=http://127.0.0.1:8000 NEXT_PUBLIC_ASSISTANT_ID=homes pnpm build && pnpm start
MADANG_CORS_ORIGINS=http://localhost:3000 madang serve
python agent_chat_ui.py http://localhost:3000 pictures
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

FIRST, SECOND, EDITED = "전세금 5% 인상 가능해?", "근거 조문을 알려줘", "월세 5% 인상 가능해?"
PATIENCE = 120_000


def over(page: Page) -> None:
    """Until the turn is over: the button to cancel it is gone."""
    expect(page.get_by_role("button", name="Cancel", exact=True)).to_have_count(0, timeout=PATIENCE)


def say(page: Page, text: str) -> None:
    page.get_by_placeholder("Type your message...").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_text(text, exact=True).last).to_be_visible(timeout=PATIENCE)
    over(page)


def talk(page: Page, address: str, pictures: Path) -> None:
    page.goto(address)
    answers = page.locator("div.markdown-content")
    say(page, FIRST)
    expect(answers).to_have_count(1, timeout=PATIENCE)
    first = answers.first.inner_text()
    say(page, SECOND)
    expect(answers).to_have_count(2, timeout=PATIENCE)
    page.screenshot(path=pictures / "agent-chat-ui-two-turns.png")
    page.get_by_text(FIRST, exact=True).last.hover()
    page.get_by_role("button", name="Edit").first.click()
    page.locator("textarea").first.fill(EDITED)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("2 / 2").first).to_be_visible(timeout=PATIENCE)
    over(page)
    expect(answers).to_have_count(1, timeout=PATIENCE)
    edited = answers.first.inner_text()
    page.screenshot(path=pictures / "agent-chat-ui-branch.png")
    page.get_by_text("2 / 2").first.locator("xpath=preceding-sibling::button").click()
    expect(answers).to_have_count(2, timeout=PATIENCE)
    assert answers.first.inner_text() == first
    assert edited != first
    page.screenshot(path=pictures / "agent-chat-ui-back.png")
    page.reload()
    expect(answers).to_have_count(1, timeout=PATIENCE)
    assert answers.first.inner_text() == edited
    sys.stdout.write(f"> {FIRST}\n{first}\n\n> {EDITED}\n{edited}\n")


def main(address: str, pictures: str = ".") -> None:
    Path(pictures).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        talk(browser.new_page(viewport={"width": 1280, "height": 1000}), address, Path(pictures))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
