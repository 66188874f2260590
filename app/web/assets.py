"""The files of static/: read once, compressed once, and named by their content so that browsers may keep them for ever."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_HASH_LENGTH = 10
# What does not shrink: compressing these again costs time at both ends.
_PACKED = frozenset({".png", ".webp", ".ico", ".woff2"})


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its media type, its bytes, and the same gzipped where that is shorter (else None)."""

    media_type: str
    body: bytes
    gzipped: bytes | None


class Assets:
    """All files of a folder, by their hashed names."""

    def __init__(self, folder: Path, base_path: str = "") -> None:
        """Read the folder; addresses begin with `base_path`/static/."""
        self._prefix = f"{base_path}/static/"
        self._hashed: dict[str, str] = {}
        self._found: dict[str, Asset] = {}
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self._add(file.relative_to(folder).as_posix(), file.read_bytes())

    def _add(self, name: str, body: bytes) -> None:
        path = PurePosixPath(name)
        digest = hashlib.sha256(body).hexdigest()[:_HASH_LENGTH]
        hashed = path.with_name(f"{path.stem}.{digest}{path.suffix}").as_posix()
        media_type = mimetypes.types_map.get(path.suffix, "application/octet-stream")
        if media_type.startswith("text/"):
            media_type += "; charset=utf-8"
        gzipped = None if path.suffix in _PACKED else gzip.compress(body, compresslevel=9, mtime=0)
        self._hashed[name] = hashed
        self._found[hashed] = Asset(
            media_type, body, gzipped if gzipped is not None and len(gzipped) < len(body) else None
        )

    def address(self, name: str) -> str:
        """Give the address of a file, such as `/static/app.0123456789.css` for `app.css`.

        Raises:
            KeyError: there is no such file.

        """
        return self._prefix + self._hashed[name]

    def find(self, hashed: str) -> Asset | None:
        """Find a file by its hashed name, as it stands in an address after /static/."""
        return self._found.get(hashed)
