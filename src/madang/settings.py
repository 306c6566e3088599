"""Settings: environment variables with the prefix MADANG_, or a `.env` file in the working folder."""

from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from madang.state.redaction import redact_url

SERVICES = ("land_api_", "loan_api_", "law_api_", "naver_", "travel_api_")


class Settings(BaseSettings):
    """Everything that can be configured. Defaults need no set-up: an SQLite file in the data folder, no model."""

    model_config = SettingsConfigDict(env_prefix="MADANG_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Path = Field(Path("madang-data"), description="folder for the embedded database and loaded data")
    db: str = Field("", description="sqlite:///path or postgresql://…; empty: an SQLite file in the data folder")
    llm: str = Field("", description="provider:model, e.g. openai:gpt-4o-mini; empty: no model")
    llm_base_url: str = Field("", description="an OpenAI-compatible server")
    llm_api_key: SecretStr = Field(SecretStr(""), description="key for the model, if its own variable isn't set")
    llm_understand: str = Field("", description="another provider:model for the call that understands")
    llm_answer: str = Field("", description="another provider:model for the call that answers")
    llm_timeout: float = Field(60.0, gt=0, le=600, description="seconds that one call of a model may take")
    llm_turn_seconds: float = Field(90.0, gt=0, le=3600, description="seconds that all calls of a turn may take")
    llm_temperature: float = Field(0.0, ge=0, le=2, description="temperature of the model")
    llm_reasoning_effort: Literal["", "minimal", "low", "medium", "high"] = Field(
        "", description="for models that reason: no temperature, and room for reasoning"
    )
    llm_prices: str = Field("", description="a price file (TOML) instead of the one that comes with Madang")
    embeddings: str = Field("", description="provider:model for embeddings; empty: none")
    secret_key: SecretStr = Field(SecretStr(""), description="signs webhooks")
    encryption_keys: SecretStr = Field(SecretStr(""), description="id:base64key,… the first one encrypts")
    today: date | None = Field(None, description="fixes today for every relative date (YYYY-MM-DD)")
    host: str = Field("127.0.0.1", description="address to serve on")
    port: int = Field(8000, ge=0, le=65535, description="port to serve on")
    pool_size: int = Field(20, ge=1, le=500, description="database connections")
    lease: float = Field(30.0, ge=1, le=3600, description="seconds after which a silent server's turns are taken over")
    concurrency: int = Field(10, ge=1, le=1000, description="turns that a process runs at once for other processes")
    grace: float = Field(5.0, ge=0, le=3600, description="seconds that running turns have to end when a process stops")
    keep_last: int = Field(0, ge=0, description="checkpoints and turns kept a session, pruned every hour; 0: all")
    max_age_days: float = Field(0, ge=0, description="days after which checkpoints and turns are pruned; 0: never")
    db_direct: str = Field("", description="Postgres past a transaction pooler, for LISTEN; empty: the same as db")
    rehearse: bool = Field(True, description="load what first questions need when the server starts")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING, ERROR")
    log_format: Literal["text", "json"] = Field("text", description="log lines for people or for machines")
    auth: Literal["auto", "required"] = Field("auto", description="auto: no credentials are needed on loopback")
    auth_issuer: str = Field("", description="issuer of accepted tokens (JWT); empty: only API keys")
    auth_audience: str = Field("", description="audience of accepted tokens")
    auth_jwks: str = Field("", description="address or file of the issuer's key set")
    auth_user_claim: str = Field("sub", description="the claim that names the user")
    auth_company_claim: str = Field("company_id", description="the claim that names the company")
    cors_origins: str = Field("", description="origins, by comma, whose pages may call this server")
    rate_limit: int = Field(600, ge=0, description="requests a minute for each key; 0: no limit")
    max_file_bytes: int = Field(32 << 20, ge=1024, le=1 << 28, description="largest request that may carry files")
    webhook_hosts: str = Field("", description="hosts, by comma, that may be called when a run is over; empty: none")
    mcp_servers: SecretStr = Field(SecretStr(""), description="MCP servers whose tools agents may call, as JSON")
    undo_seconds: float = Field(30.0, ge=0, le=3600, description="how long a deleted conversation can be restored")
    max_request_bytes: int = Field(1 << 20, ge=1024, le=1 << 26, description="largest request and socket frame")

    land_api_key: SecretStr = Field(SecretStr(""), description="key for the land ministry's transactions; empty: off")
    land_api_url: str = Field("", description="where the land ministry's services are, if not at their own address")
    loan_api_key: SecretStr = Field(SecretStr(""), description="key for banks' loan products; empty: off")
    loan_api_url: str = Field("", description="where the loan products are, if not at their own address")
    law_api_key: SecretStr = Field(SecretStr(""), description="id (OC) for the law centre's statutes; empty: off")
    law_api_url: str = Field("", description="where the law centre's services are, if not at their own address")
    naver_client_id: str = Field("", description="id of the web search of works; empty: off")
    naver_client_secret: SecretStr = Field(SecretStr(""), description="secret of the web search")
    naver_url: str = Field("", description="where the web search is, if not at its own address")
    travel_api_id: str = Field("", description="id for live flight and hotel offers; empty: off")
    travel_api_secret: SecretStr = Field(SecretStr(""), description="secret for live offers")

    @field_validator("today", mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return None if value == "" else value

    @property
    def db_url(self) -> str:
        """The database in use."""
        return self.db or f"sqlite:///{self.data_dir / 'madang.db'}"

    @property
    def services(self) -> dict[str, str]:
        """Keys and addresses of live services that are set, in plain, by variable name."""
        values = {name: getattr(self, name) for name in type(self).model_fields if name.startswith(SERVICES)}
        plain = {n: v.get_secret_value() if isinstance(v, SecretStr) else v for n, v in values.items()}
        return {f"MADANG_{name.upper()}": value for name, value in plain.items() if value}

    def effective(self) -> dict[str, str]:
        """Each setting by its variable name, secrets and passwords redacted."""
        shown: dict[str, str] = {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, SecretStr):
                value = "(set)" if value.get_secret_value() else ""
            elif name == "db":
                value = redact_url(self.db_url)
            elif name.endswith(("_url", "db_direct")):
                value = redact_url(value)
            shown[f"MADANG_{name.upper()}"] = "" if value is None else str(value)
        return shown
