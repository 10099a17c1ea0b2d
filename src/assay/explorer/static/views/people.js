// People who judged: how much, how severely, how steadily, and how far they agree.

import { append, h, number, whole } from "../app/dom.js";
import { dots, histogram, spark } from "../app/charts.js";
import { withRange } from "../app/filterbar.js";
import { head, linkTo, must, needsServer, withInterval } from "../app/parts.js";
import { table } from "../app/table.js";
import { entriesOf, folded, usualOf, whyNot } from "./answers.js";
import { kindOf } from "./segments.js";

/** Whether there is a number. */
function isKnown(value) {
  return value !== null;
}

/** Where the segments are that somebody judged. */
function judgedBy(app, rater, kind) {
  return { view: "segments", filter: withRange(app.state.filter, { of: "human", kind, rater }), sort: null };
}

/** The table of raters. */
function raterTable(app, raters, kind) {
  const called = kind || "judgements";
  const link = ({ rater }) => judgedBy(app, rater, kind);
  return table(app, {
    id: "raters",
    title: "Raters",
    rows: raters,
    key: (rater) => String(app.campaign.raters.indexOf(rater.rater)),
    columns: [
      { id: "rater", title: "Rater", row: true, foreign: true, value: (rater) => rater.rater },
      { id: "n", title: "n", decimals: 0, about: `How many ${called}`, value: (rater) => rater.n, link },
      { id: "mean", title: "Mean", decimals: 2, value: (rater) => rater.mean, link },
      { id: "sd", title: "SD", decimals: 2, about: "Standard deviation", value: (rater) => rater.sd },
      {
        id: "severity",
        title: "Severity",
        decimals: 2,
        sign: true,
        about: "Mean difference from what all raters of the same item said: below 0 is severe",
        value: (rater) => rater.severity,
        link
      },
      {
        id: "drift",
        title: "Drift",
        about: "Severity from the first tenth of a rater's judgements to the last",
        kind: "text",
        value: (rater) => drift(rater), text: (rater) => rater.drift.map((value) => number(value, 2, true)).join(" "),
        cell: (rater) => spark(
          rater.drift,
          `From ${number(rater.drift.find(isKnown), 2, true)} to ${number(rater.drift.findLast(isKnown), 2, true)}`
        ),
      },
    ],
    sort: ["n", true],
    said: [
      "Severity: a rater's scores minus those of all raters of the same items, on average; below 0 is severe.",
      "Drift: the same from the first tenth of a rater's judgements to the last."
    ],
  });
}

/** How far the last tenth lies from the first. */
function drift({ drift: parts }) {
  const known = parts.filter((value) => value !== null);
  return known.length > 1 ? known.at(-1) - known[0] : null;
}

/** How far raters agree, of all segments. */
function agreementTable(app, result, kind) {
  const rows = (result.results ?? []).filter((row) => row.kind === kind || row.kind === null || row.kind === undefined);
  if (!rows.length) return null;
  const interval = (row) => (row.low === null || row.low === undefined ? null : [row.low, row.high]);
  return table(app, {
    id: "agreement",
    title: `Agreement of raters${kind ? `: ${kind}` : ""}`,
    rows,
    columns: [
      { id: "label", title: "Statistic", row: true, value: (row) => row.label ?? row.statistic },
      { id: "part", title: "Of", kind: "text", value: (row) => row.part ?? null },
      {
        id: "value", title: "Agreement", decimals: 3, value: (row) => row.value, interval,
        cell: (row) => withInterval(
          number(row.value, 3),
          interval(row) ? `${number(row.low, 3)} – ${number(row.high, 3)}` : ""
        ),
      },
      { id: "raters", title: "Raters", decimals: 0, value: (row) => row.raters ?? null },
      { id: "items", title: "Items", decimals: 0, value: (row) => row.items ?? null },
    ],
    said: ["Of all segments, whatever the filter says."],
  });
}

/** Judgements of translations, by size; a bar leads to its segments. */
function scoreHistogram(app, points, kind, system) {
  const values = points.map(([value]) => value);
  const { least, most } = app.campaign.kinds.find((one) => one.name === kind);
  const [low, high] = least < most ? [least, most] : [least - 0.5, most + 0.5];
  const bins = Number.isInteger(low) && Number.isInteger(high) && high - low <= 10 && high - low >= 3
    ? (high - low) * 2 : 25;
  const edges = Array.from({ length: bins + 1 }, (_, place) => low + ((high - low) * place) / bins);
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    const place = Math.floor(((value - low) / (high - low)) * bins);
    counts[Math.max(0, Math.min(bins - 1, place))] += 1;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return histogram(app, {
    id: "judged", title: `${kind || "Judgements"} of ${system}`, x: kind || "score", edges, counts, mark: mean,
    link: (from, to) => ({
      view: "segments",
      filter: withRange(app.state.filter, { of: "human", kind, system, least: from, most: to }),
      sort: "human",
      descending: false
    }),
  });
}

export const people = {
  id: "people",
  title: "People",
  offered: (app) => Boolean(app.campaign?.kinds.length) || app.manifest.results.some((one) => one.section === "people"),
  async show(app, place) {
    const { round, campaign } = app;
    const { filter } = app.state;
    const kind = kindOf(app);
    const [a] = app.pair;
    const entries = entriesOf(app, "people");
    const first = usualOf(app, "agreement");
    const judged = kind !== null && campaign.segments;
    const [raters, systemPoints, points, kept] = await Promise.all([
      judged ? app.queries.raters({ filter, kind }) : null,
      judged ? app.queries.points({ filter, level: "system", x: { kind }, y: { kind } }) : null,
      judged && a ? app.queries.points({
        filter,
        level: "segment",
        x: { kind },
        y: { kind },
        systems: [a],
        most: 50000
      }) : null,
      first ? app.source.result(first.id) : null,
    ]);
    if (!app.isCurrent(round)) return;
    const list = raters ? must(raters).raters : [];
    const raterCount = `${whole(list.length)} ${list.length === 1 ? "rater" : "raters"}`;
    const total = list.reduce((sum, rater) => sum + rater.n, 0);
    const severities = list.filter((rater) => rater.severity !== null).sort(
      (one, other) => one.severity - other.severity
    );
    const means = systemPoints ? must(systemPoints).points.map(([mean, , system]) => (
      { name: campaign.systems[system], value: mean }
    )).sort((one, other) => other.value - one.value) : [];
    const why = whyNot(app, "agreement");
    append(place, [
      head(app, {
        title: "People", said: list.length
          ? `${whole(total)} judgements${kind ? ` of ${kind}` : ""} by ${raterCount}, of what the filter keeps.`
          : "",
        question: campaign.kinds.length ? "agreement" : null, options: () => ({ kind: [kind].filter(Boolean) }),
      }),
      h("div", { class: "side" },
        means.length
          ? h("section", {}, dots(app, {
              id: "people-systems", title: `Systems by ${kind || "people"}`, x: `mean ${kind || "judgement"}`,
              rows: means.map((row) => (
                {
                  ...row,
                  mark: row.name === a ? "a" : row.name === app.pair[1] ? "b" : null,
                  link: {
                    view: "segments",
                    a: row.name,
                    b: row.name === a ? app.pair[1] : a,
                    kind,
                    sort: "human",
                    descending: false
                  }
                }
              )),
            }), h(
              "p",
              { class: "quiet" },
              "Means of the segments that were judged. Click on a system to see its segments, the worst first."
            ))
          : null,
        points && must(points).points.length ? h(
          "section",
          {},
          scoreHistogram(app, points.points, kind, a),
          h("p", { class: "quiet" }, "Of A, a segment's judgements averaged. Click on a bar to see its segments.")
        ) : null),
      list.length ? raterTable(app, list, kind) : h(
        "p",
        { class: "quiet" },
        "No judgement of what the filter keeps names who made it."
      ),
      severities.length > 1
        ? h("section", {}, dots(
          app,
          {
            id: "severity",
            title: "Severity of raters",
            x: "difference from all raters (below 0: severe)",
            zero: true,
            sign: true,
            rows: severities.slice(0, 60).map(({ rater, severity, n }) => (
              { name: rater, value: severity, n, link: judgedBy(app, rater, kind) }
            ))
          }
        ))
        : null,
      kept ? agreementTable(app, kept.result, kind) : null,
      entries.length ? h("section", {}, entries.map((entry) => folded(app, entry))) : null,
      entries.length ? null : why ? h("p", { class: "quiet" }, why) : app.source.can.ask ? h(
        "p",
        {},
        linkTo(app, { view: "ask", question: "agreement" }, "Ask how far raters agree")
      ) : needsServer(app, "How far raters agree is not in this page."),
    ]);
  },
};
