"""A conversation in CopilotKit's own chat, in a browser; `copilotkit.mjs` serves the page.

python copilotkit_page.py http://127.0.0.1:4000 pictures
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

QUESTIONS = ("전세금 5% 인상 가능해?", "전세금이 3억이면 얼마까지 올릴 수 있어?")
PATIENCE = 120_000


def talk(page: Page, address: str, pictures: Path) -> None:
    page.goto(address)
    answers = page.locator(".copilotKitAssistantMessage")
    for number, question in enumerate(QUESTIONS, 1):
        page.locator("textarea").fill(question, timeout=PATIENCE)
        page.keyboard.press("Enter")
        # The first is the greeting. The box to write in can send again when the turn is over.
        expect(answers).to_have_count(number + 1, timeout=PATIENCE)
        expect(answers.last.get_by_role("button").first).to_be_visible(timeout=PATIENCE)
        sys.stdout.write(f"> {question}\n{answers.last.inner_text()}\n\n")
    page.screenshot(path=pictures / "copilotkit.png")


def main(address: str, pictures: str = ".") -> None:
    Path(pictures).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        talk(browser.new_page(viewport={"width": 1000, "height": 1000}), address, Path(pictures))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
