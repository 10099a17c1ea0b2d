// Where the page begins: the source of its data, its frame, and the view that the URL names.

import { fill, h } from "./dom.js";
import { readState, writeState } from "./state.js";
import { openEmbedded } from "../data/embedded.js";
import { openRemote } from "../data/remote.js";
import { frame } from "./frame.js";
import { overview } from "../views/overview.js";
import { systems } from "../views/systems.js";
import { segments } from "../views/segments.js";
import { segment } from "../views/segment.js";
import { metrics } from "../views/metrics.js";
import { people } from "../views/people.js";
import { references, studies, papers, others } from "../views/results.js";
import { ask } from "../views/ask.js";
import { runs } from "../views/runs.js";
import { upload } from "../views/upload.js";

/** The views in the order of the navigation. A view is {id, title, offered(app), show(app, place)}. */
const VIEWS = [
  overview,
  systems,
  segments,
  segment,
  metrics,
  people,
  references,
  studies,
  papers,
  others,
  ask,
  runs,
  upload
];

/** What all views share. */
class App {
  constructor(source) {
    this.source = source;
    this.manifest = source.manifest;
    this.views = VIEWS;
    this.state = readState(location.hash);
  }

  /** The part of the manifest about the campaign that is looked at. */
  get campaign() {
    return this.manifest.campaigns[this.state.campaign] ?? this.manifest.campaigns[0] ?? null;
  }

  /** Its queries. */
  get queries() {
    return this.source.queries(this.campaign.index);
  }

  /** Two systems that are compared: those chosen, else the best two by the first metric, else the first two. */
  get pair() {
    const { systems, pair } = this.campaign ?? { systems: [], pair: [] };
    const others = [...pair, ...systems];
    const a = systems.includes(this.state.a) ? this.state.a : others.find((name) => name !== this.state.b);
    const b = systems.includes(this.state.b) && this.state.b !== a ? this.state.b : others.find((name) => name !== a);
    return [a ?? null, b ?? null];
  }

  /** The metric that is looked at: the one chosen, else the first. */
  get metric() {
    const { metrics } = this.campaign ?? { metrics: [] };
    return metrics.find((metric) => metric.name === this.state.metric) ?? metrics[0] ?? null;
  }

  /** Change the state, and with it the URL; `replace` makes no new step for the browser's back button. */
  set(changes, replace = false) {
    this.go(writeState({ ...this.state, ...changes }), replace);
  }

  /** Show what a hash stands for. */
  go(hash, replace = false) {
    if (hash === location.hash) return;
    history[replace ? "replaceState" : "pushState"](null, "", hash);
    this.returning = false;
    this.draw();
  }

  /** Put a change into the URL that draws nothing anew, such as the order of a table's rows. */
  note(changes) {
    history.replaceState(null, "", writeState({ ...this.state, ...changes }));
    this.state = readState(location.hash);
  }

  /** Where a changed state is, for links. */
  link(changes) {
    return writeState({ ...this.state, ...changes });
  }

  /** Show the view that the URL names. What was asked for the view before is dropped. */
  draw() {
    this.state = readState(location.hash);
    this.round = (this.round ?? 0) + 1;
    this.leaving?.abort();
    this.leaving = new AbortController();
    // An answer in a file has no campaign to be looked over.
    const home = this.campaign ? overview : others;
    const view = VIEWS.find((one) => one.id === this.state.view && one !== overview && one.offered(this)) ?? home;
    this.shown = view.id;
    this.told = toldOf(this);
    const place = frame(this, view);
    this.guard(place, () => view.show(this, place), view.title);
  }

  /** Ends long work when the page is drawn anew. */
  get signal() {
    return this.leaving.signal;
  }

  /** Run what fills a place; an error is a sentence there, and never an empty page. */
  async guard(place, work, title) {
    const { round } = this;
    try {
      await work();
    } catch (error) {
      if (round !== this.round || error.name === "AbortError") return;
      fill(place, h("h1", {}, title), h("p", { class: "error", role: "alert" }, error.message));
      if (!error.isSaid) console.error(error);
    }
  }

  /** Whether what was asked before an await is still wanted. */
  isCurrent(round) {
    return round === this.round;
  }
}

/** Views that show what the explorer asks by itself: the question whose answer each shows, or all of them. */
const TOLD = { overview: null, systems: "compare", metrics: "meta", people: "agreement" };
/** What nobody wants to be drawn anew: an open menu, points that were chosen, what is being picked or typed. */
const HELD = "#app .menu[open], #app .chosen-points > *, #app :is(select, input, textarea):focus";
/** How often it is looked whether these questions are answered, in milliseconds. */
const LOOK = 700;

/** What the view that is shown has of these answers. */
function toldOf({ shown, manifest, campaign }) {
  if (!(shown in TOLD)) return "";
  const answers = manifest.results.filter(
    (one) => one.usual && one.campaign === campaign?.index && [null, one.question].includes(TOLD[shown])
  );
  return JSON.stringify([answers.map((one) => one.id), shown === "overview" ? manifest.findings : null]);
}

/** Show these answers as they come. */
async function follow(app) {
  const hasEnded = (job) => job.usual && !["waiting", "running"].includes(job.state);
  let known = -1;
  while (app.source.manifest.preparing?.length || toldOf(app) !== app.told) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    try {
      const ended = app.source.jobs ? (await app.source.jobs()).filter(hasEnded).length : known;
      if (ended !== known) app.manifest = await app.source.reload();
      known = ended;
    } catch {
      // Whatever is asked for next says what is wrong.
      return;
    }
    if (toldOf(app) !== app.told && !document.querySelector(HELD)) app.draw();
  }
}

async function begin() {
  const boot = JSON.parse(document.getElementById("boot").textContent);
  const source = await (boot.transport === "server" ? openRemote(boot) : openEmbedded(boot));
  const app = new App(source);
  globalThis.assay = { app, source };
  addEventListener("popstate", () => {
    app.returning = true;
    app.draw();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#/"]');
    if (
      !link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey
        || event.altKey
    ) return;
    event.preventDefault();
    app.go(link.getAttribute("href"));
  });
  app.draw();
  // Files that are added are asked about, too.
  app.follow = () => (app.following ??= follow(app).finally(() => (app.following = null)));
  app.follow();
}

begin().catch((error) => {
  const place = document.getElementById("app");
  place.prepend(h("p", { class: "error", role: "alert" }, `The page cannot be shown as it is meant: ${error.message}`));
  console.error(error);
});
