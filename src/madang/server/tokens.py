"""Tokens (JWT) of an identity provider, checked against its key set (JWKS)."""

import asyncio
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from madang.errors import ConfigurationError, InvalidName, ServiceUnavailable, Unauthenticated
from madang.server.options import TokenOptions
from madang.store.columns import check_id

ALGORITHMS = ("RS256", "ES256")
LEEWAY = 30
KEYS_KEPT = 300.0
ASK_AGAIN_AFTER = 10.0
MAX_KEY_SET = 1 << 20


@dataclass(frozen=True)
class Claims:
    """What a token says of its bearer."""

    issuer: str
    subject: str
    company: str | None


class Tokens:
    """Verifies tokens; the key set is read when first needed and again when a key is unknown."""

    def __init__(self, options: TokenOptions) -> None:
        self._options = options
        self._keys: dict[str | None, Any] = {}
        self._read_at = -KEYS_KEPT
        self._reading = asyncio.Lock()

    async def verify(self, token: str) -> Claims:
        """The token's claims. Raises `Unauthenticated`, or `ServiceUnavailable` if the key set can't be had."""
        import jwt

        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(header.get("kid"))
            if header.get("alg") not in ALGORITHMS or key is None:
                raise Unauthenticated("the token is signed with a key or an algorithm that isn't accepted")
            claims = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                issuer=self._options.issuer,
                audience=self._options.audience,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud", self._options.user_claim]},
            )
        except jwt.PyJWTError as error:
            raise Unauthenticated(f"the token is not valid: {error}") from error
        return self._read(claims)

    def _read(self, claims: dict[str, Any]) -> Claims:
        subject: Any = claims.get(self._options.user_claim)
        company: Any = claims.get(self._options.company_claim) or None
        try:
            check_id(subject, self._options.user_claim)
            if company is not None:
                check_id(company, self._options.company_claim)
        except InvalidName as problem:
            raise Unauthenticated(f"the token names nobody: {problem}") from problem
        return Claims(self._options.issuer, subject, company)

    async def _key(self, key_id: str | None) -> Any:
        async with self._reading:
            age = time.monotonic() - self._read_at
            if age > KEYS_KEPT or (key_id not in self._keys and age > ASK_AGAIN_AFTER):
                self._keys = parse_key_set(await self._fetch())
                self._read_at = time.monotonic()
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    async def _fetch(self) -> bytes:
        where = self._options.keys
        if not where.startswith(("http://", "https://")):
            return await asyncio.to_thread(_read_file, where)
        import httpx

        try:
            async with httpx.AsyncClient(timeout=5) as client:
                answer = await client.get(where)
                answer.raise_for_status()
        except httpx.HTTPError as error:
            raise ServiceUnavailable(f"the key set at {where} can't be read: {error}") from error
        return answer.content[:MAX_KEY_SET]


def _read_file(where: str) -> bytes:
    try:
        return Path(where).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"the key set {where} can't be read: {error}") from error


def parse_key_set(data: bytes) -> dict[str | None, Any]:
    """The keys of a JWKS by their ids; those of other kinds are left out. Raises `ConfigurationError`."""
    import jwt

    try:
        listed = json.loads(data)["keys"]
        return {
            item.get("kid"): jwt.PyJWK(item)
            for item in listed
            if item.get("kty") in ("RSA", "EC") and item.get("use", "sig") == "sig"
        }
    except (ValueError, KeyError, TypeError, AttributeError, jwt.PyJWTError) as error:
        raise ConfigurationError(f"the key set is not a JWKS: {error}") from error
