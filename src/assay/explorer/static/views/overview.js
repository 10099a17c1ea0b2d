// The first screen: what was compared, what came out, one picture, and where to go from there.

import { append, counted, h, number, seldom, whole } from "../app/dom.js";
import { dots } from "../app/charts.js";
import { head, inTime, linkTo, must } from "../app/parts.js";
import { isFiltering } from "../app/state.js";
import { entriesOf, folded } from "./answers.js";

/** So many sentences are shown at first. */
const MOST_SENTENCES = 7;

/** How many of a thing there are, for the list at the top. */
function facts(campaign) {
  const translating = campaign.systems.length - campaign.people.length;
  const list = [
    ...(translating ? [[whole(translating), translating === 1 ? "system" : "systems"]] : []),
    ...(
      campaign.people.length ? [
        [whole(campaign.people.length), campaign.people.length === 1 ? "person as a system" : "people as systems"]
      ] : []
    ),
    ...(campaign.segments ? [[whole(campaign.segments), campaign.segments === 1 ? "segment" : "segments"]] : []),
    ...campaign.labels.filter((label) => ["document", "domain"].includes(label.name)).map((label) => [
      whole(label.values.length),
      label.values.length === 1 ? label.name : `${label.name}s`
    ]),
    ...(
      campaign.references.length ? [
        [whole(campaign.references.length), campaign.references.length === 1 ? "reference" : "references"]
      ] : []
    ),
    ...(
      campaign.raters.length ? [[whole(campaign.raters.length), campaign.raters.length === 1 ? "rater" : "raters"]] : []
    ),
    ...(
      campaign.metrics.length ? [
        [whole(campaign.metrics.length), campaign.metrics.length === 1 ? "metric" : "metrics"]
      ] : []
    ),
  ];
  return h("dl", { class: "facts" }, list.map(([count, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, count))));
}

/** Systems with their scores, the best first; those without one come last. */
export function ranked(metric, scores) {
  const sign = metric.better === "lower" ? 1 : -1;
  const value = (name) => scores[name] ?? null;
  return Object.keys(scores).sort((a, b) => (value(a) === null) - (value(b) === null) || sign * (value(a) - value(b)));
}

/** The sentence that says who leads, where nothing was asked. */
function leader(metric, scores, n) {
  const names = ranked(metric, scores).filter((name) => scores[name] !== null);
  if (names.length < 2) return null;
  const [first, second] = names;
  const said = (name) => `${name} (${number(scores[name], metric.decimals)})`;
  return `By ${metric.label}, over ${counted(n, "segment")}, ${said(first)} comes first and ${said(second)} second.`;
}

/** What came out, in sentences; after the first ones the others are folded. */
function findingsElement(sentences, areMixed) {
  const list = (texts) => h("ul", { class: "findings" }, texts.map((text) => h("li", { dir: "auto" }, text)));
  const few = sentences.length > MOST_SENTENCES + 2 ? MOST_SENTENCES : sentences.length;
  const others = sentences.slice(few);
  return h(
    "section",
    {},
    h("h2", {}, "Findings"),
    areMixed ? h(
      "p",
      { class: "quiet" },
      "The first sentence is of what the filter keeps, the others are of all segments."
    ) : null,
    list(sentences.slice(0, few)),
    others.length ? h(
      "details",
      { class: "fold" },
      h("summary", { id: "more-findings" }, `${others.length} more`),
      list(others)
    ) : null,
  );
}

/** Ways onward, each with what is found there. */
function onward(app) {
  const [a, b] = app.pair;
  const about = {
    systems: [
      "Systems",
      "Every system by every metric, with intervals, and what differs between groups of segments.",
      {}
    ],
    segments: [
      "Segments",
      b ? `Where ${a} and ${b} differ most, sentence by sentence.` : "Every sentence, in any order.",
      b ? { sort: "delta", descending: true } : {}
    ],
    metrics: ["Metrics", "How well metrics follow people, and each other.", {}],
    people: ["People", "Raters, how they agree, how severe they are.", {}],
    references: ["References", "What the references are worth.", {}],
    studies: ["Studies", "Answers of studies.", {}],
    papers: ["Papers", "Findings of papers, asked of these data.", {}],
    ask: ["Ask", "Any question of Assay.", {}],
    runs: ["Runs", "What was asked before, and what has changed.", {}],
  };
  const answered = new Set(app.manifest.results.map((entry) => entry.section));
  const worth = (id) => ["systems", "segments", "metrics", "people"].includes(id) || answered.has(id) || (
    app.source.can.ask && ["ask", "runs"].includes(id)
  );
  const offered = app.views.filter((view) => about[view.id] && worth(view.id) && view.offered(app));
  return h("ul", { class: "cards" }, offered.map((view) => {
    const [title, text, changes] = about[view.id];
    return h("li", { class: "card" }, linkTo(app, { view: view.id, ...changes }, title), h(
      "p",
      { class: "quiet" },
      text
    ));
  }));
}

/** What cannot be answered here, and why; reasons that are the same stand together. */
function unanswered(app) {
  const { campaign, manifest } = app;
  const reasons = new Map();
  for (const { question, campaign: of, reason } of manifest.unanswered ?? []) {
    if (of !== null && of !== undefined && of !== campaign?.index) continue;
    reasons.set(reason, [...(reasons.get(reason) ?? []), question]);
  }
  if (!reasons.size) return null;
  const count = [...reasons.values()].reduce((sum, names) => sum + names.length, 0);
  const list = h("dl", { class: "reasons" }, [...reasons].map(
    ([reason, names]) => h("div", {}, h("dt", {}, names.join(", ")), h("dd", {}, reason))
  ));
  return h("section", {}, h(
    "details",
    { open: reasons.size <= 4 },
    h("summary", { id: "unanswered" }, `What cannot be answered here, and why (${count})`),
    list
  ));
}

/** The picture: systems by a metric, with intervals that follow. */
function picture(app, scores, n) {
  const { campaign, metric } = app;
  const [a, b] = app.pair;
  const names = ranked(metric, scores);
  const rowsOf = (ends) => names.map((name) => ({
    name,
    value: scores[name],
    low: ends.get(name)?.[0] ?? null,
    high: ends.get(name)?.[1] ?? null,
    mark: name === a ? "a" : name === b ? "b" : null,
    link: {
      view: "segments",
      a: name,
      b: name === b ? a : b,
      metric: metric.name,
      sort: "score",
      descending: metric.better === "lower"
    },
  }));
  const arrow = metric.better === "lower" ? "lower is better" : "higher is better";
  const chart = dots(app, {
    id: "systems",
    title: `Systems by ${metric.label}`,
    x: `${metric.label} (${arrow}), ${counted(n, "segment")}`,
    rows: rowsOf(new Map()),
    decimals: metric.decimals
  });
  const follow = async () => {
    if (!metric.interval) return;
    const { round } = app;
    const ends = new Map();
    const take = (parts) => {
      if (!app.isCurrent(round)) return;
      for (const [, system, low, high] of parts) ends.set(system, [low, high]);
      show();
    };
    const show = seldom(() => app.isCurrent(round) && chart.update({ rows: rowsOf(ends) }));
    const { intervals } = must(await app.queries.intervals(
      { filter: app.state.filter, of: names.map((name) => [metric.name, name]), onPart: take, signal: app.signal }
    ));
    take(intervals);
  };
  const remark = [
    metric.corpus ? "" : metric.remark,
    metric.interval ? "Lines are 95 % intervals." : "No interval is drawn for this metric in the page."
  ].filter(Boolean).join(" ");
  return {
    element: h("section", {}, chart, h(
      "p",
      { class: "quiet" },
      `${remark} ${campaign.systems.length > 1 ? "Click on a system to see its segments." : ""}`
    )),
    follow
  };
}

export const overview = {
  id: "overview",
  title: "Overview",
  offered: () => true,
  async show(app, place) {
    const { round, campaign, metric, manifest } = app;
    const filter = app.state.filter;
    const entries = entriesOf(app, "overview");
    // What the page itself found out; else what the first answers found.
    const first = manifest.findings?.length ? null : (
      manifest.results.find((one) => one.question === "compare") ?? manifest.results[0]
    );
    const [answer, told] = await Promise.all([
      metric && campaign.segments ? app.queries.scores({ filter, metrics: [metric.name] }) : null,
      first ? app.source.result(first.id) : null,
    ]);
    if (!app.isCurrent(round)) return;
    const scores = answer ? must(answer).scores[metric.name] : null;
    const findings = manifest.findings?.length ? manifest.findings : (told?.result.findings ?? []);
    const live = scores ? leader(metric, scores, answer.n) : null;
    const sentences = [...(isFiltering(filter) || !findings.length ? [live] : []), ...findings].filter(Boolean);
    const made = scores && Object.values(scores).some(
      (value) => value !== null
    ) ? picture(app, scores, answer.n) : null;
    append(place, [
      head(app, {
        title: campaign?.name || manifest.title,
        question: scores ? "score" : null,
        options: () => ({ metrics: [metric.name] })
      }),
      campaign ? facts(campaign) : null,
      sentences.length && made
        ? h(
          "div",
          { class: "side first" },
          findingsElement(sentences, isFiltering(filter) && findings.length),
          made.element
        )
        : (made?.element ?? (sentences.length ? findingsElement(sentences, false) : null)),
      answer && answer.n === 0 ? h("p", {}, "The filter keeps no segment.") : null,
      h("section", {}, h("h2", {}, "Look closer"), onward(app)),
      entries.length ? h("section", {}, entries.map((entry) => folded(app, entry))) : null,
      unanswered(app),
    ]);
    if (made) await inTime(app, h("div"), made.follow);
  },
};
