//! Words that METEOR's modules match, as equal words: for metrics that compare sequences and not links.

use super::lexicon::Senses;
use crate::hashing::ById;
use crate::parallel::{cut, map_tasks};
use crate::room::reserve;
use crate::sequences::Sequences;
use crate::synonyms::Synonyms;

/// Segments that are worked on at a time.
const TASK: usize = 256;

/// The texts of one side: words, the base forms by which they are looked up, and which words are equal so far.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The words.
    pub words: Sequences<'a>,
    /// Their base forms.
    pub bases: Sequences<'a>,
    /// A name for each word: words with the same name are equal. The words themselves, or their stems.
    pub names: Sequences<'a>,
}

/// The names of both sides once synonyms have one name, too: those of all translations, and of all references.
///
/// Segment by segment, a name that both sides have stays as it is. Of the others, names of the translation and of the
/// reference are joined if a word of the one is a synonym of a word of the other; what is joined with the same name is
/// joined with each other. The smallest name stands for all.
///
/// With "sofa" and "couch" in one set, and "couch" and "lounge" in another, the translation "sofa lounge" and the reference
/// "couch" are three equal words.
pub fn join_synonyms(
    translations: Named<'_>,
    references: Named<'_>,
    synonyms: &Synonyms,
    threads: usize,
) -> (Vec<u64>, Vec<u64>) {
    let segments = translations.words.len();
    let tasks: Vec<_> = cut(segments, segments.div_ceil(TASK).max(1)).collect();
    let joined = map_tasks(&tasks, threads, |range| {
        let mut workshop = Workshop::new(synonyms);
        let mut names = [Vec::new(), Vec::new()];
        for segment in range.clone() {
            workshop.join(translations, references, segment);
            for (side, named) in [translations, references].into_iter().enumerate() {
                reserve(&mut names[side], named.names.segment(segment).len());
                names[side].extend(named.names.segment(segment).iter().map(|&name| workshop.name(name)));
            }
        }
        names
    });
    let mut all = (Vec::new(), Vec::new());
    for [ours, theirs] in joined {
        reserve(&mut all.0, ours.len());
        reserve(&mut all.1, theirs.len());
        all.0.extend(ours);
        all.1.extend(theirs);
    }
    all
}

/// What is known of a name in the segment at hand.
#[derive(Clone, Copy)]
struct Entry {
    /// The sides that have it: 1 is the translation, 2 the reference.
    sides: u8,
    /// A name that it was joined with, or itself.
    parent: u64,
}

struct Workshop<'a> {
    senses: Senses<'a>,
    names: ById<Entry>,
    /// The sides that have a set of synonyms, and a name that is in it.
    sets: ById<(u8, u64)>,
}

impl<'a> Workshop<'a> {
    fn new(synonyms: &'a Synonyms) -> Self {
        Self { senses: Senses::new(synonyms), names: ById::default(), sets: ById::default() }
    }

    fn join(&mut self, translations: Named<'_>, references: Named<'_>, segment: usize) {
        self.names.clear();
        self.sets.clear();
        let sides = [(1, translations), (2, references)];
        for (side, named) in sides {
            for &name in named.names.segment(segment) {
                self.names.entry(name).or_insert(Entry { sides: 0, parent: name }).sides |= side;
            }
        }
        // First which sets both sides have, then who is joined by them: words of one side alone never are.
        for joining in [false, true] {
            for (side, named) in sides {
                let (words, bases) = (named.words.segment(segment), named.bases.segment(segment));
                for ((&word, &base), &name) in words.iter().zip(bases).zip(named.names.segment(segment)) {
                    if self.names[&name].sides != side {
                        continue;
                    }
                    for &sense in self.senses.of(word, base) {
                        let set = self.sets.entry(u64::from(sense)).or_insert((0, name));
                        set.0 |= side;
                        if joining && set.0 == 3 {
                            let other = set.1;
                            union(&mut self.names, name, other);
                        }
                    }
                }
            }
        }
    }

    /// What a name is called now.
    fn name(&self, name: u64) -> u64 {
        root(&self.names, name)
    }
}

fn root(names: &ById<Entry>, mut name: u64) -> u64 {
    while names[&name].parent != name {
        name = names[&name].parent;
    }
    name
}

/// Joins two names under the smaller one.
fn union(names: &mut ById<Entry>, left: u64, right: u64) {
    let (left, right) = (root(names, left), root(names, right));
    let (small, large) = (left.min(right), left.max(right));
    if let Some(entry) = names.get_mut(&large) {
        entry.parent = small;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::token_id;

    fn joined(translation: &[&str], reference: &[&str]) -> (Vec<u64>, Vec<u64>) {
        let words = [("sofa", vec![7]), ("couch", vec![7, 8]), ("lounge", vec![8]), ("settee", vec![7])];
        let synonyms = Synonyms::new(words, [], false);
        let ids = |words: &[&str]| words.iter().map(|word| token_id(word)).collect::<Vec<_>>();
        let (ours, theirs) = (ids(translation), ids(reference));
        let (ends, others) = ([0, ours.len() as i64], [0, theirs.len() as i64]);
        let (ours, theirs) = (Sequences { ids: &ours, offsets: &ends }, Sequences { ids: &theirs, offsets: &others });
        let named = |words| Named { words, bases: words, names: words };
        join_synonyms(named(ours), named(theirs), &synonyms, 1)
    }

    #[test]
    fn worked_example() {
        let (ours, theirs) = joined(&["sofa", "lounge"], &["couch"]);
        assert_eq!((ours[0], ours[1]), (theirs[0], theirs[0]));
    }

    #[test]
    fn a_word_on_both_sides_is_itself_alone() {
        let (ours, theirs) = joined(&["sofa", "settee"], &["sofa", "x"]);
        assert_eq!(ours, [token_id("sofa"), token_id("settee")]);
        assert_eq!(theirs, [token_id("sofa"), token_id("x")]);
    }

    #[test]
    fn synonyms_on_one_side_alone_stay_apart() {
        let (ours, _) = joined(&["sofa", "settee"], &["x"]);
        assert_ne!(ours[0], ours[1]);
    }
}
