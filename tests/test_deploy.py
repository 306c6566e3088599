"""The files in `deploy/`: valid by the schemas of what reads them, and about commands, probes, metrics that exist."""

import json
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from typer.main import get_command

from madang import cli
from madang.server.observe import Observer
from tests.support.runtimes import open_trip

DEPLOY = Path(__file__).parent.parent / "deploy"
KUBERNETES = "1.31"


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return loaded


def objects() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))


def containers() -> list[dict[str, Any]]:
    """Containers of Kubernetes, and compose's services that run our image, as one kind of thing."""
    found = [
        one
        for thing in objects()
        for one in thing.get("spec", {}).get("template", {}).get("spec", {}).get("containers", ())
    ]
    return [*found, *({**one, "name": name} for name, one in compose()["services"].items() if one["image"] == "madang")]


def test_the_compose_file_is_valid() -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    jsonschema.validate(compose(), json.loads(schema.read_text(encoding="utf-8")))


@pytest.mark.parametrize("thing", objects(), ids=lambda thing: f"{thing['kind']} {thing['metadata']['name']}")
def test_the_kubernetes_objects_are_valid(thing: dict[str, Any]) -> None:
    kubernetes_validate.validate(thing, KUBERNETES, strict=True)


@pytest.mark.parametrize("container", containers(), ids=lambda container: str(container["name"]))
def test_every_command_is_one_of_ours_with_options_that_it_has(container: dict[str, Any]) -> None:
    program, *words = container["command"]
    assert program == "madang"
    cli._register()
    command: Any = get_command(cli.app)
    context = command.make_context("madang", list(words), resilient_parsing=True)
    while hasattr(command, "commands"):
        name, command, words = command.resolve_command(context, words)
        context = command.make_context(name, list(words), parent=context, resilient_parsing=False)
    assert shlex.join(words).count("--") == len([word for word in words if word.startswith("--")])


def test_probes_ask_what_is_answered_at_the_port_that_is_served() -> None:
    for container in containers():
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if probe in container:
                asked = container[probe]["httpGet"]
                assert asked["path"] in ("/healthz", "/readyz")
                [port] = [one["containerPort"] for one in container["ports"] if one["name"] == asked["port"]]
                assert container["command"][container["command"].index("--port") + 1] == str(port)


async def test_alerts_and_panels_ask_for_metrics_that_there_are(sqlite_url: str) -> None:
    async with open_trip(sqlite_url) as runtime:
        exposed = (await Observer(runtime).exposition(0)).decode()
    known = {line.split()[2] for line in exposed.splitlines() if line.startswith("# TYPE")}
    known |= {f"{name}_bucket" for name in known}
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    panels = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]
    asked = [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(asked) > 10
    for expression in asked:
        names = {word for word in _words(expression) if word.startswith("madang_")}
        assert names
        assert names <= known, expression


def _words(expression: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in expression).split()
