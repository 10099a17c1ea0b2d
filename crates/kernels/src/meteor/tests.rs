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
