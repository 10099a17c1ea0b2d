"""Every metric, in several configurations, obeys every law."""

import numpy as np
import pytest

import assay
from assay.metrics.registry import BUILT_IN
from assay.testing import LAWS, check_metric

CONFIGURATIONS = [
    # One that needs a file has its laws in tests/learned.
    *(name for name in BUILT_IN if name not in ("predictor", "combination", "scores")),
    "combination(metrics=[bleu,chrf,ter])",
    'combination(metrics=[cosine,"f1(lowercase=true)",meteor])',
    "combination(metrics=[bleu,wer],average=segments)",
    "bleu(order=2,smoothing=add-k,smoothing_value=0.5,lowercase=true)",
    "bleu(smoothing=floor,effective_order=true,reference_length=shortest)",
    "bleu(smoothing=none,weights=[0.7,0.3,0,0])",
    "bleu(convention=mteval,tokenize=intl,reference_length=average)",
    "bleu(references=best)",
    "bleu(references=best,smoothing=floor,effective_order=false,order=2)",
    *(f"bleu(smoothing=method{number})" for number in (4, 5, 6, 7)),
    "bleu(smoothing=method7,smoothing_value=2,order=3,effective_order=true)",
    "bleu(average=segments)",
    "nist(average=segments)",
    "chrf(average=segments,word_order=2)",
    "ter(average=segments)",
    "hter(average=segments)",
    "meteor(average=segments)",
    "modbleu(brevity=false)",
    "nist(order=2,zero_quirk=false,stem=english)",
    "nist(weights=none)",
    "chrf(word_order=2)",
    "chrf(whitespace=true,smoothing=true,beta=3)",
    "chrf(stem=english,lowercase=true,tokenize=13a,word_order=1)",
    "ter(tokenize=tercom:normalize,beam=2,shift_distance=3,shift_size=2)",
    "ter(convention=sacrebleu)",
    "ter(convention=sacrebleu,tokenize=tercom-sacrebleu:normalize+no-punctuation+asian,lowercase=false)",
    "hter(lowercase=false,shift_distance=0)",
    "wer(tokenize=meteor,lowercase=true)",
    "cer(remove_punctuation=true,normalize=nfkc)",
    "cer(collapse_whitespace=true)",
    "cosine(stem=english,lowercase=false)",
    "lm(order=1)",
    "lm(order=5,lowercase=true)",
    "lm(average=segments)",
    "per(surplus=corpus,tokenize=zh)",
    "meteor(language=de,characters=true,function_words=de)",
    "meteor(aligner=optimal,modules=exact+synonym,beam=3)",
    "meteor(variant=lecture2007,stem=wordnet)",
    "meteor(variant=meteor07)",
    "meteor(language=other,tokenize=none,lowercase=false)",
    "f1(tokenize=char)",
    "fmean(alpha=0.5,stem=english,lowercase=true)",
    "precision(weights=function-words)",
    "recall(references=union)",
    "f1(weights=idf,references=union)",
    "fmean(weights=idf,stem=porter)",
    "gtm(exponent=2,cap=paper)",
    "gtm(exponent=2,weights=idf)",
    "gtm(exponent=1.5,cap=paper,weights=function-words)",
    "gtm(exponent=1.5,measure=recall,matching=exact)",
    "gtm(exponent=3,measure=precision,tokenize=13a)",
    "blanc(gap=0,alpha=0.3)",
    "ribes(alpha=1,beta=0.5,lowercase=true)",
    "gleu(min_len=2,max_len=3,tokenize=13a)",
    "character-ter(lowercase=true,stem=english)",
    "eed(language=ja,rho=0)",
    "eed(tokenize=13a,alpha=0.5,deletion=1,lowercase=true)",
    "rouge(order=2,references=best,stem=rouge)",
    "rouge(variant=l,measure=recall,tokenize=char)",
    "rouge(variant=w,weight=1.5)",
    "rouge(variant=s,skip=none,alpha=0.2)",
    "rouge(variant=su,references=best)",
    "blanc(order=2,weights=[0,1],decay=0)",
    "blanc(order=2,lowercase=true,modules=exact+stem+synonym)",
    "blanc(order=6,gap=5,weights=[1,2,0,0,0,4],lowercase=true,stem=english)",
]


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("spelling", CONFIGURATIONS)
def test_law(spelling, law):
    law(assay.metric(spelling))


class Broken(assay.Recall):
    """A metric whose rows depend on their neighbours."""

    name = "broken"

    def count(self, batch):
        rows = super().count(batch)
        return rows + rows.sum() * 1e-3


def test_a_broken_metric_is_named_with_the_law_it_breaks():
    with pytest.raises(AssertionError, match="neighbours_do_not_matter"):
        check_metric(Broken())


def test_a_metric_that_counts_too_few_rows_is_an_error():
    class Short(assay.Recall):
        name = "short"

        def count(self, batch):
            return np.zeros((1, 3))

    corpus = assay.Corpus(translations=["a", "b"], references=[["a", "b"]])
    with pytest.raises(assay.AssayError, match=r"rows of shape \(1, 3\) for 2 segments"):
        Short().evaluate(corpus)
