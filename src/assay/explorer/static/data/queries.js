// What views ask of a campaign, answered from what the page itself holds. A server gives the same answers.

import { columnSums, groupSums, kendallTauB, pearson, percentileRanks, segmentScores } from "../numbers/intervals.js";
import { scorer } from "../numbers/formulas.js";
import { adjustedMeans } from "../numbers/means.js";
import { columnsOf, unitsOf } from "./desk.js";
import { commandOf, exactly, keepsAll, keptBy, numberIn, Said } from "./filters.js";
import { ngramsOf } from "./ngrams.js";

/** Upper ends of the groups by length, in words. */
const LENGTHS = [9, 19, 29, 39, 49];
/** So many filters are remembered, each with what was computed of it. */
const FILTERS = 6;
/** What stands for the name of a document where there is none. */
const NO_DOCUMENT = new Set(["", "-"]);

/** A number as JSON has it: what is none is null. */
function orNull(value) {
  return Number.isFinite(value) ? value : null;
}

/** Nine decimals, as a server has them, so that what is equal is equal: formulas differ in their last digits. */
function rounded(value) {
  return Math.round(value * 1e9) / 1e9;
}

/** All places from 0 on. */
function upTo(count) {
  return Int32Array.from({ length: count }, (_, place) => place);
}

/** An error about a name that nobody has. */
function unknown(what, name, known) {
  return new Said(`There is no ${what} '${name}'. Known: ${known.slice(0, 20).join(", ")}.`);
}

/** A mean of the numbers that are there; NaN of none. */
function meanAt(values, kept) {
  let [total, count] = [0, 0];
  const add = (value) => {
    if (!Number.isNaN(value)) {
      total += value;
      count += 1;
    }
  };
  if (kept === null) values.forEach(add);
  else for (const place of kept) add(values[place]);
  return count ? total / count : NaN;
}

/** The queries of one campaign; each takes one object and gives one. */
export class Queries {
  constructor(campaign, blobs, office) {
    this.campaign = campaign;
    this.blobs = blobs;
    this.office = office;
    this.metrics = new Map(campaign.metrics.map((metric, number) => [metric.name, number]));
    this.systems = new Map(campaign.systems.map((system, number) => [system, number]));
    this.scorers = campaign.metrics.map(({ corpus, segment }) => ({
      corpus: corpus && scorer(corpus),
      segment: segment && scorer(segment),
    }));
    this.made = new Map();
    this.filters = new Map();
  }

  // What is there.

  base() {
    return this.blobs.arrays(`c${this.campaign.index}.base`);
  }

  rows() {
    return this.blobs.arrays(`c${this.campaign.index}.rows`);
  }

  text(column) {
    return this.blobs.json(`c${this.campaign.index}.text.${column}`);
  }

  /** Something that takes long to make, made once. */
  once(key, make) {
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key);
  }

  number(of, what, name) {
    if (!of.has(name)) throw unknown(what, name, [...of.keys()]);
    return of.get(name);
  }

  metric(name) {
    return this.number(this.metrics, "metric", name);
  }

  system(name) {
    return this.number(this.systems, "system", name);
  }

  kind(name) {
    const number = this.campaign.kinds.findIndex((kind) => kind.name === name);
    if (number < 0) throw unknown("kind of judgement", name, this.campaign.kinds.map((kind) => kind.name));
    return number;
  }

  pickedMetrics(names) {
    return (names ?? [...this.metrics.keys()]).map((name) => [name, this.metric(name)]);
  }

  pickedSystems(names) {
    return (names ?? [...this.systems.keys()]).map((name) => [name, this.system(name)]);
  }

  /** The score of every segment; NaN where there is none. */
  async segmentScores(metric, system) {
    const rows = await this.rows();
    return this.once(`scores ${metric} ${system}`, () => {
      const columns = this.scorers[metric].segment && columnsOf(this.campaign, rows, metric, system);
      if (columns) {
        const scores = segmentScores(columns, this.scorers[metric].segment, null);
        const { missing } = this.campaign.metrics[metric].segment;
        return missing === undefined ? scores.map(rounded) : scores;
      }
      const given = rows[`${metric}.${system}.score`];
      return given ? Float64Array.from(given, rounded) : new Float64Array(this.campaign.segments).fill(NaN);
    });
  }

  async delta(metric, a, b) {
    const [first, second] = [await this.segmentScores(metric, a), await this.segmentScores(metric, b)];
    return this.once(`delta ${metric} ${a} ${b}`, () => first.map((score, place) => score - second[place]));
  }

  /** What people say of every segment of a system, on average; NaN where nobody says anything. */
  async human(kind, system) {
    const base = await this.base();
    const cells = this.once(`human ${kind}`, () => {
      const [sums, counts] = [0, 1].map(() => this.campaign.systems.map(() => new Float64Array(this.campaign.segments)));
      const score = base["judgement.score"] ?? [];
      for (let row = 0; row < score.length; row += 1) {
        if (base["judgement.kind"][row] !== kind || Number.isNaN(score[row])) continue;
        sums[base["judgement.system"][row]][base["judgement.segment"][row]] += score[row];
        counts[base["judgement.system"][row]][base["judgement.segment"][row]] += 1;
      }
      return sums.map((of, number) => of.map((sum, place) => (counts[number][place] ? sum / counts[number][place] : NaN)));
    });
    return cells[system];
  }

  /** The same of one rater, or of all systems together. */
  async saidBy(kind, system, rater) {
    const base = await this.base();
    const number = rater === null ? null : this.campaign.raters.indexOf(rater);
    if (number === -1) throw unknown("rater", rater, this.campaign.raters);
    const [sums, counts] = [0, 1].map(() => new Float64Array(this.campaign.segments));
    const score = base["judgement.score"] ?? [];
    for (let row = 0; row < score.length; row += 1) {
      if (base["judgement.kind"][row] !== kind || Number.isNaN(score[row])) continue;
      if (system !== null && base["judgement.system"][row] !== system) continue;
      if (number !== null && base["judgement.rater"][row] !== number) continue;
      sums[base["judgement.segment"][row]] += score[row];
      counts[base["judgement.segment"][row]] += 1;
    }
    return sums.map((sum, place) => (counts[place] ? sum / counts[place] : NaN));
  }

  /** A label as {codes, values}, or a text per segment, by the name that conditions have for it. */
  async column(name) {
    const { labels, columns, named, segments, kept } = this.campaign;
    const label = labels.find((one) => one.name === name);
    if (label) return { codes: (await this.base())[label.array], values: label.values };
    if (name === "segment") return named ? this.text("segment") : Array.from(upTo(segments), String);
    const texts = this.textColumns();
    const column = columns.includes(name) ? `column.${name}` : name;
    if (!texts.includes(column) && !columns.includes(name)) {
      const all = ["segment", ...labels.map((one) => one.name), ...columns, ...texts];
      throw unknown("column to choose segments by", name, all);
    }
    if (kept) throw new Said(`${name}: this page has the texts of some segments alone, which cannot say what all are.`);
    return this.text(column);
  }

  /** Texts by the names of their columns, further columns aside. */
  textColumns() {
    const { systems, references, hasSource, hasTexts } = this.campaign;
    const of = (prefix, names) => names.map((name) => `${prefix}.${name}`);
    return [...(hasSource ? ["source"] : []), ...of("ref", references), ...(hasTexts ? of("sys", systems) : [])];
  }

  /** The columns of texts in which is searched. */
  async searched(where) {
    const texts = this.textColumns();
    const further = this.campaign.columns.map((name) => `column.${name}`);
    const groups = { all: [...texts, ...further], source: texts.filter((name) => name === "source") };
    groups.references = texts.filter((name) => name.startsWith("ref."));
    groups.systems = texts.filter((name) => name.startsWith("sys."));
    const label = this.campaign.labels.find(({ name }) => `column.${name}` === where);
    if (label) {
      const { codes, values } = await this.column(label.name);
      return [Array.from(codes, (code) => values[code])];
    }
    const chosen = Object.hasOwn(groups, where) ? groups[where] : groups.all.filter((name) => name === where);
    if (!Object.hasOwn(groups, where) && !chosen.length) throw unknown("texts to search in", where, groups.all);
    return Promise.all(chosen.map((name) => this.text(name)));
  }

  /** The number of every segment that a range is about. */
  async numbers(range) {
    if (range.of === "length") return (await this.base()).length;
    if (range.of === "score") return this.segmentScores(this.metric(range.metric), this.system(range.system));
    if (range.of === "delta") return this.delta(this.metric(range.metric), this.system(range.a), this.system(range.b));
    if (range.of === "human") {
      const [system, rater] = [range.system ?? null, range.rater ?? null];
      if (system !== null && rater === null) return this.human(this.kind(range.kind), this.system(system));
      return this.saidBy(this.kind(range.kind), system === null ? null : this.system(system), rater);
    }
    if (range.of === "column") {
      const found = await this.column(range.name);
      if (!found.codes) return found.map(numberIn);
      const values = found.values.map(numberIn);
      return Float64Array.from(found.codes, (code) => values[code]);
    }
    throw new Said(`A range is of length, score, delta, human or column, not '${range.of}'.`);
  }

  /** What a filter keeps, remembered: {key, kept: positions or null for all, n, made}. */
  kept(filter = {}) {
    const key = JSON.stringify(filter);
    if (!this.filters.has(key)) {
      const entry = { key, kept: undefined, made: new Map() };
      entry.ready = keptBy(filter, this.campaign.segments, this).then(async (kept) => {
        // Names of segments are wanted at once where a command is copied.
        if (this.campaign.named && !keepsAll(filter)) this.names = await this.text("segment");
        return Object.assign(entry, { kept, n: kept === null ? this.campaign.segments : kept.length });
      });
      this.filters.set(key, entry);
      if (this.filters.size > FILTERS) this.filters.delete(this.filters.keys().next().value);
    } else {
      // The one that was used last is forgotten last.
      const entry = this.filters.get(key);
      this.filters.delete(key);
      this.filters.set(key, entry);
    }
    return this.filters.get(key).ready;
  }

  /** How one types a filter; what takes the names of segments is known once the filter was asked for. */
  commandOf(filter = {}) {
    const entry = this.filters.get(JSON.stringify(filter));
    const names = this.campaign.named ? this.names : null;
    return commandOf(filter, names === undefined ? undefined : entry?.kept, names ?? null);
  }

  // Scores.

  /** The score of what is kept, NaN where there is none: of its sums or, without a formula, the mean of its segments. */
  async corpusScore(metric, system, kept) {
    const rows = await this.rows();
    if (!this.scorers[metric].corpus) return meanAt(await this.segmentScores(metric, system), kept);
    const columns = columnsOf(this.campaign, rows, metric, system);
    return columns === null ? NaN : this.scored(metric, columnSums(columns, kept));
  }

  scored(metric, sums) {
    return sums.some(Number.isNaN) ? NaN : this.scorers[metric].corpus(sums);
  }

  async scoresOf(kept, systems, metrics) {
    const scores = Object.create(null);
    for (const [metric, m] of this.pickedMetrics(metrics)) {
      scores[metric] = Object.create(null);
      for (const [system, s] of this.pickedSystems(systems)) {
        scores[metric][system] = kept?.length === 0 ? null : orNull(await this.corpusScore(m, s, kept));
      }
    }
    return scores;
  }

  scores({ filter, systems, metrics } = {}) {
    return answered(async () => {
      const { kept, n, made } = await this.kept(filter);
      const base = await this.base();
      if (!made.has("units")) made.set("units", n ? unitsOf(this.campaign, base, kept) : { name: null, length: 0 });
      const units = made.get("units");
      const name = units.name ?? this.campaign.unit ?? "segment";
      return { n, unit: name, units: units.length, scores: await this.scoresOf(kept, systems, metrics) };
    });
  }

  groups({ filter, by, systems, metrics, bins }) {
    return answered(async () => {
      const { kept } = await this.kept(filter);
      const { codes, parts } = await this.grouped(by, bins ?? LENGTHS);
      const places = kept ?? upTo(this.campaign.segments);
      const counts = new Int32Array(parts.length);
      const order = [];
      for (const place of places) if (counts[codes[place]]++ === 0) order.push(codes[place]);
      if (by === "length") order.sort((a, b) => a - b);
      const scores = order.map(() => Object.create(null));
      for (const [metric, m] of this.pickedMetrics(metrics)) {
        for (const one of scores) one[metric] = Object.create(null);
        for (const [system, s] of this.pickedSystems(systems)) {
          const values = await this.groupScores(m, s, kept, codes, parts.length);
          order.forEach((code, at) => {
            scores[at][metric][system] = orNull(values[code]);
          });
        }
      }
      return { groups: order.map((code, at) => ({ ...parts[code], n: counts[code], scores: scores[at] })) };
    });
  }

  /** The group of every segment, and what each group is called and chosen by. */
  async grouped(by, bins) {
    if (by === "length") {
      const { length } = await this.base();
      const ends = [...bins, null];
      const codes = Int32Array.from(length, (words) => {
        const found = bins.findIndex((end) => words <= end);
        return found < 0 ? bins.length : found;
      });
      const parts = ends.map((most, at) => {
        const least = at ? bins[at - 1] + 1 : 0;
        return { value: most === null ? `${least}+ words` : `${least}–${most} words`, range: { of: "length", least, most } };
      });
      return { codes, parts };
    }
    const label = this.campaign.labels.find(({ name }) => name === by);
    if (!label) throw unknown("label to group by", by, [...this.campaign.labels.map(({ name }) => name), "length"]);
    const { codes, values } = await this.column(by);
    return { codes, parts: values.map((value) => ({ value, where: [`${by}=${exactly(value)}`] })) };
  }

  async groupScores(metric, system, kept, codes, groups) {
    if (this.scorers[metric].corpus) {
      const columns = columnsOf(this.campaign, await this.rows(), metric, system);
      if (columns === null) return new Float64Array(groups).fill(NaN);
      return groupSums(columns, kept, codes, groups).map((sums) => this.scored(metric, sums));
    }
    const scores = await this.segmentScores(metric, system);
    const [sums, counts] = [new Float64Array(groups), new Float64Array(groups)];
    for (const place of kept ?? upTo(scores.length)) {
      if (Number.isNaN(scores[place])) continue;
      sums[codes[place]] += scores[place];
      counts[codes[place]] += 1;
    }
    return sums.map((sum, group) => (counts[group] ? sum / counts[group] : NaN));
  }

  // Intervals.

  /** Those of scores; `onPart` gets them as they become known. */
  intervals({ filter, of, onPart, signal }) {
    return answered(async () => {
      const entry = await this.kept(filter);
      const tables = of.map(([metric, system]) => [this.metric(metric), this.system(system)]);
      const spell = (number, ends) => [...of[number], orNull(ends[1]), orNull(ends[2])];
      const found = await this.estimated(entry, tables, null, signal, (parts) =>
        onPart?.(parts.map(([number, ends]) => spell(number, ends))),
      );
      return { intervals: found.map((ends, number) => spell(number, ends)) };
    });
  }

  /** How far each system is above another, with intervals if they are wanted. */
  deltas({ filter, against, metrics, systems, intervals = false, onPart, signal }) {
    return answered(async () => {
      const entry = await this.kept(filter);
      const other = this.system(against);
      const chosen = this.pickedSystems(systems).filter(([, number]) => number !== other);
      const wanted = this.pickedMetrics(metrics).flatMap(([metric, m]) => chosen.map(([system, s]) => [metric, system, m, s]));
      const deltas = await Promise.all(wanted.map(([, , m, s]) => this.corpusDelta(m, s, other, entry)));
      const spell = (at, ends) => [wanted[at][0], wanted[at][1], orNull(deltas[at]), orNull(ends[1]), orNull(ends[2])];
      if (!intervals) return { deltas: wanted.map((_, at) => spell(at, [])) };
      const tables = wanted.flatMap(([, , m, s]) => [[m, s], [m, other]]);
      const pairs = wanted.map((_, at) => [2 * at, 2 * at + 1]);
      const found = await this.estimated(entry, tables, pairs, signal, (parts) =>
        onPart?.(parts.map(([at, ends]) => spell(at, ends))),
      );
      return { deltas: found.map((ends, at) => spell(at, ends)) };
    });
  }

  /** The difference of two scores, of the segments that both have one of. */
  async corpusDelta(metric, a, b, { kept, n }) {
    if (n === 0) return NaN;
    const { missing } = this.campaign.metrics[metric].corpus ?? {};
    let common = kept;
    if (missing !== undefined || !this.scorers[metric].corpus) {
      const delta = await this.delta(metric, a, b);
      common = (kept ?? upTo(this.campaign.segments)).filter((place) => !Number.isNaN(delta[place]));
    }
    if (common?.length === 0) return NaN;
    return (await this.corpusScore(metric, a, common)) - (await this.corpusScore(metric, b, common));
  }

  /**
   * [value, low, high] of tables, each [metric, system], or of pairs of them, out of the worker; what is known already is
   * not asked for again. Metrics without intervals here have none.
   */
  async estimated(entry, tables, pairs, signal, onPart) {
    const named = (numbers) => numbers.map((number) => tables[number].join(" ")).join(" - ");
    const jobs = (pairs ?? tables.map((_, number) => [number])).map((numbers) => ({ numbers, key: `ends ${named(numbers)}` }));
    const rows = await this.rows();
    const has = ([metric, system]) =>
      this.campaign.metrics[metric].interval && columnsOf(this.campaign, rows, metric, system) !== null;
    const found = jobs.map(({ numbers, key }) => {
      if (entry.n === 0 || !numbers.every((number) => has(tables[number]))) return [NaN, NaN, NaN];
      return entry.made.get(key) ?? null;
    });
    const known = [...found.entries()].filter(([, ends]) => ends !== null);
    if (known.length) onPart(known);
    const open = [...found.keys()].filter((number) => found[number] === null);
    if (!open.length) return found;
    // Each table once, in the order in which they were named: those in view come first.
    const places = new Map();
    const placeOf = (number) => {
      const key = tables[number].join(" ");
      if (!places.has(key)) places.set(key, places.size);
      return places.get(key);
    };
    const asked = open.map((number) => jobs[number].numbers.map(placeOf));
    const listed = [...places.keys()].map((key) => key.split(" ").map(Number));
    await this.office.ask(
      {
        of: this.campaign.index, filter: entry.key, kept: entry.kept, tables: listed,
        pairs: pairs ? asked : [], singles: pairs ? [] : asked.flat(),
      },
      async () => ({ campaign: this.campaign, base: await this.base(), rows }),
      signal,
      (parts) => {
        const settled = parts.map(([, at, ...ends]) => [open[at], ends]);
        for (const [number, ends] of settled) {
          found[number] = ends;
          entry.made.set(jobs[number].key, ends);
        }
        onPart(settled);
      },
    );
    return found.map((ends) => ends ?? [NaN, NaN, NaN]);
  }

  // Segments.

  segments({ filter, sort = { by: "position" }, descending = false, from = 0, count = 50, systems, metrics, kind }) {
    return answered(async () => {
      const { kept, n, made } = await this.kept(filter);
      const key = `order ${JSON.stringify([sort, descending])}`;
      if (!made.has(key)) made.set(key, await this.ordered(kept ?? upTo(this.campaign.segments), sort, descending));
      const { order, keys } = made.get(key);
      const places = order.slice(from, from + count);
      const [of, under] = [this.pickedSystems(systems), this.pickedMetrics(metrics)];
      const names = this.campaign.named ? await this.text("segment") : null;
      const labels = await this.labelled();
      const scores = [];
      for (const [metric, m] of under) {
        for (const [system, s] of of) scores.push([metric, system, await this.segmentScores(m, s)]);
      }
      const said = [];
      if (kind) for (const [system, s] of this.systems) said.push([system, await this.human(this.kind(kind), s)]);
      const rows = Array.from(places, (place) => {
        const row = { segment: place, name: names === null ? String(place) : names[place], labels: labels(place) };
        row.scores = Object.fromEntries(under.map(([metric]) => [metric, Object.create(null)]));
        for (const [metric, system, values] of scores) row.scores[metric][system] = orNull(values[place]);
        row.human = Object.fromEntries(said.map(([system, values]) => [system, orNull(values[place])]));
        row.key = orNull(keys(place));
        return row;
      });
      return { n, rows };
    });
  }

  /** What says the labels of a segment. */
  async labelled() {
    const base = await this.base();
    const labels = this.campaign.labels.map(({ name, values, array }) => [name, values, base[array]]);
    return (place) => Object.fromEntries(labels.map(([name, values, codes]) => [name, values[codes[place]]]));
  }

  /** Positions in the order that is wanted, and the value of each that they are sorted by. */
  async ordered(places, sort, descending) {
    const values = await this.sorted(places, sort);
    const keys = new Float64Array(this.campaign.segments).fill(NaN);
    places.forEach((place, number) => {
      keys[place] = values[number];
    });
    const there = places.filter((place) => !Number.isNaN(keys[place]));
    const missing = places.filter((place) => Number.isNaN(keys[place]));
    const sign = descending ? -1 : 1;
    const order = new Int32Array(places.length);
    order.set(there.sort((a, b) => sign * (keys[a] - keys[b]) || a - b));
    order.set(missing, there.length);
    return { order, keys: (place) => keys[place] };
  }

  /** The number of each of some segments that they are sorted by. */
  async sorted(places, { by, metric, other, a, b, kind }) {
    const at = (values) => Float64Array.from(places, (place) => values[place]);
    const turned = (m) => (this.campaign.metrics[m].better === "lower" ? -1 : 1);
    if (by === "position") return at(upTo(this.campaign.segments));
    if (by === "length") return at((await this.base()).length);
    if (by === "score") return at(await this.segmentScores(this.metric(metric), this.system(a)));
    if (by === "delta") return at(await this.delta(this.metric(metric), this.system(a), this.system(b)));
    if (by === "human") return at(await this.human(this.kind(kind), this.system(a)));
    const ranks = async (name) => {
      const m = this.metric(name);
      const bare = b === undefined || b === null || by === "gap";
      const values = bare ? await this.segmentScores(m, this.system(a)) : await this.delta(m, this.system(a), this.system(b));
      return percentileRanks(at(values).map((value) => turned(m) * value));
    };
    if (by === "disagreement") {
      const [first, second] = [await ranks(metric), await ranks(other)];
      return first.map((rank, number) => Math.abs(rank - second[number]));
    }
    if (by === "gap") {
      const people = percentileRanks(at(await this.human(this.kind(kind), this.system(a))));
      const scored = await ranks(metric);
      return people.map((rank, number) => rank - scored[number]);
    }
    throw new Said(`Segments are sorted by position, score, delta, disagreement, human, gap or length, not '${by}'.`);
  }

  texts({ segments, columns }) {
    return answered(async () => {
      const texts = Object.create(null);
      for (const name of columns) {
        const label = name.startsWith("column.") && this.campaign.labels.find((one) => `column.${one.name}` === name);
        const found = label ? await this.column(label.name) : await this.text(name);
        texts[name] = segments.map((place) => (found?.codes ? found.values[found.codes[place]] : found?.[place]) ?? null);
      }
      return texts;
    });
  }

  segment({ segment: place }) {
    return answered(async () => {
      const { campaign } = this;
      if (!(place >= 0 && place < campaign.segments)) {
        throw new Said(`Segment ${place} is not there: ${campaign.name} has ${campaign.segments}, from 0 on.`);
      }
      const [base, rows] = [await this.base(), await this.rows()];
      const at = async (column) => (await this.text(column))?.[place] ?? null;
      const each = async (names, value) => {
        const found = Object.create(null);
        for (const name of names) found[name] = await value(name);
        return found;
      };
      const scores = await each(this.metrics.keys(), (metric) =>
        each(this.systems.keys(), async (system) =>
          orNull((await this.segmentScores(this.metric(metric), this.system(system)))[place]),
        ),
      );
      const counted = await each(this.metrics.keys(), (metric) =>
        each(this.systems.keys(), (system) => {
          const columns = columnsOf(campaign, rows, this.metric(metric), this.system(system));
          return columns === null ? [] : columns.map((column) => column[place]);
        }),
      );
      return {
        segment: place,
        name: campaign.named ? await at("segment") : String(place),
        labels: (await this.labelled())(place),
        source: await at("source"),
        references: await each(campaign.references, (name) => at(`ref.${name}`)),
        systems: await each(campaign.systems, (name) => at(`sys.${name}`)),
        columns: await each(campaign.columns, (name) => at(`column.${name}`)),
        scores,
        rows: counted,
        judgements: await this.judged(base, place),
        document: await this.documentOf(base, place),
      };
    });
  }

  /** The judgements of a segment. */
  async judged(base, place) {
    const { campaign } = this;
    const segments = base["judgement.segment"] ?? [];
    const rows = [...segments.keys()].filter((row) => segments[row] === place);
    const spans = rows.length ? await this.blobs.json(`c${campaign.index}.spans`) : null;
    return rows.map((row) => ({
      system: campaign.systems[base["judgement.system"][row]],
      rater: campaign.raters[base["judgement.rater"][row]] ?? null,
      kind: campaign.kinds[base["judgement.kind"][row]]?.name ?? null,
      score: orNull(base["judgement.score"][row]),
      spans: spans?.[row] ?? [],
    }));
  }

  /** The document that a segment is of, with all its segments; null where it names none. */
  async documentOf(base, place) {
    if (!base["document.named"]?.[place]) return null;
    const found = await this.nameOfDocument(place);
    const [low, high] = [base["unit.low"], base["unit.high"]];
    const segments = [];
    for (let other = 0; other < low.length; other += 1) {
      if (low[other] === low[place] && high[other] === high[place]) segments.push(other);
    }
    return { name: found, segments, place: segments.indexOf(place) };
  }

  async nameOfDocument(place) {
    const label = this.campaign.labels.find(({ name }) => name === "document");
    if (label) return label.values[(await this.base())[label.array][place]];
    return (await this.text("column.document"))?.[place] ?? null;
  }

  ngrams({ filter, a, b, reference, most = 4, limit = 30 }) {
    return answered(async () => {
      const { kept, n } = await this.kept(filter);
      const { references, hasTexts } = this.campaign;
      const [first, second] = [this.system(a), this.system(b)].map((number) => this.campaign.systems[number]);
      if (reference && !references.includes(reference)) throw unknown("reference", reference, references);
      if (!hasTexts || !references.length) throw new Said("N-grams take translations and references, and there are none.");
      const texts = (name) => this.text(name);
      const [ours, theirs] = [await texts(`sys.${first}`), await texts(`sys.${second}`)];
      const against = await Promise.all((reference ? [reference] : references).map((name) => texts(`ref.${name}`)));
      return { over: n, ...ngramsOf(kept ?? upTo(this.campaign.segments), ours, theirs, against, most, limit) };
    });
  }

  // Many segments at once.

  /**
   * Scores of systems as `assay meta` has them: people's are adjusted for the segments that a system lacks, and beside
   * people metrics score the segments that were judged.
   */
  async ofSystems(axis, beside, systems, places) {
    const judged = async (kind) => Promise.all(systems.map((s) => this.human(this.kind(kind), s)));
    if (axis.kind !== undefined) return adjustedMeans(await judged(axis.kind), places);
    const cells = beside.kind === undefined ? null : await judged(beside.kind);
    const kept = cells ? places.filter((place) => cells.some((of) => !Number.isNaN(of[place]))) : places;
    const metric = this.metric(axis.metric);
    return Promise.all(systems.map((s) => (kept.length ? this.corpusScore(metric, s, kept) : NaN)));
  }

  points({ filter, level = "system", x, y, systems, most = 5000 }) {
    return answered(async () => {
      const { kept, n } = await this.kept(filter);
      const places = kept ?? upTo(this.campaign.segments);
      const values = async (axis, s) =>
        axis.kind === undefined ? this.segmentScores(this.metric(axis.metric), s) : this.human(this.kind(axis.kind), s);
      const picked = this.pickedSystems(systems).map(([, s]) => s);
      const points = [];
      if (level === "system") {
        const [across, up] = [await this.ofSystems(x, y, picked, places), await this.ofSystems(y, x, picked, places)];
        picked.forEach((s, row) => points.push([across[row], up[row], s, -1]));
      }
      for (const s of level === "system" ? [] : picked) {
        const [across, up] = [await values(x, s), await values(y, s)];
        for (const place of places) points.push([across[place], up[place], s, place]);
      }
      const there = points.filter(([across, up]) => Number.isFinite(across) && Number.isFinite(up));
      const [across, up] = [0, 1].map((axis) => Float64Array.from(there, (point) => point[axis]));
      const answer = { n: there.length, pearson: orNull(pearson(across, up)), kendall: orNull(kendallTauB(across, up)) };
      return { ...answer, points: there.length > most ? some(there, most) : there };
    });
  }

  distribution({ filter, metric, a, b, bins = 40 }) {
    return answered(async () => {
      const { kept } = await this.kept(filter);
      const [m, s] = [this.metric(metric), this.system(a)];
      const isBare = b === undefined || b === null;
      const all = isBare ? await this.segmentScores(m, s) : await this.delta(m, s, this.system(b));
      const values = (kept === null ? all : Float64Array.from(kept, (place) => all[place])).filter(Number.isFinite);
      if (!values.length) return { edges: [], counts: [], n: 0, mean: null };
      let [least, highest] = [Infinity, -Infinity];
      for (const value of values) {
        least = Math.min(least, value);
        highest = Math.max(highest, value);
      }
      if (least === highest) [least, highest] = [least - 0.5, highest + 0.5];
      const counts = Array.from({ length: bins }, () => 0);
      for (const value of values) {
        counts[Math.min(Math.floor(((value - least) / (highest - least)) * bins), bins - 1)] += 1;
      }
      const edges = Array.from({ length: bins + 1 }, (_, at) => least + ((highest - least) * at) / bins);
      return { edges, counts, n: values.length, mean: orNull(meanAt(values, null)) };
    });
  }

  raters({ filter, kind }) {
    return answered(async () => {
      const { kept } = await this.kept(filter);
      const base = await this.base();
      const wanted = this.kind(kind);
      const mask = new Uint8Array(this.campaign.segments).fill(kept === null ? 1 : 0);
      for (const place of kept ?? []) mask[place] = 1;
      const [rater, score] = [base["judgement.rater"], base["judgement.score"]];
      // A kind of judgement that is known has judgements.
      const rows = [...score.keys()].filter(
        (row) =>
          base["judgement.kind"][row] === wanted && rater[row] >= 0 && mask[base["judgement.segment"][row]] &&
          !Number.isNaN(score[row]),
      );
      const items = new Map();
      const itemOf = (row) => base["judgement.system"][row] * this.campaign.segments + base["judgement.segment"][row];
      for (const row of rows) {
        const item = items.get(itemOf(row)) ?? { raters: new Set(), sum: 0, n: 0 };
        item.raters.add(rater[row]);
        item.sum += score[row];
        item.n += 1;
        items.set(itemOf(row), item);
      }
      const by = new Map();
      for (const row of rows) {
        if (!by.has(rater[row])) by.set(rater[row], []);
        by.get(rater[row]).push(row);
      }
      const apart = (row) => {
        const item = items.get(itemOf(row));
        return item.raters.size > 1 ? score[row] - item.sum / item.n : NaN;
      };
      const names = [...by.keys()].sort((one, other) => one - other);
      return {
        raters: names.map((name) => {
          const own = by.get(name);
          const mean = own.reduce((sum, row) => sum + score[row], 0) / own.length;
          const square = own.reduce((sum, row) => sum + (score[row] - mean) ** 2, 0);
          const severity = own.map(apart);
          const tenth = (at) => severity.slice(Math.floor((at * own.length) / 10), Math.floor(((at + 1) * own.length) / 10));
          return {
            rater: this.campaign.raters[name],
            n: own.length,
            mean,
            sd: own.length > 1 ? Math.sqrt(square / (own.length - 1)) : null,
            severity: orNull(meanAt(severity, null)),
            drift: Array.from({ length: 10 }, (_, at) => orNull(meanAt(tenth(at), null))),
          };
        }),
      };
    });
  }
}

/** The answer of some work; an error that is a sentence is an answer, too. */
async function answered(work) {
  try {
    return await work();
  } catch (error) {
    if (error.isSaid) return { error: error.message };
    throw error;
  }
}

/** Some of many points, always the same: those with the smallest hash, by system and segment. */
function some(points, most) {
  const hash = ([, , system, place]) => (Math.imul(place + 1, 2654435761) ^ Math.imul(system + 1, 2246822519)) >>> 0;
  const numbered = points.map((point, number) => [hash(point), number]);
  numbered.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return numbered.slice(0, most).map(([, number]) => number).sort((one, other) => one - other).map((number) => points[number]);
}
