// The released table itself: long, or wide with one variable across; counts or percentages; some
// categories or all; sorted by any column; with totals, a picture, downloads and a citation. Tables
// of more than `most` cells are for download only.

import { about, cube } from "./api.js";
import { createChart } from "./chart.js";
import { citation } from "./cite.js";
import { baseOf, cut, long, readCube, sorted, totals, wide } from "./cube.js";
import { announce, fill, h, scroller } from "./dom.js";
import { downloads } from "./downloads.js";
import { createFilters } from "./filters.js";
import { count, listed, percent, t } from "./i18n.js";
import { crossed } from "./sets.js";
import { labelsOf } from "./state.js";

const most = 2000;

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

// Short labels stay in one line.
const rowHead = (text) =>
  h("th", { scope: "row", class: text.length <= 24 ? "short" : null }, text);

// Draws the layout; gives back how to draw it in another order.
function drawTable(place, layout, { names, shares, filtered, drawn }) {
  const order = { column: null, isKey: true, up: true };
  const body = h("tbody", {});
  const top = head(layout, sort);
  const sums = totals(layout);
  const base = baseOf(shares, layout, sums);
  const shown = (counts, k) =>
    shares === "counts" ? count(counts[k]) : percent(counts[k], base(counts, k));
  const value = (row, k) =>
    shares === "counts" ? row.counts[k] : row.counts[k] / (base(row.counts, k) || 1);
  const isTotal = (k) => layout.across !== null && k === layout.columns.length - 1;
  const numbers = (counts) =>
    counts.map((_, k) => h("td", { class: isTotal(k) ? "number total" : "number" }, shown(counts, k)));
  const bodyRow = (row) =>
    h(
      "tr",
      {},
      row.key.map((level, k) => rowHead(layout.levels[k][level])),
      numbers(row.counts),
    );

  function sort(column, isKey) {
    order.up = order.column === column && order.isKey === isKey ? !order.up : isKey;
    Object.assign(order, { column, isKey });
    for (const cell of top.querySelectorAll("[data-column]")) {
      const here = cell.dataset.column === `${isKey}${column}`;
      if (here) cell.setAttribute("aria-sort", order.up ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    }
    const name = isKey ? layout.keys[column] : layout.columns[column];
    announce(t(order.up ? "sorted.up" : "sorted.down", { column: name }));
    drawRows();
  }

  function drawRows() {
    const rows = sorted(layout, order, value);
    fill(body, rows.map(bodyRow));
    drawn(rows);
  }

  const foot = h(
    "tr",
    {},
    layout.keys.length > 0 &&
      h("th", { scope: "row", colspan: layout.keys.length }, filtered ? t("total.shown") : t("total")),
    numbers(sums),
  );
  const caption = names.length
    ? t(captions[shares], { variables: listed(names) })
    : t("grand_total");
  fill(
    place,
    scroller(
      t("table.region"),
      h(
        "table",
        { class: "data" },
        h("caption", {}, caption, filtered && ` ${t("table.filtered")}`),
        top,
        body,
        layout.keys.length > 0 && h("tfoot", {}, foot),
      ),
    ),
  );
  drawRows();
}

const captions = {
  counts: "caption.counts",
  row: "caption.row",
  column: "caption.column",
  all: "caption.all",
};

const choice = (id, label, options, onchange) => {
  const select = h(
    "select",
    { id, onchange },
    options.map(([value, text]) => h("option", { value }, text)),
  );
  return { select, node: h("label", { for: id, class: "choice" }, label, select) };
};

// What the reader can choose about the table, and the table by these choices.
function createView(data, names, redraw) {
  const across = choice(
    "layout",
    t("layout"),
    [
      ...data.dims.map(({ name }, k) => [String(k), t("layout.across", { variable: name })]),
      ["long", t("layout.long")],
    ],
    () => redraw(),
  );
  const shares = choice(
    "shares",
    t("shares"),
    [
      ["counts", t("shares.counts")],
      ["row", t("shares.row")],
      ["column", t("shares.column")],
      ["all", t("shares.all")],
    ],
    () => redraw(),
  );
  across.select.value = data.dims.length > 1 ? String(data.dims.length - 1) : "long";
  const filters = createFilters(data, () => redraw());
  const words = { count: t("count"), total: t("total") };

  function layout() {
    const table = cut(data, filters.kept());
    const by = across.select.value;
    return by === "long" ? long(table, words) : wide(table, Number(by), words);
  }
  const isLong = () => across.select.value === "long";
  const options = () => ({
    names,
    // in one column, the share of a row would always be all of it
    shares: isLong() && shares.select.value === "row" ? "all" : shares.select.value,
    filtered: filters.any(),
  });
  const controls = [data.dims.length > 1 && across.node, data.dims.length > 0 && shares.node];
  return { layout, options, controls, filters: filters.node };
}

export function createTable(section) {
  let loading = new AbortController();

  function drawAll(card, data, { place, tools, picture }) {
    const names = labelsOf(card.variables);
    const chart = createChart(picture);
    const view = createView(data, names, () => draw());
    function draw() {
      const layout = view.layout();
      const drawn = (rows) => chart.draw({ ...layout, rows }, names);
      drawTable(place, layout, { ...view.options(), drawn });
    }
    fill(tools, view.controls, chart.control);
    if (view.filters) tools.after(view.filters);
    draw();
  }

  async function show(card) {
    loading.abort();
    section.hidden = card?.status !== "released";
    if (section.hidden) {
      delete section.dataset.id;
      return fill(section);
    }
    if (section.dataset.id === card.id && section.hasChildNodes()) return null;
    section.dataset.id = card.id;
    section.setAttribute("aria-label", t("table.section", { table: crossed(card.variables) }));
    loading = new AbortController();
    const { signal } = loading;
    const place = h("div", { "aria-busy": "true" });
    const tools = h("div", { class: "tools" });
    const picture = h("div", { class: "picture" });
    const status = h("p", { role: "status", class: "quiet" });
    const cite = h("div", { class: "cite" });
    fill(
      section,
      h("h2", { id: "table-title" }, crossed(card.variables)),
      tools,
      h("div", { class: "side-by-side" }, place, picture),
      downloads(card, status),
      status,
      cite,
    );
    try {
      fill(cite, citation(card, await about(card.id, signal)));
      if (card.cells > most) place.textContent = t("table.too_large", { n: count(card.cells) });
      else drawAll(card, readCube(await cube(card.id, signal)), { place, tools, picture });
    } catch (problem) {
      if (problem.name !== "AbortError") place.textContent = `${problem.message}.`;
    }
    return place.removeAttribute("aria-busy");
  }

  addEventListener("card", ({ detail }) => show(detail));
}
