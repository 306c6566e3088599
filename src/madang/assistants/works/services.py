"""What the agents reach: the company's data, its rules and its library. Built once per process, opened lazily."""

from datetime import date
from functools import cached_property
from pathlib import Path

from madang.assistants.works.tools.compliance import RuleBook, load_rules
from madang.assistants.works.tools.links import linked_rep, rep_of, teams_of
from madang.assistants.works.tools.retrieval import Library
from madang.assistants.works.tools.warehouse import Warehouse
from madang.assistants.works.tools.web_search import from_environment
from madang.graph import Deployment
from madang.search.faq import Faq


class WorksServices:
    """Tools and data of `works`. A company's own rules are read from `works/rules.toml` in the data folder."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.folder: Path = deployment.data_dir / "works"

    def rehearsal(self) -> "WorksServices":
        """The same data, without a web search and embeddings."""
        quiet = WorksServices(Deployment(data_dir=self.deployment.data_dir))
        quiet.warehouse = self.warehouse
        return quiet

    @cached_property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.folder)

    @property
    def rules(self) -> RuleBook:
        own = self.folder / "rules.toml"
        return load_rules(own) if own.exists() else self._rules

    @cached_property
    def _rules(self) -> RuleBook:
        return load_rules()

    @cached_property
    def library(self) -> Library:
        web = from_environment(self.deployment.environ)
        return Library(self.warehouse, self.rules, self.deployment.embed, web)

    def linked(self, company_id: str, user_id: str, today: date) -> dict[str, str] | None:
        """The rep that a user is, with team and branch; None for a user who is linked to none."""
        return linked_rep(self.warehouse, self.folder, company_id, user_id, today)

    def rep(self, company_id: str, name: str, today: date) -> dict[str, str] | None:
        """A rep of that name with team and branch; None when there is none."""
        return rep_of(self.warehouse, company_id, name, today)

    def teams(self, company_id: str, today: date) -> dict[str, str]:
        """Which team each rep is of."""
        return teams_of(self.warehouse, company_id, today)

    @cached_property
    def faq(self) -> Faq:
        """Narrow questions with their answers."""
        return Faq.packaged("madang.assistants.works.data")

    @property
    def data_versions(self) -> dict[str, str]:
        """What a step's result depends on besides its reads."""
        companies = self.folder / "companies"
        pointers = sorted(companies.glob("*/current")) if companies.is_dir() else []
        loaded = ",".join(f"{p.parent.name}={p.read_text('utf-8').strip()}" for p in pointers)
        return {"sales": loaded or "sample", "archive": self.warehouse.archive.version, "rules": self.rules.version}
