use super::*;

const OPTIONS: Options = Options { beam: 20, distance: 50, size: 10 };

fn edits(translation: &[u64], reference: &[u64]) -> Vec<f64> {
    let offsets = |ids: &[u64]| [0, ids.len() as i64];
    let (ours, theirs) = (offsets(translation), offsets(reference));
    let translations = Sequences { ids: translation, offsets: &ours };
    translation_edits(translations, Sequences { ids: reference, offsets: &theirs }, OPTIONS, 1)
}

#[test]
fn one_word_moves() {
    // a b c d e f g to a b d c e f g.
    assert_eq!(edits(&[1, 2, 3, 4, 5, 6, 7], &[1, 2, 4, 3, 5, 6, 7]), [0., 0., 0., 1., 1., 0.]);
}

#[test]
fn a_block_moves_and_the_rest_is_edited() {
    // "in two weeks iraq's weapons will give army" to
    // "the iraqi weapons will be surrendered to the army in two weeks": three words move, four are missing, two differ.
    let found = edits(&[9, 10, 11, 20, 3, 4, 21, 8], &[1, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 11]);
    assert_eq!(found, [0., 4., 2., 1., 3., 0.]);
}

#[test]
fn empty_texts_have_only_insertions_or_deletions() {
    assert_eq!(edits(&[], &[1, 2]), [0., 2., 0., 0., 0., 0.]);
    assert_eq!(edits(&[1, 2, 3], &[]), [3., 0., 0., 0., 0., 0.]);
    assert_eq!(edits(&[], &[]), [0.; 6]);
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let reference: Vec<u64> = (0..200).map(|place| place * place * place % 11 % 5).collect();
    let translation: Vec<u64> = reference.iter().rev().copied().collect();
    let mut search = Search::with_most_work(10_000);
    search.run(&translation, &reference, OPTIONS);
    assert!(search.bounded());
    search.run(&translation[..20], &reference[..20], OPTIONS);
    assert!(!search.bounded());
}

#[test]
fn shifts_reorder_every_word_once() {
    let mut search = Search::default();
    search.run(&[5, 1, 2, 3, 4, 9], &[1, 2, 3, 4, 5, 9], OPTIONS);
    assert_eq!(search.order(), [1, 2, 3, 4, 0, 5]);
    assert_eq!(search.blocks(), [Block { words: vec![0], source: 0, target: 4 }]);
    assert!(search.steps().iter().all(|&step| step == Step::Match));
}

#[test]
fn edits_tell_positions_as_written() {
    let mut search = Search::default();
    // d a b c x to a b c d y z: d moves behind c, x becomes y, z is missing.
    search.run(&[4, 1, 2, 3, 7], &[1, 2, 3, 4, 8, 9], OPTIONS);
    let positions: Vec<_> = search.edits().into_iter().map(|(_, word, place)| (word, place)).collect();
    assert_eq!(positions.len(), 6);
    assert_eq!(positions[..4], [(Some(1), Some(0)), (Some(2), Some(1)), (Some(3), Some(2)), (Some(0), Some(3))]);
}
