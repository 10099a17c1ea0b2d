// A list of any length in a page that scrolls: only the rows in view, and a few beside them, are in the page.

import { fill, h } from "../app/dom.js";

// Browsers draw nothing beyond some 17 million pixels; a longer list is scrolled faster than it is high.
const HIGHEST = 8_000_000;
// Rows that are kept above and below what is in view, in pixels.
const MARGIN = 400;

/**
 * A list of `count` rows, each of its own height.
 *
 * given = {count, height: a guess in pixels, row(index) -> element, label, start: {index, offset} | null, top() -> pixels at
 * the top of the window that something sticky covers, moved({index, offset, from, to}), print: most rows on paper}.
 * `row` is called whenever a row comes into view, and `refresh` draws rows anew; for screen readers they are numbered here.
 * After the element is in the page, call `begin`.
 */
export function longList(given) {
  const { count } = given;
  const rows = h("div", { class: "segment-rows", role: "list", "aria-label": given.label });
  const element = h("div", { class: "segment-list", tabindex: "-1" }, rows);
  const shown = new Map(); // index -> element, of rows in the page
  let [first, last] = [0, -1]; // indices of rows in the page
  let above = 0; // where the first of them begins, in pixels from the top of the list
  let mean = given.height; // height of a row, as far as it is known
  let measured = 0;
  let printing = false;
  let idle = 0;

  let covered = 0; // pixels at the top of the window that something sticky covers
  let room = 1; // height of what is seen of the list
  /** How far the list is scrolled; what is asked of the page is asked once a frame. */
  function measure() {
    covered = given.top();
    room = Math.max(1, innerHeight - covered);
    return covered - element.getBoundingClientRect().top;
  }
  const highest = () => Math.max(room, Math.min(HIGHEST, count * mean));
  /** The row, with a fraction, that the scroll bar at this place stands for; and the other way round. */
  const indexAt = (top) => (Math.max(0, top) / Math.max(1, highest() - room)) * Math.max(0, count - room / mean);
  const topOf = (index) => (index / Math.max(1e-9, count - room / mean)) * Math.max(0, highest() - room);
  const heightOf = (index) => shown.get(index).getBoundingClientRect().height;

  function make(index) {
    const row = given.row(index);
    row.setAttribute("role", "listitem");
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", count);
    row.dataset.index = index;
    shown.set(index, row);
    return row;
  }

  function drop(index) {
    const row = shown.get(index);
    // A row that has the focus and goes out of view leaves it to the list, whose keys go on from there.
    if (row.contains(document.activeElement)) element.focus({ preventScroll: true });
    row.remove();
    shown.delete(index);
  }

  function learn(height, number) {
    if (measured >= 400 || !number) return;
    mean = (mean * Math.min(measured, 400) + height) / (Math.min(measured, 400) + number);
    measured += number;
  }

  function place(height = rows.offsetHeight) {
    rows.style.setProperty("transform", `translateY(${above}px)`);
    const below = Math.max(0, count - 1 - last) * mean * (highest() / Math.max(1, count * mean));
    element.style.setProperty("height", `${Math.max(1, above + height + below)}px`);
  }

  /** Move rows and window together: nobody sees it. */
  function shift(pixels) {
    if (Math.abs(pixels) < 1) return;
    above += pixels;
    place();
    scrollBy({ top: pixels, behavior: "instant" });
  }

  /** Throw away what is in the page and begin at a row, `offset` pixels of it above the view. */
  function restart(index, offset, top) {
    for (const one of [...shown.keys()]) drop(one);
    first = Math.max(0, Math.min(count - 1, index));
    last = first - 1;
    above = top - offset;
    render(top);
  }

  /** Begin at the row that the scroll bar stands for; at its end, with the end of the list. */
  function jump(top) {
    const atEnd = top >= highest() - room - 1;
    const index = indexAt(top);
    restart(Math.floor(index), (index % 1) * mean, top);
    if (atEnd) toEnd();
  }

  const isAtEnd = () => last === count - 1 && element.getBoundingClientRect().bottom <= innerHeight + 2;
  function toEnd() {
    if (last === count - 1) scrollBy({ top: element.getBoundingClientRect().bottom - innerHeight, behavior: "instant" });
  }

  /** Rows that cover what is in view, and no others. */
  function render(top = measure()) {
    if (printing || !count || !element.isConnected) return;
    const [from, to] = [top - MARGIN, top + room + MARGIN];
    let height = rows.offsetHeight;
    if (last >= first && (above > to + MARGIN || above + height < from - MARGIN)) {
      jump(top);
      return;
    }
    while (last < count - 1 && above + height < to) {
      const number = Math.min(count - 1 - last, Math.max(1, Math.ceil((to - above - height) / mean)), 60);
      for (let step = 0; step < number; step += 1) rows.append(make((last += 1)));
      const now = rows.offsetHeight;
      learn(now - height, number);
      height = now;
    }
    while (first > 0 && above > from) {
      const number = Math.min(first, Math.max(1, Math.ceil((above - from) / mean)), 60);
      for (let step = 0; step < number; step += 1) rows.prepend(make((first -= 1)));
      const now = rows.offsetHeight;
      above -= now - height;
      height = now;
    }
    const heights = new Map([...shown.keys()].sort((x, y) => x - y).map((index) => [index, heightOf(index)]));
    while (first < last && above + heights.get(first) < from - MARGIN) {
      drop(first);
      above += heights.get(first);
      height -= heights.get(first);
      first += 1;
    }
    while (first < last && above + height - heights.get(last) > to + MARGIN) {
      drop(last);
      height -= heights.get(last);
      last -= 1;
    }
    place(height);
    report(top, heights);
    if ((first === 0 && above !== 0) || (first > 0 && above < 0)) settle();
  }

  /** Put the list where the scroll bar should have it: exactly at the top, and about right elsewhere. */
  function settle() {
    if (last < first || printing) return;
    shift((first === 0 ? 0 : topOf(first)) - above);
  }

  /** The first row in view, and how many of its pixels are above it. */
  function at(top, heights) {
    let begin = above;
    for (let index = first; index <= last; index += 1) {
      const size = heights?.get(index) ?? heightOf(index);
      if (begin + size > top || index === last) return { index, offset: top - begin };
      begin += size;
    }
    return { index: 0, offset: 0 };
  }

  function report(top, heights) {
    given.moved?.({ ...at(top, heights), from: first, to: last });
  }

  let waiting = false;
  function onScroll() {
    clearTimeout(idle);
    idle = setTimeout(() => element.isConnected && Math.abs(topOf(first) - above) > 2 * room && settle(), 250);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (element.isConnected) render();
      else end();
    });
  }

  function beforePrint() {
    if (!element.isConnected) return end();
    printing = true;
    const most = Math.min(count, given.print ?? 200);
    const all = [];
    for (let index = 0; index < most; index += 1) all.push(given.row(index));
    fill(rows, all);
    shown.clear();
    rows.style.removeProperty("transform");
    element.style.setProperty("height", "auto");
  }

  function afterPrint() {
    if (!printing) return;
    printing = false;
    fill(rows);
    [first, last] = [0, -1];
    restart(0, 0, 0);
    render();
  }

  /** Scroll to a row, whether it is in the page or not. */
  function scrollThere(index, offset) {
    const top = measure();
    element.style.setProperty("height", `${highest()}px`);
    scrollBy({ top: topOf(index) - top, behavior: "instant" });
    restart(index, offset, measure());
  }

  const listeners = [
    ["scroll", onScroll],
    ["resize", onScroll],
    ["beforeprint", beforePrint],
    ["afterprint", afterPrint],
  ];
  function end() {
    for (const [name, work] of listeners) removeEventListener(name, work);
  }

  return {
    element,
    /** Draw the first rows; the element is in the page. */
    begin() {
      for (const [name, work] of listeners) addEventListener(name, work, { passive: true });
      if (!count) return;
      const top = measure();
      const { index, offset } = given.start ?? { index: 0, offset: 0 };
      if (index > 0 && index < count) scrollThere(index, offset);
      else restart(0, 0, Math.max(0, top));
    },
    /** Draw these rows anew, where they are in the page; what is in view stays where it is. */
    refresh(from, to) {
      if (printing || last < first || !element.isConnected) return;
      const top = measure();
      const seen = at(top);
      const stays = isAtEnd() && first > 0;
      for (let index = Math.max(from, first); index <= Math.min(to, last); index += 1) {
        const old = shown.get(index);
        const focused = old.contains(document.activeElement) ? document.activeElement.id : null;
        old.replaceWith(make(index));
        if (focused !== null) (document.getElementById(focused) ?? shown.get(index)).focus({ preventScroll: true });
      }
      above = top - seen.offset;
      for (let index = first; index < seen.index; index += 1) above -= heightOf(index);
      render(top);
      if (stays) toEnd();
    },
    /** Bring a row into view and put the focus on it. */
    show(index) {
      if (index < 0 || index >= count) return;
      if (index < first || index > last) scrollThere(index, 0);
      const row = shown.get(index);
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest", behavior: "instant" });
      render();
    },
    end,
  };
}
