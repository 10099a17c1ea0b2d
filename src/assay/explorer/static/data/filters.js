// Which segments a filter keeps, and how one types it: conditions are read as `--where` reads them.

/** An error that is a sentence for whoever looks at the page. */
export class Said extends Error {
  constructor(message) {
    super(message);
    this.isSaid = true;
  }
}

/** So many segments at most are named one by one in a command. */
const MOST_NAMED = 200;
// What Python's `strip` takes away.
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const ENDS = new RegExp(`^${SPACE}+|${SPACE}+$`, "gu");

/** Text without white space at its ends, as Python has it. */
export function stripped(text) {
  return text.replace(ENDS, "");
}

/** A character as it may stand in any part of a regular expression. */
function escaped(character) {
  return `\\u{${character.codePointAt(0).toString(16)}}`;
}

/** The set between brackets of a pattern, as Python's fnmatch reads it. */
function setOf(content) {
  if (!content.includes("-")) return classOf([content]);
  const chunks = [];
  let start = 0;
  let place = content[0] === "!" ? 2 : 1;
  for (;;) {
    place = content.indexOf("-", place);
    if (place < 0) break;
    chunks.push(content.slice(start, place));
    start = place + 1;
    place += 3;
  }
  const last = content.slice(start);
  if (last.length) chunks.push(last);
  else chunks[chunks.length - 1] = [...chunks[chunks.length - 1], "-"];
  for (let chunk = chunks.length - 1; chunk > 0; chunk -= 1) {
    const [before, behind] = [chunks[chunk - 1], chunks[chunk]];
    if (before[before.length - 1].codePointAt(0) > behind[0].codePointAt(0)) {
      // A range that holds nothing.
      chunks.splice(chunk - 1, 2, [...before.slice(0, -1), ...behind.slice(1)]);
    }
  }
  return classOf(chunks);
}

/** Chunks of characters, with a range from the last of each to the first of the next. */
function classOf(chunks) {
  const all = chunks.flat();
  if (all.length === 0) return "(?!)";
  if (all.length === 1 && all[0] === "!") return ".";
  const negated = all[0] === "!";
  const parts = chunks.map((chunk, number) => chunk.slice(negated && number === 0 ? 1 : 0).map(escaped).join(""));
  return `[${negated ? "^" : ""}${parts.join("-")}]`;
}

/** The regular expression that a pattern with `*`, `?` and `[...]` stands for. */
function expressionOf(pattern) {
  const characters = [...pattern];
  // What stands between stars: each part is found where it first comes, and that is never tried again. Else a text with
  // many stars would be searched once for every way to place them.
  const parts = [];
  let made = "";
  for (let place = 0; place < characters.length; place += 1) {
    const character = characters[place];
    if (character === "*") {
      parts.push(made);
      made = "";
    } else if (character === "?") made += ".";
    else if (character !== "[") made += escaped(character);
    else {
      let end = place + 1;
      if (characters[end] === "!") end += 1;
      if (characters[end] === "]") end += 1;
      end = characters.indexOf("]", end);
      if (end < 0) made += escaped(character);
      else {
        made += setOf(characters.slice(place + 1, end));
        place = end;
      }
    }
  }
  if (parts.length) {
    const [first, ...middle] = parts;
    const found = middle.filter(Boolean).map((part, number) => `(?=(.*?${part}))\\${number + 1}`);
    made = `${first}${found.join("")}.*${made}`;
  }
  return new RegExp(`^(?:${made})$`, "su");
}

/** What says whether a text fits a pattern: the twin of Python's fnmatchcase, or they are the same. */
export function fitting(pattern) {
  const expression = /[*?[]/.test(pattern) ? expressionOf(pattern) : null;
  return (text) => text === pattern || (expression !== null && expression.test(text));
}

/** Whether a text fits a pattern. */
export function fits(text, pattern) {
  return fitting(pattern)(text);
}

/** A condition of `--where`: the column, whether it has to differ, and what says whether a text is one of its values. */
export function conditionOf(text) {
  const equals = text.indexOf("=");
  const name = equals < 0 ? "" : text.slice(0, equals);
  if (!name.replace(/!+$/, "")) throw new Said(`--where '${text}': write NAME=VALUE or NAME!=VALUE.`);
  const differs = name.endsWith("!");
  const patterns = text.slice(equals + 1).split(",").map((part) => fitting(stripped(part)));
  const holds = (value) => patterns.some((pattern) => pattern(value)) !== differs;
  return { column: stripped(differs ? name.slice(0, -1) : name), holds };
}

/** A value as a pattern that means nothing but it, as far as a pattern can. */
export function exactly(value) {
  const text = value.replaceAll(/[*?[]/g, (character) => `[${character}]`).replaceAll(",", "?");
  return text.replace(ENDS, (blanks) => "?".repeat([...blanks].length));
}

/** What a search looks for in a text. */
export function searching({ text, regex, case: exact }) {
  try {
    const looked = new RegExp(regex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), exact ? "u" : "iu");
    return (value) => looked.test(value);
  } catch (error) {
    throw new Said(`'${text}' is no regular expression: ${error.message.split(": ").pop()}.`);
  }
}

/** A number out of a text; NaN where it is none. */
export function numberIn(text) {
  const plain = stripped(text);
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

/** Whether a filter keeps everything. */
export function keepsAll(filter) {
  return !(filter.where?.length || filter.ranges?.length || filter.search?.text || filter.segments);
}

/**
 * Which segments a filter keeps: the positions, rising; null for all of them.
 *
 * `known` gives what segments have, as promises: `column(name)` is `{codes, values}` or texts, `numbers(range)` a number
 * per segment, `searched(where)` lists of texts.
 */
export async function keptBy(filter, segments, known) {
  if (keepsAll(filter)) return null;
  const mask = new Uint8Array(segments).fill(1);
  for (const text of filter.where ?? []) {
    const { column, holds } = conditionOf(text);
    const found = await known.column(column);
    if (found.codes) {
      const fulfilled = found.values.map(holds);
      for (let place = 0; place < segments; place += 1) mask[place] &= Number(fulfilled[found.codes[place]]);
    } else {
      for (let place = 0; place < segments; place += 1) if (mask[place]) mask[place] = Number(holds(found[place] ?? ""));
    }
  }
  for (const range of filter.ranges ?? []) {
    const numbers = await known.numbers(range);
    const [least, most] = [range.least ?? -Infinity, range.most ?? Infinity];
    for (let place = 0; place < segments; place += 1) {
      if (!(numbers[place] >= least && numbers[place] <= most)) mask[place] = 0;
    }
  }
  if (filter.search?.text) {
    const looked = searching(filter.search);
    const texts = await known.searched(filter.search.in ?? "all");
    for (let place = 0; place < segments; place += 1) {
      if (mask[place] && !texts.some((column) => column[place] !== null && looked(column[place]))) mask[place] = 0;
    }
  }
  if (filter.segments) {
    const chosen = new Uint8Array(segments);
    for (const place of filter.segments) if (place >= 0 && place < segments) chosen[place] = 1;
    for (let place = 0; place < segments; place += 1) mask[place] &= chosen[place];
  }
  let count = 0;
  for (let place = 0; place < segments; place += 1) count += mask[place];
  const kept = new Int32Array(count);
  for (let place = 0, next = 0; place < segments; place += 1) if (mask[place]) kept[next++] = place;
  return kept;
}

/**
 * How one types a filter: options of a command, and whether they say all of it.
 *
 * What conditions cannot say is said by the names of the segments that are `kept`, if these are few; `names` are those
 * of all segments, or null where segments are called by their positions.
 */
export function commandOf(filter, kept, names) {
  const where = (filter.where ?? []).flatMap((text) => ["--where", text]);
  if (!filter.ranges?.length && !filter.search?.text && !filter.segments) return { options: where, complete: true };
  if (!kept || kept.length === 0 || kept.length > MOST_NAMED) return { options: where, complete: false };
  const called = Array.from(kept, (place) => (names === null ? String(place) : names[place]));
  if (names !== null) {
    const holds = called.map((name) => fitting(exactly(name)));
    const meant = names.filter((name) => holds.some((one) => one(name))).length;
    if (meant !== kept.length) return { options: where, complete: false };
  }
  return { options: ["--where", `segment=${called.map(exactly).join(",")}`], complete: true };
}
