//! What a search keeps and what it lets go: costs, states, layers, and how much better the dropped ones could have been.

use super::Link;

/// Smaller is better, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// How far below the prices.
    pub loss: i64,
    /// Chunks or crossings.
    pub second: u32,
    pub distance: u64,
}

impl Cost {
    pub const NONE: Self = Self { loss: 0, second: 0, distance: 0 };

    /// What is proved to be as small as can be.
    pub fn main(self) -> (i64, u32) {
        (self.loss, self.second)
    }
}

#[derive(Clone, Copy)]
pub struct State {
    pub cost: Cost,
    /// Chunks that have to follow if no word may be lost.
    pub ahead: u32,
    /// Where in the translation the open chunk would go on.
    pub expected: u32,
    /// The last link but one, in `Search::nodes`, and the last.
    pub node: u32,
    pub link: Option<Link>,
    /// Where its used words are in the layer's bits.
    pub slot: u32,
}

impl State {
    /// The least that it can end with, if no word may be lost.
    pub fn promise(&self) -> (i64, u32) {
        (self.cost.loss, self.cost.second + self.ahead)
    }
}

/// States before one word of the reference, with the words of the translation that each has used.
#[derive(Default)]
pub struct Layer {
    pub states: Vec<State>,
    pub used: Vec<u64>,
}

/// The least cost of the states that were dropped, if any: as they were, and with the chunks that had to follow.
#[derive(Default)]
pub struct Dropped {
    plain: Option<(i64, u32)>,
    ahead: Option<(i64, u32)>,
}

impl Dropped {
    pub fn add(&mut self, state: &State) {
        let least = |known: Option<(i64, u32)>, new| Some(known.map_or(new, |known| known.min(new)));
        self.plain = least(self.plain, state.cost.main());
        self.ahead = least(self.ahead, state.promise());
    }

    /// Whether nothing that was dropped could have ended better.
    pub fn cannot_beat(&self, cost: Cost) -> bool {
        self.least(cost).is_none_or(|dropped| cost.main() <= dropped)
    }

    /// The least that anything dropped can end with, as far as it matters beside `cost`.
    pub fn least(&self, cost: Cost) -> Option<(i64, u32)> {
        // Chunks have to follow only where no word may be lost.
        if cost.loss == 0 { self.ahead } else { self.plain }
    }
}

/// How much better than the result anything can be that was not looked at: by nothing, if the result is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Gains beyond those found.
    pub gain: i64,
    /// Chunks or crossings below those found.
    pub second: u32,
}

impl Gap {
    /// From what was found, and the least cost of what was dropped.
    pub fn of(found: Cost, dropped: &Dropped) -> Self {
        if dropped.cannot_beat(found) {
            return Self::default();
        }
        let (loss, second) = dropped.least(found).unwrap_or_default();
        Self { gain: (found.loss - loss).max(0), second: found.second.saturating_sub(second) }
    }

    /// Whether nothing can be better.
    pub fn is_closed(self) -> bool {
        self == Self::default()
    }
}
