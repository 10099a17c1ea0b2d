// The segments that the filter keeps, in any order, with whatever is to be seen in their texts.

import { append, fill, foreign, h, number, whole } from "../app/dom.js";
import { withCondition } from "../app/filterbar.js";
import { keys } from "../app/keys.js";
import { choice, head, linkTo, must, select, systemName } from "../app/parts.js";
import { exactly } from "../data/filters.js";
import { longList } from "./list.js";
import { ngramPanel, ngramSaid } from "./ngrams.js";
import { notesList, notesOf } from "./notes.js";
import {
  MARKS, absentSaid, chosenMarks, deltasOf, marksOffered, referenceOf, scoresOf, textOf, usualMarks,
} from "./texts.js";

/** So many segments are asked for at once, and so many are printed. */
const PAGE = 40;
const PRINTED = 200;
/** Orders of the list: [name, what it is called, what it needs]. */
const ORDERS = [
  ["position", "position", ""],
  ["score", "score of A", "metric"],
  ["delta", "A minus B", "metric pair"],
  ["disagreement", "disagreement of two metrics", "metric metrics"],
  ["human", "people's score of A", "people"],
  ["gap", "people minus metric, of A", "metric people"],
  ["length", "length", ""],
];

/** A kind of judgement that is looked at: the one chosen, else the first. */
export function kindOf(app) {
  const { kinds } = app.campaign;
  return (kinds.find((kind) => kind.name === app.state.kind) ?? kinds[0] ?? null)?.name ?? null;
}

function ordersOffered(app) {
  const { metrics, systems, kinds } = app.campaign;
  const there = { metric: metrics.length > 0, metrics: metrics.length > 1, pair: systems.length > 1, people: kinds.length > 0 };
  return ORDERS.filter(([, , needs]) => needs.split(" ").every((need) => !need || there[need]));
}

/** How the list is ordered: `sort` of the query, and whether the largest come first. */
export function orderOf(app) {
  const [a, b] = app.pair;
  const wished = typeof app.state.sort === "string" ? app.state.sort : "position";
  const by = ordersOffered(app).some(([name]) => name === wished) ? wished : "position";
  const others = app.campaign.metrics.filter((metric) => metric !== app.metric);
  const other = others.find((metric) => metric.name === app.state.other) ?? others[0] ?? null;
  const sort = { by, metric: app.metric?.name ?? null, other: other?.name ?? null, a, b, kind: kindOf(app) };
  return { sort, descending: app.state.descending ?? by !== "position" };
}

/** A short name for what the list shows, so that a place in it is not taken for one in another list. */
function signature(app) {
  const text = JSON.stringify([app.campaign.index, app.state.filter, orderOf(app)]);
  let hash = 0;
  for (let place = 0; place < text.length; place += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(place)) >>> 0;
  return hash.toString(36);
}

/** The state of the list at this row. */
export function atRow(app, index) {
  return { row: index > 0 ? [index, signature(app)] : null };
}

/** The row that the URL names, if it is one of this list. */
function rowOf(app) {
  const [index, of] = Array.isArray(app.state.row) ? app.state.row : [0, ""];
  return Number.isInteger(index) && index > 0 && of === signature(app) ? index : 0;
}

/** Systems that are shown: A and B, A alone, or all, the pair before the others. */
function systemsShown(app) {
  const pair = app.pair.filter(Boolean);
  if (app.state.shown === "a") return pair.slice(0, 1);
  if (app.state.shown === "all") return [...pair, ...app.campaign.systems.filter((name) => !pair.includes(name))];
  return pair;
}

/** The number that the list is ordered by, with what it is; null where that is shown in any case. */
function keySaid(app, row, { sort }) {
  if (row.key === null || row.key === undefined || sort.by === "position") return null;
  const label = app.metric?.label ?? "";
  const other = app.campaign.metrics.find((metric) => metric.name === sort.other)?.label ?? "";
  const decimals = app.metric?.decimals ?? 2;
  const texts = {
    score: () => [label, " of A ", number(row.key, decimals)],
    delta: () => ["A minus B ", label, " ", number(row.key, decimals, true)],
    disagreement: () => [label, " against ", other, ` ${number(row.key * 100, 0)} percentiles`],
    human: () => [sort.kind, " of A ", number(row.key, 2)],
    gap: () => [sort.kind, " minus ", label, ` ${number(row.key * 100, 0, true)} percentiles`],
    length: () => [whole(row.key), row.key === 1 ? " word" : " words"],
  };
  return h("span", { class: "key" }, texts[sort.by]());
}

/** Pages of the list, fetched when they come into view. */
class Pages {
  constructor(app, arrived) {
    this.app = app;
    this.arrived = arrived;
    this.known = new Map();
    this.wanted = [];
    this.asked = new Set();
    this.busy = 0;
    this.order = orderOf(app);
    this.systems = systemsShown(app);
    const references = app.campaign.references.length ? [`ref.${referenceOf(app)}`] : [];
    // N-grams are looked for in all references, and B is held against A even where it is not shown.
    const more = ["matches", "ahead"].includes(app.state.marks) ? app.campaign.references.map((name) => `ref.${name}`) : [];
    const pair = ["rival", "ahead"].includes(app.state.marks) ? app.pair.filter(Boolean) : [];
    const translations = app.campaign.hasTexts === false ? [] : [...this.systems, ...pair].map((name) => `sys.${name}`);
    const columns = [...references, ...more, ...translations];
    this.columns = [...(app.campaign.hasSource ? ["source"] : []), ...new Set(columns)];
  }

  async fetch(page) {
    const { app } = this;
    const { sort, descending } = this.order;
    const { signal } = app;
    const answer = must(await app.queries.segments({
      signal, filter: app.state.filter, sort, descending, from: page * PAGE, count: PAGE, kind: sort.kind,
      systems: [...new Set([...this.systems, ...app.pair.filter(Boolean)])],
      metrics: app.campaign.metrics.map((metric) => metric.name),
    }));
    const segments = answer.rows.map((row) => row.segment);
    const isAsked = this.columns.length && segments.length;
    const texts = isAsked ? must(await app.queries.texts({ segments, columns: this.columns, signal })) : {};
    answer.rows.forEach((row, place) => {
      row.text = (column) => texts[column]?.[place] ?? null;
    });
    this.known.set(page, answer.rows);
    return answer;
  }

  /** The row at this place; null while it is on its way. */
  get(index) {
    const page = Math.floor(index / PAGE);
    const rows = this.known.get(page);
    if (rows) return rows[index % PAGE] ?? null;
    if (!this.wanted.includes(page) && !this.asked.has(page)) this.wanted.push(page);
    this.go();
    return null;
  }

  async go() {
    if (this.busy >= 2) return;
    this.busy += 1;
    try {
      // What came into view last is wanted most; what nobody looks at any more is not asked for.
      while (this.wanted.length && this.app.isCurrent(this.round)) {
        const page = this.wanted.pop();
        if (this.known.has(page) || !this.inView(page)) continue;
        this.asked.add(page);
        await this.fetch(page).finally(() => this.asked.delete(page));
        if (this.app.isCurrent(this.round)) this.arrived(page);
      }
    } catch (error) {
      if (this.app.isCurrent(this.round)) this.failed(error);
    } finally {
      this.busy -= 1;
    }
  }
}

/** The row that gets the focus when the list is shown next: that of the segment that was open. */
let waitingFor = null;

/** Let the row of a segment that is open have the focus when the list is there again. */
export function focusLater(index) {
  waitingFor = index;
}

/** Where the list was last: what it showed, the row at the top, and how much of it was above. */
let last = { of: "", index: 0, offset: 0 };

export const segments = {
  id: "segments",
  title: "Segments",
  offered: (app) => Boolean(app.campaign?.segments),

  async show(app, place) {
    const { round } = app;
    const [start, shownOf] = [rowOf(app), signature(app)];
    const pages = new Pages(app, (page) => list.refresh(page * PAGE, page * PAGE + PAGE - 1));
    pages.round = round;
    const [first, notes] = await Promise.all([pages.fetch(Math.floor(start / PAGE)), notesOf(app).catch(() => [])]);
    if (!app.isCurrent(round)) return;

    let view = { index: start, from: 0, to: PAGE };
    let current = start;
    let remembering = 0;
    let looking = 0;
    const noted = new Map();
    for (const note of notes) noted.set(note.segment, (noted.get(note.segment) ?? 0) + 1);
    const status = h("p", { class: "error", role: "alert", hidden: true });
    pages.inView = (page) => page * PAGE <= view.to + PAGE && (page + 1) * PAGE >= view.from - PAGE;
    pages.failed = (error) => {
      status.hidden = false;
      fill(status, error.message);
    };

    const list = longList({
      count: first.n,
      height: 160 + 60 * pages.systems.length,
      label: "Segments",
      print: PRINTED,
      start: start ? { index: start, offset: last.of === shownOf && last.index === start ? last.offset : 0 } : null,
      top: coveredHeight,
      row: (index) => {
        // In view for certain, whatever the list has said of itself so far.
        view = { ...view, from: Math.min(view.from, index), to: Math.max(view.to, index) };
        return rowElement(app, index, pages.get(index), pages, noted);
      },
      moved: (now) => {
        view = now;
        last = { of: shownOf, index: now.index, offset: now.offset };
        for (let index = now.from; index <= now.to; index += 1) pages.get(index);
        clearTimeout(looking);
        clearTimeout(remembering);
        looking = setTimeout(() => app.isCurrent(round) && faults(), 120);
        remembering = setTimeout(() => app.isCurrent(round) && remember(now.index), 200);
      },
    });
    /** The place in the list is in the URL, so that a reload or a step back shows the same. */
    function remember(index) {
      if (JSON.stringify(atRow(app, index).row) !== JSON.stringify(app.state.row ?? null)) app.note(atRow(app, index));
    }
    /** Errors that people marked, of the segments in view. */
    async function faults() {
      if (app.state.marks !== "errors") return;
      for (let index = view.from; index <= view.to; index += 1) {
        const row = pages.known.get(Math.floor(index / PAGE))?.[index % PAGE];
        if (!row || row.spans) continue;
        row.spans = new Map();
        const one = must(await app.queries.segment({ segment: row.segment, signal: app.signal }));
        if (!app.isCurrent(round)) return;
        for (const { system, spans } of one.judgements) {
          const own = (spans ?? []).filter((span) => !span[4]);
          if (own.length) row.spans.set(system, [...(row.spans.get(system) ?? []), ...own]);
        }
        if (row.spans.size) list.refresh(index, index);
      }
    }

    append(place, [
      head(app, {
        title: "Segments",
        question: "score",
        options: { metrics: app.campaign.metrics.map((metric) => metric.name), segments: true },
      }),
      controls(app),
      ngramPanel(app),
      ngramSaid(app),
      notesList(app),
      legend(app),
      status,
      first.n > PRINTED ? h("p", { class: "quiet on-paper" }, `The first ${PRINTED} of ${whole(first.n)} segments are printed.`) : null,
      first.n ? list.element : h("p", { class: "quiet" }, "No segment is kept by the filter."),
    ]);
    // The frame swaps the view before this one for it as soon as there is something to see.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!app.isCurrent(round)) return;
    list.begin();
    if (waitingFor !== null && waitingFor === start) list.show(waitingFor);
    waitingFor = null;

    const focused = () => Number(document.activeElement?.closest?.(".segment-list [data-index]")?.dataset.index ?? NaN);
    const go = (step) => {
      const from = Number.isNaN(focused()) ? null : focused();
      current = from === null ? (document.activeElement === list.element ? current + step : view.index) : from + step;
      current = Math.max(0, Math.min(first.n - 1, current));
      list.show(current);
    };
    keys.on("j", "Next segment", () => go(1));
    keys.on("k", "Segment before", () => go(-1));
    keys.on("Enter", "Open the segment", () => {
      const row = pages.known.get(Math.floor(focused() / PAGE))?.[focused() % PAGE];
      if (row) app.set(opened(app, row, focused()));
    });
    keys.on("d", "Largest or smallest first", () => app.set({ descending: !orderOf(app).descending, row: null }));

    // What is printed is there before anybody prints.
    for (let page = 0; page * PAGE < Math.min(first.n, PRINTED); page += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      if (!app.isCurrent(round)) return;
      if (!pages.known.has(page)) await pages.fetch(page);
    }
  },
};

/** Pixels at the top of the window that something sticky covers. */
function coveredHeight() {
  const covers = document.getElementById("top");
  return covers && getComputedStyle(covers).position === "sticky" ? Math.max(0, covers.getBoundingClientRect().bottom) : 0;
}

/** The state in which a segment of the list is open. */
function opened(app, row, index) {
  return { view: "segment", segment: row.segment, place: index, ...atRow(app, index) };
}

function controls(app) {
  const { sort, descending } = orderOf(app);
  const { metrics, references, systems } = app.campaign;
  const shown = systemsShown(app).length === 1 ? "a" : app.state.shown === "all" ? "all" : "pair";
  const others = metrics.filter((metric) => metric !== app.metric).map((metric) => [metric.name, metric.label]);
  const about = descending ? "The largest first; turn round (d)" : "The smallest first; turn round (d)";
  const choices = [["pair", "A and B"], ["all", "all"], ["a", "A"]];
  return h(
    "div",
    { class: "row segments-controls" },
    select("sort-by", "Order by", ordersOffered(app).map(([name, text]) => [name, text]), sort.by, (value) =>
      app.set({ sort: value === "position" ? null : value, descending: null, row: null })),
    sort.by === "disagreement"
      ? select("sort-other", `${app.metric.label} and`, others, sort.other, (value) => app.set({ other: value, row: null }))
      : null,
    h("button", {
      id: "sort-turn", type: "button", class: "button", title: about,
      onclick: () => app.set({ descending: !descending, row: null }),
    }, descending ? "Falling ↓" : "Rising ↑"),
    systems.length > 1
      ? h("div", { class: "field" }, h("span", {}, "Systems"), choice("shown", "Systems", choices, shown, (value) =>
        app.set({ shown: value === "pair" ? null : value })))
      : null,
    references.length > 1
      ? select("reference", "Reference", references, referenceOf(app), (value) => app.set({ reference: value }))
      : null,
    marksControl(app),
  );
}

/** Buttons for what is marked in translations: one at a time, and none at first. */
export function marksControl(app) {
  const offered = marksOffered(app);
  if (!offered.length) return null;
  return h("div", { class: "field" }, h("span", {}, "Mark"), h("div", { class: "choice ways", role: "group", "aria-label": "Mark" },
    offered.map(([name, text, about]) =>
      h("button", {
        id: `marks-${name}`, type: "button", title: about, "aria-pressed": String(app.state.marks === name),
        onclick: () => app.set({ marks: app.state.marks === name ? null : name }),
      }, text))));
}

/** What the marks mean. */
export function legend(app) {
  const way = marksOffered(app).find(([name]) => name === app.state.marks);
  return way ? h("p", { class: "quiet legend" }, MARKS.find(([name]) => name === way[0])[2]) : null;
}

/** One segment of the list. */
function rowElement(app, index, row, pages, noted) {
  if (!row) {
    const coming = h("p", { class: "quiet" }, `${whole(index + 1)} …`);
    return h("div", { class: "segment waiting", id: `row-${index}`, tabindex: "-1", "aria-busy": "true" }, coming);
  }
  const { sort } = pages.order;
  const [a, b] = app.pair;
  const line = (name, column, kind = "") => h("div", { class: `line ${kind}` }, h("div", { class: "who" }, name),
    textOf(app, row.text(column), typeof row.text(column) === "string" ? usualMarks(app, column, row.text(column)) : []));
  const system = (name) => {
    const text = row.text(`sys.${name}`);
    const marks = typeof text === "string"
      ? [...chosenMarks(app, app.state.marks, name, text, row.text, row.spans?.get(name)), ...usualMarks(app, `sys.${name}`, text)]
      : [];
    const kind = name === a ? "is-a" : name === b ? "is-b" : "";
    return h("div", { class: `line of-system ${kind}` }, h("div", { class: "who" }, systemName(app, name)),
      textOf(app, text, marks), scoresOf(app, row.scores, name, row.human, sort.kind));
  };
  const number = noted.get(row.segment);
  const reference = referenceOf(app);
  const several = app.campaign.references.length > 1;
  const absent = absentSaid(app, pages.columns.map(row.text));
  return h(
    "div",
    { class: "segment", id: `row-${index}`, tabindex: "-1", "aria-label": `Segment ${row.name}` },
    h("div", { class: "segment-head" },
      h("a", { id: `row-${index}-open`, class: "segment-name", href: app.link(opened(app, row, index)) }, "Segment ", h("bdi", {}, row.name)),
      Object.entries(row.labels ?? {}).filter(([, value]) => value !== null && value !== "").map(([label, value]) => {
        const filter = withCondition(app.state.filter, `${label}=${exactly(String(value))}`);
        return h("span", { class: "label" }, h("bdi", { class: "quiet" }, label), " ", linkTo(app, { filter, row: null }, foreign(value)));
      }),
      keySaid(app, row, pages.order),
      number ? h("span", { class: "tag" }, number === 1 ? "1 note" : `${number} notes`) : null),
    absent,
    app.campaign.hasSource && !absent ? line("Source", "source") : null,
    reference !== null && !absent ? line(["Reference", several ? [" ", foreign(reference)] : null], `ref.${reference}`) : null,
    pages.systems.map(system),
    a && b && app.state.shown !== "a"
      ? h("div", { class: "line delta" }, h("div", { class: "who" }, "A minus B"), h("div", { class: "words" }),
        deltasOf(app, row.scores, app.pair, row.human, sort.kind))
      : null,
  );
}
