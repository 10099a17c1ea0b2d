// Everything about one segment: its texts, scores with their counts, judgements, explanations, what stands beside it.

import { append, fill, foreign, h, number, whole } from "../app/dom.js";
import { picture } from "../app/charts.js";
import { keys } from "../app/keys.js";
import { freshId, head, inTime, linkTo, must, needsServer, select, systemName } from "../app/parts.js";
import { table } from "../app/table.js";
import { notesPanel } from "./notes.js";
import { atRow, focusLater, kindOf, legend, marksControl, orderOf } from "./segments.js";
import { absentSaid, chosenMarks, errorSaid, marked, matchedSaid, scoresOf, severityOf, textOf, usualMarks } from "./texts.js";
import { errors, matches } from "./words.js";

/** A segment that is in no place of the list that is known is looked for among so many. */
const SEARCHED = 10000;
const AT_ONCE = 1000;
/** Neighbours in the document on each side. */
const BESIDE = 3;

/** The place of a segment in the list; null where it is not in it, or too far down. */
async function placeOf(app, segment) {
  const { sort, descending } = orderOf(app);
  const ask = async (from, count) =>
    must(await app.queries.segments({ filter: app.state.filter, sort, descending, from, count, systems: [], metrics: [], signal: app.signal }));
  const known = Number.isInteger(app.state.place) && app.state.place >= 0 ? app.state.place : 0;
  const near = await ask(Math.max(0, known - 1), 3);
  const found = (answer, from) => {
    const at = answer.rows.findIndex((row) => row.segment === segment);
    return at < 0 ? null : from + at;
  };
  let place = found(near, Math.max(0, known - 1));
  for (let from = 0; place === null && from < Math.min(near.n, SEARCHED); from += AT_ONCE) place = found(await ask(from, AT_ONCE), from);
  if (place === null) return { place, n: near.n, before: null, next: null };
  const from = Math.max(0, place - 1);
  const { rows } = await ask(from, 3);
  return { place, n: near.n, before: place > 0 ? rows[0].segment : null, next: rows[place - from + 1]?.segment ?? null };
}

export const segment = {
  id: "segment",
  title: "Segment",
  offered: (app) => Boolean(app.campaign?.segments) && Number.isInteger(app.state.segment),

  async show(app, place) {
    const { round } = app;
    const position = app.state.segment;
    if (position < 0 || position >= app.campaign.segments) {
      const said = `There is no segment ${position}: the campaign has ${whole(app.campaign.segments)}.`;
      append(place, [head(app, { title: "Segment" }), h("p", { class: "quiet" }, said),
        h("p", {}, linkTo(app, { view: "segments", segment: null, place: null }, "All segments"))]);
      return;
    }
    const one = must(await app.queries.segment({ segment: position, signal: app.signal }));
    if (!app.isCurrent(round)) return;

    const list = h("div", { class: "row", role: "navigation", "aria-label": "In the list" }, h("span", { class: "quiet" }, "In the list …"));
    const text = textsOf(one);
    const sections = [
      textsSection(app, one),
      systemsSection(app, one, text),
      scoresSection(app, one),
      judgementsSection(app, one, text),
      explanationsSection(app, one, text),
      documentSection(app, one),
      notesPanel(app, position),
    ];
    append(place, [
      head(app, {
        title: `Segment ${one.name ?? position}`,
        said: "",
        question: app.campaign.references.length ? "explain" : null,
        options: () => ({ segment: String(one.name ?? position), metrics: app.metric ? [app.metric.name] : [] }),
      }),
      labelsOf(app, one),
      h("div", { class: "row segment-nav" }, list, documentNav(app, one)),
      absentSaid(app, [one.source, ...Object.values(one.references ?? {}), ...Object.values(one.systems ?? {})]),
      sections,
    ]);
    keys.on("Escape", "Back to the list", () => app.set({ view: "segments", segment: null, place: null }));

    const open = (segment, at) => app.set({ segment, place: at });
    const beside = one.document?.segments ?? [];
    const at = beside.indexOf(position);
    if (at > 0) keys.on("Shift+K", "Segment before in the document", () => open(beside[at - 1], null));
    if (at >= 0 && at + 1 < beside.length) keys.on("Shift+J", "Next segment in the document", () => open(beside[at + 1], null));

    const where = await placeOf(app, position);
    if (!app.isCurrent(round)) return;
    const back = { view: "segments", segment: null, place: null, ...(where.place === null ? {} : atRow(app, where.place)) };
    focusLater(where.place);
    keys.on("Escape", "Back to the list", () => app.set(back));
    if (where.before !== null) keys.on("k", "Segment before in the list", () => open(where.before, where.place - 1));
    if (where.next !== null) keys.on("j", "Next segment in the list", () => open(where.next, where.place + 1));
    fill(list,
      h("a", { id: "segment-back", class: "button", href: app.link(back) }, "List"),
      step(app, "segment-before", "← Before", where.before, where.place - 1),
      step(app, "segment-next", "Next →", where.next, where.place + 1),
      h("span", { class: "quiet" }, where.place === null ? "This segment is not in the list." : `${whole(where.place + 1)} of ${whole(where.n)} in the list`));
  },
};

/** A link to another segment; without one it can be seen that there is none. */
function step(app, id, name, segment, place) {
  if (segment === null || segment === undefined) return h("span", { class: "button", "aria-disabled": "true" }, name);
  return h("a", { id, class: "button", href: app.link({ segment, place }) }, name);
}

/** The texts of a segment by the names of columns. */
function textsOf(one) {
  return (column) => {
    if (column === "source") return one.source ?? null;
    if (column.startsWith("ref.")) return one.references?.[column.slice(4)] ?? null;
    return column.startsWith("sys.") ? (one.systems?.[column.slice(4)] ?? null) : (one.columns?.[column.slice(7)] ?? null);
  };
}

function labelsOf(app, one) {
  const labels = Object.entries({ ...one.labels, ...one.columns }).filter(([, value]) => typeof value === "string" && value !== "");
  if (!labels.length) return null;
  return h("dl", { class: "numbers labels" }, labels.map(([name, value]) => h("div", {}, h("dt", {}, h("bdi", {}, name)), h("dd", {}, foreign(value)))));
}

function documentNav(app, one) {
  const { document: of } = one;
  if (!of || of.segments.length < 2) return null;
  const at = of.segments.indexOf(one.segment);
  return h("div", { class: "row", role: "navigation", "aria-label": "In the document" },
    step(app, "document-before", "↑ In the document", of.segments[at - 1] ?? null, null),
    step(app, "document-next", "↓ In the document", of.segments[at + 1] ?? null, null),
    h("span", { class: "quiet" }, `${whole(at + 1)} of ${whole(of.segments.length)} in `, foreign(of.name)));
}

/** A part of the page with its heading. */
function section(title, name, ...children) {
  const id = freshId("part");
  return h("section", { class: `segment-part ${name}`, "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

/** One line: who says it, and what. */
function line(app, name, column, text, marks = []) {
  const all = typeof text === "string" ? [...marks, ...usualMarks(app, column, text)] : [];
  return h("div", { class: "line" }, h("div", { class: "who" }, name), textOf(app, text, all));
}

function textsSection(app, one) {
  const { references, hasSource } = app.campaign;
  if (!hasSource && !references.length) return null;
  return section(hasSource ? "Source and references" : "References", "texts",
    hasSource ? line(app, "Source", "source", one.source) : null,
    references.map((name) => line(app, ["Reference ", foreign(name)], `ref.${name}`, one.references?.[name] ?? null)));
}

/** People's scores of each system under the kind that is looked at: means of judgements. */
function humanOf(one, kind) {
  const sums = new Map();
  for (const judgement of one.judgements ?? []) {
    if (judgement.kind !== kind || typeof judgement.score !== "number") continue;
    const [sum, n] = sums.get(judgement.system) ?? [0, 0];
    sums.set(judgement.system, [sum + judgement.score, n + 1]);
  }
  // Systems may be called like what every object has.
  const means = Object.create(null);
  for (const [system, [sum, n]] of sums) means[system] = sum / n;
  return means;
}

/** Systems by what is chosen, the best first; what has no number last. */
function systemsInOrder(app, one, human) {
  const by = typeof app.state.systemsBy === "string" ? app.state.systemsBy : "";
  const metric = app.campaign.metrics.find((each) => each.name === by) ?? (by === "" ? app.metric : null);
  const value = by === "people" ? (system) => human[system] : (system) => one.scores?.[metric?.name]?.[system];
  const sign = by !== "people" && metric?.better === "lower" ? 1 : -1;
  const systems = [...app.campaign.systems];
  if (by === "name" || (!metric && by !== "people")) return systems;
  const key = (system) => (typeof value(system) === "number" ? sign * value(system) : Infinity);
  return systems.map((system) => [key(system), system]).sort(([x], [y]) => (x === y ? 0 : x - y)).map(([, system]) => system);
}

function systemsSection(app, one, text) {
  const kind = kindOf(app);
  const human = humanOf(one, kind);
  const options = [
    ...app.campaign.metrics.map((metric) => [metric.name, metric.label]),
    ...(kind ? [["people", kind]] : []),
    ["name", "order of the campaign"],
  ];
  const [a, b] = app.pair;
  return section("Translations", "systems",
    h("div", { class: "row segments-controls" },
      select("systems-by", "Best first by", options, app.state.systemsBy ?? app.metric?.name ?? "name", (value) => app.set({ systemsBy: value })),
      marksControl(app)),
    legend(app),
    systemsInOrder(app, one, human).map((system, place) => {
      const own = text(`sys.${system}`);
      const spans = (one.judgements ?? []).filter((judgement) => judgement.system === system).flatMap((judgement) => judgement.spans ?? []);
      const marks = typeof own === "string"
        ? [...chosenMarks(app, app.state.marks, system, own, text, spans.filter((span) => !span[4])), ...usualMarks(app, `sys.${system}`, own)]
        : [];
      return h("div", { class: `line of-system ${system === a ? "is-a" : system === b ? "is-b" : ""}` },
        h("div", { class: "who" }, systemName(app, system),
          h("span", { class: "row pickers" },
            [["a", a], ["b", b]].map(([letter, chosen]) => system === chosen || (letter === "b" && !b) ? null : h("button", {
              id: `as-${letter}-${place}`, type: "button", class: "button small", "aria-label": `${system} as ${letter.toUpperCase()}`,
              onclick: () => app.set(letter === "a" ? { a: system, b: system === b ? a : b } : { b: system, a: system === a ? b : a }),
            }, letter.toUpperCase())))),
        textOf(app, own, marks),
        scoresOf(app, one.scores ?? {}, system, kind ? human : null, kind));
    }));
}

/** What a metric's score is made of, beyond its counts, as far as the page has the formula. */
export function partsOf(metric, row) {
  const twin = metric.segment ?? metric.corpus;
  if (!twin || !row?.length) return [];
  const at = (name) => row[metric.columns.indexOf(name)];
  const share = (over, under) => (under > 0 ? `${number((100 * over) / under, 1)} % (${whole(over)} of ${whole(under)})` : "–");
  if (twin.formula === "bleu") {
    const [length, wanted] = [at("translation_length"), at("reference_length")];
    const penalty = length >= wanted ? 1 : length > 0 ? Math.exp(1 - wanted / length) : 0;
    const order = (n) => [`precision of ${n}-grams`, share(at(`matches_${n}`), at(`totals_${n}`))];
    return [...Array.from({ length: twin.order }, (_, place) => order(place + 1)), ["brevity penalty", number(penalty, 3)]];
  }
  if (twin.formula === "chrf") {
    const all = Array.from({ length: twin.orders }, (_, n) => row.slice(3 * n, 3 * n + 3));
    const orders = all.filter(([ours, theirs]) => ours > 0 && theirs > 0);
    const sum = (part) => orders.reduce((total, one) => total + part(one), 0);
    const mean = (part) => (orders.length ? `${number((100 * sum(part)) / orders.length, 1)} %` : "–");
    return [
      ["precision, mean over orders", mean(([ours, , both]) => both / ours)],
      ["recall, mean over orders", mean(([, theirs, both]) => both / theirs)],
    ];
  }
  if (twin.formula === "shares") return [["precision", share(row[0], row[1])], ["recall", share(row[0], row[2])]];
  if (twin.formula === "ter") return [["edits", `${whole(row[0] + row[1] + row[2] + row[3])} for ${number(row[5], 2)} words`]];
  if (twin.formula === "wer") return [["errors", `${whole(row[1] + row[2] + row[3])} for ${whole(row[0] + row[1] + row[2])} in the reference`]];
  return [];
}

/** A count without decimals that say nothing. */
function counted(value) {
  return value === null || value === undefined ? "–" : number(value, Number.isInteger(value) ? 0 : 4);
}

function scoresSection(app, one) {
  const { metrics, systems } = app.campaign;
  if (!metrics.length) return null;
  const kind = kindOf(app);
  const human = humanOf(one, kind);
  const name = { id: "system", title: "System", row: true, foreign: true, value: (system) => system, cell: (system) => systemName(app, system) };
  const scores = table(app, {
    id: "segment-scores",
    title: "Scores",
    columns: [
      name,
      ...metrics.map((metric) => ({
        id: metric.name, title: metric.label, decimals: metric.decimals, about: metric.remark || metric.name,
        value: (system) => one.scores?.[metric.name]?.[system] ?? null,
      })),
      ...(kind ? [{ id: "people", title: kind, decimals: 2, value: (system) => human[system] ?? null }] : []),
    ],
    rows: systems,
    key: (system) => system,
  });
  const withRows = metrics.filter((metric) => metric.columns?.length && Object.values(one.rows?.[metric.name] ?? {}).some((row) => row?.length));
  const counts = withRows.map((metric) => {
    const rows = Object.assign(Object.create(null), one.rows[metric.name]);
    const parts = partsOf(metric, rows[systems.find((system) => rows[system]?.length)]);
    const body = h("div", {});
    const details = h("details", { class: "counts", id: `counts-${metric.name}` }, h("summary", {}, `Counts and parts of ${metric.label}`), body);
    const open = () => {
      if (body.firstChild) return;
      append(body, table(app, {
        id: `segment-counts-${metric.name}`,
        title: metric.label,
        columns: [
          name,
          { id: "=score", title: metric.label, decimals: metric.decimals, value: (system) => one.scores?.[metric.name]?.[system] ?? null },
          ...parts.map(([part], place) => ({
            id: `=${part}`, title: part, kind: "number", value: (system) => partsOf(metric, rows[system])[place]?.[1] ?? null,
          })),
          ...metric.columns.map((column, place) => ({
            id: column, title: column.replaceAll("_", " "), kind: "number",
            value: (system) => rows[system]?.[place] ?? null, cell: (system) => counted(rows[system]?.[place]),
            text: (system) => counted(rows[system]?.[place]),
          })),
        ],
        rows: systems.filter((system) => rows[system]?.length),
        key: (system) => system,
      }));
    };
    details.addEventListener("toggle", () => details.open && open());
    if (metric === app.metric) {
      details.open = true;
      open();
    }
    return details;
  });
  return h("div", { class: "segment-part scores" }, scores, counts);
}

/** Errors as text: a number, how bad, of which kind, and the words. */
function errorList(text, marks) {
  return h("ol", { class: "fault-list" }, marks.map((mark) =>
    h("li", { value: mark.number },
      h("span", { class: `severity ${severityOf(mark.severity)}` }, errorSaid(mark)), " ",
      mark.end > mark.start ? foreign(text.slice(mark.start, mark.end), "q") : h("span", { class: "quiet" }, "no words are marked"))));
}

function judgementsSection(app, one, text) {
  const judgements = one.judgements ?? [];
  if (!judgements.length) {
    return app.campaign.kinds.length ? section("Judgements", "judgements", h("p", { class: "quiet" }, "Nobody judged this segment.")) : null;
  }
  const overview = table(app, {
    id: "segment-judgements",
    title: "Judgements",
    columns: [
      { id: "system", title: "System", row: true, foreign: true, value: (row) => row.system, cell: (row) => systemName(app, row.system) },
      { id: "rater", title: "Rater", foreign: true, value: (row) => row.rater ?? "" },
      { id: "kind", title: "Kind", foreign: true, value: (row) => row.kind ?? "" },
      { id: "score", title: "Score", decimals: 2, value: (row) => row.score ?? null },
      { id: "errors", title: "Errors", decimals: 0, value: (row) => row.spans?.length ?? 0 },
    ],
    rows: judgements,
    key: (row) => String(judgements.indexOf(row)),
  });
  const order = systemsInOrder(app, one, humanOf(one, kindOf(app)));
  const withSpans = judgements.filter((judgement) => judgement.spans?.length).sort((x, y) => order.indexOf(x.system) - order.indexOf(y.system));
  const cards = withSpans.map((judgement) => {
    const parts = [["source", judgement.spans.filter((span) => span[4])], [`sys.${judgement.system}`, judgement.spans.filter((span) => !span[4])]];
    const { system, rater, kind, score } = judgement;
    const by = h("span", { class: "quiet" }, "by ", foreign(rater || "somebody"), kind ? [" · ", foreign(kind)] : null,
      typeof score === "number" ? ` ${number(score, 2)}` : null);
    return h("article", { class: "card judgement" },
      h("h3", {}, systemName(app, system), " ", by),
      parts.map(([column, spans]) => {
        const own = text(column);
        if (!spans.length) return null;
        if (typeof own !== "string") return [textOf(app, own), errorList("", errors("", spans))];
        const marks = errors(own, spans);
        return [
          column === "source" ? h("p", { class: "quiet" }, "In the source") : null,
          append(h("p", { class: "words faults", dir: "auto" }), marked(own, marks, { focusable: true })),
          errorList(own, marks),
        ];
      }));
  });
  return h("div", { class: "segment-part judgements" }, overview,
    cards.length ? h("h3", {}, "Errors that people marked") : null, h("div", { class: "cards" }, cards));
}

function explanationsSection(app, one, text) {
  const { metrics, references, systems } = app.campaign;
  if (!metrics.length || !references.length) return null;
  const system = systems.includes(app.state.explained) ? app.state.explained : app.pair[0];
  const body = h("div", { class: "explanations" });
  const part = section("Why these scores", "explanations",
    h("div", { class: "row" }, select("explained", "Translation of", systems, system, (value) => app.set({ explained: value }))), body);
  if (app.source.can.explain) {
    fill(body, h("p", { class: "quiet" }, "Being drawn …"));
    inTime(app, body, async () => {
      const { round } = app;
      const names = metrics.map((metric) => metric.name);
      const about = { campaign: app.campaign.index, segment: one.segment, system, metrics: names };
      const answer = must(await app.source.explain({ ...about, signal: app.signal }));
      if (app.isCurrent(round)) fill(body, explained(app, answer));
    });
    return part;
  }
  const own = text(`sys.${system}`);
  const others = references.map((name) => text(`ref.${name}`)).filter((one) => typeof one === "string");
  if (typeof own !== "string" || !others.length) fill(body, textOf(app, null));
  else {
    const marks = matches(own, others);
    fill(body,
      h("h3", {}, "N-grams that a reference has"),
      append(h("p", { class: "words", dir: "auto" }), marked(own, marks)),
      h("p", { class: "quiet" }, matchedSaid(own, others)));
  }
  append(body, needsServer(app, "Pictures of alignments and edits (METEOR, TER and others) are drawn by Python."));
  return part;
}

/** What Python says and draws of each metric. */
function explained(app, answer) {
  const label = (name) => app.campaign.metrics.find((metric) => metric.name === name)?.label ?? name;
  const figures = (answer.figures ?? []).map((figure) => h("div", { class: "explanation" },
    figure.svg ? picture({ name: `explanation-${figure.metric}`, title: figure.title, svg: figure.svg }) : h("h3", {}, figure.title),
    figure.text
      ? h("details", { open: !figure.svg }, h("summary", {}, `${label(figure.metric)} as text`), h("pre", { class: "box" }, figure.text))
      : null));
  const parts = (answer.tables?.parts ?? []).length ? partsTable(app, answer.tables.parts) : null;
  return [
    figures,
    parts,
    (answer.remarks ?? []).map(({ metric, text }) => h("p", { class: "quiet" }, metric ? `${label(metric)}: ` : "", text)),
    (answer.errors ?? []).map(({ metric, error }) => h("p", { class: "quiet" }, `${label(metric)}: ${error}`)),
  ];
}

/** A table of plain values, whatever its columns are. */
function partsTable(app, rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(app, {
    id: "explained-parts",
    title: "Parts of the scores",
    columns: names.map((name, place) => {
      const isNumber = rows.some((row) => typeof row[name] === "number");
      return { id: name, title: name.replaceAll("_", " "), row: place === 0, foreign: !isNumber, kind: isNumber ? "number" : "text",
        value: (row) => row[name] ?? null, cell: (row) => (isNumber ? counted(row[name]) : String(row[name] ?? "–")) };
    }),
    rows,
  });
}

function documentSection(app, one) {
  const { document: of } = one;
  if (!of || of.segments.length < 2) return null;
  const at = of.segments.indexOf(one.segment);
  const near = of.segments.slice(Math.max(0, at - BESIDE), at + BESIDE + 1);
  const body = h("ol", { class: "neighbours" });
  const system = app.pair[0];
  const { hasSource, hasTexts, references } = app.campaign;
  const columns = [
    ...(hasSource ? ["source"] : []),
    ...references.slice(0, 1).map((name) => `ref.${name}`),
    ...(system && hasTexts !== false ? [`sys.${system}`] : []),
  ];
  inTime(app, body, async () => {
    const { round } = app;
    const texts = must(await app.queries.texts({ segments: near, columns, signal: app.signal }));
    if (!app.isCurrent(round)) return;
    const name = (column) => {
      if (column === "source") return "Source";
      return column.startsWith("sys.") ? systemName(app, column.slice(4)) : ["Reference ", foreign(column.slice(4))];
    };
    fill(body, near.map((position, place) => {
      const number_ = of.segments.indexOf(position) + 1;
      const isThis = position === one.segment;
      return h("li", { value: number_, "aria-current": isThis ? "true" : null },
        isThis ? h("strong", {}, "This segment") : linkTo(app, { segment: position, place: null }, `Segment ${number_} of the document`),
        columns.map((column) => line(app, name(column), column, texts[column]?.[place] ?? null)));
    }));
  });
  return section("In its document", "document", h("p", { class: "quiet" }, foreign(of.name)), body);
}
