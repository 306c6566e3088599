"""Tokens of an identity provider, and a server that takes them."""

import json
import time
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from madang.server.options import ServerOptions, TokenOptions

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


def key_set() -> str:
    rsa_key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(RSA.public_key())) | {"kid": "r1", "use": "sig"}
    ec_key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(EC.public_key())) | {"kid": "e1"}
    return json.dumps({"keys": [rsa_key, ec_key, {"kty": "oct", "k": "AAAA", "kid": "o1"}]})


def token(key: Any = RSA, kid: str | None = "r1", algorithm: str = "RS256", **claims: Any) -> str:
    given = {"iss": "https://id.example", "aud": "madang", "sub": "carol", "exp": time.time() + 60, **claims}
    given = {name: value for name, value in given.items() if value is not None}
    return jwt.encode(given, key, algorithm=algorithm, headers={"kid": kid} if kid else {})


def token_options(tmp_path: Path) -> ServerOptions:
    keys = tmp_path / "keys.json"
    keys.write_text(key_set())
    tokens = TokenOptions("https://id.example", "madang", str(keys))
    return ServerOptions(credentials_required=True, tokens=tokens, requests_per_minute=0)


def bearer(**claims: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(**claims)}"}
