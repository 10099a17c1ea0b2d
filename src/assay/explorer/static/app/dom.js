// Elements of the page. Whatever comes from data is text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";
const SVG_NAMES = new Set(
  "svg g path line rect circle polyline polygon text tspan title defs clipPath linearGradient stop".split(" "),
);
// Control characters and marks that turn the direction of writing round are shown, not done; as Python's pages have it.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Text with every control character shown instead of done; line breaks and tabs stay. */
export function visible(text) {
  return String(text).replace(UNSEEN, (mark) => {
    const code = mark.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/**
 * An element: `h("button", {class: "quiet", onclick: go, "aria-label": "Next"}, "Next")`.
 *
 * Children are texts, numbers, elements, lists of them, or null. `dataset`, `style` (custom properties, sizes) and
 * properties such as `value`, `checked`, `disabled` and `hidden` are set as such; the others are attributes.
 */
export function h(name, attributes = {}, ...children) {
  const element = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "style") for (const [part, given] of Object.entries(value)) element.style.setProperty(part, given);
    else if ([
      "value",
      "checked",
      "disabled",
      "hidden",
      "selected",
      "indeterminate"
    ].includes(key)) element[key] = value;
    else if (key === "href" && !/^(#|data:image\/|blob:)/.test(value)) throw new Error(
      `A link leads out of the page: ${key}`
    );
    else element.setAttribute(key, value === true ? "" : visible(value));
  }
  append(element, children);
  return element;
}

/** Put children behind those that are there. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return element;
}

/** Put children in place of those that are there. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** The text of a stranger, in its own direction of writing. */
export function foreign(text, name = "bdi", attributes = {}) {
  return h(name, { dir: "auto", ...attributes }, text);
}

/** A number with so many decimals; a dash where there is none. */
export function number(value, decimals = 2, sign = false) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(decimals);
  const zero = Number(text) === 0;
  return (value < 0 && !zero ? "−" : sign && !zero ? "+" : "") + text;
}

/** A whole number with commas between thousands. */
export function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** A number of things, in the singular where there is one. */
export function counted(value, what) {
  return `${whole(value)} ${what}${value === 1 ? "" : "s"}`;
}

/** Calls `work` at most once in so many milliseconds, the last time always. */
export function seldom(work, wait = 120) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      work();
    }, wait);
  };
}

/** Calls `work` once, when nobody has called for so many milliseconds. */
export function later(work, wait = 150) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}
