// Systems by metrics under the filter: scores at once, intervals as they come; groups of segments, and differences.

import { append, counted, fill, h, number, seldom, whole } from "../app/dom.js";
import { dots, histogram, pairs } from "../app/charts.js";
import { withCondition, withRange } from "../app/filterbar.js";
import { head, inTime, linkTo, must, needsServer, select, systemName, withInterval } from "../app/parts.js";
import { isFiltering } from "../app/state.js";
import { table } from "../app/table.js";
import { usualOf } from "./answers.js";
import { ranked } from "./overview.js";

/** Fewer documents or segments than these have no interval. */
const FEWEST = 5;
/** So many groups are drawn; the table below has all. */
const DRAWN = 20;
/** So many kinds of judgement have a column at first. */
const SHOWN_KINDS = 4;
/** Tests that were asked for under a filter, by campaign, filter and metrics, for as long as the page is open. */
const tested = new Map();

/** Where a system's segments are. */
function segmentsOf(app, metric, system, other = null) {
  const [a, b] = app.pair;
  const rival = other ?? (system === b ? a : b);
  return {
    view: "segments",
    a: system,
    b: rival,
    metric: metric.name,
    sort: other ? "delta" : "score",
    descending: other ? true : metric.better === "lower"
  };
}

/** What `assay compare` said of all segments: p-values by metric and pair, ranks by metric and system. */
function testsOf(result) {
  const pairsOf = new Map();
  const ranks = new Map();
  for (const row of result.pairs ?? []) {
    pairsOf.set(JSON.stringify([row.metric, row.a, row.b]), row);
    pairsOf.set(JSON.stringify([row.metric, row.b, row.a]), row);
  }
  for (const row of result.clusters ?? []) ranks.set(JSON.stringify([row.metric, row.system]), row.rank);
  return {
    setup: result.setup ?? {},
    pair: (metric, a, b) => pairsOf.get(JSON.stringify([metric, a, b])) ?? null,
    rank: (metric, system) => ranks.get(JSON.stringify([metric, system])) ?? null,
    has: pairsOf.size > 0,
    isTold: [...pairsOf.values()].some((row) => typeof row.p === "number"),
  };
}

/** What such a test was of: files that are added make a campaign another one. */
function testedAs({ campaign, state }) {
  return JSON.stringify([campaign.index, state.filter, campaign.systems, campaign.references]);
}

/** The comparison that is there for what is looked at, or null. */
async function comparisonOf(app) {
  const { filter } = app.state;
  const known = tested.get(testedAs(app));
  if (known) return testsOf(known);
  if (isFiltering(filter)) return null;
  const entry = usualOf(app, "compare");
  const kept = entry ? await app.source.result(entry.id) : null;
  return kept ? testsOf(kept.result) : null;
}

/** A p-value as every table of Assay has it. */
function pText(value) {
  if (value === null || value === undefined) return "–";
  return value < 0.0001 ? "< 0.0001" : number(value, 4);
}

/** Ask the server for tests under the filter, and say how far it is. */
function tester(app, element) {
  const { campaign } = app;
  const { filter } = app.state;
  const key = testedAs(app);
  const status = h("span", { role: "status", class: "quiet" });
  const go = async () => {
    button.disabled = true;
    const { round } = app;
    try {
      const id = await app.source.ask({
        campaign: campaign.index,
        question: "compare",
        options: { metrics: campaign.metrics.map((metric) => metric.name).join(",") },
        filter
      });
      for (;;) {
        const job = await app.source.job(id);
        if (!app.isCurrent(round)) return;
        if (job.state === "done") {
          const { result } = await app.source.result(job.result);
          tested.set(key, result);
          if (app.isCurrent(round)) app.draw();
          return;
        }
        if (job.state === "failed" || job.state === "cancelled") throw new Error(
          job.error ?? "The test was cancelled."
        );
        status.textContent = job.said || `${Math.round(100 * (job.share ?? 0))} %`;
        await new Promise((done) => setTimeout(done, 300));
      }
    } catch (error) {
      if (!app.isCurrent(round)) return;
      status.textContent = error.message;
      button.disabled = false;
    }
  };
  const button = h(
    "button",
    { id: "test", type: "button", class: "button small", onclick: go },
    isFiltering(filter) ? "Test under this filter" : "Test all pairs"
  );
  return append(element, [button, " ", status]);
}

/** The system that a name is a run of, or is. */
function joined(campaign, name) {
  return Object.entries(campaign.runs ?? {}).find(([, runs]) => runs.includes(name))?.[0] ?? name;
}

/** What is said where names are runs of one system, which commands take together and this page does not. */
function runsSaid(app) {
  const several = Object.entries(app.campaign.runs ?? {});
  if (!several.length) return [];
  const [name, runs] = several[0];
  const entry = usualOf(app, "compare");
  const link = entry ? linkTo(app, { view: "others", result: entry.id }, "its answer") : null;
  return [h(
    "p",
    {},
    `Runs stand by themselves here, such as ${runs.join(" and ")}: scores, intervals and Δ are of one run each. `,
    `assay compare takes the runs of ${name} together, with the chance that lies in training: Δ, intervals and `,
    "p-values of systems are in ",
    link ?? "its answer",
    "."
  )];
}

/** The table of systems and metrics, and what fills its intervals. */
function systemTable(app, answer, given, people) {
  const { campaign } = app;
  // Tests are of systems, and not of their runs.
  const tests = Object.keys(campaign.runs ?? {}).length ? null : given;
  const { scores, n, unit, units } = answer;
  const [, baseline] = app.pair;
  const ends = new Map();
  const differences = new Map();
  const key = (metric, system) => JSON.stringify([metric.name, system]);
  const columns = [
    {
      id: "system",
      title: "System",
      row: true,
      value: (name) => name,
      cell: (name) => systemName(app, name),
      text: (name) => name
    },
  ];
  const all = campaign.metrics.length <= 2;
  for (const metric of campaign.metrics) {
    const value = (name) => scores[metric.name]?.[name] ?? null;
    const best = ranked(metric, Object.fromEntries(
      campaign.systems.filter((name) => !campaign.people.includes(name)).map((name) => [name, value(name)])
    ))[0];
    const interval = (name) => ends.get(key(metric, name)) ?? null;
    const shown = (ends_, decimals, sign) => (
      ends_ && ends_[0] !== null ? `${number(ends_[0], decimals, sign)} – ${number(ends_[1], decimals, sign)}` : ""
    );
    columns.push({
      id: metric.name,
      title: metric.label,
      about: metric.remark || null,
      decimals: metric.decimals,
      better: metric.better,
      value,
      interval: metric.interval ? interval : undefined,
      class: (name) => (name === best ? "best" : ""),
      cell: (name) => withInterval(number(value(name), metric.decimals), shown(interval(name), metric.decimals)),
      link: (name) => (value(name) === null ? null : segmentsOf(app, metric, name)),
    });
    if (baseline !== null) {
      const delta = (name) => (name === baseline ? null : (differences.get(key(metric, name))?.[0] ?? null));
      const between = (name) => differences.get(key(metric, name))?.slice(1) ?? null;
      columns.push({
        id: `${metric.name}:delta`,
        title: `Δ ${metric.label}`,
        about: `${metric.label} minus that of ${baseline}, with a 95 % interval`,
        decimals: metric.decimals,
        sign: true,
        better: metric.better,
        value: delta,
        interval: metric.interval ? between : undefined,
        hidden: !all && metric !== app.metric,
        cell: (name) => (name === baseline ? "baseline" : withInterval(
          number(delta(name), metric.decimals, true),
          shown(between(name), metric.decimals, true)
        )),
        text: (name) => (name === baseline ? "baseline" : number(delta(name), metric.decimals, true)),
        class: (name) => (name === baseline ? "quiet" : ""),
        link: (name) => (name === baseline || delta(name) === null ? null : segmentsOf(app, metric, name, baseline)),
      });
    }
    if (tests?.has && baseline !== null) {
      const pair = (name) => tests.pair(metric.name, name, baseline);
      columns.push({
        id: `${metric.name}:p`,
        title: `p, ${metric.label}`,
        about: `Against ${baseline}. A star: significant.`,
        kind: "number",
        hidden: !all && metric !== app.metric,
        link: (name) => (typeof pair(name)?.p === "number" ? segmentsOf(app, metric, name, baseline) : null),
        value: (name) => pair(name)?.p_adjusted ?? pair(name)?.p ?? null,
        text: (name) => (
          pair(name) ? `${pText(pair(name).p_adjusted ?? pair(name).p)}${pair(name).significant ? " *" : ""}` : "–"
        ),
        cell: (name) => {
          const row = pair(name);
          if (typeof row?.p !== "number") return "–";
          return h("span", {}, pText(row.p_adjusted ?? row.p), h(
            "span",
            { class: "star", title: row.significant ? "significant" : "not significant" },
            row.significant ? " *" : "\u2007\u2002"
          ));
        },
      });
    }
    if (tests && campaign.systems.some((name) => tests.rank(metric.name, name) !== null)) {
      columns.push({
        id: `${metric.name}:cluster`,
        title: `Cluster, ${metric.label}`,
        kind: "number",
        decimals: 0,
        hidden: metric !== app.metric,
        about: "Systems of one cluster cannot be told apart by the test.",
        value: (name) => tests.rank(metric.name, name),
      });
    }
  }
  for (const [place, [kind, means]] of people.entries()) {
    const title = kind ? `People: ${kind}` : "People";
    columns.push({
      id: `people:${kind}`,
      title,
      decimals: 2,
      hidden: place >= SHOWN_KINDS,
      about: "The mean of all segments that people judged",
      value: (name) => means.get(name)
        ?? null,
      link: (name) => (
        means.has(name) ? {
          view: "segments",
          a: name,
          b: name === app.pair[0] ? app.pair[1] : app.pair[0],
          kind,
          sort: "human",
          descending: false
        } : null
      ),
    });
  }
  const drawn = units < FEWEST
    ? `no intervals: ${counted(units, unit)} ${units === 1 ? "is" : "are"} too few`
    : `intervals: 95 %, ${whole(campaign.draws.samples)} samples of ${counted(units, unit)}`;
  const correction = tests?.setup.correction ? `${tests.setup.correction} correction` : null;
  const said = () => [
    `n = ${counted(n, "segment")}; ${drawn}.${baseline === null ? "" : ` Δ: system minus B, ${baseline}.`}`,
    ...(
      tests?.has ? [
        tests.isTold
          ? `p-values: ${[tests.setup.test, correction, "all pairs"].filter(Boolean).join(", ")}; *: significant.`
          : `No p-value can be had of so few ${unit}s.`,
      ] : []
    ),
    ...runsSaid(app),
  ];
  const made = table(app, {
    id: "systems", title: "Systems by metrics", columns, rows: campaign.systems, key: (name) => String(
      campaign.systems.indexOf(name)
    ),
    sort: app.metric ? [app.metric.name, app.metric.better !== "lower"] : null, said: said(),
    open: app.metric ? (name) => segmentsOf(app, app.metric, name) : undefined,
  });
  const follow = async (onScore) => {
    const { round } = app;
    const { filter } = app.state;
    const current = () => app.isCurrent(round);
    const take = (into, size) => (parts) => {
      if (!current()) return;
      for (const [metric, system, ...values] of parts) into.set(JSON.stringify([metric, system]), values.slice(
        0,
        size
      ));
      show();
    };
    const show = seldom(() => {
      if (!current()) return;
      made.update({ said: said() });
      onScore(ends);
    });
    if (n === 0) return;
    // Differences are quick without intervals; those of the metric that is looked at get theirs first.
    const order = [app.metric, ...campaign.metrics.filter((metric) => metric !== app.metric)];
    if (baseline !== null) take(differences, 3)(
      must(await app.queries.deltas({ filter, against: baseline, intervals: false })).deltas
    );
    for (const metric of order) {
      if (!current() || !metric.interval) continue;
      const systems = ranked(metric, scores[metric.name]);
      const takeScores = take(ends, 2);
      takeScores(
        must(await app.queries.intervals(
          { filter, of: systems.map((name) => [metric.name, name]), onPart: takeScores, signal: app.signal }
        )).intervals
      );
    }
    for (const metric of order) {
      if (!current() || !metric.interval || baseline === null) continue;
      const takeDeltas = take(differences, 3);
      takeDeltas(
        must(await app.queries.deltas(
          { filter, against: baseline, metrics: [metric.name], intervals: true, onPart: takeDeltas, signal: app.signal }
        )).deltas
      );
    }
  };
  return { element: made, follow };
}

/** Systems by the metric that is looked at. */
function systemChart(app, answer) {
  const { metric } = app;
  const [a, b] = app.pair;
  const scores = answer.scores[metric.name];
  const names = ranked(metric, scores);
  const rowsOf = (ends) => names.map((name) => {
    const [low, high] = ends.get(JSON.stringify([metric.name, name])) ?? [null, null];
    return {
      name,
      value: scores[name],
      low,
      high,
      mark: name === a ? "a" : name === b ? "b" : null,
      link: segmentsOf(app, metric, name)
    };
  });
  const chart = dots(app, {
    id: "ranking",
    title: metric.label,
    x: `${metric.label} (${metric.better} is better)`,
    rows: rowsOf(new Map()),
    decimals: metric.decimals
  });
  return { element: chart, follow: (ends) => chart.update({ rows: rowsOf(ends) }) };
}

/** Scores of A and B in groups of segments; each group leads to its segments. */
async function groupsElement(app) {
  const { campaign, metric } = app;
  const [a, b] = app.pair;
  const { filter } = app.state;
  const { round } = app;
  const names = [...campaign.labels.map((label) => label.name), "length"];
  // What the filter is about already has one group left.
  const fixed = (filter.where ?? []).map((condition) => condition.split(/!?=/)[0]);
  const usual = campaign.labels.find(
    ({ name, values }) => values.length > 1 && values.length <= 30 && !fixed.includes(name)
  );
  const by = names.includes(app.state.by) ? app.state.by : (usual?.name ?? "length");
  const systems = [a, b].filter((name) => name !== null);
  const { groups } = must(await app.queries.groups({ filter, by, systems, metrics: [metric.name] }));
  if (!app.isCurrent(round)) return null;
  const narrowed = (group) => (group.where ? group.where.reduce(withCondition, filter) : withRange(
    filter,
    group.range
  ));
  const link = (group) => ({
    view: "segments",
    filter: narrowed(group),
    metric: metric.name,
    ...(b ? { sort: "delta", descending: true } : { sort: "score" })
  });
  const drawn = by === "length" || groups.length <= DRAWN ? groups : [...groups].sort(
    (one, other) => other.n - one.n
  ).slice(0, DRAWN);
  const ends = new Map();
  const estimate = (group, name) => ({
    value: group.scores[metric.name][name],
    low: ends.get(group)?.get(name)?.[0] ?? null,
    high: ends.get(group)?.get(name)?.[1] ?? null
  });
  const rowsOf = () => drawn.map((group) => (
    {
      name: String(group.value),
      n: group.n,
      link: link(group),
      a: estimate(group, a),
      ...(b === null ? {} : { b: estimate(group, b) })
    }
  ));
  const chart = pairs(app, {
    id: "groups",
    title: `${metric.label} by ${by}`,
    x: `${metric.label} (${metric.better} is better)`,
    names: [a, b],
    rows: rowsOf(),
    decimals: metric.decimals
  });
  const value = (name) => (group) => group.scores[metric.name][name];
  const long = groups.length > DRAWN
    ? table(app, {
        id: "groups", title: `All ${whole(groups.length)} groups`, rows: groups, key: (group) => String(
          groups.indexOf(group)
        ), open: link,
        columns: [
          { id: "group", title: by, row: true, foreign: true, value: (group) => group.value, link },
          { id: "n", title: "n", decimals: 0, value: (group) => group.n, link },
          ...systems.map((name, at) => (
            {
              id: "ab"[at],
              title: `${"AB"[at]}: ${name}`,
              decimals: metric.decimals,
              better: metric.better,
              value: value(name),
              link
            }
          )),
          ...(b === null ? [] : [
            {
              id: "delta",
              title: "A − B",
              decimals: metric.decimals,
              sign: true,
              value: (group) => (
                value(a)(group) === null || value(b)(group) === null ? null : value(a)(group) - value(b)(group)
              ),
              link
            }
          ]),
        ],
      })
    : null;
  const note = h(
    "p",
    { class: "quiet" },
    groups.length > DRAWN ? `The ${DRAWN} groups with most segments are drawn. ` : "",
    "Click on a group to see its segments. Lines are 95 % intervals; fewer than 5 documents or segments have none."
  );
  const show = seldom(() => app.isCurrent(round) && chart.update({ rows: rowsOf() }));
  const follow = async () => {
    if (!metric.interval) return;
    for (const group of drawn) {
      if (!app.isCurrent(round)) return;
      const { intervals } = must(await app.queries.intervals(
        { filter: narrowed(group), of: systems.map((name) => [metric.name, name]), signal: app.signal }
      ));
      ends.set(group, new Map(intervals.map(([, name, low, high]) => [name, [low, high]])));
      show();
    }
  };
  const picker = select(
    "by",
    "Groups of segments by",
    names.map((name) => [name, name === "length" ? "words of the source" : name]),
    by,
    (value_) => app.set({ by: value_ })
  );
  return { element: h("section", { class: "groups" }, picker, chart, note, long), follow };
}

/** How often A's score of a segment is above B's, and by how much. */
async function deltaElement(app) {
  const { metric, round, campaign } = app;
  const [a, b] = app.pair;
  const { filter } = app.state;
  const answer = must(await app.queries.distribution(
    { filter, metric: metric.name, a, ...(b === null ? {} : { b }), bins: campaign.segments < 300 ? 20 : 40 }
  ));
  if (!app.isCurrent(round) || !answer.n) return null;
  const of = b === null ? { of: "score", metric: metric.name, system: a } : { of: "delta", metric: metric.name, a, b };
  const sort = b === null ? "score" : "delta";
  const title = b === null ? `${metric.label} of segments` : `Δ ${metric.label} of segments, A − B`;
  return h("section", {}, histogram(app, {
    id: "delta", title, x: b === null ? metric.label
      : `Δ ${metric.label}: right of 0 ${metric.better === "lower" ? "B" : "A"} is better`,
    edges: answer.edges,
    counts: answer.counts,
    mark: answer.mean,
    sign: b !== null,
    decimals: metric.decimals,
    link: (least, most) => ({
      view: "segments",
      filter: withRange(filter, { ...of, least, most }),
      metric: metric.name,
      sort,
      descending: true
    }),
  }), h(
    "p",
    { class: "quiet" },
    `${whole(answer.n)} segments. ${metric.segment ? "" : metric.remark} Click on a bar to see its segments.`
  ));
}

/** Mean judgements of systems, by kind. */
async function peopleMeans(app) {
  const { campaign } = app;
  const found = [];
  for (const { name } of campaign.kinds) {
    const { points } = must(await app.queries.points(
      { filter: app.state.filter, level: "system", x: { kind: name }, y: { kind: name } }
    ));
    if (points.length) found.push([name, new Map(points.map(([mean, , system]) => [campaign.systems[system], mean]))]);
  }
  return found;
}

export const systems = {
  id: "systems",
  title: "Systems",
  offered: (app) => Boolean(app.campaign?.metrics.length && app.campaign.segments),
  async show(app, place) {
    const { round, metric, campaign } = app;
    const { filter } = app.state;
    const [answer, tests, people] = await Promise.all([
      app.queries.scores({ filter }),
      comparisonOf(app),
      peopleMeans(app)
    ]);
    if (!app.isCurrent(round)) return;
    must(answer);
    const [, baseline] = app.pair;
    const made = systemTable(app, answer, tests, people);
    const chart = systemChart(app, answer);
    const [groups, deltas] = [h("div"), h("div")];
    const testing = h("div", { class: "row" });
    if (campaign.systems.length > 1 && !tests) {
      if (app.source.can.ask) tester(app, testing);
      else append(testing, [
        needsServer(
          app,
          isFiltering(filter) ? "p-values and clusters under a filter are not made in this page."
            : "p-values and clusters are not in this page."
        )
      ]);
    }
    append(place, [
      head(app, {
        title: "Systems",
        said: answer.n ? "" : "The filter keeps no segment.",
        question: campaign.systems.length > 1 ? "compare" : "score",
        options: () => ({
          metrics: campaign.metrics.map((one) => one.name),
          // p-values of the page are of all pairs, and corrected for their number.
          ...(tests?.isTold ? { pairs: true } : baseline !== null ? { baseline: joined(campaign, baseline) } : {})
        }),
      }),
      h("section", {}, made.element, testing),
      h("div", { class: "side" }, h("section", {}, chart.element), deltas),
      groups,
    ]);
    if (!answer.n) return;
    const [grouped] = await Promise.all([
      groupsElement(app),
      inTime(app, deltas, async () => {
        const drawn = await deltaElement(app);
        if (drawn && app.isCurrent(round)) fill(deltas, drawn);
      }),
    ]);
    if (!app.isCurrent(round)) return;
    fill(groups, grouped?.element);
    await inTime(app, h("div"), () => made.follow(chart.follow));
    if (grouped && app.isCurrent(round)) await inTime(app, h("div"), grouped.follow);
  },
};
