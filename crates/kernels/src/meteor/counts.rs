//! What an alignment adds up to: the numbers that METEOR's formula needs.

use super::{Link, Matcher, Views};

/// Numbers per module: content and function words matched in the translation, then in the reference.
const PER_MODULE: usize = 4;
/// Content and function words of the translation and of the reference; words and matched words of both; chunks; whether
/// the alignment is not proved to be the best, and how much better one could be at most.
const BESIDES: usize = 4 + 4 + 1 + 3;

/// How many numbers a row has.
pub fn width(modules: usize) -> usize {
    modules * PER_MODULE + BESIDES
}

/// Runs of links that stand next to each other in the same order on both sides; links come in the reference's order.
pub fn chunks(links: &[Link]) -> usize {
    let follows = |pair: &&[Link]| {
        pair[0].reference_end() == pair[1].reference && pair[0].translation_end() == pair[1].translation
    };
    links.len() - links.windows(2).filter(follows).count()
}

/// Writes the row of a segment.
pub fn write(
    row: &mut [f64],
    links: &[Link],
    translations: &Views<'_>,
    references: &Views<'_>,
    segment: usize,
    matcher: &Matcher<'_>,
) {
    let words = [translations.words.segment(segment), references.words.segment(segment)];
    let folded = [translations, references].map(|view| view.folded.unwrap_or(view.words).segment(segment));
    let sizes = [translations, references].map(|view| view.sizes.map(|sizes| sizes.segment(segment)));
    // Which of the two numbers of a side a word adds to, and how much.
    let add = |pair: &mut [f64], side: usize, word: usize| {
        let function = matcher.function_words.contains(&folded[side][word]);
        pair[usize::from(function)] += sizes[side].map_or(1.0, |sizes| sizes[word] as f64);
    };
    let (modules, rest) = row.split_at_mut(matcher.modules() * PER_MODULE);
    for link in links {
        let place = usize::from(link.module) * PER_MODULE;
        link.translation_range().for_each(|word| add(&mut modules[place..place + 2], 0, word));
        link.reference_range().for_each(|word| add(&mut modules[place + 2..place + 4], 1, word));
        rest[6] += f64::from(link.translation_length);
        rest[7] += f64::from(link.reference_length);
    }
    for side in 0..2 {
        (0..words[side].len()).for_each(|word| add(&mut rest[side * 2..side * 2 + 2], side, word));
        rest[4 + side] = words[side].len() as f64;
    }
    rest[8] = chunks(links) as f64;
}
