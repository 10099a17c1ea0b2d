"""Where memory runs out, callers get ``MemoryError``, and their process goes on."""

import subprocess
import sys

import pytest

import assay
from assay.text import recipe

#: One segment of five megabytes where so many megabytes of address space are left, then a small one without a limit. A
#: small one comes first, so that all is loaded.
SCRIPT = """
import resource, sys
import numpy as np
import assay

name, left = sys.argv[1], int(sys.argv[2])

def score(texts):
    corpus = assay.Corpus(translations=[texts[0]], references=[[texts[1]]])
    return assay.metric(name).evaluate(corpus, threads=1).corpus_score()

random = np.random.default_rng(1)
long = [" ".join(map(str, random.integers(0, 100_000, 800_000))) for _ in range(2)]
score(["a b c d", "a b c e"])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (left << 20), resource.RLIM_INFINITY))
try:
    score(long)
except MemoryError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(score(["a b c d", "a b c d"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited and read as Linux does")
@pytest.mark.parametrize(
    ("name", "left"),
    # With little left ids find no room, with more of it their table; METEOR copies a text before it cuts words.
    [
        ("bleu", 40),
        ("bleu", 140),
        ("bleu(tokenize=meteor)", 50),
        ("chrf", 40),
        ("chrf", 250),
        ("nist", 160),
        ("f1", 40),
    ],
)
def test_a_kernel_without_memory_raises_and_the_process_goes_on(name, left):
    ended = subprocess.run([sys.executable, "-c", SCRIPT, name, str(left)], capture_output=True, text=True, check=False)
    *said, last = ended.stdout.splitlines() or [""]
    assert said == ["a kernel needs more memory than there is"], (ended.returncode, ended.stdout, ended.stderr)
    assert float(last) > 0


@pytest.mark.parametrize("name", ["bleu", "chrf", "nist", "ter", "meteor", "f1"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_segment_that_is_a_whole_file_is_refused_before_it_is_read(name, side, monkeypatch):
    monkeypatch.setattr(recipe, "LONGEST_SEGMENT", 1000)
    texts = ["a b", "c d"]
    texts[side] = "x" * 1001
    corpus = assay.Corpus(translations=["a", texts[0]], references=[["a", texts[1]]])
    message = r"A segment has 1,001 bytes, and more than 1,000 are too many .* Is the file missing its line ends\?"
    with pytest.raises(assay.InputError, match=message):
        assay.metric(name).evaluate(corpus)
    texts[side] = "x" * 1000
    assay.metric(name).evaluate(assay.Corpus(translations=["a", texts[0]], references=[["a", texts[1]]]))


def test_sixty_megabytes_on_one_line_are_refused():
    line = "words " * 10_000_000
    with pytest.raises(
        assay.InputError, match=r"60,000,000 bytes, and more than 20,000,000 .* missing its line ends\?"
    ):
        assay.metric("chrf").evaluate(assay.Corpus(translations=[line], references=[[line]]))
