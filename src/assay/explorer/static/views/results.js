// Answers: any Result as tables, sentences and pictures, and the pages that list what was asked.

import { append, foreign, h, whole } from "../app/dom.js";
import { picture } from "../app/charts.js";
import { commandsOf, copy, download, shell } from "../app/export.js";
import { withCondition } from "../app/filterbar.js";
import { head, linkTo } from "../app/parts.js";
import { table } from "../app/table.js";
import { exactly } from "../data/filters.js";
import { grids, said } from "../data/grids.js";

/** Longer tables are folded away until somebody opens them, as on pages of Python. */
const OPEN_ROWS = 60;
/** Columns with longer texts are not made narrow. */
const WIDE = 28;
/** Of more than twice as many sentences, so many are seen at first. */
const FIRST = 5;
/** Columns that name a system, the first of a pair before the second. */
const SYSTEMS = ["system", "a", "translation", "system_a", "first"];
const OTHERS = ["b", "other", "system_b", "second", "baseline"];
const LABELS = ["document", "domain"];
/** What a dot of a drawing says that leads to a row, and how a part of a drawing is moved. */
const ROW = /^(segment-[0-9a-f]{12}): (.*)$/s;
const MOVED = /^translate\(([-+.e0-9]+),([-+.e0-9]+)\)$/;
/** The state that shows what a row is about: its segment, or the segments of its document, domain, system or pair. */
function leadsTo(app, row, metric = null) {
  const { campaign } = app;
  if (!campaign) return null;
  const system = SYSTEMS.map((name) => row[name]).find((name) => campaign.systems.includes(name)) ?? null;
  const other = OTHERS.map((name) => row[name]).find((name) => campaign.systems.includes(name)) ?? null;
  const named = metric ?? row.metric;
  const changes = { view: "segments", ...(system && { a: system }), ...(other && { b: other }) };
  if (campaign.metrics.some((one) => one.name === named)) changes.metric = named;
  const { segment } = row;
  if (segment !== undefined && segment !== null) {
    if (!campaign.named && Number.isInteger(Number(segment))) {
      return Number(segment) < campaign.segments ? { ...changes, view: "segment", segment: Number(segment) } : null;
    }
    return { ...changes, filter: withCondition({}, `segment=${exactly(String(segment))}`) };
  }
  const isOf = (name) => campaign.labels.some((label) => label.name === name && label.values.includes(row[name]));
  const where = LABELS.filter(isOf);
  const filter = where.reduce((made, name) => withCondition(made, `${name}=${exactly(row[name])}`), {});
  if (where.length) return { ...changes, filter };
  if (system === null) return null;
  return other ? { ...changes, sort: "delta" } : changes;
}

/** The state that one cell leads to: what it names itself, else what its row is about. */
function cellLink(app, column, cell, parts) {
  if (cell.value === null || cell.head) return null;
  if (parts.has(cell.text)) return { part: cell.text };
  const { name } = column;
  if (SYSTEMS.includes(name) || OTHERS.includes(name)) return leadsTo(app, { system: cell.value });
  if (LABELS.includes(name) || name === "segment") return leadsTo(app, { ...cell.row, [name]: cell.value });
  const isRange = column.high !== undefined && column.low === undefined;
  return typeof cell.value === "number" && !isRange ? leadsTo(app, cell.row, column.where?.metric) : null;
}

/** A cell: text of strangers, its mark raised behind it. */
function cellContent(cell) {
  if (cell.head) return h("strong", {}, cell.text);
  return cell.mark ? h("span", {}, cell.text, h("sup", {}, cell.mark)) : cell.text;
}

/** One view of an answer as a table. */
function gridElement(app, grid, id, parts) {
  // Lines that head those below them would lose them by sorting.
  const isHeaded = grid.rows.some((cells) => cells[0]?.head);
  const columns = grid.headings.map((heading, place) => ({
    id: String(place),
    title: heading || `column ${place + 1}`,
    heading: () => heading,
    value: (line) => line.cells[place].value,
    text: (line) => said(line.cells[place]),
    cell: (line) => cellContent(line.cells[place]),
    link: (line) => cellLink(app, grid.columns[place], line.cells[place], parts),
    kind: grid.right[place] ? "number" : "text",
    better: undefined,
    row: place === 0,
    class: grid.rows.some((cells) => cells[place].text.length > WIDE && !cells[place].head) ? "wide" : null,
    sortable: !isHeaded,
    foreign: !grid.right[place],
  }));
  const made = table(app, {
    id,
    title: grid.title,
    columns,
    rows: grid.rows.map((cells, place) => ({ cells, place })),
    key: (line) => grid.anchors[line.place] ?? String(line.place),
    most: Infinity,
    said: grid.notes.map((note) => foreign(note, "p")),
  });
  if (grid.rows.length <= OPEN_ROWS) return made;
  const summary = h("summary", { id: `fold-${id}` }, `${grid.title || "Table"}: ${whole(grid.rows.length)} rows`);
  return h("details", { class: "fold" }, summary, made);
}

/** Sentences, one below the other; the first ones, where they are many. */
function sentences(id, texts, kind) {
  const lines = texts.map((text) => foreign(text, "li"));
  if (lines.length <= 2 * FIRST) return lines.length ? h("ul", { class: `sentences ${kind}` }, lines) : null;
  const more = h("summary", { id: `more-${id}` }, `${lines.length - FIRST} more`);
  return h(
    "div",
    {},
    h("ul", { class: `sentences ${kind}` }, lines.slice(0, FIRST)),
    h("details", { class: "fold" }, more, h("ul", { class: `sentences ${kind}` }, lines.slice(FIRST))),
  );
}

/** Where the dots of a drawing are that name a row, in shares of its width and height: [[row, text, x, y], …]. */
function dotsOf(svg) {
  const { documentElement: root } = new DOMParser().parseFromString(svg, "image/svg+xml");
  const [, , width, height] = (root.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const found = [];
  const look = (node, x, y) => {
    const moved = MOVED.exec(node.getAttribute("transform") ?? "");
    const place = moved ? [x + Number(moved[1]), y + Number(moved[2])] : [x, y];
    const named = ROW.exec(node.getAttribute("aria-label") ?? "");
    if (named) found.push([named[1], named[2], place[0] / width, place[1] / height]);
    for (const child of node.children) look(child, ...place);
  };
  if (width > 0 && height > 0) look(root, 0, 0);
  return found;
}

/** A picture below its heading: it says itself what it shows. Dots that name a row lead to what the row is about. */
function pictureElement(app, figure, rows) {
  const made = picture({ ...figure, title: figure.title || figure.name });
  made.querySelector("h2")?.replaceWith(h("span"));
  const links = figure.svg.includes("segment-") && rows.size ? dotsOf(figure.svg) : [];
  const spots = links.flatMap(([row, text, x, y]) => {
    const changes = rows.has(row) ? leadsTo(app, rows.get(row)) : null;
    if (!changes) return [];
    const style = { left: `${100 * x}%`, top: `${100 * y}%` };
    // The table below has the same rows for those who go by keys.
    return [h("a", { href: app.link(changes), title: text, "aria-label": text, tabindex: "-1", style })];
  });
  const image = made.querySelector("img");
  if (spots.length && image) {
    const linked = h("div", { class: "linked" });
    image.replaceWith(linked);
    append(linked, [image, spots]);
  }
  return made;
}

/** A button; the small ones beside a heading have no other look. */
function button(id, text, work, attributes = {}) {
  return h("button", { id, type: "button", class: "button small", onclick: work, ...attributes }, text);
}

/** Signatures, and how it was done: for those who want to do it again. */
function details(id, result) {
  const signatures = Object.entries(result.signatures ?? {});
  const isPlain = (value) => value !== null && value !== "" && typeof value !== "object";
  const setup = Object.entries(result.setup ?? {}).filter(([, value]) => isPlain(value));
  if (!signatures.length && !setup.length) return null;
  const all = signatures.map(([, line]) => `${line}\n`).join("");
  const terms = setup.map(([name, value]) => h("div", {}, h("dt", {}, name), foreign(value, "dd")));
  const lines = signatures.map(([name, line]) =>
    h("p", { class: "signature" }, h("strong", {}, name), " ", h("code", {}, line)),
  );
  return h(
    "details",
    { class: "fold" },
    h("summary", { id: `how-${id}` }, signatures.length ? "Signatures and setup" : "Setup"),
    terms.length ? h("dl", { class: "reasons" }, terms) : null,
    lines,
    all ? button(`signatures-${id}`, "Copy signatures", () => copy(all)) : null,
    h("p", { class: "quiet" }, `Assay ${result.assay}`),
  );
}

/**
 * An answer that was kept, `{result, figures}`: its sentences, tables and pictures.
 *
 * `skip` are titles of views that are left out; `id` begins the names of its elements.
 */
export function resultElement(app, kept, { skip = [], id = "answer" } = {}) {
  const { result, figures = [] } = kept;
  const views = (result.views ?? []).filter((view) => !skip.includes(view.title));
  const all = grids({ ...result, findings: [], views });
  const sections = [...new Set(all.map((grid) => grid.section))];
  const parts = new Set(sections.filter(Boolean));
  const sectionOf = (figure) => [...parts].find((name) => figure.name.startsWith(`${name}.`)) ?? "";
  const rows = new Map(all.flatMap((grid) => grid.anchors.map((anchor, place) => [anchor, grid.rows[place][0].row])));
  const element = h("div", { class: "answer", id });
  append(element, [sentences(`${id}-findings`, result.findings ?? [], "")]);
  let count = 0;
  for (const section of parts.size ? ["", ...parts] : [""]) {
    const place = section ? h("section", { class: "part", id: partId(section), tabindex: "-1" }) : element;
    const drawn = figures.filter((figure) => figure.svg && sectionOf(figure) === section);
    const tables = all
      .filter((grid) => grid.section === section)
      .map((grid) => gridElement(app, grid, `${id}-${count++}`, section ? new Set() : parts));
    const heading = section && drawn.length ? tables[0]?.querySelector("h2") : null;
    // Pictures stand below the heading of their part.
    heading?.replaceWith(h("span"));
    append(place, [heading, drawn.map((figure) => pictureElement(app, figure, rows)), tables]);
    if (section) append(element, [place]);
  }
  const notes = (result.notes ?? []).map(({ level, text }) => `${level === "warning" ? "Warning" : "Note"}: ${text}`);
  append(element, [sentences(`${id}-notes`, notes, "quiet"), details(id, result)]);
  return element;
}

/** The id of a part of an answer. */
function partId(section) {
  return `part-${section}`;
}

/** The call of Python that asks the same as an answer. */
export function pythonOf(app, result, campaign) {
  const options = Object.entries(result.options ?? {}).filter(
    ([, value]) => value !== null && value !== false && value !== "" && !(Array.isArray(value) && !value.length),
  );
  const { command } = result;
  const named = command === "study" || command === "paper" ? { [command]: result[command] } : {};
  const words = campaign?.path ? [campaign.path] : [];
  const given = { ...campaign, words, path: campaign?.path ?? null };
  return commandsOf(app, command, { ...named, ...Object.fromEntries(options) }, { filter: {}, campaign: given }).python;
}

/** What can be done with an answer: ask it again elsewhere, or keep it as a file. */
export function resultTools(app, entry, kept) {
  const { result } = kept;
  const campaign = app.manifest.campaigns[entry.campaign ?? app.state.campaign] ?? null;
  const keep = () => {
    const text = JSON.stringify({ ...result, figures: kept.figures }, null, 2);
    download(`${entry.title}.json`, new Blob([text], { type: "application/json" }));
  };
  return h(
    "div",
    { class: "row tools" },
    entry.command ? button("copy-command", "Copy as command", () => copy(entry.command)) : null,
    button("copy-python", "Copy as Python", () => copy(pythonOf(app, result, campaign))),
    button("result-json", "JSON", keep, { title: "A file that assay show reads" }),
  );
}

/** A command in a line of its own, with a button that copies it. */
export function commandLine(command) {
  const take = button(null, "Copy", () => copy(command), { "aria-label": `Copy: ${command}` });
  return h("p", { class: "command" }, h("code", {}, command), " ", take);
}

/** What was typed to name the campaign that is looked at. */
export function campaignWords(app) {
  const words = app.campaign?.words?.length ? app.campaign.words : [app.campaign?.path ?? "CAMPAIGN"];
  return words.map(shell).join(" ");
}

/** What of this section could not be answered, and why. */
function unansweredElement(app, section) {
  const forms = (app.manifest.questions ?? []).filter((form) => form.section === section);
  const here = app.state.campaign;
  const reasons = (app.manifest.unanswered ?? []).filter(
    (one) => sectionOfQuestion(one.question, one.section) === section && (one.campaign ?? here) === here,
  );
  const nameOf = (form) => [form.command, form.study ?? form.paper].filter(Boolean).join(" ");
  const listed = [
    ...reasons.map(({ question, reason }) => [question, reason]),
    ...forms.filter((form) => form.unanswered?.[here]).map((form) => [nameOf(form), form.unanswered[here]]),
  ];
  const once = [...new Map(listed).entries()];
  if (!once.length) return null;
  const lines = once.map(([name, reason]) => h("div", {}, foreign(name, "dt"), foreign(reason, "dd")));
  return h(
    "details",
    { class: "fold" },
    h("summary", { id: `unanswered-${section}` }, `What this campaign cannot answer (${once.length})`),
    h("dl", { class: "reasons" }, lines),
  );
}

/** Studies whose answers are about references; the others are about metrics. */
const OF_REFERENCES = new Set([
  "references", "reference-count", "reference-similarity", "synthetic-references", "foreign-texts",
]);

/** The section of a question that was not answered: `study references`, `meta`. */
function sectionOfQuestion(question, section) {
  if (section) return section;
  const [command, name] = String(question).split(" ");
  if (command === "paper") return "papers";
  if (command === "study") return OF_REFERENCES.has(name) ? "references" : "studies";
  return { compare: "systems", score: "systems", meta: "metrics", agreement: "people" }[command] ?? "other";
}

/** How an answer gets into the page where there is none. */
function howTo(app, about, example) {
  const words = campaignWords(app);
  if (app.source.can.ask) {
    const link = linkTo(app, { view: "ask", question: null }, "Ask a question");
    return h("p", {}, "Nothing was asked yet. ", link, ": its answer will be found here.");
  }
  return h(
    "div",
    { class: "how" },
    h("p", {}, `${about} To have one in this page, or to ask for it while you look:`),
    commandLine(`assay report ${words} --also '${example}' -o report.html`),
    commandLine(`assay explore ${words}`),
  );
}

/** Questions of a section that a server can ask, as links to their forms. */
function offers(app, section) {
  const isHere = (form) => form.section === section && !form.unanswered?.[app.state.campaign];
  const forms = (app.manifest.questions ?? []).filter(isHere);
  if (!app.source.can.ask || !forms.length) return null;
  const lines = forms.map((form) => {
    const changes = { view: "ask", question: form.study ?? form.paper ?? form.question, options: null };
    const source = form.source ? h("span", { class: "quiet" }, ` ${form.source}`) : null;
    return h("li", {}, linkTo(app, changes, form.title), source);
  });
  const summary = h("summary", { id: `offers-${section}` }, `Ask one of ${forms.length} questions`);
  return h("details", { class: "fold" }, summary, h("ul", {}, lines));
}

/** All answers, newest last; what was asked for since the page was opened is among them. */
async function entriesOf(app) {
  if (app.source.can.ask) {
    const known = new Set(app.manifest.results.map((entry) => entry.id));
    const jobs = await app.source.jobs();
    if (jobs.some((job) => job.result && !known.has(job.result))) app.manifest = await app.source.reload();
  }
  return app.manifest.results;
}

/** The view that shows answers of a section by themselves. */
export function viewOf(section) {
  return ["references", "studies", "papers"].includes(section) ? section : "others";
}

/** The way from one answer to the others. */
function answerLinks(app, entries, entry) {
  const lines = entries.map((one) => {
    const link = linkTo(app, { result: one.id, part: null, tables: null }, one.title);
    link.id = `result-${one.id}`;
    if (one === entry) link.setAttribute("aria-current", "true");
    return h("li", {}, link);
  });
  return h("nav", { class: "answers", "aria-label": "Answers" }, h("ul", {}, lines));
}

/** A page of answers. */
function page(id, title, sections, about, example, name = title) {
  return {
    id,
    title: name,
    bare: true,
    offered: (app) =>
      id !== "others" || app.source.can.ask || app.manifest.results.some((one) => sections.includes(one.section)),
    async show(app, place) {
      const { round } = app;
      const all = await entriesOf(app);
      const here = ({ campaign }) => (campaign ?? app.state.campaign) === app.state.campaign;
      // Without a campaign there is nothing but answers.
      const isAll = id === "others" && app.campaign === null;
      const entries = all.filter((one) => isAll || (sections.includes(one.section) && here(one)));
      const wanted = app.state.result;
      // What no list has, such as an answer that was kept long ago, is shown among the others.
      const isNew = wanted && id === "others" && !all.some((one) => one.id === wanted);
      const known = entries.find((one) => one.id === wanted) ?? entries[0];
      const entry = isNew ? { id: wanted, title, command: null } : known;
      const kept = entry ? await app.source.result(entry.id) : null;
      if (!app.isCurrent(round)) return;
      const begin = head(app, { title });
      if (kept) append(begin, [resultTools(app, entry, kept)]);
      const links = entries.length > 1 || isNew ? answerLinks(app, entries, entry) : null;
      append(place, [
        begin,
        links,
        kept ? resultElement(app, kept, { id: `answer-${entry.id}` }) : howTo(app, about, example),
        kept && !app.source.can.ask ? elsewhere(app, example) : null,
        ...sections.map((section) => offers(app, section)),
        ...sections.map((section) => unansweredElement(app, section)),
      ]);
      if (app.state.part) showPart(app.state.part);
    },
  };
}

/** How further answers get into a page. */
function elsewhere(app, example) {
  const words = campaignWords(app);
  return h(
    "details",
    { class: "fold" },
    h("summary", { id: "more-answers" }, "Further answers"),
    h("p", {}, "What else is asked for goes into the page, too; or ask while you look:"),
    commandLine(`assay report ${words} --also '${example}' -o report.html`),
    commandLine(`assay explore ${words}`),
  );
}

/** Bring a part of an answer into view, once it is in the page. */
function showPart(name) {
  requestAnimationFrame(() => {
    const part = document.getElementById(partId(name));
    part?.scrollIntoView();
    part?.focus({ preventScroll: true });
  });
}

const OTHERS_TOO = ["other", "runs", "overview", "systems", "metrics", "people"];

export const references = page(
  "references", "References", ["references"], "No study of the references is here.", "study references",
);
export const studies = page("studies", "Studies", ["studies"], "No study is here.", "study correlations");
export const papers = page("papers", "Papers", ["papers"], "No paper is here.", "paper lavie2004");
export const others = page("others", "Other answers", OTHERS_TOO, "No other answer is here.", "describe", "Others");
