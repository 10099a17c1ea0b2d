// What leaves the page: tables as text, pictures as files, and the command that prints the same numbers.

import { h, visible } from "./dom.js";

/** Characters that LaTeX knows by another name; the others as Assay's own tables have them. */
const LATEX = new Map(
  Object.entries({
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", '"': "''", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "→": "$\\rightarrow$",
    "≤": "$\\le$", "≥": "$\\ge$", "±": "$\\pm$", "×": "$\\times$", "·": "$\\cdot$", "−": "$-$",
    "–": "--", "—": "---",
    "…": "\\ldots{}", Δ: "$\\Delta$", τ: "$\\tau$", ρ: "$\\rho$", α: "$\\alpha$", κ: "$\\kappa$", "\u00a0": "~",
  }),
);

/** Text as LaTeX prints it; letters that pdflatex does not know stay as they are, for XeLaTeX and LuaLaTeX. */
function latex(text) {
  return [...visible(text)].map((letter) => LATEX.get(letter) ?? letter).join("");
}

/** A cell of Markdown: nothing in it is taken for markup. */
function markdown(text) {
  return visible(text).replace(/([\\|<>*_`\[\]])/g, "\\$1").replace(/\s+/g, " ").trim();
}

/** A cell of CSV, quoted where it must be. */
function csv(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A table as text: `latex` (booktabs), `markdown`, `csv` or `json lines`.
 *
 * `heads` are texts, `rows` lists of texts; `right` says which columns stand right.
 */
export function tableText(kind, { title = "", heads, rows, right = [] }) {
  if (kind === "latex") {
    const line = (cells) => `${cells.map(latex).join(" & ")} \\\\`;
    const layout = heads.map((_, place) => (right[place] ? "r" : "l")).join("");
    const body = ["\\toprule", line(heads), "\\midrule", ...rows.map(line), "\\bottomrule"].join("\n");
    return `${title ? `% ${visible(title)}\n` : ""}\\begin{tabular}{${layout}}\n${body}\n\\end{tabular}\n`;
  }
  if (kind === "markdown") {
    const line = (cells) => `| ${cells.map(markdown).join(" | ")} |`;
    const rule = `| ${heads.map((_, place) => (right[place] ? "---:" : "---")).join(" | ")} |`;
    return `${title ? `**${markdown(title)}**\n\n` : ""}${[line(heads), rule, ...rows.map(line)].join("\n")}\n`;
  }
  if (kind === "csv") return `${[heads, ...rows].map((cells) => cells.map(csv).join(",")).join("\n")}\n`;
  return rows.map(
    (cells) => `${JSON.stringify(Object.fromEntries(heads.map((head, i) => [head, cells[i]])))}\n`
  ).join("");
}

let toast = null;

/** A short message at the bottom of the page, which screen readers say. */
export function say(text) {
  if (!toast) {
    toast = h("div", { class: "toast", role: "status", "aria-live": "polite" });
    document.body.append(toast);
  }
  toast.textContent = visible(text);
  toast.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => toast.classList.remove("shown"), 2500);
}

/** Put text where it can be pasted from. */
export async function copy(text, what = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without leave for the clipboard there is the old way.
    const area = h("textarea", { class: "hidden", "aria-label": "To be copied", value: text });
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    before?.focus?.();
  }
  say(what);
}

/** A name that a file may have. */
export function safeName(text) {
  return visible(text).replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "assay";
}

/** Give the browser a file to keep. */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: safeName(name) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Text as one word of a shell. */
export function shell(text) {
  const plain = String(text);
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain;
  // Control characters have a spelling of their own, for they must not be done in a terminal.
  if (/[\x00-\x1f\x7f-\x9f]/.test(plain)) {
    const spelt = plain.replace(/[\\']/g, "\\$&").replace(/[\x00-\x1f\x7f-\x9f]/g, (mark) =>
      mark.charCodeAt(0) < 0x80 ? `\\x${mark.charCodeAt(0).toString(16).padStart(2, "0")}`
        : `\\u00${mark.charCodeAt(0).toString(16)}`);
    return `$'${spelt}'`;
  }
  return `'${plain.replaceAll("'", "'\\''")}'`;
}

/** A value as Python writes it. */
export function python(value) {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([key, inner]) => `${python(key)}: ${python(inner)}`).join(", ")}}`;
  }
  const unseen = /[\x7f-\x9f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/g;
  const spelt = JSON.stringify(String(value)).replace(unseen, (mark) =>
    `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return spelt;
}

/** Options whose flag is not their name. */
const FLAGS = {
  metrics: "--metric", references: "--refs", levels: "--level", statistics: "--statistic", groupings: "--grouping",
  families: "--family", everything: "--all", model: "--model",
};
/** Flags whose option is not their name. */
const NAMES = new Map(Object.entries(FLAGS).map(([name, flag]) => [flag, name]));
NAMES.set("-m", "metrics");
/** Commands whose function has another name. */
const CALLS = { meta: "meta_evaluate" };
/** Options that are repeated, for their values may hold commas. */
const REPEATED = new Set(["where", "metrics", "scores", "fail_under", "weights"]);

/** One option as it is typed. */
function typed(name, value) {
  const flag = FLAGS[name] ?? `--${name.replaceAll("_", "-")}`;
  if (value === null || value === undefined || value === false) return [];
  if (value === true) return [flag];
  if (Array.isArray(value)) {
    return REPEATED.has(name) ? value.flatMap((one) => [flag, one]) : value.length ? [flag, value.join(",")] : [];
  }
  return [flag, value];
}

/** What was typed behind the command for this campaign, as an argument and options of Python. */
function asPython(words) {
  const inputs = [];
  const options = [];
  for (let place = 0; place < words.length; place++) {
    if (!/^--?[a-z]/.test(words[place])) {
      inputs.push(words[place]);
      continue;
    }
    const name = NAMES.get(words[place]) ?? words[place].replace(/^-+/, "").replaceAll("-", "_");
    const takes = place + 1 < words.length && !/^--?[a-z]/.test(words[place + 1]);
    options.push([name, takes ? words[++place] : true]);
  }
  return { inputs, options };
}

/**
 * The command and the call of Python that answer a question about what is looked at: `{command, python, said}`.
 *
 * `options` are by their Python names. `said` is a sentence where the filter is not one that --where can tell.
 */
export function commandsOf(app, question, options = {}, { filter = app.state.filter, campaign = app.campaign } = {}) {
  const kept = campaign ? app.source.queries(campaign.index).commandOf(filter) : { options: [], complete: true };
  const where = kept.options.filter((_, place) => place % 2 === 1);
  const { study, paper, ...others } = options;
  const named = study ?? paper;
  const words = campaign?.words?.length ? campaign.words : [campaign?.path ?? "CAMPAIGN"];
  const flags = Object.entries(others).flatMap(([name, value]) => typed(name, value));
  const asked = [question, ...(named ? [named] : []), ...words, ...flags, ...kept.options];
  const command = `assay ${asked.map(shell).join(" ")}`;
  const { inputs, options: chosen } = asPython(words);
  const given = [
    ...(named ? [python(named)] : []),
    inputs.length === 1 && campaign?.words?.length !== 0 ? python(inputs[0]) : "campaign",
    ...[...chosen, ...Object.entries(others)]
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => `${name}=${python(value)}`),
    ...(where.length ? [`where=${python(where)}`] : []),
  ];
  const call = `assay.${CALLS[question] ?? question}(${given.join(", ")})`;
  const said = kept.complete ? ""
    : "Part of the filter cannot be told to the command: it asks of more segments than are kept here.";
  return { command, python: `import assay\n\nresult = ${call}\nprint(result)\n`, said };
}
