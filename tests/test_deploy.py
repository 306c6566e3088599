"""The files in `deploy/`: valid by the schemas of what reads them, and about commands, probes, metrics that exist."""

import json
import shlex
import shutil
import subprocess
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
from tests.support.runtimes import new_session, open_trip, say

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
    rules = alert_rules()
    panels = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]
    asked = [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(asked) > 10
    for expression in asked:
        names = {word for word in _words(expression) if word.startswith("madang_")}
        assert names
        assert names <= known, expression


PROMTOOL = shutil.which("promtool")
prometheus_judges = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed")
# What is scraped once a minute, and which alerts fire then at which minute: nothing but what is named.
FIRING: dict[str, tuple[dict[str, str], dict[int, set[str]]]] = {
    "all is well": (
        {
            "madang_turns_running": "0x60",
            "madang_queue_oldest_seconds": "20x60",
            'madang_listening{instance="a"}': "1x60",
            "madang_recovery_failures_total": "0x60",
            'madang_turns_total{status="completed"}': "0+10x60",
            'madang_turns_total{status="failed"}': "0x60",
        },
        {1: set(), 30: set(), 60: set()},
    ),
    "no worker": (
        {"madang_turns_running": "0x60", "madang_queue_oldest_seconds": "0 0 45+60x58"},
        {3: set(), 5: {"MadangTurnsWait"}},
    ),
    "one turn in eleven fails": (
        {
            "madang_turns_running": "0x60",
            'madang_turns_total{status="completed"}': "0+10x60",
            'madang_turns_total{status="failed"}': "0+1x60",
        },
        {5: set(), 30: {"MadangTurnsFail"}},
    ),
    "behind a pooler": (
        {
            "madang_turns_running": "0x60",
            'madang_listening{instance="a"}': "1x60",
            'madang_listening{instance="b"}': "0x60",
        },
        {3: set(), 8: {"MadangDeaf"}},
    ),
    "a run can't be recovered": (
        {"madang_turns_running": "0x60", "madang_recovery_failures_total": "0 0 1x58"},
        {1: set(), 3: {"MadangRecoveryFails"}, 30: set()},
    ),
    "turns take two minutes": (
        {
            "madang_turns_running": "0x60",
            'madang_turn_seconds_bucket{assistant="trip",le="60"}': "0x60",
            'madang_turn_seconds_bucket{assistant="trip",le="120"}': "0+1x60",
            'madang_turn_seconds_bucket{assistant="trip",le="+Inf"}': "0+1x60",
        },
        {5: set(), 30: {"MadangTurnsAreSlow"}},
    ),
    "nobody is there": ({}, {1: set(), 5: {"MadangGone"}}),
}


@prometheus_judges
@pytest.mark.parametrize("what", FIRING)
def test_alerts_fire_when_they_should_and_only_then(what: str, tmp_path: Path) -> None:
    assert PROMTOOL is not None
    series, moments = FIRING[what]
    names = [rule["alert"] for rule in alert_rules()]
    expected = [
        {
            "expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})',
            "eval_time": f"{minute}m",
            "exp_samples": [{"labels": "{}", "value": 1}] if name in firing else [],
        }
        for minute, firing in moments.items()
        for name in names
    ]
    test = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": expected,
    }
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(DEPLOY / "alerts.yaml")], "tests": [test]}), encoding="utf-8")
    said = subprocess.run([PROMTOOL, "test", "rules", str(file)], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


@prometheus_judges
async def test_metrics_are_as_prometheus_wants_them(sqlite_url: str) -> None:
    assert PROMTOOL is not None
    async with open_trip(sqlite_url) as runtime:
        observer = Observer(runtime)
        await say(runtime, await new_session(runtime), "오사카 3")
        exposed = await observer.exposition(0)
    said = subprocess.run([PROMTOOL, "check", "metrics"], input=exposed, capture_output=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, b"", b"")


async def test_a_status_is_counted_from_nought(sqlite_url: str) -> None:
    """A counter that appears with its first failure has no rise that a rule could see."""
    async with open_trip(sqlite_url) as runtime:
        exposed = (await Observer(runtime).exposition(0)).decode()
    for status in ("completed", "failed", "cancelled", "interrupted"):
        assert f'madang_turns_total{{assistant="trip",status="{status}"}} 0.0' in exposed


def alert_rules() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"][0][
        "rules"
    ]
    return rules


def _words(expression: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in expression).split()
