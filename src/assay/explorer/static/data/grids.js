// From the views of a result to cells: the twin of assay.results.rendering, rule by rule.

const NOTHING = "–";
const PLAIN = "abcdefghijklmnoprstuvwxyz0123456789";
const RAISED = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹";
// As in assay.results.visible: here line breaks and tabs are shown, too.
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;
const SPEC = /^(\+?)(,?)(?:\.(\d+))?([dfg%]?)$/;

/** Text as tables have it: every control character is shown. */
export function shown(text) {
  return text.replace(UNSEEN, (mark) => {
    const code = mark.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A value as Python's `str` writes it. */
export function spelt(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return repr(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A number with the fewest digits that say it, as Python writes it; a whole one stands without a point. */
function repr(value) {
  if (Object.is(value, -0)) return "-0.0";
  const [digits, exponent] = value.toExponential().split("e");
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value);
  if (Number(exponent) >= -4 && Number(exponent) < 16) return plainly(value);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** JavaScript's digits of a number that Python writes without an exponent. */
function plainly(value) {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [digits, exponent] = value.toExponential().split("e");
  return value.toFixed(digits.replace(/^-?\d\.?/, "").length - Number(exponent));
}

/** So many decimals of exact digits: `rounded`, but what lies exactly between two goes to the even one, as in Python. */
function toEven(exact, decimals, rounded) {
  const end = exact.indexOf(".") + (decimals ? decimals + 1 : 0);
  const cut = exact.slice(0, end);
  return /^50*$/.test(exact.slice(end).replace(".", "")) && "02468".includes(cut.at(-1)) ? cut : rounded;
}

/** So many decimals. */
function fixed(value, decimals) {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size >= 1e21) return `${sign}${BigInt(size)}${decimals ? `.${"0".repeat(decimals)}` : ""}`;
  return sign + toEven(size.toFixed(100), decimals, size.toFixed(decimals));
}

/** So many digits that count, with an exponent where the number is small or large. */
function general(value, digits) {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const size = Math.abs(value);
  const sign = value < 0 ? "-" : "";
  const [exact] = size.toExponential(100).split("e");
  const [rounded, exponent] = size.toExponential(digits - 1).split("e");
  const head = toEven(exact, digits - 1, rounded);
  const short = head.includes(".") ? head.replace(/\.?0+$/, "") : head;
  if (exponent < -4 || exponent >= digits) return `${sign}${short}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  return sign + plainly(Number(`${short}e${exponent}`));
}

/** `format(value, spec)` of Python, for the formats that columns have. */
export function formatted(value, spec) {
  const parts = SPEC.exec(spec);
  if (!parts) return spelt(value);
  const [, plus, comma, precision, kind] = parts;
  let text;
  if (kind === "%") text = `${fixed(100 * value, Number(precision ?? 6))}%`;
  else if (kind === "f") text = fixed(value, Number(precision ?? 6));
  else if (kind === "d") text = fixed(value, 0);
  else if (kind === "g" || precision !== undefined) text = general(value, Math.max(Number(precision ?? 6), 1));
  else text = repr(value);
  if (comma) text = text.replace(/^(-?)(\d+)/, (_, sign, digits) => sign + digits.replace(/\B(?=(\d{3})+$)/g, ","));
  return plus && !text.startsWith("-") ? `+${text}` : text;
}

/** One value in the column's format. */
function valueText(value, column, spec) {
  if (typeof value === "boolean") {
    const [yes, no = ""] = (spec.includes("|") ? spec : "yes|no").split(/\|(.*)/s);
    return value ? yes : no;
  }
  if (Array.isArray(value) && !spec) return value.map(spelt).join(", ");
  if (!spec || typeof value !== "number") return spelt(value);
  if (spec === "p") return value >= 0.0001 ? fixed(value, 4) : "< 0.0001";
  return formatted(column.unit === "%" ? 100 * value : value, spec);
}

/** A value with its interval and mark: {text, mark, head, value, row}; `value` is what it is sorted by. */
function cellOf(column, row, decimals) {
  const value = get(row, column.name);
  if (value === null) return { text: NOTHING, mark: "", head: false, value: null, row };
  let spec = column.format ?? "";
  if (decimals !== null) spec = spec.replaceAll(".2f", `.${decimals}f`);
  let text = valueText(value, column, spec);
  const isRange = column.low === undefined || column.low === null;
  if (column.high !== undefined && column.high !== null) {
    const low = isRange ? value : get(row, column.low);
    const high = get(row, column.high);
    if (low === null || high === null) {
      if (isRange) text = NOTHING;
    } else if (!isRange) {
      text += ` (${valueText(low, column, spec)} – ${valueText(high, column, spec)})`;
    } else if (low !== high || spec !== "d") {
      text = `${text} – ${valueText(high, column, spec)}`;
    }
  }
  const mark = column.mark === undefined || column.mark === null ? null : get(row, column.mark);
  return { text: shown(text), mark: mark ? shown(String(mark)) : "", head: false, value, row };
}

/** What a row has under a name; null where it has nothing. */
function get(row, name) {
  return row && Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Whether a row has these cells, each with this value or one of several. */
function has(row, cells) {
  return Object.entries(cells).every(([name, wanted]) => {
    const value = get(row, name);
    return Array.isArray(wanted) ? wanted.some((one) => (one ?? null) === value) : (wanted ?? null) === value;
  });
}

/** The heading of a column, with an arrow that says which way is better. */
function titleOf(column) {
  const arrow = { higher: " ↑", lower: " ↓" }[column.better] ?? "";
  return `${column.heading ?? column.name}${arrow}`;
}

/** Rows with the same keys together; what has the same name twice stands in two lines. */
function byKeys(view, keys, rows) {
  const lines = new Map();
  const seen = new Map();
  for (const row of rows) {
    const key = keys.map((column) => get(row, column.name));
    const named = JSON.stringify([...key, get(row, view.over ?? "")]);
    const times = seen.get(named) ?? 0;
    const line = JSON.stringify([...key, view.over ? times : 0]);
    if (!lines.has(line)) lines.set(line, []);
    lines.get(line).push(row);
    seen.set(named, times + 1);
  }
  return [...lines.values()];
}

/** How many columns it takes to tell the rows apart, beginning with the first; `least` where none can. */
function naming(rows, least) {
  for (let count = least; count < (rows[0]?.length ?? 0); count++) {
    const beginnings = new Set(rows.map((row) => JSON.stringify(row.slice(0, count).map(said))));
    if (beginnings.size === rows.length) return count;
  }
  return least;
}

/** A cell as one text, its mark raised behind it. */
export function said(cell) {
  return cell.text + [...cell.mark].map((mark) => [...RAISED][PLAIN.indexOf(mark)] ?? mark).join("");
}

/** The cells of each line, from the rows that stand together in it, each column from the row that it is about. */
function linesOf(view, keys, together, values) {
  const lines = [];
  const { over = null, under = null, decimals = {} } = view;
  let above;
  for (const rows of together) {
    const byValue = new Map(rows.map((row) => [get(row, over ?? ""), row]));
    const cells = keys.map((column) => cellOf(column, rows[0], null));
    for (const value of values) {
      for (const column of view.columns) {
        const where = column.where ?? {};
        const row = Object.keys(where).length ? rows.find((one) => has(one, where)) : byValue.get(value);
        cells.push(cellOf(column, row ?? {}, get(decimals, spelt(value))));
      }
    }
    if (under !== null) {
      const heading = get(rows[0], under);
      if (above === undefined || heading !== above) {
        above = heading;
        const blank = cells.slice(1).map(() => ({ text: "", mark: "", head: false, value: null, row: {} }));
        lines.push([{ text: shown(spelt(heading)), mark: "", head: true, value: null, row: rows[0] }, ...blank]);
      }
      cells[0] = { ...cells[0], text: `  ${said(cells[0])}`, mark: "" };
    }
    lines.push(cells);
  }
  return lines;
}

/** One view as cells. */
function gridOf(view, tables) {
  const keys = view.keys ?? [];
  const over = view.over ?? null;
  let rows = [view.table, view.below].filter(Boolean).flatMap((name) => get(tables, name) ?? []);
  if (view.where) rows = rows.filter((row) => has(row, view.where));
  if (view.order?.length) {
    const first = [...keys, ...view.columns][0].name;
    const places = new Map(view.order.map((value, place) => [value, place]));
    const place = (row) => places.get(get(row, first)) ?? places.size;
    rows = [...rows].sort((one, other) => place(one) - place(other));
  }
  let headings = view.columns.map(titleOf);
  let values = [null];
  if (over !== null) {
    const labels = view.labels ?? {};
    const ranks = new Map(Object.keys(labels).map((label, rank) => [label, rank]));
    const rank = (value) => ranks.get(spelt(value)) ?? ranks.size;
    values = [...new Set(rows.map((row) => get(row, over)))].sort((one, other) => rank(one) - rank(other));
    const names = values.map((value) => get(labels, spelt(value)) ?? spelt(value));
    headings = names.flatMap((name) => headings.map((heading) => heading.replaceAll("{}", () => name)));
  }
  const columns = [...keys, ...values.flatMap(() => view.columns)];
  const isJoined = over !== null || view.columns.some((column) => Object.keys(column.where ?? {}).length > 0);
  const together = isJoined ? byKeys(view, keys, rows) : rows.map((row) => [row]);
  const lines = linesOf(view, keys, together, values);
  const cell = (row, name) => (Object.hasOwn(row, name) ? spelt(row[name]) : "");
  const filled = (row) => view.line.replace(/\{([\p{L}\p{N}_]+)\}/gu, (_, name) => cell(row, name));
  return {
    title: shown(view.title),
    table: view.table,
    headings: [...keys.map(titleOf), ...headings].map(shown),
    columns,
    rows: lines,
    right: columns.map(({ format = "" }) => Boolean(format) && !format.includes("|")),
    keys: isJoined ? keys.length : naming(lines, keys.length || 1),
    group: over === null ? 1 : view.columns.length,
    notes: (view.notes ?? []).map(shown),
    lines: view.line === undefined || view.line === null ? [] : rows.map((row) => shown(filled(row))),
    section: view.section ?? "",
    anchors: view.anchor ? together.map((rows) => spelt(get(rows[0], view.anchor))) : [],
    isOnPage: view.on_page ?? false,
  };
}

/** Every view of a result (as `Result.to_dict` gives it) that has rows, as cells; its findings below the last one. */
export function grids(result) {
  const known = (result.views ?? []).map((view) => gridOf(view, result)).filter((grid) => grid.rows.length);
  const below = (result.findings ?? []).map(shown);
  const last = known.findLastIndex((grid) => !grid.isOnPage);
  if (last >= 0) {
    known[last] = { ...known[last], notes: [...known[last].notes, ...below] };
    return known;
  }
  if (!below.length) return known;
  const empty = { title: "", table: "", headings: [], columns: [], rows: [], right: [], keys: 0, group: 1, lines: [] };
  return [{ ...empty, notes: below, section: "", anchors: [], isOnPage: false }, ...known];
}
