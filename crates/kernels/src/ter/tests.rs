use super::*;

const TERCOM: Convention = Convention::Tercom(Options { beam: 20, distance: 50, size: 10 });

fn edits(translation: &[u64], reference: &[u64]) -> Vec<f64> {
    edits_by(TERCOM, translation, reference)
}

fn edits_by(convention: Convention, translation: &[u64], reference: &[u64]) -> Vec<f64> {
    let offsets = |ids: &[u64]| [0, ids.len() as i64];
    let (ours, theirs) = (offsets(translation), offsets(reference));
    let translations = Sequences { ids: translation, offsets: &ours };
    translation_edits(translations, Sequences { ids: reference, offsets: &theirs }, convention, 1)
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
    search.run(&translation, &reference, TERCOM);
    assert!(search.bounded());
    search.run(&translation[..20], &reference[..20], TERCOM);
    assert!(!search.bounded());
}

#[test]
fn a_search_ends_at_the_step_that_reaches_the_bound() {
    // Two thousand words of five, in no order: unbounded, this takes minutes.
    let mut state = 1_u64;
    let mut text = || -> Vec<u64> {
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33 & 0xFFFF
        };
        (0..2000).map(|_| word() % 5).collect()
    };
    let (translation, reference) = (text(), text());
    for most_work in [3_000_000, 6_000_000] {
        let mut search = Search::with_most_work(most_work);
        search.run(&translation, &reference, TERCOM);
        assert!(search.bounded());
        // What is begun is ended: one candidate, at most a column of 32 blocks and one of 2,001 cells for each word.
        let candidate = 2000 * (32 + 2001 + 8);
        assert!((most_work..most_work + 2 * candidate).contains(&search.work()), "{}", search.work());
    }
}

/// What the beam lets through, with every column made anew and looked at from end to end.
fn obvious_beam(reference: &[u32], translation: &[u32], width: u32) -> u32 {
    let (rows, unreached) = (reference.len() + 1, u32::MAX);
    let mut costs = vec![unreached; rows];
    costs[0] = 0;
    let mut limit = unreached - 1;
    for &word in translation {
        let mut next = vec![unreached; rows];
        let mut best = unreached;
        for row in 0..rows {
            if costs[row] > limit {
                continue;
            }
            next[row] = next[row].min(costs[row] + 1);
            if row < reference.len() {
                let incoming = costs[row] + u32::from(reference[row] != word);
                best = best.min(incoming);
                next[row + 1] = next[row + 1].min(incoming);
                costs[row + 1] = costs[row + 1].min(costs[row] + 1);
            }
        }
        limit = if best == unreached { unreached - 1 } else { best.saturating_add(width) };
        costs = next;
    }
    for row in 1..rows {
        costs[row] = costs[row].min(costs[row - 1].saturating_add(1));
    }
    costs[rows - 1]
}

#[test]
fn columns_that_are_not_cleared_hold_nothing_of_texts_before() {
    let mut beam = super::beam::Beam::default();
    let mut words = super::words::Words::default();
    for round in 0..3000_u64 {
        let mut random = crate::hashing::extend(round, 1);
        let mut draw = |below: u64| {
            random = crate::hashing::extend(random, 7);
            (random >> 20) % below
        };
        let (lengths, distinct) = ([1 + draw(40), 1 + draw(40)], 1 + draw(12));
        let texts = lengths.map(|length| (0..length).map(|_| draw(distinct)).collect::<Vec<u64>>());
        words.build(&texts[0], &texts[1]);
        let width = draw(6) as usize;
        let found = beam.distance(&words, &words.translation.clone(), width);
        assert_eq!(found as u32, obvious_beam(&words.reference, &words.translation, width as u32), "{texts:?} {width}");
    }
}

#[test]
fn shifts_reorder_every_word_once() {
    let mut search = Search::default();
    search.run(&[5, 1, 2, 3, 4, 9], &[1, 2, 3, 4, 5, 9], TERCOM);
    assert_eq!(search.order(), [1, 2, 3, 4, 0, 5]);
    assert_eq!(search.blocks(), [Block { words: vec![0], source: 0, target: 4 }]);
    assert!(search.steps().iter().all(|&step| step == Step::Match));
}

#[test]
fn edits_tell_positions_as_written() {
    let mut search = Search::default();
    // d a b c x to a b c d y z: d moves behind c, x becomes y, z is missing.
    search.run(&[4, 1, 2, 3, 7], &[1, 2, 3, 4, 8, 9], TERCOM);
    let positions: Vec<_> = search.edits().into_iter().map(|(_, word, place)| (word, place)).collect();
    assert_eq!(positions.len(), 6);
    assert_eq!(positions[..4], [(Some(1), Some(0)), (Some(2), Some(1)), (Some(3), Some(2)), (Some(0), Some(3))]);
}

#[test]
fn sacrebleu_moves_the_same_block() {
    // a b c d e f g to a b d c e f g: c or d, and it takes the one that begins first.
    let (translation, reference) = ([1, 2, 3, 4, 5, 6, 7], [1, 2, 4, 3, 5, 6, 7]);
    assert_eq!(edits_by(Convention::Sacrebleu, &translation, &reference), [0., 0., 0., 1., 1., 0.]);
    let mut search = Search::default();
    search.run(&translation, &reference, Convention::Sacrebleu);
    assert_eq!(search.blocks(), [Block { words: vec![2], source: 2, target: 3 }]);
}

#[test]
fn sacrebleu_slides_a_block_by_a_word_more() {
    // b x to y b: the target is right behind the block, which slides by its one word; x then stands for y.
    assert_eq!(edits_by(Convention::Sacrebleu, &[2, 9], &[8, 2]), [0., 0., 1., 1., 1., 0.]);
}

#[test]
fn sacrebleu_makes_no_shift_in_the_round_that_reaches_its_limit() {
    let reference: Vec<u64> = (0..200).map(|place| place * place * place % 11 % 5).collect();
    let translation: Vec<u64> = reference.iter().rev().copied().collect();
    let mut search = Search::default();
    search.run(&translation, &reference, Convention::Sacrebleu);
    assert!(search.bounded() && search.shifts().is_empty());
    search.run(&translation[..12], &reference[..12], Convention::Sacrebleu);
    assert!(!search.bounded() && !search.shifts().is_empty());
}

#[test]
fn sacrebleu_finds_no_way_outside_its_band() {
    // Thirty words of the translation are too many, then thirty are the same, then thirty of the reference are missing: sixty
    // edits. That way is thirty cells off the diagonal, so sacreBLEU substitutes sixty words. It has more than 1,000 shifts
    // to try then, and makes none.
    let (translation, reference): (Vec<u64>, Vec<u64>) = ((0..60).collect(), (30..90).collect());
    let mut search = Search::default();
    search.run(&translation, &reference, TERCOM);
    let substituted = |search: &Search| search.steps().iter().filter(|&&step| step == Step::Substitution).count();
    assert_eq!((search.shifts().len(), substituted(&search)), (0, 0));
    search.run(&translation, &reference, Convention::Sacrebleu);
    assert_eq!((search.shifts().len(), substituted(&search)), (0, 60));
    assert!(search.bounded());
}

#[test]
fn a_band_between_texts_of_very_different_lengths_holds_together() {
    let long: Vec<u64> = (0..400).collect();
    let mut search = Search::default();
    let count = |search: &Search, wanted| search.steps().iter().filter(|&&step| step == wanted).count();
    for length in 1..5 {
        let short: Vec<u64> = long[400 - length..].to_vec();
        search.run(&short, &long, Convention::Sacrebleu);
        assert_eq!(count(&search, Step::Deletion), 400 - length);
        search.run(&long, &short, Convention::Sacrebleu);
        assert_eq!(count(&search, Step::Insertion), 400 - length);
    }
}
