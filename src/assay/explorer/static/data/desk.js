// Intervals, worked out a little at a time: what was asked last comes first, and what nobody wants any more is dropped.

import { chooseUnits, estimates } from "../numbers/intervals.js";
import { scorer } from "../numbers/formulas.js";

/** The units that a filter leaves, known by their places in the campaign that this one may have been cut out of. */
export function unitsOf(campaign, base, kept) {
  const documents = base["unit.low"]
    ? { low: base["unit.low"], high: base["unit.high"], named: base["document.named"] }
    : null;
  const units = chooseUnits(kept, campaign.segments, documents, campaign.unit);
  if (units.name !== "segment" || !base.place) return units;
  return { ...units, low: kept === null ? Uint32Array.from(base.place) : Uint32Array.from(kept, (at) => base.place[at]) };
}

/** The columns of a metric's rows of one system; null where it has none. */
export function columnsOf(campaign, rows, metric, system) {
  const count = campaign.metrics[metric].columns.length;
  const columns = Array.from({ length: count }, (_, column) => rows[`${metric}.${system}.${column}`]);
  return columns.every(Boolean) ? columns : null;
}

/**
 * Answers requests by `post`: `{open, campaign, base, rows}` brings data, `{ask, filter, of: index, kept, tables, pairs,
 * singles}` asks, `{drop}` takes it back. Answers are `{ask, found}` as they come, `{ask, done}` at the end, `{ask, dropped}`.
 */
export function deskOf(post, pause) {
  const opened = new Map();
  const waiting = [];
  let isBusy = false;

  const startOf = ({ of, kept, tables, pairs, singles }) => {
    const { campaign, base, rows } = opened.get(of);
    return estimates({
      tables: tables.map(([metric, system]) => {
        const twin = campaign.metrics[metric].corpus;
        return { columns: columnsOf(campaign, rows, metric, system), score: scorer(twin), twin };
      }),
      pairs,
      singles,
      units: unitsOf(campaign, base, kept),
      draws: campaign.draws,
    });
  };

  const go = async () => {
    isBusy = true;
    while (waiting.length) {
      const request = waiting[waiting.length - 1];
      try {
        request.work ??= startOf(request);
        const step = request.work.next();
        if (step.done) {
          waiting.splice(waiting.indexOf(request), 1);
          post({ ask: request.ask, done: step.value });
        } else if (step.value.found.length) post({ ask: request.ask, found: step.value.found });
      } catch (error) {
        waiting.splice(waiting.indexOf(request), 1);
        post({ ask: request.ask, failed: error.message });
      }
      await pause();
    }
    isBusy = false;
  };

  const drop = (unwanted) => {
    for (const request of waiting.filter(unwanted)) {
      waiting.splice(waiting.indexOf(request), 1);
      post({ ask: request.ask, dropped: true });
    }
  };

  return (message) => {
    if (message.open !== undefined) opened.set(message.open, message);
    else if (message.drop !== undefined) drop((request) => request.ask === message.drop);
    else {
      // Whoever looks at another filter waits for nothing of the one before.
      drop((request) => request.of === message.of && request.filter !== message.filter);
      waiting.push(message);
      if (!isBusy) go();
    }
  };
}
