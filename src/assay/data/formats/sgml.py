"""NIST's SGML, as mteval reads it: ``srcset``, ``refset`` and ``tstset`` with documents and segments.

Sets stand in one file or in several. ``sysid`` and ``refid`` name systems and references, in the tag of the set or of
the document; ``genre`` is the domain. What stands between ``<seg>`` and ``</seg>`` is text, whatever is in it; of
entities only XML's five and numbers are known, and nothing is ever expanded further.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import Files, entries, is_folder, read_bytes, texts_of
from assay.data.formats import CampaignFormat, format_by_ending, languages_of, say_lost
from assay.data.formats.markup import (
    ATTRIBUTES,
    Markup,
    Stretch,
    campaign_of_markup,
    escaped,
    spelled_attributes,
    stretches,
)
from assay.data.problems import STRICT, Problems, note
from assay.data.texts import Texts
from assay.errors import InputError, Place

#: The sets, what they hold, and the attributes that name it: a reference may be named like a system, as in older files.
_SETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "srcset": ("source", ()),
    "refset": ("reference", ("refid", "sysid")),
    "tstset": ("system", ("sysid",)),
}
#: What is layout at the ends of a segment.
_BLANKS = " \t\r\n"
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_END = re.compile("</seg>", re.IGNORECASE)
#: What cannot stand in a segment as it is.
_SPECIAL = re.compile(r"[&<>\r\n]|^[ \t]|[ \t]$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
#: What most tags of segments say, and nothing else.
_ID = re.compile(r'\s*id="([^"&]*)"\s*')
_ENTITY = re.compile(r"&(?:(quot|amp|lt|gt|apos)|#(?:([0-9]{1,7})|[xX]([0-9a-fA-F]{1,6})));")
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}


def _read(path: str, _pair: str | None, problems: Problems) -> Campaign:
    """The campaign in a file that holds all sets, or in a folder of such files."""
    files = [Path(path)]
    if is_folder(path):
        files = [file for file in entries(path) if format_by_ending(file) == "sgml" and not file.name.startswith(".")]
    if not files:
        raise InputError("no file called <name>.sgm.", place=Place(path))
    before = problems.errors
    read = list(problems.each(files, lambda file: read_sets(file, problems)))
    problems.stop(before)
    campaign = campaign_of_markup(path, read, problems)
    if not campaign.references and not problems.lenient:
        remedy = f"Give references and translations together: assay score -r REFERENCES.sgm {path}"
        raise InputError("no <refset>.", remedy, Place(path))
    return campaign


def read_sets(path: str | Path, problems: Problems = STRICT) -> Markup:
    """The sets of one file."""
    return _Reader(str(path), texts_of(read_bytes(path), str(path), problems, markup=True).buffer.decode()).read()


class _Reader:
    """One pass over the tags of a file."""

    def __init__(self, path: str, text: str) -> None:
        self.markup = Markup(path)
        # Comments give way to as many line ends, so that lines keep their numbers.
        self.text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
        self.ends = [end.start() for end in re.finditer("\n", self.text)]
        self.set: tuple[tuple[str, tuple[str, ...]], Mapping[str, str]] | None = None
        self.document: Mapping[str, str] | None = None
        self.stream: tuple[str, str | None] = ("source", None)
        self.labels: dict[str, str] = {}
        self.count = 0

    def place(self, tag: re.Match[str]) -> Place:
        line = bisect_right(self.ends, tag.start() - 1) + 1
        return Place(self.markup.path, line, tag.start() - (self.ends[line - 2] if line > 1 else -1))

    def read(self) -> Markup:
        position = 0
        while (tag := _TAG.search(self.text, position)) is not None:
            position = tag.end()
            closing, name = tag[1] == "/", tag[2].lower()
            if name == "seg":
                position = self.segment(tag, closing)
            elif name == "doc":
                self.document = None if closing else self.begin_document(tag)
            else:
                self.set, self.document = (None if closing else (_SETS[name], _attributes(tag[3]))), None
        if not self.markup.streams:
            what = "no <seg> in a <srcset>, <refset> or <tstset>."
            raise InputError(what, "Is this NIST SGML?", Place(self.markup.path))
        return self.markup

    def begin_document(self, tag: re.Match[str]) -> Mapping[str, str]:
        given = _attributes(tag[3])
        if self.set is None:
            raise InputError("<doc> outside of <srcset>, <refset> and <tstset>.", place=self.place(tag))
        if "docid" not in given:
            raise InputError("<doc> without docid.", place=self.place(tag))
        (kind, ids), of_set = self.set
        # Its own tag counts first.
        self.stream = kind, next((where[one] for one in ids for where in (given, of_set) if one in where), None)
        self.labels = {one: given[one] for one in ATTRIBUTES if one in given}
        self.labels |= {"domain": given["genre"]} if "genre" in given else {}
        self.count = 0
        return given

    def segment(self, tag: re.Match[str], closing: bool) -> int:
        """Take in one segment; the position behind it comes back."""
        if closing:
            raise InputError("</seg> without <seg>.", place=self.place(tag))
        if self.set is None or self.document is None:
            raise InputError("<seg> outside of <doc>.", place=self.place(tag))
        end = _END.search(self.text, tag.end())
        if end is None:
            raise InputError("<seg> without </seg>.", place=self.place(tag))
        self.count += 1
        key = self.document["docid"], _attributes(tag[3]).get("id", str(self.count))
        inner = self.text[tag.end() : end.start()].strip(_BLANKS)
        text = _decoded(re.sub(r"[ \t\r]*\n[ \t\r\n]*", " ", inner) if "\n" in inner else inner)
        self.markup.add(self.stream, key, text, bisect_right(self.ends, tag.start() - 1) + 1, self.labels)
        return end.end()


def _attributes(text: str) -> dict[str, str]:
    """What a tag says, names in small letters.

    >>> _attributes(' docid="a &amp; b" sysID=ref')
    {'docid': 'a & b', 'sysid': 'ref'}
    """
    usual = _ID.fullmatch(text)
    if usual is not None:
        return {"id": usual[1]}
    return {
        pair[1].lower(): _decoded(next(value for value in pair.groups()[1:] if value is not None))
        for pair in _ATTRIBUTE.finditer(text)
    }


def _decoded(text: str) -> str:
    """Entities as the characters they stand for; any other ampersand is itself.

    >>> _decoded("AT&T &lt;b&gt; &#228; &amp;lt; &nbsp;")
    'AT&T <b> ä &lt; &nbsp;'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[1]:
        return _NAMED[entity[1]]
    code = int(entity[2]) if entity[2] else int(entity[3], 16)
    allowed = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if allowed else entity[0]


def _write(campaign: Campaign, path: str, pair: str | None) -> Files:
    """All sets in the file that was named, or ``src.sgm``, ``ref.sgm`` and ``tst.sgm`` in the folder that was named."""
    say_lost(campaign, path, "scores", "columns", "judgements", kept=ATTRIBUTES)
    parts = stretches(campaign)
    if len({part.document for part in parts}) < len(parts):
        message = (
            "some documents stand there in several pieces, because their segments do not follow each other or "
            "are of several domains. Assay puts them together; mteval takes each document once."
        )
        note(message, Place(path))
    texts: dict[str, Mapping[str, Texts]] = {
        "srcset": {} if campaign.source is None else {"": campaign.source},
        "refset": campaign.references,
        "tstset": campaign.systems,
    }
    sets = {tag: _set(tag, columns, campaign, parts, pair) for tag, columns in texts.items() if columns}
    if re.search(r"\.sgml?(\.gz|\.zst)?$", path, re.IGNORECASE):
        return {"": (chunk for content in sets.values() for chunk in content)}
    return {f"{tag.removesuffix('set')}.sgm": content for tag, content in sets.items()}


def _set(
    tag: str, texts: Mapping[str, Texts], campaign: Campaign, parts: list[Stretch], pair: str | None
) -> Iterator[bytes]:
    source, target = languages_of(campaign, pair)
    languages = {"srclang": source} | ({} if tag == "srcset" else {"trglang": target})
    yield f"<{tag}{spelled_attributes({'setid': campaign.name, **languages})}>\n".encode()
    for name, column in texts.items():
        listed = list(column)
        for part in parts:
            there = part.texts(campaign, (_SETS[tag][0], name), listed)
            if there:
                system = {} if tag == "srcset" else {"sysid": name}
                labels = {("genre" if key == "domain" else key): value for key, value in part.labels.items()}
                yield f"<doc{spelled_attributes({'docid': part.document, **system, **labels})}>\n".encode()
                for key, text in there:
                    yield f"<seg{spelled_attributes({'id': key})}>{_encoded(text)}</seg>\n".encode()
                yield b"</doc>\n"
    yield f"</{tag}>\n".encode()


def _encoded(text: str) -> str:
    """A text between tags; spaces at its ends and line breaks stand as numbers, because plain ones are layout.

    >>> _encoded(" a < b")
    '&#32;a &lt; b'
    """
    if _SPECIAL.search(text) is None:
        return text
    core = text.strip(_BLANKS)
    before = text[: len(text) - len(text.lstrip(_BLANKS))]
    after = text[len(text.rstrip(_BLANKS)) :] if core else ""
    outer = ["".join(f"&#{ord(sign)};" for sign in part) for part in (before, after)]
    return outer[0] + escaped(core) + outer[1]


FORMAT = CampaignFormat(_read, _write)
