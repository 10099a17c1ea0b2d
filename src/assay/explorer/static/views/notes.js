// Notes on a segment, or on a system's translation of it: kept by the source, and given out as JSON Lines.

import { fill, foreign, h } from "../app/dom.js";
import { download, safeName, say } from "../app/export.js";
import { freshId, inTime, linkTo } from "../app/parts.js";

/** When a note was written, in milliseconds: sources say seconds or the date. */
function timeOf({ time }) {
  return typeof time === "number" ? time * 1000 : Date.parse(time);
}

/** A time as people read it. */
function timeSaid(note) {
  const date = new Date(timeOf(note));
  if (Number.isNaN(date.getTime())) return null;
  return h("time", { datetime: date.toISOString() }, `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`);
}

/** All notes on this campaign, the oldest first. */
export async function notesOf(app) {
  const all = (await app.source.notes.list()) ?? [];
  return all.filter((note) => note.campaign === app.campaign.index).sort((x, y) => timeOf(x) - timeOf(y));
}

/** Notes as JSON Lines: a note a line, with names beside positions. */
export function jsonLines(app, notes, names = new Map()) {
  return notes
    .map(({ id, campaign, segment, system, text, time }) =>
      `${JSON.stringify({ id, campaign: app.campaign.name, segment, name: names.get(segment) ?? null, system: system ?? null, text, time })}\n`)
    .join("");
}

/** Keep all notes on the campaign as a file. */
export async function exportNotes(app) {
  const notes = await notesOf(app);
  const names = new Map();
  if (app.campaign.named) {
    const segments = [...new Set(notes.map((note) => note.segment))];
    const { segment } = await app.queries.texts({ segments, columns: ["segment"] });
    segments.forEach((position, place) => names.set(position, segment?.[place] ?? null));
  }
  const lines = jsonLines(app, notes, names);
  download(`${safeName(app.campaign.name)}.notes.jsonl`, new Blob([lines], { type: "application/jsonl" }));
  say(notes.length === 1 ? "1 note" : `${notes.length} notes`);
}

/** How long notes stay, in words. */
function keptSaid(app) {
  if (app.source.can.notes === "store") return "Notes are kept in the store.";
  if (app.source.can.notes === "memory") return "Notes are gone when the server ends: there is no store.";
  return "Notes are kept in this browser, for this page alone.";
}

function written(app, note, again) {
  const text = h("p", { class: "words", dir: "auto" }, note.text);
  const buttons = h("div", { class: "row" });
  const element = h(
    "li",
    { class: "note", id: `note-${note.id}` },
    h("p", { class: "quiet" }, note.system ? ["On ", foreign(note.system), " · "] : null, timeSaid(note)),
    text,
    buttons,
  );
  const edit = () => {
    const area = h("textarea", { id: `note-${note.id}-text`, rows: "3", dir: "auto", value: note.text, "aria-label": "Note" });
    const save = async () => {
      if (!area.value.trim()) return area.focus();
      await app.source.notes.put({ ...note, text: area.value.trim() });
      await again(`note-${note.id}-edit`);
      return say("Kept");
    };
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
      if (event.key !== "Escape") return;
      event.stopPropagation();
      again(`note-${note.id}-edit`);
    });
    text.replaceWith(area);
    fill(buttons,
      h("button", { id: `note-${note.id}-save`, type: "button", class: "button small", onclick: save }, "Keep"),
      h("button", { id: `note-${note.id}-leave`, type: "button", class: "button small", onclick: () => again(`note-${note.id}-edit`) }, "Leave as it was"));
    area.focus();
  };
  const remove = async () => {
    await app.source.notes.remove(note.id);
    await again("note-new");
    say("Removed");
  };
  fill(buttons,
    h("button", { id: `note-${note.id}-edit`, type: "button", class: "button small", onclick: edit }, "Edit"),
    h("button", { id: `note-${note.id}-remove`, type: "button", class: "button small", onclick: remove }, "Remove"));
  return element;
}

/** The notes on one segment, with a field for a new one. */
export function notesPanel(app, segment) {
  const list = h("ul", { class: "notes" });
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const again = (focus) => guarded(async () => {
    const notes = (await notesOf(app)).filter((note) => note.segment === segment);
    fill(list, notes.map((note) => written(app, note, again)));
    if (focus) document.getElementById(focus)?.focus();
  });
  const guarded = async (work) => {
    try {
      error.hidden = true;
      await work();
    } catch (problem) {
      error.hidden = false;
      fill(error, problem.message);
    }
  };
  const area = h("textarea", { id: "note-new", rows: "3", dir: "auto" });
  const about = h("select", { id: "note-about" }, h("option", { value: "" }, "the segment"),
    app.campaign.systems.map((system, place) => h("option", { value: String(place) }, system)));
  const put = () => guarded(async () => {
    if (!area.value.trim()) return area.focus();
    const system = about.value === "" ? null : app.campaign.systems[Number(about.value)];
    await app.source.notes.put({ campaign: app.campaign.index, segment, system, text: area.value.trim() });
    area.value = "";
    await again("note-new");
    return say("Kept");
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) put();
  });
  const title = freshId("notes");
  const panel = h(
    "section",
    { class: "notes-panel", "aria-labelledby": title },
    h("h2", { id: title }, "Notes"),
    list,
    h("div", { class: "note-form" },
      h("label", { class: "field" }, h("span", {}, "A new note"), area),
      h("div", { class: "row" },
        h("label", { class: "field" }, h("span", {}, "On"), about),
        h("button", { id: "note-put", type: "button", class: "button", onclick: put }, "Keep"),
        h("button", { id: "note-export", type: "button", class: "button small", onclick: () => guarded(() => exportNotes(app)) }, "All notes as JSON Lines"))),
    error,
    h("p", { class: "quiet" }, keptSaid(app)),
  );
  again();
  return panel;
}

/** All notes on the campaign, each a way to its segment. */
export function notesList(app) {
  const list = h("ul", { class: "notes" });
  const panel = h("details", { class: "all-notes", hidden: true }, h("summary", { id: "notes-open" }, "Notes"), list,
    h("button", { id: "notes-export", type: "button", class: "button small", onclick: () => exportNotes(app) }, "Notes as JSON Lines"));
  inTime(app, list, async () => {
    const { round } = app;
    const notes = await notesOf(app);
    if (!app.isCurrent(round) || !notes.length) return;
    panel.hidden = false;
    fill(panel.querySelector("summary"), notes.length === 1 ? "1 note" : `${notes.length} notes`);
    fill(list, notes.map((note) => h("li", { class: "note" },
      linkTo(app, { view: "segment", segment: note.segment, place: null }, `Segment ${note.segment}`),
      note.system ? [" · ", foreign(note.system)] : null, h("p", { class: "words", dir: "auto" }, note.text))));
  });
  return panel;
}
