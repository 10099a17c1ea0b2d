//! Stable 64-bit names for tokens, n-grams and texts.
//!
//! Ids are hashes, so no vocabulary is shared: the same token has the same id in every
//! shard, thread and process. At 64 bits, two of a million distinct tokens collide
//! with a probability of 3 in 10^8.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The id of a token: a hash of its UTF-8 text.
#[inline]
pub fn token_id(token: &str) -> u64 {
    xxh3_64(token.as_bytes())
}

/// The key of the empty n-gram, from which all others are extended.
pub const EMPTY: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key of the n-gram `prefix` followed by the token `id`.
///
/// A folded 64 by 64 bit multiplication: well mixed even when ids are plain code points.
#[inline]
pub fn extend(prefix: u64, id: u64) -> u64 {
    let left = u128::from(prefix ^ 0xA076_1D64_78BD_642F);
    let right = u128::from(id ^ 0xE703_7ED1_A0B4_28DB);
    let product = left * right;
    (product >> 64) as u64 ^ product as u64
}

/// Ids are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }
}

/// Keyed by token ids.
pub type ById<Value> = HashMap<u64, Value, BuildHasherDefault<AsItIs>>;

/// A set of token ids.
pub type IdSet = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// A 128-bit digest of a column of texts, boundaries included.
pub fn digest<'a>(texts: impl Iterator<Item = &'a [u8]>) -> u128 {
    let mut state = Xxh3::new();
    for text in texts {
        state.update(&(text.len() as u64).to_le_bytes());
        state.update(text);
    }
    state.digest128()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_tokens_matters() {
        let forwards = extend(extend(EMPTY, 1), 2);
        let backwards = extend(extend(EMPTY, 2), 1);
        assert_ne!(forwards, backwards);
    }

    #[test]
    fn code_points_make_distinct_trigrams() {
        let mut keys = std::collections::HashSet::new();
        for first in 0..60 {
            for second in 0..60 {
                for third in 0..60 {
                    keys.insert(extend(extend(extend(EMPTY, first), second), third));
                }
            }
        }
        assert_eq!(keys.len(), 60 * 60 * 60);
    }

    #[test]
    fn a_digest_sees_where_one_text_ends() {
        let joined = digest([b"ab".as_slice(), b"c"].into_iter());
        let split = digest([b"a".as_slice(), b"bc"].into_iter());
        assert_ne!(joined, split);
    }
}
