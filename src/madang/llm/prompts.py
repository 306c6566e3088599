"""Prompt files: Markdown with `{named}` placeholders, a system part above a line `---`, the user part below it.

Braces that don't enclose a plain lower-case name (JSON examples, say) are left as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from madang.errors import InvalidAssistant

PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
SEPARATOR = re.compile(r"^---[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """A prompt's two parts, with their placeholders still in them."""

    user: str
    system: str = ""
    name: str = "prompt"

    @property
    def placeholders(self) -> frozenset[str]:
        return frozenset(PLACEHOLDER.findall(self.system + "\n" + self.user))

    def render(self, values: Mapping[str, str]) -> tuple[str, str]:
        """System and user text with every placeholder filled, in one pass: text that came in is never expanded."""

        def fill(text: str) -> str:
            return PLACEHOLDER.sub(lambda match: values[match.group(1)], text)

        return fill(self.system), fill(self.user)


def parse_prompt(text: str, name: str = "prompt") -> Prompt:
    """The prompt in `text`. Raises `InvalidAssistant` if it says nothing to the model."""
    parts = SEPARATOR.split(text, maxsplit=1)
    system, user = (parts[0], parts[1]) if len(parts) == 2 else ("", parts[0])
    if not user.strip():
        raise InvalidAssistant(f"prompt {name} has no text for the user part", prompt=name)
    return Prompt(user=user.strip(), system=system.strip(), name=name)


def read_prompt(package: str, name: str) -> Prompt:
    """The prompt file `name` (a path such as `prompts/intent.md`) inside `package`.

    Raises `InvalidAssistant` if there is no such file.
    """
    resource = files(package).joinpath(*name.split("/"))
    try:
        text = resource.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError) as error:
        raise InvalidAssistant(f"prompt file {name} is not in {package}", prompt=name, package=package) from error
    return parse_prompt(text, name)
