//! The steps of a way from a translation to a reference, for those who count them and those who show them.

/// One step of the way from a translation to a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The words are the same.
    Match,
    /// One word for another.
    Substitution,
    /// A word of the translation that is too many.
    Insertion,
    /// A word of the reference that is missing.
    Deletion,
}

impl Step {
    /// What the step is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Substitution => "substitution",
            Self::Insertion => "insertion",
            Self::Deletion => "deletion",
        }
    }
}

/// A step with its positions in the translation and in the reference, where it has them.
pub type Edit = (Step, Option<usize>, Option<usize>);

/// Steps in the order of the reference, with their positions; `order` are those of the translation's words.
pub fn with_positions(steps: &[Step], order: impl IntoIterator<Item = usize>) -> Vec<Edit> {
    let (mut order, mut places) = (order.into_iter(), 0..);
    let mut position = |&step: &Step| {
        let word = if step == Step::Deletion { None } else { order.next() };
        let place = if step == Step::Insertion { None } else { places.next() };
        (step, word, place)
    };
    steps.iter().map(&mut position).collect()
}

/// What is kept of a way: numbers alone, or every step.
pub(crate) trait Record {
    /// The same step so many times.
    fn add(&mut self, step: Step, times: usize);

    /// Where the record stands.
    fn mark(&self) -> usize;

    /// Turns round what was added since `mark`: ways are traced from their end.
    fn turn(&mut self, mark: usize);
}

impl Record for Vec<Step> {
    fn add(&mut self, step: Step, times: usize) {
        self.resize(self.len() + times, step);
    }

    fn mark(&self) -> usize {
        self.len()
    }

    fn turn(&mut self, mark: usize) {
        self[mark..].reverse();
    }
}
