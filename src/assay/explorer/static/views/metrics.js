// Metrics against people and against each other: kept correlations, and live pictures whose points are segments.

import { append, counted, fill, h, number, whole } from "../app/dom.js";
import { scatter } from "../app/charts.js";
import { withSegments } from "../app/filterbar.js";
import { choice, head, linkTo, must, needsServer, select, withInterval } from "../app/parts.js";
import { table } from "../app/table.js";
import { entriesOf, folded, usualOf, whyNot } from "./answers.js";

/** So many points are drawn. */
const DRAWN = 4000;

/** What an axis can show: metrics, and kinds of judgement. */
function axesOf(app) {
  const { metrics, kinds } = app.campaign;
  return [
    ...metrics.map((metric) => [`metric:${metric.name}`, metric.label, { metric: metric.name }]),
    ...kinds.map((kind) => [`kind:${kind.name}`, kind.name ? `people: ${kind.name}` : "people", { kind: kind.name }]),
  ];
}

/** Both axes: those that the URL names, else the metric that is looked at, against people if there are any. */
function chosenAxes(app) {
  const all = axesOf(app);
  const wanted = (name) => all.find(([id]) => id === name);
  const x = wanted(app.state.x) ?? wanted(`metric:${app.metric?.name}`) ?? all[0];
  const people = all.filter(([id]) => id.startsWith("kind:"));
  const usual = wanted(`kind:${app.state.kind}`) ?? people[0] ?? all.find((one) => one !== x);
  return [x, wanted(app.state.y) ?? usual ?? x];
}

/** The line that fits the points best, by least squares. */
function fitted(points) {
  const n = points.length;
  const mean = (place) => points.reduce((sum, point) => sum + point[place], 0) / n;
  const [mx, my] = [mean("x"), mean("y")];
  const [sxy, sxx] = points.reduce(([xy, xx], { x, y }) => [xy + (x - mx) * (y - my), xx + (x - mx) ** 2], [0, 0]);
  return n > 2 && sxx > 0 ? { slope: sxy / sxx, at: my - (sxy / sxx) * mx } : null;
}

/** What statistics are called in headings. */
const STATISTICS = {
  pearson: "Pearson's r",
  spearman: "Spearman's ρ",
  kendall: "Kendall's τ",
  spa: "SPA",
  acc23: "acc₂₃",
  "acc23-heldout": "acc₂₃, held out",
  "pearson-differences": "r of differences",
};

/** How far each metric follows people, of all segments, and what a perfect metric would reach. */
function correlationTable(app, result) {
  const kinds = [...new Set((result.results ?? []).map((row) => row.kind))];
  const kind = kinds.includes(app.state.kind) ? app.state.kind : kinds[0];
  const all = [...(result.results ?? []), ...(result.ceilings ?? [])].filter((row) => row.kind === kind);
  if (!all.length) return null;
  const key = (row) => JSON.stringify([row.level, row.grouping, row.statistic]);
  const cells = new Map();
  const names = new Map();
  const measures = new Map();
  for (const row of all) {
    const isCeiling = (result.ceilings ?? []).includes(row);
    names.set(row.metric, isCeiling);
    measures.set(key(row), measures.get(key(row)) ?? row);
    cells.set(`${key(row)} ${row.metric}`, row);
  }
  // One or two of each level are shown at first; the others are among the columns.
  const usual = ({ level, grouping, statistic }) =>
    level === "system" ? ["pearson", "spa"].includes(statistic) : level === "segment" && (
      grouping === "none" ? statistic === "pearson" : grouping === "item" ? ["kendall", "acc23"].includes(statistic)
        : false
    );
  const listed = [...measures].map(([id, row]) => ({ id, row }));
  const some = listed.some(({ row }) => usual(row));
  const called = ({
    level,
    grouping,
    statistic
  }) => `${level}${grouping && grouping !== "none" ? `, by ${grouping}` : ""}: ${STATISTICS[statistic] ?? statistic}`;
  const label = (name) => app.campaign.metrics.find((metric) => metric.name === name)?.label ?? name;
  const interval = (row) => (row && row.low !== null && row.low !== undefined ? [row.low, row.high] : null);
  const order = (list) => [...list].sort((one, other) => usual(other.row) - usual(one.row));
  return table(app, {
    id: "correlations",
    title: `How far metrics follow people${kind ? `: ${kind}` : ""}`,
    rows: [...names.keys()],
    key: (name) => name,
    sort: [order(listed)[0].id, true],
    columns: [
      { id: "metric", title: "Metric", row: true, value: label, class: (name) => (names.get(name) ? "quiet" : "") },
      ...order(listed).map(({ id, row: of }) => {
        const row = (name) => cells.get(`${id} ${name}`);
        return {
          id, title: called(of), decimals: 3, hidden: some && !usual(of), value: (name) => row(name)?.value
            ?? null, interval: (name) => interval(row(name)),
          cell: (name) => {
            const ends = interval(row(name));
            return withInterval(
              number(row(name)?.value, 3),
              ends ? `${number(ends[0], 3)} – ${number(ends[1], 3)}` : ""
            );
          },
          link: (name) => (
            names.get(name) || !app.campaign.metrics.some((metric) => metric.name === name) ? null : {
              x: `metric:${name}`,
              y: `kind:${kind}`,
              metric: name,
              level: of.level === "system" ? null : "segment"
            }
          ),
        };
      }),
    ],
    said: [
      "Of all segments, whatever the filter says. A number draws its picture above.",
      "“Perfect metric”: what a metric that knows the true quality would reach, about."
    ],
  });
}

/** The live picture. */
async function live(app, place) {
  const { campaign, round } = app;
  const { filter } = app.state;
  const [x, y] = chosenAxes(app);
  const level = app.state.level === "segment" ? "segment" : "system";
  const of = ["all", ...app.campaign.systems].includes(app.state.of) ? app.state.of : "all";
  // As `assay meta` does: people who stand as systems are not what metrics are held against people for.
  const held = [x, y].some((axis) => axis[2].kind !== undefined) ? campaign.people : [];
  const all = campaign.systems.filter((name) => !held.includes(name));
  const systems = level === "segment" && of !== "all" ? [of] : all;
  const answer = must(await app.queries.points({ filter, level, x: x[2], y: y[2], systems, most: DRAWN }));
  if (!app.isCurrent(round)) return;
  const present = [...new Set(answer.points.map(([, , system]) => system))].sort((one, other) => one - other);
  const group = new Map(present.map((system, at) => [system, at]));
  const metric = x[2].metric ?? y[2].metric ?? null;
  const pair = (system) => {
    const name = campaign.systems[system];
    const [a, b] = app.pair;
    return { a: name, b: name === b ? a : name === a ? b : (b ?? a) };
  };
  const points = answer.points.map(([px, py, system, segment]) => ({
    x: px, y: py, group: group.get(system), segment, system,
    name: segment < 0 ? campaign.systems[system] : `${campaign.systems[system]}, segment ${segment}`,
    label: segment < 0 ? campaign.systems[system] : null,
    link: segment < 0
      ? {
        view: "segments",
        ...pair(system),
        ...(metric ? { metric, sort: x[2].kind !== undefined || y[2].kind !== undefined ? "gap" : "score" } : {
          sort: "human"
        })
      }
      : { view: "segment", segment, ...pair(system) },
  }));
  const chosen = h("div", { class: "row chosen-points", "aria-live": "polite" });
  const lasso = (caught) => {
    const segments = [...new Set(caught.map((point) => point.segment))];
    if (!segments.length) return fill(chosen);
    const counts = new Map();
    for (const { system } of caught) counts.set(system, (counts.get(system) ?? 0) + 1);
    const [most] = [...counts].sort((one, other) => other[1] - one[1])[0];
    const narrowed = withSegments(filter, segments);
    const both = x[2].metric && y[2].metric;
    const sort = both ? "disagreement" : metric ? "gap" : "human";
    const open = linkTo(
      app,
      {
        view: "segments",
        filter: narrowed,
        ...pair(most),
        ...(metric ? { metric } : {}),
        ...(both ? { other: y[2].metric } : {}),
        sort,
        descending: true
      },
      `Open ${segments.length === 1 ? "the segment" : `these ${whole(segments.length)} segments`}`
    );
    open.id = "lasso-open";
    open.className = "button small";
    return fill(chosen, h("span", {}, `${whole(caught.length)} points chosen`), open,
      h(
        "button",
        { id: "lasso-filter", type: "button", class: "button small", onclick: () => app.set({ filter: narrowed }) },
        "Keep as filter"
      ));
  };
  const axes = axesOf(app).map(([id, label]) => [id, label]);
  const correlation = answer.n > 2 ? `Pearson ${number(answer.pearson, 3)}, Kendall τ-b ${number(answer.kendall, 3)}`
    : "Too few points for a correlation";
  const n = level === "segment" ? `${counted(answer.n, "translation")} of segments` : counted(answer.n, "system");
  const some = answer.points.length < answer.n ? `, of which ${whole(answer.points.length)} are drawn` : "";
  const how = level === "segment"
    ? "Click on a point to see its segment; draw around points with the lasso to see theirs."
    : "Click on a system to see its segments.";
  const without = systems === all && held.length ? ` Without people who stand as systems (${held.join(", ")}).` : "";
  const lowers = [x, y].filter(
    (axis) => campaign.metrics.find((one) => one.name === axis[2].metric)?.better === "lower"
  ).map((axis) => axis[1]);
  const direction = lowers.length ? `Lower is better for ${lowers.join(" and ")}. ` : "";
  append(place, [
    h("div", { class: "row" },
      choice(
        "level",
        "What is a point",
        [["system", "Systems"], ["segment", "Segments"]],
        level,
        (value) => app.set({ level: value })
      ),
      select("axis-x", "Across", axes, x[0], (value) => app.set({ x: value })),
      h(
        "button",
        {
          id: "axes-swap",
          type: "button",
          class: "button small",
          "aria-label": "Swap both axes",
          onclick: () => app.set({ x: y[0], y: x[0] })
        },
        "⇄"
      ),
      select("axis-y", "Up", axes, y[0], (value) => app.set({ y: value })),
      level === "segment" ? select(
        "axis-of",
        "Segments of",
        [["all", "all systems"], ...campaign.systems.map((name) => [name, name])],
        of,
        (value) => app.set({ of: value === "all" ? null : value })
      ) : null),
    points.length
      ? scatter(app, {
          id: "points", title: `${y[1]} against ${x[1]}`, x: x[1], y: y[1], points, groups: level === "segment"
            ? present.map((system) => campaign.systems[system]) : [],
          line: fitted(points), lasso: level === "segment" ? lasso : null,
        })
      : h("p", { class: "quiet" }, "No segment has both."),
    chosen,
    h("p", {
      class: "quiet",
      id: "correlation"
    }, `${correlation}; n = ${n}${some}.${without} ${direction}${how}`),
  ]);
}

export const metrics = {
  id: "metrics",
  title: "Metrics",
  offered: (app) => Boolean(app.campaign?.segments) && axesOf(app).length > 1,
  async show(app, place) {
    const { round, campaign } = app;
    const entries = entriesOf(app, "metrics");
    const first = usualOf(app, "meta");
    const pictures = h("section", { class: "live" });
    const [kept] = await Promise.all([first ? app.source.result(first.id) : null, live(app, pictures)]);
    if (!app.isCurrent(round)) return;
    const why = whyNot(app, "meta");
    const ranks = campaign.ranked ?? [];
    const judged = campaign.kinds.length ? (app.state.kind ?? campaign.kinds[0].name) : ranks[0];
    append(place, [
      head(app, {
        title: "Metrics", said: campaign.kinds.length ? "How far metrics follow people, and each other."
          : ranks.length ? "How metrics go together; how far they follow people's rankings is asked of all segments."
            : "How metrics go together; nobody judged these translations.",
        question: campaign.kinds.length || ranks.length ? "meta" : "score", options: () => ({
          metrics: campaign.metrics.map((metric) => metric.name),
          ...(judged ? { kind: [judged] } : {})
        }),
      }),
      pictures,
      kept ? correlationTable(app, kept.result) : null,
      entries.length ? h("section", {}, entries.map((entry) => folded(app, entry))) : null,
      entries.length ? null : why ? h(
        "p",
        { class: "quiet" },
        why
      ) : campaign.kinds.length && !app.source.can.ask ? needsServer(
        app,
        "Correlations with intervals, tests and the ceiling are not in this page."
      ) : null,
      !entries.length && app.source.can.ask && campaign.kinds.length ? h("p", {}, linkTo(
        app,
        { view: "ask", question: "meta" },
        "Ask for correlations with intervals, tests and the ceiling"
      )) : null,
    ]);
  },
};
