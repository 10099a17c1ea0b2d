// Files that are added: dropped on the page or chosen, read by the server like any file of Assay.

import { append, fill, foreign, h, whole } from "../app/dom.js";
import { say } from "../app/export.js";
import { head, linkTo } from "../app/parts.js";

const KINDS = [
  ["system", "A system: its translations, one segment per line"],
  ["reference", "A reference: one segment per line"],
  ["scores", "Scores of another program, per segment"],
  ["judgements", "Judgements of people"],
  ["campaign", "Another campaign, in one file"],
];

/** What a file seems to be, by its name: as in a campaign's folder. */
function kindOf(name) {
  const [first] = name.toLowerCase().split(".");
  if (first === "ref" || first === "reference") return "reference";
  if (first === "scores" || name.endsWith(".score")) return "scores";
  if (/^(human|judg|rating|mqm|esa)/.test(first)) return "judgements";
  return /\.(txt|plain)(\.gz|\.zst)?$/.test(name) ? "system" : "campaign";
}

/** What a file is called without its kind and its ending. */
function nameOf(name) {
  return name.replace(/^(sys|ref|reference|scores)\./i, "").replace(/\.(gz|zst)$/i, "").replace(/\.[^.]+$/, "") || name;
}

/** Files that wait to be added: [{file, kind, name, said, state}]; they stay when another view is shown. */
let waiting = [];

/** Give a file to the server, and show what came of it. */
async function add(app, one, redraw) {
  one.state = "adding";
  redraw();
  const before = app.manifest.campaigns.length;
  try {
    const bytes = await one.file.arrayBuffer();
    const { name, kind, file } = one;
    await app.source.upload({ campaign: app.campaign?.index ?? 0, name, kind, file: file.name, bytes });
  } catch (error) {
    Object.assign(one, { state: "refused", said: error.message });
    redraw();
    return;
  }
  app.manifest = app.source.manifest;
  app.follow();
  Object.assign(one, { state: "added", said: "Added." });
  say(`Added: ${one.name}`);
  if (app.manifest.campaigns.length > before) app.set({ view: "overview", campaign: before, filter: {} });
  else app.draw();
}

/** Choose what a file is, and what it is called, before it is added. */
function controls(app, one, place, redraw) {
  const kinds = KINDS.filter(([kind]) => app.campaign || kind === "campaign");
  const options = kinds.map(([kind, text]) => h("option", { value: kind, selected: kind === one.kind }, text));
  const chooseKind = (event) => (one.kind = event.target.value);
  const chooseName = (event) => (one.name = event.target.value);
  const leave = () => {
    waiting = waiting.filter((other) => other !== one);
    redraw();
  };
  const name = { id: `name-${place}`, type: "text", value: one.name, autocomplete: "off", oninput: chooseName };
  const go = { id: `add-${place}`, type: "button", class: "button main", onclick: () => add(app, one, redraw) };
  return h(
    "div",
    { class: "row" },
    h(
      "label",
      { class: "field" },
      h("span", {}, "What it is"),
      h("select", { id: `kind-${place}`, onchange: chooseKind }, options),
    ),
    h("label", { class: "field" }, h("span", {}, "Its name"), h("input", name)),
    h("button", go, "Add"),
    h("button", { id: `drop-${place}`, type: "button", class: "button", onclick: leave }, "Leave out"),
  );
}

/** A file with what came of it so far. */
function line(app, one, place, redraw) {
  const isOpen = one.state !== "added" && one.state !== "adding";
  const isRefused = one.state === "refused";
  const said = { class: isRefused ? "error" : "quiet", role: isRefused ? "alert" : null };
  return h(
    "li",
    { class: `upload ${one.state}` },
    foreign(one.file.name, "strong"),
    h("span", { class: "quiet" }, ` ${whole(Math.ceil(one.file.size / 1024))} kB`),
    isOpen ? controls(app, one, place, redraw) : null,
    one.said ? foreign(one.said, "p", said) : null,
  );
}

export const upload = {
  id: "add",
  title: "Files",
  bare: true,
  offered: (app) => Boolean(app.source.can.upload),
  async show(app, place) {
    const list = h("ul", { class: "uploads" });
    const redraw = () => {
      const held = list.contains(document.activeElement) ? document.activeElement.id : null;
      fill(list, waiting.map((one, number) => line(app, one, number, redraw)));
      if (held) document.getElementById(held)?.focus();
    };
    const take = (files) => {
      for (const file of files) {
        const kind = app.campaign ? kindOf(file.name) : "campaign";
        waiting.push({ file, kind, name: nameOf(file.name), state: "waiting", said: "" });
      }
      redraw();
    };
    const choose = (event) => {
      take(event.target.files);
      event.target.value = "";
    };
    const over = (event) => {
      event.preventDefault();
      zone.classList.add("over");
    };
    const drop = (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      take(event.dataTransfer.files);
    };
    const zone = h(
      "div",
      { class: "dropzone", ondragover: over, ondragleave: () => zone.classList.remove("over"), ondrop: drop },
      h("label", { for: "files" }, "Drop files here, or choose them"),
      h("input", { id: "files", type: "file", multiple: true, onchange: choose }),
    );
    const about = "A system, a reference, scores or judgements for this campaign, or a campaign of its own.";
    const kept = "What is added is there until the explorer ends; your own files stay as they are.";
    append(place, [
      head(app, { title: "Add files", said: about }),
      h("div", { class: "uploading" }, zone, list, h("p", { class: "quiet" }, kept)),
      app.campaign ? h("p", {}, linkTo(app, { view: "systems" }, "See the systems")) : null,
    ]);
    redraw();
  },
};
