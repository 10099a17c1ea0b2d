// N-grams of the references that one of two systems has right more often, each the way to its sentences.

import { append, fill, foreign, h, whole } from "../app/dom.js";
import { inTime, must, select } from "../app/parts.js";
import { ngramOf } from "./texts.js";

/** The filter without the sentences of an n-gram, which the table is about. */
function withoutNgram(app) {
  const { filter, ngram } = app.state;
  if (!ngramOf(app)) return filter;
  const { segments, ...others } = filter;
  return ngram.within ? { ...others, segments: ngram.within } : others;
}

/** The state in which the sentences of no n-gram alone are shown. */
export function leaveNgram(app) {
  return { filter: withoutNgram(app), ngram: null };
}

/** What is won and lost: open where the URL says so, and asked for only then. */
export function ngramPanel(app) {
  const [a, b] = app.pair;
  if (!b || !app.campaign.references.length) return null;
  const body = h("div", { class: "ngrams-body" });
  const panel = h(
    "details",
    { class: "ngrams" },
    h("summary", { id: "ngrams-open" }, "N-grams that A or B has right more often"),
    body,
  );
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    fill(body, h("p", { class: "quiet" }, "Counting …"));
    inTime(app, body, () => answer(app, body));
  };
  if (app.state.ngrams) {
    panel.open = true;
    ask();
  }
  panel.addEventListener("toggle", () => {
    if (panel.open !== Boolean(app.state.ngrams)) app.set({ ngrams: panel.open ? true : null }, true);
  });
  return panel;
}

async function answer(app, body) {
  const { round } = app;
  const [a, b] = app.pair;
  const filter = withoutNgram(app);
  const most = Number.isInteger(app.state.order) && app.state.order > 0 && app.state.order <= 6 ? app.state.order : 4;
  const reference = app.campaign.references.includes(app.state.reference) ? app.state.reference : undefined;
  const result = must(await app.queries.ngrams({ filter, a, b, reference, most, limit: 30, signal: app.signal }));
  if (!app.isCurrent(round)) return;
  const said = [
    `Counted in each segment at most as often as a reference has it; upper and lower case differ.`,
    result.looked < result.over ? ` Of ${whole(result.over)} segments the first ${whole(result.looked)} were looked at.` : "",
  ];
  fill(
    body,
    h("div", { class: "row" },
      select("ngrams-order", "At most", [1, 2, 3, 4].map((n) => [String(n), n === 1 ? "1 word" : `${n} words`]), String(most), (value) =>
        app.set({ order: value === "4" ? null : Number(value) }, true))),
    h("div", { class: "side" }, side(app, "A", a, b, result.a, filter), side(app, "B", b, a, result.b, filter)),
    h("p", { class: "quiet" }, said.join("")),
  );
}

function side(app, letter, name, rival, list, filter) {
  const own = letter === "A" ? "a" : "b";
  const other = letter === "A" ? "b" : "a";
  const title = h("caption", {}, h("span", { class: `letter ${own}` }, letter), " ", foreign(name), " is ahead");
  if (!list.length) return h("p", { class: "quiet" }, foreign(name), " has no n-gram right more often than ", foreign(rival), ".");
  const choose = (row) => {
    const chosen = ngramOf(app) === row.ngram;
    const ngram = { text: row.ngram, within: filter.segments ?? null };
    app.set(chosen ? leaveNgram(app) : { filter: { ...filter, segments: row.segments }, ngram });
  };
  return h(
    "div",
    { class: "box" },
    h(
      "table",
      { class: "ngrams-table" },
      title,
      h("thead", {}, h("tr", {}, ["N-gram", letter, letter === "A" ? "B" : "A", "Ahead", "Segments"].map((text, place) =>
        h("th", { scope: "col", class: place ? "number" : "" }, text)))),
      h("tbody", {}, list.map((row, place) =>
        h("tr", { "aria-current": ngramOf(app) === row.ngram ? "true" : null },
          h("th", { scope: "row" },
            h("button", {
              id: `ngram-${own}-${place}`, type: "button", class: "ngram-button", "aria-pressed": String(ngramOf(app) === row.ngram),
              title: "Show the segments", onclick: () => choose(row),
            }, foreign(row.ngram))),
          h("td", { class: "number" }, whole(row[own])),
          h("td", { class: "number" }, whole(row[other])),
          h("td", { class: "number" }, `+${whole(row[own] - row[other])}`),
          h("td", { class: "number" }, row.segments.length >= 100 ? "100+" : whole(row.segments.length)),
        )))),
  );
}

/** A sentence about the n-gram whose sentences are shown, and the way back; null where there is none. */
export function ngramSaid(app) {
  if (!ngramOf(app)) return null;
  const most = (app.state.filter.segments ?? []).length >= 100 ? " (the first 100)" : "";
  return append(h("p", { class: "row ngram-said" }), [
    h("span", {}, `Segments${most} with `, h("mark", { class: "ngram", dir: "auto" }, ngramOf(app))),
    h("button", { id: "ngram-leave", type: "button", class: "button small", onclick: () => app.set(leaveNgram(app)) }, "Show the others again"),
  ]);
}
