"""What mt-metrics-eval's reader takes for a test set of one language pair, from its rules; everything else is refused.

The rules are those of its README and of the errors that its ``EvalSet`` raises, with stored scores of metrics and in
its strict mode. The package of that name in the public index is another one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

MISSING = "[No translation supplied]"


class RefusedError(Exception):
    """The reader would stop here."""


@dataclass
class EvalSet:
    source: list[str | None]
    domains: list[str]
    documents: list[str]
    references: dict[str, list[str | None]] = field(default_factory=dict)
    systems: dict[str, list[str | None]] = field(default_factory=dict)
    #: By name and level, the scores of every system.
    human: dict[tuple[str, str], dict[str, list[float | None]]] = field(default_factory=dict)
    metrics: dict[tuple[str, str], dict[str, list[float | None]]] = field(default_factory=dict)


def require(holds: object, what: str) -> None:
    if not holds:
        raise RefusedError(what)


def lines(path: Path) -> list[str]:
    """Lines end as Python's text files end them: at a carriage return, too."""
    with path.open(encoding="utf-8") as file:
        return file.readlines()


def texts(path: Path, key: str) -> list[str | None]:
    if path.suffix == ".jsonl":
        return [json.loads(line)[key] for line in lines(path)]
    require(path.suffix == ".txt", f"{path.name}: neither .txt nor .jsonl")
    return [None if line.rstrip() == MISSING else line.rstrip() for line in lines(path)]


def load(folder: Path, pair: str) -> EvalSet:
    sources = [path for path in (folder / f"sources/{pair}.txt", folder / f"sources/{pair}.jsonl") if path.exists()]
    require(sources, "no source")
    documents = folder / f"documents/{pair}.docs"
    require(documents.exists(), "no documents")
    labels = [line.split() for line in lines(documents)]
    require(all(len(label) >= 2 for label in labels), "a line without domain or document")
    found = EvalSet(texts(sources[0], "source"), [label[0] for label in labels], [label[1] for label in labels])
    ended = set()
    for before, after in zip(found.documents, found.documents[1:], strict=False):
        if before != after:
            ended.add(before)
        require(after not in ended, f"document {after} in several pieces")

    for path in sorted((folder / "references").glob(f"{pair}.*.*")):
        name = path.name.split(".")[-2]
        require("-" not in name and name not in ("all", "src"), f"reference {name}")
        require(name not in found.references, f"a second reference {name}")
        found.references[name] = texts(path, "target")
    require(found.references, "no reference to be the standard one")
    for path in sorted((folder / "system-outputs" / pair).glob("*.*")):
        found.systems[path.name.removesuffix(path.suffix)] = texts(path, "hypothesis")
    for name, column in (*found.references.items(), *found.systems.items()):
        require(len(column) == len(found.source), f"{name} has {len(column)} lines")
    # The reader itself does not look, but what is numbered by lines would be about others.
    require(len(labels) == len(found.source), "other lines in documents")

    for path in sorted((folder / "human-scores").glob(f"{pair}.*.score")):
        parts = path.name.split(".")
        require(len(parts) >= 4, f"{path.name}: no name and level")
        found.human[".".join(parts[1:-2]), parts[-2]] = scores(path, parts[-2], found)
    for path in sorted((folder / "human-scores").glob(f"{pair}.*.rating")):
        require(path.name.split(".")[-2] == "seg", path.name)
        for line in lines(path):
            system, rating, *rater = line.strip().split("\t")
            require(system and len(rater) <= 1, f"{path.name}: {line}")
            require(rating == "None" or isinstance(json.loads(rating)["errors"], list), f"{path.name}: {line}")
    for path in sorted((folder / "metric-scores" / pair).glob("*.score")):
        name, level, _ = path.name.rsplit(".", maxsplit=2)
        base, dash, after = name.rpartition("-")
        require(dash and base, f"{path.name}: no references")
        used = {"all": set(found.references), "src": set()}.get(after, set(after.split(".")))
        require(used <= found.references.keys(), f"{path.name}: references {used}")
        found.metrics[name, level] = known = scores(path, level, found)
        require(all(None not in column for column in known.values()), f"{path.name}: None")
        require(found.systems.keys() - used <= known.keys(), f"{path.name}: not all systems")
    return found


def scores(path: Path, level: str, found: EvalSet) -> dict[str, list[float | None]]:
    """One block of scores for each system: a list in the order of the test set, of domains by their names."""
    known: dict[str, list[float | None]] = {}
    domains = sorted(set(found.domains))
    lengths = {"sys": 1, "domain": len(domains), "doc": len(set(found.documents)), "seg": len(found.source)}
    require(level in lengths, f"{path.name}: level {level}")
    for line in lines(path):
        cells = line.split()
        require(len(cells) == (3 if level == "domain" else 2), f"{path.name}: {line}")
        value = None if cells[-1] == "None" else float(cells[-1])
        if level == "domain":
            require(cells[0] in domains, f"{path.name}: domain {cells[0]}")
            known.setdefault(cells[1], [None] * len(domains))[domains.index(cells[0])] = value
        else:
            known.setdefault(cells[0], []).append(value)
    for system, column in known.items():
        require(system in found.systems, f"{path.name}: system {system}")
        require(len(column) == lengths[level], f"{path.name}: {len(column)} scores of {system}")
    return known
