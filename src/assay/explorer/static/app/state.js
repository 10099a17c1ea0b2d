// What is being looked at. All of it stands in the URL: a reload, a bookmark or a link to somebody shows the same.

/** What is not said in the URL. */
const USUAL = { view: "overview", campaign: 0, filter: {}, a: null, b: null, metric: null, kind: null, segment: null };

/** The state that a hash stands for: `#/segments?a="X"&filter={...}`; what cannot be read is left out. */
export function readState(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const state = { ...USUAL };
  if (/^[\w-]+$/.test(path)) state.view = path;
  for (const [name, text] of new URLSearchParams(query)) {
    try {
      state[name] = JSON.parse(text);
    } catch {
      continue;
    }
  }
  if (typeof state.filter !== "object" || state.filter === null || Array.isArray(state.filter)) state.filter = {};
  return state;
}

const USUAL_TEXTS = new Map(Object.entries(USUAL).map(([name, value]) => [name, JSON.stringify(value)]));

/** The hash that stands for a state. */
export function writeState(state) {
  let said = "";
  for (const [name, value] of Object.entries(state)) {
    if (name === "view" || value === undefined) continue;
    const text = JSON.stringify(value);
    if (text === (USUAL_TEXTS.get(name) ?? "null")) continue;
    said += `${said ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
  }
  return `#/${state.view}${said}`;
}

/** Whether a filter chooses anything at all. */
export function isFiltering(filter) {
  return Boolean(filter.where?.length || filter.ranges?.length || filter.search?.text || filter.segments);
}
