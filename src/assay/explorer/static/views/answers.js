// Answers that were kept, folded below what is live: they are fetched and drawn when somebody opens them.

import { append, h } from "../app/dom.js";
import { linkTo } from "../app/parts.js";
import { resultElement } from "./results.js";

/** Answers of a section about the campaign that is looked at. */
export function entriesOf(app, section) {
  const here = app.campaign?.index ?? null;
  return app.manifest.results.filter((one) => one.section === section && (
    one.campaign === null || one.campaign === undefined || one.campaign === here
  ));
}

/** The answer of a question about all segments of the campaign as it is, with all metrics, kinds and pairs; or null. */
export function usualOf(app, question) {
  const here = app.campaign?.index ?? null;
  return app.manifest.results.find((one) => one.usual && one.question === question && one.campaign === here) ?? null;
}

/** An answer under its title. */
export function folded(app, entry) {
  const { round } = app;
  const body = h("div", {});
  const details = h(
    "details",
    { class: "fold" },
    h("summary", { id: `fold-${entry.id}` }, `All of ${entry.title}`),
    body
  );
  details.addEventListener("toggle", async () => {
    if (!details.open || body.childNodes.length) return;
    const kept = await app.source.result(entry.id);
    if (!app.isCurrent(round) || body.childNodes.length || !kept) return;
    append(body, [
      h("p", { class: "quiet" }, "Of all segments, whatever the filter says. ", linkTo(
        app,
        { view: "others", result: entry.id },
        "By itself, with its command"
      )),
      resultElement(app, kept, { id: `answer-${entry.id}` })
    ]);
  });
  return details;
}

/** Why a question has no answer here, if it was asked. */
export function whyNot(app, question) {
  const here = app.campaign?.index ?? null;
  return (app.manifest.unanswered ?? []).find(
    (one) => one.question.split(" ")[0] === question && (one.campaign ?? here) === here
  )?.reason ?? null;
}
