// The released table itself: long, or wide with one variable across; sorted by any column; with
// totals. Tables of more than `most` cells are for download only.

import { cube } from "./api.js";
import { announce, count, crossed, fill, h, listed } from "./dom.js";
import { downloads } from "./downloads.js";

const most = 2000;

// JSON-stat 2.0: the values in row-major order of the dimensions, the last one running fastest.
export function readCube({ id, size, dimension, value }) {
  const dims = id.map((key) => {
    const { label, category } = dimension[key];
    const index = category.index ?? Object.keys(category.label);
    const codes = Array.isArray(index)
      ? index
      : Object.keys(index).sort((a, b) => index[a] - index[b]);
    return { name: label ?? key, levels: codes.map((code) => category.label?.[code] ?? code) };
  });
  const cells = size.reduce((product, n) => product * n, 1);
  return { dims, size, values: Array.from({ length: cells }, (_, i) => value[i] ?? 0) };
}

// The level numbers of each cell.
function positions(size) {
  const strides = size.map((_, k) => size.slice(k + 1).reduce((product, n) => product * n, 1));
  return (cell) => size.map((n, k) => Math.floor(cell / strides[k]) % n);
}

// One column of counts, one row a cell.
function long({ dims, size, values }) {
  const at = positions(size);
  return {
    keys: dims.map(({ name }) => name),
    levels: dims.map(({ levels }) => levels),
    across: null,
    columns: ["Count"],
    rows: values.map((value, i) => ({ key: at(i), counts: [value] })),
  };
}

// One column a level of the variable `c`, one row a combination of the others, and row totals.
function wide({ dims, size, values }, c) {
  const others = dims.map((_, k) => k).filter((k) => k !== c);
  const at = positions(size);
  const rows = new Map();
  values.forEach((value, i) => {
    const levels = at(i);
    const key = others.map((k) => levels[k]);
    const row = rows.get(key.join()) ?? { key, counts: Array(size[c] + 1).fill(0) };
    row.counts[levels[c]] = value;
    row.counts[size[c]] += value;
    rows.set(key.join(), row);
  });
  return {
    keys: others.map((k) => dims[k].name),
    levels: others.map((k) => dims[k].levels),
    across: dims[c].name,
    columns: [...dims[c].levels, "Total"],
    rows: [...rows.values()],
  };
}

const totals = ({ columns, rows }) =>
  columns.map((_, k) => rows.reduce((sum, row) => sum + row.counts[k], 0));

// By a key in the order of its levels, by a count in that of numbers; ties as the table has them.
function sorted({ rows }, { column, isKey, up }) {
  const what = (row) => (isKey ? row.key[column] : row.counts[column]);
  return column === null ? rows : [...rows].sort((a, b) => (up ? 1 : -1) * (what(a) - what(b)));
}

function heading(text, column, isKey, attributes, sort) {
  return h(
    "th",
    { scope: "col", "data-column": `${isKey}${column}`, ...attributes },
    h(
      "button",
      { type: "button", class: "sort", onclick: () => sort(column, isKey) },
      text,
      h("span", { class: "arrow", "aria-hidden": "true" }),
    ),
  );
}

function head({ keys, across, columns }, sort) {
  const span = across === null ? null : 2;
  const tops = keys.map((key, k) => heading(key, k, true, { rowspan: span }, sort));
  const counts = columns.map((column, k) => heading(column, k, false, { class: "number" }, sort));
  if (across === null) return h("thead", {}, h("tr", {}, tops, counts));
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      tops,
      h("th", { scope: "colgroup", colspan: columns.length, class: "across" }, across),
    ),
    h("tr", {}, counts),
  );
}

const numbers = (counts, total) =>
  counts.map((n, k) =>
    h("td", { class: total && k === counts.length - 1 ? "number total" : "number" }, count(n)),
  );

// Short labels stay in one line.
const rowHead = (text) =>
  h("th", { scope: "row", class: text.length <= 24 ? "short" : null }, text);

const bodyRow =
  ({ levels, across }) =>
  (row) =>
    h(
      "tr",
      {},
      row.key.map((level, k) => rowHead(levels[k][level])),
      numbers(row.counts, across !== null),
    );

const footRow = (layout) =>
  h(
    "tr",
    {},
    layout.keys.length > 0 && h("th", { scope: "row", colspan: layout.keys.length }, "Total"),
    numbers(totals(layout), layout.across !== null),
  );

function drawTable(place, layout, names) {
  const order = { column: null, isKey: true, up: true };
  const body = h("tbody", {});
  const top = head(layout, sort);

  function sort(column, isKey) {
    order.up = order.column === column && order.isKey === isKey ? !order.up : isKey;
    Object.assign(order, { column, isKey });
    for (const cell of top.querySelectorAll("[data-column]")) {
      const here = cell.dataset.column === `${isKey}${column}`;
      if (here) cell.setAttribute("aria-sort", order.up ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    }
    const name = isKey ? layout.keys[column] : layout.columns[column];
    announce(`Sorted by ${name}, ${order.up ? "ascending" : "descending"}`);
    drawRows();
  }
  const drawRows = () => fill(body, sorted(layout, order).map(bodyRow(layout)));

  drawRows();
  fill(
    place,
    h(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-label": "The table, may scroll" },
      h(
        "table",
        { class: "data" },
        h("caption", {}, names.length ? `Counts by ${listed(names)}` : "Grand total"),
        top,
        body,
        layout.keys.length > 0 && h("tfoot", {}, footRow(layout)),
      ),
    ),
  );
}

// Which variable goes across: the last one, until the reader says otherwise.
function layoutChoice(data, draw) {
  const select = h(
    "select",
    { id: "layout", onchange: () => draw(choice()) },
    data.dims.map(({ name }, k) => h("option", { value: k }, `${name} across`)),
    h("option", { value: "long" }, "one row a cell"),
  );
  const choice = () => (select.value === "long" ? long(data) : wide(data, Number(select.value)));
  select.value = data.dims.length > 1 ? String(data.dims.length - 1) : "long";
  return { control: h("label", {}, "Layout ", select), choice };
}

export function createTable(section) {
  let loading = new AbortController();

  async function show(card) {
    loading.abort();
    section.hidden = card?.status !== "released";
    if (section.hidden) return fill(section);
    if (section.dataset.id === card.id && section.hasChildNodes()) return null;
    section.dataset.id = card.id;
    loading = new AbortController();
    const place = h("div", { "aria-busy": "true" });
    const tools = h("div", { class: "tools" });
    const status = h("p", { role: "status", class: "quiet" });
    fill(section, h("h2", { id: "table-title" }, crossed(card.variables)), tools, place, status);
    fill(tools, downloads(card, status));
    if (card.cells > most) {
      place.textContent = `With ${count(card.cells)} cells, this table is for download only.`;
      return place.removeAttribute("aria-busy");
    }
    try {
      const data = readCube(await cube(card.id, loading.signal));
      const draw = (layout) => drawTable(place, layout, card.variables);
      const { control, choice } = layoutChoice(data, draw);
      if (data.dims.length > 1) tools.prepend(control);
      draw(choice());
    } catch (problem) {
      if (problem.name !== "AbortError") place.textContent = `${problem.message}.`;
    }
    return place.removeAttribute("aria-busy");
  }

  addEventListener("card", ({ detail }) => show(detail));
}
