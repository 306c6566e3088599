"""What a program may import, by the names of CONTRACT.md."""

import importlib
import subprocess
import sys

import pytest

import madang

NAMES = {
    "madang.state": "StateTransition StateMonitor StateInspector StateOptimizer StateSecurityManager log_state_change",
    "madang.store": "SessionSaver StateCheckpointer",
    "madang.assistants.homes.state": (
        "MainSupervisorState PlanningState ExecutionStepState SharedState SearchTeamState AnalysisTeamState "
        "DocumentTeamState SearchKeywords DocumentTemplate DocumentContent ReviewResult AnalysisInput AnalysisMetrics "
        "AnalysisInsight AnalysisReport StandardResult StateManager StateValidator check_state_consistency "
        "prepare_state_for_checkpoint"
    ),
    "madang.assistants.works.state": (
        "QueryAnalyzerState PlanningState ExecutionManagerState BaseAgentState DataAnalysisAgentState "
        "InformationRetrievalAgentState DocumentGenerationAgentState ComplianceValidationAgentState "
        "StorageDecisionAgentState GlobalSessionState determine_next_phase merge_agent_results"
    ),
    "madang.assistants.travel.state": (
        "TravelState MultiAgentTravelState TravelStateModel create_initial_state cleanup_state compress_messages "
        "migrate_state_v1_to_v2 load_state save_state"
    ),
}


@pytest.mark.parametrize("module", NAMES)
def test_names_of_the_contract(module: str) -> None:
    found = importlib.import_module(module)
    for name in NAMES[module].split():
        assert hasattr(found, name), f"{module}.{name}"


def test_the_package_is_small_sorted_and_whole() -> None:
    assert madang.__all__ == sorted(madang.__all__)
    assert len(madang.__all__) <= 14
    for name in madang.__all__:
        assert getattr(madang, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = madang.nothing_like_it


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys, madang; print([m for m in sys.modules if m.split('.')[0] in "
    code += "('langgraph', 'langchain_core', 'kiwipiepy', 'sqlalchemy', 'duckdb', 'fastapi', 'numpy')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_the_saver_loads_no_assistant_and_no_server() -> None:
    code = "import sys; from madang.store import SessionSaver; print([m for m in sys.modules if m.startswith("
    code += (
        "('madang.assistants', 'madang.server', 'madang.cli', 'kiwipiepy', 'duckdb', 'numpy', 'fastapi', 'typer'))])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
