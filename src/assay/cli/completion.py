"""``assay completion``: what a shell offers behind the cursor: commands, options, metrics, and names of a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from assay.errors import AssayError

_VARIABLE = "_ASSAY_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")
_Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(field: str, metavar: str | None) -> _Completer | None:
    """What offers values of an option, by the field that it is made of; None where nothing is known to offer."""
    names = _NAMES.get(field)
    if names is not None:
        return lambda context, _, typed: _offered(names(context), typed)
    return files if re.search("FILE|FOLDER|CAMPAIGN", metavar or "") else None


def files(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Files and folders, which the shell itself finds."""
    return [CompletionItem(typed, type="file")]


def _offered(names: Iterable[str], typed: str) -> list[CompletionItem]:
    """Those that begin as the last of several does, with the ones that stand before it."""
    before, comma, start = typed.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.casefold().startswith(start.casefold())]


def _metrics(_: click.Context) -> Iterable[str]:
    from assay.metrics.registry import metric_names

    return metric_names()


def _of_campaign(look: Callable[[Any], Iterable[str]]) -> Callable[[click.Context], Iterable[str]]:
    """Names in the campaign that is on the command line already; none where it cannot be read."""

    def names(context: click.Context) -> Iterable[str]:
        from assay.data.formats import read

        # While an option waits for its value, arguments are not sorted yet: the last one is the campaign.
        inputs = [*(context.params.get("inputs") or ()), *context.args]
        try:
            return [name for path in inputs[-1:] for name in look(read(path))]
        except (AssayError, OSError):
            return []

    return names


#: By the names of fields: options are made of them.
_NAMES: dict[str, Callable[[click.Context], Iterable[str]]] = {
    "metrics": _metrics,
    "metric": _metrics,
    "systems": _of_campaign(lambda campaign: campaign.systems),
    "baseline": _of_campaign(lambda campaign: campaign.systems),
    "system": _of_campaign(lambda campaign: campaign.systems),
    "references": _of_campaign(lambda campaign: campaign.references),
    "kind": _of_campaign(lambda campaign: campaign.judgements.kinds if campaign.judgements else ()),
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
