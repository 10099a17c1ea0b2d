/* Scores of what a filter keeps, and intervals of scores and differences: those of `assay score` and `assay compare`.

   Everywhere `columns` holds a typed array per column of a metric's rows, each of all segments of a campaign, and
   `kept` the positions of the segments that count, rising; null for all. A table is {columns, score, twin} of a system
   under a metric, `score` being scorer(twin).

   estimates() is a generator, so that a worker can say how far it is, and stop when nobody waits any more:

     const units = chooseUnits(kept, segments, base, unit);
     const work = estimates({ tables, pairs: [[0, 1]], units, draws: { seed, purpose, samples } });
     for (let step = work.next(); !step.done; step = work.next()) {
       post(step.value);          // { share: 0..1, found: [["single" | "pair", number, value, low, high], …] }
       await pause();
       if (stale) return;
     }
     // The value at the end: { singles: [[value, low, high], …], pairs: [[value, low, high], …] }

   Tables that come first are done first. Draws of the last units are kept, so that a second call is cheap. */

import { counts } from "./draws.js";
import { cdf, studentQuantile, studentT } from "./normal.js";

/** Fewer units say nothing of how others would turn out: there is no interval. */
const FEWEST_UNITS = 5;
/** Up to so many units a draw may come out empty, more than once in 10^17. */
const NEVER_EMPTY = 40;
/** What a 95 % interval leaves out at either end. */
const TAIL = (1 - 0.95) / 2;
/** Where fewer units differ, and others do not, samples know too little of those that would. */
const RARE = 10;
/** Differences that are smaller are none: rounding decides nothing. */
const EQUAL = 1e-9;
/** So many counts are kept, and so many numbers of tables are worked on at a time. */
const MOST_KEPT = 32e6, MOST_AT_ONCE = 8e6;
/** Products between two looks at the clock, and milliseconds of work between two reports. */
const STRETCH = 4e6, PATIENCE = 12;

/** The sum of the rows that count. */
export function columnSums(columns, kept, out = new Float64Array(columns.length)) {
  for (let column = 0; column < columns.length; column++) {
    out[column] = kept === null ? sum(columns[column]) : sumAt(columns[column], kept);
  }
  return out;
}

function sum(values) {
  let total = 0;
  for (let place = 0; place < values.length; place++) total += values[place];
  return total;
}

function sumAt(values, places) {
  let total = 0;
  for (let number = 0; number < places.length; number++) total += values[places[number]];
  return total;
}

/** The score of each segment that counts; NaN where it has none. */
export function segmentScores(columns, score, kept) {
  const scores = new Float64Array(kept === null ? columns[0].length : kept.length);
  const row = new Float64Array(columns.length);
  for (let number = 0; number < scores.length; number++) {
    const place = kept === null ? number : kept[number];
    for (let column = 0; column < row.length; column++) row[column] = columns[column][place];
    scores[number] = score(row);
  }
  return scores;
}

/** The sum of the rows of each group; `codes` has the group of every segment, those beyond the last are in none. */
export function groupSums(columns, kept, codes, groups) {
  const sums = Array.from({ length: groups }, () => new Float64Array(columns.length));
  const count = kept === null ? codes.length : kept.length;
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column];
    for (let number = 0; number < count; number++) {
      const place = kept === null ? number : kept[number], group = codes[place];
      if (group >= 0 && group < groups) sums[group][column] += values[place];
    }
  }
  return sums;
}

/**
 * What is drawn as a whole among the segments that count: documents if there are several, else segments, or what `unit`
 * says. `base` is {low, high, named} of all segments: the keys of their documents in halves, and whether they name one;
 * null where none does.
 */
export function chooseUnits(kept, segments, base, unit = null) {
  const places = kept ?? Int32Array.from({ length: segments }, (_, place) => place);
  if (base === null || unit === "segment") return segmentUnits(places);
  const documents = documentUnits(places, base);
  if (unit === "document") return documents;
  const known = new Set(documents.codes.filter((_, number) => base.named[places[number]])).size;
  return 1 < known && known < places.length ? documents : segmentUnits(places);
}

function segmentUnits(kept) {
  const length = kept.length;
  return { name: "segment", length, low: Uint32Array.from(kept), high: new Uint32Array(length), codes: null, kept };
}

function documentUnits(kept, { low, high }) {
  const numbers = new Map(), codes = new Int32Array(kept.length), first = [];
  kept.forEach((place, number) => {
    const key = `${high[place]} ${low[place]}`;
    if (!numbers.has(key)) {
      numbers.set(key, first.length);
      first.push(place);
    }
    codes[number] = numbers.get(key);
  });
  const halves = [low, high].map(half => Uint32Array.from(first, place => half[place]));
  return { name: "document", length: first.length, low: halves[0], high: halves[1], codes, kept };
}

/** Values, with intervals of single tables (`singles`: their numbers) and of differences (`pairs`): see above. */
export function* estimates({ tables, pairs = [], singles = pairs.length ? [] : [...tables.keys()], units, draws }) {
  const { jobs, wanted } = planned(tables, pairs, singles, units);
  const answers = { single: [], pair: [] };
  const stretches = draws.samples > 0 ? batches(wanted.filter(one => one.size >= FEWEST_UNITS), units, draws) : [];
  let found = [], time = performance.now();

  function settle() {
    for (const job of jobs) {
      if (job.settled || !job.parts.every(part => part.done)) continue;
      job.settled = true;
      const answer = [job.value(), ...job.ends()];
      answers[job.kind][job.number] = answer;
      found.push([job.kind, job.number, ...answer]);
    }
  }

  for (const one of wanted) one.done = draws.samples === 0 || one.size < FEWEST_UNITS;
  settle();
  for (const { share, finished } of stretches) {
    if (finished) settle();
    if (performance.now() - time >= PATIENCE) {
      yield { share, found };
      found = [];
      time = performance.now();
    }
  }
  if (found.length) yield { share: 1, found };
  return { singles: answers.single, pairs: answers.pair };
}

/** What is asked for, and the tables that it takes: each with the segments that it is looked at on. */
function planned(tables, pairs, singles, units) {
  const masks = [null], wanted = new Map();
  const lacking = tables.map(table => known(masks, thereIn(table, units.kept)));

  function sampled(table, mask) {
    const key = `${table} ${mask}`;
    if (!wanted.has(key)) wanted.set(key, new Sampled(table, tables[table], masks[mask], units));
    return wanted.get(key);
  }

  const jobs = singles.map((table, number) => {
    const one = sampled(table, lacking[table]);
    const ends = () => (one.drawn ? interval(one.drawn, one.size, one.jackknife) : NO_INTERVAL);
    return { kind: "single", number, parts: [one], value: () => one.value, ends };
  });
  jobs.push(
    ...pairs.map(([a, b], number) => {
      const mask = known(masks, both(masks[lacking[a]], masks[lacking[b]]));
      const parts = [sampled(a, mask), sampled(b, mask)];
      const value = () => parts[0].value - parts[1].value;
      return { kind: "pair", number, parts, value, ends: () => difference(...parts) };
    })
  );
  // A job may come before all others if its tables do.
  return { jobs, wanted: [...wanted.values()].sort((one, other) => one.number - other.number) };
}

/** Which segments have a score, 1 or 0 each; null where all have. */
function thereIn({ columns, twin }, kept) {
  if (twin.missing === undefined) return null;
  const there = Uint8Array.from(kept, place => (columns[twin.missing][place] === 0 ? 0 : 1));
  return there.includes(0) ? there : null;
}

function both(one, other) {
  return one === null || other === null ? (one ?? other) : one.map((there, place) => there & other[place]);
}

/** The number of a mask in a list, to which it is added if it is new. */
function known(masks, mask) {
  const same = other => other === mask || (other && mask && other.every((there, place) => there === mask[place]));
  const number = masks.findIndex(same);
  return number >= 0 ? number : masks.push(mask) - 1;
}

/** A table on some segments: its score, and what draws make of it. */
class Sampled {
  constructor(number, { columns, score, twin }, mask, units) {
    Object.assign(this, { number, columns, score, twin, mask, units, drawn: null, jackknife: null });
    const { kept, codes, length } = units;
    this.kept = mask === null ? kept : kept.filter((_, place) => mask[place]);
    this.total = columnSums(columns, this.kept);
    this.value = this.kept.length && !this.total.some(Number.isNaN) ? score(this.total) : NaN;
    // The units that have one of these segments.
    this.members = Int32Array.from({ length }, (_, unit) => unit);
    if (mask !== null) {
      const there = new Uint8Array(length);
      kept.forEach((_, place) => mask[place] && (there[codes === null ? place : codes[place]] = 1));
      this.members = this.members.filter(unit => there[unit]);
    }
    this.size = this.members.length;
    // An even number of columns, so that two can be summed at a time.
    this.width = columns.length + (columns.length % 2);
    this.cells = this.width * length;
  }

  /** Sums of rows by unit, a column after the other, and room for what draws add up. */
  open(samples) {
    const { kept, codes, length } = this.units, mask = this.mask;
    this.byUnit = Array.from({ length: this.width }, (_, number) => {
      const sums = new Float64Array(length), values = this.columns[number];
      if (values === undefined) return sums;
      for (let place = 0; place < kept.length; place++) {
        if (mask === null || mask[place]) sums[codes === null ? place : codes[place]] += values[kept[place]];
      }
      return sums;
    });
    this.sums = new Float64Array(this.width * samples);
    this.empty = this.byUnit.map(sums => sums.every(one => one === 0));
  }

  /** Scores under all draws, and without each unit in turn. */
  close({ seed, purpose, samples }) {
    const row = new Float64Array(this.width), { low, high } = this.units, members = this.members;
    this.drawn = new Float64Array(samples);
    for (let draw = 0; draw < samples; draw++) this.drawn[draw] = this.score(this.sums, draw * this.width);
    if (this.size <= NEVER_EMPTY) {
      const keys = [low, high].map(half => Uint32Array.from(members, unit => half[unit]));
      const drawn = counts({ seed, purpose }, ...keys, 0, samples);
      for (let draw = 0; draw < samples; draw++) {
        if (!drawn.subarray(draw * this.size, (draw + 1) * this.size).some(Boolean)) this.drawn[draw] = NaN;
      }
    }
    this.jackknife = new Float64Array(this.size);
    // What each unit adds to the score where that is a mean of single scores.
    this.shares = this.twin.sizes === undefined ? null : [];
    for (let number = 0; number < this.size; number++) {
      for (let column = 0; column < this.columns.length; column++) {
        row[column] = this.byUnit[column][members[number]];
      }
      this.shares?.push((this.score(row) * row[this.twin.sizes]) / this.total[this.twin.sizes]);
      for (let column = 0; column < this.columns.length; column++) row[column] = this.total[column] - row[column];
      this.jackknife[number] = this.score(row);
    }
    if (Number.isNaN(this.value)) this.drawn.fill(NaN);
    this.byUnit = this.sums = null;
    this.done = true;
  }
}

/** Draw, and add up the rows of tables under all draws: {share, finished} after each stretch of work. */
function* batches(wanted, units, draws) {
  const { samples } = draws, padded = Math.ceil(samples / 4) * 4, length = units.length;
  const store = storeOf(units, draws, padded);
  const work = wanted.reduce((total, one) => total + one.cells, 0) || 1;
  let ahead = [...wanted], behind = 0;
  if (wanted.length) yield { share: 0, finished: false };
  while (ahead.length) {
    const batch = [ahead.shift()];
    let cells = batch[0].cells;
    // Where counts are made anew for each batch there are as few batches as memory allows.
    while (store.table === null && ahead.length && cells + ahead[0].cells <= MOST_AT_ONCE) {
      cells += ahead[0].cells;
      batch.push(ahead.shift());
    }
    for (const one of batch) one.open(padded);
    const stretch = Math.max(4, Math.floor(STRETCH / cells / 4) * 4);
    const weights = new Float64Array(Math.min(stretch, padded) * length);
    for (let draw = 0; draw < padded; draw += stretch) {
      const rows = Math.min(stretch, padded - draw);
      weights.set(storedCounts(store, draw, rows));
      for (const one of batch) addUp(weights, rows, one, draw);
      yield { share: (behind + (cells * (draw + rows)) / padded) / work, finished: false };
    }
    for (const one of batch) {
      one.close(draws);
      yield { share: (behind + cells) / work, finished: true };
    }
    behind += cells;
  }
}

let lastStore = null;

/** Room for how often each unit counts in each draw, if that is not too much; the last one is kept with what it has. */
function storeOf({ low, high, length }, { seed, purpose }, samples) {
  const same = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);
  const last = lastStore;
  if (
    last === null || last.seed !== seed || last.purpose !== purpose || last.samples !== samples ||
    !same(last.low, low) || !same(last.high, high)
  ) {
    const table = length * samples <= MOST_KEPT ? new Uint8Array(length * samples) : null;
    lastStore = { seed, purpose, samples, low, high, table, known: 0 };
  }
  return lastStore;
}

/** How often each unit counts in some draws, which are made where they are not known yet. */
function storedCounts(store, first, draws) {
  const { low, high, table, known } = store, units = low.length, end = first + draws;
  if (table === null) return counts(store, low, high, first, draws);
  if (known < end) {
    table.set(counts(store, low, high, known, end - known), known * units);
    store.known = end;
  }
  return table.subarray(first * units, end * units);
}

/** Sums of a table's columns under some rows of weights, from draw `first` on: four rows and two columns at a time. */
function addUp(weights, rows, { byUnit, sums, width, empty }, first) {
  const length = byUnit[0].length;
  for (let row = 0; row < rows; row += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map(next => weights.subarray((row + next) * length, (row + next + 1) * length));
    for (let column = 0; column < width; column += 2) {
      if (empty[column] && empty[column + 1]) continue;
      const x = byUnit[column], y = byUnit[column + 1];
      let ax = 0, bx = 0, cx = 0, dx = 0, ay = 0, by = 0, cy = 0, dy = 0;
      for (let unit = 0; unit < length; unit++) {
        const p = x[unit], q = y[unit], s = a[unit], t = b[unit], u = c[unit], v = d[unit];
        ax += s * p;
        bx += t * p;
        cx += u * p;
        dx += v * p;
        ay += s * q;
        by += t * q;
        cy += u * q;
        dy += v * q;
      }
      let at = (first + row) * width + column;
      sums[at] = ax;
      sums[at + 1] = ay;
      sums[(at += width)] = bx;
      sums[at + 1] = by;
      sums[(at += width)] = cx;
      sums[at + 1] = cy;
      sums[(at += width)] = dx;
      sums[at + 1] = dy;
    }
  }
}

const NO_INTERVAL = [null, null];

/**
 * The middle 95 % of what draws of `units` gave, widened as Student's t is wider than the normal: by the number of
 * units and, where `jackknife` has the value without each of them, by how unequal they are. None of fewer than five
 * units, nor where most draws have no value.
 */
export function interval(drawn, units, jackknife = null) {
  const finite = drawn.filter(Number.isFinite).sort();
  if (units < FEWEST_UNITS || finite.length < Math.max(0.5 * drawn.length, 2)) return NO_INTERVAL;
  const tail = widenedTail(TAIL, units, jackknife);
  return [quantile(finite, tail), quantile(finite, 1 - tail)];
}

/** The value at a share of sorted ones, with straight lines between them: the k-th of n stands at k / (n + 1). */
export function quantile(sorted, level) {
  const place = Math.min(Math.max(level * (sorted.length + 1) - 1, 0), sorted.length - 1);
  const before = Math.floor(place), after = Math.min(before + 1, sorted.length - 1);
  return sorted[before] + (sorted[after] - sorted[before]) * (place - before);
}

/** The tail of a bootstrap that stands for `tail` of the truth: few units leave less beyond an interval. */
export function widenedTail(tail, units, jackknife = null) {
  return cdf(studentQuantile(tail, degreesOfFreedom(units, jackknife)) * Math.sqrt(units / (units - 1)));
}

/** Of the t that stands for the error of so many units, at least 3: a variance is as good as its kurtosis is small. */
function degreesOfFreedom(units, jackknife) {
  let freedom = units - 1;
  if (jackknife !== null && jackknife.length === units && jackknife.every(Number.isFinite)) {
    const mean = sum(jackknife) / units;
    let square = 0, fourth = 0;
    for (const value of jackknife) {
      const influence = (mean - value) ** 2;
      square += influence;
      fourth += influence ** 2;
    }
    if (square > 0) {
      const kurtosis = (units * fourth) / square ** 2;
      freedom = Math.min((2 * units) / Math.max(kurtosis - 1, 1e-9), freedom);
    }
  }
  return Math.max(freedom, 3);
}

/** The interval of the first table's score less the second's. */
function difference(first, second) {
  if (!first.drawn || !second.drawn) return NO_INTERVAL;
  const less = (one, other) => one.map((value, place) => value - other[place]);
  const ends = interval(less(first.drawn, second.drawn), first.size, less(first.jackknife, second.jackknife));
  return seldomDifferent(first.shares, second.shares, ends);
}

/**
 * The interval, made wider where it is of two means over the same segments of which few differ: samples know nothing of
 * differences that did not come up. Then it holds Student's t over the units and two more, one to each side, which
 * differ as the others do or, where none does, by the smallest step between scores.
 */
function seldomDifferent(first, second, ends) {
  if (first === null || second === null || ends[0] === null) return ends;
  const units = first.length, [ours, theirs] = [first, second].map(shares => shares.map(share => share * units));
  const largest = [...ours, ...theirs].reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  const equal = EQUAL * Math.max(1, largest);
  const apart = ours.map((score, place) => score - theirs[place]);
  const differing = apart.filter(gap => Math.abs(gap) > equal);
  if (differing.length >= Math.min(RARE, units)) return ends;
  const step = differing.length
    ? Math.sqrt(sum(differing.map(gap => gap * gap)) / differing.length)
    : smallestStep([...ours, ...theirs], equal, units);
  if (step === null) return NO_INTERVAL;
  const more = [...apart.map(gap => (Math.abs(gap) > equal ? gap : 0)), step, -step];
  const mean = sum(more) / more.length;
  const variance = sum(more.map(gap => (gap - mean) ** 2)) / (more.length - 1);
  const reach = -studentT(TAIL, more.length - 1) * Math.sqrt(variance / more.length);
  return [Math.min(ends[0], mean - reach), Math.max(ends[1], mean + reach)];
}

/** The smallest difference between scores that come in steps; 0 if they do not, null if all are the same. */
function smallestStep(scores, equal, units) {
  const sorted = Float64Array.from(scores).sort();
  let smallest = Infinity, gaps = 0;
  for (let place = 1; place < sorted.length; place++) {
    const gap = sorted[place] - sorted[place - 1];
    if (gap > equal) {
      gaps++;
      smallest = Math.min(smallest, gap);
    }
  }
  if (gaps === 0) return null;
  return 2 * (gaps + 1) <= units ? smallest : 0;
}

/** Sums of squares below this share of the uncentred ones are zero up to rounding. */
const ROUNDING = 1e-12;

/** Pearson's correlation; NaN where nothing is defined. */
export function pearson(x, y) {
  const count = x.length, [ours, theirs] = [x, y].map(standardised);
  let xx = 0, yy = 0, xy = 0, sx = 0, sy = 0;
  for (let place = 0; place < count; place++) {
    const p = ours[place], q = theirs[place];
    sx += p;
    sy += q;
    xx += p * p;
    yy += q * q;
    xy += p * q;
  }
  const squares = [xx - (sx * sx) / count, yy - (sy * sy) / count];
  if (!(squares[0] > ROUNDING * xx && squares[1] > ROUNDING * yy)) return NaN;
  return within((xy - (sx * sy) / count) / (Math.sqrt(squares[0]) * Math.sqrt(squares[1])));
}

/** Values less their mean, with 1 as the largest, so that no square overflows or vanishes; a constant becomes 0. */
function standardised(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(low < high)) return new Float64Array(values.length);
  const mean = sum(values) / values.length, largest = Math.max(high - mean, mean - low);
  return Float64Array.from(values, value => (value - mean) / largest);
}

function within(correlation) {
  return Math.min(Math.max(correlation, -1), 1);
}

/** Kendall's tau-b; NaN where nothing is defined. */
export function kendallTauB(x, y) {
  const count = x.length, order = Uint32Array.from({ length: count }, (_, place) => place);
  order.sort((one, other) => x[one] - x[other] || y[one] - y[other]);
  const rank = Float64Array.from(order, place => y[place]);
  const sameX = ties(count, (one, other) => x[order[one]] === x[order[other]]);
  const sameBoth = ties(count, (one, other) => x[order[one]] === x[order[other]] && rank[one] === rank[other]);
  const swaps = inversions(rank), all = (count * (count - 1)) / 2;
  const sameY = ties(count, (one, other) => rank[one] === rank[other]);
  const differ = [all - sameX, all - sameY];
  if (!(differ[0] > 0 && differ[1] > 0)) return NaN;
  return within((all - sameX - sameY + sameBoth - 2 * swaps) / Math.sqrt(differ[0] * differ[1]));
}

/** How many pairs are the same among so many that stand in order. */
function ties(count, same) {
  let pairs = 0, run = 0;
  for (let place = 1; place < count; place++) {
    run = same(place - 1, place) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

/** How many pairs fall; the values are sorted by that. */
function inversions(values) {
  let from = values, to = new Float64Array(values.length), pairs = 0;
  for (let size = 1; size < values.length; size *= 2) {
    for (let start = 0; start < values.length; start += 2 * size) {
      const middle = Math.min(start + size, values.length), end = Math.min(start + 2 * size, values.length);
      let left = start, right = middle;
      for (let place = start; place < end; place++) {
        if (left < middle && (right >= end || from[left] <= from[right])) to[place] = from[left++];
        else {
          pairs += middle - left;
          to[place] = from[right++];
        }
      }
    }
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
  return pairs;
}

/** Ranks from 0 to 1 among the values that are there, equal ones with their mean; NaN for NaN, one half if alone. */
export function percentileRanks(values) {
  const order = Uint32Array.from(values.keys()).filter(place => !Number.isNaN(values[place]));
  order.sort((one, other) => values[one] - values[other]);
  const ranks = new Float64Array(values.length).fill(NaN), last = order.length - 1;
  for (let start = 0; start <= last; ) {
    let end = start;
    while (end < last && values[order[end + 1]] === values[order[start]]) end++;
    const rank = last > 0 ? (start + end) / 2 / last : 0.5;
    for (; start <= end; start++) ranks[order[start]] = rank;
  }
  return ranks;
}
