"""A word sealed by every key that ever sealed something here: the keys are tried when a database is opened."""

from madang.errors import ConfigurationError, DecryptionFailed
from madang.store.codec import Keyring
from madang.store.columns import now
from madang.store.database import Database, Reader, Transaction

_WORD = b"madang"


async def check_keys(db: Database) -> None:
    """Tries the keys that are configured, and notes a new one.

    Raises `DecryptionFailed` for a key that is wrong or missing, `ConfigurationError` for a first key over rows that
    aren't sealed.
    """
    keyring: Keyring | None = db.keyring
    async with db.reader() as reader:
        known = await try_keys(db, reader, keyring)
        if keyring is None or keyring.current in known:
            return
    async with db.transaction() as tx:
        await tx.execute(db.queries("keys")["lock_keys"])
        known = await try_keys(db, tx, keyring)
        if not known and await tx.fetch(db.queries("keys")["holds_anything"]):
            raise ConfigurationError(
                "the database holds rows that are not encrypted, and a key is configured (MADANG_ENCRYPTION_KEYS): "
                "stop its servers and run `madang db seal`"
            )
        if keyring.current not in known:
            await note_key(db, tx, keyring)


async def note_key(db: Database, tx: Transaction, keyring: Keyring) -> None:
    """Notes the current key as one that seals here."""
    canary = keyring.seal(_WORD, _identity(keyring.current))
    await tx.execute(db.queries("keys")["add_key"], {"key_id": keyring.current, "canary": canary, "now": now()})


async def try_keys(db: Database, reader: Reader, keyring: Keyring | None) -> set[str]:
    """The keys that sealed something here. Raises `DecryptionFailed` unless each of them is in the ring."""
    rows = await reader.fetch(db.queries("keys")["keys"])
    for row in rows:
        key_id = row["key_id"]
        if keyring is None:
            raise DecryptionFailed(
                f"the database is encrypted with key {key_id!r}, and no key is configured (MADANG_ENCRYPTION_KEYS)",
                key_id=key_id,
            )
        try:
            keyring.open(bytes(row["canary"]), _identity(key_id))
        except DecryptionFailed:
            raise DecryptionFailed(
                f"the database is encrypted with key {key_id!r}, which is wrong or missing in MADANG_ENCRYPTION_KEYS",
                key_id=key_id,
            ) from None
    return {row["key_id"] for row in rows}


def _identity(key_id: str) -> bytes:
    return b"canary:" + key_id.encode()
