// What was asked before: runs of the store, two of them against each other, and a score from run to run.

import { append, fill, foreign, h } from "../app/dom.js";
import { say } from "../app/export.js";
import { head, inTime, linkTo, select } from "../app/parts.js";
import { table } from "../app/table.js";
import { campaignWords, commandLine, resultElement } from "./results.js";

/** A time in seconds as a date and an hour, the same everywhere. */
function when(seconds) {
  return seconds === null ? "" : new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

/** What a server without a store, or a page without a server, says. */
function none(app) {
  const words = campaignWords(app);
  const why = app.source.can.ask
    ? "Nothing is kept, for there is no store. Make one, and every answer of explorer and command line is kept in it:"
    : "This page holds one moment. A store keeps every answer, and the explorer shows how scores go from run to run:";
  return [h("p", {}, why), commandLine(`assay store create ${words}`), commandLine(`assay explore ${words}`)];
}

/** The list of runs; two of them are chosen to be compared. */
function list(app, runs) {
  const pick = (name, side) => {
    const id = `${side}-${name}`;
    const label = `${side === "before" ? "Before" : "After"}: ${name}`;
    return h("input", {
      id, type: "radio", name: side, value: name, "aria-label": label, checked: app.state[side] === name,
      onchange: () => app.set({ [side]: name, run: null }),
    });
  };
  const time = (run) => when(run.time);
  const chosen = (side) => {
    const cell = (run) => pick(run.name, side);
    return { id: side, title: side, value: () => null, cell, sortable: false, copied: false };
  };
  const code = (run) => h("code", {}, run.command);
  const open = (run) => ({ run: run.name, before: null, after: null });
  const columns = [
    { id: "time", title: "time (UTC)", value: (run) => run.time, cell: time, text: time, row: true, kind: "text" },
    { id: "asked", title: "asked", value: (run) => run.title, link: open, foreign: true },
    { id: "command", title: "command", value: (run) => run.command, cell: code, foreign: true },
    { id: "slice", title: "slice", value: (run) => run.slice, foreign: true },
    { id: "seconds", title: "seconds", value: (run) => run.seconds, decimals: 1, better: undefined },
    { id: "version", title: "Assay", value: (run) => run.version, hidden: true },
    { id: "name", title: "run", value: (run) => run.name, hidden: true },
    chosen("before"),
    chosen("after"),
  ].filter((column) => column.id !== "slice" || runs.some((run) => run.slice));
  return table(app, {
    id: "runs",
    title: "What was asked",
    columns,
    rows: runs,
    key: (run) => run.name,
    current: (run) => run.name === app.state.run,
    said: "Choose a run before and one after to see which numbers moved, and what may be the reason.",
  });
}

/** A score over runs: which, of which system. */
function overRuns(app) {
  const { metrics, systems } = app.campaign;
  const { of = null, system = null } = app.state.over ?? {};
  const change = (changes) => app.set({ over: { of, system, ...changes } });
  const place = h("div", {});
  const labels = [["", "choose"], ...metrics.map((metric) => [metric.name, metric.label])];
  const names = [["", "all"], ...systems];
  const controls = h(
    "div",
    { class: "row" },
    select("over-metric", "Metric", labels, of ?? "", (name) => change({ of: name || null })),
    select("over-system", "System", names, system ?? "", (name) => change({ system: name || null })),
  );
  const element = h("section", {}, h("h2", {}, "A score from run to run"), controls, place);
  const load = async () => {
    if (!of) return;
    const { round } = app;
    const kept = await app.source.runs({ metrics: [of], systems: system ?? undefined });
    if (app.isCurrent(round)) fill(place, resultElement(app, kept, { id: "over" }));
  };
  return { element, load: () => inTime(app, place, load) };
}

/** Slices: filters with a name, and the runs that were asked of each. */
function slices(app, kept, runs) {
  if (!kept.length) return null;
  const remove = async (name) => {
    await app.source.slices.remove(name);
    say(`Removed: ${name}`);
    app.draw();
  };
  return h(
    "section",
    {},
    h("h2", {}, "Slices"),
    h(
      "ul",
      { class: "slices" },
      kept.map((slice) => {
        const asked = runs.filter((run) => run.slice === slice.name);
        const count = ` ${asked.length} ${asked.length === 1 ? "run" : "runs"} `;
        const links = asked.slice(0, 5).map((run) => {
          return [linkTo(app, { run: run.name, before: null, after: null }, when(run.time)), " "];
        });
        const label = `Remove the slice ${slice.name}`;
        const attributes = { type: "button", class: "button small", id: `remove-${slice.name}`, "aria-label": label };
        return h(
          "li",
          {},
          linkTo(app, { view: "systems", filter: slice.filter }, foreign(slice.name)),
          runs.length ? h("span", { class: "quiet" }, count) : " ",
          links,
          h("button", { ...attributes, onclick: () => remove(slice.name) }, "Remove"),
        );
      }),
    ),
  );
}

/** What differs between two runs. */
function moved(app, kept) {
  const close = linkTo(app, { before: null, after: null }, "Close");
  const begin = h("div", { class: "row" }, h("h2", {}, "What moved"), close);
  return h("section", { class: "opened" }, begin, resultElement(app, kept, { id: "diff" }));
}

/** One run, with the way to ask it again. */
function opened(app, name, kept) {
  const again = async () => {
    await app.source.rerun(name);
    app.set({ view: "ask", run: null });
  };
  return h(
    "section",
    { class: "opened" },
    h(
      "div",
      { class: "row" },
      h("h2", {}, name),
      h("button", { id: "rerun", type: "button", class: "button small", onclick: again }, "Ask it again"),
      linkTo(app, { run: null }, "Close"),
    ),
    resultElement(app, kept, { id: "run" }),
  );
}

export const runs = {
  id: "runs",
  title: "Runs",
  bare: true,
  offered: (app) => app.campaign !== null,
  async show(app, place) {
    const { round } = app;
    const kept = app.source.slices ? await app.source.slices.list() : [];
    if (!app.source.can.runs) {
      if (app.isCurrent(round)) append(place, [head(app, { title: "Runs" }), none(app), slices(app, kept, [])]);
      return;
    }
    const { run, before, after } = app.state;
    const [listed, { results }] = await Promise.all([app.source.runList(), app.source.reload()]);
    const commands = new Map(results.map((entry) => [entry.id, entry.command]));
    const known = listed.map((one) => ({ ...one, command: commands.get(one.id) ?? one.command }));
    const isPair = Boolean(before && after);
    let answer = null;
    if (isPair) answer = await app.source.diff(before, after);
    else if (run) answer = await app.source.result(idOf(known, run));
    if (!app.isCurrent(round)) return;
    const score = overRuns(app);
    append(place, [
      head(app, { title: "Runs", said: app.manifest.store ? `Kept in ${app.manifest.store.path}.` : "" }),
      known.length ? list(app, known) : h("p", {}, "Nothing was asked yet: what is asked from now on is kept."),
      isPair ? moved(app, answer) : null,
      answer && !isPair ? opened(app, run, answer) : null,
      score.element,
      slices(app, kept, known),
    ]);
    await score.load();
  },
};

/** The id of the answer of a run. */
function idOf(known, name) {
  return known.find((run) => run.name === name)?.id ?? `run-${name}`;
}
