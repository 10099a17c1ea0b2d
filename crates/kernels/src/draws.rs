//! Random draws as a pure function of seed, stream, number of the draw and key of the unit.
//!
//! Nothing is remembered between two draws, so shards, threads, machines and pages draw the same without telling each
//! other, and a unit that is left out changes nothing for the others. The function is Philox4x32 with ten rounds
//! (Salmon et al., 2011): multiplications, additions and exclusive ors of 32-bit numbers.

use crate::room::filled;

/// A stream of draws: what the generator is keyed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The seed that the user chose.
    pub seed: u32,
    /// The number of the purpose that is drawn for: see [`text_key`].
    pub purpose: u32,
}

/// What is made of the words of a unit: each has counters of its own.
#[derive(Clone, Copy)]
enum Use {
    Counts = 0,
    Swaps = 1,
    Order = 2,
}

/// Four random words of 32 bits for a counter of four.
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let (first, second) = (wide(0xD251_1F53, counter[0]), wide(0xCD9E_8D57, counter[2]));
        counter = [second.0 ^ counter[1] ^ key[0], second.1, first.0 ^ counter[3] ^ key[1], first.1];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

/// The high and the low half of a product.
fn wide(left: u32, right: u32) -> (u32, u32) {
    let product = u64::from(left) * u64::from(right);
    ((product >> 32) as u32, product as u32)
}

/// A number for a name, the same everywhere: eight bytes at a time are mixed into what the bytes before them gave.
pub fn text_key(text: &str) -> u64 {
    let (mut low, mut high) = (0, 0);
    for (number, chunk) in text.as_bytes().chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        let (first, second) = halves(u64::from_le_bytes(bytes));
        [low, high, ..] = philox([low ^ first, high ^ second, number as u32, text.len() as u32], [0, 0]);
    }
    u64::from(high) << 32 | u64::from(low)
}

fn halves(key: u64) -> (u32, u32) {
    (key as u32, (key >> 32) as u32)
}

impl Stream {
    fn words(self, block: u32, key: u64, used: Use) -> [u32; 4] {
        let (low, high) = halves(key);
        philox([block, low, high, used as u32], [self.seed, self.purpose])
    }
}

/// 2^32 times the chance that a Poisson variable of mean 1 is at most 0, 1, ... 11: beyond 12 none of 2^32 lies.
const AT_MOST: [u32; 12] = [
    1_580_030_169,
    3_160_060_337,
    3_950_075_422,
    4_213_413_783,
    4_279_248_374,
    4_292_415_292,
    4_294_609_778,
    4_294_923_276,
    4_294_962_463,
    4_294_966_817,
    4_294_967_253,
    4_294_967_292,
];

/// How often each unit counts in `draws` draws from number `first` on: draws by units. Poisson(1) counts.
pub fn counts(stream: Stream, keys: &[u64], first: usize, draws: usize) -> Vec<f64> {
    let mut table = filled(draws * keys.len(), 0.0);
    each(first, draws, 4, |block, from, rows| {
        for (unit, &key) in keys.iter().enumerate() {
            let words = stream.words(block, key, Use::Counts);
            for (row, word) in rows.clone().zip(&words[from..]) {
                let count: u32 = AT_MOST.iter().map(|&most| u32::from(*word >= most)).sum();
                table[row * keys.len() + unit] = f64::from(count);
            }
        }
    });
    table
}

/// Whether each unit changes places (1 or 0) in `draws` draws from number `first` on: draws by units.
pub fn swaps(stream: Stream, keys: &[u64], first: usize, draws: usize) -> Vec<u8> {
    let mut table = filled(draws * keys.len(), 0);
    each(first, draws, 128, |block, from, rows| {
        let words: Vec<[u32; 4]> = keys.iter().map(|&key| stream.words(block, key, Use::Swaps)).collect();
        for (row, bit) in rows.zip(from..) {
            for (flag, words) in table[row * keys.len()..].iter_mut().zip(&words) {
                *flag = (words[bit / 32] >> (bit % 32) & 1) as u8;
            }
        }
    });
    table
}

/// A random number of 64 bits for each unit in one draw; sorted by it, units stand in random order.
pub fn order(stream: Stream, keys: &[u64], draw: u32) -> Vec<u64> {
    let number = |&key: &u64| {
        let [low, high, ..] = stream.words(draw, key, Use::Order);
        u64::from(high) << 32 | u64::from(low)
    };
    keys.iter().map(number).collect()
}

/// Calls `work` with each block of `size` draws: its number, the place of its first draw, and the rows of its draws.
fn each(first: usize, draws: usize, size: usize, mut work: impl FnMut(u32, usize, std::ops::Range<usize>)) {
    let mut row = 0;
    while row < draws {
        let (block, from) = ((first + row) / size, (first + row) % size);
        let stop = draws.min(row + size - from);
        work(block as u32, from, row..stop);
        row = stop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Stream = Stream { seed: 1, purpose: 7 };

    #[test]
    fn words_are_those_of_the_authors() {
        // Known answers of the Random123 distribution.
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]);
        let digits = [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344];
        assert_eq!(philox(digits, [0xA409_3822, 0x299F_31D0]), [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1]);
    }

    #[test]
    fn thresholds_are_those_of_poisson() {
        let (mut chance, mut below) = ((-1.0_f64).exp(), 0.0);
        for (count, &most) in AT_MOST.iter().enumerate() {
            below += chance;
            assert!((f64::from(most) - 2.0_f64.powi(32) * below).abs() <= 0.5 + 1e-6, "{count}");
            chance /= count as f64 + 1.0;
        }
    }

    #[test]
    fn a_unit_is_drawn_the_same_among_any_others_and_in_any_block() {
        let (all, some) = (counts(STREAM, &[5, 6, 7], 0, 10), counts(STREAM, &[7], 3, 6));
        assert_eq!(some, (3..9).map(|draw| all[draw * 3 + 2]).collect::<Vec<_>>());
        let (all, some) = (swaps(STREAM, &[5, 6, 7], 0, 300), swaps(STREAM, &[6], 100, 150));
        assert_eq!(some, (100..250).map(|draw| all[draw * 3 + 1]).collect::<Vec<_>>());
        assert_eq!(order(STREAM, &[5, 6], 2)[1], order(STREAM, &[6], 2)[0]);
    }

    #[test]
    fn counts_have_mean_and_variance_one_and_swaps_are_even() {
        let keys: Vec<u64> = (0..1000).collect();
        let drawn = counts(STREAM, &keys, 0, 1000);
        let mean = drawn.iter().sum::<f64>() / 1e6;
        let variance = drawn.iter().map(|count| (count - 1.0).powi(2)).sum::<f64>() / 1e6;
        assert!((mean - 1.0).abs() < 0.004 && (variance - 1.0).abs() < 0.007, "{mean} {variance}");
        let swapped: usize = swaps(STREAM, &keys, 0, 1000).iter().map(|&flag| usize::from(flag)).sum();
        assert!(swapped.abs_diff(500_000) < 2000, "{swapped}");
    }

    #[test]
    fn names_have_keys_of_their_own() {
        assert_eq!(text_key(""), 0);
        let names = ["a", "b", "ab", "ba", "a\0", "document 1", "document 2", "1 document"];
        let keys: std::collections::HashSet<u64> = names.iter().map(|name| text_key(name)).collect();
        assert_eq!(keys.len(), names.len());
    }
}
