// Tables: sorted, chosen and ordered by whoever reads them, copied as text, and long ones only as far as they are seen.

import { append, fill, h, number, whole } from "./dom.js";
import { copy, tableText } from "./export.js";
import { item, menu } from "./parts.js";

const collator = new Intl.Collator("en", { numeric: true });

/** Whether the cells of a column are numbers, which stand right. */
function isNumber(column) {
  return (column.kind ?? (column.decimals === undefined ? "text" : "number")) === "number";
}

/** A value as it is read. */
function shown(column, row) {
  const value = column.value(row);
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number" || !isNumber(column)) return String(value);
  return column.decimals === 0 && !column.sign ? whole(value) : number(value, column.decimals ?? 0, column.sign);
}

/** A cell as it is copied: with its interval, where it has one. */
function copied(column, row) {
  const text = column.text ? column.text(row) : shown(column, row);
  const [low, high] = column.interval?.(row) ?? [null, null];
  if (low === null || high === null) return text;
  return `${text} (${number(low, column.decimals, column.sign)} – ${number(high, column.decimals, column.sign)})`;
}

/** The order of two values: numbers, then texts, and what is missing last either way. */
function order(one, other, descending) {
  const missing = (value) => value === null || value === undefined || Number.isNaN(value);
  if (missing(one) || missing(other)) return missing(one) - missing(other);
  const result = typeof one === "number" && typeof other === "number" ? one - other : collator.compare(
    String(one),
    String(other)
  );
  return descending ? -result : result;
}

/** What the URL says of a table: the column that sorts it, columns that are hidden, and the order of all. */
function stateOf(app, given) {
  const state = app.state.tables?.[given.id] ?? {};
  const sort = Array.isArray(state.sort) && given.columns.some((column) => column.id === state.sort[
    0
  ]) ? state.sort : (given.sort ?? null);
  const usual = given.columns.filter((column) => column.hidden).map((column) => column.id);
  const list = (names) => (Array.isArray(names) ? names.filter((name) => typeof name === "string") : null);
  return { sort, hidden: new Set(list(state.hidden) ?? usual), order: list(state.order) ?? [] };
}

/** Columns in the order that is wished, those that nobody moved where they stand. */
function ordered(columns, wished) {
  const places = new Map(wished.map((id, place) => [id, place]));
  const fixed = columns.filter((column) => column.row);
  const others = columns.filter((column) => !column.row);
  const known = others.filter((column) => places.has(column.id)).sort((a, b) => places.get(a.id) - places.get(b.id));
  return [...fixed, ...known, ...others.filter((column) => !places.has(column.id))];
}

/**
 * Rows of one height, of which only those in view are in the page.
 *
 * `draw(from, to)` gives the elements of these rows; `before` and `after` stand for the height of the others.
 */
export function virtual(box, { count, height, draw, body, spacer }) {
  let from = -1;
  let to = -1;
  const place = (force = false) => {
    const rows = Math.ceil((box.clientHeight || 600) / height);
    const first = Math.max(0, Math.min(count() - rows, Math.floor(box.scrollTop / height)) - 10);
    const last = Math.min(count(), first + rows + 20);
    if (!force && first === from && last === to) return;
    // A step or two of the wheel moves nothing while the rows in view are there.
    if (
      !force && from >= 0 && Math.abs(first - from) < 6 && last - first === to - from && first > 0 && last < count()
    ) return;
    [from, to] = [first, last];
    const held = document.activeElement && body.contains(document.activeElement) ? document.activeElement.id : null;
    fill(body, spacer(first * height), draw(first, last), spacer((count() - last) * height));
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
  };
  box.addEventListener("scroll", () => place(), { passive: true });
  return {
    refresh: () => place(true),
    /** Bring a row into view. */
    show(row) {
      const top = row * height;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + 2 * height > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * height - box.clientHeight;
      place(true);
    },
  };
}

/** A table; what can be given is said in the guide for views. */
export function table(app, given) {
  const { id, tools = true, most = 200 } = given;
  let { columns, rows } = given;
  let state = stateOf(app, given);
  let seen = [];
  let windowed = null;
  const section = h("section", { class: "table", id: `table-${id}` });
  const thead = h("thead");
  const tbody = h("tbody");
  const size = isLong() ? "long" : given.rows.length > 30 ? "tall" : "";
  const grid = h("table", { class: size || null }, h("caption", { class: "hidden" }, given.title), thead, tbody);
  const box = h(
    "div",
    {
      id: `box-${id}`,
      class: `box ${size}`.trim(),
      tabindex: "0",
      role: "region",
      "aria-label": given.title,
      onkeydown: move
    },
    grid
  );
  const said = h("div", { class: "said quiet" });

  function isLong() {
    return given.rows.length > most;
  }

  /** Columns that are shown, in their order. */
  function visibleColumns() {
    return ordered(columns, state.order).filter((column) => column.row || !state.hidden.has(column.id));
  }

  /** Rows in the order of the column that sorts them. */
  function sortRows() {
    const column = state.sort && columns.find((one) => one.id === state.sort[0]);
    const all = rows.map((row, place) => [row, place]);
    if (column) {
      const values = all.map(([row]) => (column.sorts ?? column.value)(row));
      all.sort((a, b) => order(values[a[1]], values[b[1]], state.sort[1]) || a[1] - b[1]);
    }
    seen = all;
  }

  /** Put a change into the URL; nothing is asked anew for it. */
  function change(part) {
    state = { ...state, ...part };
    const { sort, hidden, order: wished } = state;
    app.note({ tables: { ...app.state.tables, [id]: { sort, hidden: [...hidden], order: wished } } });
    draw();
  }

  function sortBy(column) {
    const [now, descending] = state.sort ?? [];
    // What is best comes first; after that the other way, and then as the rows came.
    const first = isNumber(column) && column.better !== "lower";
    if (now !== column.id) change({ sort: [column.id, first] });
    else if (descending === first) change({ sort: [column.id, !first] });
    else change({ sort: given.sort && given.sort[0] !== column.id ? given.sort : null });
  }

  function heading(column) {
    const shownName = column.heading?.() ?? column.title;
    const sorts = state.sort?.[0] === column.id ? (state.sort[1] ? "descending" : "ascending") : null;
    const name = [shownName, column.better ? { higher: " ↑", lower: " ↓" }[column.better] : null];
    const mark = sorts ? h(
      "span",
      { class: "sorts", "aria-hidden": "true" },
      sorts === "descending" ? "▾" : "▴"
    ) : null;
    return h(
      "th",
      {
        scope: "col",
        class: `${isNumber(column) ? "number" : "text"}${column.row ? " name" : ""}`,
        "aria-sort": sorts,
        title: column.about
      },
      column.sortable === false
        ? h("span", { class: "unsorted" }, name)
        : h(
          "button",
          {
            id: `sort-${id}-${column.id}`,
            type: "button",
            class: "sort",
            "aria-label": shownName ? null : column.title,
            onclick: () => sortBy(column)
          },
          name,
          mark
        ),
    );
  }

  function cell(column, row) {
    const content = column.cell ? column.cell(row) : shown(column, row);
    const link = column.link?.(row);
    const inner = link ? h("a", { href: app.link(link) }, content) : content;
    const kind = typeof column.class === "function" ? column.class(row) : column.class;
    const classes = `${isNumber(column) ? "number" : "text"}${column.row ? " name" : ""}${kind ? ` ${kind}` : ""}`;
    const attributes = { class: classes, dir: column.foreign ? "auto" : null };
    return column.row ? h("th", { scope: "row", ...attributes }, inner) : h("td", attributes, inner);
  }

  function line([row, place], index) {
    const key = given.key ? given.key(row) : place;
    return h(
      "tr",
      {
        id: `row-${id}-${key}`,
        tabindex: given.open ? "-1" : null,
        "data-place": index,
        "aria-rowindex": isLong() ? index + 2 : null,
        "aria-current": given.current?.(row) ? "true" : null,
        class: given.open ? "opens" : null,
        onclick: given.open ? (event) => clicked(event, row) : null,
      },
      visibleColumns().map((column) => cell(column, row)),
    );
  }

  function clicked(event, row) {
    if (event.target.closest("a, button, input, select, summary") || String(getSelection())) return;
    const link = given.open(row);
    if (link) app.set(link);
  }

  /** Keys of the table: up and down its rows, Enter opens one. */
  function move(event) {
    if (!given.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target.closest("tr[data-place]");
    if (event.target !== box && event.target !== row) return;
    const place = row ? Number(row.dataset.place) : -1;
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (event.key === "Enter" && row) {
      event.preventDefault();
      const link = given.open(seen[place][0]);
      if (link) app.set(link);
    } else if (to !== undefined && to >= 0 && to < seen.length) {
      event.preventDefault();
      windowed?.show(to);
      tbody.querySelector(`tr[data-place="${to}"]`)?.focus();
    }
  }

  function texts(kind) {
    const chosen = visibleColumns().filter((column) => column.copied !== false);
    // Programs get whole numbers, and both ends of an interval in columns of their own.
    const whole = kind === "csv" || kind === "json lines";
    const heads = chosen.flatMap((column) => {
      const arrow = column.better && !whole ? { higher: " ↑", lower: " ↓" }[column.better] : "";
      return whole && column.interval ? [
        column.title,
        `${column.title} low`,
        `${column.title} high`
      ] : [`${column.title}${arrow}`];
    });
    const plain = (value) => (value === null || value === undefined ? "" : String(value));
    const cells = seen.map(([row]) =>
      chosen.flatMap((column) =>
        whole ? [
          plain(column.value(row)),
          ...(column.interval ? (column.interval(row) ?? [null, null]).map(plain) : [])
        ] : [copied(column, row)],
      ),
    );
    return { title: given.title, heads, rows: cells, right: chosen.map(isNumber) };
  }

  function take(kind, name) {
    return copy(tableText(kind, texts(kind)), `Copied as ${name}`);
  }

  /** Every column with a box to choose it and two buttons that move it. */
  function columnList() {
    const movable = ordered(columns, state.order).filter((column) => !column.row);
    const shift = (place, step) => {
      const ids = movable.map((column) => column.id);
      const [moved] = ids.splice(place, 1);
      ids.splice(place + step, 0, moved);
      change({ order: ids });
      fill(list, columnList());
      const side = (one) => document.getElementById(`column-${id}-${moved}-${one}`);
      const wanted = side(step < 0 ? "left" : "right");
      (wanted.disabled ? side(step < 0 ? "right" : "left") : wanted).focus();
    };
    return movable.map((column, place) =>
      h(
        "div",
        { class: "column-choice" },
        h(
          "label",
          {},
          h("input", {
            id: `column-${id}-${column.id}`,
            type: "checkbox",
            checked: !state.hidden.has(column.id),
            onchange: (event) => {
              const hidden = new Set(state.hidden);
              if (event.target.checked) hidden.delete(column.id);
              else hidden.add(column.id);
              change({ hidden });
            },
          }),
          h("span", { dir: "auto" }, column.title),
        ),
        h(
          "button",
          {
            id: `column-${id}-${column.id}-left`,
            type: "button",
            class: "button small",
            disabled: place === 0,
            "aria-label": `Move ${column.title} to the left`,
            onclick: () => shift(place, -1)
          },
          "←"
        ),
        h(
          "button",
          {
            id: `column-${id}-${column.id}-right`,
            type: "button",
            class: "button small",
            disabled: place === movable.length - 1,
            "aria-label": `Move ${column.title} to the right`,
            onclick: () => shift(place, 1)
          },
          "→"
        ),
      ),
    );
  }

  function draw() {
    sortRows();
    const held = grid.contains(document.activeElement) ? document.activeElement.id : null;
    fill(thead, h("tr", {}, visibleColumns().map(heading)));
    if (isLong()) {
      grid.setAttribute("aria-rowcount", String(seen.length + 1));
      windowed ??= virtual(box, {
        count: () => seen.length,
        height: 34,
        body: tbody,
        draw: (from, to) => seen.slice(from, to).map((row, place) => line(row, from + place)),
        spacer: (height) => h("tr", { class: "spacer", "aria-hidden": "true", style: { height: `${height}px` } }),
      });
      windowed.refresh();
    } else {
      fill(tbody, seen.map((row, place) => line(row, place)));
    }
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
  }

  const list = h("div", { class: "columns" });
  const columnMenu = menu(`columns-${id}`, "Columns", [list], { right: true, label: `Columns of ${given.title}` });
  columnMenu.addEventListener("toggle", () => columnMenu.open && fill(list, columnList()));
  const copyMenu = menu(
    `copy-${id}`,
    "Copy",
    [
      item(`copy-${id}-latex`, "Copy as LaTeX", () => take("latex", "LaTeX")),
      item(`copy-${id}-markdown`, "Copy as Markdown", () => take("markdown", "Markdown")),
      item(`copy-${id}-csv`, "Copy as CSV", () => take("csv", "CSV")),
    ],
    { right: true, label: `Copy ${given.title}` },
  );
  const offered = tools ? h(
    "div",
    { class: "row tools" },
    columns.filter((column) => !column.row).length > 1 ? columnMenu : null,
    copyMenu
  ) : null;
  append(section, [
    h("div", { class: "table-head" }, given.title ? h("h2", {}, given.title) : h("span"), offered),
    box,
    said
  ]);
  const note = (texts_) => fill(said, [texts_].flat().filter(Boolean).map(
    (text) => (text instanceof Node ? text : h("p", {}, text))
  ));
  note(given.said);
  draw();

  /** Draw other rows, columns or remarks in the same place. */
  section.update = (changes) => {
    Object.assign(given, changes);
    ({ columns, rows } = given);
    if ("said" in changes) note(given.said);
    draw();
  };
  return section;
}
