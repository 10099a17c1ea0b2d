"""The explorer over HTTP: every endpoint, every rule of who may ask what, bad input, limits, jobs."""

import gc
import gzip
import http.client
import json
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import pytest

import assay
from assay.data.campaign import Campaign
from assay.demo import CAMPAIGN
from assay.errors import AssayError
from assay.explorer import jobs as jobs_module
from assay.explorer import server as server_module
from assay.explorer.server import POLICY, Explorer, is_loopback
from assay.explorer.session import Explore, Session
from assay.questions.asked import Data
from assay.questions.inputs import Inputs
from assay.store.folder import Store

pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")


@dataclass
class Client:
    """Asks as the page does, unless it is told otherwise."""

    port: int
    host: str = "127.0.0.1"
    explorer: Any = None

    def __call__(
        self, method: str, path: str, body: Any = None, headers: dict[str, str | None] | None = None, cookie: str = ""
    ) -> tuple[int, Any, dict[str, str]]:
        own = {"Host": f"{self.host}:{self.port}", "Origin": f"http://{self.host}:{self.port}"}
        own |= {"Content-Type": "application/json"} if method not in ("GET", "HEAD") else {}
        own |= {"Cookie": cookie} if cookie else {}
        given = {name: value for name, value in (own | (headers or {})).items() if value is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, content, given)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        try:
            value = json.loads(text)
        except ValueError:
            value = text.decode()
        return answer.status, value, {name.lower(): one for name, one in answer.getheaders()}

    def query(self, name: str, **options: Any) -> Any:
        return self("POST", f"/api/query/0/{name}", options)[1]

    def ask(self, **question: Any) -> dict[str, Any]:
        """A question, and what has become of it in the end."""
        status, value, _ = self("POST", "/api/ask", question)
        assert status == 200, value
        return self.ended(value["job"])

    def ended(self, job: str) -> dict[str, Any]:
        for _ in range(600):
            found = self("GET", f"/api/job/{job}")[1]
            if found["state"] not in ("waiting", "running"):
                return found
            time.sleep(0.02)
        raise AssertionError(found)


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    with Explorer(Session.open(Explore(), Inputs(inputs=(str(CAMPAIGN),)), Data())) as opened:
        yield opened


@pytest.fixture
def client(explorer: Explorer) -> Client:
    return Client(explorer.port)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Client]:
    """An explorer of a campaign of its own, which has a store."""
    folder = copytree(CAMPAIGN, tmp_path / "campaign")
    Store.create(folder)
    with Explorer(Session.open(Explore(), Inputs(inputs=(str(folder),)), Data())) as opened:
        yield Client(opened.port, explorer=opened)


# What there is


def test_the_page_and_its_parts_are_there_under_a_strict_policy(client):
    for path, kind in {
        "/": "text/html", "/app.js": "text/javascript", "/worker.js": "text/javascript", "/app.css": "text/css"
    }.items():  # fmt: skip
        status, text, headers = client("GET", path)
        assert (status, headers["content-type"].partition(";")[0]) == (200, kind)
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert not any(name.startswith("access-control") for name in headers)
        assert text
    page = client("GET", "/")[1]
    assert "<noscript>" in page
    assert " style=" not in page
    assert "<script>" not in page


def test_names_of_strangers_are_no_markup_in_the_page():
    campaign = Campaign("</title><script>alert(1)</script>", {"a": ["x"]}, {"R": ["x"]})
    with Explorer(Session.open(Explore(metrics="f1"), campaign, Data())) as opened:
        assert "<script>alert" not in Client(opened.port)("GET", "/")[1]


def test_the_manifest_says_what_can_be_done(client):
    status, manifest, _ = client("GET", "/api/manifest")
    assert status == 200
    (campaign,) = manifest["campaigns"]
    assert (campaign["name"], campaign["segments"]) == ("campaign", 60)
    assert manifest["transport"] == "server"
    assert manifest["can"] | {"ask": True, "runs": False, "notes": "memory"} == manifest["can"]
    assert manifest["stale"] is None
    assert manifest["findings"][0].startswith("campaign: 60 segments, 5 systems")
    assert {"compare", "meta", "references", "lavie2004"} <= {form["question"] for form in manifest["questions"]}


def test_every_query_is_answered(client):
    for name, options in {
        "scores": {}, "intervals": {"of": [["bleu", "gravel"]]}, "deltas": {"against": "gravel", "intervals": True},
        "groups": {"by": "domain"}, "segments": {"sort": {"by": "score", "metric": "bleu", "a": "gravel"}},
        "texts": {"segments": [1], "columns": ["source"]}, "segment": {"segment": 2},
        "ngrams": {"a": "gravel", "b": "rosetta"}, "points": {"x": {"metric": "bleu"}, "y": {"kind": "fluency"}},
        "distribution": {"metric": "bleu", "a": "gravel"}, "raters": {"kind": "adequacy"},
    }.items():  # fmt: skip
        answer = client.query(name, **options)
        assert "error" not in answer, (name, answer)
        assert answer


def test_scores_over_http_are_those_of_the_command(client):
    where = ["domain=news"]
    expected = assay.score(CAMPAIGN, where=where)
    scores = client.query("scores", filter={"where": where})["scores"]
    assert {(row["metric"], row["system"]): row["score"] for row in expected.table()} == {
        (metric, system): pytest.approx(score) for metric, of in scores.items() for system, score in of.items()
    }


def test_what_is_wrong_with_a_query_is_an_answer(client):
    for path, body, said in [
        ("/api/query/0/scores", {"filter": {"where": ["colour=red"]}}, "no column"),
        ("/api/query/0/scores", {"colour": 1}, "no option"),
        ("/api/query/0/colours", {}, "no query"),
        ("/api/query/7/scores", {}, "no campaign"),
        ("/api/query/0/segments", {"filter": {"search": {"text": "(", "regex": True}}}, "no regular expression"),
    ]:
        status, answer, _ = client("POST", path, body)
        assert status == 200
        assert said in answer["error"]


def test_explanations_are_drawn_and_a_metric_that_has_none_does_not_hinder_the_others(client):
    status, answer, _ = client(
        "POST", "/api/explain", {"segment": 3, "system": "gravel", "metrics": ["bleu", "ter", "hter"]}
    )
    assert status == 200
    assert [figure["metric"] for figure in answer["figures"]] == ["bleu", "ter"]
    assert all(figure["svg"].startswith("<?xml") and figure["text"] for figure in answer["figures"])
    assert {row["metric"] for row in answer["tables"]["explanations"]} == {"bleu", "ter"}
    assert [one["metric"] for one in answer["errors"]] == ["hter"]
    for body in (
        {"segment": 60, "system": "gravel"}, {"segment": "3", "system": "gravel"}, {"segment": 3, "system": "x"},
        {"segment": 3}, {"segment": 3, "system": "gravel", "metrics": "bleu"}, {"segment": 3, "system": ["gravel"]},
    ):  # fmt: skip
        assert client("POST", "/api/explain", body)[0] == 400, body


# Questions


def test_a_question_is_asked_of_what_the_filter_keeps(client):
    job = client.ask(
        campaign=0, question="compare", options={"metrics": "bleu,ter"}, filter={"where": ["domain!=news"]}
    )
    assert (job["state"], job["share"], job["error"]) == ("done", 1.0, None)
    body = client("GET", f"/api/result/{job['result']}")[1]
    expected = assay.compare(CAMPAIGN, metrics="bleu,ter", where=["domain!=news"]).to_dict()
    assert body["result"]["pairs"] == expected["pairs"]
    assert body["result"]["options"] == expected["options"]
    assert body["figures"][0]["svg"].startswith("<svg")
    entry = next(one for one in client("GET", "/api/manifest")[1]["results"] if one["id"] == job["result"])
    assert (entry["campaign"], entry["section"]) == (0, "systems")
    assert "--where 'domain!=news'" in entry["command"]


def test_a_filter_that_where_cannot_say_is_said_by_names_of_segments(client):
    chosen = {"ranges": [{"of": "length", "least": 12, "most": None}]}
    places = [row["segment"] for row in client.query("segments", filter=chosen, count=60)["rows"]]
    job = client.ask(question="score", filter=chosen)
    result = client("GET", f"/api/result/{job['result']}")[1]["result"]
    assert result["options"]["where"] == [f"segment={','.join(map(str, places))}"]


def test_studies_and_papers_are_asked(client):
    job = client.ask(study="references", question="study", options={"metrics": "bleu", "k": [1], "samples": 10})
    assert job["state"] == "done", job
    entry = client("GET", "/api/manifest")[1]["results"][-1]
    assert (entry["section"], entry["question"]) == ("references", "references")


def test_an_answer_that_there_is_none_says_why(client):
    job = client.ask(question="tune", options={"metric": "bleu", "kind": ["colour"]})
    assert (job["state"], job["result"]) == ("failed", None)
    assert "colour" in job["error"]
    assert client("POST", "/api/ask", {"question": "score", "filter": {"where": ["domain=x"]}})[0] == 400
    assert client("POST", "/api/ask", {"question": "blue"})[0] == 400
    assert client("POST", "/api/ask", {"question": "sql", "options": {"query": "select 1"}})[0] == 400
    assert client("POST", "/api/ask", {"question": "score", "options": {"colour": 1}})[0] == 400
    assert client("POST", "/api/ask", {"question": "score", "colour": 1})[0] == 400
    assert client("GET", "/api/job/job-none")[0] == client("GET", "/api/result/job-none")[0] == 404


def test_usual_questions_are_asked_at_once_and_make_findings():
    with Explorer(Session.open(Explore(), str(CAMPAIGN), Data())) as opened:
        client = Client(opened.port)
        assert client("GET", "/api/manifest")[1]["results"] == []
        opened.session.ask_usual()
        for _ in range(500):
            manifest = client("GET", "/api/manifest")[1]
            if not manifest["preparing"]:
                break
            time.sleep(0.1)
        assert [one["question"] for one in manifest["results"]] == ["describe", "score", "compare", "meta", "agreement"]
        assert any("significantly better" in sentence for sentence in manifest["findings"])
        assert len(manifest["findings"]) > 5


def told(client: Client) -> dict[str, Any]:
    """The manifest, when the first questions are answered."""
    for _ in range(600):
        manifest = client("GET", "/api/manifest")[1]
        if not manifest["preparing"]:
            return dict(manifest)
        time.sleep(0.05)
    raise AssertionError(manifest["preparing"])


def usual(manifest: dict[str, Any], number: int = 0) -> dict[str, str]:
    """By question the answer that pages show as one about all of the campaign."""
    listed = [one for one in manifest["results"] if one["usual"] and one["campaign"] == number]
    assert len({one["question"] for one in listed}) == len(listed)
    return {one["question"]: one["id"] for one in listed}


def test_answers_about_a_part_are_not_taken_for_all_of_a_campaign(tmp_path):
    folder = copytree(CAMPAIGN, tmp_path / "campaign")
    store = Store.create(folder)
    assay.compare(folder, "chrf", samples=20, where="domain=news", store=store.path)
    with Explorer(Session.open(Explore(metrics="chrf", samples=20), Inputs(inputs=(str(folder),)), Data())) as opened:
        client = Client(opened.port)
        news = {"filter": {"where": ["domain=news"]}, "question": "compare"}
        assert client.ask(**news, options={"metrics": "chrf", "samples": 20})["state"] == "done"
        assert client.ask(question="compare", options={"metrics": "chrf", "baseline": "compass"})["state"] == "done"
        # A run of the store, what a filter keeps, one baseline: none of them is what Systems calls all pairs.
        assert usual(client("GET", "/api/manifest")[1]) == {}
        asked = client.ask(question="compare", options={"metrics": "chrf", "samples": 20})
        assert usual(client("GET", "/api/manifest")[1]) == {"compare": asked["result"]}


def test_what_was_said_before_a_file_was_added_is_said_no_more(tmp_path):
    folder = tmp_path / "campaign"
    folder.mkdir()
    for name in ("gravel", "rosetta"):
        copyfile(CAMPAIGN / f"sys.{name}.txt", folder / f"sys.{name}.txt")
    with Explorer(Session.open(Explore(metrics="chrf", samples=20), Inputs(inputs=(str(folder),)), Data())) as opened:
        client = Client(opened.port)
        opened.session.ask_usual()
        assert "compare" not in usual(told(client))
        upload(client, (CAMPAIGN / "ref.A.txt").read_bytes(), kind="reference", name="A", file="ref.A.txt")
        manifest = told(client)
        first = usual(manifest)["compare"]
        assert "compares translations with references" not in str(manifest["unanswered"])
        upload(client, (CAMPAIGN / "sys.compass.txt").read_bytes(), kind="system", name="new", file="a.txt")
        manifest = told(client)
        second = usual(manifest)["compare"]
        assert second != first
        pairs = client("GET", f"/api/result/{second}")[1]["result"]["pairs"]
        assert "new" in {name for row in pairs for name in (row["a"], row["b"])}


def test_many_campaigns_are_opened_at_once(tmp_path):
    folders = tuple(str(copytree(CAMPAIGN, tmp_path / f"campaign-{number}")) for number in range(5))
    with Explorer(Session.open(Explore(metrics="wer", samples=2), Inputs(inputs=folders), Data())) as opened:
        # Five questions about each are more than anybody may have waiting.
        opened.session.ask_usual()
        client = Client(opened.port)
        assert client("POST", "/api/ask", {"question": "score", "options": {"metrics": "wer"}})[0] == 200
        opened.session.jobs.close()


def long_question(**more: Any) -> dict[str, Any]:
    return {"question": "compare", "options": {"metrics": "ter,meteor", "permutations": 100_000, **more}}


def test_a_question_can_be_cancelled_and_the_next_one_goes_on(client):
    first = client("POST", "/api/ask", long_question(calibrate=True))[1]["job"]
    second = client("POST", "/api/ask", long_question())[1]["job"]
    third = client("POST", "/api/ask", {"question": "score"})[1]["job"]
    waiting = client("GET", f"/api/job/{second}")[1]
    assert waiting["waiting"] >= 1 or waiting["state"] != "waiting"
    assert client("DELETE", f"/api/job/{second}")[1]["state"] == "cancelled"
    client("DELETE", f"/api/job/{first}")
    ended = client.ended(first)
    assert (ended["state"], ended["result"]) == ("cancelled", None)
    assert client.ended(third)["state"] == "done"
    assert [job["id"] for job in client("GET", "/api/jobs")[1]][-3:] == [first, second, third]


def test_progress_is_told_while_somebody_waits():
    told, go = [], threading.Event()
    jobs = jobs_module.Jobs()

    def work(job: jobs_module.Job) -> str:
        job(0.25)
        job.announce("3 fits")
        told.append((job.state, job.share, job.said))
        job(0.1)
        told.append(job.share)
        go.wait(5)
        return "there"

    job = jobs.add(work, title="x")
    later = jobs.add(work, title="y")
    assert jobs.before(later) == 1
    go.set()
    while job.state in ("waiting", "running"):
        time.sleep(0.01)
    jobs.close()
    assert told[0][:2] == ("running", 0.25)
    assert told[0][2] == "25 % · 0:00 · 3 fits"
    # What is done is not undone.
    assert told[1] == 0.25
    assert (job.state, job.result, job.said) == ("done", "there", "Done")


def test_only_so_many_questions_wait():
    go, jobs = threading.Event(), jobs_module.Jobs()
    for _ in range(jobs_module.MOST_WAITING):
        jobs.add(lambda _: go.wait(5))
    while jobs.listed()[0].state == "waiting":
        time.sleep(0.01)
    jobs.add(lambda _: None)
    with pytest.raises(AssayError, match="questions are waiting already"):
        jobs.add(lambda _: None)
    jobs.close()
    go.set()


def test_answers_that_nobody_looked_at_for_long_are_forgotten(monkeypatch):
    monkeypatch.setattr("assay.explorer.session._MOST_ANSWERS", 2)
    campaign = Campaign("small", {"a": ["x y"], "b": ["x"]}, {"R": ["x"]})
    with Explorer(Session.open(Explore(metrics="f1"), campaign, Data())) as opened:
        opened.session.ask_usual()
        client = Client(opened.port)
        asked = [client.ask(question="score", options={"metrics": "f1", "samples": 2})["result"] for _ in range(5)]
        listed = [one["id"] for one in client("GET", "/api/manifest")[1]["results"]]
        # The answers of the first page stay.
        assert len(listed) == 5
        assert listed[-2:] == asked[-2:]
        assert client("GET", f"/api/result/{asked[0]}")[0] == 404
        assert client("GET", f"/api/result/{asked[-1]}")[0] == 200


def test_what_has_ended_holds_nothing_of_what_it_was_about():
    class Large:
        def work(self, _: Any) -> None:
            """What is held is held by the work."""

    jobs, large = jobs_module.Jobs(), Large()
    held = weakref.ref(large)
    first = jobs.add(large.work)
    while first.state in ("waiting", "running"):
        time.sleep(0.01)
    second = jobs.add(large.work)
    jobs.cancel(second)
    third = jobs.add(lambda _: None)
    del large
    while third.state in ("waiting", "running"):
        time.sleep(0.01)
    gc.collect()
    assert (first.state, third.state, held()) == ("done", "done", None)
    jobs.close()


def test_an_error_of_ours_ends_the_job_and_not_the_queue():
    jobs = jobs_module.Jobs()
    first, second = jobs.add(lambda _: 1 / 0), jobs.add(lambda _: 7)
    while second.state in ("waiting", "running"):
        time.sleep(0.01)
    jobs.close()
    assert (first.state, second.result) == ("failed", 7)
    assert "ZeroDivisionError" in str(first.error)


def test_what_takes_long_is_asked_for_again():
    slow, go = jobs_module.Slow(patience=0.01, forgotten=0.2), threading.Event()

    def work(progress: Any) -> dict[str, Any]:
        progress(0.5)
        go.wait(5)
        return {"n": 1}

    assert slow.of("key", work) == {"pending": True, "share": pytest.approx(0.25, abs=0.25)}
    go.set()
    time.sleep(0.05)
    assert slow.of("key", work) == {"n": 1}

    def endless(progress: Any) -> dict[str, Any]:
        for _ in range(1000):
            progress(0.1)
            time.sleep(0.01)
        return {}

    assert slow.of("endless", endless)["pending"]
    time.sleep(0.5)
    # Nobody asked for it any more.
    assert "endless" not in slow._asked


def test_a_page_that_goes_away_leaves_its_question_and_the_server(client):
    started = client("POST", "/api/ask", {"question": "score"})[1]["job"]
    for body in (b'{"filter": {}}', b""):
        with socket.create_connection(("127.0.0.1", client.port)) as gone:
            head = (
                f"POST /api/query/0/scores HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
                f"Origin: http://127.0.0.1:{client.port}\r\nContent-Type: application/json\r\n"
                "Content-Length: 14\r\n\r\n"
            )
            gone.sendall(head.encode() + body)
    assert client.ended(started)["state"] == "done"
    assert client.query("scores")["n"] == 60


def test_a_hundred_requests_at_once_are_all_answered(client):
    answers: list[Any] = []

    def ask(number: int) -> None:
        chosen = {"where": [f"segment!={number}"]}
        answers.append(client("POST", "/api/query/0/scores", {"filter": chosen})[1].get("n"))

    threads = [threading.Thread(target=ask, args=(number % 60,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [59] * 100
    assert client("GET", "/api/manifest")[0] == 200


# Who may ask


@pytest.mark.parametrize("path", ["/", "/app.js", "/app.css", "/api/manifest", "/nothing"])
def test_a_request_to_another_name_is_refused(client, path):
    for host in ("evil.example", f"evil.example:{client.port}", "127.0.0.1", f"127.0.0.1:{client.port + 1}",
                 f"127.0.0.1.evil.example:{client.port}", "", f"10.0.0.1:{client.port}"):  # fmt: skip
        status, answer, headers = client("GET", path, headers={"Host": host, "Origin": None})
        assert (status, "error" in answer) == (403, True), host
        assert "content-security-policy" in headers
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        own = {"Host": f"{host}:{client.port}", "Origin": None}
        assert client("GET", path, headers=own)[0] in (200, 404)


def test_a_host_that_is_none_is_refused_and_not_an_error(client):
    port = client.port
    for host in (f"[::1:{port}", f"::1]:{port}", f"[localhost]:{port}", f"127.0.0.1.:{port}", f"localhost.:{port}",
                 f"user@127.0.0.1:{port}", "127.0.0.1:" + "9" * 5_000, f"127.0.0.1:0{port}0", f"127.0.0.1:{port} x",
                 f"127.0.0.1:{port}/", "127.0.0.1:", "[]", f"127.0.0.1,evil.example:{port}"):  # fmt: skip
        for path in ("/", "/api/manifest"):
            status, answer, headers = client("GET", path, headers={"Host": host, "Origin": None})
            assert (status, "error" in answer) == (403, True), host
            assert "content-security-policy" in headers, host


def test_another_page_may_not_ask(client):
    for headers in (
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"https://127.0.0.1:{client.port}"},
        {"Origin": f"http://127.0.0.1:{client.port + 1}"}, {"Origin": None, "Sec-Fetch-Site": "cross-site"},
        {"Origin": None, "Sec-Fetch-Site": "same-site"}, {"Origin": None},
    ):  # fmt: skip
        assert client("POST", "/api/query/0/scores", {}, headers)[0] == 403, headers
        assert client("DELETE", "/api/notes/0", None, headers)[0] == 403, headers
        if headers != {"Origin": None}:
            assert client("GET", "/api/manifest", None, headers)[0] == 403, headers
            assert client("GET", "/app.js", None, headers)[0] == 403, headers
    own = {"Origin": None, "Sec-Fetch-Site": "same-origin"}
    assert client("POST", "/api/query/0/scores", {}, own)[0] == 200
    # A link on another page leads to the explorer, and to nothing else of it.
    link = {"Origin": None, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client("GET", "/", None, link)[0] == 200
    assert client("GET", "/api/manifest", None, link)[0] == 403


def test_a_form_of_another_page_cannot_ask(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
        assert client("POST", "/api/query/0/scores", {}, {"Content-Type": kind})[0] == 415, kind
        assert client("POST", "/api/upload?kind=system", b"x", {"Content-Type": kind})[0] == 415, kind
    assert client("POST", "/api/upload?kind=system", b"x", {"Content-Type": "application/json"})[0] == 415
    assert client("POST", "/api/query/0/scores", {}, {"Content-Type": "application/json; charset=utf-8"})[0] == 200


def test_other_ways_to_ask_are_refused(client):
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE"):
        assert client(method, "/api/manifest")[0] == 405
    assert client("GET", "/api/ask")[0] == client("POST", "/api/manifest", {})[0] == 405
    for path in (
        "/../pyproject.toml",
        "/static/app/main.js",
        "/app.js/../session.py",
        "/api/result/..%2f..%2fx",
        "/%2e%2e/",
    ):
        assert client("GET", path)[0] == 404, path


def test_another_host_needs_the_token_and_gives_a_cookie():
    campaign = Campaign("small", {"a": ["x"]}, {"R": ["x"]})
    with Explorer(Session.open(Explore(metrics="f1"), campaign, Data()), host="0.0.0.0") as opened:
        client = Client(opened.port)
        assert opened.token is not None
        assert opened.token in opened.url
        assert len(opened.token) >= 32
        for path in ("/", "/app.js", "/api/manifest", "/?token=wrong", "/api/manifest?token=" + opened.token):
            assert client("GET", path)[0] == 403, path
        status, page, headers = client("GET", f"/?token={opened.token}")
        assert status == 200
        assert 'content="0; url=/"' in page
        assert opened.token not in page
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        pair = cookie.partition(";")[0]
        assert client("GET", "/api/manifest", cookie=pair)[0] == 200
        assert client("GET", "/api/manifest", cookie=pair[:-1])[0] == 403
        assert client("POST", "/api/query/0/scores", {}, {"Origin": "http://evil.example"}, cookie=pair)[0] == 403
        # By its address, too, but not by a name that somebody else may own.
        assert client("GET", "/api/manifest", None, {"Host": f"10.1.2.3:{opened.port}", "Origin": None}, pair)[0] == 200
        assert (
            client("GET", "/api/manifest", None, {"Host": f"evil.example:{opened.port}", "Origin": None}, pair)[0]
            == 403
        )


def test_what_this_machine_alone_can_reach():
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "example.org", "127.0.0.1.example.org")))


# Limits


def test_requests_are_limited(client, monkeypatch):
    assert client("POST", "/api/query/0/scores", b" " * (server_module._BODY + 1))[0] == 413
    assert client("POST", "/api/query/0/scores", b"", {"Content-Length": "9" * 12})[0] == 413
    assert client("POST", "/api/query/0/scores", b'{"a":' * 15 + b"[1]" + b"}" * 15)[0] == 200
    for body in (
        b'{"a":' * 30 + b"1" + b"}" * 30, b"[" * 100_000, b"[]", b"1", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1e999}',
        b'{"a": -1e999}', b'{"a": ' + b"9" * 5_000 + b"}", b"",
    ):  # fmt: skip
        status, answer, _ = client("POST", "/api/query/0/scores", body)
        assert (status, "error" in answer) == (400, True), body[:20]
    monkeypatch.setattr(server_module, "_AT_ONCE", 0)
    assert client("GET", "/api/manifest")[0] == 503


def test_a_body_whose_length_nobody_said_is_limited_too(client, monkeypatch):
    monkeypatch.setattr(server_module, "_BODY", 1000)
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=10)
    headers = {"Origin": f"http://127.0.0.1:{client.port}", "Content-Type": "application/json"}
    connection.request("POST", "/api/query/0/scores", iter([b" " * 600] * 3), headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_a_request_that_does_not_end_is_given_up(client, monkeypatch):
    monkeypatch.setattr(server_module, "_STILL", 0.3)
    own = f"Host: 127.0.0.1:{client.port}\r\nOrigin: http://127.0.0.1:{client.port}\r\n"
    head = f"POST /api/query/0/scores HTTP/1.1\r\n{own}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n"
    for sent, answered in ((head + '{"fil', b"408"), ("GET / HTTP/1.1\r\nHost: 127", b""), ("", b"")):
        with socket.create_connection(("127.0.0.1", client.port), timeout=5) as slow:
            slow.sendall(sent.encode())
            # Without an end in sight nothing would come, and that would be an error.
            assert slow.recv(12)[-3:] == answered, sent
    monkeypatch.setattr(server_module, "_STILL", 5.0)
    monkeypatch.setattr(server_module, "_COMING", 0.3)
    with socket.create_connection(("127.0.0.1", client.port), timeout=5) as slow:
        slow.sendall(head.encode())
        assert slow.recv(12)[-3:] == b"408"
    assert client.query("scores")["n"] == 60


def test_requests_together_are_limited(client, monkeypatch):
    monkeypatch.setattr(server_module, "_HELD", 1_000)
    assert client("POST", "/api/query/0/scores", b" " * 2_000)[0] == 503
    assert client("POST", "/api/query/0/scores", {})[0] == 200


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("score", {"samples": 10_001}), ("compare", {"permutations": 1_000_000}), ("compare", {"simulations": 10**9}),
        ("score", {"metrics": "bleu(order=1000)"}), ("score", {"metrics": ",".join(["bleu"] * 50)}),
        ("score", {"metrics": [["bleu"]]}), ("score", {"worst": 10**7}), ("meta", {"kind": ["x"] * 1000}),
        ("score", {"metrics": "b" * 100_000}), ("score", {"threads": 4}), ("score", {"largest": "8GB"}),
    ],
)  # fmt: skip
def test_a_question_cannot_take_all_there_is(client, question, options):
    status, answer, _ = client("POST", "/api/ask", {"question": question, "options": options})
    assert (status, "error" in answer) == (400, True)


# Files from a page


def upload(client: Client, content: bytes, **told: Any) -> tuple[int, Any, dict[str, str]]:
    path = "/api/upload?" + "&".join(f"{name}={value}" for name, value in told.items())
    return client("POST", path, content, {"Content-Type": "application/octet-stream"})


def test_files_are_added(kept):
    lines = (CAMPAIGN / "sys.gravel.txt").read_bytes()
    status, manifest, _ = upload(
        kept, lines.replace(b"the", b"The"), campaign=0, kind="system", name="new", file="a.txt"
    )
    assert status == 200
    assert manifest["campaigns"][0]["systems"][-1] == "new"
    assert kept.query("scores")["scores"]["bleu"]["new"] is not None
    status, manifest, _ = upload(kept, (CAMPAIGN / "ref.A.txt").read_bytes(), kind="reference", name="D", file="x.txt")
    assert (status, manifest["campaigns"][0]["references"]) == (200, ["A", "B", "C", "D"])
    scores = "".join(f"gravel\t{place}\t{place}\n" for place in range(60))
    status, manifest, _ = upload(
        kept, f"system\tsegment\tscore\n{scores}".encode(), kind="scores", file="scores.judge.tsv"
    )
    assert status == 200, manifest
    assert manifest["campaigns"][0]["metrics"][-1]["name"] == "judge"
    assert kept.query("scores")["scores"]["judge"]["gravel"] == 29.5
    judged = "system\tsegment\tscore\tkind\trater\nnew\t0\t3\tstyle\tzoe\n"
    status, manifest, _ = upload(kept, judged.encode(), kind="judgements", file="more.tsv")
    assert status == 200, manifest
    assert manifest["campaigns"][0]["kinds"][-1]["name"] == "style"
    table = "source\treference\tsys.x\nwas\twhat\twhat\nwer\twho\twhom\n"
    status, manifest, _ = upload(kept, table.encode(), kind="campaign", name="second", file="t.tsv")
    assert (status, [one["name"] for one in manifest["campaigns"]]) == (200, ["campaign", "second"])
    assert kept("POST", "/api/query/1/scores", {})[1]["n"] == 2


def test_a_file_that_cannot_be_added_says_why(kept):
    lines = b"a\n" * 60
    for told, content, said in [
        ({"kind": "system", "name": "new"}, b"a\nb\n", "2 lines, but campaign has 60"),
        ({"kind": "system", "name": "gravel"}, lines, "has a system 'gravel' already"),
        ({"kind": "system", "name": ""}, lines, "is no name"),
        ({"kind": "system", "name": "%3Cscript%3E"}, lines, "is no name"),
        ({"kind": "system", "name": "..%2F..%2Fx"}, lines, "is no name"),
        ({"kind": "system", "name": "new"}, b"\xff\xfe\x00" * 60, "x.txt"),
        ({"kind": "colour", "name": "new"}, lines, "no kind of file"),
        ({"kind": "judgements"}, b"nothing of the kind", "x.txt"),
        ({"kind": "scores"}, b"nothing of the kind", "x.txt"),
        ({"kind": "campaign"}, b"nothing of the kind", ""),
        ({"kind": "system", "name": "new", "campaign": "9"}, lines, "no campaign"),
        ({"kind": "system", "name": "new", "campaign": "x"}, lines, "no campaign"),
    ]:
        status, answer, _ = upload(kept, content, file="x.txt", **told)
        assert status == 400, (told, answer)
        assert said in answer["error"], (told, answer)
    assert kept("GET", "/api/manifest")[1]["campaigns"][0]["systems"] == [
        "compass", "gravel", "human", "lantern", "rosetta"
    ]  # fmt: skip


def test_a_file_that_cannot_be_added_leaves_nothing_and_does_not_say_where_it_lay(kept, monkeypatch):
    monkeypatch.setattr("assay.explorer.session._UNPACKED", 1_000_000)
    long = "%E5%90%8D" * 100
    status, manifest, _ = upload(kept, b"a\n" * 60, kind="system", name="new", file=f"{long}.txt")
    assert (status, manifest["campaigns"][0]["systems"][-1]) == (200, "new")
    for told in ({"kind": "judgements"}, {"kind": "scores"}, {"kind": "campaign"}, {"kind": "system", "name": "no"}):
        status, answer, _ = upload(kept, b"nothing of the kind", file="x.tsv", **told)
        assert status == 400
        assert "assay-explore-" not in answer["error"], answer
    bomb = gzip.compress(b"a\n" * 1_000_000)
    assert "limit" in upload(kept, bomb, kind="system", name="bomb", file="x.txt.gz")[1]["error"]
    (folder,) = kept.explorer.session._folder.iterdir()
    assert [one.suffix for one in folder.iterdir()] == [".txt"]


def test_files_are_limited_and_gone_in_the_end(monkeypatch):
    campaign = Campaign("small", {"a": ["x"]}, {"R": ["x"]})
    monkeypatch.setattr("assay.explorer.session.UPLOADS", 2)
    monkeypatch.setattr(server_module, "UPLOAD", 1000)
    with Explorer(Session.open(Explore(metrics="f1"), campaign, Data())) as opened:
        client = Client(opened.port)
        assert upload(client, b"y" * 2000, kind="system", name="big", file="x")[0] == 413
        assert upload(client, b"y\n", kind="system", name="b", file="../../etc/x")[0] == 200
        folder = opened.session._folder
        (path,) = [one for one in folder.rglob("*") if one.is_file()]
        assert path.parent.parent == folder
        assert upload(client, b"y\n", kind="system", name="c", file=".hidden")[0] == 200
        assert "2 files were added already" in upload(client, b"y\n", kind="system", name="d", file="x")[1]["error"]
    assert not folder.exists()


# Notes, slices, runs


@pytest.mark.parametrize("store", ["kept", "client"])
def test_notes_and_slices_are_kept(store, request):
    client: Client = request.getfixturevalue(store)
    status, note, _ = client("POST", "/api/notes", {"campaign": 0, "segment": 3, "system": None, "text": "Schön <b>"})
    assert status == 200
    assert client("GET", "/api/notes")[1] == [note]
    changed = client("POST", "/api/notes", {**note, "text": "other"})[1]
    assert (changed["id"], client("GET", "/api/notes")[1]) == (note["id"], [changed])
    client("DELETE", f"/api/notes/{note['id']}")
    assert client("GET", "/api/notes")[1] == []
    for name in ("news", "a/b ..", "長い名前" * 20):
        chosen = {"where": ["domain=news"]}
        assert client("POST", "/api/slices", {"name": name, "campaign": 0, "filter": chosen})[0] == 200
        assert [(one["name"], one["filter"]) for one in client("GET", "/api/slices")[1]] == [(name, chosen)]
        client("DELETE", "/api/slices/" + "".join(f"%{byte:02x}" for byte in name.encode()))
    assert client("GET", "/api/slices")[1] == []
    for path, body in [
        ("/api/notes", {"campaign": 0, "segment": "3", "system": None, "text": "x"}), ("/api/notes", {}),
        ("/api/notes", {"campaign": 0, "segment": 3, "system": None, "text": "x" * 30_000}),
        ("/api/notes", {"campaign": 0, "segment": 3, "system": None, "text": "x", "id": "../../x"}),
        ("/api/notes", {"campaign": 0, "segment": 3, "system": None, "text": "x", "colour": 1}),
        ("/api/slices", {"name": "", "filter": {}, "campaign": 0}), ("/api/slices", {"name": 3, "filter": {}}),
    ]:  # fmt: skip
        assert client("POST", path, body)[0] == 400, body


def test_answers_are_kept_with_their_slice_and_can_be_asked_again(kept):
    first = kept.ask(question="score", options={"metrics": "bleu"}, filter={"where": ["domain=news"]}, slice="news")
    second = kept.ask(question="score", options={"metrics": "chrf"})
    assert first["state"] == second["state"] == "done"
    newest, oldest = kept("GET", "/api/runs")[1]
    assert (oldest["slice"], newest["slice"], oldest["question"]) == ("news", None, "score")
    history = kept("POST", "/api/runs", {"metrics": ["bleu"]})[1]["result"]
    assert history["scores"]
    difference = kept("POST", "/api/diff", {"before": oldest["name"], "after": newest["name"]})[1]["result"]
    assert difference["setup"]["same"] is False
    job = kept.ended(kept("POST", "/api/rerun", {"run": oldest["id"]})[1]["job"])
    assert job["state"] == "done", job
    assert kept("GET", f"/api/result/{job['result']}")[1]["result"]["setup"]["same"] is True
    assert kept("GET", f"/api/result/{oldest['id']}")[1]["result"]["options"]["where"] == ["domain=news"]


def test_no_run_leads_out_of_the_store(kept, tmp_path):
    kept.ask(question="score", options={"metrics": "bleu"})
    (run,) = kept("GET", "/api/runs")[1]
    (tmp_path / "other.json").write_text("{}")
    for name in (str(tmp_path / "other.json"), "../runs", "last", run["name"][:8], "", None, 3):
        assert kept("POST", "/api/diff", {"before": run["name"], "after": name})[0] in (400, 404), name
        assert kept("POST", "/api/rerun", {"run": name})[0] in (400, 404), name
    assert kept("POST", "/api/runs", {"store": str(tmp_path)})[0] == 400


def test_a_run_reads_and_writes_nothing_but_what_is_shown(kept, tmp_path):
    """A store that came with a campaign says what it likes of how its runs were asked."""
    kept.ask(question="score", options={"metrics": "bleu"})
    (run,) = kept("GET", "/api/runs")[1]
    path = kept.explorer.session.store.path / "runs" / run["name"] / "run.json"
    record, secret = json.loads(path.read_text()), tmp_path / "secret"
    secret.write_text("system\tsegment\tscore\n")
    outside = str(secret)
    for told in (
        {"asked": {"inputs": {**record["asked"]["inputs"], "source": outside}}},
        {"asked": {"inputs": {**record["asked"]["inputs"], "targeted": [outside]}}},
        {"asked": {"inputs": {**record["asked"]["inputs"], "colour": outside}}},
        {"asked": {"inputs": {"inputs": [outside]}}}, {"asked": {"inputs": {}}}, {"asked": {"inputs": []}},
        {"asked": {"config": outside}},
        {"command": "meta", "options": {"judgements": [outside]}}, {"options": {"scores": [outside]}},
        {"options": {"metrics": [f"lm(text={outside})"]}}, {"options": {"metrics": [f"scores(path={outside})"]}},
        {"options": {"samples": 10**9}}, {"options": 3},
        {"command": "learn", "options": {"save": outside}}, {"command": "sql", "options": {"query": "select 1"}},
        {"command": "validate", "options": {}}, {"command": "report", "options": {"bundle": outside}},
        {"command": "colour"}, {"command": 3},
    ):  # fmt: skip
        document = {**record["result"], **{name: one for name, one in told.items() if name != "asked"}}
        made = {**record, "result": document, "asked": {**record["asked"], **told.get("asked", {})}}
        path.write_text(json.dumps(made))
        status, answer, _ = kept("POST", "/api/rerun", {"run": run["id"]})
        assert (status, "not shown here" in answer.get("error", "")) == (400, True), (told, answer)
    path.write_text(json.dumps(record))
    assert kept.ended(kept("POST", "/api/rerun", {"run": run["id"]})[1]["job"])["state"] == "done"
    assert secret.read_text() == "system\tsegment\tscore\n"


def test_notes_of_a_store_lead_nowhere_else_and_have_an_end(kept, tmp_path, monkeypatch):
    note = {"campaign": 0, "segment": 3, "system": None, "text": "mine"}
    made = kept("POST", "/api/notes", note)[1]
    folder = kept.explorer.session.store.path / "notes"
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({**note, "id": "0" * 16, "text": "the password"}))
    (folder / "link.json").symlink_to(secret)
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "large.json").write_text(json.dumps({**note, "id": "1" * 16, "text": "x" * 300_000}))
    assert kept("GET", "/api/notes")[1] == [made]
    monkeypatch.setattr("assay.explorer.kept._ALL", 100)
    assert "too many" in kept("POST", "/api/notes", note)[1]["error"]
    monkeypatch.undo()
    slices = kept.explorer.session.store.path / "slices"
    slices.symlink_to(tmp_path)
    chosen = {"name": "news", "campaign": 0, "filter": {}}
    before = sorted(tmp_path.iterdir())
    assert "is a link" in kept("POST", "/api/slices", chosen)[1]["error"]
    kept("DELETE", "/api/slices/news")
    assert kept("GET", "/api/slices")[1] == []
    assert sorted(tmp_path.iterdir()) == before


def test_without_a_store_there_are_no_runs(client):
    for method, path, body in [
        ("GET", "/api/runs", None),
        ("POST", "/api/runs", {}),
        ("POST", "/api/diff", {"before": "a", "after": "b"}),
    ]:
        status, answer, _ = client(method, path, body)
        assert (status, "There is no store" in answer["error"]) == (400, True)


# What is opened


def test_a_store_shows_its_campaigns_and_runs(tmp_path):
    folder = copytree(CAMPAIGN, tmp_path / "campaign")
    store = Store.create(folder)
    expected = assay.meta_evaluate(str(folder), metrics="bleu", kind="adequacy")
    with Explorer(Session.open(Explore(), str(store.path), Data())) as opened:
        client = Client(opened.port)
        manifest = client("GET", "/api/manifest")[1]
        (campaign,) = manifest["campaigns"]
        assert (campaign["name"], campaign["segments"], campaign["references"]) == ("campaign", 60, ["A", "B", "C"])
        assert campaign["labels"][0]["name"] == "document"
        (entry,) = manifest["results"]
        kept = client("GET", f"/api/result/{entry['id']}")[1]["result"]
        assert kept["results"] == expected.to_dict()["results"]
        scores = client.query("scores")["scores"]["bleu"]
        assert scores["gravel"] == pytest.approx(assay.score(CAMPAIGN).of("gravel", "bleu").score)


def test_a_result_file_is_shown(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(assay.score(CAMPAIGN).to_json())
    with Explorer(Session.open(Explore(), str(path), Data())) as opened:
        client = Client(opened.port)
        manifest = client("GET", "/api/manifest")[1]
        assert (manifest["campaigns"], manifest["can"]["ask"]) == ([], False)
        (entry,) = manifest["results"]
        assert client("GET", f"/api/result/{entry['id']}")[1]["result"]["scores"]


def test_a_file_that_changes_is_noticed_and_not_mixed_in(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.explorer.session._FRESH", 0.0)
    folder = copytree(CAMPAIGN, tmp_path / "campaign")
    with Explorer(Session.open(Explore(), str(folder), Data())) as opened:
        client = Client(opened.port)
        before = client.query("scores")
        assert "x-assay-stale" not in client("GET", "/api/manifest")[2]
        (folder / "sys.gravel.txt").write_text("other\n" * 60)
        status, manifest, headers = client("GET", "/api/manifest")
        assert (status, headers["x-assay-stale"]) == (200, "1")
        assert "has changed since it was read" in manifest["stale"]
        assert client.query("scores") == before


def test_several_campaigns_are_shown_side_by_side(tmp_path):
    (tmp_path / "two.tsv").write_text("reference\tsys.x\na b\ta\nc\tc\n")
    with Explorer(Session.open(Explore(metrics="f1"), [str(CAMPAIGN), str(tmp_path / "two.tsv")], Data())) as opened:
        client = Client(opened.port)
        assert [one["segments"] for one in client("GET", "/api/manifest")[1]["campaigns"]] == [60, 2]
        assert client("POST", "/api/query/1/scores", {})[1]["n"] == 2


def test_a_port_in_use_is_left_for_the_next_one():
    campaign = Campaign("small", {"a": ["x"]}, {"R": ["x"]})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Explorer(Session.open(Explore(metrics="f1"), campaign, Data()), port=port) as opened:
            assert port < opened.port < port + 100
            assert Client(opened.port)("GET", "/")[0] == 200
    with pytest.raises(AssayError, match="no such address"):
        Explorer(Session.open(Explore(metrics="f1"), campaign, Data()), host="nowhere.invalid")


def test_explore_in_python_opens_and_closes():
    with assay.explore(CAMPAIGN, ["bleu"], samples=100) as opened:
        assert Client(opened.port)("GET", "/api/manifest")[1]["campaigns"][0]["draws"]["samples"] == 100
        assert opened.url in opened._repr_html_()
        port = opened.port
    with pytest.raises(OSError, match="refused"):
        Client(port)("GET", "/")
    result = assay.score(CAMPAIGN)
    page = assay.explore(result)
    assert page.url is None
    assert page._repr_html_() == result._repr_html_()
    with pytest.raises(AssayError, match="no option of explore 'colour'"):
        assay.explore(CAMPAIGN, colour=1)
