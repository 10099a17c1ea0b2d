use super::*;
use crate::hashing::token_id;

fn ids(text: &str) -> Vec<u64> {
    text.split_whitespace().map(token_id).collect()
}

/// Where the words of the reference are linked to, and whether that is proved to be best.
fn aligned(aligner: Aligner, translation: &str, reference: &str) -> (Vec<(u32, u32)>, bool) {
    let (translation, reference) = (ids(translation), ids(reference));
    let (ours, theirs) = ([0, translation.len() as i64], [0, reference.len() as i64]);
    let view = |words| Views { words, stems: None, bases: None, folded: None, sizes: None };
    let translations = view(Sequences { ids: &translation, offsets: &ours });
    let references = view(Sequences { ids: &reference, offsets: &theirs });
    let function_words = IdSet::default();
    let matcher = Matcher { stem: false, synonyms: None, paraphrases: None, aligner, function_words: &function_words };
    let links = matcher.links(&translations, &references, 0);
    let row = matcher.count(&translations, &references, 1);
    (links.iter().map(|link| (link.reference, link.translation)).collect(), row[row.len() - 3] == 0.0)
}

fn optimal() -> Aligner {
    Aligner::Optimal { weights: vec![1.0] }
}

#[test]
fn a_chunk_counts_when_it_closes() {
    // Both words of the reference would do; the one whose chunk is still open at the end comes first.
    assert_eq!(aligned(Aligner::Meteor15 { beam: 40 }, "cat", "cat cat").0, [(1, 0)]);
}

#[test]
fn the_fewest_chunks_among_the_most_matches() {
    // The first "a" of the reference goes with the second one of the translation, before "c".
    assert_eq!(aligned(optimal(), "a b a c", "a c a b"), (vec![(0, 2), (1, 3), (2, 0), (3, 1)], true));
}

#[test]
fn the_fewest_crossings_among_the_most_matches() {
    assert_eq!(aligned(Aligner::Staged, "a b a c", "b a c"), (vec![(0, 1), (1, 2), (2, 3)], true));
}

#[test]
fn empty_texts_have_no_links() {
    for aligner in [Aligner::Meteor15 { beam: 1 }, optimal(), Aligner::Staged] {
        for (translation, reference) in [("", ""), ("a", ""), ("", "a")] {
            assert_eq!(aligned(aligner.clone(), translation, reference), (vec![], true));
        }
    }
}

#[test]
fn a_limit_that_was_reached_is_told() {
    let text = |seed: u64| {
        let mut state = seed;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ["a ", "b ", "c "][(state >> 33) as usize % 3]
        };
        (0..90).map(|_| draw()).collect::<String>()
    };
    let (links, proved) = aligned(optimal(), &text(1), &text(2));
    assert!(!proved);
    assert!(!links.is_empty());
}

#[test]
fn words_that_a_stage_may_have_missed_are_told() {
    // From its end, every word has a set with each word of the other side: 20 links can be had. All cross each other, and
    // two other words each promise fewer crossings.
    const WORDS: usize = 20;
    let mut sets = vec![Vec::new(); 2 * WORDS];
    for word in 0..WORDS {
        for (turn, other) in [WORDS - 1 - word, (2 * word + 3) % WORDS, (7 * word + 5) % WORDS].into_iter().enumerate()
        {
            let set = (3 * word + turn + 1) as u32;
            sets[word].push(set);
            sets[WORDS + other].push(set);
        }
    }
    let names: Vec<String> = (0..2 * WORDS).map(|word| format!("w{word}")).collect();
    let synonyms = Synonyms::new(names.iter().map(String::as_str).zip(sets), [], false);
    let ids: Vec<u64> = names.iter().map(|name| token_id(name)).collect();
    let offsets = [0, WORDS as i64];
    let side = |ids| Sequences { ids, offsets: &offsets };
    let view = |ids| Views { words: side(ids), stems: None, bases: Some(side(ids)), folded: None, sizes: None };
    let (translations, references) = (view(&ids[WORDS..]), view(&ids[..WORDS]));
    let function_words = IdSet::default();
    let aligner = Aligner::Staged;
    let matcher =
        Matcher { stem: false, synonyms: Some(&synonyms), paraphrases: None, aligner, function_words: &function_words };
    let links = matcher.links(&translations, &references, 0).len();
    let row = matcher.count(&translations, &references, 1);
    assert!(links < WORDS);
    // Of both sides.
    assert!((row[row.len() - 2] - 2.0 * (WORDS - links) as f64).abs() < 1e-12);
}
