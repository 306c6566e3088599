"""A conversation with encryption keys configured: nothing readable in the file, a new key in front still reads all."""

from pathlib import Path

import pytest

from madang.errors import DecryptionFailed
from madang.state.encryption import Keyring, generate_key
from tests.support.runtimes import new_session, open_trip, say

SECRET = "비밀도시"


async def test_rotation_and_a_missing_key(sqlite_url: str) -> None:
    old, new = f"old:{generate_key()}", f"new:{generate_key()}"
    async with open_trip(sqlite_url, keyring=Keyring.parse(old)) as runtime:
        session = await new_session(runtime)
        await say(runtime, session, f"{SECRET} 3 100")
    raw = b"".join(p.read_bytes() for p in Path(sqlite_url.removeprefix("sqlite:///")).parent.glob("*.db*"))
    assert SECRET.encode() not in raw
    async with open_trip(sqlite_url, keyring=Keyring.parse(f"{new},{old}")) as runtime:
        outcome = await say(runtime, session, f"{SECRET} 4 100")
        assert outcome["state"]["flights"] == [f"{SECRET}행"]
        assert "flight" not in runtime.served["trip"].services.calls
    for keys in (None, Keyring.parse(new)):
        with pytest.raises(DecryptionFailed, match="'old'"):
            await open_trip(sqlite_url, keyring=keys).__aenter__()
