"""What is sent in the two calls: the stable part first, so that providers can keep it; others' text delimited."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from madang.graph.inputs import Input
from madang.graph.reading import Heard

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant
    from madang.graph.context import TurnContext
    from madang.graph.model.use import ModelUse
    from madang.llm import Prompt
    from madang.llm.evidence import Evidence

State = Mapping[str, Any]
HISTORY = 12
LONGEST_SAID, LONGEST_ANSWER, LAST_ANSWER = 2000, 900, 6000
_TAG = re.compile(r"<(?=/?\s*(?:message|대화|근거|fact|자료))")
_STABLE = re.compile(r"\{(title|about|tasks|inputs|tools|reference|intents|examples|language_rule)\}")


@cache
def text_of(package: str, name: str) -> str:
    """A prompt file of a package."""
    return files(package).joinpath("prompts", name).read_text(encoding="utf-8").strip()


def understand_prompt(assistant: "Assistant", services: Any) -> "Prompt":
    """The prompt of the first call, with everything filled in that doesn't change from turn to turn."""
    use = assistant.model
    assert use is not None
    return filled(
        "understand.md",
        f"{assistant.name}.understand",
        {
            "title": assistant.title,
            "about": text_of(use.package, "understand.md"),
            "tasks": ", ".join(f"{name}({title})" for name, title in assistant.tasks.items())
            + ", chat(인사·잡담·그 밖)",
            "inputs": "\n".join(input_line(one) for one in (*assistant.form, *use.inputs)),
            "tools": "\n".join(tool_line(assistant, tool.agent, tool.use) for tool in use.tools),
            "reference": f"\n{use.reference(services)}\n",
            "intents": ", ".join(f"{name}({title})" for name, title in use.intents.items()),
            "examples": text_of(use.package, "examples.md"),
        },
    )


def answer_prompt(assistant: "Assistant") -> "Prompt":
    """The prompt of the second call."""
    use = assistant.model
    assert use is not None
    stable = {
        "title": assistant.title,
        "about": text_of(use.package, "answer.md"),
        "language_rule": "아래 ‘답할 언어’",
    }
    return filled("answer.md", f"{assistant.name}.answer", stable)


def filled(file: str, name: str, stable: Mapping[str, str]) -> "Prompt":
    """A prompt of the kit with its stable places filled."""
    from madang.llm import parse_prompt

    prompt = parse_prompt(text_of("madang.graph.model", file), name)
    system = _STABLE.sub(lambda match: stable.get(match[1], ""), prompt.system)
    # What looks like a place to fill in is text here.
    return type(prompt)(user=prompt.user, system=re.sub(r"\{([a-z_][a-z0-9_]*)\}", r"‹\1›", system), name=name)


def input_line(one: Input) -> str:
    """An input as a model reads it: its path, what it is, its unit or choices."""
    about = [one.kind, one.unit, one.help, "여럿" if one.many else ""]
    if one.limits is not None:
        about.append(str(one.limits))
    if one.choices:
        about.append("|".join(f"{value}({title})" if value != title else value for value, title in one.choices))
    return f"- {one.path}: {one.title} ({', '.join(part for part in about if part)})"


def tool_line(assistant: "Assistant", agent: str, use: str) -> str:
    return f"- {agent}: {assistant.by_name[agent].task}. {use}"


def plain(text: str) -> str:
    """Someone's text with nothing in it that could end the place it stands in."""
    return _TAG.sub("‹", text)


def shortened(text: str, longest: int) -> str:
    """A text of bounded length: its beginning and its end."""
    if len(text) <= longest:
        return text
    return f"{text[: longest * 2 // 3]} … {text[-longest // 3 :]}"


def history_of(state: State, *, now: bool = False) -> tuple[list[tuple[str, str, str]], str]:
    """Earlier messages as (id, who, text), and the id of the present one."""
    messages = list(state.get("messages") or ())
    if not now and messages and messages[-1].type == "human":
        messages = messages[:-1]
    said = [
        (f"m{number}", "사용자" if message.type == "human" else "도우미", str(message.text))
        for number, message in enumerate(messages, 1)
        if message.type in {"human", "ai"}
    ]
    return said[-HISTORY:], f"m{len(messages) + 1}"


def history_text(said: Iterable[tuple[str, str, str]]) -> str:
    said = list(said)
    # What was answered last is what the next message speaks of: it stays whole.
    last = max((at for at, (_, who, _) in enumerate(said) if who != "사용자"), default=-1)
    longest = [
        LONGEST_SAID if who == "사용자" else LAST_ANSWER if at == last else LONGEST_ANSWER
        for at, (_, who, _) in enumerate(said)
    ]
    lines = [
        f'<message id="{name}" from="{who}">\n{plain(shortened(text, most))}\n</message>'
        for (name, who, text), most in zip(said, longest, strict=True)
    ]
    return "\n".join(lines) or "(처음)"


def known_inputs(assistant: "Assistant", state: State) -> dict[str, Any]:
    """The inputs that have a value now."""
    from madang.graph.assistant import dig

    found = {one.path: dig(state, one.path) for one in assistant.form}
    return {path: value for path, value in found.items() if value not in (None, "", [], {})}


def asks_of(use: "ModelUse", state: State, ctx: "TurnContext[Any]") -> dict[str, Any]:
    """Who asks: null where an assistant would know and doesn't; nothing where it has no such thing."""
    found = use.asks(state, ctx)
    return {} if found is None else {"나": dict(found) or None}


def hint_of(heard: Heard) -> str:
    """What parsers and examples made of the message, in a line each; no more than a hint."""
    values = [f"{value.kind}:{value.words}" for value in heard.message.values[:20]]
    acts = [f"{act['kind']}/{act.get('task')}" for act in heard.acts[:10]]
    return as_json({"값": values, "하는 일": acts})


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def understand_inputs(assistant: "Assistant", state: State, ctx: "TurnContext[Any]", heard: Heard) -> dict[str, Any]:
    """What the first call says of this turn."""
    use = assistant.model
    assert use is not None
    said, message_id = history_of(state)
    opened = {name: state.get(name) for name in use.shown if state.get(name) not in (None, "", [], {})}
    memory = {name: state.get(name) for name in ("user_preferences", "loaded_memories") if state.get(name)}
    pending = {k: v for k, v in (state.get("pending") or {}).items() if v and k in ("question", "names", "choices")}
    return {
        "today": ctx.today.isoformat(),
        "known": plain(as_json(known_inputs(assistant, state))),
        "open": shortened(plain(as_json({**asks_of(use, state, ctx), **opened, **use.here(state, ctx)})), 4000),
        "pending": plain(as_json(pending)),
        "memory": shortened(plain(as_json(memory)), 1500),
        "hint": plain(hint_of(heard)),
        "history": history_text(said),
        "message_id": message_id,
        "message": plain(heard.message.text),
    }


def evidence_text(evidence: "Evidence") -> str:
    """The facts as a model reads them, each in its own place."""
    from madang.llm.sentences import as_evidence

    facts = (replace(one, text=plain(one.text), subject=plain(one.subject)) for one in evidence.facts)
    exhibits = (f'<자료 id="{one.id}">{plain(one.title)}</자료>' for one in evidence.exhibits)
    return "\n".join([*map(as_evidence, facts), *exhibits]) or "(없음)"


def numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1)) or "(없음)"
