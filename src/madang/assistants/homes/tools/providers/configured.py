"""Which live services are on: those with a key among the settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from madang.assistants.homes.tools.providers import law_centre, loan_products, transactions
from madang.assistants.homes.tools.providers.client import ProviderSettings

# A question waits for these: a service that is slow gives way to what is at hand.
_TIMEOUT, _RETRIES, _BACKOFF = 5.0, 1, 0.3


@dataclass(frozen=True)
class Service:
    """A live service: what it offers, and the settings that turn it on."""

    title: str
    key: str
    url: str
    default_url: str


SERVICES: Mapping[str, Service] = {
    "land": Service("국토교통부 실거래가", "MADANG_LAND_API_KEY", "MADANG_LAND_API_URL", transactions.BASE_URL),
    "loan": Service("금융감독원 금융상품", "MADANG_LOAN_API_KEY", "MADANG_LOAN_API_URL", loan_products.BASE_URL),
    "law": Service("국가법령정보센터", "MADANG_LAW_API_KEY", "MADANG_LAW_API_URL", law_centre.BASE_URL),
}


def configured(environ: Mapping[str, str]) -> dict[str, ProviderSettings]:
    """The services whose keys are set, by name."""
    return {
        name: ProviderSettings(
            base_url=environ.get(service.url, "").strip() or service.default_url,
            key=environ[service.key].strip(),
            timeout=_TIMEOUT,
            retries=_RETRIES,
            backoff=_BACKOFF,
        )
        for name, service in SERVICES.items()
        if environ.get(service.key, "").strip()
    }
