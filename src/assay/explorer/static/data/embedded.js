// A page that is a file: all that views ask for is in it, or lies beside it.

import { openBlobs } from "./blobs.js";
import { deskOf } from "./desk.js";
import { Queries } from "./queries.js";

/** What works out intervals: a worker beside the page or, where there can be none, the page itself between other work. */
function officeOf(text) {
  const requests = new Map();
  const opened = new Map();
  let next = 0;

  const receive = ({ ask, found, done, dropped, failed }) => {
    const request = requests.get(ask);
    if (request === undefined) return;
    if (found) return void request.onPart(found);
    requests.delete(ask);
    if (done) request.resolve();
    else if (dropped) request.reject(new DOMException("Nobody waits for this any more.", "AbortError"));
    else request.reject(new Error(failed));
  };

  let send = null;
  const start = () => {
    if (send !== null) return;
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
      worker.onmessage = (event) => receive(event.data);
      send = (message) => worker.postMessage(message);
    } catch {
      const hear = deskOf(receive, () => new Promise((resolve) => setTimeout(resolve)));
      send = (message) => hear(message);
    }
  };

  return {
    async ask(request, data, signal, onPart) {
      start();
      const { of } = request;
      if (!opened.has(of)) opened.set(of, data().then((parts) => send({ open: of, ...parts })));
      await opened.get(of);
      signal?.throwIfAborted();
      const ask = (next += 1);
      return new Promise((resolve, reject) => {
        requests.set(ask, { resolve, reject, onPart });
        signal?.addEventListener("abort", () => send({ drop: ask }), { once: true });
        send({ ask, ...request });
      });
    },
  };
}

/** Notes or slices that this browser keeps for this page. */
function keptHere(what, page) {
  const key = `assay:${page}:${what}`;
  let memory = [];
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "[]");
    } catch {
      return memory;
    }
  };
  const write = (listed) => {
    memory = listed;
    try {
      localStorage.setItem(key, JSON.stringify(listed));
    } catch {
      // Where nothing may be kept it is known as long as the page is open.
    }
  };
  const same = what === "notes" ? "id" : "name";
  return {
    list: async () => read(),
    async put(one) {
      const kept = { time: Date.now() / 1000, ...one };
      if (what === "notes") kept.id ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
      write([...read().filter((other) => other[same] !== kept[same]), kept]);
      return kept;
    },
    async remove(name) {
      write(read().filter((other) => other[same] !== name));
      return {};
    },
  };
}

/** The source of a page that holds its data, or has them beside it. */
export async function openEmbedded(boot) {
  const manifest = JSON.parse(document.getElementById("manifest").textContent);
  const blobs = openBlobs(manifest, boot);
  const office = officeOf(document.getElementById("worker").textContent);
  const queries = manifest.campaigns.map((campaign) => new Queries(campaign, blobs, office));
  const page = manifest.digest ?? manifest.title;
  return {
    manifest,
    can: { ask: false, explain: false, upload: false, notes: "local", slices: "local", runs: false, search: true },
    queries: (index) => queries[index],
    result: (id) => blobs.json(`result.${id}`),
    notes: keptHere("notes", page),
    slices: keptHere("slices", page),
  };
}
