//! Edits with long jumps between words, over characters: what the extended edit distance counts (Stanchev et al. 2019).

use crate::parallel::fill_rows;
use crate::room::{filled, refill};
use crate::sequences::Sequences;

/// The white space at which a jump may be made.
const SPACE: u64 = b' ' as u64;

/// What steps cost; a substitution costs 1.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// A jump from one place of the translation to any other.
    pub jump: f64,
    /// A character of the translation that is passed over.
    pub deletion: f64,
    /// A character that the translation lacks.
    pub insertion: f64,
}

/// Buffers that segments reuse.
#[derive(Default)]
struct Workshop {
    row: Vec<f64>,
    next: Vec<f64>,
    visits: Vec<i64>,
}

impl Workshop {
    /// What the cheapest way through the reference costs, and how unevenly it visits the translation.
    ///
    /// The reference is read character by character, while the place in the translation stands, moves on by one, passes
    /// over some, or, at the end of a word, jumps to any other. Visits are counted at the cheapest place after each
    /// character: a place that has none counts 1, and each visit beyond the first counts 1.
    fn edits(&mut self, translation: &[u64], reference: &[u64], costs: Costs) -> (f64, f64) {
        let places = translation.len() + 1;
        refill(&mut self.row, places, 1.0);
        refill(&mut self.next, places, 0.0);
        refill(&mut self.visits, places, -1);
        self.row[0] = 0.0;
        for &character in reference {
            let mut before = self.row[0] + 1.0;
            self.next[0] = before;
            let (mut least, mut place) = (before, 0);
            for index in 1..places {
                let stays = self.row[index - 1] + if translation[index - 1] == character { 0.0 } else { 1.0 };
                before = (before + costs.deletion).min(stays).min(self.row[index] + costs.insertion);
                self.next[index] = before;
                if before < least {
                    (least, place) = (before, index);
                }
            }
            self.visits[place] += 1;
            if character == SPACE {
                let jump = costs.jump + least;
                for cost in &mut self.next {
                    *cost = cost.min(jump);
                }
            }
            std::mem::swap(&mut self.row, &mut self.next);
        }
        let uneven: i64 = self.visits.iter().map(|&visits| if visits < 0 { 1 } else { visits }).sum();
        (self.row[places - 1], uneven as f64)
    }
}

/// The cost of the edits, and the places of the translation that are visited not at all or again: two numbers per segment.
///
/// ` ab ` against itself costs nothing, and all of its places are visited but the one before it begins: 0 and 1.
pub fn jumping_edits(translations: Sequences<'_>, references: Sequences<'_>, costs: Costs, threads: usize) -> Vec<f64> {
    let mut rows = filled(translations.len() * 2, 0.0);
    fill_rows(&mut rows, 2, threads, Workshop::default, |workshop, segment, row| {
        (row[0], row[1]) = workshop.edits(translations.segment(segment), references.segment(segment), costs);
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(translation: &str, reference: &str) -> (f64, f64) {
        let ids = |text: &str| text.chars().map(|character| u64::from(character as u32)).collect::<Vec<u64>>();
        let costs = Costs { jump: 2.0, deletion: 0.2, insertion: 1.0 };
        Workshop::default().edits(&ids(translation), &ids(reference), costs)
    }

    #[test]
    fn a_text_against_itself_costs_nothing() {
        assert_eq!(edits(" ab ", " ab "), (0.0, 1.0));
    }

    #[test]
    fn an_empty_text_costs_a_step_per_character() {
        assert_eq!(edits("", "abc"), (3.0, 2.0));
    }

    #[test]
    fn a_jump_is_cheaper_than_writing_words_anew() {
        // Four words change places: two jumps of 2 cost less than 14 characters.
        let (cost, _) = edits(" castle garden summer winter ", " summer winter castle garden ");
        assert!(cost > 2.0 && cost <= 6.0, "{cost}");
    }
}
