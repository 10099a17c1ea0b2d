// N-grams of references that one system has more often than another.

/** So many segments are looked at, and so many named with each n-gram. */
const MOST_LOOKED = 20000;
const MOST_NAMED = 100;
/** Writings without spaces: each of their characters is a token by itself. */
const ALONE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const TOKENS = new RegExp(`${ALONE}|(?:(?!${ALONE})[\\p{L}\\p{M}\\p{N}_])+|[^\\s]`, "gu");

/** What n-grams are made of: words, single characters where words have no spaces between, and all other signs. */
export function tokensOf(text) {
  return text.match(TOKENS) ?? [];
}

/** How often each n-gram of up to `most` tokens is there. */
function countsOf(text, most) {
  const tokens = tokensOf(text);
  const counts = new Map();
  for (let start = 0; start < tokens.length; start += 1) {
    let ngram = "";
    for (let order = 1; order <= most && start + order <= tokens.length; order += 1) {
      ngram += (order > 1 ? " " : "") + tokens[start + order - 1];
      counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
    }
  }
  return counts;
}

/** Texts by their code points. */
function byCodePoints(one, other) {
  const [a, b] = [[...one], [...other]];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    if (a[at] !== b[at]) return a[at].codePointAt(0) - b[at].codePointAt(0);
  }
  return a.length - b.length;
}

/** What a has more often than b, and b than a, as often as a reference has it at most. */
export function ngramsOf(places, ours, theirs, references, most, limit) {
  const looked = places.subarray(0, MOST_LOOKED);
  const found = new Map();
  for (const place of looked) {
    if (ours[place] === null || theirs[place] === null) continue;
    const [first, second] = [countsOf(ours[place], most), countsOf(theirs[place], most)];
    const largest = new Map();
    for (const column of references) {
      if (column[place] === null) continue;
      for (const [ngram, count] of countsOf(column[place], most)) {
        if (count > (largest.get(ngram) ?? 0)) largest.set(ngram, count);
      }
    }
    for (const [ngram, bound] of largest) {
      const a = Math.min(first.get(ngram) ?? 0, bound);
      const b = Math.min(second.get(ngram) ?? 0, bound);
      if (a === 0 && b === 0) continue;
      const entry = found.get(ngram) ?? { a: 0, b: 0, wins: [], losses: [] };
      entry.a += a;
      entry.b += b;
      if (a > b && entry.wins.length < MOST_NAMED) entry.wins.push(place);
      if (b > a && entry.losses.length < MOST_NAMED) entry.losses.push(place);
      found.set(ngram, entry);
    }
  }
  const listed = [...found].map(([ngram, entry]) => ({ ngram, order: ngram.split(" ").length, ...entry }));
  const side = (gain, segments) =>
    listed
      .filter((one) => gain(one) > 0)
      .sort((one, other) => gain(other) - gain(one) || other.order - one.order || byCodePoints(one.ngram, other.ngram))
      .slice(0, limit)
      .map((one) => ({ ngram: one.ngram, order: one.order, a: one.a, b: one.b, segments: one[segments] }));
  return { looked: looked.length, a: side((one) => one.a - one.b, "wins"), b: side((one) => one.b - one.a, "losses") };
}
