// What stands around every view: title, navigation, filter, the pair that is compared, help. Its elements stay.

import { fill, h, visible } from "./dom.js";
import { filterBar } from "./filterbar.js";
import { keys } from "./keys.js";
import { select } from "./parts.js";

let parts = null;
let shownView = null;
const scrolled = new Map();
let hash = null;

/** The frame around a view; gives the place that the view fills. What was there stays until it does. */
export function frame(app, view) {
  parts ??= build(app);
  keys.clear();
  if (hash !== null) scrolled.set(hash, scrollY);
  hash = location.hash;
  document.title = visible(
    [view.title, app.campaign?.name, app.manifest.title].filter(
      (part, place, all) => part && all.indexOf(part) === place
    ).join(" – ")
  );
  parts.update(view);
  const place = h("div", { class: `view view-${view.id}` });
  const isNew = shownView !== view.id;
  const { stage } = parts;
  stage.style.setProperty("min-height", isNew ? "60vh" : `${stage.clientHeight}px`);
  stage.setAttribute("aria-busy", "true");
  stage.append(place);
  new MutationObserver((_, observer) => {
    observer.disconnect();
    if (stage.lastChild === place) swap(app, place, isNew);
    else place.remove();
  }).observe(place, { childList: true });
  shownView = view.id;
  return place;
}

/** What the view before held goes; focus, what is being typed and the place on the page stay. */
function swap(app, place, isNew) {
  const held = document.activeElement;
  const within = held && held !== document.body && parts.stage.contains(held) && !place.contains(held);
  const typed = within && held.matches("input:not([type=checkbox], [type=radio]), textarea");
  const [value, start, end] = typed ? [held.value, held.selectionStart, held.selectionEnd] : [];
  const open = isNew ? [] : [
    ...parts.stage.querySelectorAll("details[open] > summary[id]")
  ].map((summary) => summary.id);
  for (const child of [...parts.stage.children]) {
    if (child === place) break;
    child.remove();
  }
  for (const id of open) {
    const summary = document.getElementById(id);
    if (summary && summary.parentElement.matches("details.data")) summary.parentElement.open = true;
  }
  parts.stage.removeAttribute("aria-busy");
  if (within) {
    const again = !isNew && held.id ? document.getElementById(held.id) : null;
    if (again) {
      again.focus({ preventScroll: true });
      if (typed && again.value !== value) again.value = value;
      if (typed && start !== null) again.setSelectionRange(start, end);
    } else if (isNew) {
      const title = place.querySelector("h1");
      title?.setAttribute("tabindex", "-1");
      title?.focus({ preventScroll: true });
    }
  }
  if (isNew) {
    scrollTo(0, app.returning ? (scrolled.get(location.hash) ?? 0) : 0);
    setTimeout(() => parts.stage.style.setProperty("min-height", "0"), 300);
  } else {
    setTimeout(() => parts.stage.style.setProperty("min-height", "0"), 1000);
  }
}

/** The next system for a side of the pair. */
function nextSystem(app, side, step = 1) {
  const { systems } = app.campaign ?? { systems: [] };
  const [a, b] = app.pair;
  const other = side === "a" ? b : a;
  const offered = systems.filter((name) => name !== other);
  if (!offered.length) return;
  const place = offered.indexOf(side === "a" ? a : b);
  app.set({ a, b, [side]: offered[(place + step + offered.length) % offered.length] }, true);
}

/** A and B in each other's place. */
function swapPair(app) {
  const [a, b] = app.pair;
  if (b) app.set({ a: b, b: a });
}

/** The width of a printed page, about, and how much smaller letters of tables are there. */
const [PAPER, SMALLER] = [690, 0.66];

/** Make tables that are wider than paper as small as it takes, so that nothing of them is cut off. */
function fitToPaper() {
  for (const one of document.querySelectorAll(".box table")) {
    const share = PAPER / (one.scrollWidth * SMALLER);
    if (share < 1) one.style.setProperty("zoom", String(share));
  }
}

/** Every part of the frame, once. */
function build(app) {
  const stage = document.getElementById("app");
  fill(stage);
  stage.setAttribute("tabindex", "-1");
  const title = h("a", { href: "#/overview", class: "title" }, h(
    "bdi",
    { dir: "auto" },
    app.manifest.title || "Assay"
  ));
  const campaigns = h("span", {});
  const nav = h("nav", { "aria-label": "Views" });
  const help = h(
    "button",
    {
      id: "help",
      type: "button",
      class: "button small round",
      "aria-label": "Keys and help",
      onclick: () => showHelp()
    },
    "?"
  );
  const filter = filterBar(app);
  const pair = h("section", { class: "pair", "aria-label": "Systems and metric that are looked at" });
  const stale = h("p", { class: "stale", role: "status", hidden: true });
  const header = h("header", { class: "top", id: "top" }, h("a", { class: "skip", href: "#app", onclick: (event) => {
    event.preventDefault();
    stage.focus();
  } }, "To the content"), h("div", { class: "bar" }, title, campaigns, nav, help));
  const controls = h("div", { class: "controls" }, stale, pair, filter, filter.panel);
  const footer = h("footer", { class: "bottom" });
  stage.before(header, controls);
  stage.after(footer);
  if (app.manifest.stale) Object.assign(stale, { hidden: false, textContent: visible(app.manifest.stale) });
  app.source.onStale = (sentence) => {
    stale.textContent = visible(sentence);
    stale.hidden = false;
  };
  globalKeys(app, filter);
  addEventListener("beforeprint", fitToPaper);
  addEventListener("afterprint", () => document.querySelectorAll(".box table").forEach(
    (one) => one.style.removeProperty("zoom")
  ));

  const update = (view) => {
    const { manifest, campaign } = app;
    fill(campaigns, manifest.campaigns.length > 1
      ? select("campaign", "Campaign", manifest.campaigns.map((one, place) => [
        String(place),
        visible(one.name)
      ]), String(campaign?.index ?? 0), (value) =>
        app.set({
          campaign: Number(value),
          filter: {},
          a: null,
          b: null,
          metric: null,
          kind: null,
          segment: null
        }), { plain: true })
      : null);
    const offered = app.views.filter((one) => one.offered(app) && !one.unlisted);
    const held = nav.contains(document.activeElement) ? document.activeElement.id : null;
    fill(nav, h("ul", {}, offered.map((one) =>
      h("li", {}, h(
        "a",
        { id: `nav-${one.id}`, href: app.link({ view: one.id }), "aria-current": one.id === view.id ? "page" : null },
        one.title
      )))));
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
    const current = nav.querySelector("[aria-current]");
    if (
      current && nav.scrollWidth > nav.clientWidth
    ) nav.scrollLeft = current.offsetLeft - nav.clientWidth / 2 + current.clientWidth / 2;
    const bare = view.bare || !campaign;
    filter.update();
    if (bare) filter.hidden = filter.panel.hidden = true;
    const pickers = bare ? [] : pairPicker(app);
    const active = pair.contains(document.activeElement) ? document.activeElement.id : null;
    pair.hidden = !pickers.length;
    fill(pair, ...pickers);
    if (active) document.getElementById(active)?.focus({ preventScroll: true });
    fillFooter(app, footer);
  };
  return { stage, update, filter };
}

/** Which systems are compared, and by which metric. */
function pairPicker(app) {
  const { campaign } = app;
  const [a, b] = app.pair;
  const shown = campaign.systems.map((name) => [name, visible(name)]);
  const parts_ = [];
  if (b !== null) {
    parts_.push(
      h("div", { class: "pick a" }, h("span", { class: "letter a", "aria-hidden": "true" }, "A"), select(
        "pair-a",
        "System A",
        shown,
        a,
        (name) => app.set(name === b ? { a: b, b: a } : { a: name, b }),
        { plain: true }
      )),
      h(
        "button",
        {
          id: "pair-swap",
          type: "button",
          class: "button small",
          "aria-label": "Swap A and B",
          title: "Swap A and B (x)",
          onclick: () => swapPair(app)
        },
        "⇄"
      ),
      h("div", { class: "pick b" }, h("span", { class: "letter b", "aria-hidden": "true" }, "B"), select(
        "pair-b",
        "System B, the baseline",
        shown,
        b,
        (name) => app.set(name === a ? { a: b, b: a } : { a, b: name }),
        { plain: true }
      )),
    );
  }
  if (campaign.metrics.length > 1) {
    parts_.push(h(
      "div",
      { class: "pick" },
      select(
        "metric",
        "Metric",
        campaign.metrics.map((metric) => [metric.name, visible(metric.label)]),
        app.metric?.name,
        (name) => app.set({ metric: name }),
        { plain: true }
      )
    ));
  }
  if (campaign.kinds.length > 1) {
    const kind = campaign.kinds.find((one) => one.name === app.state.kind) ?? campaign.kinds[0];
    parts_.push(h(
      "div",
      { class: "pick" },
      select(
        "kind",
        "Kind of judgement",
        campaign.kinds.map((one) => [one.name, visible(one.name) || "judgements"]),
        kind.name,
        (name) => app.set({ kind: name }),
        { plain: true }
      )
    ));
  }
  return parts_;
}

/** Versions, and how the scores are made. */
function fillFooter(app, footer) {
  const { manifest, campaign } = app;
  const made = manifest.made ? new Date(manifest.made) : null;
  const isKnown = made && !Number.isNaN(made.getTime());
  const time = isKnown ? ` · ${made.toISOString().slice(0, 16).replace("T", " ")} UTC` : "";
  const remarks = (campaign?.metrics ?? []).filter((metric) => metric.remark);
  fill(
    footer,
    h("p", {}, `Assay ${manifest.assay}`, time, campaign?.path ? [" · ", h("code", {}, campaign.path)] : null,
      campaign?.draws ? ` · intervals: 95 %, ${campaign.draws.samples} samples, seed ${campaign.draws.seed}` : ""),
    remarks.length ? h("ul", {}, remarks.map(
      (metric) => h("li", {}, h("strong", {}, metric.label), `: ${metric.remark}`)
    )) : null,
    campaign?.kept ? h("p", {}, campaign.kept.said) : null,
  );
}

/** Keys that every view has. */
function globalKeys(app, filter) {
  keys.always("?", "These keys", () => showHelp());
  keys.always("/", "Search in texts", () => filter.hidden || filter.open("search"));
  keys.always("f", "Add to the filter", () => filter.hidden || filter.open());
  keys.always("a", "Another system for A", () => nextSystem(app, "a"));
  keys.always("Shift+A", "The one before it", () => nextSystem(app, "a", -1));
  keys.always("b", "Another system for B", () => nextSystem(app, "b"));
  keys.always("Shift+B", "The one before it", () => nextSystem(app, "b", -1));
  keys.always("x", "Swap A and B", () => swapPair(app));
  for (const [key, view] of [
    ["o", "overview"],
    ["s", "systems"],
    ["e", "segments"],
    ["m", "metrics"],
    ["p", "people"]
  ]) {
    const found = app.views.find((one) => one.id === view);
    if (found) keys.always(`g ${key}`, `Go to ${found.title}`, () => found.offered(app) && app.set({ view }));
  }
}

/** The list of keys, and what to know first. */
function showHelp() {
  const box = h("input", {
    id: "keys-on",
    type: "checkbox",
    checked: keys.listening,
    onchange: (event) => keys.listen(event.target.checked)
  });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "help-title", class: "help" },
    h("h2", { id: "help-title" }, "Keys and help"),
    h(
      "p",
      {},
      "One filter counts everything anew. Every number, bar and point leads to its segments. ",
      "The address of this page says all that is chosen: keep it, or send it."
    ),
    h("dl", { class: "keys" }, keys.list().map(
      ([key, label]) => h("div", {}, h("dt", {}, key.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, label))
    )),
    h("label", { class: "check" }, box, "Listen to single keys"),
    h("form", { method: "dialog" }, h("button", { class: "button", id: "help-close" }, "Close")),
  );
  // A form of a dialog is sent nowhere, but a strict policy forbids it all the same.
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
