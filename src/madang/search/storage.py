"""An index on disk: a directory whose manifest names a format, its tokenizers and a checksum of every file.

Morphemes are stored because cutting them is slow; everything else is computed again on loading.
"""

import hashlib
import json
import shutil
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from madang.errors import InvalidInput, NotFound, UnknownSchemaVersion, UnreadableData
from madang.search.documents import Document
from madang.search.entries import Embed, Entry, Vectors, make_entries, make_entry
from madang.search.tokens import Tokenizers
from madang.search.vocabulary import Vocabulary

FORMAT = 1
MANIFEST, DOCUMENTS, MORPHEMES, VECTORS = "manifest.json", "documents.jsonl", "morphemes.jsonl", "vectors.npy"


def save(path: Path, entries: Sequence[Entry], vocabulary: Vocabulary, tokenizer: str) -> None:
    """Write a complete new directory beside `path`, then put it in its place. Raises `InvalidInput` for odd meta."""
    fresh = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    fresh.mkdir(parents=True)
    try:
        files = _write_files(fresh, entries, vocabulary)
        manifest = {"format": FORMAT, "tokenizer": tokenizer, "documents": len(entries), "files": files}
        (fresh / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")
        _replace(path, fresh)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def load(path: Path, vocabulary: Vocabulary, tokenizers: Tokenizers, embed: Embed | None) -> list[Entry]:
    """The stored entries. Raises `NotFound`, `UnreadableData`, `UnknownSchemaVersion`."""
    manifest = _manifest(path)
    documents = _documents(path, manifest)
    if manifest["tokenizer"] != tokenizers.name or (embed is not None and VECTORS not in manifest["files"]):
        return make_entries(documents, vocabulary, tokenizers, embed)
    try:
        cut = [json.loads(line) for line in _checked(path, manifest, MORPHEMES).splitlines()]
        vectors = _vectors(path, manifest, documents)
        return [
            make_entry(document, vocabulary, tokenizers, vector, morphemes)
            for document, vector, morphemes in zip(documents, vectors, cut, strict=True)
        ]
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableData(f"search index {path} is damaged: {error}", path=str(path)) from error


def load_documents(path: Path) -> list[Document]:
    """Only the documents. Raises `NotFound`, `UnreadableData`, `UnknownSchemaVersion`."""
    return _documents(path, _manifest(path))


def _write_files(folder: Path, entries: Sequence[Entry], vocabulary: Vocabulary) -> dict[str, str]:
    (folder / DOCUMENTS).write_text("".join(map(_document_line, entries)), "utf-8")
    (folder / MORPHEMES).write_text("".join(_morpheme_line(entry, vocabulary) for entry in entries), "utf-8")
    vectors = [entry.vectors for entry in entries if entry.vectors is not None]
    if vectors and len(vectors) == len(entries):
        np.save(folder / VECTORS, np.concatenate(vectors))
    return {file.name: _digest(file.read_bytes()) for file in sorted(folder.iterdir())}


def _document_line(entry: Entry) -> str:
    try:
        return json.dumps(asdict(entry.document), ensure_ascii=False) + "\n"
    except TypeError as error:
        raise InvalidInput(
            f"meta of document {entry.document.id} is not JSON: {error}", id=entry.document.id
        ) from error


def _morpheme_line(entry: Entry, vocabulary: Vocabulary) -> str:
    cut = [vocabulary.tokens(ids) for ids in (entry.terms, *entry.row_tokens["terms"])]
    return json.dumps(cut, ensure_ascii=False) + "\n"


def _replace(path: Path, fresh: Path) -> None:
    old = path.with_name(f".{path.name}.{uuid.uuid4().hex}.old")
    if path.exists():
        path.replace(old)
    fresh.replace(path)
    shutil.rmtree(old, ignore_errors=True)


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((path / MANIFEST).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"there is no search index in {path}", path=str(path)) from error
    except ValueError as error:
        raise UnreadableData(f"search index {path} has an unreadable manifest", path=str(path)) from error
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(version, int) or not isinstance(manifest.get("files"), dict) or "tokenizer" not in manifest:
        raise UnreadableData(f"search index {path} has an unreadable manifest", path=str(path))
    if version > FORMAT:
        raise UnknownSchemaVersion(f"search index {path} has format {version}; this version reads {FORMAT}")
    return manifest


def _documents(path: Path, manifest: dict[str, Any]) -> list[Document]:
    try:
        return [Document(**json.loads(line)) for line in _checked(path, manifest, DOCUMENTS).splitlines()]
    except (ValueError, TypeError) as error:
        raise UnreadableData(f"search index {path} is damaged: {error}", path=str(path)) from error


def _vectors(path: Path, manifest: dict[str, Any], documents: Sequence[Document]) -> Sequence[Vectors | None]:
    if VECTORS not in manifest["files"]:
        return [None] * len(documents)
    _checked(path, manifest, VECTORS)
    stacked = np.load(path / VECTORS, allow_pickle=False)
    bounds = np.cumsum([1 + len(document.phrases) for document in documents])
    if len(stacked) != bounds[-1]:
        raise ValueError("vectors don't fit the documents")
    return np.split(stacked, bounds[:-1])


def _checked(path: Path, manifest: dict[str, Any], name: str) -> bytes:
    try:
        data = (path / name).read_bytes()
    except OSError as error:
        raise UnreadableData(f"search index {path} lacks {name}", path=str(path)) from error
    if manifest["files"].get(name) != _digest(data):
        raise UnreadableData(f"search index {path}: {name} does not have its checksum", path=str(path))
    return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
