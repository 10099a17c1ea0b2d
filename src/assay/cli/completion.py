"""``assay completion``: what a shell offers behind the cursor: commands, options, metrics, and names of a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from assay.data.campaign import Campaign
from assay.data.formats import read
from assay.errors import AssayError
from assay.metrics.registry import metric_names
from assay.store.folder import Store

_VARIABLE = "_ASSAY_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")


def offered(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """What an option or argument may go on with, by the field that it is made of: names, files, or nothing."""
    if isinstance(parameter.type, click.Choice):
        return parameter.type.shell_complete(context, parameter, typed)
    takes_files = re.search("FILE|FOLDER|CAMPAIGN", str(parameter.metavar))
    files = [CompletionItem(typed, type="file")] if takes_files else []
    if parameter.name not in _NAMES:
        return files
    # Of several, with commas between, the last one is completed.
    names = _NAMES[parameter.name](context)
    before, comma, start = typed.rpartition(",")
    known = [name for name in names if name.casefold().startswith(start.casefold())]
    return [CompletionItem(f"{before}{comma}{name}") for name in known] or files


def _campaign(context: click.Context) -> Campaign:
    """The campaign that is on the command line already; an empty one where it cannot be read."""
    # While an option waits for its value, arguments are not sorted yet: the last one is the campaign.
    inputs = [*(context.params.get("inputs") or ()), *context.args]
    try:
        return read(inputs[-1])
    except (AssayError, OSError, IndexError):
        return Campaign("none", {}, {})


def _runs(context: click.Context) -> list[str]:
    """The runs of the store that is named, or is here, the last one first; none where it cannot be read."""
    try:
        folders = Store(context.params.get("store") or ".").run_folders()
    except (AssayError, OSError):
        return []
    return ["last", *(folder.name for folder in reversed(folders))]


#: By the names of fields: options are made of them.
_NAMES: dict[str | None, Callable[[click.Context], Iterable[str]]] = {
    "metrics": lambda _: metric_names(),
    "metric": lambda _: metric_names(),
    "systems": lambda context: _campaign(context).systems,
    "baseline": lambda context: _campaign(context).systems,
    "system": lambda context: _campaign(context).systems,
    "without": lambda context: _campaign(context).systems,
    "human": lambda context: _campaign(context).systems,
    "run": _runs,
    "runs": _runs,
    "before": _runs,
    "after": _runs,
    "references": lambda context: _campaign(context).references,
    "kind": lambda context: getattr(_campaign(context).judgements, "kinds", ()),
}


@click.command("completion", short_help="What a shell completes.")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands, options, metrics, systems and kinds.

    \b
    bash:  eval "$(assay completion bash)"    in ~/.bashrc
    zsh:   eval "$(assay completion zsh)"    in ~/.zshrc, below compinit
    fish:  assay completion fish > ~/.config/fish/completions/assay.fish
    """
    made = get_completion_class(shell)
    if made is None:  # pragma: no cover - click knows these three
        raise click.UsageError(f"No completion for {shell}.")
    click.echo(made(context.find_root().command, {}, "assay", _VARIABLE).source(), nl=False)
