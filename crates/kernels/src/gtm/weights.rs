//! What runs are worth: their length to the power of the exponent, without overflow.

/// Powers of run lengths, divided by that of the longest where they would pass what a number can hold.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    exponent: f64,
    scale: f64,
}

impl Weights {
    /// Weights for runs that count at most `longest` words, all of them below `largest` and the largest not near 0.
    pub fn new(exponent: f64, longest: f64, largest: f64) -> Self {
        let top = if longest > 0.0 { longest } else { 1.0 };
        let power = top.powf(exponent);
        Self { exponent, scale: if power > largest || power < 1.0 / largest { top } else { 1.0 } }
    }

    /// The weight of a run; lengths may be fractions.
    #[inline]
    pub fn of(&self, length: f64) -> f64 {
        (length / self.scale).powf(self.exponent)
    }

    /// The size whose weight is `sum`.
    pub fn root(&self, sum: f64) -> f64 {
        if sum == 0.0 { 0.0 } else { sum.powf(1.0 / self.exponent) * self.scale }
    }

    /// Whether weights are powers as they stand.
    pub fn are_plain(&self) -> bool {
        self.scale <= 1.0
    }
}
