// Words of a text: which of them differ from another text, which a reference has too, which somebody marked.
// Places count UTF-16 units, as JavaScript does, unless it says code points.

import { tokensOf } from "../data/ngrams.js";

// A text without any of these has no letter that is written with more than one code point.
const JOINED = /[\p{M}\u0e33\u0eb3\u200c\u200d\u1100-\u11ff\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]|\r\n/u;
// Texts that differ in more words than this are not put beside each other word by word.
const MOST_CHANGES = 1500;

/** The words of a text with their places: [{text, start, end}]. What stands between them is space. */
export function tokens(text) {
  let end = 0;
  return tokensOf(text).map((token) => {
    const start = text.indexOf(token, end);
    end = start + token.length;
    return { text: token, start, end };
  });
}

/**
 * The longest common subsequence of two lists (Myers, 1986): pairs [place in a, place in b].
 *
 * Where it would take more than `most` changes, what both begin and end with is all that they have in common.
 */
export function common(a, b, most = MOST_CHANGES) {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [n, m] = [a.length - head - tail, b.length - head - tail];
  const middle = n && m ? (shortest(a.slice(head, head + n), b.slice(head, head + m), Math.min(most, n + m)) ?? []) : [];
  const pairs = [];
  for (let i = 0; i < head; i += 1) pairs.push([i, i]);
  for (const [i, j] of middle) pairs.push([head + i, head + j]);
  for (let i = 0; i < tail; i += 1) pairs.push([a.length - tail + i, b.length - tail + i]);
  return pairs;
}

// Pairs on the shortest road from a to b; null where it has more than `most` steps.
function shortest(a, b, most) {
  const middle = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const rounds = [];
  for (let changes = 0; changes <= most; changes += 1) {
    rounds.push(furthest.slice(middle - changes - 1, middle + changes + 2)); // diagonals -changes - 1 … changes + 1
    for (let k = -changes; k <= changes; k += 2) {
      const down = k === -changes || (k !== changes && furthest[middle + k - 1] < furthest[middle + k + 1]);
      let x = down ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1;
        y += 1;
      }
      furthest[middle + k] = x;
      if (x >= a.length && y >= b.length) return backwards(rounds, a.length, b.length);
    }
  }
  return null;
}

function backwards(rounds, x, y) {
  const pairs = [];
  for (let changes = rounds.length - 1; changes >= 0; changes -= 1) {
    const before = (k) => rounds[changes][k + changes + 1];
    const k = x - y;
    const down = k === -changes || (k !== changes && before(k - 1) < before(k + 1));
    const startX = changes === 0 ? 0 : before(down ? k + 1 : k - 1);
    const startY = changes === 0 ? 0 : startX - (down ? k + 1 : k - 1);
    while (x > startX + (down ? 0 : 1) && y > startY + (down ? 1 : 0) && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    if (changes === 0) {
      while (x > 0 && y > 0) {
        x -= 1;
        y -= 1;
        pairs.push([x, y]);
      }
    }
    [x, y] = [startX, startY];
  }
  return pairs.reverse();
}

/**
 * A text held against another, word by word: marks for `pieces`, of kinds "added" and "removed".
 *
 * "added" are words of `text` that `other` has not; "removed" are words of `other` that `text` has not, each with the place in
 * `text` before which it would stand.
 */
export function differences(other, text) {
  const before = tokens(other);
  const after = tokens(text);
  const pairs = common(before.map((token) => token.text), after.map((token) => token.text));
  const marks = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [before.length, after.length]]) {
    if (x > i) {
      // A word that is gone stands before what follows, with the space behind it; at the end, with the space before it.
      const last = j >= after.length;
      const from = last && i > 0 ? before[i - 1].end : before[i].start;
      const to = last || x >= before.length ? before[x - 1].end : before[x].start;
      const gone = other.slice(from, to);
      const at = last ? text.length : after[j].start;
      const apart = !last && x >= before.length && (i === 0 || before[i - 1].end < before[i].start);
      marks.push({ kind: "removed", start: at, end: at, text: apart ? `${gone} ` : gone });
    }
    if (y > j) marks.push({ kind: "added", start: after[j].start, end: after[y - 1].end });
    [i, j] = [x + 1, y + 1];
  }
  return marks;
}

/** Every sequence of n words, joined by spaces. */
function sequences(words, n) {
  const all = [];
  for (let at = 0; at + n <= words.length; at += 1) all.push(words.slice(at, at + n).join(" "));
  return all;
}

/** How often each sequence of n words stands in one text, the most over texts. */
function mostOften(texts, n) {
  const most = new Map();
  for (const words of texts) {
    const counts = new Map();
    for (const gram of sequences(words, n)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    for (const [gram, count] of counts) most.set(gram, Math.max(count, most.get(gram) ?? 0));
  }
  return most;
}

/**
 * For each word of a translation: the length, at most 4, of the longest n-gram around it that a reference has; 0 for none.
 *
 * An n-gram counts as often as the reference that has it most often has it, from the left.
 */
export function matched(words, references, most = 4) {
  const orders = new Array(words.length).fill(0);
  for (let n = 1; n <= most; n += 1) {
    const left = mostOften(references, n);
    sequences(words, n).forEach((gram, at) => {
      const rest = left.get(gram) ?? 0;
      if (rest === 0) return;
      left.set(gram, rest - 1);
      for (let place = at; place < at + n; place += 1) orders[place] = n;
    });
  }
  return orders;
}

/** How many n-grams of this length a reference has, each as often as the reference that has it most often. */
export function hits(words, references, n) {
  const left = mostOften(references, n);
  let number = 0;
  for (const gram of sequences(words, n)) {
    const rest = left.get(gram) ?? 0;
    if (rest > 0) number += 1;
    left.set(gram, rest - 1);
  }
  return number;
}

/** Marks for the words of a text that stand in n-grams of a reference ("match-1" … "match-4") and that do not ("unmatched"). */
export function matches(text, references, most = 4) {
  const words = tokens(text);
  const orders = matched(words.map((token) => token.text), references.map((one) => tokens(one).map((token) => token.text)), most);
  const marks = [];
  words.forEach(({ start, end }, place) => {
    const kind = orders[place] ? `match-${orders[place]}` : "unmatched";
    const last = marks.at(-1);
    if (last?.kind === kind) last.end = end;
    else marks.push({ kind, order: orders[place], start, end });
  });
  return marks;
}

/** Marks for the n-grams of a text that a reference has and another translation has not. */
export function ahead(text, rival, references, most = 4) {
  const words = tokens(text);
  const names = words.map((token) => token.text);
  const other = tokens(rival).map((token) => token.text);
  const good = references.map((one) => tokens(one).map((token) => token.text));
  const inside = new Array(words.length).fill(false);
  for (let n = 1; n <= most; n += 1) {
    const wanted = mostOften(good, n);
    const theirs = mostOften([other], n);
    // As many as the reference has, less those that the rival has too.
    const left = new Map();
    for (const [gram, count] of wanted) left.set(gram, count - Math.min(count, theirs.get(gram) ?? 0));
    const skip = new Map();
    for (const [gram, count] of wanted) skip.set(gram, Math.min(count, theirs.get(gram) ?? 0));
    sequences(names, n).forEach((gram, at) => {
      if (skip.get(gram) > 0) skip.set(gram, skip.get(gram) - 1);
      else if (left.get(gram) > 0) {
        left.set(gram, left.get(gram) - 1);
        inside.fill(true, at, at + n);
      }
    });
  }
  return runs(words, inside, "ahead");
}

/** Marks wherever a text has this n-gram, its words joined by spaces. */
export function occurrences(text, ngram) {
  const wanted = ngram.split(" ");
  const words = tokens(text);
  const inside = new Array(words.length).fill(false);
  sequences(words.map((token) => token.text), wanted.length).forEach((gram, at) => {
    if (gram === ngram) inside.fill(true, at, at + wanted.length);
  });
  return runs(words, inside, "ngram");
}

function runs(words, inside, kind) {
  const marks = [];
  words.forEach(({ start, end }, place) => {
    if (!inside[place]) return;
    if (place > 0 && inside[place - 1]) marks.at(-1).end = end;
    else marks.push({ kind, start, end });
  });
  return marks;
}

/** Marks wherever a search finds something; an expression that cannot be read finds nothing. */
export function findings(text, search) {
  if (!search?.text) return [];
  let expression;
  try {
    const source = search.regex ? search.text : search.text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    expression = new RegExp(source, search.case ? "gu" : "giu");
  } catch {
    return [];
  }
  const marks = [];
  for (const match of text.matchAll(expression)) {
    if (match[0]) marks.push({ kind: "search", start: match.index, end: match.index + match[0].length });
    if (marks.length >= 200) break;
  }
  return marks;
}

/** A function from a place in code points to the place in UTF-16 units; what lies outside becomes the nearest end. */
export function unitsOf(text) {
  const places = [];
  let unit = 0;
  for (const character of text) {
    places.push(unit);
    unit += character.length;
  }
  places.push(unit);
  return (place) => places[Math.max(0, Math.min(places.length - 1, Math.trunc(place)))];
}

/** Marks of error spans: [[start, end, severity, category, in the source], …], places in code points. */
export function errors(text, spans) {
  const unit = unitsOf(text);
  return spans.map(([start, end, severity, category], place) => ({
    kind: "error",
    start: Math.min(unit(start), unit(end)),
    end: Math.max(unit(start), unit(end)),
    severity,
    category,
    number: place + 1,
  }));
}

// Places where a text may be cut: between what a reader sees as letters, and never within one.
function cuts(text) {
  if (!JOINED.test(text)) return null;
  const places = new Set([text.length]);
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) places.add(index);
  return places;
}

/**
 * A text cut where marks begin and end: [{text, marks}], which joined give the text again.
 *
 * Marks may overlap. One that begins or ends within a letter is as wide as the letter; one of no width is a piece without text.
 */
export function pieces(text, marks) {
  const allowed = marks.length ? cuts(text) : null;
  const outwards = (place, step) => {
    let at = Math.max(0, Math.min(text.length, place));
    while (allowed && !allowed.has(at)) at += step;
    return at;
  };
  const placed = marks.map((mark) => {
    const start = outwards(mark.start, -1);
    return { mark, start, end: mark.end > mark.start ? Math.max(start, outwards(mark.end, 1)) : start };
  });
  const wide = placed.filter((one) => one.end > one.start);
  const thin = placed.filter((one) => one.end === one.start);
  const places = [...new Set([0, text.length, ...placed.flatMap((one) => [one.start, one.end])])].sort((x, y) => x - y);
  const opening = new Map();
  for (const one of wide) opening.set(one.start, [...(opening.get(one.start) ?? []), one]);
  const all = [];
  let open = [];
  places.forEach((at, index) => {
    for (const one of thin) if (one.start === at) all.push({ text: "", marks: [one.mark] });
    open = [...open.filter((one) => one.end > at), ...(opening.get(at) ?? [])];
    if (index + 1 < places.length) all.push({ text: text.slice(at, places[index + 1]), marks: open.map((one) => one.mark) });
  });
  return all.filter((piece) => piece.text || piece.marks.length);
}
