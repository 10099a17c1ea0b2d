// Pages of a server: whatever views ask for comes over HTTP; what nobody waits for any more is not waited for.

import { Said } from "./filters.js";

/** Milliseconds until what takes long is asked for again. */
const PAUSE = 150;
const QUERIES = [
  "scores", "intervals", "deltas", "groups", "segments", "texts", "segment", "ngrams", "points", "distribution", "raters",
];

/** An answer of the server; what it refuses is an error that says why. */
async function request(method, path, { body, type = "application/json", signal, heard } = {}) {
  let response;
  let answer = null;
  try {
    const headers = body === undefined ? {} : { "Content-Type": type };
    if (method === "DELETE") headers["Content-Type"] = "application/json";
    response = await fetch(path, { method, headers, body, signal, credentials: "same-origin", cache: "no-store" });
    heard?.(response);
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (response === undefined) throw new Said("The explorer does not answer. Is assay explore still running?");
    throw new Said(`The explorer gave no answer that can be read (${response.status}).`);
  }
  if (response.ok) return answer;
  const failed = new Said(answer?.error ?? `The explorer refused this (${response.status}).`);
  failed.status = response.status;
  throw failed;
}

/** The order of an object's keys is no part of it. */
function spelled(value) {
  return JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one);
}

/** A moment; it ends early where nobody waits any more. */
function pause(signal) {
  return new Promise((resolve, reject) => {
    const given = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", given);
      resolve();
    }, PAUSE);
    signal?.addEventListener("abort", given, { once: true });
  });
}

/** The queries of one campaign, as data/queries.js has them; what is wrong with a filter is an answer, too. */
class RemoteQueries {
  constructor(index, ask) {
    this.index = index;
    this.ask = ask;
    // What `--where` says for filters whose scores were asked for.
    this.said = new Map();
    for (const name of QUERIES) this[name] = (options = {}) => this.query(name, options);
  }

  /** One query; of one that takes long the answer is asked for until it is there. */
  async query(name, { signal, onPart, onShare, ...options }) {
    const body = JSON.stringify(options);
    for (;;) {
      const answer = await this.ask("POST", `/api/query/${this.index}/${name}`, { body, signal });
      if (!answer.pending) {
        if (name === "scores" && !answer.error) this.said.set(spelled(options.filter ?? {}), answer.where);
        onPart?.(answer.intervals ?? answer.deltas ?? []);
        return answer;
      }
      onShare?.(answer.share);
      await pause(signal);
    }
  }

  /** What one types for a filter, as far as that is known. */
  commandOf(filter) {
    const where = filter.where ?? [];
    const isWhere = !filter.ranges?.length && !filter.search?.text && !filter.segments;
    const said = isWhere ? where : this.said.get(spelled(filter)) ?? null;
    return { options: (said ?? where).flatMap((text) => ["--where", text]), complete: said !== null };
  }
}

/** The source of a page that a server gives. */
export async function openRemote(boot) {
  const source = { boot, manifest: null, onStale: null };
  let isStale = false;
  const heard = (response) => {
    if (isStale || response.headers.get("X-Assay-Stale") === null) return;
    isStale = true;
    ask("GET", "/api/manifest").then(({ stale }) => source.onStale?.(stale)).catch(() => {});
  };
  const ask = (method, path, how = {}) => request(method, path, { ...how, heard });
  const send = (path, value) => ask("POST", path, { body: JSON.stringify(value) });
  const kept = (name, key) => ({
    list: () => ask("GET", `/api/${name}`),
    put: (one) => send(`/api/${name}`, one),
    remove: (id) => ask("DELETE", `/api/${name}/${encodeURIComponent(id)}`),
    key,
  });
  const opened = new Map();

  Object.assign(source, {
    /** The manifest as it is now. */
    async reload() {
      source.manifest = await ask("GET", "/api/manifest");
      source.can = source.manifest.can;
      return source.manifest;
    },
    queries(index) {
      if (!opened.has(index)) opened.set(index, new RemoteQueries(index, ask));
      return opened.get(index);
    },
    result: (id) => ask("GET", `/api/result/${encodeURIComponent(id)}`),
    explain: ({ signal, ...what }) => ask("POST", "/api/explain", { body: JSON.stringify(what), signal }),
    questions: () => ask("GET", "/api/questions"),
    ask: async (question) => (await send("/api/ask", question)).job,
    job: (id) => ask("GET", `/api/job/${encodeURIComponent(id)}`),
    jobs: () => ask("GET", "/api/jobs"),
    cancel: (id) => ask("DELETE", `/api/job/${encodeURIComponent(id)}`),
    async upload({ campaign, name, kind, bytes, file }) {
      const told = new URLSearchParams({ campaign: campaign ?? 0, kind, name: name ?? "", file: file ?? "" });
      const how = { body: bytes, type: "application/octet-stream" };
      source.manifest = await ask("POST", `/api/upload?${told}`, how);
      source.can = source.manifest.can;
      return source.manifest;
    },
    notes: kept("notes", "id"),
    slices: kept("slices", "name"),
    runs: (options = {}) => send("/api/runs", options),
    runList: () => ask("GET", "/api/runs"),
    diff: (before, after) => send("/api/diff", { before, after }),
    rerun: async (run) => (await send("/api/rerun", { run })).job,
  });
  await source.reload();
  if (source.manifest.stale) queueMicrotask(() => heard({ headers: new Headers({ "X-Assay-Stale": "1" }) }));
  return source;
}
