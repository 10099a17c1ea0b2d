// Texts with what is marked in them, and lines of scores: what the list of segments and the page of one segment share.

import { append, h, number } from "../app/dom.js";
import { ahead, differences, errors, findings, hits, matches, occurrences, pieces, tokens } from "./words.js";

/** Ways to mark the words of translations: [name, what the button says, what it means, what it needs]. */
export const MARKS = [
  [
    "reference", "Against the reference",
    "Underlined: words that the reference has not. Struck through: words of the reference that are missing.", "reference",
  ],
  ["rival", "A against B", "Underlined: words that the other system has not.", "pair"],
  [
    "matches", "N-grams of references",
    "Underlined, the longer the n-gram the thicker the line: words in n-grams of 1 to 4 words that a reference has. " +
      "Dashed: words that none has.", "reference",
  ],
  ["ahead", "Ahead of the other", "Underlined: n-grams of a reference that this system has and the other has not.", "both"],
  [
    "errors", "Errors",
    "Errors that people marked: dotted lines for minor ones, solid for major ones, double for critical ones.", "people",
  ],
];

/** The ways that a campaign allows. */
export function marksOffered(app) {
  const { references, kinds, systems } = app.campaign;
  const there = {
    reference: references.length > 0,
    pair: systems.length > 1,
    both: references.length > 0 && systems.length > 1,
    people: kinds.length > 0,
  };
  return MARKS.filter(([, , , needs]) => there[needs]);
}

/** The reference that texts are held against: the one chosen, else the first. */
export function referenceOf(app) {
  const { references } = app.campaign;
  return references.includes(app.state.reference) ? app.state.reference : (references[0] ?? null);
}

/** The n-gram whose sentences are shown; null where they are not. */
export function ngramOf(app) {
  const text = app.state.filter.segments ? app.state.ngram?.text : null;
  return typeof text === "string" && text ? text : null;
}

/** A column of texts is searched by a search in this place. */
function isSearched(column, place) {
  if (!place || place === "all") return true;
  if (place === "references") return column.startsWith("ref.");
  if (place === "systems") return column.startsWith("sys.");
  return place === column;
}

/** What every text of a column may have marked: a search, and the n-gram that was chosen. */
export function usualMarks(app, column, text) {
  const search = app.state.filter.search;
  return [
    ...(isSearched(column, search?.in) ? findings(text, search) : []),
    ...(ngramOf(app) && column !== "source" ? occurrences(text, ngramOf(app)) : []),
  ];
}

/**
 * Marks of a system's translation in the way that is chosen.
 *
 * `text(column)` gives the other texts of the segment, and `spans` are the errors that people marked in this one.
 */
export function chosenMarks(app, way, system, translation, text, spans = []) {
  const [a, b] = app.pair;
  const reference = referenceOf(app);
  const references = app.campaign.references.map((name) => text(`ref.${name}`)).filter((one) => typeof one === "string");
  const other = system === a ? text(`sys.${b}`) : text(`sys.${a}`);
  const against = text(`ref.${reference}`);
  if (way === "reference" && typeof against === "string") return differences(against, translation);
  if (way === "rival" && typeof other === "string") {
    return differences(other, translation).filter((mark) => mark.kind === "added" || ![a, b].includes(system));
  }
  if (way === "matches") return matches(translation, references);
  if (way === "ahead" && typeof other === "string") return ahead(translation, other, references);
  if (way === "errors") return errors(translation, spans);
  return [];
}

/** How bad an error is, in a word that a style sheet knows. */
export function severityOf(text) {
  const said = String(text ?? "").toLowerCase();
  return ["critical", "major", "minor", "neutral"].find((name) => said.startsWith(name)) ?? "other";
}

/** What an error is, in words. */
export function errorSaid({ severity, category }) {
  return [severity, category].filter(Boolean).join(" · ") || "error";
}

const TAGS = { added: "ins", removed: "del", search: "mark", ngram: "mark", ahead: "strong" };

/** An element of one mark around what is marked. */
function wrapped(mark, content, first, focusable) {
  if (mark.kind === "removed") return h("del", { class: "removed" }, mark.text);
  if (mark.kind === "error") {
    const attributes = { class: `fault ${severityOf(mark.severity)}${content === "" ? " missing" : ""}`, title: errorSaid(mark) };
    if (first && focusable) {
      Object.assign(attributes, { tabindex: "0", role: "note", "aria-label": `Error ${mark.number}: ${errorSaid(mark)}` });
    }
    if (first) attributes.dataset = { number: mark.number, said: errorSaid(mark) };
    return h("span", attributes, content);
  }
  const title = mark.order ? `In ${mark.order === 1 ? "a word" : `${mark.order} words in a row`} of a reference` : null;
  return h(TAGS[mark.kind] ?? "span", { class: mark.kind, title }, content);
}

/** A text with its marks, in its own direction of writing; without them it is the text again. */
export function marked(text, marks, { focusable = false } = {}) {
  const seen = new Set();
  return pieces(text, marks).map((piece) => {
    let content = piece.text;
    for (const mark of [...piece.marks].reverse()) {
      content = wrapped(mark, content, !seen.has(mark), focusable);
      seen.add(mark);
    }
    return content;
  });
}

/** A text of the campaign as a paragraph; a dash where there is none. */
export function textOf(app, text, marks = [], options = {}) {
  if (typeof text !== "string") return h("p", { class: "words quiet" }, app.campaign.hasTexts === false ? "" : "–");
  const content = text === "" ? h("i", { class: "quiet" }, "(empty)") : marked(text, marks, options);
  return append(h("p", { class: "words", dir: "auto" }), content);
}

/** That texts of a segment are not in the page, and where they are; null where one of them is here. */
export function absentSaid(app, texts) {
  const { kept } = app.campaign;
  if (!kept || texts.some((text) => typeof text === "string")) return null;
  return h("p", { class: "quiet absent" }, `The texts of this segment are not in this page. ${kept.said}`);
}

/** Numbers with their names beside them: [[name, text, {class, title, strong}], …]. */
export function numbers(list, label) {
  return h(
    "dl",
    { class: "numbers", "aria-label": label },
    list.map(([name, text, { kind = "", strong = false } = {}]) =>
      h("div", { class: strong ? "strong" : "" }, h("dt", {}, h("bdi", {}, name)), h("dd", { class: kind }, text)),
    ),
  );
}

/** The scores of a system for a segment, and what people gave it. */
export function scoresOf(app, scores, system, human, kind) {
  const list = app.campaign.metrics
    .filter((metric) => scores[metric.name])
    .map(({ name, label, decimals }) => [label, number(scores[name][system], decimals), { strong: name === app.metric?.name }]);
  if (human && kind) list.push([kind, number(human[system], 2), { kind: "people" }]);
  return numbers(list, `Scores of ${system}`);
}

/** A minus B of one segment: with a sign, and the letter of whoever is better. */
export function deltasOf(app, scores, [a, b], human, kind) {
  const line = (name, x, y, decimals, better, extra) => {
    if (typeof x !== "number" || typeof y !== "number") return null;
    const text = number(x - y, decimals, true);
    if (Number(Math.abs(x - y).toFixed(decimals)) === 0) return [name, text, extra];
    const [letter, kind_] = x > y === (better !== "lower") ? ["A", "a"] : ["B", "b"];
    return [name, [text, " ", h("span", { class: `letter ${kind_}`, title: `${letter} is better` }, letter)], extra];
  };
  const list = app.campaign.metrics
    .filter((metric) => scores[metric.name])
    .map(({ name, label, decimals, better }) =>
      line(label, scores[name][a], scores[name][b], decimals, better, { strong: name === app.metric?.name }));
  if (human && kind) list.push(line(kind, human[a], human[b], 2, "higher", { kind: "people" }));
  return numbers(list.filter(Boolean), "A minus B");
}

/** How many n-grams of a translation its references have, of each length, in a sentence. */
export function matchedSaid(text, references) {
  const words = tokens(text).map((token) => token.text);
  const others = references.map((one) => tokens(one).map((token) => token.text));
  if (!words.length) return "There are no words.";
  const orders = [1, 2, 3, 4].filter((n) => n <= words.length);
  const of = (n) => `${hits(words, others, n)} of ${words.length - n + 1} ${n === 1 ? "words" : `${n}-grams`}`;
  return `In a reference: ${orders.map(of).join(", ")}. Words are runs of letters and digits; metrics may cut texts otherwise.`;
}
