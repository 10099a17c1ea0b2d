"""Segments in a real browser: their words and marks, their order, and everything that can be done with them."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from scipy.stats import rankdata

import assay
from assay.explorer import program

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")]

STATIC = Path(program.__file__).parent / "static"
ORIGIN = "http://assay.test/"
NASTY = [
    "<script>window.hacked=1</script>",
    "javascript:window.hacked=1",
    '"><img src=x onerror=window.hacked=1>',
    "</script><script>window.hacked=1</script>",
]


# Words and marks, against obvious Python.


@pytest.fixture(scope="module")
def words(chromium):
    """A page that has the module of words."""
    page = chromium.new_page()

    def serve(route):
        path = STATIC / route.request.url.removeprefix(ORIGIN)
        body, kind = (path.read_text(), "text/javascript") if path.is_file() else ("<!doctype html>", "text/html")
        route.fulfill(body=body, content_type=kind)

    page.route("**/*", serve)
    page.goto(ORIGIN)
    page.evaluate("async () => { window.W = await import('/views/words.js') }")
    yield page
    page.close()


LETTERS = ["a", "b", "the", "cat", "A", ".", ",",
           "猫", "犬", "ก", "ひ", "😀", "𝔘𝔫", "e\u0301", "שלום", "كتاب", "x_1", "don't"]  # fmt: skip
ALONE = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
SPACES = [" ", " ", "", "  ", "\u00a0", "\n"]


def texts(count, longest, seed=1):
    """Random texts of few words, so that they have much in common."""
    rng = random.Random(seed)
    for _ in range(count):
        yield "".join(rng.choice(LETTERS) + rng.choice(SPACES) for _ in range(rng.randrange(longest)))


def is_alone(character):
    """Whether a character is a word by itself."""
    return unicodedata.name(character, "").startswith(ALONE)


def tokens(text):
    """Words: runs of letters, marks, digits and _, everything else that is no space by itself."""
    found, run = [], ""
    for character in [*text, " "]:
        is_word = unicodedata.category(character)[0] in "LMN" or character == "_"
        if is_word and not is_alone(character):
            run += character
            continue
        found += [run] if run else []
        run = ""
        found += [] if character.isspace() else [character]
    return found


def ngrams(words, n):
    return [tuple(words[place : place + n]) for place in range(len(words) - n + 1)]


def _union(references, n):
    """How often each n-gram is in the reference that has it most often."""
    total = Counter()
    for one in references:
        total |= Counter(ngrams(one, n))
    return total


def common_length(a, b):
    """The length of the longest common subsequence, by the textbook's table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def test_words_are_those_of_python(words):
    for text in texts(200, 12):
        found = words.evaluate("text => W.tokens(text)", text)
        assert [token["text"] for token in found] == tokens(text)
        for token in found:
            units = text.encode("utf-16-le")[2 * token["start"] : 2 * token["end"]].decode("utf-16-le")
            assert units == token["text"]


def test_what_two_texts_have_in_common_is_as_long_as_can_be(words):
    rng = random.Random(2)
    for _ in range(300):
        a, b = ([rng.choice("abcde") for _ in range(rng.randrange(25))] for _ in range(2))
        pairs = words.evaluate("([a, b]) => W.common(a, b)", [a, b])
        assert all(a[i] == b[j] for i, j in pairs)
        assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
        assert len(pairs) == common_length(a, b)


def test_texts_that_differ_too_much_have_their_ends_in_common(words):
    # Two changes would be needed between "a" and "d", and one is allowed.
    assert words.evaluate("() => W.common([...'abd'], [...'acd'], 1)") == [[0, 0], [2, 2]]
    assert words.evaluate("() => W.common([...'axyb'], [...'auxb'], 1)") == [[0, 0], [3, 3]]
    assert words.evaluate("() => W.common([...'axyb'], [...'auxb'], 2)") == [[0, 0], [1, 2], [3, 3]]
    # Long texts without a word in common take no time to speak of.
    assert words.evaluate("() => W.common(Array(30000).fill('a'), Array(30000).fill('b'))") == []


def test_without_what_is_marked_as_removed_it_is_the_text_again(words):
    alike = list(texts(150, 14, seed=3))
    for other, text in pairwise(alike):
        pieces = words.evaluate("([other, text]) => W.pieces(text, W.differences(other, text))", [other, text])
        kinds = [[mark["kind"] for mark in piece["marks"]] for piece in pieces]
        removed = [piece["marks"][0]["text"] for piece, kind in zip(pieces, kinds, strict=True) if kind == ["removed"]]
        assert "".join(piece["text"] for piece in pieces) == text
        # Unmarked words are those in common: with the removed ones the other text, with the added ones this one.
        both = list(zip(pieces, kinds, strict=True))
        same = [one for piece, kind in both if not kind for one in tokens(piece["text"])]
        added = [one for piece, kind in both if kind == ["added"] for one in tokens(piece["text"])]
        gone = [one for words_ in removed for one in tokens(words_)]
        if "e\u0301" not in text + other:
            assert len(same) == common_length(tokens(other), tokens(text))
            assert Counter(same) + Counter(gone) == Counter(tokens(other))
        assert Counter(same) + Counter(added) == Counter(tokens(text))


def test_removed_words_stand_where_they_were(words):
    def shown(other, text):
        pieces = words.evaluate("([other, text]) => W.pieces(text, W.differences(other, text))", [other, text])
        marks = {"removed": "[-{}-]", "added": "{{+{}+}}"}

        def one(piece):
            (mark,) = piece["marks"] or [None]
            return piece["text"] if mark is None else marks[mark["kind"]].format(mark.get("text", piece["text"]))

        return "".join(map(one, pieces))

    assert shown("a cat sat", "a dog sat") == "a [-cat -]{+dog+} sat"
    assert shown("a cat sat", "a sat") == "a [-cat -]sat"
    assert shown("a cat sat", "a cat") == "a cat[- sat-]"
    assert shown("a cat", "a dog") == "a [-cat -]{+dog+}"
    assert shown("", "new words") == "{+new words+}"
    assert shown("old words", "") == "[-old words-]"
    assert shown("猫が好き", "犬が好き") == "[-猫-]{+犬+}が好き"


def matched(translation, references):
    """For every word the length of the longest n-gram around it that a reference has, clipped, from the left."""
    orders = [0] * len(translation)
    for n in (1, 2, 3, 4):
        left = _union(references, n)
        for place, ngram in enumerate(ngrams(translation, n)):
            if left[ngram] > 0:
                left[ngram] -= 1
                orders[place : place + n] = [n] * n
    return orders


def test_matched_ngrams_are_those_of_python(words):
    rng = random.Random(4)
    for _ in range(200):
        translation, *references = ([rng.choice("abcd") for _ in range(rng.randrange(12))] for _ in range(3))
        assert words.evaluate("([t, r]) => W.matched(t, r)", [translation, references]) == matched(
            translation, references
        )
        for n in (1, 2, 3):
            clipped = sum((Counter(ngrams(translation, n)) & _union(references, n)).values())
            assert words.evaluate("([t, r, n]) => W.hits(t, r, n)", [translation, references, n]) == clipped


def test_a_word_counts_as_often_as_the_reference_has_it(words):
    # Two of four: the second reference has it twice, and what both have is not added up.
    assert words.evaluate("() => W.matched([...'aaaa'], [['a'], ['a', 'b', 'a']])") == [1, 1, 0, 0]
    marks = words.evaluate("() => W.matches('the cat sat down', ['the cat lay down'])")
    assert [(mark["kind"], mark["start"], mark["end"]) for mark in marks] == [
        ("match-2", 0, 7), ("unmatched", 8, 11), ("match-1", 12, 16),
    ]  # fmt: skip


def test_ngrams_ahead_are_those_that_the_other_has_not(words):
    def ahead(text, rival, *references):
        marks = words.evaluate("([text, rival, refs]) => W.ahead(text, rival, refs)", [text, rival, list(references)])
        return [text[mark["start"] : mark["end"]] for mark in marks]

    assert ahead("the cat sat", "the dog sat", "the cat sat") == ["the cat sat"]
    assert ahead("a cat", "a cat", "a cat") == []
    assert ahead("b a", "a b", "a b") == []
    assert ahead("a a a", "a", "a a") == ["a a"]
    assert ahead("x cat", "y dog", "cat") == ["cat"]


def test_spans_are_of_code_points_and_may_overlap(words):
    rng = random.Random(5)
    for _ in range(200):
        text = "".join(rng.choice("ab 😀𝔘猫") for _ in range(rng.randrange(1, 15)))
        spans = []
        for _ in range(rng.randrange(5)):
            start = rng.randrange(len(text))
            spans.append([start, rng.randint(start + 1, len(text)), "major", f"kind {len(spans)}", False])
        pieces = words.evaluate("([text, spans]) => W.pieces(text, W.errors(text, spans))", [text, spans])
        assert "".join(piece["text"] for piece in pieces) == text
        shown = [sorted(mark["number"] for mark in piece["marks"]) for piece in pieces for _ in piece["text"]]
        wanted = [
            [number + 1 for number, (start, end, *_) in enumerate(spans) if start <= place < end]
            for place in range(len(text))
        ]
        assert shown == wanted


def test_spans_outside_the_text_are_at_its_end_and_those_of_no_width_stay(words):
    errors = "([text, spans]) => W.pieces(text, W.errors(text, spans)).map(piece => [piece.text, piece.marks.length])"
    assert words.evaluate(errors, ["ab", [[1, 99, "minor", "", False]]]) == [["a", 0], ["b", 1]]
    assert words.evaluate(errors, ["ab", [[7, 9, "minor", "", False]]]) == [["ab", 0], ["", 1]]
    assert words.evaluate(errors, ["ab", [[1, 1, "minor", "omission", False]]]) == [["a", 0], ["", 1], ["b", 0]]
    assert words.evaluate(errors, ["", [[0, 0, "minor", "omission", False]]]) == [["", 1]]
    # Half a pair is a character; Python counts it so, too.
    cut = words.evaluate(
        "() => W.pieces('\\ud800x', W.errors('\\ud800x', [[1, 2, '', '', false]])).map(piece => piece.text.length)"
    )
    assert cut == [1, 1]


@pytest.mark.parametrize("letter", ["e\u0301", "👨\u200d👩\u200d👧", "🇩🇪", "कि", "กำ", "שָׁ"])
def test_no_letter_is_cut(words, letter):
    text = f"a{letter}b"
    for start in range(len(letter)):
        pieces = words.evaluate(
            "([text, span]) => W.pieces(text, W.errors(text, [span])).map(piece => piece.text)",
            [text, [1 + start, 2 + start, "", "", False]],
        )
        assert pieces == ["a", letter, "b"]


def test_a_search_finds_what_it_says(words):
    found = "([text, search]) => W.findings(text, search).map(({start, end}) => text.slice(start, end))"
    assert words.evaluate(found, ["A cat, a CAT", {"text": "cat"}]) == ["cat", "CAT"]
    assert words.evaluate(found, ["A cat, a CAT", {"text": "cat", "case": True}]) == ["cat"]
    assert words.evaluate(found, ["1.5 and 1x5", {"text": "1.5"}]) == ["1.5"]
    assert words.evaluate(found, ["1.5 and 1x5", {"text": "1.5", "regex": True}]) == ["1.5", "1x5"]
    assert words.evaluate(found, ["a(b", {"text": "(", "regex": True}]) == []
    assert words.evaluate(found, ["abc", {"text": "x*", "regex": True}]) == []


# Views, in pages that `assay report` makes.

HEBREW, ARABIC, CHINESE = "החתול ישב על המחצלת", "جلس القط على الحصيرة", "猫坐在垫子上。"


def small():
    """Texts in several scripts, errors on astral characters that overlap, hostile names and texts."""
    ends = ["five", "one more line here", "and the last of them"]
    lines = ["the cat sat on the mat", "😀 smiles 𝔘𝔫𝔦 code", HEBREW, ARABIC, CHINESE, *NASTY, *ends]
    first = [*lines[:5], *NASTY, "five", "one more line here", "or the first of them"]
    ends = ["5", "no line", "and the last of them all"]
    second = [
        "the dog sat on a mat",
        "😀 laughs 𝔘𝔫𝔦 code",
        HEBREW[:-3],
        ARABIC[:-4],
        "狗坐在垫子上。",
        *NASTY[::-1],
        *ends,
    ]
    third = [line[::-1] for line in lines]
    spans = (
        assay.ErrorSpan("major", "accuracy/mistranslation", 2, 8),
        assay.ErrorSpan("minor", NASTY[2], 0, 5),
        assay.ErrorSpan("critical", "style", 9, 12),
        assay.ErrorSpan("minor", "source/unclear", 0, 1, in_source=True),
    )
    judgements = [
        assay.Judgement(system, segment, float(-number - segment), "mqm", rater, spans=spans if segment == 1 else ())
        for number, system in enumerate(("first", NASTY[0], "third"))
        for segment in range(0, len(lines), 1 if number else 2)
        for rater in ("r1", NASTY[2])
    ]  # fmt: skip
    return assay.Campaign(
        "small",
        systems={"first": first, NASTY[0]: second, "third": third},
        references={"A": lines, "B": [line.upper() for line in lines]},
        source=[f"source of {line}" for line in lines],
        documents=tuple(f"document {number // 4}" for number in range(len(lines))),
        columns={NASTY[3]: [NASTY[number % len(NASTY)] for number in range(len(lines))]},
        human=assay.Judgements.of(judgements, "mqm"),
    )


def many(count=1500):
    """Many segments of words, some of them long."""
    rng = random.Random(7)
    words = [f"w{number}" for number in range(60)]
    lines = [" ".join(rng.choices(words, k=rng.choice((2, 5, 9, 20, 70)))) for _ in range(count)]

    def worse(share):
        return [
            " ".join(word if rng.random() > share else rng.choice(words) for word in line.split()) for line in lines
        ]

    return assay.Campaign(
        "many", systems={"one": worse(0.2), "two": worse(0.3)}, references={"A": lines}, source=worse(0.1)
    )


@pytest.fixture(scope="module")
def campaign():
    return small()


@pytest.fixture(scope="module")
def large():
    return many()


@pytest.fixture(scope="module")
def files(campaign, large, tmp_path_factory):
    """Pages as `assay report` writes them."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for one, options in ((campaign, {"kind": "mqm"}), (large, {})):
        made[one.name] = folder / f"{one.name}.html"
        page = assay.report(one, metrics="bleu,chrf,ter", samples=10, **options).render("html")
        made[one.name].write_text(page, encoding="utf-8")
    return made


@pytest.fixture
def opened(chromium, files):
    """Opens a page at an address within it, from disk, with the network off; nothing may go wrong in it."""
    pages = []

    def call(name, hash_="#/segments", width=1280, **options):
        context = chromium.new_context(
            offline=True, viewport={"width": width, "height": 900}, accept_downloads=True, **options
        )
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda said: page.problems.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(files[name].as_uri() + hash_)
        until(page, "document.querySelector('.segment:not(.waiting), .segment-part, .view p:not([hidden])')")
        pages.append(page)
        return page

    yield call
    for page in pages:
        assert page.problems == []
        assert page.evaluate("window.hacked") is None
        page.context.close()


def until(page, expression):
    """Waits for something to be so; Playwright's own way needs eval, which the policy of the page forbids."""
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"It never came to be: {expression}")


def state(page):
    """What the address says."""
    return page.evaluate("assay.app.state")


def rows(page):
    """Names of the segments in the page, as far as they are known."""
    until(page, "document.querySelectorAll('.segment.waiting').length === 0 && document.querySelector('.segment')")
    return page.locator(".segment-name bdi").all_inner_texts()


def hash_of(**state):
    """An address within the page."""
    view = state.pop("view", "segments")
    return f"#/{view}?" + "&".join(f"{name}={quote(json.dumps(value))}" for name, value in state.items())


def segment_scores(campaign, metric):
    """Scores of single segments, by system: those that `assay score --segments` prints."""
    table = assay.score(campaign, metric, segments=True, samples=2).table("segments")
    scores = {}
    for row in table:
        scores.setdefault(row["system"], []).append(row["score"])
    return scores


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("by", ["score", "delta", "length", "position"])
def test_segments_come_in_the_order_that_is_chosen(opened, large, by, descending):
    scores = segment_scores(large, "chrf")
    keys = {
        "score": scores["one"],
        "delta": [a - b for a, b in zip(scores["one"], scores["two"], strict=True)],
        "length": [len(text.split()) for text in large.source],
        "position": list(range(len(large.source))),
    }[by]
    page = opened("many", hash_=hash_of(sort=by, metric="chrf", descending=descending))
    sign = -1 if descending else 1
    wanted = sorted(range(len(keys)), key=lambda place: (sign * round(keys[place], 9), place))
    shown = rows(page)
    assert len(shown) >= 2
    assert shown == [str(place) for place in wanted[: len(shown)]]


def ranks(values):
    """Where each value stands among those that there are, from 0 to 1; ties share the mean of their places."""
    there = [place for place, value in enumerate(values) if value is not None]
    found = (rankdata([round(values[place], 9) for place in there]) - 1) / (len(there) - 1)
    return [dict(zip(there, found, strict=True)).get(place) for place in range(len(values))]


@pytest.mark.parametrize("by", ["human", "gap", "disagreement"])
def test_segments_come_in_the_order_of_people_and_of_disagreement(opened, campaign, by):
    chrf, ter = segment_scores(campaign, "chrf"), segment_scores(campaign, "ter")
    pairs = {metric: [a - b for a, b in zip(scores["first"], scores[NASTY[0]], strict=True)] for metric, scores in
             (("chrf", chrf), ("ter", ter))}  # fmt: skip
    # People judged every second segment of the first system, less well the further down it stands.
    human = [None if place % 2 else float(-place) for place in range(len(chrf["first"]))]
    gap = [None if a is None else a - b for a, b in zip(ranks(human), ranks(chrf["first"]), strict=True)]
    # Of TER lower is better, so its order is turned round.
    turned = ranks([-delta for delta in pairs["ter"]])
    disagreement = [abs(a - b) for a, b in zip(ranks(pairs["chrf"]), turned, strict=True)]
    keys = {"human": human, "gap": gap, "disagreement": disagreement}[by]
    page = opened("small", hash_=hash_of(sort=by, metric="chrf", other="ter", shown="a", kind="mqm"))
    shown = [keys[int(name)] for name in rows(page)]
    judged = sorted((key for key in keys if key is not None), reverse=True)
    assert len(shown) >= 4
    # Those that nobody judged come last. Two that differ in their last digit alone may come either way.
    assert shown == pytest.approx((judged + [None] * len(keys))[: len(shown)], abs=1e-9)


def test_an_order_is_chosen_and_turned_round(opened, large):
    page = opened("many")
    page.locator("#sort-by").select_option("length")
    until(page, "assay.app.state.sort === 'length'")
    words = [len(text.split()) for text in large.source]
    assert words[int(rows(page)[0])] == max(words)
    page.locator("#sort-turn").click()
    until(page, "assay.app.state.descending === false")
    assert words[int(rows(page)[0])] == min(words)


def test_only_what_is_in_view_is_in_the_page(opened, large):
    page = opened("many")
    count = len(large.source)
    seen = set()
    for share in (0, 0.2, 0.5, 0.51, 0.8, 1, 0.3, 0):
        page.evaluate("share => scrollTo(0, share * document.documentElement.scrollHeight)", share)
        until(
            page,
            """() => {
              const rows = [...document.querySelectorAll('.segment')];
              const boxes = rows.map(row => row.getBoundingClientRect());
              const isSeen = boxes.some(box => box.top < innerHeight && box.bottom > 0);
              return isSeen && !document.querySelector('.segment.waiting');
            }""",
        )
        places = page.locator(".segment").evaluate_all(
            "all => all.map(one => Number(one.getAttribute('aria-posinset')))"
        )
        assert len(places) < 40
        assert places == list(range(places[0], places[0] + len(places)))
        assert [int(name) + 1 for name in rows(page)] == places
        assert page.locator(".segment").first.get_attribute("aria-setsize") == str(count)
        seen |= set(places)
    assert {1, count} <= seen
    # Rows follow each other without a gap, whatever their heights are.
    boxes = page.locator(".segment").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(({top, bottom}) => [top, bottom])"
    )
    assert max(abs(below[0] - above[1]) for above, below in pairwise(boxes)) < 1


def test_scrolling_by_and_by_misses_no_segment(opened):
    page = opened("many")
    seen = []
    for _ in range(25):
        page.mouse.move(600, 700)
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(30)
        for name in rows(page):
            if int(name) not in seen:
                seen.append(int(name))
    assert seen == list(range(len(seen)))
    assert len(seen) > 15


def test_a_reload_shows_the_same_place(opened):
    page = opened("many", hash_=hash_of(sort="delta"))
    page.evaluate("scrollTo(0, 20000)")
    until(page, "Array.isArray(assay.app.state.row)")
    page.wait_for_timeout(400)
    before = state(page)
    top = page.evaluate("document.elementFromPoint(600, 200).closest('.segment')?.id")
    page.reload()
    page.wait_for_selector(".segment:not(.waiting)")
    rows(page)
    near = page.evaluate("document.elementFromPoint(600, 200).closest('.segment')?.id")
    assert abs(int(near.removeprefix("row-")) - int(top.removeprefix("row-"))) <= 1
    assert state(page)["sort"] == before["sort"] == "delta"
    # Another order has no such place: it begins at its first row.
    page.locator("#sort-by").select_option("score")
    until(
        page,
        "assay.app.state.sort === 'score' && document.querySelector('.segment')?.getAttribute('aria-posinset') === '1'",
    )


def test_an_ngram_leads_to_its_sentences_and_back(opened, large):
    page = opened("many", hash_=hash_of(ngrams=True))
    page.wait_for_selector(".ngrams-table")
    button = page.locator("#ngram-a-0")
    ngram = tuple(button.inner_text().split())
    n = len(ngram)
    (reference,) = large.references.values()

    def clipped(system, place):
        return min(
            ngrams(tokens(large.systems[system][place]), n).count(ngram),
            ngrams(tokens(reference[place]), n).count(ngram),
        )

    counts = [(clipped("one", place), clipped("two", place)) for place in range(len(reference))]
    cells = button.locator("xpath=ancestor::tr").locator("td").all_inner_texts()
    assert [int(cell.replace(",", "")) for cell in cells[:3]] == [
        sum(a for a, _ in counts), sum(b for _, b in counts), sum(a - b for a, b in counts),
    ]  # fmt: skip
    button.click()
    until(page, "assay.app.state.filter.segments")
    wanted = [place for place, (a, b) in enumerate(counts) if a > b][:100]
    assert state(page)["filter"]["segments"] == wanted
    assert rows(page) == [str(place) for place in wanted[: len(rows(page))]]
    assert set(page.locator(".segment mark.ngram").all_inner_texts()) == {" ".join(ngram)}
    # The list of n-grams is still that of all segments.
    page.wait_for_selector("#ngram-a-0[aria-pressed=true]")
    page.locator("#ngram-leave").click()
    until(page, "!assay.app.state.filter.segments")
    assert rows(page)[0] == "0"


def test_a_search_keeps_and_marks_what_it_finds(opened):
    page = opened("small")
    page.keyboard.press("/")
    page.keyboard.type("CODE")
    until(page, "assay.app.state.filter.search?.text === 'CODE'")
    assert rows(page) == ["1"]
    marked = page.locator(".segment mark.search").all_inner_texts()
    assert [text.lower() for text in marked] == ["code"] * 4
    page.locator("#filter-regex").check()
    page.locator("#filter-search").fill("^(and|or) the")
    until(page, "assay.app.state.filter.search?.regex === true && assay.app.state.filter.search.text.startsWith('^')")
    page.wait_for_selector("#row-0-open:has-text('Segment 11')")
    assert rows(page) == ["11"]
    page.locator("#filter-search").fill("(")
    page.wait_for_selector(".view .error")
    assert "regular expression" in page.locator(".view .error").inner_text()


@pytest.mark.parametrize(
    "view",
    [
        hash_of(shown="all"),
        hash_of(marks="reference"),
        hash_of(view="segment", segment=1),
        hash_of(view="segment", segment=5, marks="rival"),
    ],
)
def test_hostile_texts_are_text(opened, view):
    page = opened("small", hash_=view)
    page.wait_for_timeout(300)
    assert page.locator("#app img, #app script").count() == 0
    if "segment=5" in view:
        assert NASTY[0] in page.locator(".segment-part.systems").inner_text()
    links = page.locator("#app a[href]").evaluate_all(
        "all => all.map(one => one.getAttribute('href')).filter(href => !href.startsWith('#/'))"
    )
    assert links == []


def test_a_lone_surrogate_in_a_note_is_shown_as_what_it_is(opened):
    page = opened("small", hash_=hash_of(view="segment", segment=0))
    page.evaluate("assay.source.notes.put({campaign: 0, segment: 0, system: null, text: 'a \\ud800 b'})")
    page.reload()
    page.wait_for_selector(".note")
    assert page.locator(".note .words").inner_text() == "a \\ud800 b"


@pytest.mark.parametrize("way", ["reference", "rival", "matches", "ahead", "errors"])
def test_marks_leave_translations_as_they_are(opened, campaign, way):
    page = opened("small", hash_=hash_of(shown="all"))
    page.locator(f"#marks-{way}").click()
    page.wait_for_selector(f"#marks-{way}[aria-pressed=true]")
    page.wait_for_timeout(300)
    rows(page)
    shown = page.locator("#row-1 .of-system .words").evaluate_all(
        """all => all.map(one => {
          const copy = one.cloneNode(true);
          copy.querySelectorAll('del').forEach(del => del.remove());
          return copy.textContent;
        })"""
    )
    assert shown == [texts_[1] for texts_ in campaign.systems.values()]
    assert page.locator("#row-1 .of-system .words :is(ins, del, strong, span)").count() > 0
    # The address says it, and pressing it again takes it away.
    assert state(page)["marks"] == way
    page.locator(f"#marks-{way}").click()
    page.wait_for_selector(f"#marks-{way}[aria-pressed=false]")
    assert page.locator("#row-1 .of-system .words :is(ins, del, strong, span)").count() == 0


def test_errors_are_shown_by_rater_and_said_in_words(opened, campaign):
    page = opened("small", hash_=hash_of(view="segment", segment=1))
    cards = page.locator(".judgement")
    # Two of the systems have judgements of segment 1, by two raters each.
    assert cards.count() == 4
    text = campaign.systems[NASTY[0]][1]
    card = page.locator(".judgement", has_text=NASTY[0]).first
    said = card.locator(".fault-list").last.locator("li").all_inner_texts()
    assert any("major · accuracy/mistranslation" in one and text[2:8] in one for one in said)
    assert any(f"minor · {NASTY[2]}" in one and text[0:5] in one for one in said)
    assert any("critical · style" in one and text[9:12] in one for one in said)
    words = card.locator(".words.faults").last
    assert words.evaluate("one => one.textContent") == text
    # The words 2 to 5 are in two errors at once.
    assert words.locator(".fault .fault").first.evaluate("one => one.textContent") == text[2:5]
    error = words.locator(".fault.major[tabindex]").first
    error.focus()
    assert "accuracy/mistranslation" in error.evaluate("one => getComputedStyle(one, '::before').content")
    assert "accuracy/mistranslation" in error.get_attribute("aria-label")


def test_scores_counts_and_parts_are_those_of_python(opened, campaign):
    page = opened("small", hash_=hash_of(view="segment", segment=0))
    scores = segment_scores(campaign, "bleu")
    table = page.locator("#table-segment-scores tbody tr")
    shown = [row.locator("td").first.inner_text() for row in table.all()]
    assert shown == [f"{scores[name][0]:.2f}" for name in campaign.systems]
    # the dog sat on a mat: the, sat, on, mat of six words; none of the counts of BLEU is made up.
    second = page.locator("#table-segment-counts-bleu tbody tr").nth(1)
    assert "66.7 % (4 of 6)" in second.inner_text()
    assert "20.0 % (1 of 5)" in second.inner_text()


def test_the_order_of_systems_can_be_chosen(opened, campaign):
    page = opened("small", hash_=hash_of(view="segment", segment=0, systemsBy="ter"))
    scores = segment_scores(campaign, "ter")
    names = page.locator(".segment-part.systems .of-system .system bdi").all_inner_texts()
    assert names == sorted(campaign.systems, key=lambda name: scores[name][0])


def test_scripts_run_in_their_own_direction(opened):
    page = opened("small", hash_=hash_of(marks="reference"))
    for row, direction in ((0, "ltr"), (2, "rtl"), (3, "rtl"), (4, "ltr")):
        page.locator(f"#row-{row}").scroll_into_view_if_needed()
        words = page.locator(f"#row-{row} .of-system .words").first
        assert words.evaluate(f"one => one.matches(':dir({direction})')")


def test_notes_are_kept_edited_removed_and_given_out(opened):
    page = opened("small", hash_=hash_of(view="segment", segment=2))
    for text, about in (("Look at this: <b>bold</b>", ""), ("second", "1")):
        page.locator("#note-new").fill(text)
        page.locator("#note-about").select_option(about)
        page.locator("#note-put").click()
        page.wait_for_selector(f".note:has-text('{text}')")
    page.reload()
    page.wait_for_selector(".note")
    assert page.locator(".note .words").all_inner_texts() == ["Look at this: <b>bold</b>", "second"]
    page.locator(".note button:has-text('Edit')").last.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("changed")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".note .words:has-text('changed')")
    with page.expect_download() as download:
        page.locator("#note-export").click()
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert download.value.suggested_filename.endswith(".jsonl")
    assert [(line["campaign"], line["segment"], line["system"], line["text"]) for line in lines] == [
        ("small", 2, None, "Look at this: <b>bold</b>"), ("small", 2, NASTY[0], "changed"),
    ]  # fmt: skip
    page.locator(".note button:has-text('Remove')").first.click()
    until(page, "document.querySelectorAll('.note').length === 1")
    page.locator("#segment-back").click()
    page.wait_for_selector("#notes-open:has-text('1 note')")
    page.wait_for_selector("#row-2 .tag:has-text('1 note')")


def test_everything_goes_by_keys(opened):
    page = opened("many", hash_=hash_of(sort="delta"))
    names = rows(page)
    for expected in ("row-0", "row-1", "row-2"):
        page.keyboard.press("j" if expected != "row-0" else "k")
        until(page, f"document.activeElement.id === '{expected}'")
    page.keyboard.press("Enter")
    page.wait_for_selector("#segment-next")
    assert page.locator("h1").inner_text() == f"Segment {names[2]}"
    page.keyboard.press("k")
    until(page, f"document.querySelector('h1').textContent === 'Segment {names[1]}'")
    page.wait_for_selector("#segment-next")
    page.keyboard.press("j")
    until(page, f"document.querySelector('h1').textContent === 'Segment {names[2]}'")
    page.wait_for_selector("#segment-back")
    page.keyboard.press("Escape")
    page.wait_for_selector(".segment:not(.waiting)")
    assert state(page)["view"] == "segments"
    assert names[2] in rows(page)
    until(page, "document.activeElement.id === 'row-2'")
    before = state(page)
    page.keyboard.press("x")
    until(page, "assay.app.pair[0] === 'two'")
    assert before["view"] == "segments"
    # Far down by keys alone: the row that has the focus is always in view.
    for _ in range(40):
        page.keyboard.press("j")
    box = page.evaluate("(({top, bottom}) => [top, bottom])(document.activeElement.getBoundingClientRect())")
    assert page.evaluate("document.activeElement.matches('.segment')")
    assert box[1] > 0
    assert box[0] < 900


def test_neighbours_and_the_next_of_the_list_are_one_step_away(opened):
    page = opened("small", hash_=hash_of(view="segment", segment=5))
    page.wait_for_selector(".neighbours li")
    assert page.locator(".neighbours li").count() == 4
    assert "This segment" in page.locator(".neighbours li[aria-current]").inner_text()
    page.locator("#document-next").click()
    until(page, "assay.app.state.segment === 6")
    page.wait_for_selector("#segment-before")
    page.locator("#segment-before").click()
    until(page, "assay.app.state.segment === 5")
    page = opened("small", hash_=hash_of(view="segment", segment=99))
    assert "There is no segment 99" in page.locator("#app").inner_text()


def test_a_label_leads_to_its_segments(opened):
    page = opened("small")
    page.locator("#row-0 .label a").first.click()
    until(page, "assay.app.state.filter.where")
    assert rows(page) == ["0", "1", "2", "3"]


def test_paper_has_the_first_segments_and_says_so(opened):
    page = opened("many")
    page.wait_for_timeout(2000)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".segment").count() == 200
    page.emulate_media(media="print")
    assert page.locator(".on-paper").inner_text() == "The first 200 of 1,500 segments are printed."
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".segment").count() < 40


def test_texts_that_are_not_in_the_page_are_said_to_be_elsewhere(chromium, large, tmp_path):
    file = tmp_path / "trimmed.html"
    whole = len(assay.report(large, metrics="bleu", samples=10).render("html").encode())
    # 100 kB less: a part of the texts, which are more than that.
    page = assay.report(large, metrics="bleu", samples=10, most=f"{whole // 1000 - 100}kB").render("html")
    file.write_text(page, encoding="utf-8")
    page = chromium.new_context(offline=True).new_page()
    page.goto(file.as_uri() + "#/segments")
    page.wait_for_selector(".segment:not(.waiting)")
    kept = page.evaluate("assay.app.campaign.kept")
    assert 0 < kept["segments"] < 1500
    said = page.locator(".segment .absent").first
    for _ in range(50):
        if said.count():
            break
        page.mouse.wheel(0, 800)
        page.wait_for_timeout(50)
    assert kept["said"] in said.inner_text()
    # Scores are there all the same.
    row = said.locator("xpath=ancestor::div[contains(@class, 'segment ') or @class='segment']")
    assert row.locator(".of-system .numbers").count() == 2
    row.locator(".segment-name").click()
    page.wait_for_selector(".segment-part")
    assert kept["said"] in page.locator(".absent").inner_text()
    page.context.close()


@pytest.mark.parametrize("width", [390, 1280, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_every_width_and_have_names_for_everything(opened, width, scheme):
    for view in (
        hash_of(shown="all", marks="matches", ngrams=True),
        hash_of(view="segment", segment=1, marks="errors"),
    ):
        page = opened("small", hash_=view, width=width, color_scheme=scheme)
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        nameless = page.locator("#app :is(button, select, textarea, input, summary, a)").evaluate_all(
            """all => all.filter(one => !one.getAttribute('aria-label') && !one.textContent.trim())
            .filter(one => !one.labels?.length).map(one => one.outerHTML)"""
        )
        assert nameless == []
        ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
        assert [name for name, count in Counter(ids).items() if count > 1] == []
        texts_ = page.locator(".words").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
        )
        assert texts_ == 0


def test_contrast_of_marks_is_enough_to_read(opened):
    def luminance(colour):
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for scheme in ("light", "dark"):
        page = opened("small", hash_=hash_of(marks="reference", shown="all"), color_scheme=scheme)
        for place in ("ins", "del", ".quiet", ".segment-name"):
            ink, paper = page.locator(f".segment {place}").first.evaluate(
                "one => [getComputedStyle(one).color, getComputedStyle(document.body).backgroundColor]"
            )
            one, other = sorted((luminance(ink), luminance(paper)))
            assert (other + 0.05) / (one + 0.05) >= 4.5, (scheme, place)
