// Small parts that every view has: headings, links, menus, and the way to what only a server can do.

import { append, fill, h } from "./dom.js";
import { commandsOf, copy, shell } from "./export.js";

/** Questions with intervals, and the number of samples that they draw where nobody says otherwise. */
const DRAWN = ["score", "compare", "meta", "agreement"];
const USUAL_SAMPLES = 1000;
let made = 0;

/** A name for an element that needs one and will never be asked for it. */
export function freshId(name) {
  made += 1;
  return `${name}-${made}`;
}

/** The answer of a query; what it says is wrong is thrown, and shown where the view would be. */
export function must(answer) {
  if (answer?.error) throw Object.assign(new Error(answer.error), { isSaid: true });
  return answer;
}

/** A link to a changed state. */
export function linkTo(app, changes, ...children) {
  return h("a", { href: app.link(changes) }, ...children);
}

/** A button that opens a list of things to do or to choose; it closes by Escape and by a click elsewhere. */
export function menu(id, name, children, { right = false, label = null } = {}) {
  const details = h(
    "details",
    {
      class: right ? "menu right" : "menu",
      onkeydown: (event) => {
        if (event.key !== "Escape" || !details.open) return;
        event.stopPropagation();
        details.open = false;
        details.querySelector("summary").focus();
      },
      onfocusout: (event) => {
        if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
      },
    },
    h("summary", { id, class: "button small", "aria-label": label }, name),
    h("div", { class: "list" }, ...children),
  );
  return details;
}

/** A line of such a list. */
export function item(id, name, work) {
  return h("button", { id, type: "button", class: "item", onclick: (event) => {
    const details = event.currentTarget.closest("details");
    if (details) details.open = false;
    work(event);
  } }, name);
}

/** Choices under a label: `options` are texts or `[value, text]`. */
export function select(id, label, options, value, work, { plain = false } = {}) {
  const chosen = h(
    "select",
    { id, "aria-label": plain ? label : null, onchange: (event) => work(event.target.value) },
    options.map((option) => {
      const [given, text] = Array.isArray(option) ? option : [option, option];
      return h("option", { value: given, selected: given === value }, text);
    }),
  );
  return plain ? chosen : h("label", { class: "field" }, h("span", {}, label), chosen);
}

/** Buttons of which one is chosen. */
export function choice(id, label, options, value, work) {
  return h(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    options.map(([given, text]) =>
      h(
        "button",
        { id: `${id}-${given}`, type: "button", "aria-pressed": String(given === value), onclick: () => work(given) },
        text
      ),
    ),
  );
}

/** The heading of a view, with what it is about and the ways to ask the same elsewhere. */
export function head(app, { title, said = "", question = null, options = {} }) {
  const commands = question
    ? h(
        "div",
        { class: "row tools" },
        h(
          "button",
          { id: "copy-command", type: "button", class: "button small", onclick: () => give("command") },
          "Copy as command"
        ),
        h(
          "button",
          { id: "copy-python", type: "button", class: "button small", onclick: () => give("python") },
          "Copy as Python"
        ),
      )
    : null;
  const give = (kind) => {
    // What the page drew another number of samples for is asked for with that number.
    const { samples = USUAL_SAMPLES } = app.campaign?.draws ?? {};
    const drawn = DRAWN.includes(question) && samples !== USUAL_SAMPLES ? { samples } : {};
    const given = commandsOf(app, question, { ...(typeof options === "function" ? options() : options), ...drawn });
    copy(given[kind], given.said || "Copied");
  };
  return h(
    "header",
    { class: "view-head" },
    h("div", {}, h("h1", {}, title), said ? h("p", { class: "quiet" }, said) : null),
    commands
  );
}

/** What only a server can do, in one sentence with the command that starts it. */
export function needsServer(app, text) {
  const words = app.campaign?.words?.length ? app.campaign.words : [app.campaign?.path ?? "CAMPAIGN"];
  const command = `assay explore ${words.map(shell).join(" ")}`;
  return h(
    "p",
    { class: "quiet needs-server" },
    `${text} This does: `,
    h("code", {}, command),
    " ",
    h(
      "button",
      { type: "button", class: "button small", "aria-label": `Copy: ${command}`, onclick: () => copy(command) },
      "Copy"
    ),
  );
}

/** A number with its interval behind it. */
export function withInterval(value, interval) {
  return h("span", { class: "estimate" }, h("span", { class: "value" }, value), h(
    "span",
    { class: "interval" },
    interval
  ));
}

/** What a system is called, with the letter of the pair where it is of it. */
export function systemName(app, name) {
  const place = app.pair.indexOf(name);
  return append(h("span", { class: "system" }), [
    h("bdi", { dir: "auto" }, name),
    place >= 0 ? h("span", { class: `letter ${"ab"[place]}`, title: `System ${"AB"[place]}` }, "AB"[place]) : null,
    app.campaign.people.includes(name) ? h("span", { class: "tag" }, "person") : null,
  ]);
}

/** A place that says that something is on its way, until `work` is done and fills it. */
export async function inTime(app, element, work) {
  const { round } = app;
  element.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    if (!app.isCurrent(round) || error.name === "AbortError") return;
    fill(element, h("p", { class: "error", role: "alert" }, error.message));
    if (!error.isSaid) console.error(error);
  } finally {
    element.removeAttribute("aria-busy");
  }
}

