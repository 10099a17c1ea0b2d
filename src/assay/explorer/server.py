"""An explorer over HTTP: the page, and what it asks for. Nobody else on the network, and no other page, can ask.

Every request is looked at before anything is done: to which host it is addressed, which page sent it, whether it has
the token where one is needed, how large it is. See docs/concepts/explorer-security.md.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import re
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote

import anyio
import anyio.to_thread
import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from assay.errors import AssayError, InputError
from assay.explorer.program import MAIN, WORKER, program, style
from assay.explorer.session import UPLOAD, Forgotten, Session
from assay.results.result import spell_json
from assay.results.visible import html, script

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: So large a request is at most that is no file, so deep its JSON, and so many are worked on at once.
_BODY, _DEEPEST, _AT_ONCE = 4_000_000, 20, 400
#: So many bytes of requests are held at once, and so many seconds a request may stand still, or take to come.
_HELD, _STILL, _COMING = 256_000_000, 30.0, 600.0
#: Threads that answer, and those that wait for queries that may take long.
_THREADS, _WAITING = 4, 16
_LONG = ("intervals", "deltas", "ngrams", "points")
#: So many ports behind the one that was asked for are tried.
_PORTS = 100
#: A name or an address, and a port; nothing else is a host.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?")
#: Ways to ask, and what a page's own requests say of where they come from.
_METHODS = ("GET", "HEAD", "POST", "DELETE")
_OWN = ("same-origin", "none")
#: What every answer says to the browser.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; worker-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class _Refused(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


@dataclass(eq=False)
class _Guard:
    """What stands before the application, and lets through what may ask."""

    app: Callable[[_Scope, _Receive, _Send], Awaitable[None]]
    hosts: frozenset[str]
    port: int
    token: str | None = None
    #: Whether addresses, and not only known names, are taken as the host: of a server that others may reach.
    takes_addresses: bool = False
    working: int = 0
    _seen: int = field(default=0, repr=False)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            # There are no web sockets here.
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope)
        self.working += 1
        try:
            if self.working > _AT_ONCE:
                raise _Refused(503, f"More than {_AT_ONCE} requests at once. Ask again in a moment.")
            granted = self._check(request)
            if granted is not None:
                await _sent(granted, scope, receive, send)
                return
            await self.app(scope, receive, _with_headers(send))
        except _Refused as error:
            await _sent(_error(error.status, error.said), scope, receive, send)
        finally:
            self.working -= 1

    def _check(self, request: Request) -> Response | None:
        """Refuse what must not ask; whoever brings the token gets a cookie for it."""
        if request.method not in _METHODS:
            raise _Refused(405, f"{request.method} is not known here.")
        host = request.headers.get("host", "")
        if not self._is_ours(host):
            raise _Refused(403, "This host name is not the explorer's. Open the address that the command printed.")
        if len(request.headers.getlist("host")) > 1:
            raise _Refused(400, "A request is addressed to one host.")
        origin = request.headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            raise _Refused(403, "Another page asked, and only the explorer's own page may.")
        site, mode = request.headers.get("sec-fetch-site"), request.headers.get("sec-fetch-mode")
        reads = request.method in ("GET", "HEAD")
        path = str(request.scope["path"])
        if site is not None and site not in _OWN and not (reads and mode == "navigate" and path == "/"):
            raise _Refused(403, "Another page asked, and only the explorer's own page may.")
        if not reads:
            if origin is None and site != "same-origin":
                raise _Refused(403, "Only the explorer's own page may change anything: no Origin is named.")
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            wanted = "application/octet-stream" if path == "/api/upload" else "application/json"
            if kind != wanted:
                raise _Refused(415, f"This takes {wanted}.")
        return self._token(request) if self.token is not None else None

    def _is_ours(self, host: str) -> bool:
        """Whether a request is addressed to this server by a name that it has: else somebody's name leads here."""
        name, port = _host_and_port(host)
        if port != self.port:
            return False
        if name.lower() in self.hosts:
            return True
        return self.takes_addresses and _is_address(name)

    def _token(self, request: Request) -> Response | None:
        cookie = f"assay-{self.port}"
        token = self.token or ""
        if request.scope["path"] == "/" and "token" in request.query_params:
            if not secrets.compare_digest(request.query_params["token"].encode(), token.encode()):
                raise _Refused(403, "This token is not the one that the command printed.")
            # A redirection of a link on another page would come without the cookie; a page of ours asks with it.
            response = HTMLResponse('<!doctype html><title>Assay</title><meta http-equiv="refresh" content="0; url=/">')
            response.set_cookie(cookie, token, httponly=True, samesite="strict", path="/")
            return response
        if not secrets.compare_digest(request.cookies.get(cookie, "").encode(), token.encode()):
            raise _Refused(403, "This explorer needs its token: open the whole address that the command printed.")
        return None


def _host_and_port(host: str) -> tuple[str, int | None]:
    """The name and the port in a Host header, without a port that of HTTP; no port if it is none."""
    found = _HOST.fullmatch(host)
    if found is None:
        return "", None
    return found[1].strip("[]"), int(found[2] or 80)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether this machine alone can reach a server that listens there."""
    if host.lower() == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


async def _sent(response: Response, scope: _Scope, receive: _Receive, send: _Send) -> None:
    await response(scope, receive, _with_headers(send))


def _with_headers(send: _Send) -> _Send:
    """Sends the same with the headers that every answer has."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name.encode(), value.encode()) for name, value in _HEADERS.items() if name.encode() not in known]
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sending


def _error(status: int, said: str) -> Response:
    return Response(spell_json({"error": said}), status, media_type="application/json")


@dataclass(eq=False)
class _Pages:
    """What can be asked of one session."""

    session: Session
    #: Threads that answer; and those that wait for what takes long, so that nobody else has to.
    limiters: dict[bool, anyio.CapacityLimiter] = field(default_factory=dict)
    #: Bytes of requests that are answered now.
    held: int = 0

    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/", self.shell),
            Route("/app.js", self.static("text/javascript", lambda: program(MAIN))),
            Route("/worker.js", self.static("text/javascript", lambda: program(WORKER))),
            Route("/app.css", self.static("text/css", style)),
            Route("/favicon.ico", self.nothing),
            Route("/api/manifest", self.read(lambda _: self.session.manifest())),
            Route("/api/questions", self.read(lambda _: self.session.questions())),
            Route("/api/result/{id}", self.read(lambda request: self.session.result(request.path_params["id"]))),
            Route("/api/query/{campaign:int}/{name}", self.given(self.query), methods=["POST"]),
            Route("/api/explain", self.given(lambda _, given: self.session.explain(**given)), methods=["POST"]),
            Route("/api/ask", self.given(lambda _, given: self.asked(given)), methods=["POST"]),
            Route("/api/jobs", self.read(lambda _: [*map(self.session.about_job, self.session.jobs.listed())])),
            Route("/api/job/{id}", self.read(self.job)),
            Route("/api/job/{id}", self.given(self.cancel, empty=True), methods=["DELETE"]),
            Route("/api/upload", self.upload, methods=["POST"]),
            Route("/api/runs", self.read(lambda _: self.session.run_list())),
            Route("/api/runs", self.given(lambda _, given: self.session.history(given)), methods=["POST"]),
            Route("/api/diff", self.given(lambda _, given: self.session.diff(**given)), methods=["POST"]),
            Route(
                "/api/rerun",
                self.given(lambda _, given: {"job": self.session.rerun(**given).id}),
                methods=["POST"],
            ),
            *self._small("notes", self.session.notes, {"campaign": int, "segment": int, "system": (str, type(None)),
                                                       "text": str}),
            *self._small("slices", self.session.slices, {"campaign": (int, type(None)), "filter": dict}),
        ]  # fmt: skip
        handlers: Any = {404: _not_found, 405: _not_found, _Refused: _refused, Exception: _failed}
        return Starlette(routes=routes, exception_handlers=handlers)

    def _small(self, name: str, kept: Any, fields: Mapping[str, Any]) -> list[Route]:
        def remove(request: Request, _: Any) -> dict[str, Any]:
            kept.remove(request.path_params["id"])
            return {}

        return [
            Route(f"/api/{name}", self.read(lambda _: kept.listed())),
            Route(f"/api/{name}", self.given(lambda _, given: kept.put(given, fields)), methods=["POST"]),
            Route(f"/api/{name}/{{id:path}}", self.given(remove, empty=True), methods=["DELETE"]),
        ]

    async def shell(self, request: Request) -> Response:
        """The page, in which the program fills everything."""
        boot = {"transport": "server"}
        return HTMLResponse(
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html(self.session.title)}</title>"
            '<link rel="stylesheet" href="/app.css"></head><body>\n'
            '<main id="app"><noscript><p>The explorer needs JavaScript, which is off here. The page of '
            "assay report shows tables and findings without it.</p></noscript></main>\n"
            f'<script type="application/json" id="boot">{script(boot)}</script>\n'
            '<script src="/app.js" defer></script></body></html>\n'
        )

    def static(self, kind: str, text: Callable[[], str]) -> Callable[[Request], Awaitable[Response]]:
        """A part of the program."""

        async def give(_: Request) -> Response:
            return Response(text(), media_type=kind)

        return give

    async def nothing(self, _: Request) -> Response:
        """There is no picture for a tab."""
        return Response(status_code=204)

    async def _answered(self, work: Callable[[], Any], *, long: bool = False) -> Response:
        """What work gives, as JSON; what goes wrong is a sentence."""
        if long not in self.limiters:
            self.limiters[long] = anyio.CapacityLimiter(_WAITING if long else _THREADS)

        def answer() -> Response:
            try:
                content = spell_json(work()).encode()
            except Forgotten as error:
                return _error(404, str(error))
            except AssayError as error:
                return _error(400, str(error))
            except TypeError as error:
                if "argument" not in str(error):
                    raise
                return _error(400, f"This is not how it is asked: {error}.")
            except MemoryError:
                return _error(400, "Not enough memory for that.")
            stale = {"x-assay-stale": "1"} if self.session.stale() is not None else {}
            return Response(content, media_type="application/json", headers=stale)

        return await anyio.to_thread.run_sync(answer, limiter=self.limiters[long])

    def read(self, work: Callable[[Request], Any]) -> Callable[[Request], Awaitable[Response]]:
        """What is there to be read."""

        async def answer(request: Request) -> Response:
            return await self._answered(lambda: work(request))

        return answer

    def given(
        self, work: Callable[[Request, Any], Any], *, empty: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """What takes an object."""

        async def answer(request: Request) -> Response:
            async with self._body(request, _BODY) as content:
                value = _object(content) if content or not empty else {}
                long = request.path_params.get("name") in _LONG
                return await self._answered(lambda: work(request, value), long=long)

        return answer

    def query(self, request: Request, given: Any) -> dict[str, Any]:
        """One of the queries; a filter that cannot be is an answer, and no failure that a browser would report."""
        try:
            return self.session.query(request.path_params["campaign"], request.path_params["name"], given)
        except AssayError as error:
            return {"error": str(error)}

    def asked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """A question that is put into the queue."""
        options = {**given}
        if "slice" in options:
            options["named"] = options.pop("slice")
        return {"job": self.session.ask(**options).id}

    def job(self, request: Request) -> dict[str, Any]:
        """How far a job is."""
        return self.session.about_job(self.session.job(request.path_params["id"]))

    def cancel(self, request: Request, _: Any) -> dict[str, Any]:
        """Give up a job."""
        job = self.session.job(request.path_params["id"])
        self.session.jobs.cancel(job)
        return self.session.about_job(job)

    async def upload(self, request: Request) -> Response:
        """Take a file in."""
        query = request.scope["query_string"].decode("latin-1")
        told = {name: values[0] for name, values in parse_qs(query, keep_blank_values=True, max_num_fields=20).items()}
        number = told.get("campaign", "0")
        async with self._body(request, UPLOAD) as content:

            def add() -> dict[str, Any]:
                place = int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else -1
                self.session.upload(place, told.get("kind", ""), told.get("name", ""), told.get("file", ""), content)
                return self.session.manifest()

            return await self._answered(add)

    @asynccontextmanager
    async def _body(self, request: Request, most: int) -> AsyncIterator[bytes]:
        """The body of a request, if it is no larger than that, and as long as it is needed."""
        said = request.headers.get("content-length", "0")
        if not said.isdecimal() or int(said) > most:
            raise _Refused(413, f"At most {most:,} bytes at once.")
        parts, size = [], 0
        try:
            async for part in _arriving(request):
                size += len(part)
                self.held += len(part)
                if size > most:
                    raise _Refused(413, f"At most {most:,} bytes at once.")
                if self.held > _HELD:
                    raise _Refused(503, "Too much is sent at once. Ask again in a moment.")
                parts.append(part)
            yield b"".join(parts)
        finally:
            self.held -= size


async def _arriving(request: Request) -> AsyncIterator[bytes]:
    """The parts of a body as they come, as long as they do come."""
    stream, end = request.stream(), time.monotonic() + _COMING
    while True:
        try:
            with anyio.fail_after(min(_STILL, end - time.monotonic())):
                part = await anext(stream, None)
        except ClientDisconnect:
            raise _Refused(400, "The page went away.") from None
        except TimeoutError:
            raise _Refused(408, "The request did not come to its end.") from None
        if part is None:
            return
        yield part


class _Impatient(H11Protocol):
    """A connection that is closed where a request begins and does not end: else some hundreds of them are all there
    can be.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # Who waits for a body that is still wanted looks at the time itself.
        is_whole = self.conn.their_state is not h11.IDLE and (
            self.conn.our_state is not h11.DONE or self.conn.their_state is not h11.SEND_BODY
        )
        if is_whole:
            self._rest()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(_STILL, self.transport.close)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _object(content: bytes) -> dict[str, Any]:
    """The object in a request; nothing deep, nothing that JSON does not have."""
    try:
        value = json.loads(content, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise _Refused(400, "This is no JSON.") from None
    if not isinstance(value, dict):
        raise _Refused(400, "An object is taken here.")
    level: list[Any] = [value]
    deep = 0
    while level:
        deep += 1
        if deep > _DEEPEST:
            raise _Refused(400, f"JSON that is nested deeper than {_DEEPEST} levels is not taken.")
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, (dict, list))
        ]
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _finite(text: str) -> float:
    """A number that there is; 1e999 is none."""
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


async def _not_found(_: Request, error: Any) -> Response:
    return _error(error.status_code, "There is nothing here.")


async def _refused(_: Request, error: Any) -> Response:
    return _error(error.status, error.said)


async def _failed(_: Request, error: Exception) -> Response:
    return _error(500, f"An error of Assay itself ({type(error).__name__}).")


class Explorer:
    """An explorer that is open: a server in a thread. ``url`` is where; ``close`` ends it."""

    def __init__(self, session: Session, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.session = session
        self.token = None if is_loopback(host) else secrets.token_urlsafe(24)
        self.socket = _listening(host, port)
        self.host, self.port = host, int(self.socket.getsockname()[1])
        names = {"localhost", "127.0.0.1", "::1", host.lower()}
        if self.token is not None:
            names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        guard = _Guard(_Pages(session).app(), frozenset(names), self.port, self.token, self.token is not None)
        config = uvicorn.Config(
            guard, log_level="critical", access_log=False, server_header=False, date_header=False, lifespan="off",
            http=_Impatient, ws="none", loop="asyncio", timeout_keep_alive=30, timeout_graceful_shutdown=1, backlog=512,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="assay explorer", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._server.run(sockets=[self.socket])

    @property
    def url(self) -> str:
        """Where a browser finds it; with the token, where one is needed."""
        shown = socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host
        shown = f"[{shown}]" if ":" in shown else shown
        return f"http://{shown}:{self.port}/" + (f"?token={quote(self.token)}" if self.token else "")

    def close(self) -> None:
        """End it; what was uploaded is gone, what was kept in a store stays."""
        self._server.should_exit = True
        self._thread.join(timeout=5)
        self.socket.close()
        self.session.close()

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Explorer({self.url!r})"

    def _repr_html_(self) -> str:
        return f'<p>Assay explorer: <a href="{html(self.url)}" target="_blank" rel="noopener">{html(self.url)}</a></p>'


def _listening(host: str, port: int) -> socket.socket:
    """A socket on the port, or the next one that is free."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise InputError(f"--host {host}: there is no such address ({error.strerror or error}).") from None
    reason = "all are in use"
    for number in range(port, port + 1 if port == 0 else min(port + _PORTS, 65_536)):
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((address[0], number, *address[2:]))
            made.listen(512)
        except OSError as error:
            made.close()
            reason = error.strerror or str(error)
            continue
        made.set_inheritable(False)
        return made
    raise InputError(f"--host {host}: no port from {port} on can be listened on ({reason}).")
