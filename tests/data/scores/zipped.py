"""Zip archives as Inspect writes them, with members that Python's own ``zipfile`` cannot write before 3.14."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

import zstandard

ZSTD, DEFLATED, STORED = 93, 8, 0


def _packed(content: bytes, method: int) -> bytes:
    if method == ZSTD:
        # Two frames, as Inspect cuts large members.
        half = len(content) // 2
        return zstandard.compress(content[:half]) + zstandard.compress(content[half:])
    if method == DEFLATED:
        made = zlib.compressobj(wbits=-15)
        return made.compress(content) + made.flush()
    return content


def archive(members: Mapping[str, bytes], method: int = ZSTD) -> bytes:
    """A zip archive by the letter of APPNOTE.TXT 4.3: members, the central directory, and its end."""
    return archive_of(list(members.items()), method)


def archive_of(members: list[tuple[str, bytes]], method: int = ZSTD, flags: int = 0) -> bytes:
    body, directory = b"", b""
    for name, content in members:
        packed = _packed(content, method)
        fixed = struct.pack(
            "<HHHHHIIIHH", 20, flags, method, 0, 0, zlib.crc32(content), len(packed), len(content), len(name), 0
        )
        directory += b"PK\1\2" + struct.pack("<H", 20) + fixed + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\3\4" + fixed + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + end
