//! The aligner of METEOR 1.5: a beam over the words of the reference, choice for choice as the original's.
//!
//! Paths are ordered by more matched words, then fewer closed chunks, then less distance; of equal ones the one that
//! came first stays first. Three habits of the original decide many segments, and are kept:
//!
//! * Matched words are whole numbers: a word matched by its stem counts half, which is nothing.
//! * The distance of a choice is paid by the path that it was made from: by later choices and by the path without it.
//! * A chunk is counted when it closes, so an open one is free.

use super::Link;
use super::candidates::Candidates;

/// No chunk is open.
const CLOSED: u32 = u32::MAX;
/// The path without a link at this position.
const SKIP: u32 = u32::MAX;
/// The first path comes from nowhere.
const ROOT: u32 = u32::MAX;

/// One more matched word, one more closed chunk and one more word of distance, in the key of a path.
const WORD: u128 = 1 << 96;
const CHUNK: u128 = 1 << 64;
const DISTANCE: u128 = 1;

#[derive(Clone, Copy)]
struct Path {
    /// Smaller is better: words that are not matched, then chunks, then distance.
    key: u128,
    /// Where in the translation the open chunk would go on.
    expected: u32,
    /// Up to where the last link covers the reference.
    reached: u32,
    /// The last link that was chosen, in `Beam::nodes`.
    node: u32,
    /// Where in `Beam::used` its words of the translation are.
    slot: u32,
}

impl Path {
    #[inline]
    fn add(&mut self, link: Link) {
        let share = if link.module == 0 { 1 } else { 2 };
        let words = link.translation_length / share + link.reference_length / share;
        self.key -= u128::from(words) * WORD;
        self.go_on(link.translation, link.translation_end(), link.reference_end());
    }

    /// Continues the open chunk with the words of the translation from `start` to `end`, or opens another one.
    #[inline]
    fn go_on(&mut self, start: u32, end: u32, reached: u32) {
        if self.expected != start {
            self.close();
        }
        self.expected = end;
        self.reached = reached;
    }

    #[inline]
    fn pay(&mut self, link: Link) {
        self.key += u128::from(link.distance()) * DISTANCE;
    }

    #[inline]
    fn close(&mut self) {
        self.key += u128::from(self.expected != CLOSED) * CHUNK;
        self.expected = CLOSED;
    }
}

/// A path to be, in the slot of the path that it comes from, and the link that it adds.
#[derive(Clone, Copy)]
struct Child {
    path: Path,
    choice: u32,
}

/// Buffers that segments reuse.
#[derive(Default)]
pub struct Beam {
    paths: Vec<Path>,
    /// Words of the translation that each path has used, `blocks` machine words per path.
    used: Vec<u64>,
    blocks: usize,
    children: Vec<Child>,
    next_used: Vec<u64>,
    nodes: Vec<(u32, Link)>,
    fixed: Fixed,
}

/// Links that stand before the search, as the only ones at all their words.
#[derive(Default)]
struct Fixed {
    at: Vec<Option<Link>>,
    /// Whether a word of the reference is in one of them.
    covers: Vec<bool>,
    ours: Vec<u32>,
    theirs: Vec<u32>,
}

impl Fixed {
    fn find(&mut self, candidates: &Candidates, translation_length: usize) {
        let length = candidates.positions();
        self.ours.clear();
        self.ours.resize(translation_length, 0);
        self.theirs.clear();
        self.theirs.resize(length, 0);
        candidates.add_coverage(&mut self.ours, &mut self.theirs);
        self.at.clear();
        self.at.resize(length, None);
        self.covers.clear();
        self.covers.resize(length, false);
        for position in 0..length {
            // A second candidate here would cover this word a second time.
            if self.theirs[position] != 1 {
                continue;
            }
            let Some(link) = candidates.at(position).next() else { continue };
            let (ours, theirs) = (link.translation_range(), link.reference_range());
            if self.ours[ours].iter().chain(&self.theirs[theirs.clone()]).all(|&count| count == 1) {
                self.at[position] = Some(link);
                self.covers[theirs].fill(true);
            }
        }
    }
}

impl Beam {
    /// Writes the chosen links into `links`, in the order of the reference.
    pub fn align(&mut self, candidates: &Candidates, translation_length: usize, width: usize, links: &mut Vec<Link>) {
        self.fixed.find(candidates, translation_length);
        self.blocks = translation_length.div_ceil(64);
        self.nodes.clear();
        self.paths.clear();
        let key = u128::from(u32::MAX) * WORD;
        self.paths.push(Path { key, expected: CLOSED, reached: 0, node: ROOT, slot: 0 });
        self.used.clear();
        self.used.resize(self.blocks, 0);
        let mut reached = 0;
        for position in 0..candidates.positions() {
            if let Some(link) = self.fixed.at[position] {
                for path in &mut self.paths {
                    path.add(link);
                    path.pay(link);
                }
                reached = link.reference_end();
                self.sort();
            } else if !candidates.is_empty_at(position) {
                self.branch(candidates, position, width);
            } else if position as u32 >= reached {
                for path in &mut self.paths {
                    if position as u32 >= path.reached {
                        path.close();
                    }
                }
                self.sort();
            }
        }
        self.paths.iter_mut().for_each(Path::close);
        self.collect(links);
    }

    /// Every path becomes one for each link that it can add, and one without.
    fn branch(&mut self, candidates: &Candidates, position: usize, width: usize) {
        let (singles, phrases) = (candidates.singles_at(position), candidates.phrases_at(position));
        self.children.clear();
        for &(mut path) in &self.paths {
            // Paths come in order: where one cannot get in with two more words, none behind it can.
            let full = self.children.len() == width;
            if full && phrases.is_empty() && self.children[width - 1].path.key <= path.key - 2 * WORD {
                break;
            }
            if (position as u32) < path.reached {
                insert(&mut self.children, width, path, SKIP);
                continue;
            }
            let used = &self.used[path.slot as usize * self.blocks..][..self.blocks];
            for (choice, single) in singles.iter().enumerate() {
                let word = single.translation as usize;
                if used[word / 64] >> (word % 64) & 1 == 1 {
                    continue;
                }
                let mut child = path;
                if single.module == 0 {
                    child.key -= 2 * WORD;
                }
                child.go_on(single.translation, single.translation + 1, position as u32 + 1);
                insert(&mut self.children, width, child, choice as u32);
                path.key += u128::from(single.translation.abs_diff(position as u32)) * DISTANCE;
            }
            for (index, &link) in phrases.iter().enumerate() {
                if link.translation_range().any(|word| used[word / 64] >> (word % 64) & 1 == 1)
                    || self.fixed.covers[link.reference_range()].contains(&true)
                {
                    continue;
                }
                let mut child = path;
                child.add(link);
                insert(&mut self.children, width, child, (singles.len() + index) as u32);
                path.pay(link);
            }
            path.close();
            insert(&mut self.children, width, path, SKIP);
        }
        self.settle(candidates, position);
    }

    /// Makes paths of the children that were kept.
    fn settle(&mut self, candidates: &Candidates, position: usize) {
        self.paths.clear();
        self.next_used.clear();
        for (slot, child) in self.children.iter().enumerate() {
            let mut path = child.path;
            self.next_used.extend_from_slice(&self.used[path.slot as usize * self.blocks..][..self.blocks]);
            path.slot = slot as u32;
            if child.choice != SKIP {
                let link = candidates.choice(position, child.choice as usize);
                for word in link.translation_range() {
                    self.next_used[slot * self.blocks + word / 64] |= 1 << (word % 64);
                }
                self.nodes.push((path.node, link));
                path.node = self.nodes.len() as u32 - 1;
            }
            self.paths.push(path);
        }
        std::mem::swap(&mut self.used, &mut self.next_used);
    }

    /// Puts the paths in order again; equal ones stay as they are.
    fn sort(&mut self) {
        if !self.paths.is_sorted_by_key(|path| path.key) {
            self.paths.sort_by_key(|path| path.key);
        }
    }

    fn collect(&self, links: &mut Vec<Link>) {
        links.clear();
        // min_by_key gives the first of equal paths.
        let mut node = self.paths.iter().min_by_key(|path| path.key).map_or(ROOT, |path| path.node);
        while let Some(&(parent, link)) = self.nodes.get(node as usize) {
            links.push(link);
            node = parent;
        }
        links.extend(self.fixed.at.iter().flatten());
        links.sort_unstable_by_key(|link| link.reference);
    }
}

/// Keeps the `width` best children in order: a new one stands behind those as good.
#[inline]
fn insert(children: &mut Vec<Child>, width: usize, path: Path, choice: u32) {
    if children.len() == width {
        if children[width - 1].path.key <= path.key {
            return;
        }
        children.pop();
    }
    let place = children.iter().rposition(|other| other.path.key <= path.key).map_or(0, |before| before + 1);
    children.insert(place, Child { path, choice });
}
