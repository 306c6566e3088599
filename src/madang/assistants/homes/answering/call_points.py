"""The places of analysis and answering where a model may help, each with its form and its deterministic twin."""

from functools import cache

from pydantic import BaseModel, Field

from madang.assistants.homes.prompts import call_point
from madang.llm import CallPoint


class ClauseOpinion(BaseModel):
    clause: str = Field(min_length=5, max_length=600)
    concern: str = Field(min_length=5, max_length=400)
    article: str = ""
    suggestion: str = Field(default="", max_length=400)


class ContractReply(BaseModel):
    opinions: list[ClauseOpinion] = Field(max_length=8)


class InsightsReply(BaseModel):
    insights: list[str] = Field(max_length=6)


class ReportReply(BaseModel):
    summary: str = Field(max_length=600)
    key_findings: list[str] = Field(default_factory=list, max_length=6)
    recommendations: list[str] = Field(default_factory=list, max_length=6)


@cache
def contract_point() -> CallPoint[ContractReply]:
    return call_point(
        "contract", ContractReply, ("contract", "found", "articles"), lambda _inputs: ContractReply(opinions=[]),
        tokens=(6000, 1500), timeout=30,
    )  # fmt: skip


@cache
def insights_point() -> CallPoint[InsightsReply]:
    return call_point(
        "insights", InsightsReply, ("query", "facts"), lambda inputs: InsightsReply(insights=inputs["default"]),
        local_inputs=("default",), tokens=(3000, 500), timeout=15,
    )  # fmt: skip


@cache
def report_point() -> CallPoint[ReportReply]:
    return call_point(
        "report", ReportReply, ("query", "facts", "insights"), lambda inputs: ReportReply(**inputs["default"]),
        local_inputs=("default",), tokens=(3500, 900), timeout=20,
    )  # fmt: skip


@cache
def answer_point() -> CallPoint[str]:
    return call_point(
        "answer", str, ("query", "draft"), lambda inputs: str(inputs["draft"]), tokens=(5000, 1500), timeout=40
    )


POINTS = (contract_point, insights_point, report_point, answer_point)
