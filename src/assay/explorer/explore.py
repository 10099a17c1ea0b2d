"""``assay.explore``: the explorer from Python, such as a notebook."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from assay.errors import MissingExtra, ParameterError, UnknownName
from assay.explorer.session import Explore, Session
from assay.questions.asked import Data, remarks
from assay.results.result import Result
from assay.store.folder import Store

if TYPE_CHECKING:
    from assay.explorer.server import Explorer


@dataclass(frozen=True)
class _Page:
    """An answer as it shows itself, without any server: there is nothing to be asked of one."""

    result: Result
    url: str | None = None

    def close(self) -> None:
        """There is nothing to end."""

    def __enter__(self) -> _Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


def explore(campaign: Any, metrics: Any = None, **options: Any) -> Explorer | _Page:
    """See it: a campaign, or several, or a store, in a browser; an answer shows itself, without any server.

    ``url`` of what is given back is where it is, and ``close()`` ends it. Options are those of ``assay explore``; the
    port is any free one.
    """
    if isinstance(campaign, Result):
        if metrics is not None or options:
            what = "explore: an answer shows itself, and there are no metrics or other options to choose."
            raise ParameterError(f"{what} Explore the campaign instead.")
        return _Page(campaign)
    try:
        from assay.explorer.server import Explorer
    except ImportError as error:
        raise MissingExtra.of("assay.explore", "explore") from error
    own, of_data = ({field.name for field in fields(cls)} for cls in (Explore, Data))
    for name in options:
        if name not in own | of_data:
            raise UnknownName.of("option of explore", name, own | of_data)
    chosen = {"port": 0, **{name: value for name, value in options.items() if name in own}}
    question = Explore(**chosen, **({} if metrics is None else {"metrics": metrics}))
    data: Data = Data(**{name: value for name, value in options.items() if name in of_data})
    with remarks():
        session = Session.open(question, str(campaign.path) if isinstance(campaign, Store) else campaign, data)
    explorer = Explorer(session, host=question.host, port=question.port)
    session.ask_usual()
    return explorer
