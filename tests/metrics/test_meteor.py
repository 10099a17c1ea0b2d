"""METEOR by hand: the formula, its habits, its variants, and what it refuses."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import assay
from assay.errors import AssayWarning
from assay.metrics.meteor_parameters import ANY_LANGUAGE, ENGLISH_ONLY, LANGUAGES, METEOR07, RANK, TASKS, parameters
from assay.metrics.pictures import Alignment, Link
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score

#: The example of the lecture of 2007.
REFERENCE = "the Iraqi weapons are to be handed over to the army within two weeks"
TRANSLATION = "in two weeks Iraq's weapons will give army"
MAT = "the cat sat on the mat"


@pytest.fixture
def lecture(tmp_path):
    """The lecture takes Iraq's and Iraqi for the same; no stemmer and no WordNet does."""
    table = tmp_path / "synonyms.tsv"
    table.write_text("iraqi\tiraq's\n", encoding="utf-8")
    return f'meteor(variant=lecture2007,synonyms="{table}")'


@pytest.fixture
def paraphrases(tmp_path):
    table = tmp_path / "paraphrases.gz"
    table.write_bytes(gzip.compress(b"0.5\nhanded over\nsurrendered\n0.5\nwithin two weeks\nin a fortnight\n"))
    return table


class TestLecture:
    def test_the_worked_example(self, lecture):
        # P = 5/8, R = 5/14, Fmean = 10PR / (9P + R) = 0.3731; 3 chunks of 5 words: 0.5 · (2/4)³ = 0.0625.
        assert score(lecture, TRANSLATION, REFERENCE) == pytest.approx(34.98, abs=0.005)
        assert score(lecture, TRANSLATION, REFERENCE) == pytest.approx(100 * (250 / 670) * 0.9375)

    def test_its_parts(self, lecture):
        found = parts(lecture, TRANSLATION, REFERENCE)
        assert found["precision"] == pytest.approx(100 * 5 / 8)
        assert found["recall"] == pytest.approx(100 * 5 / 14)
        assert found["fmean"] == pytest.approx(37.31, abs=0.005)
        assert (found["chunks"], found["fragmentation"], found["penalty"]) == (3, 0.5, pytest.approx(6.25))

    def test_a_single_match_is_not_fragmented(self):
        assert parts("meteor(variant=lecture2007)", "army", REFERENCE)["penalty"] == 0

    def test_a_corpus_adds_breaks_and_places_between_matches(self):
        # "b a" has 1 break in 1 place, "a b c" none in 2: 1/3.
        statistics = evaluate("meteor(variant=lecture2007)", ["b a", "a b c"], ["a b", "a b c"])
        assert statistics.parts()["fragmentation"] == pytest.approx(1 / 3)


class TestFormula:
    def test_function_words_count_less(self):
        # Content: cat, sat, mat; function: the, on, the. Translation: all but sat, in 2 chunks.
        # P = 1; R = (0.75·2 + 0.25·3) / (0.75·3 + 0.25·3) = 0.75.
        found = parts("meteor", "the cat on the mat", MAT)
        assert found["precision"] == pytest.approx(100)
        assert found["recall"] == pytest.approx(75)
        assert found["penalty"] == pytest.approx(100 * 0.6 * (2 / 5) ** 0.2)
        mean = 1 / (0.15 / 1 + 0.85 / 0.75)
        assert score("meteor", "the cat on the mat", MAT) == pytest.approx(100 * mean * (1 - 0.6 * (2 / 5) ** 0.2))

    def test_its_row(self):
        found = row("meteor", "the cat on the mat", MAT)
        assert {name: value for name, value in found.items() if value} == {
            "exact_translation_content": 2,
            "exact_translation_function": 3,
            "exact_reference_content": 2,
            "exact_reference_function": 3,
            "translation_content_length": 2,
            "translation_function_length": 3,
            "reference_content_length": 3,
            "reference_function_length": 3,
            "translation_words": 5,
            "reference_words": 6,
            "translation_matched_words": 5,
            "reference_matched_words": 5,
            "chunks": 2,
            "penalized_chunks": 2,
            "penalized_matches": 5,
        }

    def test_a_perfect_translation_has_no_penalty(self):
        assert score("meteor", MAT, MAT) == 100
        assert row("meteor", MAT, MAT)["penalized_chunks"] == 0

    def test_a_whole_match_has_no_penalty_though_it_is_not_exact(self):
        # Stems are worth 0.6.
        assert score("meteor(modules=exact+stem)", "houses", "house") == pytest.approx(60)

    def test_characters_weigh_words_by_their_length(self):
        # "cat" is 3 of 3 + 5 characters; chunks stay chunks of words.
        found = parts("meteor(characters=true,delta=0.5)", "cat", "cat purrs")
        assert found["recall"] == pytest.approx(100 * 3 / 8)
        assert found["fragmentation"] == 1

    def test_a_score_is_never_negative(self):
        assert score("meteor(gamma=1,beta=1)", "a", "a b c") == 0

    @pytest.mark.parametrize(("translation", "reference"), [("", MAT), (MAT, ""), ("", ""), ("dog", "cat")])
    def test_nothing_in_common_is_zero(self, translation, reference):
        assert score("meteor", translation, reference) == 0

    def test_a_corpus_adds_what_segments_count(self):
        # Matches 1 of 1 and 2 of 4; the perfect segment's chunk does not count.
        statistics = evaluate("meteor(modules=exact,delta=0.5)", ["x", "a b d e"], ["x", "a b f g"])
        assert statistics.parts()["precision"] == pytest.approx(100 * 3 / 5)
        assert statistics.parts()["fragmentation"] == pytest.approx(1 / 3)


class TestHabits:
    def test_two_reasons_to_match_undo_a_match(self):
        # By stem alone the match is the only one and stands; with synonyms there are two, and neither is worth a chunk.
        assert score("meteor(modules=exact+stem)", "houses", "house") == pytest.approx(60)
        assert score("meteor(modules=exact+stem+synonym)", "houses", "house") == 0
        assert score("meteor(aligner=optimal)", "houses", "house") == pytest.approx(80)

    def test_the_first_of_equal_references_counts(self):
        metric = assay.Meteor()
        picture = metric.picture(batch_of(["cat"], [["dog"], ["cat bird"], ["cat fish"]], metric.recipe))
        assert picture.reference_index == 1

    def test_function_words_are_english_in_every_language(self):
        # METEOR 1.5 reads its English list whatever the language is.
        german = row("meteor(language=de)", "der Hund in the Haus", "der Hund")
        assert german["translation_function_length"] == 2
        own = row("meteor(language=de,function_words=de)", "der Hund in the Haus", "der Hund")
        assert own["translation_function_length"] == 2
        assert own["exact_reference_function"] == 1
        assert row("meteor(function_words=other)", MAT, MAT)["translation_function_length"] == 0

    def test_function_words_are_known_in_capitals(self):
        assert row("meteor(lowercase=false)", "The cat", "The cat")["translation_function_length"] == 1


class TestModules:
    def test_synonyms_come_from_wordnet(self):
        assert row("meteor(aligner=optimal)", "sofa", "couch")["synonym_translation_content"] == 1

    def test_a_dictionary_of_ones_own(self, tmp_path):
        table = tmp_path / "mine.tsv"
        table.write_text("hund\tköter\n", encoding="utf-8")
        metric = assay.Meteor(language="de", synonyms=str(table))
        assert metric.settings.modules == ("exact", "stem", "synonym")
        corpus = assay.Corpus(translations=["der Köter"], references=[["der Hund"]])
        statistics = metric.evaluate(corpus)
        assert statistics.parts()["translation_matched_words"] == 2
        assert "|synonyms:" in statistics.signature()

    def test_paraphrases_join_when_a_table_is_given(self, paraphrases):
        metric = assay.Meteor(paraphrases=str(paraphrases))
        assert metric.settings.modules == ("exact", "stem", "synonym", "paraphrase")
        corpus = assay.Corpus(
            translations=["weapons surrendered in a fortnight"], references=[["weapons handed over within two weeks"]]
        )
        statistics = metric.evaluate(corpus)
        found = dict(zip(metric.columns, statistics.rows[0], strict=True))
        matched = [found[f"{side}_matched_words"] for side in ("translation", "reference")]
        assert (matched, found["chunks"], found["penalized_chunks"]) == ([5, 6], 1, 0)
        assert "|paraphrases:" in statistics.signature()

    def test_weights_stand_in_the_order_of_modules(self):
        # The second weight is the stem's 0.6, and goes to synonyms where these come second.
        assert assay.Meteor(modules="exact+synonym").settings.parameters.weights == (1, 0.6)

    def test_wordnet_lemmas_take_the_place_of_stems(self):
        assert row("meteor(variant=banerjee2005,modules=exact+stem)", "mice", "mouse")["chunks"] == 0
        assert row("meteor(variant=banerjee2005,modules=exact+stem,stem=wordnet)", "mice", "mouse")["chunks"] == 1


class TestVariants:
    def test_lavie_2004_is_fmean(self):
        # P = 2/3, R = 2/4: 10PR / (9P + R).
        found = score("meteor(variant=lavie2004)", "b a x", "a b c d")
        assert found == pytest.approx(100 * (10 / 3) / 6.5)
        assert found == pytest.approx(score("fmean", "b a x", "a b c d"))

    def test_banerjee_and_lavie_2005(self):
        # P = 1, R = 1/2: Fmean = 5 / 9.5; 2 chunks of 2 words: half.
        assert score("meteor(variant=banerjee2005)", "b a", "a b c d") == pytest.approx(100 * 5 / 9.5 / 2)
        # Even a perfect translation has one chunk: 1 − 0.5 / 2³.
        assert score("meteor(variant=banerjee2005)", "a b", "a b") == pytest.approx(93.75)

    def test_lavie_and_agarwal_2007(self):
        # P = 1, R = 1/2: 1 / (0.2 + 0.8 / 0.5) = 1 / 1.8; 2 chunks of 2: 1 − 0.28.
        assert score("meteor(variant=meteor07)", "b a", "a b c d") == pytest.approx(72 / 1.8)
        assert score("meteor(variant=meteor07)", "a b", "a b") == 100

    def test_the_perl_program_drops_punctuation(self):
        assert row("meteor(variant=meteor07)", "Don't!", "don t")["penalized_chunks"] == 0
        assert score("meteor(variant=meteor07)", "Don't!", "don t") == 100

    def test_the_perl_program_takes_the_last_of_equal_references(self):
        # 1 of 1 and 1 of 2 against 2 of 2 and 2 of 4: the same shares in one chunk, but not the same lengths.
        spelling = "meteor(variant=meteor07,gamma=0,alpha=0)"
        assert row(spelling, "a", "a b", "a b c d")["reference_words"] == 4
        assert row("meteor(gamma=0,alpha=0)", "a", "a b", "a b c d")["reference_words"] == 2

    def test_stages_take_what_earlier_ones_left(self):
        # "run" is exact, so the stem has "runs" alone to match.
        found = row("meteor(variant=banerjee2005)", "runs run", "run running")
        assert (found["exact_translation_content"], found["stem_translation_content"]) == (1, 1)

    def test_stages_have_the_fewest_crossings(self):
        # Of the two a's the second is taken: with the first, b would be crossed.
        picture = assay.Meteor(variant="banerjee2005").picture(
            batch_of(["a b a c"], [["b a c"]], assay.Meteor(variant="banerjee2005").recipe)
        )
        assert [link.translation[0] for link in picture.links] == [1, 2, 3]

    @pytest.mark.parametrize("language", METEOR07)
    def test_the_perl_programs_languages(self, language):
        assert score(f"meteor(variant=meteor07,language={language})", "a b", "a b") == 100

    @pytest.mark.parametrize("variant", ["lecture2007", "banerjee2005", "lavie2004"])
    def test_early_variants_take_any_language(self, variant):
        assert assay.Meteor(variant=variant, language="fi").settings.stem in ("finnish", None)


class TestAligners:
    def test_optimal_has_the_most_words_then_the_fewest_chunks(self):
        metric = assay.Meteor(modules="exact", aligner="optimal")
        batch = batch_of(["a b a c"], [["a c a b"]], metric.recipe)
        picture = metric.picture(batch)
        assert len(picture.links) == 4
        assert {link.chunk for link in picture.links} == {0, 1}

    @pytest.mark.parametrize("aligner", ["optimal", "staged"])
    def test_a_limit_that_was_reached_is_told(self, aligner):
        rng = np.random.default_rng(1)
        long = [" ".join(rng.choice(list("abcde"), size=300)) for _ in range(2)]
        with pytest.warns(AssayWarning, match=rf"aligner={aligner} stopped at its limit in 1 of 1 segments"):
            found = parts(f"meteor(aligner={aligner})", *long)
        assert found["unproved"] == 1
        # How much better anything could be is part of the answer; what is proved leaves nothing open.
        assert found["weight_slack"] + found["order_slack"] > 0
        proved = parts(f"meteor(aligner={aligner})", "a b a c", "a c a b")
        assert (proved["unproved"], proved["weight_slack"], proved["order_slack"]) == (0, 0, 0)

    @pytest.mark.parametrize("aligner", ["meteor15", "optimal", "staged"])
    @pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
    def test_thousands_of_repeated_words(self, aligner):
        found = parts(f"meteor(aligner={aligner})", "a b " * 1000, "b a a " * 666)
        assert found["translation_matched_words"] == 666 + 1000

    def test_a_file_without_line_ends_is_refused(self):
        with pytest.raises(assay.InputError, match=r"20,000 words .* 20,001 in the reference, .* line ends"):
            score("meteor", "a " * 20_000, "a " * 20_001)


class TestPicture:
    def test_links_chunks_and_function_words(self):
        metric = assay.Meteor()
        picture = metric.picture(batch_of(["The cats sat today"], [["x"], ["today the cat sat"]], metric.recipe))
        assert isinstance(picture, Alignment)
        assert picture.translation == ("the", "cats", "sat", "today")
        assert picture.reference_index == 1
        assert picture.links == (
            Link((3, 4), (0, 1), "exact", 0),
            Link((0, 1), (1, 2), "exact", 1),
            Link((1, 2), (2, 3), "stem", 1),
            Link((2, 3), (3, 4), "exact", 1),
        )
        assert picture.translation_function_words == {0}
        assert picture.reference_function_words == {1}

    def test_an_empty_segment_has_no_links(self):
        assert assay.Meteor().picture(batch_of([""], [[""]], assay.Meteor().recipe)).links == ()


class TestIdentity:
    def test_a_signature_spells_out_what_was_filled_in(self):
        corpus = assay.Corpus(translations=["a"], references=[["a"]])
        signature = assay.Meteor(language="cz").evaluate(corpus).signature()
        for part in ("language=cs", "task=rank", "modules=exact", "alpha=0.95", "weights=[1]", "tokenize=meteor:cs"):
            assert part in signature

    @pytest.mark.parametrize("task", TASKS)
    def test_what_is_filled_in_scores_the_same(self, task):
        metric = assay.Meteor(task=task)
        again = assay.metric(str(metric.resolved))
        assert again.resolved == metric.resolved
        assert again.settings == metric.settings

    def test_defaults_are_not_printed(self):
        assert str(assay.Meteor()) == "meteor"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_language_has_a_task(self, language):
        known = language in RANK
        metric = assay.Meteor(language=language, tokenize="none:ascii")
        assert metric.settings.task == ("rank" if known else "li")


#: What METEOR 1.5 has by task and language, and programs before it: alpha, beta, gamma, delta, weights of modules.
PUBLISHED = """
meteor15 rank en .85 .20 .60 .75 1 .6 .8 .6
meteor15 rank cs .95 .20 .60 .80 1 .4
meteor15 rank fr .90 1.40 .60 .65 1 .2 .4
meteor15 rank es .65 1.30 .50 .80 1 .8 .6
meteor15 rank de .95 1.00 .55 .55 1 .8 .2
meteor15 rank ru .75 1.40 .70 .50 1 .5 .5
meteor15 adq en .75 1.40 .45 .70 1 1 .6 .8
meteor15 hter en .40 1.50 .35 .55 1 .2 .6 .8
meteor15 util en .65 .10 .55 .65 1 0 0 .8
meteor15 li de .75 1.40 .70 .50 1 .5 .5 .5
meteor15 tune de .50 1.00 .50 .50 1 .5 .5 .5
meteor15 universal de .70 1.40 .30 .70 1 .6
meteor07 none en .80 .83 .28 .5 1 1 1 1
meteor07 none cs .80 .83 .28 .5 1 1 1 1
meteor07 none fr .76 .50 1.00 .5 1 1 1 1
meteor07 none es .95 .50 .75 .5 1 1 1 1
meteor07 none de .95 1.00 .98 .5 1 1 1 1
banerjee2005 none en .9 3 .5 .5 1 1 1 1
lecture2007 none en .9 3 .5 .5 1 1 1 1
lavie2004 none en .9 1 0 .5 1 1 1 1
"""


@pytest.mark.parametrize("line", PUBLISHED.split("\n")[1:-1])
def test_the_tables_hold_the_published_numbers(line):
    variant, task, language, *numbers = line.split()
    table = parameters(variant, language, None if task == "none" else task)
    assert [table.alpha, table.beta, table.gamma, table.delta, *table.weights] == [float(number) for number in numbers]


@pytest.mark.parametrize(
    ("variant", "modules"),
    [
        ("lavie2004", "exact"),
        ("meteor07", "exact+stem"),
        ("banerjee2005", "exact+stem+synonym"),
        ("lecture2007", "exact+stem+synonym"),
    ],
)
def test_every_variant_has_its_modules(variant, modules):
    assert "+".join(assay.Meteor(variant=variant).settings.modules) == modules


STEMMERS = """
en english, fr french, es spanish, de german-meteor, ru russian, pt portuguese-meteor, da danish, ro romanian,
hu hungarian-meteor, tr turkish, fi finnish, nl dutch, it italian, no norwegian, se swedish, sv swedish
"""


@pytest.mark.parametrize("line", STEMMERS.replace("\n", " ").split(","))
def test_every_language_has_its_stemmer(line):
    language, stemmer = line.split()
    settings = assay.Meteor(language=language, tokenize="none:ascii").settings
    assert (settings.stem, "stem" in settings.modules) == (stemmer, True)


class TestBadOptions:
    @pytest.mark.parametrize(
        ("spelling", "message"),
        [
            ("meteor(language=klingon)", r"no language of meteor 'klingon'.* Known: .*\ben\b"),
            ("meteor(task=ranking)", r"no task of meteor 'ranking'\. Did you mean 'rank'\? Known: adq, hter"),
            ("meteor(modules=exact+stemm)", r"no module of meteor 'stemm'\. Did you mean 'stem'"),
            ("meteor(function_words=klingon)", r"no language of meteor 'klingon'"),
            ("meteor(stem=klingon)", r"no stemmer 'klingon'"),
        ],
    )
    def test_unknown_names(self, spelling, message):
        with pytest.raises(assay.UnknownName, match=message):
            assay.metric(spelling)

    @pytest.mark.parametrize("task", ENGLISH_ONLY)
    def test_tasks_of_english_alone(self, task):
        with pytest.raises(assay.ParameterError, match=rf"task={task} has parameters for en alone, but language is de"):
            assay.Meteor(language="de", task=task)

    @pytest.mark.parametrize(
        ("spelling", "message"),
        [
            ("meteor(beam=0)", "beam is 0, but it takes a whole number from 1 to"),
            ("meteor(beam=-3)", "beam is -3"),
            ("meteor(alpha=1.5)", "alpha is 1.5, but it takes a number from 0 to 1"),
            ("meteor(delta=-1)", "delta is -1"),
            ("meteor(beta=0)", "beta is 0, but it takes a number above 0"),
            ("meteor(weights=[1,-1,1])", "numbers from 0 on"),
            ("meteor(weights=[1,1])", r"3 modules \(exact\+stem\+synonym\), but 2 weights \(1, 1\).*weights=\[1,1,1\]"),
            ("meteor(modules=stem+exact)", r"modules is stem\+exact, but it takes exact alone or followed by"),
            ("meteor(modules=exact+exact)", "modules is"),
            ("meteor(modules=stem)", "modules is stem"),
            ("meteor(modules=exact+paraphrase)", "paraphrases=PATH"),
            ("meteor(language=de,modules=exact+synonym)", "no synonyms come with the package for language=de"),
            ("meteor(language=cs,modules=exact+stem)", "language=cs has no stemmer of its own"),
            ("meteor(language=fi)", r"normaliser knows en, .* language is fi\. Give tokenize=none:ascii"),
            ("meteor(variant=lavie2004,task=rank)", "only meteor15 has tasks"),
            ("meteor(variant=lavie2004,characters=true)", "characters is true"),
            ("meteor(variant=meteor07,language=ru)", "variant=meteor07 has no parameters for language=ru"),
            ("meteor(variant=meteor16)", "variant is 'meteor16', but it takes meteor15, meteor07"),
            ("meteor(aligner=best)", "aligner is 'best', but it takes meteor15, optimal, staged"),
            ("meteor(aligner=staged,paraphrases=x)", "staged matches single words"),
        ],
    )
    def test_impossible_values(self, spelling, message):
        with pytest.raises(assay.ParameterError, match=message):
            assay.metric(spelling)

    def test_no_task_is_left_out(self):
        assert {*ENGLISH_ONLY, *ANY_LANGUAGE, "rank"} == set(TASKS)


class TestBadTables:
    def test_a_broken_table_of_paraphrases(self, tmp_path):
        table = tmp_path / "broken.txt"
        table.write_text("0.5\na phrase\nits paraphrase\n0.5\nhalf an entry\n", encoding="utf-8")
        with pytest.raises(assay.InputError, match=r"broken\.txt, line \d"):
            score(f'meteor(paraphrases="{table}")', "a", "a")

    def test_a_broken_table_of_synonyms(self, tmp_path):
        table = tmp_path / "broken.synsets"
        table.write_text("house\n12 seventeen\n", encoding="utf-8")
        with pytest.raises(assay.InputError, match=r"broken\.synsets, line 2"):
            score(f'meteor(synonyms="{table}")', "a", "a")

    @pytest.mark.parametrize("option", ["synonyms", "paraphrases"])
    def test_a_table_that_is_not_there(self, option):
        with pytest.raises(assay.InputError, match=r"nowhere\.txt: No such file"):
            score(f"meteor({option}=nowhere.txt)", "a", "a")


def test_a_stemmer_without_its_module_is_told():
    with pytest.raises(assay.ParameterError, match="modules=exact\\+stem"):
        assay.metric("meteor(modules=exact,stem=porter)")


def test_a_language_that_is_not_english_is_remarked_on():
    german = ["die Katze saß gestern auf der alten Matte und schlief"] * 60
    english = ["the cat sat on the old mat and slept there all day"] * 60
    with pytest.warns(AssayWarning, match=r"language=en, but \d+ % .* name it: meteor\(language=de\)"):
        assay.metric("meteor").evaluate(assay.Corpus(translations=german, references=[german]))
    # Neither of these is strange, nor is a text too short to tell.
    assay.metric("meteor").evaluate(assay.Corpus(translations=english, references=[english]))
    assay.metric("meteor(language=de)").evaluate(assay.Corpus(translations=german, references=[german]))
    assay.metric("meteor").evaluate(assay.Corpus(translations=german[:5], references=[german[:5]]))
