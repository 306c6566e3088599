"""What the agents reach: the tools, built when they are first needed, and the versions of their data."""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from madang.graph import Deployment

if TYPE_CHECKING:
    from madang.assistants.homes.tools.judgement import JudgementTool
    from madang.assistants.homes.tools.legal_search import HybridLegalSearch
    from madang.assistants.homes.tools.market import MarketDataTool
    from madang.assistants.homes.tools.providers import ProviderSettings
    from madang.assistants.homes.tools.providers.cache import LiveCache
    from madang.assistants.homes.tools.providers.law_centre import LawCentreApi
    from madang.assistants.homes.tools.providers.live_law import LiveLaw
    from madang.assistants.homes.tools.providers.live_loans import LiveLoans
    from madang.assistants.homes.tools.providers.live_prices import LivePrices
    from madang.assistants.homes.tools.situations import SituationTool
    from madang.search.faq import Faq

T = TypeVar("T")
LAW_FOLDER = "law"
INDEX_FOLDER = "legal-index"
PRICES_FILE = "market.json"
LIVE_FOLDER = "live"


@dataclass
class HomesServices:
    """Built once per process. Loading statutes or prices while it runs is noticed by the next question.

    `providers` holds the live services that are on, by name: land, loan, law.
    """

    data_dir: Path | None = None
    embed: Callable[[Sequence[str]], Any] | None = None
    providers: "Mapping[str, ProviderSettings]" = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _legal: "tuple[str, HybridLegalSearch] | None" = None
    _market: "tuple[str, MarketDataTool] | None" = None

    @property
    def legal(self) -> "HybridLegalSearch":
        """The index over the issue layer and the statutes loaded so far. Slow the first time: call it in a thread.

        Raises `UnreadableData` if a stored statute is damaged.
        """
        from madang.assistants.homes.tools.law_files import stored_statutes
        from madang.assistants.homes.tools.legal_search import HybridLegalSearch

        with self._lock:
            version = self._statutes_version()
            if self._legal is None or self._legal[0] != version:
                statutes = stored_statutes(self.data_dir / LAW_FOLDER) if self.data_dir else []
                found = HybridLegalSearch(statutes=statutes, embed=self.embed, stored_in=self._indexes)
                self._legal = (version, found)
            return self._legal[1]

    def article(self, law: str, number: str) -> str | None:
        """What an article says, by its law without blanks and its number: in the words of the issue layer, and word for
        word once the statutes are in memory. None if neither has it."""
        from madang.assistants.homes.data.legal_issues import articles

        known = articles().get((law, number))
        loaded = self._legal[1].quotation(known[0] if known else law, number) if self._legal else None
        return " ".join(part for part in (known[1] if known else "", loaded or "") if part) or None

    def rehearsal(self) -> "HomesServices":
        """The same index and prices, without live services. Slow: call it in a thread."""
        legal = (self._statutes_version(), self.legal) if self.embed is None else None
        self.judgements, self.situations, self.faq  # noqa: B018
        return HomesServices(data_dir=self.data_dir, _legal=legal)

    @property
    def judgements(self) -> "JudgementTool":
        """The decision rules. Slow the first time: call it in a thread."""
        from madang.assistants.homes.tools.judgement import JudgementTool

        return _of_packaged_data(JudgementTool, self._indexes)

    @property
    def situations(self) -> "SituationTool":
        """What happens to people around a home."""
        from madang.assistants.homes.tools.situations import SituationTool

        return SituationTool()

    @cached_property
    def faq(self) -> "Faq":
        """Narrow questions with their answers."""
        from madang.search.faq import Faq

        return Faq.packaged("madang.assistants.homes.data")

    @property
    def market(self) -> "MarketDataTool":
        """Prices: the packaged ones or those that were loaded, and before them what was fetched live."""
        from madang.assistants.homes.tools.market import MarketDataTool

        version = self._prices_version()
        if self._market is None or self._market[0] != version:
            loaded = None
            if version and self.data_dir:
                loaded = json.loads((self.data_dir / PRICES_FILE).read_text(encoding="utf-8"))
            self._market = (version, MarketDataTool(loaded, self.live_prices))
        return self._market[1]

    @cached_property
    def live_prices(self) -> "LivePrices | None":
        """Transactions of the last months, if a key for them is set."""
        if "land" not in self.providers:
            return None
        from madang.assistants.homes.tools.providers import LandMinistryApi, ProviderClient
        from madang.assistants.homes.tools.providers.live_prices import LivePrices

        client = ProviderClient("국토교통부 실거래가 API", self.providers["land"])
        return LivePrices(LandMinistryApi(client), self._live_cache)

    @cached_property
    def live_loans(self) -> "LiveLoans | None":
        """Banks' loan products, if a key for them is set."""
        if "loan" not in self.providers:
            return None
        from madang.assistants.homes.tools.providers import LoanProductApi, ProviderClient
        from madang.assistants.homes.tools.providers.live_loans import LiveLoans

        client = ProviderClient("금융감독원 금융상품 API", self.providers["loan"])
        return LiveLoans(LoanProductApi(client), self._live_cache)

    @cached_property
    def law_centre(self) -> "LawCentreApi | None":
        """Statutes in force, if a key for them is set."""
        if "law" not in self.providers:
            return None
        from madang.assistants.homes.tools.providers import LawCentreApi, ProviderClient

        return LawCentreApi(ProviderClient("국가법령정보센터 API", self.providers["law"]))

    @cached_property
    def live_law(self) -> "LiveLaw | None":
        """Statutes that answers cite, kept for a while, if a key for them is set."""
        if self.law_centre is None:
            return None
        from madang.assistants.homes.tools.providers.live_law import LiveLaw

        return LiveLaw(self.law_centre, self._live_cache)

    @property
    def _indexes(self) -> Path | None:
        return self.data_dir / INDEX_FOLDER if self.data_dir else None

    @cached_property
    def _live_cache(self) -> "LiveCache":
        from madang.assistants.homes.tools.providers.cache import LiveCache

        return LiveCache(self.data_dir / LIVE_FOLDER if self.data_dir else None)

    @property
    def data_versions(self) -> dict[str, str]:
        """Name → version of what results may depend on, live data included."""
        return {
            **self._packaged,
            "faq": self.faq.version,
            "statutes": _joined(self._statutes_version(), self.live_law),
            "market": _joined(self._prices_version() or self._packaged["market"], self.live_prices),
            "loans": _joined(self._packaged["loans"], self.live_loans),
        }

    @cached_property
    def _packaged(self) -> dict[str, str]:
        from importlib import resources

        folder = resources.files("madang.assistants.homes").joinpath("data")
        issues = sorted(folder.joinpath("issues").iterdir(), key=lambda item: item.name)
        rules = sorted(folder.joinpath("judgements").iterdir(), key=lambda item: item.name)
        told = sorted(folder.joinpath("situations").iterdir(), key=lambda item: item.name)
        texts = {
            "situations": [file.read_bytes() for file in (*told, folder.joinpath("topics.zip"))],
            "issues": [file.read_bytes() for file in issues if file.name.endswith(".toml")],
            "judgements": [file.read_bytes() for file in (*rules, folder.joinpath("judgement_words.toml"))],
            "market": [folder.joinpath(name).read_bytes() for name in ("market.json", "market_estimates.toml")],
            "listings": [folder.joinpath("listings.json").read_bytes()],
            "loans": [folder.joinpath("loans.toml").read_bytes()],
            "policy": [folder.joinpath("policy.toml").read_bytes()],
            "contract_rules": [folder.joinpath("contract_rules.toml").read_bytes()],
        }
        return {name: hashlib.sha256(b"".join(parts)).hexdigest()[:12] for name, parts in texts.items()}

    def _statutes_version(self) -> str:
        """Changes when statutes are loaded; empty while there are none."""
        folder = self.data_dir / LAW_FOLDER if self.data_dir else None
        if folder is None or not folder.is_dir():
            return ""
        files = sorted(folder.glob("*.law.json"))
        stamps = "".join(f"{path.name}:{path.stat().st_mtime_ns}" for path in files)
        return hashlib.sha256(stamps.encode()).hexdigest()[:12] if files else ""

    def _prices_version(self) -> str:
        path = self.data_dir / PRICES_FILE if self.data_dir else None
        return f"loaded-{path.stat().st_mtime_ns}" if path is not None and path.is_file() else ""


def _joined(version: str, live: "LivePrices | LiveLoans | LiveLaw | None") -> str:
    return version if live is None else f"{version}+live:{live.version}"


def services(deployment: Deployment) -> HomesServices:
    from madang.assistants.homes.tools.providers.configured import configured

    return HomesServices(data_dir=deployment.data_dir, embed=deployment.embed, providers=configured(deployment.environ))


_built: dict[Callable[..., Any], Any] = {}
_building = threading.Lock()


def _of_packaged_data(tool: Callable[..., T], kept: Path | None) -> T:
    """One for the process, whoever asks first: what a rehearsal builds is there for the first question."""
    with _building:
        if tool not in _built:
            _built[tool] = tool(stored_in=kept)
        found: T = _built[tool]
        return found
