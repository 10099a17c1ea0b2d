// What is kept of the campaign: chips of the filter, a form that adds to it, and filters with a name.

import { append, counted, fill, h, later, number, whole } from "./dom.js";
import { say } from "./export.js";
import { item, menu, must, select } from "./parts.js";
import { isFiltering } from "./state.js";
import { exactly } from "../data/filters.js";

/** A filter without parts that say nothing. */
function tidy(filter) {
  const kept = {};
  if (filter.where?.length) kept.where = filter.where;
  if (filter.ranges?.length) kept.ranges = filter.ranges;
  if (filter.search?.text) kept.search = filter.search;
  if (filter.segments) kept.segments = filter.segments;
  return kept;
}

/** The name and the sign of a condition: `document=a,b` is about `document` by `=`. */
function partsOf(condition) {
  const place = condition.indexOf("=");
  const not = condition[place - 1] === "!";
  return { name: condition.slice(0, not ? place - 1 : place), not, values: condition.slice(place + 1) };
}

/** What a range is of, so that another one of the same takes its place. */
function ofRange({ least, most, ...of }) {
  return JSON.stringify(Object.entries(of).sort());
}

/** The filter with one condition more; one of the same name and sign is replaced. */
export function withCondition(filter, condition) {
  const { name, not } = partsOf(condition);
  const others = (filter.where ?? []).filter((one) => partsOf(one).name !== name || partsOf(one).not !== not);
  return tidy({ ...filter, where: [...others, condition] });
}

/** The filter with one range more; one of the same is replaced. */
export function withRange(filter, range) {
  const others = (filter.ranges ?? []).filter((one) => ofRange(one) !== ofRange(range));
  return tidy({ ...filter, ranges: [...others, range] });
}

/** The filter with these segments alone; where some are chosen already, those of them that are chosen still. */
export function withSegments(filter, positions) {
  const chosen = [...new Set(positions)].sort((a, b) => a - b);
  const before = filter.segments ? new Set(filter.segments) : null;
  return tidy({ ...filter, segments: before ? chosen.filter((one) => before.has(one)) : chosen });
}

/** A range in words. */
function rangeText(app, { of, metric, system, a, b, kind, name, rater, least, most }) {
  const label = app.campaign.metrics.find((one) => one.name === metric)?.label ?? metric;
  const what = {
    length: "words",
    score: `${label} of ${system}`,
    delta: `Δ ${label}, ${a} − ${b}`,
    human: [kind ?? "judgement", ...(system ? [`of ${system}`] : []), ...(rater ? [`by ${rater}`] : [])].join(" "),
    column: name,
  }[of] ?? of;
  const missing = (value) => value === null || value === undefined;
  const said = (value) => (Number.isInteger(value) ? number(value, 0) : number(value, 2));
  if (missing(most) && missing(least)) return what;
  if (missing(most)) return `${what} ≥ ${said(least)}`;
  return missing(least) ? `${what} ≤ ${said(most)}` : `${what}: ${said(least)} to ${said(most)}`;
}

/** Every part of a filter, in words, with the filter that is left without it. */
export function partsInWords(app, filter) {
  const parts = [];
  (filter.where ?? []).forEach((condition, place) => {
    const { name, not, values } = partsOf(condition);
    parts.push({
      text: `${name} ${not ? "≠" : "="} ${values}`,
      without: tidy({ ...filter, where: filter.where.filter((_, other) => other !== place) })
    });
  });
  (filter.ranges ?? []).forEach((range, place) => {
    parts.push({
      text: rangeText(app, range),
      without: tidy({ ...filter, ranges: filter.ranges.filter((_, other) => other !== place) })
    });
  });
  if (filter.search?.text) {
    const where = {
      all: "",
      source: " in the source",
      references: " in references",
      systems: " in translations"
    }[filter.search.in ?? "all"] ?? ` in ${filter.search.in}`;
    const how = [filter.search.regex ? "pattern" : "text", filter.search.case ? ", letters as typed" : ""].join("");
    parts.push({ text: `${how} “${filter.search.text}”${where}`, without: tidy({ ...filter, search: null }) });
  }
  if (filter.segments) parts.push({
    text: counted(filter.segments.length, "chosen segment"),
    without: tidy({ ...filter, segments: null })
  });
  return parts;
}

/** The bar above every view: chips, how much is kept, and what adds to it. */
export function filterBar(app) {
  const chips = h("ul", { class: "chips", "aria-label": "Active filter" });
  const kept = h("span", { class: "kept", role: "status", id: "kept" });
  const panel = h("div", { class: "filter-panel", id: "filter-panel", hidden: true });
  const add = h(
    "button",
    {
      id: "filter-add",
      type: "button",
      class: "button small",
      "aria-expanded": "false",
      "aria-controls": "filter-panel",
      onclick: () => open(panel.hidden)
    },
    "Filter"
  );
  const clear = h(
    "button",
    { id: "filter-clear", type: "button", class: "button small", onclick: () => app.set({ filter: {} }) },
    "Clear all"
  );
  const save = h(
    "button",
    { id: "filter-save", type: "button", class: "button small", onclick: () => name() },
    "Save as slice"
  );
  const slices = h("span", {});
  const saving = h("form", { class: "row saving", hidden: true, onsubmit: keep });
  const bar = h(
    "section",
    { class: "filter-bar", "aria-label": "Filter" },
    h("div", { class: "row" }, add, chips, kept, clear, save, slices),
    saving
  );
  // The form has the whole width, below what is beside the bar.
  bar.panel = panel;
  let drawnFor = null;
  let made = null;
  const about = () => JSON.stringify([app.campaign?.index, app.pair, app.state.kind, app.state.filter.search]);

  /** The number of segments that a filter keeps; the bar says it as soon as it is known. */
  async function count() {
    const { round, campaign } = app;
    const filter = app.state.filter;
    if (!campaign) return;
    if (!isFiltering(filter)) {
      kept.textContent = counted(campaign.segments, "segment");
      return;
    }
    try {
      const answer = await app.queries.scores({ filter, systems: [], metrics: [] });
      if (app.isCurrent(
        round
      )) kept.textContent = answer.error ?? `${whole(answer.n)} of ${counted(campaign.segments, "segment")}`;
    } catch (error) {
      if (app.isCurrent(round)) kept.textContent = error.message;
    }
  }

  function open(wanted) {
    panel.hidden = !wanted;
    add.setAttribute("aria-expanded", String(wanted));
    if (wanted) {
      fill(panel, form(app));
      made = about();
      panel.querySelector("select, input")?.focus();
    }
  }

  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
    add.focus();
  });

  function name() {
    saving.hidden = !saving.hidden;
    if (saving.hidden) return;
    fill(
      saving,
      h("label", { class: "field" }, h("span", {}, "Name of this slice"), h(
        "input",
        { id: "slice-name", required: true, maxlength: 80, autocomplete: "off" }
      )),
      h("button", { id: "slice-save", type: "submit", class: "button small" }, "Save"),
    );
    saving.querySelector("input").focus();
  }

  async function keep(event) {
    event.preventDefault();
    const given = saving.querySelector("input").value.trim();
    if (!given) return;
    try {
      await app.source.slices.put({ name: given, campaign: app.campaign.index, filter: app.state.filter });
      say(`Saved as ${given}`);
      saving.hidden = true;
      save.focus();
      await listSlices();
    } catch (error) {
      say(error.message);
    }
  }

  /** Filters with a name: each can be taken, or forgotten. */
  async function listSlices() {
    const all = (await app.source.slices?.list?.())?.filter(
      (slice) => slice.campaign === undefined || slice.campaign === app.campaign?.index
    ) ?? [];
    if (!all.length) return fill(slices);
    const lines = all.map((slice, place) =>
      h("div", { class: "row slice" },
        item(`slice-${place}`, slice.name, () => app.set({ filter: slice.filter })),
        h("button", {
          type: "button",
          id: `slice-forget-${place}`,
          class: "button small",
          "aria-label": `Forget the slice ${slice.name}`,
          onclick: async () => {
            await app.source.slices.remove(slice.name);
            await listSlices();
          },
        }, "×")));
    return fill(slices, menu("slices", "Slices", lines));
  }

  bar.update = () => {
    const { filter } = app.state;
    bar.hidden = !app.campaign?.segments;
    if (bar.hidden) open(false);
    const active = isFiltering(filter);
    fill(chips, partsInWords(app, filter).map(({ text, without }, place) =>
      h("li", { class: "chip" }, h("bdi", { dir: "auto", title: text }, text),
        h("button", { id: `chip-${place}`, type: "button", "aria-label": `Remove: ${text}`, onclick: () => {
          app.set({ filter: without });
          (document.getElementById(`chip-${place}`) ?? add).focus();
        } }, "×"))));
    clear.hidden = save.hidden = !active;
    if (!active) saving.hidden = true;
    count();
    if (drawnFor !== app.campaign?.index) {
      drawnFor = app.campaign?.index;
      open(false);
      listSlices().catch((error) => console.error(error));
    }
    // The form is made anew where it is about other systems than before, and nobody is typing in it.
    if (panel.hidden || made === about() || panel.contains(document.activeElement)) return;
    fill(panel, form(app));
    made = about();
  };
  /** Open the form, as `f` and `/` do. */
  bar.open = (what = null) => {
    open(true);
    if (what === "search") panel.querySelector("#filter-search")?.focus();
  };
  return bar;
}

/** The form that adds to the filter: what stands in it comes to the URL as it is changed. */
function form(app) {
  const { campaign } = app;
  const change = (make) => app.set({ filter: make(app.state.filter) });
  return [
    labelPart(app, campaign, change),
    rangePart(app, campaign, change),
    searchPart(app, campaign)
  ].filter(Boolean);
}

/** Choose values of a document, domain or column. */
function labelPart(app, campaign, change) {
  const names = [
    ...campaign.labels.map((label) => label.name),
    ...campaign.columns,
    ...(campaign.named ? ["segment"] : [])
  ];
  if (!names.length) return null;
  let name = names[0];
  let how = "=";
  const list = h("datalist", { id: "filter-values" });
  const input = h("input", {
    id: "filter-value",
    list: "filter-values",
    autocomplete: "off",
    placeholder: "value, or a pattern: news*",
    "aria-label": "Value"
  });
  const values = () => {
    const label = campaign.labels.find((one) => one.name === name);
    fill(list, (label?.values ?? []).slice(0, 500).map((value) => h("option", { value: exactly(value) }, value)));
  };
  values();
  return h(
    "form",
    { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (!input.value) return;
      change((filter) => withCondition(filter, `${name}${how}${input.value}`));
      input.value = "";
    } },
    select("filter-name", "Where", names, name, (given) => {
      name = given;
      values();
    }),
    select("filter-how", "is", [["=", "is"], ["!=", "is not"]], how, (given) => (how = given)),
    h("label", { class: "field grows" }, h("span", {}, "Value"), input, list),
    h("button", { id: "filter-value-add", type: "submit", class: "button" }, "Add"),
  );
}

/** Choose a range of lengths, scores, differences, judgements. */
function rangePart(app, campaign, change) {
  const [a, b] = app.pair;
  const kind = campaign.kinds.find((one) => one.name === app.state.kind)?.name ?? campaign.kinds[0]?.name;
  const label = (metric) => metric.label;
  const offered = [["length", "words of the source"]];
  for (const metric of campaign.metrics) {
    if (a) offered.push([`score:${metric.name}`, `${label(metric)} of A, ${a}`]);
    if (a && b) offered.push([`delta:${metric.name}`, `Δ ${label(metric)}, A − B`]);
  }
  for (const one of a ? campaign.kinds : []) offered.push([
    `human:${one.name}`,
    `${one.name || "judgement"} of A, ${a}`
  ]);
  for (const name of campaign.columns) offered.push([`column:${name}`, name]);
  let of = offered[0][0];
  const bound = (id, name) => h("input", { id, type: "number", step: "any", inputmode: "decimal", "aria-label": name });
  const [least, most] = [bound("filter-least", "At least"), bound("filter-most", "At most")];
  const value = (input) => (input.value === "" ? null : Number(input.value));
  return h(
    "form",
    { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (value(least) === null && value(most) === null) return;
      const [what, ...rest] = of.split(":");
      const name = rest.join(":");
      const range = {
        length: { of: "length" }, score: {
          of: "score",
          metric: name,
          system: a
        }, delta: { of: "delta", metric: name, a, b },
        human: { of: "human", kind: name || kind, system: a }, column: { of: "column", name },
      }[what];
      change((filter) => withRange(filter, { ...range, least: value(least), most: value(most) }));
      least.value = most.value = "";
    } },
    select("filter-of", "Range of", offered, of, (given) => (of = given)),
    h("label", { class: "field" }, h("span", {}, "from"), least),
    h("label", { class: "field" }, h("span", {}, "to"), most),
    h("button", { id: "filter-range-add", type: "submit", class: "button" }, "Add"),
  );
}

/** Search in texts; typing is enough. */
function searchPart(app, campaign) {
  const search = app.state.filter.search ?? {};
  const places = [["all", "all texts"], ...(campaign.hasSource ? [["source", "source"]] : []), ...(
    campaign.references.length ? [["references", "references"]] : []
  ), ["systems", "translations"],
    ...campaign.systems.map((name) => [`sys.${name}`, name]), ...campaign.references.map((name) => [
      `ref.${name}`,
      `reference ${name}`
    ]), ...campaign.columns.map((name) => [`column.${name}`, name])];
  const input = h("input", {
    id: "filter-search",
    type: "search",
    value: search.text ?? "",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto"
  });
  const regex = h("input", { id: "filter-regex", type: "checkbox", checked: search.regex ?? false });
  const cased = h("input", { id: "filter-case", type: "checkbox", checked: search.case ?? false });
  let where = search.in ?? "all";
  const go = () => {
    const { search: before, ...others } = app.state.filter;
    const text = input.value;
    const filter = text ? {
      ...others,
      search: { text, regex: regex.checked, case: cased.checked, in: where }
    } : others;
    app.set({ filter }, Boolean(before));
  };
  const soon = later(go, 200);
  for (const box of [regex, cased]) box.addEventListener("change", go);
  input.addEventListener("input", soon);
  return h(
    "form",
    { class: "row", role: "search", onsubmit: (event) => {
      event.preventDefault();
      go();
    } },
    h("label", { class: "field grows" }, h("span", {}, "Search in texts"), input),
    select("filter-in", "in", places, where, (given) => {
      where = given;
      if (input.value) go();
    }),
    append(h("span", { class: "row checks" }), [
      h("label", { class: "check" }, regex, "regular expression"),
      h("label", { class: "check" }, cased, "capitals matter"),
    ]),
  );
}
