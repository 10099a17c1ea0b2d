"""Every command line that has a snapshot.

Each command's main call is asked for in all formats, its further options as text and as JSON. ``demo`` is the campaign
that comes with the package; ``orchard`` and ``tram`` are in ``campaigns``, files of ``inputs`` beside them.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

TABLES = "text json tsv csv markdown latex"
PICTURES = "text json svg html"
BOTH = "text json"
TEXT = "text"

COMMANDS = ("score", "compare", "meta", "agreement", "explain", "study", "tune", "learn", "predict", "convert")
COMMANDS += ("features", "paper", "describe", "validate", "metrics", "recipes", "completion", "demo")
COMMANDS += ("report", "explore", "store", "history", "show", "diff", "rerun", "sql")

#: Metrics, each with a segment of the demo that shows something and is not too long.
METRICS = {
    "bleu": 0,
    "modbleu": 0,
    "nist": 0,
    "chrf": 0,
    "ter": 2,
    "wer": 0,
    "cer": 0,
    "per": 0,
    "meteor": 1,
    "precision": 0,
    "recall": 0,
    "f1": 0,
    "fmean": 0,
    "gtm": 0,
    "blanc": 0,
    "cosine": 0,
    "ribes": 0,
    "gleu": 0,
    "character-ter": 0,
    "eed": 0,
    "rouge": 0,
    "lm": 0,
}

#: Studies, each with options that make it quick.
STUDIES = {
    "pseudo-documents": (
        "--kind adequacy --per-length 20 -m bleu,gtm --lengths 1,15 --where domain=everyday --unit segment"
    ),
    "misleading-ngrams": "--kind adequacy --least 8 --most 5",
    "gtm-exponent": "--kind adequacy --exponents 1,2 --samples 50 --with-humans",
    "untranslated": "--kind adequacy --samples 50",
    "greedy-matching": "",
    "case-and-stem": "--kind adequacy --samples 50 -m chrf,gtm",
    "correlations": "--kind adequacy --samples 50 -m nist,fmean",
    "recall-weight": "--kind adequacy --samples 50 --steps 4",
    "sentence-level": "--kind adequacy,fluency --samples 20 -m fmean --modules exact,exact+stem",
    "sentence-scatter": "--kind adequacy --samples 20 -m fmean,ter --dots 8",
    "equal-grades": "--kind adequacy --samples 20 -m fmean,ter --bins 4",
    "consistency": "-m bleu,ter --splits 5",
    "meteor-aligner": "",
    "discount": "--samples 20",
    "references": "-m meteor",
    "reference-count": "--kind adequacy --samples 20 -m chrf",
    "reference-similarity": "--kind adequacy --samples 20 -m chrf",
    "synthetic-references": "--kind adequacy --samples 20 -m fmean",
    "foreign-texts": "--others demo/src.txt",
    "score-distribution": "--kind adequacy --bins 5",
    "leaderboard": "--kind adequacy --samples 20 -m chrf,f1",
}

#: Figures of studies, on what makes them small.
FIGURES = {
    "pseudo-documents": "tram --judgements inputs/tram.mqm.tsv --per-length 20 -m bleu --lengths 1,5,20",
    "misleading-ngrams": "demo --kind fluency --least 8 -m gtm",
    "gtm-exponent": "orchard --kind da --exponents 1,2 --samples 20 --level system --statistic pearson",
    "untranslated": "demo --kind fluency --samples 20 --within segment",
    "greedy-matching": "tram --exponents 2",
    "case-and-stem": "orchard --kind da --samples 20 -m fmean --recipes raw,stem",
    "correlations": "tram --judgements inputs/tram.mqm.tsv --samples 20 -m fmean",
    "recall-weight": "tram --judgements inputs/tram.mqm.tsv --samples 20 --steps 3",
    "sentence-level": "orchard --kind adequacy --samples 20 -m fmean --modules exact,exact+stem --normalise none,z",
    "sentence-scatter": "orchard --kind da --samples 20 -m ter --dots 12",
    "equal-grades": "orchard --kind da --samples 20 -m ter --bins 4 --grades 2",
    "consistency": "orchard -m ter --splits 4 --unit segment",
    "meteor-aligner": "orchard",
    "discount": "orchard --samples 20 -m meteor",
    "references": "tram -m bleu",
    "reference-count": "orchard --kind da --samples 5 -m chrf --statistic pearson",
    "reference-similarity": "demo --kind adequacy --samples 5 -m chrf,ter",
    "synthetic-references": "orchard --kind da --samples 20 -m fmean",
    "foreign-texts": "orchard --others demo/src.txt -m bleu",
    "score-distribution": "orchard --kind da --bins 5 -m ter",
    "leaderboard": "orchard demo --kind da/adequacy --samples 20 -m chrf",
}

MQM = "--judgements inputs/tram.mqm.tsv"
RANKINGS = "--judgements inputs/tram.rankings.tsv"
#: Quick, and with an interval all the same.
FEW = "--samples 20"
META = f"meta orchard --kind da {FEW}"
SYSTEMS = f"{META} --level system --statistic pearson,accuracy"
AGREEMENT = f"agreement orchard --kind da/da-repeat {FEW} --splits 5"
LEARN = f"learn orchard --kind da --grades 3 --folds 2 {FEW} --no-left-out --features bleu,wer"
TUNE = f"tune chrf orchard --kind da --folds 3 {FEW}"

HELP = {
    "help/assay": ("--help", TEXT),
    "help/nothing": ("", TEXT),
    "help/version": ("--version", TEXT),
    **{f"help/{name}": (f"{name} --help", TEXT) for name in COMMANDS},
    **{f"help/study-{name}": (f"study {name} --help", TEXT) for name in (*STUDIES, "all")},
    "help/paper-all": ("paper all --help", TEXT),
}

LISTS = {
    "metrics/list": ("metrics", TABLES),
    **{f"metrics/{name}": (f"metrics {name}", BOTH) for name in (*METRICS, "hter", "predictor", "combination")},
    "metrics/options": ("metrics meteor", "tsv csv markdown latex"),
    "recipes/list": ("recipes", TABLES),
    "recipes/english": ("""recipes --text 'Don’t "stop" | at 3,5 % & co.'""", TABLES),
    "recipes/japanese": ("recipes --text '日本語のテキスト、2つ。'", BOTH),
    "study/list": ("study", TABLES),
    "paper/list": ("paper", TABLES),
    "demo/demo": ("demo", TEXT),
}

SCORE = {
    "score/demo": ("score demo", TABLES),
    "score/metrics": (f"score demo --systems compass,gravel {FEW} -m {','.join(METRICS)}", BOTH),
    "score/segments": ("score demo --systems compass,gravel --samples 0 --segments --where document=harbour-*", TABLES),
    "score/documents": (f"score demo --systems compass,gravel {FEW} --documents", TABLES),
    "score/domains": (f"score demo {FEW} --domains", TABLES),
    "score/all-levels": (
        "score demo -m wer --samples 0 --segments --documents --domains --where document=*-news",
        BOTH,
    ),
    "score/orchard": ("score orchard -m bleu,chrf,hter", TABLES),
    "score/orchard-documents": (
        "score orchard -m chrf,ter --documents --domains --samples 0",
        "text json markdown latex",
    ),
    "score/orchard-segments": (
        "score orchard -m wer,hter --segments --samples 0 --systems '<*,R&D*'",
        "text json markdown latex",
    ),
    "score/worst": ("score orchard -m ter,hter --segments --worst 2 --best 1 --samples 0 --systems 'R*'", TABLES),
    "score/orchard-column": ("score orchard -m bleu --where speaker=ana --where 'document!=note*'", BOTH),
    "score/post-edits-alone": ("score orchard -m ter --refs pe", BOTH),
    "score/targeted": ("score orchard -m hter,bleu --targeted B", BOTH),
    "score/tram": ("score tram -m bleu,chrf,cer,meteor(language=ru)", TABLES),
    "score/recipes": (
        f"score demo {FEW} -m bleu(lowercase=true,tokenize=intl),fmean(stem=english),gtm(exponent=2) "
        "-m chrf(word_order=2)",
        BOTH,
    ),
    "score/best-reference": (f"score demo {FEW} -m bleu,bleu(references=best)", BOTH),
    "score/averages": (
        f"score demo {FEW} --systems compass,gravel --documents -m bleu(average=segments),ter(average=documents)",
        BOTH,
    ),
    "score/smoothings": (
        f"score demo {FEW} --systems compass -m bleu(smoothing=method4),bleu(average=segments,smoothing=method7)",
        BOTH,
    ),
    "score/collapsed": (f"score demo {FEW} -m cer,cer(collapse_whitespace=true)", BOTH),
    "score/zeros": ("score orchard -m bleu(effective_order=false),bleu(smoothing=none) --segments --samples 0", BOTH),
    "score/lm-text": (f"score demo {FEW} -m lm(text=demo/ref.A.txt,order=2)", BOTH),
    "score/combination": (f"score demo {FEW} -m combination(metrics=[bleu,chrf,ter])", BOTH),
    "score/nist-unweighted": (f"score demo {FEW} -m nist,nist(weights=none)", BOTH),
    "score/word-weights": (
        f"score demo {FEW} -m fmean(weights=idf),recall(weights=function-words),gtm(exponent=2,weights=idf) "
        "-m fmean(references=union)",
        BOTH,
    ),
    "score/blanc-modules": (
        f"score demo {FEW} -m blanc(lowercase=true),blanc(lowercase=true,modules=exact+stem+synonym)",
        BOTH,
    ),
    "score/left-out": ("score demo -m bleu --samples 0 --systems '*,!gravel' --without human", BOTH),
    "score/one-reference": ("score demo --refs A --systems '*o*'", BOTH),
    "score/sacrebleu": ("score demo -m bleu,chrf,ter --samples 0 --sacrebleu-signature", BOTH),
    "score/files": ("score -r demo/ref.A.txt -r demo/ref.B.txt -s demo/src.txt demo/sys.human.txt", BOTH),
    "score/one-file": ("score -r inputs/two.txt inputs/two.txt --segments", BOTH),
    "score/table": ("score inputs/table.tsv --segments", TABLES),
    "score/json-lines": ("score inputs/lines.jsonl --documents", BOTH),
    "score/sgml": ("score inputs/sets.sgm --domains", BOTH),
    "score/predictor": (f"score orchard -m bleu,predictor(path=inputs/model.json) {FEW}", BOTH),
    "score/quiet": ("score orchard -m bleu,hter --quiet --samples 0", TEXT),
    "score/seed": ("score demo -m bleu --seed 7 --samples 50", TEXT),
    "score/to-a-file": ("score demo -m bleu --samples 0 -o scores.txt", TABLES),
}

COMPARE = {
    "compare/demo": ("compare demo", TABLES),
    "compare/baseline": ("compare demo --baseline rosetta", TABLES),
    "compare/gate": ("compare demo --baseline compass --fail-if-worse", TABLES + " junit"),
    "compare/gate-passed": (
        "compare demo -m chrf --baseline lantern --systems lantern,rosetta --fail-if-worse",
        "text junit",
    ),
    "compare/min-delta": (
        "compare demo -m bleu --baseline compass --systems compass,lantern --fail-if-worse --min-delta 30",
        "text json junit",
    ),
    "compare/runs": ("compare orchard", TABLES),
    "compare/runs-gate": ("compare orchard -m chrf --baseline north_1 --fail-if-worse", "text json junit"),
    "compare/runs-wilcoxon": ("compare orchard -m bleu --test wilcoxon", TEXT),
    "compare/tram": ("compare tram --permutations 500", TABLES),
    "compare/bootstrap": ("compare demo -m bleu --test bootstrap", BOTH),
    "compare/t": ("compare demo -m chrf --test t", BOTH),
    "compare/wilcoxon": ("compare demo -m wer --test wilcoxon", BOTH),
    "compare/benjamini-hochberg": ("compare demo -m ter --correction benjamini-hochberg --permutations 500", BOTH),
    "compare/uncorrected": ("compare demo -m ter --correction none --alpha 0.2 --permutations 500", TEXT),
    "compare/by-documents": ("compare demo -m bleu --unit document --permutations 200", BOTH),
    "compare/bca": ("compare demo -m bleu --interval bca --permutations 200", TEXT),
    "compare/pairs": ("compare demo -m bleu,wer --pairs --permutations 200", TEXT),
    "compare/segments": ("compare demo -m bleu --systems compass,human --segments 2 --permutations 200", BOTH),
    "compare/segments-odd": ("compare orchard -m chrf --systems 'R*,<*' --segments 2 --permutations 200", TABLES),
    "compare/by-length": ("compare demo -m bleu --systems compass,human --by length --permutations 200", BOTH),
    "compare/by-document": ("compare orchard -m chrf --by document --permutations 200", "text json markdown latex"),
    "compare/by-domain": ("compare demo -m bleu --systems compass,human --by domain --permutations 200", BOTH),
    "compare/by-column": ("compare orchard -m chrf --systems 'R*,c*' --by speaker --permutations 200", BOTH),
    "compare/calibrate": (
        "compare tram -m bleu --unit segment --calibrate --simulations 10 --permutations 100 --samples 50",
        BOTH,
    ),
    "compare/files": (
        "compare -r demo/ref.A.txt demo/sys.human.txt demo/sys.compass.txt -m chrf --permutations 200",
        BOTH,
    ),
    "compare/average": ("compare demo -m bleu(average=documents) --permutations 200", BOTH),
    "compare/where": ("compare demo -m bleu --where domain=everyday --permutations 200", TEXT),
}

EXPLAIN = {
    **{
        f"explain/{name}": (f"explain demo --system compass --segment {segment} -m {name}", PICTURES)
        for name, segment in METRICS.items()
    },
    "explain/hter": ("explain orchard --system '<base>#1' --segment W_04 -m hter", PICTURES),
    "explain/odd-names": ("explain orchard --system '<base>#1' --segment P_01 -m ter,bleu", PICTURES),
    "explain/empty": ("explain orchard --system '<base>#1' --segment 7 -m bleu,wer,meteor,gtm", "text json svg"),
    "explain/scripts": ("explain tram --system 日本β --segment 15 -m wer,meteor(language=ru)", "text json svg"),
    "explain/characters": ("explain tram --system Cafe\u0301 --segment 7 -m cer", "text json svg"),
    "explain/right-to-left": ("explain tram --system עברית --segment 9 -m gtm,chrf", BOTH),
    "explain/word-weights": (
        "explain demo --system compass --segment 0 -m fmean(weights=idf,references=union),gtm(weights=function-words)",
        PICTURES,
    ),
    "explain/blanc-modules": (
        "explain demo --system gravel --segment 1 -m blanc(order=2,lowercase=true,modules=exact+stem+synonym)",
        BOTH,
    ),
    "explain/texts": (
        "explain --translation 'a cat sat <here> & now' --against 'the cat sat here' -m meteor,per",
        PICTURES,
    ),
    "explain/best-reference": (
        "explain --translation 'a b c' --against 'a c b' --against 'b c' -m bleu(references=best)",
        BOTH,
    ),
    "explain/two-references": (
        "explain --translation 'a b c' --against 'a c b' --against 'b c' -m ter,bleu,nist",
        BOTH,
    ),
    "explain/gtm-cap": (
        "explain --translation 'a b c x d e y f' --against 'a b c q' --against 'z d e f' -m gtm(exponent=2)",
        PICTURES,
    ),
    "score/predictor-task": (
        f"score orchard -m \"predictor(path=inputs/model-tasks.json,task='grade>=2')\" {FEW}",
        BOTH,
    ),
    "explain/predictor": ("explain demo --system compass --segment 1 -m predictor(path=inputs/model.json)", BOTH),
    "explain/by-ending": ("explain demo --system gravel --segment 0 -m wer -o picture.svg", TEXT),
    "explain/variants": (
        "explain demo --system human --segment 0 -m gtm(exponent=2),meteor(variant=lavie2004),chrf(word_order=2)",
        TEXT,
    ),
}

META_EVALUATION = {
    "meta/demo": (f"meta demo --kind adequacy {FEW}", TABLES),
    "meta/orchard": (f"{META} -m bleu,hter --scores inputs/orchard.scores.tsv --statistic pearson,acc23", TABLES),
    "meta/rankings": (f"meta tram {RANKINGS} {FEW}", TABLES),
    "meta/mqm": (f"meta tram {MQM} {FEW}", TABLES),
    "meta/system": (f"{META} --level system", BOTH),
    "meta/document": (f"{META} --level document", BOTH),
    "meta/segment": (f"{META} --level segment", BOTH),
    "meta/every-statistic": (f"{META} -m bleu --statistic all --grouping all", BOTH),
    "meta/statistics": (
        f"{META} --statistic kendall-like,kendall-c,tau23,pdp --grouping item,system --level segment",
        BOTH,
    ),
    "meta/kinds": (f"meta orchard --kind adequacy,fluency {FEW} --level system,segment --statistic spearman", BOTH),
    "meta/scope": (f"meta orchard --kind 'expert & co' {FEW} --scope all --level system --statistic kendall", BOTH),
    "meta/williams": (f"{SYSTEMS} -m bleu,wer --test williams", BOTH),
    "meta/wilcoxon": (f"{META} -m bleu,chrf,wer --test wilcoxon --level segment", BOTH),
    "meta/untested": (f"{SYSTEMS} --test none", BOTH),
    "meta/correction": (f"{SYSTEMS} -m bleu,chrf,wer --correction benjamini-hochberg --alpha 0.3", TEXT),
    "meta/pairs": (f"{META} -m bleu,chrf,wer,per,nist,f1 --pairs --level segment --statistic pearson", BOTH),
    "meta/disattenuated": (
        f"meta demo --kind adequacy {FEW} -m bleu,ter --level system --disattenuated --with-humans",
        BOTH,
    ),
    "meta/judge": (
        f"meta demo --kind adequacy {FEW} -m chrf --judge chrf --family 'own=ro*,gravel' --level system --unit segment",
        BOTH,
    ),
    "meta/judge-of-judgements": (
        f"meta orchard --kind da {FEW} --beside adequacy --judge adequacy --level system",
        BOTH,
    ),
    "meta/no-judge": (f"{META} -m bleu --judge blue", TEXT),
    "meta/family-alone": (f"{META} -m bleu --family own=A", TEXT),
    "meta/with-humans": (f"meta demo --kind adequacy {FEW} -m bleu,ter --with-humans", BOTH),
    "meta/another-human": (f"meta demo --kind adequacy {FEW} -m bleu --human gravel --level segment", BOTH),
    "meta/top": (f"{META} --top --level system --statistic pearson", BOTH),
    "meta/resample-segments": (f"{SYSTEMS} --resample segments", BOTH),
    "meta/resample-systems": (f"{SYSTEMS} --resample systems", BOTH),
    "meta/resample-both": (f"{META} --resample both --level system,segment --statistic pearson", TEXT),
    "meta/by-documents": (f"{META} --unit document --level segment", BOTH),
    "meta/no-samples": ("meta demo --kind fluency --samples 0 --level system --statistic kendall,spa", BOTH),
    "meta/z": (f"{META} --normalise z --level segment", BOTH),
    "meta/robust-z": (f"{META} --normalise robust-z --level segment", BOTH),
    "meta/quantile": (f"{META} --normalise quantile --level segment", BOTH),
    "meta/mixed": (f"{META} --normalise mixed --level segment", BOTH),
    "meta/missing": (f"{META} --missing 0 --level segment", BOTH),
    "meta/lower": (f"{SYSTEMS} --lower-is-better", BOTH),
    "meta/where": (f"{SYSTEMS} --where 'domain=farm*'", BOTH),
    "meta/beside": (f"{META} --beside adequacy,fluency --level system,segment --statistic pearson,kendall", TABLES),
    "meta/scores": (
        "meta demo --kind adequacy --scores inputs/demo.seg.score --scores inputs/demo.sys.score --scores-lower demo "
        f"-m bleu {FEW} --statistic pearson",
        BOTH,
    ),
    "meta/weights": (f"meta tram {MQM} --weights unbabel {FEW} --level segment", BOTH),
    "meta/own-weights": (f"meta tram {MQM} --weights inputs/weights.json {FEW} --level system --statistic spa", BOTH),
    **{
        f"meta/{method}": (f"meta tram {RANKINGS} --ranking {method} {FEW} --level system --statistic pearson", BOTH)
        for method in ("wins-or-ties", "expected-wins", "bradley-terry")
    },
    "meta/gaussian": (
        f"meta tram {RANKINGS} --ranking gaussian --samples 0 --test none --level system --statistic pearson",
        TEXT,
    ),
    **{
        f"meta/figure-{picture}": (f"{META} -q --figure figure.html --picture {picture}", "tsv")
        for picture in ("correlations", "systems", "differences", "top")
    },
    "meta/save": (f"{META} -m bleu --level system --save kept.json", TEXT),
}

JUDGES = {
    "agreement/demo": (f"agreement demo --kind adequacy {FEW} --splits 5", TABLES),
    "agreement/orchard": (AGREEMENT, TABLES),
    "agreement/rankings": (f"agreement tram {RANKINGS} {FEW}", TABLES),
    "agreement/mqm": (f"agreement tram {MQM} {FEW} --splits 5", TABLES),
    "agreement/file": (f"agreement inputs/tram.mqm.tsv {FEW} --splits 5", TEXT),
    "agreement/control": (f"{AGREEMENT} --control da-bad", TEXT),
    "agreement/metrics": (f"{AGREEMENT} -m bleu,chrf", TEXT),
    "agreement/normalised": (f"{AGREEMENT} --normalise z", TEXT),
    "agreement/grades": (f"{AGREEMENT} --grades 4", TEXT),
    "agreement/cuts": (f"{AGREEMENT} --grades 30,60 --all", TEXT),
    "agreement/where": (f"{AGREEMENT} --where domain=shop --missing 100", TEXT),
    "agreement/weights": (f"agreement tram {MQM} --weights esa-campaign {FEW} --splits 5", TEXT),
    **{
        f"agreement/table-{table}": (f"{AGREEMENT} --control da-bad -m bleu --table {table} --where domain=shop", "tsv")
        for table in ("pairs", "raters", "normalisation", "effect", "metrics", "controls")
    },
    **{
        f"agreement/figure-{picture}": (f"{AGREEMENT} -q --figure figure.html --picture {picture}", "tsv")
        for picture in ("judges", "severity", "distributions", "normalisation")
    },
    "agreement/figure-raters": (f"{AGREEMENT} -q --figure figure.html --raters 'ann,cy_%'", "tsv"),
}

STUDY = {
    **{f"study/{name}": (f"study {name} demo {options}", TABLES) for name, options in STUDIES.items()},
    **{
        f"study/{name}-figure": (f"study {name} {small} --figure figure.html", "tsv") for name, small in FIGURES.items()
    },
    "study/references-combination": ("study references tram -m combination(metrics=[bleu,cosine])", TEXT),
    "study/pseudo-documents-references": (
        "study pseudo-documents demo --kind fluency --per-length 20 -m bleu --lengths 20 --reference-counts 1,3",
        TEXT,
    ),
    "study/pseudo-documents-whole": (
        "study pseudo-documents demo --kind adequacy --per-length 20 -m bleu --lengths 1,8 --whole-documents",
        BOTH,
    ),
    "study/pseudo-documents-kinds": (
        "study pseudo-documents demo --kind adequacy,fluency --per-length 20 -m ter --lengths 1 --figure figure.html",
        BOTH,
    ),
    "study/greedy-matching-tram": ("study greedy-matching tram --exponents 2", BOTH),
    "study/case-and-stem-options": (
        "study case-and-stem orchard --kind da --samples 20 -m fmean --recipes raw,lowercase+stem --statistic kendall "
        "--level segment",
        BOTH,
    ),
    "study/correlations-both": ("study correlations orchard --kind da --samples 20 -m bleu --resample both", BOTH),
    "study/correlations-own": (
        "study correlations demo --kind adequacy --samples 20 -m bleu,ter,meteor,chrf --stemmer none --own-recipes",
        BOTH,
    ),
    "study/recall-weight-halves": (
        "study recall-weight orchard --kind da --samples 20 --steps 4 --split document --level segment "
        "--statistic kendall",
        BOTH,
    ),
    "study/recall-weight-test-on": (
        "study recall-weight demo --kind fluency --samples 20 --steps 4 --test-on orchard --test-kind adequacy",
        BOTH,
    ),
    "study/recall-weight-train": ("study recall-weight orchard --kind adequacy --train demo", TEXT),
    "study/sentence-scatter-page": (
        "study sentence-scatter orchard --kind adequacy --samples 20 -m fmean --dots 5",
        "html",
    ),
    "study/sentence-level-ru": (
        f"study sentence-level tram {MQM} --samples 20 -m fmean --meteor meteor(language=ru) "
        "--modules exact,exact+stem",
        BOTH,
    ),
    "study/meteor-aligner-tram": ("study meteor-aligner tram -m meteor(language=ru)", BOTH),
    "study/references-whole": ("study references tram -m bleu --k 1 --text both", BOTH),
    "study/references-lines": ("study references tram -m bleu,ter --figure figure.html --picture lines", "tsv"),
    "study/references-needed": ("study references demo -m bleu --samples 20 --table references_needed", "tsv"),
    "study/references-agreement": ("study references demo -m bleu,nist --samples 0 --table rank_agreement", "tsv"),
    "study/reference-count-options": (
        "study reference-count demo --kind adequacy --samples 0 -m chrf --k 1,3 --statistic pearson --most 2",
        BOTH,
    ),
    "study/foreign-texts-campaign": (
        "study foreign-texts demo --others orchard,inputs/two.txt --k 2 --text segments -m bleu",
        BOTH,
    ),
    "study/score-distribution-orchard": ("study score-distribution orchard --kind da -m ter --bins 4", TABLES),
    "study/save": ("study greedy-matching orchard --save kept.json", TEXT),
    "study/all": ("study all inputs/table.tsv --others inputs/two.txt", "html json"),
    "paper/lavie2004": ("paper lavie2004 orchard --kind da --samples 10", "text json markdown latex html"),
    "paper/several": ("paper culy2003 orchard tram --kind da --samples 10", TEXT),
}

LEARNING = {
    "learn/orchard": (f"{LEARN} --model tree --group document", TABLES),
    "learn/boosting": (f"{LEARN} --model boosting,ordinal --task grades", TEXT),
    "learn/left-out": (
        f"learn demo --kind adequacy --where domain=everyday --grades 3 --folds 2 {FEW} --left-out --features bleu,wer "
        "--model tree --task grades",
        TEXT,
    ),
    "learn/marks": (
        f"learn orchard --kind da --grades 2 --folds 2 {FEW} --left-out --features bleu,wer,per --model tree "
        "--task grades",
        TABLES,
    ),
    "learn/tree": (f"{LEARN} -q --model tree --task grades,regression --figure figure.html --picture tree", BOTH),
    "learn/kinds": (
        f"learn demo --kind adequacy,fluency --grades 3 --folds 2 {FEW} --no-left-out --features bleu,wer --model tree "
        "--task grades,splits",
        TEXT,
    ),
    "learn/campaigns": (
        f"learn demo orchard --kind adequacy --grades 2 --folds 2 {FEW} --no-left-out --features wer,per --model ridge "
        "--task grades,regression",
        BOTH,
    ),
    "learn/pairwise": (f"{LEARN} --model ridge --task pairwise --group document", BOTH),
    "learn/regression": (f"{LEARN} --model ridge,tree --task regression --group system --normalise z", BOTH),
    "learn/ungrouped": (f"{LEARN} --model ridge --task grades --group none", TEXT),
    "learn/cuts": (
        f"learn orchard --kind da --grades 50, --folds 2 {FEW} --no-left-out --features wer,'gtm(exponent=2)' "
        "--model tree --task grades",
        BOTH,
    ),
    "learn/wide": (
        f"learn orchard --kind da --grades 2 --folds 2 {FEW} --features wide --model ridge --task regression",
        TEXT,
    ),
    "learn/scores": (
        f"learn orchard --kind da --grades 2 --folds 2 {FEW} --features scores --scores inputs/orchard.scores.tsv "
        "--model ridge --task regression",
        BOTH,
    ),
    "learn/mqm": (f"learn tram {MQM} --grades 2 --folds 2 {FEW} --no-left-out --features chrf --model ridge", TEXT),
    "learn/figure": (f"{LEARN} -q --model ridge --task regression --figure figure.html", "tsv"),
    "learn/save": (f"{LEARN} --model ridge,tree --task grades --save saved.json --save-model tree", TEXT),
    "learn/save-tasks": (
        f"{LEARN} --model ordinal,tree --task grades,splits,regression --save saved.json --save-model ordinal",
        TEXT,
    ),
    "learn/save-regression": (f"{LEARN} --model ridge --task regression --save saved.json", TEXT),
    "features/demo": ("features demo --systems gravel --where document=harbour-news", TABLES),
    "features/kinds": ("features orchard --kind da --features wer,per --where document=note~#3", BOTH),
    "features/no-judgements": ("features -r demo/ref.A.txt demo/sys.human.txt --features wer,ter:shifts", BOTH),
    "features/layer": (
        "features demo --systems gravel --where document=harbour-news --features wer,wer@same --layer same=demo",
        BOTH,
    ),
    "predict/demo": (f"predict inputs/model.json demo {FEW}", TABLES),
    "predict/orchard": (f"predict inputs/model.json orchard {FEW}", TABLES),
    "predict/card": ("predict inputs/model.json --card", TABLES),
    "predict/segments": ("predict inputs/model.json demo --segments --samples 0 --where document=harbour-news", TABLES),
    "predict/documents": ("predict inputs/model.json orchard --documents --samples 0", BOTH),
    "predict/domains": (f"predict inputs/model.json demo --domains {FEW} --systems human,gravel", BOTH),
    "predict/files": ("predict inputs/model.json -r demo/ref.A.txt demo/sys.human.txt --samples 0", BOTH),
    "predict/tree": (f"predict inputs/model-tree.json orchard {FEW}", BOTH),
    "predict/regression": (f"predict inputs/model-regression.json tram {FEW} --documents", BOTH),
    "predict/tasks": (f"predict inputs/model-tasks.json tram {FEW} --documents", BOTH),
    "predict/tasks-card": ("predict inputs/model-tasks.json --card", TEXT),
    "predict/pairwise": (f"predict inputs/model-pairwise.json tram {FEW}", BOTH),
    "predict/boosting": (f"predict inputs/model-boosting.json tram {FEW}", BOTH),
    "predict/boosting-card": ("predict inputs/model-boosting.json --card", BOTH),
}

TUNING = {
    "tune/demo": (f"tune chrf demo --kind adequacy {FEW} --folds 3", TABLES),
    "tune/orchard": (TUNE, TABLES),
    "tune/meteor": (f"tune meteor orchard --kind da {FEW} --folds 3", BOTH),
    "tune/parameters": (f"tune meteor(language=ru) tram {MQM} {FEW} --folds 3 --parameters alpha,gamma", BOTH),
    "tune/blanc": (f"tune blanc orchard --kind da {FEW} --folds 3 --parameters decay,alpha", BOTH),
    "tune/weights": (f"tune bleu(effective_order=true) orchard --kind da {FEW} --folds 3 --parameters weights", TEXT),
    "tune/system": (f"{TUNE} --level system --statistic accuracy", BOTH),
    "tune/grouping": (f"{TUNE} --statistic kendall --grouping item --group document", BOTH),
    "tune/accuracy": (f"{TUNE} --statistic accuracy --normalise z", BOTH),
    "tune/rankings": (f"tune fmean tram {RANKINGS} --level system --statistic spearman {FEW} --folds 3", BOTH),
    "tune/figure": (f"{TUNE} -q --figure figure.html", "tsv"),
    "learn/test-on": (
        f"learn demo --kind adequacy {FEW} --task grades,regression --model ridge --features bleu,wer --no-left-out "
        "--test-on orchard",
        BOTH,
    ),
    "tune/test-on": (f"tune fmean demo --kind adequacy {FEW} --folds 3 --test-on orchard --where document!=d1", BOTH),
    "tune/save": (f"{TUNE} --save kept.json", TEXT),
}

CONVERT = {
    "convert/align": ("convert --merge --align --alignment alignment.tsv tram merged.jsonl", TEXT),
}

VALIDATE = {
    "describe/demo": ("describe demo --width 80", TABLES),
    "describe/tram": ("describe tram", TABLES),
    "describe/orchard": ("describe orchard --kind da --systems '*,!north_1@*' --where domain=shop", BOTH),
    "describe/judgements": ("describe inputs/tram.mqm.tsv", BOTH),
    "describe/table": ("describe inputs/table.tsv", TEXT),
    "describe/lengths": ("describe demo --table lengths", "tsv"),
    "report/demo": ("report demo -m bleu,chrf --samples 50 --width 100", TABLES),
    "report/tram": ("report tram -m ter --samples 50", BOTH),
    "report/judgements": ("report inputs/tram.mqm.tsv --samples 50 --also 'study references'", BOTH),
    "validate/sound": ("validate demo", TABLES),
    "validate/warnings": ("validate orchard", BOTH),
    "validate/broken": ("validate inputs/broken", TABLES),
    "validate/errors-only": ("validate inputs/broken --errors-only", BOTH),
    "validate/several": ("validate tram inputs/tram.mqm.tsv inputs/tram.rankings.tsv inputs/bad.tsv", BOTH),
    "validate/judgements": ("validate inputs/bad-mqm.tsv --campaign tram", BOTH),
    "validate/lines": ("validate inputs/broken/sys.latin1.txt --input-format lines", TEXT),
    "validate/formats": ("validate inputs/table.tsv inputs/lines.jsonl inputs/sets.sgm inputs/bad.jsonl", BOTH),
    "validate/unknown": ("validate inputs/weights.json", TEXT),
}

#: What is refused, and how that is said.
ERRORS = {
    "command": "scroe demo",
    "option": "score demo --segmets",
    "format": "score demo --format yaml",
    "no-file": "score nowhere",
    "no-reference": "score demo/sys.human.txt",
    "nothing": "score",
    "metric": "score demo -m blue",
    "metric-option": "score demo -m bleu(smothing=exp)",
    "metric-value": "score demo -m bleu(order=0)",
    "metric-syntax": "score demo -m bleu(order",
    "metric-twice": "score demo -m bleu,bleu",
    "tokenizer": "score demo -m bleu(tokenize=13b)",
    "system": "score demo --systems compas",
    "reference": "score demo --refs D",
    "where": "score demo --where topic=x",
    "where-none": "score demo --where domain=poetry",
    "lines": "score -r inputs/two.txt inputs/one.txt",
    "empty": "score -r inputs/empty.txt inputs/empty.txt",
    "encoding": "score -r demo/ref.A.txt inputs/broken/sys.latin1.txt",
    "folder": "score inputs/broken",
    "table": "score inputs/bad.tsv",
    "json": "score inputs/bad.jsonl",
    "post-edit": "score demo -m hter",
    "documents": "score -r inputs/two.txt inputs/two.txt --documents",
    "two-levels": "score demo --segments --documents --format tsv",
    "samples": "score demo --samples -1",
    "output": "score demo -o nowhere/scores.txt",
    "one-system": "compare demo --systems human",
    "baseline": "compare demo --baseline compas",
    "gate": "compare demo --fail-if-worse",
    "junit": "compare demo --format junit",
    "alpha": "compare demo --alpha 2",
    "by": "compare demo --by colour",
    "no-segment": "explain demo --system human",
    "segment": "explain demo --system human --segment 60",
    "explain-system": "explain demo --segment 1",
    "ending": "explain demo --system human --segment 1 -o picture.jpg",
    "kind": "meta demo",
    "unknown-kind": "meta demo --kind adequecy",
    "no-judgements": "meta tram",
    "statistic": "meta demo --kind adequacy --statistic peerson",
    "level": "meta demo --kind adequacy --level word",
    "weights": f"meta tram {MQM} --weights inputs/bad-weights.json",
    "judgements": "meta tram --judgements inputs/bad-mqm.tsv",
    "scores": "meta demo --kind adequacy --scores inputs/bad-scores.tsv",
    "figure": "meta demo --kind adequacy --figure figure.jpg",
    "same-file": "meta demo --kind adequacy --figure a.svg -o a.svg",
    "grades": "agreement demo --kind adequacy --grades x",
    "control": "agreement demo --kind adequacy --control bad",
    "raters": "agreement demo --kind adequacy --figure a.svg --raters anna,zoe",
    "study": "study reference demo",
    "study-kind": "study correlations demo",
    "study-option": "study references demo --k 9",
    "study-misplaced": "study --format json references demo",
    "study-others-systems": "study foreign-texts demo --others orchard --systems human,compass",
    "study-others": "study foreign-texts demo",
    "learn-grades": "learn demo --kind adequacy --where domain=everyday",
    "learn-feature": "learn demo --kind adequacy --features bleu,blue",
    "learn-model": "learn demo --kind adequacy --model forest",
    "features-layer": "features demo --features wer@pos",
    "layer-lines": "features demo --features wer@pos --layer pos=orchard",
    "learn-few": "learn tram --kind mqm --judgements inputs/tram.mqm.tsv --where document=утро --task grades",
    "model": "predict inputs/bad-model.json demo",
    "no-model": "predict inputs/none.json demo",
    "tune-metric": "tune wer demo --kind adequacy",
    "tune-parameter": "tune chrf demo --kind adequacy --parameters alpha",
    "tune-folds": "tune chrf demo --kind adequacy --folds 2",
    "validate": "validate nowhere",
    "metrics": "metrics blue",
    "recipes": "recipes --txt x",
    "run": "show nothing --store kept",
    "run-several": "show score --store kept",
    "store": "history --store demo",
    "sql-table": "sql 'select * from score' --store kept",
    "sql-writes": "sql 'drop table scores' --store kept",
    "sql-file": "sql 'select * from read_text($$inputs/table.tsv$$)' --store kept",
    "diff": "diff 42f6 --store kept",
    "rerun": "rerun 42f6 --store kept",
    "remove": "store remove --store kept",
    "copy": "demo --copy demo",
    "convert": "convert demo inputs/table.tsv",
}

#: A name, the command line behind ``assay``, and the formats it is asked for.
#: Of the store that the first version wrote, whose runs have names that stay.
KEPT = {
    "kept/history": ("history --store kept", TABLES),
    "kept/scores": ("history --store kept -m bleu,judge --systems compass,gravel", PICTURES),
    "kept/show": ("show 42f6 --store kept", TABLES),
    "kept/diff": ("diff score-925e compare --store kept --limit 4", PICTURES),
    "kept/same": ("diff meta meta --store kept", BOTH),
    "kept/sql": (
        "sql 'select system, metric, score from scores where question = $$score$$ order by all' --store kept",
        TABLES,
    ),
    "kept/tables": ("sql --store kept", BOTH),
    "kept/check": ("store check kept", BOTH),
    "kept/store": ("store", TEXT),
}

LINES: dict[str, tuple[str, str]] = {
    **HELP,
    **LISTS,
    **SCORE,
    **COMPARE,
    **EXPLAIN,
    **META_EVALUATION,
    **JUDGES,
    **STUDY,
    **LEARNING,
    **TUNING,
    **CONVERT,
    **VALIDATE,
    **KEPT,
    **{f"error/{name}": (line, TEXT) for name, line in ERRORS.items()},
}


@dataclass(frozen=True)
class Case:
    """A command line and the format of what it prints."""

    arguments: list[str]
    style: str


def _cases() -> dict[str, Case]:
    found = {}
    for name, (line, styles) in LINES.items():
        for style in styles.split():
            # Text is what commands print if nobody asks for something else.
            asked = [] if style == TEXT else ["--format", style]
            found[f"{name}.{style}"] = Case([*shlex.split(line), *asked], style)
    return found


#: Every case by the name of its snapshot.
ALL = _cases()
