"""Every small change that could be made to a room's code, and a seeded sample of them.

The changes are mutmut's: a number one larger, ``<`` for ``<=``, ``+`` for ``-``, ``and`` for ``or``, None for an
argument, an argument left out, a text in X's. mutmut itself leaves properties, class bodies and tables alone; here they
change, too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_match, operator_string

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "assay"

# What a change of would say nothing: types, and calls that check what a type checker checks.
SILENT_CALLS = {"len", "isinstance", "cast", "TypeVar", "ParamSpec", "NewType"}
# Assertions about ourselves, and what only matters on other machines.
SILENT_KEYWORDS = {"strict", "encoding"}


@dataclass(frozen=True)
class Mutant:
    """One change: the text from ``start`` to ``end`` in a file becomes another."""

    path: str
    function: str  # "" at import
    lines: tuple[int, int]  # first and last of the statement
    start: int
    end: int
    text: str
    before: str  # the changed lines, white space as one space
    after: str
    turn: int  # which of equal changes in one function

    @property
    def key(self) -> str:
        """Names the change, also after other lines of the file have moved."""
        named = "\n".join([self.path, self.function, self.before, self.after, str(self.turn)])
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    def applied(self, source: str) -> str:
        """The file's text with the change."""
        return source[: self.start] + self.text + source[self.end :]


def room_files(room: str) -> list[Path]:
    """The files of a room: of a folder ``metrics`` or ``questions/studies``, or one file."""
    path = SOURCE / room
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def mutants_of(room: str) -> list[Mutant]:
    """All of a room's mutants, in the order of its files."""
    return [mutant for path in room_files(room) for mutant in file_mutants(path)]


def sampled(mutants: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """``number`` of them by chance; a smaller sample begins a larger one, also after other code has changed."""
    shuffled = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())
    sources = {mutant.path: (ROOT / mutant.path).read_text(encoding="utf-8") for mutant in shuffled}
    return list(islice((mutant for mutant in shuffled if _compiles(mutant.applied(sources[mutant.path]))), number))


def file_mutants(path: Path) -> Iterator[Mutant]:
    """The mutants of one file."""
    source = path.read_text(encoding="utf-8")
    visitor = _Changes(source)
    MetadataWrapper(libcst.parse_module(source)).visit(visitor)
    name = path.relative_to(ROOT).as_posix()
    turns: Counter[tuple[str, str, str]] = Counter()
    seen: set[tuple[int, int, str]] = set()
    for function, lines, start, end, text in visitor.found:
        before, after = _changed_lines(source, start, end, text)
        if before == after or (start, end, text) in seen:
            continue
        seen.add((start, end, text))
        turns[function, before, after] += 1
        yield Mutant(name, function, lines, start, end, text, before, after, turns[function, before, after])


def _changed_lines(source: str, start: int, end: int, text: str) -> tuple[str, str]:
    first = source.rfind("\n", 0, start) + 1
    last = source.find("\n", end)
    last = len(source) if last < 0 else last
    before, after = source[first:last], source[first:start] + text + source[end:last]
    return " ".join(before.split()), " ".join(after.split())


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


class _Changes(libcst.CSTVisitor):
    """Walks through a file and collects (function, lines of the statement, start, end, text)."""

    METADATA_DEPENDENCIES = (PositionProvider, WhitespaceInclusivePositionProvider)

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[int, int], int, int, str]] = []
        self.names: list[str] = []
        self.inside = 0
        self.statements: list[tuple[int, int]] = []
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.empty = libcst.Module(body=[])

    def on_visit(self, node: libcst.CSTNode) -> bool:
        if _says_nothing(node):
            return False
        if isinstance(node, libcst.FunctionDef | libcst.ClassDef):
            self.names.append(node.name.value)
            self.inside += isinstance(node, libcst.FunctionDef)
        if isinstance(node, libcst.SimpleStatementLine | libcst.BaseCompoundStatement):
            self.statements.append(self._lines(node))
        self._change(node)
        return True

    def on_leave(self, original_node: libcst.CSTNode) -> None:
        # A node that was not entered is left all the same.
        if _says_nothing(original_node):
            return
        if isinstance(original_node, libcst.FunctionDef | libcst.ClassDef):
            self.names.pop()
            self.inside -= isinstance(original_node, libcst.FunctionDef)
        if isinstance(original_node, libcst.SimpleStatementLine | libcst.BaseCompoundStatement):
            self.statements.pop()

    def _lines(self, node: libcst.CSTNode) -> tuple[int, int]:
        """Of a simple statement, or of a compound one as far as it stands before its body; a def's are its body's."""
        span = self.get_metadata(PositionProvider, node)
        body = getattr(node, "body", None)
        if isinstance(node, libcst.SimpleStatementLine | libcst.FunctionDef) or not isinstance(body, libcst.CSTNode):
            return span.start.line, span.end.line
        return span.start.line, max(span.start.line, self.get_metadata(PositionProvider, body).start.line - 1)

    def _change(self, node: libcst.CSTNode) -> None:
        for kind, operator in mutation_operators:
            if not isinstance(node, kind) or operator is operator_match:
                continue
            for number, changed in enumerate(operator(node)):
                if operator is operator_string and number:
                    break  # in X's is enough: lower and upper case of every text would fill the sample
                if isinstance(node, libcst.Call) and _silent_argument(node, changed):
                    continue
                span = self.get_metadata(WhitespaceInclusivePositionProvider, node, None)
                if span is not None and self.statements:
                    start = self.starts[span.start.line - 1] + span.start.column
                    end = self.starts[span.end.line - 1] + span.end.column
                    function = ".".join(self.names) if self.inside else ""
                    lines = self.statements[-1]
                    self.found.append((function, lines, start, end, self.empty.code_for_node(changed)))


def _says_nothing(node: libcst.CSTNode) -> bool:
    """Types, decorators, imports, docstrings, __all__, and what only a type checker reads."""
    if isinstance(node, libcst.Annotation | libcst.Decorator | libcst.Import | libcst.ImportFrom):
        return True
    if isinstance(node, libcst.Expr):
        return isinstance(node.value, libcst.BaseString)
    if isinstance(node, libcst.Call):
        return isinstance(node.func, libcst.Name) and node.func.value in SILENT_CALLS
    if isinstance(node, libcst.If):
        return isinstance(node.test, libcst.Name) and node.test.value == "TYPE_CHECKING"
    if isinstance(node, libcst.Arg):
        return node.keyword is not None and node.keyword.value in SILENT_KEYWORDS
    if isinstance(node, libcst.Assign):
        target = node.targets[0].target
        return isinstance(target, libcst.Name) and target.value == "__all__"
    return False


def _silent_argument(node: libcst.Call, changed: libcst.CSTNode) -> bool:
    """Whether what changed is an argument that says nothing."""
    if not isinstance(changed, libcst.Call):
        return False
    kept = {id(arg) for arg in changed.args}
    gone = [arg for arg in node.args if id(arg) not in kept]
    return any(arg.keyword is not None and arg.keyword.value in SILENT_KEYWORDS for arg in gone)
