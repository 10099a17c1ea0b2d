// Pictures: plain SVG, as wide as their box, in the colours of the page, with a table for those who cannot see them.

import { append, fill, h, number, visible, whole } from "./dom.js";
import { download, safeName } from "./export.js";

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "ring", "wedge"];
const LETTER = 13;
let ruler = null;

/** How wide a text is, in pixels. */
function widthOf(text, size = LETTER, bold = false) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${bold ? "bold " : ""}${size}px Helvetica, Arial, sans-serif`;
  return ruler.measureText(visible(text)).width;
}

/** A text that fits, with dots where it was cut. */
function fitting(text, room, bold = false) {
  const plain = visible(text);
  if (widthOf(plain, LETTER, bold) <= room) return plain;
  const letters = [...plain];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${letters.slice(0, middle).join("")}…`, LETTER, bold) <= room) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

/** Round numbers from low to high, about so many. */
export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const all = [];
  for (let place = Math.ceil(low / step - 1e-9); place * step <= high + step * 1e-9; place++) all.push(place * step);
  return all;
}

/** A tick as it is written: as many decimals as the step needs. */
function tickText(value, step) {
  const decimals = Math.max(0, Math.min(
    6,
    -Math.floor(Math.log10(step || 1) + 1e-9) + (
      String(step / 10 ** Math.floor(Math.log10(step || 1))).startsWith("2.5") ? 1 : 0
    )
  ));
  return Math.abs(value) >= 10000 && decimals === 0 ? whole(value).replace("-", "−") : number(value, decimals);
}

/** An axis from values to pixels, with some room at its ends. */
function axis(values, from, to, { zero = false, margin = 0.04, count = 5 } = {}) {
  const finite = values.filter((value) => Number.isFinite(value));
  if (zero) finite.push(0);
  let low = finite.reduce((least, value) => Math.min(least, value), Infinity);
  let high = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  if (!Number.isFinite(low)) [low, high] = [0, 1];
  if (low === high) [low, high] = low ? [low - Math.abs(low) * 0.05, high + Math.abs(high) * 0.05] : [-1, 1];
  const reach = high - low;
  const edge = (value, sign) => (zero && value === 0 ? value : value + sign * margin * reach);
  [low, high] = [edge(low, -1), edge(high, 1)];
  const places = ticks(low, high, count);
  const step = places.length > 1 ? places[1] - places[0] : high - low;
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  return { low, high, at, ticks: places.map((value) => [value, tickText(value, step)]) };
}

/** A mark of a group: shapes differ as well as colours. */
function shape(name, x, y, size) {
  const s = size;
  const paths = {
    square: `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`,
    triangle: `M${x} ${y - s * 1.3}L${x + s * 1.2} ${y + s}L${x - s * 1.2} ${y + s}z`,
    diamond: `M${x} ${y - s * 1.4}L${x + s * 1.4} ${y}L${x} ${y + s * 1.4}L${x - s * 1.4} ${y}z`,
    cross: `M${x - s} ${y - s}L${x + s} ${y + s}M${x + s} ${y - s}L${x - s} ${y + s}`,
    wedge: `M${x} ${y + s * 1.3}L${x + s * 1.2} ${y - s}L${x - s * 1.2} ${y - s}z`,
  };
  if (name === "circle" || name === "ring") return h("circle", {
    cx: x,
    cy: y,
    r: s,
    class: name === "ring" ? "hollow" : null
  });
  return h("path", { d: paths[name], class: name === "cross" ? "hollow" : null });
}

/** The look of a group: colours repeat after seven, shapes go on changing. */
function look(place) {
  return { color: `c${place % 7}`, shape: SHAPES[(place + Math.floor(place / 7)) % SHAPES.length] };
}

/** What makes a mark lead somewhere: by click, by Enter, and told to screen readers. */
function leading(app, link, label) {
  if (!link) return { "aria-label": null };
  const go = () => app.set(link);
  return {
    class: "leads",
    role: "link",
    tabindex: "0",
    "aria-label": label,
    onclick: go,
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      go();
    },
  };
}

/** Colours, lines and letters as attributes, so that a picture is the same outside the page. */
const KEPT = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "fill-opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "visibility"
];

/** A drawn picture as a file of its own, in the colours of a white page. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const stage = h("div", { class: "light stage", "aria-hidden": "true" }, copy);
  document.body.append(stage);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    const style = getComputedStyle(element);
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
  }
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["class", "style", "tabindex", "role", "aria-label", "id"]) element.removeAttribute(name);
  }
  stage.remove();
  for (const unseen of copy.querySelectorAll("[visibility=hidden]")) unseen.remove();
  const [width, height] = [svg.getAttribute("width"), svg.getAttribute("height")];
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("font-family", "Helvetica, Arial, sans-serif");
  copy.prepend(h("rect", { width, height, fill: "#ffffff" }));
  return new XMLSerializer().serializeToString(copy);
}

/** An SVG as a PNG with so many pixels for one. */
async function asPng(text, width, height, scale = 3) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * scale, height * scale];
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The buttons below a picture. */
function tools(id, title, source) {
  const give = async (kind) => {
    const { text, width, height } = source();
    const blob = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await asPng(text, width, height);
    download(`${safeName(title)}.${kind}`, blob);
  };
  return ["SVG", "PNG"].map((name) =>
    h(
      "button",
      {
        id: `${id}-${name.toLowerCase()}`,
        type: "button",
        class: "button small",
        "aria-label": `${title} as ${name}`,
        onclick: () => give(name.toLowerCase())
      },
      name
    ),
  );
}

/**
 * What all pictures share: a title, a drawing as wide as its box, a table, and files of it.
 *
 * `paint(given, width)` gives the SVG; `rowsOf(given)` gives `{heads, rows}` of the table.
 */
function chart(app, given, paint, rowsOf, extra = () => null) {
  const { id } = given;
  const box = h("div", { class: "canvas" });
  const data = h("div", { class: "box" });
  const details = h("details", { class: "data" }, h("summary", { id: `${id}-data` }, "As a table"), data);
  const more = h("div", { class: "more" });
  const bar = h("div", { class: "row tools" }, tools(id, given.title, () => {
    const svg = box.querySelector("svg");
    return {
      text: standalone(svg),
      width: Number(svg.getAttribute("width")),
      height: Number(svg.getAttribute("height"))
    };
  }));
  const heading = h("span", {}, given.title);
  const figure = h(
    "figure",
    { class: "chart", id: `chart-${id}` },
    h("figcaption", {}, h("h2", {}, heading), bar),
    box,
    more,
    details
  );
  let width = 0;
  let drawn = null;
  const draw = () => {
    const held = box.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    drawn = paint(given, Math.max(240, width));
    fill(box, drawn);
    if (held) box.querySelector(`[data-at="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    if (details.open) table();
  };
  const table = () => {
    const { heads, rows } = rowsOf(given);
    fill(data, h("table", {}, h("caption", { class: "hidden" }, given.title), h("thead", {}, h(
      "tr",
      {},
      heads.map((head) => h("th", { scope: "col" }, head))
    )),
      h("tbody", {}, rows.slice(0, 500).map(
        (cells) => h("tr", {}, cells.map(
          (cell, place) => (place ? h("td", { class: "number" }, cell) : h("th", { scope: "row", dir: "auto" }, cell))
        ))
      ))));
    if (rows.length > 500) append(data, h("p", { class: "quiet" }, `The first 500 of ${whole(rows.length)} rows.`));
  };
  details.addEventListener("toggle", () => details.open && table());
  const observer = new ResizeObserver(() => {
    const now = Math.floor(box.clientWidth);
    if (!now || now === width) return;
    width = now;
    draw();
  });
  observer.observe(box);
  figure.update = (changes) => {
    Object.assign(given, changes);
    heading.textContent = visible(given.title);
    fill(more, extra(given));
    if (width) draw();
  };
  figure.redraw = () => width && draw();
  fill(more, extra(given));
  return figure;
}

/** An empty drawing. */
function canvas(width, height, title, interactive = false) {
  return h("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: interactive ? "group" : "img",
    "aria-label": title,
    class: "drawing"
  });
}

/** The axis of numbers along the bottom, with lines through the picture. */
function bottomAxis(svg, scale, top, bottom, title, middle) {
  for (const [value, text] of scale.ticks) {
    const x = scale.at(value);
    append(svg, [
      h("line", { class: "grid", x1: x, x2: x, y1: top, y2: bottom }),
      h("text", { class: "tick", x, y: bottom + 16, "text-anchor": "middle" }, text),
    ]);
  }
  if (scale.low < 0 && scale.high > 0) append(svg, h(
    "line",
    { class: "zero", x1: scale.at(0), x2: scale.at(0), y1: top, y2: bottom }
  ));
  append(svg, h(
    "text",
    { class: "axis", x: middle, y: bottom + 36, "text-anchor": "middle" },
    fitting(title, 2 * Math.min(middle, Number(svg.getAttribute("width")) - middle))
  ));
}

/** The axis of numbers at the left. */
function leftAxis(svg, scale, left, right, title) {
  for (const [value, text] of scale.ticks) {
    const y = scale.at(value);
    append(svg, [
      h("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
      h("text", { class: "tick", x: left - 6, y: y + 4, "text-anchor": "end" }, text),
    ]);
  }
  if (scale.low < 0 && scale.high > 0) append(svg, h(
    "line",
    { class: "zero", x1: left, x2: right, y1: scale.at(0), y2: scale.at(0) }
  ));
  if (title) append(svg, h("text", { class: "axis", x: 2, y: 12 }, title));
}

/** A value with its interval, in words. */
function told(value, low, high, decimals, sign = false) {
  const said = number(value, decimals, sign);
  return low === null || low === undefined || high === null ? said
    : `${said} (${number(low, decimals, sign)} – ${number(high, decimals, sign)})`;
}

/** Dots with intervals, or bars: a line per row, names at the left. */
function lanes(app, given, width, kind) {
  const { rows, decimals = 2, zero = false, sign = false } = given;
  const narrow = width < 520;
  const longest = rows.reduce(
    (most, row) => Math.max(most, widthOf(row.name, LETTER, Boolean(row.mark)) + (
      row.n === undefined ? 0 : widthOf(`  n = ${whole(row.n)}`, 11)
    )),
    40
  );
  const values = rows.flatMap((row) => [row.value, row.low, row.high]);
  const valueRoom = Math.max(...rows.map((row) => widthOf(number(row.value, decimals, sign), 12)), 10) + 10;
  const left = narrow ? 8 : Math.min(longest + 14, width * 0.36);
  const right = width - valueRoom - 4;
  // On a narrow page names stand above their bars.
  const step = narrow ? 44 : 28;
  const top = 6;
  const bottom = top + rows.length * step + 2;
  const scale = axis(values, left, right, {
    zero: kind === "bars" || zero,
    count: Math.max(2, Math.floor((right - left) / 90))
  });
  const svg = canvas(width, bottom + 44, given.title, rows.some((row) => row.link));
  bottomAxis(svg, scale, top, bottom, given.x, (left + right) / 2);
  rows.forEach((row, place) => {
    const y = top + place * step + (narrow ? 30 : step / 2);
    const said = row.n === undefined ? "" : `n = ${whole(row.n)}`;
    const value = told(row.value, row.low, row.high, decimals, sign);
    const label = `${row.name}: ${value}${said ? `, ${said}` : ""}${row.said ? `. ${row.said}` : ""}`;
    const group = h("g", { "data-at": row.name, ...leading(app, row.link, label) }, h("title", {}, label));
    append(group, h("rect", { class: "hit", x: 0, y: y - (narrow ? 28 : step / 2), width, height: step }));
    const room = (narrow ? width - valueRoom : left - 12) - (said ? widthOf(said, 11) + 8 : 0);
    const name = fitting(row.name, room, Boolean(row.mark));
    const at = narrow ? { x: left, y: y - 14 } : { x: left - 10, y: y + 4, "text-anchor": "end" };
    append(group, h(
      "text",
      { class: `name ${row.mark ?? ""}`, ...at },
      name,
      said ? h("tspan", { class: "n", dx: 8 }, said) : null
    ));
    if (row.value !== null && row.value !== undefined && Number.isFinite(row.value)) {
      const x = scale.at(row.value);
      const zeroAt = scale.at(Math.min(Math.max(0, scale.low), scale.high));
      const color = row.mark ?? "other";
      if (kind === "bars") append(group, h(
        "rect",
        { class: `bar ${color}`, x: Math.min(x, zeroAt), y: y - 7, width: Math.abs(x - zeroAt), height: 14 }
      ));
      if (row.low !== null && row.low !== undefined && row.high !== null) {
        append(group, h(
          "line",
          {
            class: kind === "bars" ? "whisker dark" : `whisker ${color}`,
            x1: scale.at(row.low),
            x2: scale.at(row.high),
            y1: y,
            y2: y
          }
        ));
        for (const end of kind === "bars" ? [row.low, row.high] : []) append(group, h(
          "line",
          { class: "whisker dark", x1: scale.at(end), x2: scale.at(end), y1: y - 3, y2: y + 3 }
        ));
      }
      if (kind === "dots") append(group, h(
        "g",
        { class: `dot ${color}` },
        shape(row.mark === "b" ? "diamond" : "circle", x, y, 4.5)
      ));
    }
    append(group, h(
      "text",
      { class: "value", x: width - 4, y: y + 4, "text-anchor": "end" },
      number(row.value, decimals, sign)
    ));
    append(svg, group);
  });
  return svg;
}

/** Two values of each row one above the other, with intervals: A's as circles, B's as diamonds. */
function pairLanes(app, given, width) {
  const { rows, decimals = 2, names } = given;
  const narrow = width < 520;
  const wide = (row) => widthOf(row.name) + widthOf(`  n = ${whole(row.n)}`, 11) + 8;
  const left = narrow ? 8 : Math.min(rows.reduce((most, row) => Math.max(most, wide(row)), 40) + 14, width * 0.4);
  const room = 62;
  const right = width - room;
  const step = narrow ? 58 : 40;
  const top = 24;
  const bottom = top + rows.length * step + 2;
  const ends = ({ value, low, high }) => [value, low, high].filter((one) => one !== null);
  const scale = axis(
    rows.flatMap((row) => [...ends(row.a), ...(row.b ? ends(row.b) : [])]),
    left,
    right,
    { count: Math.max(2, Math.floor((right - left) / 90)) }
  );
  const svg = canvas(width, bottom + 44, given.title, true);
  bottomAxis(svg, scale, top, bottom, given.x, (left + right) / 2);
  const heading = h("text", { class: "tick", x: width - 4, y: 14, "text-anchor": "end" }, "A − B");
  if (names[1] !== null) append(svg, heading);
  rows.forEach((row, place) => {
    const y = top + place * step + (narrow ? 36 : step / 2);
    const said = `n = ${whole(row.n)}`;
    const values = [["A", row.a], ...(row.b ? [["B", row.b]] : [])].map(
      ([letter, { value, low, high }]) => `${letter} ${told(value, low, high, decimals)}`
    );
    const label = `${row.name}, ${said}: ${values.join("; ")}`;
    const group = h("g", { "data-at": row.name, ...leading(app, row.link, label) }, h("title", {}, label));
    append(group, h("rect", { class: "hit", x: 0, y: y - (narrow ? 34 : step / 2), width, height: step }));
    const name = fitting(row.name, (narrow ? width : left - 12) - widthOf(said, 11) - 10);
    append(group, h(
      "text",
      { class: "name", ...(narrow ? { x: left, y: y - 18 } : { x: left - 10, y: y + 4, "text-anchor": "end" }) },
      name,
      h("tspan", { class: "n", dx: 8 }, said)
    ));
    for (const [side, shift] of [["a", -6], ["b", 6]]) {
      const one = row[side];
      if (!one || one.value === null) continue;
      if (one.low !== null && one.low !== undefined) append(group, h(
        "line",
        { class: `whisker ${side}`, x1: scale.at(one.low), x2: scale.at(one.high), y1: y + shift, y2: y + shift }
      ));
      append(group, h(
        "g",
        { class: `dot ${side}` },
        shape(side === "b" ? "diamond" : "circle", scale.at(one.value), y + shift, 4)
      ));
    }
    const delta = row.b && row.a.value !== null && row.b.value !== null ? row.a.value - row.b.value : null;
    append(group, h(
      "text",
      { class: "value", x: width - 4, y: y + 4, "text-anchor": "end" },
      row.b ? number(delta, decimals, true) : number(row.a.value, decimals)
    ));
    append(svg, group);
  });
  return svg;
}

/** A and B in each group, with intervals. */
export function pairs(app, given) {
  return chart(app, given, (now, width) => pairLanes(app, now, width), ({ rows, decimals = 2 }) => ({
    heads: ["", "n", "A", "A low", "A high", "B", "B low", "B high"],
    rows: rows.map((row) => [
      row.name,
      whole(row.n),
      ...[row.a, row.b ?? {}].flatMap(({ value, low, high }) => [value, low, high].map((one) => number(one, decimals)))
    ]),
  }));
}

/** The table of dots and bars. */
function laneRows({ rows, decimals = 2, sign = false, x }) {
  const counted = rows.some((row) => row.n !== undefined);
  return {
    heads: ["", x, "low", "high", ...(counted ? ["n"] : [])],
    rows: rows.map((row) => [
      row.name,
      ...[row.value, row.low, row.high].map((value) => number(value, decimals, sign)),
      ...(counted ? [whole(row.n)] : [])
    ]),
  };
}

/** Dots with intervals, a line per row. */
export function dots(app, given) {
  return chart(app, given, (now, width) => lanes(app, now, width, "dots"), laneRows);
}

/** Bars with intervals, a line per row; they begin at zero. */
export function bars(app, given) {
  return chart(app, given, (now, width) => lanes(app, now, width, "bars"), laneRows);
}

/** The largest number below a number: what is counted in the next bar is not of this one. */
function below(value) {
  if (value === 0) return -Number.MIN_VALUE;
  const step = Math.abs(value) * 2 ** -53;
  return value - step < value ? value - step : value - 2 * step;
}

/** How many there are of each size; a bar may lead to what it counts. */
export function histogram(app, given) {
  const paint = (
    { title, x, y = "segments", edges, counts, mark, markName, link, decimals = 2, sign = false },
    width
  ) => {
    const height = 240;
    const most = counts.reduce((one, other) => Math.max(one, other), 1);
    const up = axis([0, most], height - 46, 24, { zero: true, count: 4 });
    const left = 12 + Math.max(...up.ticks.map(([, text]) => widthOf(text, 12)));
    const across = {
      ...axis([edges[0], edges.at(-1)], left, width - 10, { margin: 0, count: Math.max(2, Math.floor(width / 110)) })
    };
    const svg = canvas(width, height, title, Boolean(link));
    leftAxis(svg, { ...up, ticks: up.ticks.filter(([value]) => Number.isInteger(value)) }, left, width - 10, y);
    for (const [value, text] of across.ticks) append(svg, h(
      "text",
      { class: "tick", x: across.at(value), y: height - 30, "text-anchor": "middle" },
      text
    ));
    append(svg, h("text", { class: "axis", x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, x));
    counts.forEach((count, place) => {
      const [low, high] = [edges[place], edges[place + 1]];
      const label = `${number(low, decimals, sign)} to ${number(high, decimals, sign)}: ${whole(count)}`;
      const [from, to] = [across.at(low), across.at(high)];
      const side = sign && high <= 1e-12 ? "b" : sign ? "a" : "c0";
      const group = h(
        "g",
        {
          "data-at": String(place),
          ...leading(app, count ? link?.(low, place === counts.length - 1 ? high : below(high)) : null, label)
        },
        h("title", {}, label)
      );
      append(group, [
        h("rect", { class: "hit", x: from, y: 20, width: Math.max(1, to - from), height: height - 66 }),
        h("rect", {
          class: `bar ${side}`,
          x: from + 0.5,
          y: up.at(count),
          width: Math.max(0.5, to - from - 1),
          height: Math.max(0, up.at(0) - up.at(count))
        }),
      ]);
      append(svg, group);
    });
    if (sign && across.low < 0 && across.high > 0) append(svg, h(
      "line",
      { class: "zero", x1: across.at(0), x2: across.at(0), y1: 20, y2: height - 46 }
    ));
    if (Number.isFinite(mark)) {
      const at = across.at(mark);
      append(svg, [
        h("line", { class: "marked", x1: at, x2: at, y1: 16, y2: height - 46 }),
        h(
          "text",
          { class: "value", x: at, y: 12, "text-anchor": at > width - 90 ? "end" : at < 90 ? "start" : "middle" },
          `${markName ?? "mean"} ${number(mark, decimals, sign)}`
        ),
      ]);
    }
    return svg;
  };
  return chart(app, given, paint, ({ edges, counts, x, y = "segments", decimals = 2, sign = false }) => ({
    heads: [x, y],
    rows: counts.map((count, place) => [
      `${number(edges[place], decimals, sign)} to ${number(edges[place + 1], decimals, sign)}`,
      whole(count)
    ]),
  }));
}

/** Where the names of groups stand below a picture: as many in a line as fit. */
function legendOf(groups, width) {
  const entries = [];
  let [x, y] = [10, 14];
  groups.forEach((group, place) => {
    const text = fitting(group, width - 40);
    const room = widthOf(text) + 34;
    if (x > 10 && x + room > width) [x, y] = [10, y + 20];
    entries.push({ x, y, text, place });
    x += room;
  });
  return { entries, height: groups.length ? y + 8 : 0 };
}

/** Whether a point lies inside a polygon. */
function inside(polygon, x, y) {
  let within = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}

/** Points, of which a lasso chooses some: by pointer, or by keys. */
export function scatter(app, given) {
  const { id } = given;
  let chosen = new Set();
  let at = -1;
  let catching = false;
  const status = h("p", { class: "quiet", role: "status", id: `${id}-status` });
  const place = (point) => `${number(point.x, given.decimals ?? 2)}, ${number(point.y, given.decimals ?? 2)}`;
  const name = (point) => (point.name ? `${point.name}: ${place(point)}` : place(point));

  const paint = (now, width) => {
    const { points, groups = [], title, x, y, line, lasso } = now;
    const legend = groups.length > 1 && groups.length <= 30 ? groups : [];
    const key = legendOf(legend, width);
    const height = Math.round(Math.min(560, Math.max(280, width * 0.6)));
    const up = axis(points.map((point) => point.y), height - 46, 26, { count: 5 });
    const left = 14 + Math.max(...up.ticks.map(([, text]) => widthOf(text, 12)));
    const across = axis(points.map((point) => point.x), left, width - 12, {
      count: Math.max(2, Math.floor(width / 110))
    });
    const svg = canvas(
      width,
      height + key.height,
      `${title}. ${whole(points.length)} points. Arrow keys go from point to point, Space chooses, Enter opens.`,
      true
    );
    svg.setAttribute("tabindex", "0");
    svg.dataset.at = "svg";
    svg.classList.add("scatter");
    if (catching) svg.classList.add("catching");
    leftAxis(svg, up, left, width - 12, y);
    bottomAxis(svg, across, 26, height - 46, x, (left + width - 12) / 2);
    if (line && Number.isFinite(line.slope)) {
      // Where it would leave the picture at the top or the bottom, it ends there.
      const ends = [up.low, up.high].map((value) => (value - line.at) / line.slope).sort((one, other) => one - other);
      const [from, to] = line.slope === 0 ? [across.low, across.high]
        : [Math.max(across.low, ends[0]), Math.min(across.high, ends[1])];
      append(svg, h(
        "line",
        {
          class: "fitted",
          x1: across.at(from),
          x2: across.at(to),
          y1: up.at(line.at + line.slope * from),
          y2: up.at(line.at + line.slope * to)
        }
      ));
    }
    const many = points.length > 400;
    const places = points.map((point) => [across.at(point.x), up.at(point.y)]);
    const marks = points.map((point, place) => {
      const { color, shape: form } = look(point.group ?? 0);
      const mark = h(
        "g",
        { class: `dot ${color}${many ? " many" : ""}${chosen.has(place) ? " chosen" : ""}` },
        shape(form, ...places[place], many ? 2.4 : 4.5),
        h("title", {}, name(point))
      );
      if (point.link) mark.addEventListener("click", () => !catching && app.set(point.link));
      if (point.link) mark.classList.add("leads");
      return mark;
    });
    append(svg, marks);
    if (!many && points.length <= 40 && points.every((point) => point.label)) {
      const taken = [];
      points.forEach((point, place) => {
        const text = fitting(point.label, 150);
        const w = widthOf(text, 12);
        const [px, py] = places[place];
        // The first free place beside the point, else none: the name is in the table and in its title.
        for (const [x0, y0] of [[px + 8, py + 4], [px - 8 - w, py + 4], [px - w / 2, py - 9], [px - w / 2, py + 18]]) {
          const free = x0 > left && x0 + w < width - 4 && y0 > 34 && y0 < height - 48 && taken.every(
            ([a, b, c]) => x0 > a + c + 4 || x0 + w + 4 < a || Math.abs(y0 - b) > 13
          )
            && places.every(
              ([a, b], other) => other === place || a < x0 - 5 || a > x0 + w + 5 || Math.abs(b - y0 + 4) > 9
            );
          if (!free) continue;
          taken.push([x0, y0, w]);
          append(svg, h("text", { class: "name point", x: x0, y: y0 }, text));
          break;
        }
      });
    }
    const cursor = h("circle", { class: "cursor", r: 9, cx: -20, cy: -20 });
    const loop = h("path", { class: "loop", d: "" });
    append(svg, [cursor, loop]);
    const show = () => {
      if (at < 0) return;
      cursor.setAttribute("cx", places[at][0]);
      cursor.setAttribute("cy", places[at][1]);
    };
    show();
    const sorted = places.map((_, place) => place).sort(
      (a, b) => points[a].x - points[b].x || points[a].y - points[b].y
    );
    const choose = () => {
      marks.forEach((mark, place) => mark.classList.toggle("chosen", chosen.has(place)));
      lasso?.([...chosen].map((place) => points[place]));
    };
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 10, ArrowDown: -10 }[event.key];
      if (step) {
        const rank = at < 0 ? (step > 0 ? -1 : sorted.length) : sorted.indexOf(at);
        const next = Math.max(0, Math.min(sorted.length - 1, rank + step));
        if (!sorted.length) return;
        const passed = event.shiftKey && at >= 0 ? sorted.slice(Math.min(rank, next), Math.max(rank, next) + 1) : [];
        at = sorted[next];
        show();
        status.textContent = visible(name(points[at]));
        if (passed.length && lasso) {
          passed.forEach((place) => chosen.add(place));
          choose();
        }
      } else if (event.key === " " && at >= 0 && lasso) {
        if (chosen.has(at)) chosen.delete(at);
        else chosen.add(at);
        choose();
      } else if (event.key === "Enter" && at >= 0 && points[at].link) {
        app.set(points[at].link);
      } else if (event.key === "Escape" && chosen.size) {
        chosen = new Set();
        choose();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    if (lasso) {
      let path = null;
      const where = (event) => {
        const box = svg.getBoundingClientRect();
        return [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height];
      };
      svg.addEventListener("pointerdown", (event) => {
        if (!(catching || event.shiftKey) || event.button !== 0) return;
        event.preventDefault();
        svg.setPointerCapture(event.pointerId);
        path = [where(event)];
      });
      svg.addEventListener("pointermove", (event) => {
        if (!path) return;
        path.push(where(event));
        loop.setAttribute("d", `M${path.map((point) => point.join(" ")).join("L")}z`);
      });
      svg.addEventListener("pointerup", () => {
        if (!path) return;
        const polygon = path;
        path = null;
        loop.setAttribute("d", "");
        if (polygon.length < 4) return;
        chosen = new Set(places.flatMap(([px, py], place) => (inside(polygon, px, py) ? [place] : [])));
        choose();
      });
      svg.addEventListener("pointercancel", () => {
        path = null;
        loop.setAttribute("d", "");
      });
    }
    for (const { x: px, y: py, text, place } of key.entries) {
      const { color, shape: form } = look(place);
      append(svg, [
        h("g", { class: `dot ${color}` }, shape(form, px + 5, height + py - 4, 4)),
        h("text", { class: "name", x: px + 15, y: height + py }, text),
      ]);
    }
    return svg;
  };

  const figure = chart(app, given, paint, ({ points, x, y, decimals = 2 }) => ({
    heads: ["", x, y],
    rows: points.map((point) => [point.name ?? "", number(point.x, decimals), number(point.y, decimals)]),
  }));
  if (given.lasso) {
    const button = h("button", {
      id: `${id}-lasso`,
      type: "button",
      class: "button small",
      "aria-pressed": "false",
      title: "Draw around points with the pointer; Shift and dragging does the same",
      onclick: () => {
        catching = !catching;
        button.setAttribute("aria-pressed", String(catching));
        figure.querySelector("svg.scatter")?.classList.toggle("catching", catching);
      },
    }, "Lasso");
    figure.querySelector("figcaption .tools").prepend(button);
  }
  figure.querySelector(".canvas").after(status);
  const { update } = figure;
  figure.update = (changes) => {
    if ("points" in changes) [chosen, at] = [new Set(), -1];
    update(changes);
  };
  return figure;
}

/** Lines over an axis of numbers. */
export function lines(app, given) {
  const paint = ({ title, x, y, series, zero = false }, width) => {
    const height = 260;
    const all = series.flatMap((one) => one.values);
    const up = axis(all.map(([, value]) => value), height - 46, 26, { zero, count: 5 });
    const left = 14 + Math.max(...up.ticks.map(([, text]) => widthOf(text, 12)));
    const room = Math.min(width * 0.3, Math.max(...series.map((one) => widthOf(one.name, 12)), 0) + 14);
    const across = axis(all.map(([value]) => value), left, width - room, {
      margin: 0.02,
      count: Math.max(2, Math.floor(width / 110))
    });
    const svg = canvas(width, height, title);
    leftAxis(svg, up, left, width - room, y);
    bottomAxis(svg, across, 26, height - 46, x, (left + width - room) / 2);
    series.forEach((one, place) => {
      const { color, shape: form } = look(place);
      const points = one.values.filter(([, value]) => Number.isFinite(value)).map(([a, b]) => [across.at(a), up.at(b)]);
      if (!points.length) return;
      append(svg, h(
        "path",
        { class: `line ${color} dash${place % 4}`, d: `M${points.map((point) => point.join(" ")).join("L")}` }
      ));
      append(svg, points.map(([a, b]) => h("g", { class: `dot ${color}` }, shape(form, a, b, 3))));
      append(svg, h(
        "text",
        { class: "name", x: width - room + 8, y: points.at(-1)[1] + 4 },
        fitting(one.name, room - 10)
      ));
    });
    return svg;
  };
  return chart(app, given, paint, ({ series, x, decimals = 2 }) => ({
    heads: ["", x, "value"],
    rows: series.flatMap((one) => one.values.map(([a, b]) => [one.name, String(a), number(b, decimals)])),
  }));
}

/** A small line for a cell, with what it says in words. */
export function spark(values, said, { width = 110, height = 26 } = {}) {
  const finite = values.filter((value) => Number.isFinite(value));
  const svg = h(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said, class: "drawing spark" },
    h("title", {}, said)
  );
  if (!finite.length) return svg;
  const reach = Math.max(...finite.map(Math.abs), 1e-12);
  const x = (place) => 4 + (place * (width - 8)) / Math.max(1, values.length - 1);
  const y = (value) => height / 2 - (value / reach) * (height / 2 - 4);
  append(svg, h("line", { class: "zero", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const points = values.flatMap((value, place) => (
    Number.isFinite(value) ? [`${x(place).toFixed(1)} ${y(value).toFixed(1)}`] : []
  ));
  append(svg, h("path", { class: "line c0", d: `M${points.join("L")}` }));
  return svg;
}

/** A picture that Python drew, on its white paper. */
export function picture({ name, title, svg }) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = h("img", { alt: title || name, src: url });
  const id = `picture-${safeName(name)}`;
  const bar = h("div", { class: "row tools" }, tools(
    id,
    title || name,
    () => ({ text: svg, width: image.naturalWidth || 600, height: image.naturalHeight || 400 })
  ));
  return h("figure", { class: "picture", id }, h("figcaption", {}, h("h2", {}, title || name), bar), h(
    "div",
    { class: "box paper" },
    image
  ));
}
